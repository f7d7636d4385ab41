// The account of a step's mechanical energy.
#include "solvers/shared/energy_guard.h"
#include "solvers/shared/adhesion.h"
#include "solvers/shared/divergence.h"
#include "solvers/shared/guarded_solver.h"
#include "solvers/shared/state_mark.h"

#include "base/index.h"
#include "dynamics/impedance.h"
#include "dynamics/mass_matrix.h"
#include "dynamics/refresh.h"
#include "math/finite.h"
#include "math/zero.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace rattleback
{

namespace
{

constexpr double kTolerance = 0.005;      // of the energy at hand, for exact accounts
constexpr double kDrivenTolerance = 0.1;  // of the largest kinetic energy of late
constexpr double kFast = 40;              // driven: [J/kg] as of 9 m/s, beyond which all steps are looked at
constexpr double kLooseGrowth = 1e3;      // of the same, in one step
constexpr double kForget = 1.0 / 256;     // by which a reference falls towards the energy, per step
constexpr int kWatch = 256;               // driven: steps that are all looked at once one was refused
constexpr double kQuiet = 0.02;           // driven: of the change of velocity, in kinetic energy, that is let go

/// [body] mass of the tree that the body belongs to; 0 where nothing moves it.
std::vector<double> find_tree_masses(const Model& model)
{
    std::vector<double> sum(at(model.body_count())), mass(at(model.body_count()));
    std::vector<int> root(at(model.body_count()));
    for (int b = 1; b < model.body_count(); ++b)
    {
        const int parent = model.bodies.parent[at(b)];
        root[at(b)] = model.bodies.last_dof[at(parent)] < 0 ? b : root[at(parent)];
        sum[at(root[at(b)])] += model.bodies.mass[at(b)];
    }
    for (int b = 1; b < model.body_count(); ++b)
        if (model.bodies.last_dof[at(b)] >= 0) mass[at(b)] = sum[at(root[at(b)])];
    return mass;
}

/// Whether forces act whose work is not known.
bool has_hidden_work(const Model& model)
{
    const auto& kinds = model.actuators.transmission;
    const auto drives = [](const std::vector<double>& resistance)
    { return std::any_of(resistance.begin(), resistance.end(), [](double x) { return x < 0; }); };
    const auto bends = [](const std::vector<std::array<double, 2>>& terms)
    { return std::any_of(terms.begin(), terms.end(), [](const auto& t) { return t[0] < 0 || t[1] < 0; }); };
    // What resists by less than nothing drives; terms of a damper may do so from some speed on.
    if (drives(model.dofs.damping) || drives(model.dofs.dry_friction) || drives(model.tendons.damping) ||
        drives(model.tendons.dry_friction) || bends(model.dofs.damping_polynomial) ||
        bends(model.tendons.damping_polynomial))
        return true;
    return model.equality_count() > 0 || model.settings.medium.density > 0 || model.settings.medium.viscosity > 0 ||
           std::find(kinds.begin(), kinds.end(), TransmissionType::body) != kinds.end() || has_sticky_surfaces(model) ||
           !model.tracks.empty();
}

/// What a soft limit has stored that is `depth` beyond its bound, over the inertia that it moves: its spring's energy.
double find_limit_energy(const Softness& softness, double inertia, double depth, double dt)
{
    if (const auto* spring = std::get_if<Spring>(&softness)) return 0.5 * spring->stiffness * depth * depth;
    if (!std::holds_alternative<Impedance>(softness)) return 0;
    return 0.5 * inertia * respond(softness, -depth, dt, true).stiffness * depth * depth;
}

}  // namespace

EnergyGuard::EnergyGuard(const Tree& tree, bool owns_bodies)
    : tree_(tree),
      loose_model_(has_hidden_work(*tree.model)),
      owns_bodies_(owns_bodies),
      tree_mass_(find_tree_masses(*tree.model)),
      scratch_(*tree.model),
      start_scratch_(*tree.model),
      probe_(tree),
      start_force_(at(tree.model->v_count())),
      end_force_(at(tree.model->v_count()))
{
    const Model& model = *tree.model;
    std::vector<double> height(at(model.body_count()), 1.0);
    for (int s = 0; s < model.shape_count(); ++s)
    {
        double& least = height[at(model.shapes.body[at(s)])];
        least = std::max(least, model.shapes.bounding_radius[at(s)]);
    }
    for (int b = 1; b < model.body_count(); ++b)
    {
        if (model.bodies.last_dof[at(b)] < 0) continue;
        mass_ += model.bodies.mass[at(b)];
        mass_height_ += model.bodies.mass[at(b)] * height[at(b)];
    }
}

void EnergyGuard::begin(const StepInput& input, const ConstWorldView& world, const EnergyLedger& ledger)
{
    input_ = &input;
    start_ = world;
    ledger_ = ledger;
    looked_ = refused_ = troubled_ = false;
    kinetic_ = {};
    account_ = choose_account();
    // Somebody wrote into the state, or changed gravity: what was known is no longer so.
    goes_on_ = ledger_.signature == mark_state(world, input.parameters.find_gravity(*tree_.model));
    if (!goes_on_) ledger_.known = 0;
}

EnergyAccount EnergyGuard::choose_account() const
{
    const ControlView& control = input_->control;
    const Model& model = *tree_.model;
    if (loose_model_) return EnergyAccount::loose;
    if (!are_zero<Velocity>(control.surface_velocity)) return EnergyAccount::loose;
    for (const int b : tree_.kinematic_bodies)
    {
        const Pose& target = control.target[at(model.bodies.kinematic_index[at(b)])];
        if (target != start_.body_pose[at(b)] || start_.body_velocity[at(b)] != Velocity{}) return EnergyAccount::loose;
    }
    if (model.actuator_count() > 0) return EnergyAccount::driven;
    const bool free = are_zero<double>(control.joint_force) && are_zero<Wrench>(control.body_wrench);
    return free ? EnergyAccount::exact : EnergyAccount::driven;
}

bool EnergyGuard::looks(const KineticChange& kinetic)
{
    kinetic_ = kinetic;
    if (account_ == EnergyAccount::exact || ledger_.watch > 0) return true;
    const double much = kDrivenTolerance * std::max(ledger_.scale, find_fall());
    if (account_ == EnergyAccount::driven)
    {
        // Links that turn by radians in a step gain by M(q') - M(q), which the step's own M does not show but the next
        // one's does: from there on the account has no gaps.
        if (goes_on_ && !(kinetic.before - ledger_.scale <= much)) troubled_ = true;
        // A tenth per step is a thousandfold in 70 steps. Few robots are as fast as this on the whole; those that are
        // pay for the look, a twentieth to a fifth of their steps' time.
        if (troubled_ || !(std::max(kinetic.before, kinetic.after) <= kFast * mass_)) return true;
    }
    // A look costs as much as a step, and inputs that change all the time would want one at every step: what gains less
    // than it may gain at once is let go. Written so that what is no number is looked at.
    return !(kinetic.after - kinetic.before <= much);
}

/// Bodies of solvers in joint coordinates follow q and v first.
Energy EnergyGuard::find_energy(WorldView world) const
{
    if (!owns_bodies_) refresh_bodies(tree_, world);
    return compute_energy(*tree_.model, world, input_->parameters);
}

Energy EnergyGuard::find_start_energy()
{
    copy_world(start_, start_scratch_.world());
    return find_energy(start_scratch_.world());
}

/// What overlaps and limits at the begin of an account may give: a `rigid` row leaves with a 36th of its depth per
/// step, so three times that speed, and the lift out of it; a soft limit what its spring holds (robots whose joints
/// start beyond their ranges leave with much of that).
double EnergyGuard::find_stored_energy(std::span<const Contact> contacts) const
{
    const Model& model = *tree_.model;
    const double speed = 1 / (12 * input_->dt), gravity = norm(input_->parameters.find_gravity(model));
    double sum = 0;
    const auto store = [&](double mass, double depth)
    {
        if (depth > 0) sum += 0.5 * mass * (speed * depth) * (speed * depth) + mass * gravity * depth;
    };
    for (const Contact& contact : contacts)
    {
        const double first = tree_mass_[at(model.shapes.body[at(contact.first_shape)])];
        const double second = tree_mass_[at(model.shapes.body[at(contact.second_shape)])];
        // The lighter one is thrown; where one side stands still, the other.
        store(first == 0 || second == 0 ? first + second : std::min(first, second), -contact.distance);
    }
    for (int j = 0; j < model.joint_count(); ++j)
    {
        const Range& range = model.joints.range[at(j)];
        const JointType type = model.joints.type[at(j)];
        if (!range.limited || (type != JointType::hinge && type != JointType::slide)) continue;
        const double q = start_.q[at(model.joints.q_begin[at(j)])];
        const double inertia = model.dofs.inertia[at(model.joints.v_begin[at(j)])];
        const double depth = std::max(range.lower - q, q - range.upper);
        store(inertia, depth);
        if (depth > 0) sum += find_limit_energy(model.joints.limit_softness[at(j)], inertia, depth, input_->dt);
    }
    return sum;
}

/// Joint forces of actuators and of the caller at a state.
void EnergyGuard::find_drive(const ConstWorldView& world, std::vector<double>& force)
{
    StageTimer timer(false);
    load_world(probe_, 0, world, input_->control);
    load_parameters(probe_, 0, input_->parameters);
    compute_position_stage(probe_, timer);
    compute_velocity_stage(probe_, input_->dt, timer);
    for (std::size_t d = 0; d < force.size(); ++d) force[d] = probe_.actuation[d] + probe_.applied[d];
}

/// Work of inputs over the step by the trapezium of their forces at its two ends: exact for servos, whose forces are
/// linear in the coordinates.
double EnergyGuard::find_work()
{
    find_drive(start_, start_force_);
    find_drive(scratch_.world(), end_force_);
    const Model& model = *tree_.model;
    double work = 0;
    for (int d = 0; d < model.v_count(); ++d)
    {
        const int joint = model.dofs.joint[at(d)];
        const JointType type = model.joints.type[at(joint)];
        const int q = model.joints.q_begin[at(joint)];
        const bool scalar = type == JointType::hinge || type == JointType::slide;
        const double way =
            scalar ? scratch_.q[at(q)] - start_.q[at(q)] : 0.5 * input_->dt * (scratch_.v[at(d)] + start_.v[at(d)]);
        work += 0.5 * (start_force_[at(d)] + end_force_[at(d)]) * way;
    }
    return work;
}

/// Energies are judged beside what a fall gives, by one metre or by a body's own size: at rest there is none to compare
/// them with.
double EnergyGuard::find_fall() const { return mass_height_ * norm(input_->parameters.find_gravity(*tree_.model)); }

/// The energy that the candidate may have.
double EnergyGuard::find_ceiling() const
{
    const double fall = find_fall();
    const double grain = 1e-10 * std::abs(energy_.potential);
    switch (account_)
    {
        case EnergyAccount::exact:
            return ledger_.reference + kTolerance * std::max(ledger_.scale, fall) + grain;
        case EnergyAccount::driven:
            return ledger_.reference + kDrivenTolerance * std::max(ledger_.scale, fall) + kQuiet * kinetic_.change +
                   grain;
        default:
            // One joule per kilogram, from where everything may start.
            return ledger_.reference + kLooseGrowth * (ledger_.scale + mass_);
    }
}

bool EnergyGuard::accepts(std::span<const Contact> contacts)
{
    energy_ = find_energy(scratch_.world());
    if (!looked_)
    {
        looked_ = true;
        if (ledger_.known == 0)
        {
            const Energy start = find_start_energy();
            ledger_.reference = start.total() + find_stored_energy(contacts);
            if (account_ == EnergyAccount::exact) ledger_.scale = ledger_.reference - start.potential;
        }
        if (account_ != EnergyAccount::exact) ledger_.scale = std::max(ledger_.scale, kinetic_.before);
        before_work_ = ledger_.reference;
        begin_scale_ = ledger_.scale;
        begins_ = ledger_.known == 0;
    }
    if (account_ == EnergyAccount::exact)
    {
        // What lies deep all at once is no fall: a step does not make its own tolerance.
        const double most = begins_ ? std::numeric_limits<double>::infinity() : 4 * begin_scale_;
        ledger_.scale = std::max(begin_scale_, std::min(most, ledger_.reference - energy_.potential));
    }
    else if (account_ == EnergyAccount::driven)
        ledger_.reference = before_work_ + find_work();
    // Written so that energies that are no numbers are refused.
    refused_ = !(energy_.total() <= find_ceiling());
    if (refused_)
    {
        // Numbers of a step that is not taken judge no other.
        troubled_ = true;
        kinetic_.change = 0;
        ledger_.scale = begin_scale_;
    }
    return !refused_;
}

double EnergyGuard::limit_candidate()
{
    const double kinetic = energy_.kinetic, left = find_ceiling() - energy_.potential;
    if (!(left >= 0)) return -1;
    if (!(kinetic > left)) return 0;
    const double scale = std::sqrt(left / kinetic);
    for (double& v : scratch_.v) v *= scale;
    for (Velocity& velocity : scratch_.body_velocity)
    {
        velocity.linear = scale * velocity.linear;
        velocity.angular = scale * velocity.angular;
    }
    energy_.kinetic = left;
    return kinetic - left;
}

double EnergyGuard::judge_rest(std::span<const Contact> contacts)
{
    const double before = energy_.total();
    accepts(contacts);
    return std::max(0.0, before - energy_.total());
}

bool EnergyGuard::is_sound_at_rest(const ConstWorldView& world)
{
    const auto are_finite = [](const auto& list)
    { return std::all_of(list.begin(), list.end(), [](const auto& x) { return is_finite(x); }); };
    // What only contacts read.
    if (!are_finite(input_->control.surface_velocity) || !are_finite(input_->control.target)) return false;
    if (!are_finite(input_->parameters.friction)) return false;
    copy_world(world, start_scratch_.world());
    std::fill(start_scratch_.v.begin(), start_scratch_.v.end(), 0.0);
    find_drive(start_scratch_.world(), end_force_);
    factor_mass_matrix(probe_);
    std::copy(probe_.total.begin(), probe_.total.end(), probe_.qacc.begin());
    solve_in_place<double>(probe_, probe_.qacc);
    double fastest = 0, farthest = 0;
    for (std::size_t d = 0; d < world.v.size(); ++d)
    {
        // Written so that what is no number is not sound.
        if (!is_sound_speed(std::abs(world.v[d]) + input_->dt * std::abs(probe_.qacc[d]))) return false;
        fastest = std::max(fastest, std::abs(world.v[d]));
    }
    for (const double q : world.q)
    {
        if (!is_sound_distance(q)) return false;
        farthest = std::max(farthest, std::abs(q));
    }
    return is_sound_distance(farthest + input_->dt * fastest);
}

void EnergyGuard::finish(const ConstWorldView& world, EnergyLedger& ledger) const
{
    const int level = ledger.level;
    ledger = ledger_;
    ledger.level = level;
    // After trouble every step is looked at for a while, so that the account has no gaps.
    ledger.watch = troubled_ ? kWatch : std::max(0, ledger.watch - 1);
    ledger.known = looked_ ? 1 : 0;
    // Bodies that sink into each other for seconds are put back to their heights (owns_bodies): their reference stays.
    if (looked_ && !owns_bodies_) ledger.reference -= kForget * std::max(0.0, ledger.reference - energy_.total());
    if (account_ != EnergyAccount::exact)
        ledger.scale = std::max((1 - kForget) * ledger.scale, looked_ ? energy_.kinetic : kinetic_.after);
    ledger.signature = mark_state(world, input_->parameters.find_gravity(*tree_.model));
}

}  // namespace rattleback
