// What a step may gain: the store of first overlaps, limits and ties, and the work of what drives a world.
#include "solvers/shared/adhesion.h"
#include "solvers/shared/energy_guard.h"

#include "base/index.h"
#include "dynamics/fluid_force.h"
#include "dynamics/impedance.h"
#include "dynamics/ties.h"
#include "math/rotation.h"
#include "math/zero.h"
#include "solvers/shared/kinematic_bodies.h"

#include <algorithm>
#include <cmath>

namespace rattleback
{

namespace
{

/// The name of the first of a list that drives: resists by less than nothing.
std::string name_driving(const std::vector<double>& linear, const std::vector<double>& dry,
                         const std::vector<std::array<double, 2>>& terms, const auto& name)
{
    for (std::size_t i = 0; i < linear.size(); ++i)
        if (linear[i] < 0 || dry[i] < 0 || terms[i][0] < 0 || terms[i][1] < 0) return name(i);
    return "";
}

/// What a soft limit has stored that is `depth` beyond its bound, over the inertia that it moves: its spring's energy.
double find_limit_energy(const Softness& softness, double inertia, double depth, double dt)
{
    if (const auto* spring = std::get_if<Spring>(&softness)) return 0.5 * spring->stiffness * depth * depth;
    if (!std::holds_alternative<Impedance>(softness)) return 0;
    return 0.5 * inertia * respond(softness, -depth, dt, true).stiffness * depth * depth;
}

/// What a cable's springs hold; rigid ones as hard as the step allows for `mass`, which may turn at an arm of 1 m.
double find_cable_energy(const Cable& cable, const TieFrame& first, const TieFrame& second, double mass, double dt)
{
    const Vec3 gap = rotate(conjugate(first.rotation), second.position - first.position);
    const Vec3 turn = logarithm(conjugate(first.rotation) * second.rotation);
    const auto hold = [&](const Spring& spring, double square)
    {
        const bool rigid = spring.stiffness == kRigidStiffness;
        return 0.5 * (rigid ? mass * respond_tie(Rigid{}, 0, dt, true).stiffness : spring.stiffness) * square;
    };
    return hold(cable.stretch, gap.z * gap.z) + hold(cable.shear, gap.x * gap.x + gap.y * gap.y) +
           hold(cable.bend, turn.x * turn.x + turn.y * turn.y) + hold(cable.twist, turn.z * turn.z);
}

}  // namespace

std::string find_hidden_work(const Model& model)
{
    const auto name_dof = [&](std::size_t d) { return "joint '" + model.joints.name[at(model.dofs.joint[d])] + "'"; };
    const auto name_tendon = [&](std::size_t t) { return "tendon '" + model.tendons.name[t] + "'"; };
    std::string driving =
        name_driving(model.dofs.damping, model.dofs.dry_friction, model.dofs.damping_polynomial, name_dof);
    if (driving.empty())
        driving = name_driving(model.tendons.damping, model.tendons.dry_friction, model.tendons.damping_polynomial,
                               name_tendon);
    if (!driving.empty()) return "damping or dry friction of " + driving + " that drives instead of resisting";
    for (int a = 0; a < model.actuator_count(); ++a)
        if (model.actuators.transmission[at(a)] == TransmissionType::body)
            return "adhesion of actuator '" + model.actuators.name[at(a)] + "'";
    if (has_sticky_surfaces(model)) return "materials that stick";
    return "";
}

/// What overlaps and limits at the begin of an account may give: a `rigid` row leaves with a 36th of its depth per
/// step, so three times that speed, and the lift out of it; a soft limit what its spring holds (robots whose joints
/// start beyond their ranges leave with much of that).
double EnergyGuard::find_stored_energy(std::span<const Contact> contacts)
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
    return sum + find_tie_energy();
}

/// What ties hold at the begin of an account whose ends are apart: that of their springs, k per mass, over the mass of
/// the lighter side.
double EnergyGuard::find_tie_energy()
{
    const Model& model = *tree_.model;
    if (model.equality_count() == 0) return 0;
    StageTimer timer(false);
    load_world(probe_, 0, start_, input_->control);
    load_parameters(probe_, 0, input_->parameters);
    compute_position_stage(probe_, timer);
    compute_velocities(probe_);
    const auto lighter = [&](int first, int second)
    {
        const double a = tree_mass_[at(first)], b = tree_mass_[at(second)];
        return a == 0 || b == 0 ? a + b : std::min(a, b);
    };
    const std::span<const int> given = input_->control.equality_active;
    const std::span<const int> active = given.empty() ? std::span<const int>(model.equalities.active) : given;
    const Equalities& all = model.equalities;
    double sum = 0;
    for (int e = 0; e < model.equality_count(); ++e)
    {
        if (active[at(e)] == 0) continue;
        const int first = all.first[at(e)], second = all.second[at(e)];
        double residual = 0, inertia = 0;
        if (all.type[at(e)] == EqualityType::cable)
        {
            const TieFrame a = place_frame(probe_, first, all.first_frame[at(e)]);
            const TieFrame b = place_frame(probe_, second, all.second_frame[at(e)]);
            sum += find_cable_energy(all.cable[at(e)], a, b, lighter(first, second), input_->dt);
            continue;
        }
        if (all.type[at(e)] == EqualityType::connect || all.type[at(e)] == EqualityType::weld)
        {
            const TieFrame a = place_frame(probe_, first, all.first_frame[at(e)]);
            const TieFrame b = place_frame(probe_, second, all.second_frame[at(e)]);
            const bool weld = all.type[at(e)] == EqualityType::weld;
            residual = find_tie_residual(a, b, Mat3{}, all.torque_scale[at(e)], weld).norm();
            inertia = lighter(first, second);
        }
        else
        {
            const bool joints = all.type[at(e)] == EqualityType::joint;
            const auto offset = [&](int i)
            {
                if (!joints) return probe_.tendon_length[at(i)] - model.tendons.length[at(i)];
                const int q = model.joints.q_begin[at(i)];
                return start_.q[at(q)] - model.q0[at(q)];
            };
            residual =
                evaluate_coupling(all.polynomial[at(e)], offset(first), second < 0 ? 0 : offset(second), second < 0)
                    .residual;
            inertia = joints ? model.dofs.inertia[at(model.joints.v_begin[at(first)])]
                             : 1 / std::max(kTinyRow, probe_.tendon_weight[at(first)]);
        }
        const Softness& softness = all.softness[at(e)];
        const auto* spring = std::get_if<Spring>(&softness);
        const double stiffness =
            spring ? spring->stiffness : inertia * respond_tie(softness, residual, input_->dt, true).stiffness;
        sum += 0.5 * stiffness * residual * residual;
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
    const double by_wind = find_wind_work();  // at the start, where the probe is
    find_drive(scratch_.world(), end_force_);
    const Model& model = *tree_.model;
    double work = by_wind;
    for (int d = 0; d < model.v_count(); ++d)
    {
        const int joint = model.dofs.joint[at(d)];
        const JointType type = model.joints.type[at(joint)];
        const int q = model.joints.q_begin[at(joint)];
        const bool scalar = type == JointType::hinge || type == JointType::slide;
        const double path =
            scalar ? scratch_.q[at(q)] - start_.q[at(q)] : 0.5 * elapsed_ * (scratch_.v[at(d)] + start_.v[at(d)]);
        work += 0.5 * (start_force_[at(d)] + end_force_[at(d)]) * path;
    }
    return work;
}

/// Work of the wind over the step, by the medium's forces F of the begin and mean velocities v. The medium brakes what
/// moves against it, F . (v - w) <= 0: the wind w gives no more than F . w, whatever the candidate says of v.
double EnergyGuard::find_wind_work()
{
    const Model& model = *tree_.model;
    const Vec3& wind = model.settings.medium.wind;
    if (tree_.fluid_parts.empty() || wind == Vec3{}) return 0;
    double power = 0;
    for (const FluidPart& part : tree_.fluid_parts)
    {
        const FluidMotion<double> motion = find_motion(probe_, part);
        const LocalForce<double> local = part_force(part, model.settings.medium, motion.velocity, motion.spin);
        const Vec3 force = motion.axes * local.force;
        const Vec3 change = scratch_.body_velocity[at(part.body)].linear - start_.body_velocity[at(part.body)].linear;
        const Vec3 velocity = wind + motion.axes * motion.velocity + 0.5 * change;
        // Written so that a velocity that is no number gives the bound.
        const double most = std::max(0.0, dot(force, wind)), given = dot(force, velocity);
        power += given <= most ? std::max(0.0, given) : most;
    }
    return power * elapsed_;
}

/// The fastest that a body or a surface moves by itself in this step, as far away as there are bodies.
double EnergyGuard::find_drive_speed()
{
    const Model& model = *tree_.model;
    double slide = 0, spin = 0;
    const auto count = [&](const Vec3& linear, const Vec3& angular)
    {
        slide = std::max(slide, norm(linear));
        spin = std::max(spin, norm(angular));
    };
    if (!are_zero<Velocity>(input_->control.surface_velocity))
        for (const Velocity& velocity : input_->control.surface_velocity) count(velocity.linear, velocity.angular);
    find_kinematic_motions(model, tree_.kinematic_bodies, *input_, start_, motions_);
    for (const KinematicMotion& motion : motions_)
    {
        count(motion.begin_velocity.linear, motion.begin_velocity.angular);
        count(motion.end_velocity.linear, motion.end_velocity.angular);
    }
    if (spin == 0) return slide;
    double reach = 0;
    for (int b = 1; b < model.body_count(); ++b)
    {
        if (model.bodies.last_dof[at(b)] < 0) continue;
        double farthest = 0;
        for (const int k : tree_.kinematic_bodies)
            farthest = std::max(farthest, norm(start_.body_pose[at(b)].position - start_.body_pose[at(k)].position));
        reach = std::max({reach, farthest, norm(start_.body_pose[at(b)].position)});
    }
    return slide + spin * (reach + 1);
}

}  // namespace rattleback
