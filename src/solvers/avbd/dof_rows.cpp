// Forces on the degrees of freedom of a link.
#include "solvers/avbd/dof_rows.h"

#include "base/index.h"
#include "dynamics/forces.h"
#include "dynamics/impedance.h"
#include "dynamics/joint_frame.h"
#include "math/rotation.h"
#include "solvers/avbd/springs.h"

#include <algorithm>
#include <cmath>

namespace rattleback::avbd
{

namespace
{

constexpr double kDirectSpring = 10;  // springs up to this many penalties act as they are, stiffer ones by a multiplier

void add_limit(const Model& model, std::size_t i, const LinkState& state, const LinkMemory& memory,
               double error_fraction, double dt, DofForces& forces)
{
    const LinkDof& dof = state.dofs[i];
    const auto j = at(dof.joint);
    const Range& range = model.joints.range[j];
    if (!range.limited || !dof.scalar) return;
    // C >= 0: distance to the nearer bound, less the margin
    const double margin = model.joints.margin[j];
    const bool lower = dof.q - range.lower < range.upper - dof.q;  // the nearer bound
    const double sign = lower ? 1 : -1;
    const double c = (lower ? dof.q - range.lower : range.upper - dof.q) - margin;
    const double start = (lower ? dof.start - range.lower : range.upper - dof.start) - margin;
    const Compliance softness = find_compliance(model.joints.limit_softness[j], dof.inertia, c, dt);
    // a multiplier of the other bound pushes the wrong way: none
    // lambda is remembered with the sign of its bound: positive at the lower one
    const double kept = sign * memory.limit[i];
    const DofForce force = state.slow_slip > 0 ? press(-c, start - c, dof.penalty, softness, dt)
                                               : push(c, start, sign * dof.rate, error_fraction, std::max(0.0, kept),
                                                      dof.penalty, softness, dt);
    forces.beyond[i] = std::max(0.0, -c);
    forces.force[i] += sign * force.force;
    forces.stiffness[i] += force.stiffness;
    forces.limit[i] = sign * force.force;
}

void add_friction(const Model& model, std::size_t i, const LinkState& state, const LinkMemory& memory,
                  DofForces& forces)
{
    const LinkDof& dof = state.dofs[i];
    const double bound = model.dofs.dry_friction[at(dof.dof)];
    if (bound == 0) return;
    if (state.slow_slip > 0)
    {
        // mode penalty: the law of contacts, along the dof
        const double slip = dof.q - dof.start;
        const double factor = friction_factor(bound, std::abs(slip), state.slow_slip);
        forces.friction[i] = -factor * slip;
        forces.force[i] += forces.friction[i];
        forces.stiffness[i] += factor;
        return;
    }
    // lambda+ between -bound and bound ([AVBD] Eq. 13)
    // C = q - q(x_t), the slip within the step: friction has no memory of where it stuck, only of its force
    const double trial = memory.friction[i] - dof.penalty * (dof.q - dof.start);
    const double force = std::clamp(trial, -bound, bound);
    forces.force[i] += force;
    if (force == trial) forces.stiffness[i] += dof.penalty;  // what slides does not feel how far
    forces.friction[i] = force;
}

void add_spring(double value, const SpringGain& gain, std::size_t i, const LinkState& state, const LinkMemory& memory,
                DofForces& forces)
{
    // a soft spring is a force like any other: f = -K x
    // as a part of f and H it is exact in one Newton step, as long as it does not dwarf the penalties around it
    const double penalty = state.dofs[i].spring_penalty;
    if (gain.secant <= kDirectSpring * penalty)
    {
        forces.force[i] -= gain.secant * value;
        forces.stiffness[i] += gain.slope;
        return;
    }
    // a stiff one a compliant row: f = s (lambda - k x), s = K / (K + k), at rest f = -K x
    const double share = 1 / (1 + penalty / gain.secant);
    const double force = share * (memory.spring[i] - penalty * value);
    forces.force[i] += force;
    forces.stiffness[i] += share * penalty;
    forces.spring[i] = force;
}

void add_drives(const Model& model, std::size_t i, const LinkState& state, const Drives& drives, double dt,
                DofForces& forces)
{
    // actuators on this dof, implicit in its coordinate and rate
    const LinkDof& dof = state.dofs[i];
    const DofForce sum =
        sum_drives(drives, dof.dof, dof.q, dof.start, model.joints.actuator_force_range[at(dof.joint)], dt);
    forces.force[i] += sum.force;
    forces.stiffness[i] += sum.stiffness;
}

/// Springs and limits of a ball: `first` is the first of its three dofs, q its quaternion.
void add_ball(const Model& model, std::size_t first, const double* q, const LinkState& state, const LinkMemory& memory,
              double error_fraction, double dt, DofForces& forces)
{
    // spring about the rotation vector from its rest
    const auto j = at(state.dofs[first].joint);
    const Quat now = unit_quaternion(q);
    const auto begin = at(model.joints.q_begin[j]) + (model.joints.type[j] == JointType::free ? 3 : 0);
    const double* rest = &model.spring_q[begin];
    if (has_spring(model.joints, j))
    {
        // the rotation vector by which the ball is off its rest, in its own axes: the axes of the three dofs
        Quat reference{rest[0], rest[1], rest[2], rest[3]};
        const Vec3 yielded{state.dofs[first].yielded, state.dofs[first + 1].yielded, state.dofs[first + 2].yielded};
        if (yielded != Vec3{}) reference = reference * exponential(yielded);
        const Vec3 turned = -rotation_spring(now, reference);
        const SpringGain gain = find_vector_gain(model, j, norm(turned));
        for (int c = 0; c < 3; ++c) add_spring(turned[c], gain, first + at(c), state, memory, forces);
    }
    // limit of the angle: one row about the axis of the turn
    const Range& range = model.joints.range[j];
    if (!range.limited || model.joints.type[j] == JointType::free) return;
    // three dofs, one bound: C is a function of all, its gradient the axis of the turn
    const Vec3 turned = logarithm(now);
    const double angle = norm(turned);
    const double c = range.upper - angle - model.joints.margin[j];
    if (angle < 1e-9) return;
    // C = bound - |theta|, now and at x_t
    const Compliance softness = find_compliance(model.joints.limit_softness[j], state.dofs[first].inertia, c, dt);
    const double* was = q - state.q.data() + state.start_q.data();
    const double start = range.upper - norm(logarithm(unit_quaternion(was))) - model.joints.margin[j];
    const double penalty = state.dofs[first].penalty;
    const DofForce force = state.slow_slip > 0
                               ? press(-c, start - c, penalty, softness, dt)
                               : push(c, start, 0, error_fraction, memory.limit[first], penalty, softness, dt);
    forces.beyond[first] = std::max(0.0, -c);
    // it pushes against the axis of the turn
    forces.limit_axis = (1 / angle) * turned;
    forces.limit_begin = static_cast<int>(first);
    forces.limit_stiffness = force.stiffness;
    forces.limit[first] = force.force;
    for (int k = 0; k < 3; ++k) forces.force[first + at(k)] -= force.force * forces.limit_axis[k];
}

}  // namespace

DofForce push(double c, double start, double rate, double error_fraction, double multiplier, double penalty,
              const Compliance& softness, double dt)
{
    // active: pressed in the last step, or would reach its bound in this one
    // a row that may act stays in H, else sweeps jump between free and stopped
    const bool active = multiplier > 0 || start + dt * std::min(0.0, rate) <= 0;
    // C(x) - alpha C(x_t) of a rigid row ([AVBD] Eq. 18)
    double share = 1;
    // of a violation at x_t only 1 - alpha is taken back; a distance that is left counts whole
    if (softness.stiffness == 0) c -= (1 - error_fraction) * std::min(0.0, start);
    if (softness.stiffness > 0)
    {
        const double total = softness.stiffness + softness.damping / dt;
        share = 1 / (1 + penalty / total);
        // spring and damper: K c + D (c - start) / h = total (c - start) + K start
        if (c < 0) c = (c - start) + std::min(0.0, start) * (softness.stiffness / total) + std::max(0.0, start);
    }
    // lambda+ bounded below by zero ([AVBD] Eq. 13)
    // the sign of C is that of a distance: lambda+ = lambda - k C pushes when C is negative
    const double force = std::max(0.0, share * (multiplier - penalty * c));
    return {force, active || force > 0 ? share * penalty : 0};
}

DofForce press(double depth, double approach, double penalty, const Compliance& softness, double dt)
{
    if (depth <= 0) return {};
    // E = k d^2 / 2 with k no stiffer than the material; its damper D as kd k, kd = D / K, while the two approach
    const bool soft = softness.stiffness > 0;
    const double k = soft ? std::min(penalty, softness.stiffness) : penalty;
    const double damping = soft && approach > 0 ? k * softness.damping / softness.stiffness / dt : 0;
    return {k * depth + damping * approach, k + damping};
}

double friction_factor(double bound, double u, double slow)
{
    return u >= slow ? bound / u : bound * (2 - u / slow) / slow;
}

DofForce sum_drives(const Drives& drives, int index, double q, double start, const Range& range, double dt)
{
    // each drive between its own bounds, then the sum between those of the coordinate; what is clamped is not stiff
    double sum = 0, stiffness = 0;
    for (int d = drives.begin[at(index)]; d < drives.begin[at(index) + 1]; ++d)
    {
        const Drive& drive = drives.items[at(d)];
        // linear in q and its rate, which is taken over the step
        // q' of implicit Euler is (q - q_t) / h: the derivative by q has both gains
        const double wanted = drive.constant + drive.slope * q + drive.damping * (q - start) / dt;
        const double force = std::clamp(wanted, drive.lower, drive.upper);
        sum += force;
        // only what resists may be in H: a slope that feeds stays out, or H would lose its definiteness
        if (force == wanted) stiffness += std::max(0.0, -(drive.slope + drive.damping / dt));
    }
    const double clamped = range.limited ? std::clamp(sum, range.lower, range.upper) : sum;
    return {clamped, clamped == sum ? stiffness : 0};
}

Compliance find_compliance(const Softness& softness, double mass, double violation, double dt)
{
    if (const Spring* spring = std::get_if<Spring>(&softness)) return {spring->stiffness, spring->damping};
    const Impedance* impedance = std::get_if<Impedance>(&softness);
    if (impedance == nullptr) return {};
    // the spring that carries the same load at rest: d / (1 - d) times mass, d the impedance
    const RowResponse response = respond(*impedance, violation, dt, true);
    const double factor = mass * response.impedance / (1 - response.impedance);
    return {factor * response.stiffness, factor * response.damping};
}

DofForces evaluate_dofs(const Model& model, const Link& link, const LinkState& state, const LinkMemory& memory,
                        const Drives& drives, double error_fraction, double dt)
{
    DofForces forces;
    std::size_t taken = 0;  // in state.q
    for (std::size_t i = 0; i < at(link.dof_count); ++i)
    {
        const LinkDof& dof = state.dofs[i];
        const auto d = at(dof.dof), j = at(dof.joint);
        // armature and damping along the axes of the start: A (advance - h rate) / h^2 + D advance / h
        const SpringGain damper = find_damper_gain(model, d, dof.advance / dt);
        const double armature = model.dofs.armature[d] / (dt * dt);
        forces.force[i] += dof.applied;
        forces.rate_force[i] = armature * dt * dof.rate - (damper.secant / dt + armature) * dof.advance;
        forces.rate_stiffness[i] = damper.slope / dt + armature;
        add_friction(model, i, state, memory, forces);
        // springs, limits and drives by type: hinge and slide, translations of a free joint, balls as a whole
        const JointType type = model.joints.type[j];
        const int within = dof.dof - model.joints.v_begin[j];
        if (dof.scalar)
        {
            if (has_spring(model.joints, j))
            {
                const double x = dof.q - model.spring_q[at(model.joints.q_begin[j])] - dof.yielded;
                add_spring(x, find_spring_gain(model, j, x), i, state, memory, forces);
            }
            add_limit(model, i, state, memory, error_fraction, dt, forces);
            add_drives(model, i, state, drives, dt, forces);
            ++taken;
            continue;
        }
        if (type == JointType::free && within < 3)
        {
            const auto q = at(model.joints.q_begin[j]);
            if (has_spring(model.joints, j))
            {
                const double* rest = &model.spring_q[q];
                const double* now = &state.q[taken - at(within)];
                const Vec3 way{now[0] - rest[0], now[1] - rest[1], now[2] - rest[2]};
                add_spring(dof.q - rest[within], find_vector_gain(model, j, norm(way)), i, state, memory, forces);
            }
            ++taken;
            continue;
        }
        const bool first = within == (type == JointType::free ? 3 : 0);
        if (first)
        {
            add_ball(model, i, &state.q[taken], state, memory, error_fraction, dt, forces);
            taken += 4;
        }
    }
    return forces;
}

}  // namespace rattleback::avbd
