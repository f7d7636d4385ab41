// Accelerations of frames, and the force and torque between a body and its parent: Newton's and Euler's laws of all
// that the body carries, less the forces from outside. Exact for given accelerations, otherwise the mean over a step.
#include "engine/sensors.h"

#include "dynamics/jacobian.h"
#include "dynamics/tendons.h"

namespace rattleback
{

namespace
{

double mass_of(const Model& model, const MassView& own, std::size_t body)
{
    return own.mass.empty() ? model.bodies.mass[body] : own.mass[body];
}

/// I x for principal moments of a body, world axes.
Vec3 times_inertia(const Model& model, const ConstWorldView& world, const MassView& own, std::size_t body,
                   const Vec3& x)
{
    const Quat axes = world.body_pose[body].rotation * model.bodies.inertial_pose[body].rotation;
    const Vec3 local = rotate(conjugate(axes), x);
    const double* k = own.mass.empty() ? nullptr : &own.moments[3 * body];
    const Vec3 i = k == nullptr ? model.bodies.inertia[body] : Vec3{k[0], k[1], k[2]};
    return rotate(axes, Vec3{i.x * local.x, i.y * local.y, i.z * local.z});
}

}  // namespace

/// The body and all that it carries: parents stand before their children.
void SensorReader::mark_subtree(int root)
{
    for (std::size_t b = 0; b < inside_.size(); ++b)
    {
        const int parent = model_.bodies.parent[b];
        inside_[b] = static_cast<int>(b) == root || (parent >= 0 && inside_[at(parent)] != 0) ? 1 : 0;
    }
}

/// Of a subtree, about the world's origin.
Momentum SensorReader::find_momentum(const ConstWorldView& world, const MassView& own_mass, int root)
{
    Momentum sum;
    mark_subtree(root);
    for (std::size_t b = 0; b < inside_.size(); ++b)
    {
        if (inside_[b] == 0) continue;
        const Velocity& velocity = world.body_velocity[b];
        const Vec3 linear = mass_of(model_, own_mass, b) * velocity.linear;
        sum.linear += linear;
        sum.angular += cross(find_center(model_, world, static_cast<int>(b)), linear) +
                       times_inertia(model_, world, own_mass, b, velocity.angular);
    }
    return sum;
}

void SensorReader::read_starts(const ConstWorldView& world, const MassView& own_mass, std::span<Vec3> starts)
{
    const Sensors& sensors = model_.sensors;
    for (std::size_t s = 0; s < sensors.type.size() && plan_.start_count > 0; ++s)
    {
        const int body = sensors.body[s];
        Vec3* const start = starts.data() + start_of_[s];
        switch (sensors.type[s])
        {
            case SensorType::accelerometer:
            case SensorType::linear_acceleration:
                *start = find_frame(model_, world, s, false).velocity.linear;
                break;
            case SensorType::angular_acceleration:
                *start = world.body_velocity[at(body)].angular;
                break;
            case SensorType::force:
                *start = find_momentum(world, own_mass, body).linear;
                break;
            case SensorType::torque:
            {
                const Momentum momentum = find_momentum(world, own_mass, body);
                start[0] = momentum.linear;
                start[1] = momentum.angular;
                break;
            }
            default:
                break;
        }
    }
}

/// Of a frame's origin minus gravity, or angular; world axes.
Vec3 SensorReader::find_acceleration(const SensorInput& input, std::size_t s, bool angular) const
{
    const int body = model_.sensors.body[s];
    const MovingFrame frame = find_frame(model_, input.world, s, false);
    if (input.acceleration.empty())
    {
        const Vec3& start = input.starts[at(start_of_[s])];
        if (angular) return (1 / input.step.dt) * (frame.velocity.angular - start);
        const Vec3 change = frame.velocity.linear - start;
        return (1 / input.step.dt) * change - input.step.parameters.find_gravity(model_);
    }
    // a = what motion and gravity give while the joints do not accelerate + J(q) q''
    const Workspace<double>& w = *workspace_;
    const bool moved = model_.bodies.last_dof[at(body)] >= 0;
    const Motion<double> joints = moved ? joint_motion_[at(body)] : Motion<double>{};
    if (angular) return body_angular_acceleration(w, body) + joints.angular;
    const Vec3 base = body_point_acceleration(w, body, frame.pose.position);
    return moved ? base + point_velocity(w, joints, body, frame.pose.position) : base;
}

/// Rate of momentum of the subtree that is marked, less its weight.
SensorReader::Load SensorReader::find_inertial_load(const SensorInput& input, std::size_t s)
{
    const MassView& own = input.step.parameters.mass;
    const Vec3 gravity = input.step.parameters.find_gravity(model_);
    const bool exact = !input.acceleration.empty();
    Load load;
    if (!exact)
    {
        const Momentum now = find_momentum(input.world, own, model_.sensors.body[s]);
        const Vec3* start = &input.starts[at(start_of_[s])];
        load.force = (1 / input.step.dt) * (now.linear - start[0]);
        if (model_.sensors.type[s] == SensorType::torque) load.torque = (1 / input.step.dt) * (now.angular - start[1]);
    }
    for (std::size_t b = 0; b < inside_.size(); ++b)
    {
        if (inside_[b] == 0) continue;
        const int body = static_cast<int>(b);
        const Vec3 center = find_center(model_, input.world, body);
        const double mass = mass_of(model_, own, b);
        Vec3 force = -mass * gravity;
        if (exact)
        {
            // m (a - g), and I w' + w x I w
            const Workspace<double>& w = *workspace_;
            const bool moved = model_.bodies.last_dof[b] >= 0;
            Vec3 acceleration = body_point_acceleration(w, body, center);
            Vec3 turning = body_angular_acceleration(w, body);
            if (moved)
            {
                acceleration += point_velocity(w, joint_motion_[b], body, center);
                turning += joint_motion_[b].angular;
            }
            force = mass * acceleration;
            const Vec3& spin = input.world.body_velocity[b].angular;
            load.torque += times_inertia(model_, input.world, own, b, turning) +
                           cross(spin, times_inertia(model_, input.world, own, b, spin));
        }
        load.force += force;
        load.torque += cross(center, force);
    }
    return load;
}

/// Takes away what is not the parent's: inputs, contacts, equalities and tendons.
void SensorReader::add_outer_loads(const SensorInput& input, Load& load) const
{
    const auto take = [&](const Vec3& point, const Vec3& force, const Vec3& torque, double sign)
    {
        load.force -= sign * force;
        load.torque -= sign * (torque + cross(point, force));
    };
    for (std::size_t b = 0; b < inside_.size(); ++b)
    {
        const Wrench& wrench = input.step.control.body_wrench[b];
        if (inside_[b] != 0)
            take(find_center(model_, input.world, static_cast<int>(b)), wrench.force, wrench.torque, 1);
    }
    const std::size_t count = std::min(input.contacts.items.size(), input.forces.items.size());
    for (std::size_t i = 0; i < count; ++i)
    {
        // contact forces act on the second body, and with the other sign on the first
        const Contact& contact = input.contacts.items[i];
        const Wrench& wrench = input.forces.items[i];
        if (inside_[at(contact.second_body.index)] != 0) take(contact.point, wrench.force, wrench.torque, 1);
        if (inside_[at(contact.first_body.index)] != 0) take(contact.point, wrench.force, wrench.torque, -1);
    }
    for (std::size_t e = 0; e < input.constraints.first.size(); ++e)
    {
        const EqualityType type = model_.equalities.type[e];
        if (type == EqualityType::joint || type == EqualityType::tendon) continue;
        const Wrench &first = input.constraints.first[e], &second = input.constraints.second[e];
        if (inside_[at(model_.equalities.first[e])] != 0) take({}, first.force, first.torque, 1);
        if (inside_[at(model_.equalities.second[e])] != 0) take({}, second.force, second.torque, 1);
    }
    if (plan_.spatial_tendons) add_tendon_loads(input, load);
}

/// A tendon pulls with the force along its length at the ends of every straight part of its path.
void SensorReader::add_tendon_loads(const SensorInput& input, Load& load) const
{
    const Workspace<double>& w = *workspace_;
    for (int t = 0; t < model_.tendon_count(); ++t)
    {
        if (model_.tendons.type[at(t)] != TendonType::spatial) continue;
        // spring, damper, actuators, constraints, armature
        double along = w.tendon_force[at(t)];
        for (std::size_t a = 0; a < model_.actuators.target.size(); ++a)
        {
            const bool pulls =
                model_.actuators.transmission[a] == TransmissionType::tendon && model_.actuators.target[a] == t;
            if (pulls) along += model_.actuators.gear[a][0] * w.actuator_force[a];
        }
        if (!input.constraints.tendon.empty()) along += input.constraints.tendon[at(t)];
        const SparsePattern& pattern = tree_.tendon;
        for (int k = pattern.begin[at(t)]; k < pattern.begin[at(t + 1)] && !input.acceleration.empty(); ++k)
            along -=
                model_.tendons.armature[at(t)] * w.tendon_jacobian[at(k)] * input.acceleration[at(pattern.dof[at(k)])];
        if (along == 0) continue;
        const auto pull = [&](int body, const Vec3& point, const Vec3& direction)
        {
            if (inside_[at(body)] == 0) return;
            load.force -= along * direction;
            load.torque -= along * cross(point, direction);
        };
        for (int k = tree_.segment_begin[at(t)]; k < tree_.segment_begin[at(t + 1)]; ++k)
        {
            const TreeSegment& segment = tree_.segments[at(k)];
            const Vec3 first = site_position(w, segment.first_site), second = site_position(w, segment.second_site);
            if (segment.shape >= 0)
            {
                const WrappedPath<double> path = find_path(w, segment);
                pull(segment.second_body, second, segment.scale * path.second_unit);
                pull(segment.first_body, first, -segment.scale * path.first_unit);
                pull(segment.shape_body, path.second_contact, -segment.scale * path.touches * path.second_unit);
                pull(segment.shape_body, path.first_contact, segment.scale * path.touches * path.first_unit);
                continue;
            }
            const double distance = norm(second - first);
            if (!(distance > 1e-12)) continue;
            const Vec3 direction = (segment.scale / distance) * (second - first);
            pull(segment.second_body, second, direction);
            pull(segment.first_body, first, -direction);
        }
    }
}

/// Force or torque that the parent exerts, in the sensor's axes and about its origin.
void SensorReader::read_load(const SensorInput& input, std::size_t s, std::span<double> out)
{
    mark_subtree(model_.sensors.body[s]);
    Load load = find_inertial_load(input, s);
    inside_[0] = 0;  // of the world: what its children ask of it, without what touches the world itself
    add_outer_loads(input, load);
    const Pose pose = place_end(model_, input.world, s, false);
    const bool torque = model_.sensors.type[s] == SensorType::torque;
    const Vec3 value = torque ? load.torque - cross(pose.position, load.force) : load.force;
    write(out, rotate(conjugate(pose.rotation), value));
}

/// Centre of mass, its velocity, or the angular momentum about it.
void SensorReader::read_subtree(const SensorInput& input, std::size_t s, std::span<double> out)
{
    constexpr double kTinyMass = 1e-15;
    const MassView& own = input.step.parameters.mass;
    const int root = model_.sensors.target[s];
    const Momentum momentum = find_momentum(input.world, own, root);
    double mass = 0;
    Vec3 moment;
    for (std::size_t b = 0; b < inside_.size(); ++b)
    {
        if (inside_[b] == 0) continue;
        mass += mass_of(model_, own, b);
        moment += mass_of(model_, own, b) * find_center(model_, input.world, static_cast<int>(b));
    }
    const bool weighs = mass > kTinyMass;
    const Vec3 center = weighs ? (1 / mass) * moment : find_center(model_, input.world, root);
    if (model_.sensors.type[s] == SensorType::subtree_center) return write(out, center);
    if (model_.sensors.type[s] == SensorType::subtree_velocity)
        return write(out, weighs ? (1 / mass) * momentum.linear : Vec3{});
    write(out, momentum.angular - cross(center, momentum.linear));
}

}  // namespace rattleback
