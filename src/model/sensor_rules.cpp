// The table of sensors: objects, references and sizes.
#include "model/sensor_rules.h"

#include "base/index.h"

#include <bit>

namespace rattleback
{

namespace
{

constexpr unsigned kNothing = bit_of(SensorObject::none);
constexpr unsigned kJoint = bit_of(SensorObject::joint);
constexpr unsigned kTendon = bit_of(SensorObject::tendon);
constexpr unsigned kActuator = bit_of(SensorObject::actuator);
constexpr unsigned kBody = bit_of(SensorObject::body);
constexpr unsigned kSubtree = bit_of(SensorObject::subtree);
constexpr unsigned kShape = bit_of(SensorObject::shape);
constexpr unsigned kSite = bit_of(SensorObject::site);
constexpr unsigned kCamera = bit_of(SensorObject::camera);
constexpr unsigned kView = bit_of(SensorObject::view);
constexpr unsigned kFrames = kBody | bit_of(SensorObject::inertial) | kShape | kSite | kCamera | kView;

constexpr std::array kRaySizes{1, 3, 3, 3, 3, 1};
constexpr std::array kContactSizes{1, 3, 3, 1, 3, 3, 3, 3, 3};

template <std::size_t N>
int sum_sizes(const std::array<int, N>& sizes, int fields)
{
    int sum = 0;
    for (std::size_t i = 0; i < N; ++i) sum += (fields >> i & 1) != 0 ? sizes[i] : 0;
    return sum;
}

}  // namespace

SensorRule find_sensor_rule(SensorType type)
{
    switch (type)
    {
        case SensorType::joint_position:
        case SensorType::joint_velocity:
        case SensorType::joint_actuator_force:
        case SensorType::ball_rotation:
        case SensorType::ball_velocity:
        case SensorType::joint_limit_position:
        case SensorType::joint_limit_velocity:
        case SensorType::joint_limit_force:
            return {kJoint, kNothing};
        case SensorType::tendon_position:
        case SensorType::tendon_velocity:
        case SensorType::tendon_actuator_force:
        case SensorType::tendon_limit_position:
        case SensorType::tendon_limit_velocity:
        case SensorType::tendon_limit_force:
            return {kTendon, kNothing};
        case SensorType::actuator_position:
        case SensorType::actuator_velocity:
        case SensorType::actuator_force:
            return {kActuator, kNothing};
        case SensorType::frame_position:
        case SensorType::frame_rotation:
        case SensorType::frame_x_axis:
        case SensorType::frame_y_axis:
        case SensorType::frame_z_axis:
        case SensorType::linear_velocity:
        case SensorType::angular_velocity:
            return {kFrames, kFrames | kNothing};
        case SensorType::linear_acceleration:
        case SensorType::angular_acceleration:
        case SensorType::gyro:
        case SensorType::accelerometer:
        case SensorType::velocimeter:
        case SensorType::force:
        case SensorType::torque:
        case SensorType::magnetometer:
        case SensorType::rangefinder:
            return {kFrames, kNothing};
        case SensorType::touch:
        case SensorType::contact_force:
            return {kBody | kSite, kNothing};
        case SensorType::camera_projection:
            return {kSite, kCamera | kView};
        case SensorType::subtree_center:
        case SensorType::subtree_velocity:
        case SensorType::subtree_angular_momentum:
            return {kSubtree | kBody, kNothing};
        case SensorType::inside_site:
            return {kFrames, kSite};
        case SensorType::tactile:
            return {kShape, kNothing};
        case SensorType::enclosure:
            return {kShape | kBody | kSubtree | kSite, kSite};
        case SensorType::distance:
        case SensorType::distance_normal:
        case SensorType::distance_segment:
            return {kShape | kBody, kShape | kBody};
        case SensorType::contact:
            return {kNothing | kShape | kBody | kSubtree | kSite, kNothing | kShape | kBody | kSubtree};
        case SensorType::potential_energy:
        case SensorType::kinetic_energy:
        case SensorType::clock:
        case SensorType::user:
            break;
    }
    return {kNothing, kNothing};
}

std::string list_objects(unsigned objects)
{
    std::string text;
    int left = std::popcount(objects & ~kNothing);
    for (unsigned i = 1; objects >> i != 0; ++i)
    {
        if ((objects >> i & 1) == 0) continue;
        // commas, and "or" before the last
        --left;
        text += text.empty() ? (i == static_cast<unsigned>(SensorObject::actuator) ? "an " : "a ")
                             : (left == 0 ? " or " : ", ");
        text += to_string(static_cast<SensorObject>(i));
    }
    return text;
}

bool may_watch(SensorType sensor, JointType joint)
{
    const bool scalar = joint == JointType::hinge || joint == JointType::slide;
    if (sensor == SensorType::ball_rotation || sensor == SensorType::ball_velocity) return joint == JointType::ball;
    if (sensor == SensorType::joint_limit_position || sensor == SensorType::joint_limit_velocity ||
        sensor == SensorType::joint_limit_force)
        return scalar || joint == JointType::ball;
    return scalar;
}

int find_first_taxel(const Sensors& sensors, std::size_t sensor)
{
    int first = 0;
    for (std::size_t i = 0; i < sensor; ++i) first += sensors.type[i] == SensorType::tactile ? sensors.count[i] : 0;
    return first;
}

int all_sensor_fields(SensorType type)
{
    if (type == SensorType::rangefinder) return (1 << kRaySizes.size()) - 1;
    if (type == SensorType::contact) return (1 << kContactSizes.size()) - 1;
    return 1;
}

std::int64_t find_sensor_size(SensorType type, SensorObject object, int fields, int count,
                              const std::array<int, 2>& resolution)
{
    if (type == SensorType::user) return count;
    if (type == SensorType::tactile) return std::int64_t{3} * count;
    if (type == SensorType::contact) return static_cast<std::int64_t>(count) * sum_sizes(kContactSizes, fields);
    if (type != SensorType::rangefinder) return sensor_size(type);
    // one ray, or one for each pixel
    const std::int64_t rays = is_camera(object) ? std::int64_t{resolution[0]} * resolution[1] : 1;
    return rays * sum_sizes(kRaySizes, fields);
}

int count_objects(const Model& model, SensorObject object)
{
    switch (object)
    {
        case SensorObject::none:
            return 0;
        case SensorObject::joint:
            return model.joint_count();
        case SensorObject::tendon:
            return model.tendon_count();
        case SensorObject::actuator:
            return model.actuator_count();
        case SensorObject::shape:
            return model.shape_count();
        case SensorObject::site:
            return model.site_count();
        case SensorObject::view:
            return static_cast<int>(model.appearance.cameras.size());
        case SensorObject::body:
        case SensorObject::inertial:
        case SensorObject::subtree:
        case SensorObject::camera:
            break;
    }
    return model.body_count();
}

std::pair<int, Pose> find_sensor_frame(const Model& model, SensorObject object, int target, const Pose& camera)
{
    switch (object)
    {
        case SensorObject::body:
        case SensorObject::subtree:
            return {target, Pose{}};
        case SensorObject::inertial:
            return {target, model.bodies.inertial_pose[at(target)]};
        case SensorObject::shape:
            return {model.shapes.body[at(target)], model.shapes.pose[at(target)]};
        case SensorObject::site:
            return {model.sites.body[at(target)], model.sites.pose[at(target)]};
        case SensorObject::camera:
            return {target, camera};
        case SensorObject::view:
        {
            const CameraOptions& view = model.appearance.cameras[at(target)];
            return {view.body.index, {view.position, view.rotation}};
        }
        case SensorObject::none:
        case SensorObject::joint:
        case SensorObject::tendon:
        case SensorObject::actuator:
            break;
    }
    return {-1, Pose{}};
}

}  // namespace rattleback
