// Which sensor reads what: joints, tendons and actuators, frames, subtrees, and who reads the others.
#include "engine/sensors.h"

#include "dynamics/forces.h"
#include "math/rotation.h"
#include "solvers/shared/adhesion.h"

#include <algorithm>

namespace rattleback
{

namespace
{

/// Does reading it take lengths or forces of tendons or actuators?
bool needs_dynamics(SensorType type)
{
    switch (type)
    {
        case SensorType::tendon_position:
        case SensorType::tendon_velocity:
        case SensorType::tendon_limit_position:
        case SensorType::tendon_limit_velocity:
        case SensorType::actuator_position:
        case SensorType::actuator_velocity:
        case SensorType::actuator_force:
        case SensorType::joint_actuator_force:
        case SensorType::tendon_actuator_force:
            return true;
        default:
            return false;
    }
}

/// Vectors that a sensor compares with those at the start of the step.
int count_starts(SensorType type)
{
    switch (type)
    {
        case SensorType::accelerometer:
        case SensorType::linear_acceleration:
        case SensorType::angular_acceleration:
        case SensorType::force:
            return 1;
        case SensorType::torque:
            return 2;
        default:
            return 0;
    }
}

/// The bound of a range that acts, as constraint rows see it: way to it less the margin, and its rate. The lower first.
struct ActiveLimit
{
    double position = 0, velocity = 0;
};
ActiveLimit find_active_limit(const Range& range, double margin, double x, double rate)
{
    if (!range.limited) return {};
    for (const double side : {-1.0, 1.0})
    {
        const double way = side * ((side < 0 ? range.lower : range.upper) - x);
        if (way < margin) return {way - margin, -side * rate};
    }
    return {};
}

/// Of a ball joint: its angle from rest stays below the greater end of the range.
ActiveLimit find_ball_limit(const Range& range, double margin, std::span<const double> q, std::span<const double> v)
{
    if (!range.limited) return {};
    const Vec3 turn = logarithm(normalized(Quat{q[0], q[1], q[2], q[3]}));
    const double angle = norm(turn), way = std::max(range.lower, range.upper) - angle;
    if (!(way < margin)) return {};
    const Vec3 axis = angle > 0 ? (1 / angle) * turn : Vec3{1, 0, 0};
    return {way - margin, -dot(axis, Vec3{v[0], v[1], v[2]})};
}

/// MuJoCo's: bodies that nothing moves count too, and gravity that is compensated.
double find_potential(const Model& model, const ConstWorldView& world, const ParameterView& parameters)
{
    double energy = compute_energy(model, world, parameters).potential;
    const Vec3 gravity = parameters.find_gravity(model);
    for (int b = 1; b < model.body_count(); ++b)
    {
        const double left_out = model.bodies.last_dof[at(b)] < 0 ? 1 : model.bodies.gravity_compensation[at(b)];
        const MassView& own = parameters.mass;
        const double mass = own.mass.empty() ? model.bodies.mass[at(b)] : own.mass[at(b)];
        if (left_out != 0) energy -= left_out * mass * dot(gravity, find_center(model, world, b));
    }
    return energy;
}

double read_list(const std::vector<double>& list, int index)
{
    return list.empty() ? 0 : list[at(index)];  // empty: the solver does not tell
}

}  // namespace

SensorPlan::SensorPlan(const Model& model)
{
    bool loads = false;
    for (const SensorType type : model.sensors.type)
    {
        dynamics = dynamics || needs_dynamics(type);
        start_count += count_starts(type);
        loads = loads || type == SensorType::force || type == SensorType::torque;
    }
    accelerations = start_count > 0;
    const auto& types = model.tendons.type;
    spatial_tendons = loads && std::find(types.begin(), types.end(), TendonType::spatial) != types.end();
    dynamics = dynamics || spatial_tendons;
}

SensorReader::SensorReader(const Tree& tree) : tree_(tree), model_(*tree.model), plan_(model_)
{
    if (model_.sensors.type.empty()) return;
    int starts = 0;
    for (const SensorType type : model_.sensors.type)
    {
        start_of_.push_back(starts);
        starts += count_starts(type);
    }
    if (plan_.dynamics) workspace_ = std::make_unique<Workspace<double>>(tree_);
    motions_.resize(tree_.kinematic_bodies.size());
    joint_motion_.resize(at(model_.body_count()));
    inside_.resize(at(model_.body_count()));
    matches_.reserve(static_cast<std::size_t>(4 * model_.shape_count()));
    touching_.reserve(static_cast<std::size_t>(model_.shape_count()));
}

/// Kinematics, tendons, actuators and forces at the present state, with kinematic bodies as they move at the begin of
/// the next step; of given joint accelerations, what they give each body.
void SensorReader::prepare_dynamics(const SensorInput& input)
{
    if (!workspace_) workspace_ = std::make_unique<Workspace<double>>(tree_);
    Workspace<double>& w = *workspace_;
    load_world(w, 0, input.world, input.step.control);
    load_parameters(w, 0, input.step.parameters);
    find_kinematic_motions(model_, tree_.kinematic_bodies, input.step, input.world, motions_);
    if (!motions_.empty()) place_kinematic_bodies<double>(w, 0, motions_, 0, input.step.dt);
    StageTimer timer(false);
    compute_position_stage(w, timer);
    compute_adhesion_moments(input.contacts, w);
    compute_velocity_stage(w, input.step.dt, timer);
    if (input.acceleration.empty()) return;
    // Outward: a_i = a_p + S_i q''_i, about the reference of each tree, so that no transforms are needed.
    for (const TreeBody& body : tree_.bodies)
    {
        Motion<double> motion = body.on_base ? Motion<double>{} : joint_motion_[at(body.parent)];
        for (int d = body.v_begin; d < body.v_end; ++d) motion = motion + input.acceleration[at(d)] * w.dof[at(d)];
        joint_motion_[at(body.body)] = motion;
    }
}

void SensorReader::read(const SensorInput& input, std::span<double> values)
{
    const Sensors& sensors = model_.sensors;
    if (sensors.type.empty()) return;
    if (plan_.dynamics || (plan_.accelerations && !input.acceleration.empty())) prepare_dynamics(input);
    for (std::size_t s = 0; s < sensors.type.size(); ++s)
    {
        // Each sensor writes its values at its place in one list.
        const std::span<double> out = values.subspan(at(sensors.begin[s]), at(sensors.size[s]));
        read_sensor(input, s, out);
        if (input.noise && sensors.noise[s] > 0) add_noise(sensors, s, *input.noise, out);
        apply_cutoff(sensors, s, out);
    }
}

void SensorReader::read_sensor(const SensorInput& input, std::size_t s, std::span<double> out)
{
    const SensorType type = model_.sensors.type[s];
    switch (model_.sensors.object[s])
    {
        case SensorObject::joint:
            if (type == SensorType::ball_rotation || type == SensorType::ball_velocity) break;
            out[0] = read_joint(input, s);
            return;
        case SensorObject::tendon:
        case SensorObject::actuator:
            out[0] = read_drive(input, s);
            return;
        default:
            break;
    }
    const int target = model_.sensors.target[s];
    switch (type)
    {
        case SensorType::ball_rotation:
        {
            const double* q = &input.world.q[at(model_.joints.q_begin[at(target)])];
            return write(out, normalized(Quat{q[0], q[1], q[2], q[3]}));
        }
        case SensorType::ball_velocity:
            std::copy_n(&input.world.v[at(model_.joints.v_begin[at(target)])], 3, out.begin());
            return;
        case SensorType::linear_acceleration:
            return write(out, find_acceleration(input, s, false));
        case SensorType::angular_acceleration:
            return write(out, find_acceleration(input, s, true));
        case SensorType::accelerometer:
        {
            // What a mass on a spring would feel, so gravity counts with the other sign.
            const MovingFrame frame = find_frame(model_, input.world, s, false);
            return write(out, rotate(conjugate(frame.pose.rotation), find_acceleration(input, s, false)));
        }
        case SensorType::force:
        case SensorType::torque:
            return read_load(input, s, out);
        case SensorType::touch:
            out[0] = read_touch(input, s);
            return;
        case SensorType::tactile:
            return read_tactile(input, s, out);
        case SensorType::enclosure:
            out[0] = read_enclosure(input, s);
            return;
        case SensorType::contact:
        case SensorType::contact_force:
            return read_contacts(input, s, out);
        case SensorType::subtree_center:
        case SensorType::subtree_velocity:
        case SensorType::subtree_angular_momentum:
            return read_subtree(input, s, out);
        case SensorType::rangefinder:
            return read_ranges(model_, input.world, s, out);
        case SensorType::camera_projection:
            return read_projection(model_, input.world, s, out);
        case SensorType::distance:
        case SensorType::distance_normal:
        case SensorType::distance_segment:
            return read_distance(model_, input.world, s, surface_, out);
        case SensorType::potential_energy:
            out[0] = find_potential(model_, input.world, input.step.parameters);
            return;
        case SensorType::kinetic_energy:
            out[0] = compute_energy(model_, input.world, input.step.parameters).kinetic;
            return;
        case SensorType::clock:
            out[0] = input.step.time;
            return;
        case SensorType::user:
            std::fill(out.begin(), out.end(), 0.0);
            return;
        default:
            return read_frame(input, s, out);
    }
}

/// Hinges and slides, and limits of all joints.
double SensorReader::read_joint(const SensorInput& input, std::size_t s) const
{
    const int joint = model_.sensors.target[s];
    const std::size_t j = at(joint);
    const std::span<const double> q = input.world.q.subspan(at(model_.joints.q_begin[j]));
    const std::span<const double> v = input.world.v.subspan(at(model_.joints.v_begin[j]));
    const auto limit = [&]
    {
        const Range& range = model_.joints.range[j];
        const double margin = model_.joints.margin[j];
        return model_.joints.type[j] == JointType::ball ? find_ball_limit(range, margin, q, v)
                                                        : find_active_limit(range, margin, q[0], v[0]);
    };
    switch (model_.sensors.type[s])
    {
        case SensorType::joint_position:
            return q[0];
        case SensorType::joint_velocity:
            return v[0];
        case SensorType::joint_actuator_force:
            return workspace_->actuation[at(model_.joints.v_begin[j])];
        case SensorType::joint_limit_position:
            return limit().position;
        case SensorType::joint_limit_velocity:
            return limit().velocity;
        default:
            return read_list(input.constraints.joint_limit, joint);
    }
}

/// Tendons and actuators.
double SensorReader::read_drive(const SensorInput& input, std::size_t s) const
{
    const Workspace<double>* w = workspace_.get();
    const int target = model_.sensors.target[s];
    const std::size_t t = at(target);
    const auto limit = [&]
    {
        return find_active_limit(model_.tendons.range[t], model_.tendons.margin[t], w->tendon_length[t],
                                 w->tendon_velocity[t]);
    };
    switch (model_.sensors.type[s])
    {
        case SensorType::tendon_position:
            return w->tendon_length[t];
        case SensorType::tendon_velocity:
            return w->tendon_velocity[t];
        case SensorType::tendon_limit_position:
            return limit().position;
        case SensorType::tendon_limit_velocity:
            return limit().velocity;
        case SensorType::tendon_limit_force:
            return read_list(input.constraints.tendon_limit, target);
        case SensorType::actuator_position:
            return w->actuator_length[t];
        case SensorType::actuator_velocity:
            return w->actuator_velocity[t];
        case SensorType::actuator_force:
            return w->actuator_force[t];
        default:
            break;
    }
    // All actuators that pull this tendon, before their gears.
    double sum = 0;
    for (std::size_t a = 0; a < model_.actuators.target.size(); ++a)
    {
        const bool pulls =
            model_.actuators.transmission[a] == TransmissionType::tendon && model_.actuators.target[a] == target;
        sum += pulls ? w->actuator_force[a] : 0;
    }
    return sum;
}

/// Poses and velocities of frames, in the world or in the frame of reference.
void SensorReader::read_frame(const SensorInput& input, std::size_t s, std::span<double> out) const
{
    const Sensors& sensors = model_.sensors;
    const MovingFrame frame = find_frame(model_, input.world, s, false);
    const Quat local = conjugate(frame.pose.rotation);
    MovingFrame reference;
    const bool relative = sensors.reference_body[s] >= 0;
    if (relative) reference = find_frame(model_, input.world, s, true);
    const Quat to_reference = conjugate(reference.pose.rotation);
    const auto turn = [&](const Vec3& x) { return relative ? rotate(to_reference, x) : x; };
    const Vec3 between = frame.pose.position - reference.pose.position;
    switch (sensors.type[s])
    {
        case SensorType::frame_position:
            return write(out, turn(between));
        case SensorType::frame_rotation:
        {
            const Quat turned = find_end_rotation(model_, input.world, s, false);
            return write(out, relative ? conjugate(find_end_rotation(model_, input.world, s, true)) * turned : turned);
        }
        case SensorType::frame_x_axis:
            return write(out, turn(rotate(frame.pose.rotation, Vec3{1, 0, 0})));
        case SensorType::frame_y_axis:
            return write(out, turn(rotate(frame.pose.rotation, Vec3{0, 1, 0})));
        case SensorType::frame_z_axis:
            return write(out, turn(rotate(frame.pose.rotation, Vec3{0, 0, 1})));
        case SensorType::linear_velocity:
            // seen from a frame that turns: less the velocity of its own point there
            if (!relative) return write(out, frame.velocity.linear);
            return write(out, turn(frame.velocity.linear - reference.velocity.linear -
                                   cross(reference.velocity.angular, between)));
        case SensorType::angular_velocity:
            if (!relative) return write(out, frame.velocity.angular);
            return write(out, turn(frame.velocity.angular - reference.velocity.angular));
        case SensorType::gyro:
            return write(out, rotate(local, frame.velocity.angular));
        case SensorType::velocimeter:
            return write(out, rotate(local, frame.velocity.linear));
        case SensorType::magnetometer:
            return write(out, rotate(local, model_.settings.magnetic_field));
        case SensorType::inside_site:
            out[0] =
                is_inside(place_site(model_, input.world, sensors.reference_target[s]), frame.pose.position) ? 1 : 0;
            return;
        default:
            return;
    }
}

}  // namespace rattleback
