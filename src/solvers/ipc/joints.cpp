// What joints do in a step: laws of the coordinates, multipliers, errors, and the coordinates at its end.
#include "solvers/ipc/joints.h"

#include "base/index.h"
#include "dynamics/joint_frame.h"
#include "math/matrix3.h"

#include <algorithm>

namespace rattleback::ipc
{

namespace
{

/// Dry friction is less than its bound below this rate [m/s, rad/s].
constexpr double kSlowRate = 1e-3;

bool is_switched_off(const StepInput& input, int equality)
{
    return equality >= 0 && input.control.equality_active[at(equality)] == 0;
}

/// The child's rotation from its reference, in the second group.
Quat find_ball(const BallLink& ball, const Placement& first, const Placement& second)
{
    return normalized(conjugate(ball.base) * conjugate(second.rotation) * first.rotation);
}

}  // namespace

Joints::Joints(const Layout& layout)
    : layout_(layout),
      joints_(layout.joints),
      rows_(joints_.holds.size() + joints_.couplings.size()),
      laws_(joints_.dofs.size()),
      reference_(joints_.dofs.size()),
      forces_(joints_.multiplier_count())
{
    turns_.reserve(5 * joints_.balls.size());  // no allocation in a step
}

RowPair Joints::rows_of(int first, int second) const
{
    return {layout_.groups[at(first)].row, layout_.groups[at(second)].row};
}

void Joints::begin(const Model& model, const StepInput& input, const ConstWorldView& world,
                   std::span<const Body> bodies, const DriveList& drives, std::span<const double> multipliers)
{
    is_on_ = !joints_.empty();
    if (!is_on_) return;
    dt_ = input.dt;
    drives_ = &drives;
    // Multipliers stand in the order of rows, then two limits per coordinate, then one per ball.
    begin_rows(model, input, bodies, multipliers);
    begin_dofs(model, input, world, multipliers.subspan(rows_.size()));
    begin_balls(model, world, bodies, multipliers.subspan(rows_.size() + 2 * laws_.size()));
}

void Joints::begin_rows(const Model& model, const StepInput& input, std::span<const Body> bodies,
                        std::span<const double> multipliers)
{
    // Energies count by h^2 as all of E does (Eq. 5): forces become h^2 times themselves.
    const double square = dt_ * dt_;
    for (std::size_t i = 0; i < joints_.holds.size(); ++i)
    {
        const Hold& hold = joints_.holds[i];
        rows_[i] = {};
        if (is_switched_off(input, hold.equality)) continue;
        // λ c + k c² / 2, with the force of the last step as λ.
        rows_[i] = {kStiffness * hold.weight, square * multipliers[i], 0};
        if (hold.stiffness == 0) continue;
        // Spring and damper of a soft equality: K c + D (c - c_t) / h has its zero between 0 and c_t.
        const Measure& m = hold.measure;
        const double start = find_measure(m, bodies[at(m.first)].start, bodies[at(m.second)].start);
        const double total = hold.stiffness + hold.damping / dt_;
        rows_[i] = {square * total, 0, start * (hold.damping / dt_) / total};
    }
    for (std::size_t i = 0; i < joints_.couplings.size(); ++i)
    {
        const Coupling& coupling = joints_.couplings[i];
        const std::size_t row = joints_.holds.size() + i;
        rows_[row] = {};
        if (is_switched_off(input, coupling.equality)) continue;
        rows_[row] = {kStiffness * coupling.weight, square * multipliers[row], 0};
    }
    // Couplings count from the authored coordinates.
    for (std::size_t d = 0; d < joints_.dofs.size(); ++d) reference_[d] = model.q0[at(joints_.dofs[d].q)];
}

void Joints::begin_dofs(const Model& model, const StepInput& input, const ConstWorldView& world,
                        std::span<const double> multipliers)
{
    const double square = dt_ * dt_;
    for (std::size_t d = 0; d < joints_.dofs.size(); ++d)
    {
        const DofLink& dof = joints_.dofs[d];
        const auto j = at(dof.joint), v = at(dof.v);
        DofLaw& law = laws_[d] = {};
        law.start = world.q[at(dof.q)];
        // Armature and dampers look at the coordinate: where its rate leads, and where it was.
        law.expected = law.start + dt_ * world.v[v];
        law.dt = dt_;
        // Forces on free joints are wrenches on their bodies.
        law.force = dof.is_free ? 0 : square * input.control.joint_force[v];
        // W(q) of the spring, damper, armature and dry friction, all implicit (dof_energy.h).
        law.spring = square * model.joints.stiffness[j];
        law.rest = model.spring_q[at(dof.q)];
        law.damper = dt_ * model.dofs.damping[v];
        law.armature = model.dofs.armature[v];
        law.friction = square * model.dofs.dry_friction[v];
        law.slow = dt_ * kSlowRate;
        const Range& range = model.joints.range[j];
        if (!range.limited || dof.is_free) continue;
        // Limits: a spring acts as it is, anything else is a bound with a multiplier.
        const Spring* soft = std::get_if<Spring>(&model.joints.limit_softness[j]);
        const double weight = soft != nullptr ? square * soft->stiffness : kStiffness * dof.weight;
        law.lower = range.lower + model.joints.margin[j];
        law.upper = range.upper - model.joints.margin[j];
        law.low = {true, weight, soft != nullptr ? 0 : square * multipliers[2 * d], soft != nullptr};
        law.high = {true, weight, soft != nullptr ? 0 : square * multipliers[2 * d + 1], soft != nullptr};
        // The damper of a soft limit acts while it is pressed.
        const bool is_pressed = law.start < law.lower || law.start > law.upper;
        if (soft != nullptr && is_pressed) law.damper += dt_ * soft->damping;
    }
}

void Joints::begin_balls(const Model& model, const ConstWorldView& world, std::span<const Body> bodies,
                         std::span<const double> multipliers)
{
    const double square = dt_ * dt_;
    turns_.clear();
    for (std::size_t b = 0; b < joints_.balls.size(); ++b)
    {
        const BallLink& ball = joints_.balls[b];
        const auto j = at(ball.joint), v = at(ball.v), q = at(ball.q);
        // The angle of R_first C R_secondᵀ is that from the rotation c in the child's axes, with C = (base c)^-1.
        const auto add = [&](const Quat& from, double weight) -> TurnTerm&
        {
            turns_.push_back({});
            turns_.back().ball = static_cast<int>(b);
            turns_.back().turn = conjugate(ball.base * from);
            turns_.back().weight = weight;
            return turns_.back();
        };
        const Quat start = find_ball(ball, bodies[at(ball.first)].start, bodies[at(ball.second)].start);
        const Vec3 rate{world.v[v], world.v[v + 1], world.v[v + 2]};
        // What acts on a ball: springs by the angle from their rest, dampers from the start, armature from
        // where the rate leads.
        if (model.joints.stiffness[j] > 0)
            add({model.spring_q[q], model.spring_q[q + 1], model.spring_q[q + 2], model.spring_q[q + 3]},
                square * model.joints.stiffness[j]);
        if (model.dofs.damping[v] > 0) add(start, dt_ * model.dofs.damping[v]);
        if (model.dofs.armature[v] > 0) add(start * exponential(dt_ * rate), model.dofs.armature[v]);
        if (model.dofs.dry_friction[v] > 0)
        {
            TurnTerm& term = add(start, 0);
            term.friction = square * model.dofs.dry_friction[v];
            term.slow = dt_ * kSlowRate;
        }
        const Range& range = model.joints.range[j];
        if (!range.limited || ball.is_free) continue;
        TurnTerm& term = add({}, 0);
        const Spring* soft = std::get_if<Spring>(&model.joints.limit_softness[j]);
        // The limit of a ball: its angle from the reference, one bound.
        term.limit = {true, soft != nullptr ? square * soft->stiffness : kStiffness * ball.weight,
                      soft != nullptr ? 0 : square * multipliers[b], soft != nullptr};
        term.largest = range.upper - model.joints.margin[j];
    }
}

double Joints::find_q(std::size_t dof, const Placement& first, const Placement& second) const
{
    const double raw = find_measure(joints_.dofs[dof].measure, first, second);
    if (!joints_.dofs[dof].is_hinge) return raw;
    // The turn that is nearest to the angle at the start.
    const double start = laws_[dof].start, turns = (raw - start) / (2 * kPi);
    return raw - 2 * kPi * round_to_integer(turns);
}

Jet Joints::find_energy(std::size_t dof, double q) const
{
    const auto begin = at(drives_->begin[dof]), end = at(drives_->begin[dof + 1]);
    return find_dof_energy(laws_[dof], std::span(drives_->items).subspan(begin, end - begin), q);
}

double Joints::find_turn_value(const TurnTerm& term, double angle) const
{
    double value = 0.5 * term.weight * angle * angle;
    if (term.friction > 0) value += term.friction * find_slip(angle, term.slow).value;
    return value + find_bound_energy(term.limit, term.largest - angle).value;
}

Joints::CouplingPoint Joints::find_coupling(const Coupling& coupling, double first, double second) const
{
    // y - y0 = p(x - x0); derivatives of p by Horner's rule.
    const double y = first - reference_[at(coupling.first)];
    if (coupling.second < 0) return {y - coupling.polynomial[0], 0, 0};
    const double x = second - reference_[at(coupling.second)];
    double p = 0, slope = 0, half = 0;
    for (std::size_t k = coupling.polynomial.size(); k-- > 0;)
    {
        half = half * x + slope;
        slope = slope * x + p;
        p = p * x + coupling.polynomial[k];
    }
    return {y - p, slope, 2 * half};
}

double Joints::find_coupling_value(std::size_t index, std::span<const Placement> placements) const
{
    const Coupling& coupling = joints_.couplings[index];
    const auto find = [&](int dof)
    {
        const Measure& m = joints_.dofs[at(dof)].measure;
        return find_q(at(dof), placements[at(m.first)], placements[at(m.second)]);
    };
    return find_coupling(coupling, find(coupling.first), coupling.second < 0 ? 0 : find(coupling.second)).value;
}

double Joints::find_error(std::span<const Placement> placements) const
{
    if (!is_on_) return 0;
    // Rows that hold rigidly, as lengths: turns count by the arm of what they hold.
    double largest = 0;
    for (std::size_t i = 0; i < joints_.holds.size(); ++i)
    {
        const Hold& hold = joints_.holds[i];
        if (rows_[i].weight == 0 || hold.stiffness > 0) continue;
        const Measure& m = hold.measure;
        largest =
            std::max(largest, hold.arm * std::abs(find_measure(m, placements[at(m.first)], placements[at(m.second)])));
    }
    for (std::size_t i = 0; i < joints_.couplings.size(); ++i)
    {
        // Couplings.
        if (rows_[joints_.holds.size() + i].weight > 0)
            largest = std::max(largest, joints_.couplings[i].arm * std::abs(find_coupling_value(i, placements)));
    }
    for (std::size_t d = 0; d < joints_.dofs.size(); ++d)
    {
        const DofLaw& law = laws_[d];
        // Limits of coordinates that are no springs.
        if (!law.low.is_on || law.low.is_soft) continue;
        const Measure& m = joints_.dofs[d].measure;
        const double q = find_q(d, placements[at(m.first)], placements[at(m.second)]);
        largest = std::max(largest, joints_.dofs[d].arm * std::max(law.lower - q, q - law.upper));
    }
    for (const TurnTerm& term : turns_)
    {
        const BallLink& ball = joints_.balls[at(term.ball)];
        // And of balls.
        if (!term.limit.is_on || term.limit.is_soft) continue;
        const Vec3 turn = find_turn_between(term.turn, placements[at(ball.first)], placements[at(ball.second)]);
        largest = std::max(largest, ball.arm * (norm(turn) - term.largest));
    }
    return largest;
}

void Joints::raise_multipliers(std::span<const Placement> placements)
{
    if (!is_on_) return;
    const double inverse = 1 / (dt_ * dt_);
    std::span<double> forces = forces_;
    // First-order update of the augmented Lagrangian: λ becomes the force λ + k c that acts here.
    store(placements, forces);
    for (std::size_t i = 0; i < rows_.size(); ++i)
    {
        const bool is_soft = i < joints_.holds.size() && joints_.holds[i].stiffness > 0;
        if (rows_[i].weight > 0 && !is_soft) rows_[i].multiplier = forces[i] / inverse;
    }
    const auto raise = [&](Bound& bound, double force)
    {
        if (bound.is_on && !bound.is_soft) bound.multiplier = force / inverse;
    };
    for (std::size_t d = 0; d < laws_.size(); ++d)
    {
        // Bounds only push: find_bound_energy() never leaves a multiplier with the wrong sign.
        raise(laws_[d].low, forces[rows_.size() + 2 * d]);
        raise(laws_[d].high, forces[rows_.size() + 2 * d + 1]);
    }
    for (TurnTerm& term : turns_) raise(term.limit, forces[rows_.size() + 2 * laws_.size() + at(term.ball)]);
}

void Joints::stiffen(double factor)
{
    for (std::size_t i = 0; i < rows_.size(); ++i)
    {
        const bool is_soft = i < joints_.holds.size() && joints_.holds[i].stiffness > 0;
        // Springs are what they are; only the penalty of rigid rows grows.
        if (!is_soft) rows_[i].weight *= factor;
    }
    const auto raise = [&](Bound& bound) { bound.weight *= bound.is_soft ? 1 : factor; };
    for (DofLaw& law : laws_) raise(law.low), raise(law.high);
    for (TurnTerm& term : turns_) raise(term.limit);
}

void Joints::store(std::span<const Placement> placements, std::span<double> multipliers) const
{
    if (!is_on_) return;
    const double inverse = 1 / (dt_ * dt_);
    // Forces without the h^2 of the potential: dt may change from step to step.
    std::fill(multipliers.begin(), multipliers.end(), 0.0);
    for (std::size_t i = 0; i < rows_.size(); ++i)
    {
        double c = 0;
        if (i < joints_.holds.size())
        {
            const Measure& m = joints_.holds[i].measure;
            c = find_measure(m, placements[at(m.first)], placements[at(m.second)]) - rows_[i].target;
        }
        else
            c = find_coupling_value(i - joints_.holds.size(), placements);
        multipliers[i] = inverse * (rows_[i].multiplier + rows_[i].weight * c);
    }
    for (std::size_t d = 0; d < laws_.size(); ++d)
    {
        const Measure& m = joints_.dofs[d].measure;
        const double q = find_q(d, placements[at(m.first)], placements[at(m.second)]);
        // The slopes of the bounds: forces of the limits, positive where they push.
        multipliers[rows_.size() + 2 * d] = -inverse * find_bound_energy(laws_[d].low, q - laws_[d].lower).slope;
        multipliers[rows_.size() + 2 * d + 1] = -inverse * find_bound_energy(laws_[d].high, laws_[d].upper - q).slope;
    }
    for (const TurnTerm& term : turns_)
    {
        if (!term.limit.is_on) continue;
        const BallLink& ball = joints_.balls[at(term.ball)];
        const Vec3 turn = find_turn_between(term.turn, placements[at(ball.first)], placements[at(ball.second)]);
        multipliers[rows_.size() + 2 * laws_.size() + at(term.ball)] =
            -inverse * find_bound_energy(term.limit, term.largest - norm(turn)).slope;
    }
}

double Joints::find_acceleration() const
{
    double largest = 0;
    for (std::size_t d = 0; is_on_ && d < laws_.size(); ++d)
    {
        const DofLink& dof = joints_.dofs[d];
        // What drives this coordinate at the start of the step.
        double force = std::abs(laws_[d].force);
        for (int k = drives_->begin[d]; k < drives_->begin[d + 1]; ++k)
            force += std::abs(find_drive_energy(drives_->items[at(k)], laws_[d], laws_[d].start).slope);
        // A torque pushes with torque / arm, and what it moves weighs weight / arm^2.
        largest = std::max(largest, force / (dt_ * dt_) * dof.arm / dof.weight);
    }
    return largest;
}

void Joints::write(std::span<const Placement> placements, std::span<const Velocity> velocities,
                   const WorldView& world) const
{
    for (std::size_t d = 0; d < joints_.dofs.size(); ++d)
    {
        const DofLink& dof = joints_.dofs[d];
        if (dof.is_free) continue;
        const Measure& m = dof.measure;
        const MeasurePoint point = find_measure_point(m, placements[at(m.first)], placements[at(m.second)]);
        // The rate is the gradient of the measure times the velocities of both groups.
        double rate = 0;
        for (std::size_t side = 0; side < 2; ++side)
        {
            const Velocity& velocity = velocities[at(side == 0 ? m.first : m.second)];
            for (int i = 0; i < 3; ++i)
                rate += point.gradient[side][at(i)] * velocity.linear[i] +
                        point.gradient[side][at(3 + i)] * velocity.angular[i];
        }
        world.q[at(dof.q)] = find_q(d, placements[at(m.first)], placements[at(m.second)]);
        world.v[at(dof.v)] = rate;
    }
    for (const BallLink& ball : joints_.balls)
    {
        if (ball.is_free) continue;
        const Placement& first = placements[at(ball.first)];
        Quat now = find_ball(ball, first, placements[at(ball.second)]);
        double* q = &world.q[at(ball.q)];
        // Of the two quaternions of a rotation the one nearer to what stood there.
        if (now.w * q[0] + now.x * q[1] + now.y * q[2] + now.z * q[3] < 0) now = {-now.w, -now.x, -now.y, -now.z};
        q[0] = now.w, q[1] = now.x, q[2] = now.y, q[3] = now.z;
        // Angular velocity of the child against its parent, in the child's axes.
        const Vec3 rate =
            transpose_times(first.matrix, velocities[at(ball.first)].angular - velocities[at(ball.second)].angular);
        for (int i = 0; i < 3; ++i) world.v[at(ball.v + i)] = rate[i];
    }
}

void Joints::write_forces(const Model& model, std::span<const Placement> placements,
                          std::span<const double> multipliers, ConstraintForces& forces) const
{
    if (!is_on_) return;
    // Lower and upper limit never push at once: their sum is the force of the one that does.
    forces.joint_limit.assign(at(model.joint_count()), 0.0);
    for (std::size_t d = 0; d < joints_.dofs.size(); ++d)
    {
        if (!joints_.dofs[d].is_free)
            forces.joint_limit[at(joints_.dofs[d].joint)] =
                multipliers[rows_.size() + 2 * d] + multipliers[rows_.size() + 2 * d + 1];
    }
    for (std::size_t b = 0; b < joints_.balls.size(); ++b)
    {
        if (!joints_.balls[b].is_free)
            forces.joint_limit[at(joints_.balls[b].joint)] = multipliers[rows_.size() + 2 * laws_.size() + b];
    }
    // Equalities: the wrench of each row on both sides.
    forces.first.assign(at(model.equality_count()), Wrench{});
    forces.second.assign(at(model.equality_count()), Wrench{});
    for (std::size_t i = 0; i < joints_.holds.size(); ++i)
    {
        const Hold& hold = joints_.holds[i];
        if (hold.equality < 0) continue;
        const Measure& m = hold.measure;
        const Placement &a = placements[at(m.first)], &b = placements[at(m.second)];
        const MeasurePoint point = find_measure_point(m, a, b);
        // Minus the gradient, moved from the centres to the world's origin.
        const auto add = [&](Wrench& sum, const Vector6& g, const Vec3& center)
        {
            const Vec3 force = -multipliers[i] * Vec3{g[0], g[1], g[2]};
            sum.force += force;
            sum.torque += cross(center, force) - multipliers[i] * Vec3{g[3], g[4], g[5]};
        };
        add(forces.first[at(hold.equality)], point.gradient[0], a.center);
        add(forces.second[at(hold.equality)], point.gradient[1], b.center);
    }
}

}  // namespace rattleback::ipc
