// Frames that sensors look at: where they are, how they move, and the volumes of sites.
#pragma once

#include "base/index.h"
#include "geometry/placed_shape.h"

#include <rattleback/solver.h>

namespace rattleback
{

/// A frame in the world, and how it moves.
struct MovingFrame
{
    Pose pose;
    Velocity velocity;  ///< of the frame's origin, world axes
};

inline Vec3 find_center(const Model& model, const ConstWorldView& world, int body)
{
    const Pose& pose = world.body_pose[at(body)];
    return pose.position + rotate(pose.rotation, model.bodies.inertial_pose[at(body)].position);
}

/// v(point) = v(centre of mass) + omega x (point - centre): State has the velocity of the centre of mass.
inline Vec3 find_point_velocity(const Model& model, const ConstWorldView& world, int body, const Vec3& point)
{
    const Velocity& velocity = world.body_velocity[at(body)];
    return velocity.linear + cross(velocity.angular, point - find_center(model, world, body));
}

/// Where the camera of a Model is, by its mode.
Pose place_view(const Model& model, const ConstWorldView& world, int camera);

/// The frame that a sensor watches, or the one that it measures from.
inline Pose place_end(const Model& model, const ConstWorldView& world, std::size_t s, bool reference)
{
    const Sensors& sensors = model.sensors;
    if ((reference ? sensors.reference : sensors.object)[s] == SensorObject::view)
        return place_view(model, world, (reference ? sensors.reference_target : sensors.target)[s]);
    const int body = (reference ? sensors.reference_body : sensors.body)[s];
    return world.body_pose[at(body)] * (reference ? sensors.reference_pose : sensors.pose)[s];
}

/// What the sensor of a rotation takes for that of the frame: a camera that follows something counts as fixed to its
/// body, as in MuJoCo.
inline Quat find_end_rotation(const Model& model, const ConstWorldView& world, std::size_t s, bool reference)
{
    const Sensors& sensors = model.sensors;
    if ((reference ? sensors.reference : sensors.object)[s] != SensorObject::view)
        return place_end(model, world, s, reference).rotation;
    const int view = (reference ? sensors.reference_target : sensors.target)[s];
    const CameraOptions& camera = model.appearance.cameras[at(view)];
    return world.body_pose[at(camera.body)].rotation * camera.rotation;
}

/// The same with its velocity: that of its body, at the frame's origin.
inline MovingFrame find_frame(const Model& model, const ConstWorldView& world, std::size_t s, bool reference)
{
    const int body = (reference ? model.sensors.reference_body : model.sensors.body)[s];
    const Pose pose = place_end(model, world, s, reference);
    return {pose, {find_point_velocity(model, world, body, pose.position), world.body_velocity[at(body)].angular}};
}

/// The volume of a site, in the world.
inline PlacedShape place_site(const Model& model, const ConstWorldView& world, int site)
{
    const Pose pose = world.body_pose[at(model.sites.body[at(site)])] * model.sites.pose[at(site)];
    return {.type = model.sites.type[at(site)],
            .position = pose.position,
            .rotation = to_matrix(pose.rotation),
            .size = model.sites.size[at(site)]};
}

/// Is the point in a sphere, capsule, cylinder, box or ellipsoid?
inline bool is_inside(const PlacedShape& shape, const Vec3& point)
{
    const Vec3 p = transpose_times(shape.rotation, point - shape.position), &size = shape.size;
    const auto within = [](double x, double bound) { return x >= -bound && x <= bound; };
    switch (shape.type)
    {
        case ShapeType::sphere:
            return dot(p, p) <= size.x * size.x;
        case ShapeType::capsule:
        {
            // nearest point of the axis
            const double along = p.z < -size.y ? -size.y : (p.z > size.y ? size.y : p.z);
            return p.x * p.x + p.y * p.y + (p.z - along) * (p.z - along) <= size.x * size.x;
        }
        case ShapeType::cylinder:
            return within(p.z, size.y) && p.x * p.x + p.y * p.y <= size.x * size.x;
        case ShapeType::box:
            return within(p.x, size.x) && within(p.y, size.y) && within(p.z, size.z);
        case ShapeType::ellipsoid:
        {
            const Vec3 scaled{p.x / size.x, p.y / size.y, p.z / size.z};
            return dot(scaled, scaled) <= 1;
        }
        default:
            return false;
    }
}

inline void write(std::span<double> values, const Vec3& x)
{
    values[0] = x.x;
    values[1] = x.y;
    values[2] = x.z;
}

inline void write(std::span<double> values, const Quat& x)
{
    values[0] = x.w;
    values[1] = x.x;
    values[2] = x.y;
    values[3] = x.z;
}

}  // namespace rattleback
