// Checks and compiles sensors, and makes of a Model's sensor what a builder would have been told.
#include "build/sensors.h"
#include "build/body_mass.h"
#include "build/check.h"
#include "build/compile.h"
#include "model/fields/check_value.h"
#include "model/fields/control_fields.h"
#include "model/sensor_rules.h"

#include <algorithm>

namespace rattleback
{

namespace
{

/// A target as a kind and an index.
struct SensorEnd
{
    SensorObject object = SensorObject::none;
    int index = -1;
    Pose camera;
};

struct EndFinder
{
    SensorEnd operator()(std::monostate) const { return {}; }
    SensorEnd operator()(JointId id) const { return {SensorObject::joint, id.index, {}}; }
    SensorEnd operator()(BodyId id) const { return {SensorObject::body, id.index, {}}; }
    SensorEnd operator()(SiteId id) const { return {SensorObject::site, id.index, {}}; }
    SensorEnd operator()(TendonId id) const { return {SensorObject::tendon, id.index, {}}; }
    SensorEnd operator()(ActuatorId id) const { return {SensorObject::actuator, id.index, {}}; }
    SensorEnd operator()(ShapeId id) const { return {SensorObject::shape, id.index, {}}; }
    SensorEnd operator()(InertialFrame x) const { return {SensorObject::inertial, x.body.index, {}}; }
    SensorEnd operator()(Subtree x) const { return {SensorObject::subtree, x.body.index, {}}; }
    SensorEnd operator()(CameraId id) const { return {SensorObject::view, id.index, {}}; }
    SensorEnd operator()(const CameraFrame& x) const { return {SensorObject::camera, x.body.index, x.pose}; }
};

constexpr std::int64_t kMostModelValues = std::int64_t{1} << 27;

std::int64_t find_sensor_size(SensorType type, SensorObject object, const SensorOptions& o)
{
    return find_sensor_size(type, object, o.fields, o.count, o.resolution);
}

SensorEnd find_end(const SensorTarget& target) { return std::visit(EndFinder{}, target); }

SensorTarget make_target(SensorObject object, int index, const Pose& pose)
{
    switch (object)
    {
        case SensorObject::none:
            break;
        case SensorObject::joint:
            return JointId{index};
        case SensorObject::tendon:
            return TendonId{index};
        case SensorObject::actuator:
            return ActuatorId{index};
        case SensorObject::body:
            return BodyId{index};
        case SensorObject::inertial:
            return InertialFrame{BodyId{index}};
        case SensorObject::subtree:
            return Subtree{BodyId{index}};
        case SensorObject::shape:
            return ShapeId{index};
        case SensorObject::site:
            return SiteId{index};
        case SensorObject::camera:
            return CameraFrame{BodyId{index}, pose};
        case SensorObject::view:
            return CameraId{index};
    }
    return std::monostate{};
}

std::size_t count_authored(const Authored& authored, SensorObject object)
{
    switch (object)
    {
        case SensorObject::joint:
            return authored.joints.size();
        case SensorObject::tendon:
            return authored.tendons.size();
        case SensorObject::actuator:
            return authored.actuators.size();
        case SensorObject::shape:
            return authored.shapes.size();
        case SensorObject::site:
            return authored.sites.size();
        case SensorObject::view:
            return authored.cameras.size();
        case SensorObject::none:
        case SensorObject::body:
        case SensorObject::inertial:
        case SensorObject::subtree:
        case SensorObject::camera:
            break;
    }
    return authored.bodies.size();
}

const char* word_of(SensorObject object)
{
    const bool on_body =
        object == SensorObject::inertial || object == SensorObject::subtree || object == SensorObject::camera;
    return on_body ? "body" : object == SensorObject::view ? "camera" : to_string(object);
}

/// One end of a sensor: allowed, there, and of a camera with a frame that is one.
bool check_end(const Authored& authored, SensorType type, const SensorEnd& end, unsigned allowed, bool reference,
               Checker& checker)
{
    if ((allowed & bit_of(end.object)) == 0)
    {
        const std::string kind = std::string("a ") + to_string(type) + " sensor ";
        const bool none = allowed == bit_of(SensorObject::none);
        if (reference)
            return checker.fail(kind +
                                (none ? "has no reference" : "needs " + list_objects(allowed) + " as reference"));
        return checker.fail(kind + (none ? "watches no object" : "needs " + list_objects(allowed)));
    }
    if (end.object == SensorObject::none) return true;
    if (!checker.id(end.index, count_authored(authored, end.object), word_of(end.object))) return false;
    if (end.object != SensorObject::camera) return true;
    const bool placed = checker.finite(end.camera.position, "position of the camera");
    return checker.rotation(end.camera.rotation, "rotation of the camera") && placed;
}

void check_joint(SensorType type, JointType joint, Checker& checker)
{
    if (may_watch(type, joint)) return;
    const bool ball = type == SensorType::ball_rotation || type == SensorType::ball_velocity;
    checker.fail(ball ? "ball sensors need a ball joint" : "joint sensors need a hinge or a slide",
                 ball ? "" : "other joints: watch the body's frame");
}

/// Slots, fields and pixels: how many numbers.
void check_size(SensorType type, SensorObject object, const SensorOptions& o, Checker& checker)
{
    checker.require(o.fields > 0 && (o.fields & ~all_sensor_fields(type)) == 0,
                    "fields that this sensor does not have");
    checker.require(o.count > 0 && o.count <= kMostSensorSlots, "count must be positive, and at most 524288");
    checker.require(o.taxels.size() == (type == SensorType::tactile ? static_cast<std::size_t>(o.count) : 0),
                    "taxels are for tactile sensors, and as many as `count` says");
    for (const Taxel& taxel : o.taxels)
    {
        const bool good = checker.finite(taxel[0], "taxels") && checker.finite(taxel[1], "taxels") &&
                          checker.finite(taxel[2], "taxels");
        if (!good) break;
    }
    const bool sees = is_camera(object) && type == SensorType::rangefinder;
    const bool has_camera = sees || type == SensorType::camera_projection;
    checker.require(!has_camera || (o.resolution[0] > 0 && o.resolution[1] > 0), "a camera needs pixels",
                    "resolution: width and height");
    checker.require(!has_camera || (o.focal[0] > 0 && o.focal[1] > 0), "a camera needs a focal length");
    checker.require(o.count > kMostSensorSlots || find_sensor_size(type, object, o) <= kMostSensorValues,
                    "more than 1048576 numbers");
    const int velocities =
        static_cast<int>(ContactField::linear_velocity) | static_cast<int>(ContactField::angular_velocity);
    checker.require(type != SensorType::contact || o.reduce != SensorReduce::net || (o.fields & velocities) == 0,
                    "the net contact has no velocity");
}

/// Delay and interval read from samples.
void check_samples(SensorType type, SensorObject object, const SensorOptions& o, Checker& checker)
{
    checker.require(o.samples * (1 + find_sensor_size(type, object, o)) <= kMostSampleNumbers,
                    "its samples have more than 16777216 numbers");
    checker.require(o.samples >= 0 && o.samples <= kMostSensorSlots,
                    "samples must not be negative, and at most 524288");
    checker.require(o.samples > 0 || (o.delay == 0 && o.interval[0] == 0), "delay and interval need samples");
    checker.require(o.interval[0] >= 0, "interval must not be negative");
    checker.require(o.interval[1] <= 0 && (o.interval[1] == 0 || o.interval[1] > -o.interval[0]),
                    "the phase of an interval is between minus its period and 0");
}

}  // namespace

void check_sensors(const Authored& authored, const Names& names, Checker& checker)
{
    std::int64_t total = 0, samples = 0;
    for (std::size_t i = 0; i < authored.sensors.size(); ++i)
    {
        const AuthoredSensor& sensor = authored.sensors[i];
        checker.enter("sensor", names.sensors[i]);
        const SensorRule rule = find_sensor_rule(sensor.type);
        const SensorEnd object = find_end(sensor.target), reference = find_end(sensor.options.reference);
        const bool there = check_end(authored, sensor.type, object, rule.objects, false, checker);
        check_end(authored, sensor.type, reference, rule.references, true, checker);
        if (there && object.object == SensorObject::joint)
            check_joint(sensor.type, authored.joints[at(object.index)].options.type, checker);
        check_options<SensorRows>(sensor.options, checker);
        check_size(sensor.type, object.object, sensor.options, checker);
        check_samples(sensor.type, object.object, sensor.options, checker);
        const std::int64_t size =
            std::min<std::int64_t>(kMostSensorValues, find_sensor_size(sensor.type, object.object, sensor.options));
        total += size;
        samples += std::clamp(sensor.options.samples, 0, kMostSensorSlots) * (1 + size);
        checker.require(samples <= kMostSampleNumbers,
                        "the samples of the model's sensors have more than 16777216 numbers together");
        checker.require(total <= kMostModelValues,
                        "the sensors of the model have more than 134217728 numbers together");
    }
}

void compile_sensors(const Authored& authored, const Names& names, Model& model)
{
    Sensors& s = model.sensors;
    s.name = names.sensors;
    for (const AuthoredSensor& sensor : authored.sensors)
    {
        const SensorOptions& options = sensor.options;
        const SensorEnd object = find_end(sensor.target), reference = find_end(options.reference);
        s.type.push_back(sensor.type);
        s.object.push_back(object.object);
        s.target.push_back(object.index);
        s.reference.push_back(reference.object);
        s.reference_target.push_back(reference.index);
        // The frames in their bodies, so that evaluation need not look them up.
        const auto camera = [](const Pose& pose) { return make_pose(pose.position, pose.rotation); };
        const auto [body, pose] = find_sensor_frame(model, object.object, object.index, camera(object.camera));
        s.body.push_back(body);
        s.pose.push_back(pose);
        const auto [second, second_pose] =
            find_sensor_frame(model, reference.object, reference.index, camera(reference.camera));
        s.reference_body.push_back(second);
        s.reference_pose.push_back(second_pose);
        append_fields<SensorRows>(options, s);
        s.taxels.insert(s.taxels.end(), options.taxels.begin(), options.taxels.end());
        const std::int64_t size = find_sensor_size(sensor.type, object.object, options);
        s.begin.push_back(model.sensor_value_count);
        s.size.push_back(static_cast<int>(size));
        model.sensor_value_count += static_cast<int>(size);
    }
}

AuthoredSensor author_sensor(const Model& model, std::size_t i)
{
    const Sensors& s = model.sensors;
    AuthoredSensor sensor{.type = s.type[i], .target = make_target(s.object[i], s.target[i], s.pose[i])};
    copy_fields<SensorRows>(s, i, sensor.options);
    sensor.options.name = s.name[i];
    if (s.type[i] == SensorType::tactile)
    {
        const auto first = s.taxels.begin() + find_first_taxel(s, i);
        sensor.options.taxels.assign(first, first + s.count[i]);
    }
    sensor.options.reference = make_target(s.reference[i], s.reference_target[i], s.reference_pose[i]);
    return sensor;
}

}  // namespace rattleback
