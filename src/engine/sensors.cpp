// Sensors: joints, frames, accelerations and contact forces.
#include "engine/sensors.h"

#include "base/index.h"

#include <algorithm>

namespace rattleback
{

namespace
{

/// The frame of a sensor in the world, and how it moves.
struct MovingFrame
{
    Pose pose;
    Velocity velocity;  ///< of the frame's origin, world axes
};

MovingFrame find_frame(const Model& model, const ConstWorldView& world, std::size_t sensor)
{
    // v(point) = v(centre of mass) + omega x (point - centre): State has the velocity of the centre of mass.
    const std::size_t body = at(model.sensors.body[sensor]);
    const Pose& body_pose = world.body_pose[body];
    const Velocity& velocity = world.body_velocity[body];
    const Pose pose = body_pose * model.sensors.pose[sensor];
    const Vec3 center = body_pose.position + rotate(body_pose.rotation, model.bodies.inertial_pose[body].position);
    return {pose, {velocity.linear + cross(velocity.angular, pose.position - center), velocity.angular}};
}

double sum_normal_forces(BodyId body, const SensorInput& input)
{
    double sum = 0;
    // How hard the body is pressed, from all sides together.
    const std::size_t count = std::min(input.contacts.items.size(), input.forces.items.size());
    for (std::size_t i = 0; i < count; ++i)
    {
        const Contact& contact = input.contacts.items[i];
        if (contact.first_body != body && contact.second_body != body) continue;
        sum += dot(input.forces.items[i].force, contact.normal());
    }
    return sum;
}

Vec3 sum_forces(BodyId body, const SensorInput& input)
{
    Vec3 sum;
    // Forces of contacts act on the second body, and with the other sign on the first.
    const std::size_t count = std::min(input.contacts.items.size(), input.forces.items.size());
    for (std::size_t i = 0; i < count; ++i)
    {
        const Contact& contact = input.contacts.items[i];
        if (contact.second_body == body) sum += input.forces.items[i].force;
        if (contact.first_body == body) sum -= input.forces.items[i].force;
    }
    return sum;
}

void write(std::span<double> values, const Vec3& x)
{
    values[0] = x.x;
    values[1] = x.y;
    values[2] = x.z;
}

void write(std::span<double> values, const Quat& x)
{
    values[0] = x.w;
    values[1] = x.x;
    values[2] = x.y;
    values[3] = x.z;
}

}  // namespace

int accelerometer_count(const Model& model)
{
    return static_cast<int>(
        std::count(model.sensors.type.begin(), model.sensors.type.end(), SensorType::accelerometer));
}

void read_accelerometer_velocities(const Model& model, const ConstWorldView& world, std::span<Vec3> velocities)
{
    std::size_t next = 0;
    for (std::size_t s = 0; s < model.sensors.type.size(); ++s)
    {
        if (model.sensors.type[s] != SensorType::accelerometer) continue;
        velocities[next++] = find_frame(model, world, s).velocity.linear;
    }
}

void evaluate_sensors(const Model& model, const ConstWorldView& world, const SensorInput& input,
                      std::span<double> values)
{
    const Sensors& sensors = model.sensors;
    std::size_t accelerometer = 0;
    for (std::size_t s = 0; s < sensors.type.size(); ++s)
    {
        // Each sensor writes its values at its place in one list.
        const std::span<double> out = values.subspan(at(sensors.begin[s]));
        switch (sensors.type[s])
        {
            case SensorType::joint_position:
                out[0] = world.q[at(model.joints.q_begin[at(sensors.joint[s])])];
                break;
            case SensorType::joint_velocity:
                out[0] = world.v[at(model.joints.v_begin[at(sensors.joint[s])])];
                break;
            case SensorType::frame_position:
                write(out, find_frame(model, world, s).pose.position);
                break;
            case SensorType::frame_rotation:
                write(out, find_frame(model, world, s).pose.rotation);
                break;
            case SensorType::linear_velocity:
                write(out, find_frame(model, world, s).velocity.linear);
                break;
            case SensorType::angular_velocity:
                write(out, find_frame(model, world, s).velocity.angular);
                break;
            case SensorType::gyro:
            {
                const MovingFrame frame = find_frame(model, world, s);
                write(out, rotate(conjugate(frame.pose.rotation), frame.velocity.angular));
                break;
            }
            case SensorType::accelerometer:
            {
                const MovingFrame frame = find_frame(model, world, s);
                // Proper acceleration in the frame's own axes: what a mass on a spring would feel, so gravity counts
                // with the other sign.
                const Vec3 change = frame.velocity.linear - input.velocities_before[accelerometer];
                const Vec3 mean = (1 / input.dt) * change - input.gravity;
                const Vec3& acceleration = input.accelerations.empty() ? mean : input.accelerations[accelerometer];
                write(out, rotate(conjugate(frame.pose.rotation), acceleration));
                ++accelerometer;
                break;
            }
            case SensorType::touch:
                out[0] = sum_normal_forces(BodyId{sensors.body[s]}, input);
                break;
            case SensorType::contact_force:
                write(out, sum_forces(BodyId{sensors.body[s]}, input));
                break;
        }
    }
}

}  // namespace rattleback
