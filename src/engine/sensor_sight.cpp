// Sensors that look: rays, images and distances between shapes.
#include "collide/ray_filter.h"
#include "collide/surface_distance.h"
#include "engine/sensors.h"
#include "model/camera_pose.h"
#include "model/sensor_rules.h"

#include <algorithm>
#include <cmath>

namespace rattleback
{

namespace
{

struct Ray
{
    Vec3 origin, direction;
    double along = 1;  ///< part of the direction along the axis of the camera
};

/// The fields that the sensor asks for, in their order.
void write_ray(const Model& model, const ConstWorldView& world, std::size_t s, const Ray& ray, std::span<double> out)
{
    // Shapes of the sensor's own body and those that nobody can see do not count.
    const std::optional<ShapeHit> hit =
        cast_ray(model, world, ray.origin, ray.direction, std::numeric_limits<double>::infinity(),
                 {.own_body = model.sensors.body[s], .as_seen = true});
    std::size_t next = 0;
    const auto has = [&](RayField field) { return (model.sensors.fields[s] & static_cast<int>(field)) != 0; };
    const auto add = [&](RayField field, const Vec3& x)
    {
        if (!has(field)) return;
        write(out.subspan(next), x);
        next += 3;
    };
    if (has(RayField::distance)) out[next++] = hit ? hit->distance : -1;
    add(RayField::direction, hit ? ray.direction : Vec3{});
    add(RayField::origin, ray.origin);
    add(RayField::point, hit ? hit->point : Vec3{});
    add(RayField::normal, hit ? hit->normal : Vec3{});
    if (has(RayField::depth)) out[next++] = hit ? hit->distance * ray.along : -1;
}

/// Through the middle of a pixel; cameras look along -z, x to the right and y up, rows from the top.
Ray make_pixel_ray(const Sensors& sensors, std::size_t s, const Pose& pose, int column, int row)
{
    const double x = (column + 0.5 - sensors.principal[s][0]) / sensors.focal[s][0];
    const double y = (sensors.principal[s][1] - row - 0.5) / sensors.focal[s][1];
    if (sensors.orthographic[s] != 0)
        return {pose.position + rotate(pose.rotation, Vec3{x, y, 0}), rotate(pose.rotation, Vec3{0, 0, -1}), 1};
    const Vec3 local = (1 / std::sqrt(x * x + y * y + 1)) * Vec3{x, y, -1};
    return {pose.position, rotate(pose.rotation, local), -local.z};
}

/// visit(shape) for a shape, or each shape of a body.
template <class Visit>
void each_shape(const Model& model, SensorObject object, int target, const Visit& visit)
{
    if (object == SensorObject::shape) return visit(ShapeId{target});
    for (int i = model.bodies.shape_begin[at(target)]; i < model.bodies.shape_begin[at(target + 1)]; ++i)
        visit(ShapeId{model.bodies.shapes_of_body[at(i)]});
}

}  // namespace

Pose place_view(const Model& model, const ConstWorldView& world, int camera)
{
    const Bodies& bodies = model.bodies;
    // Bodies stand behind their parents: a child of the subtree is found by going up.
    const auto find_subtree_center = [&](int root)
    {
        Vec3 moment;
        double mass = 0;
        for (int b = root; b < model.body_count(); ++b)
        {
            int above = b;
            while (above > root) above = bodies.parent[at(above)];
            if (above != root) continue;
            moment += bodies.mass[at(b)] * find_center(model, world, b);
            mass += bodies.mass[at(b)];
        }
        return mass > 0 ? (1 / mass) * moment : world.body_pose[at(root)].position;
    };
    return find_camera_pose(model.appearance.cameras[at(camera)], model.appearance.camera_reference[at(camera)],
                            world.body_pose, find_subtree_center);
}

void read_ranges(const Model& model, const ConstWorldView& world, std::size_t s, std::span<double> out)
{
    const Sensors& sensors = model.sensors;
    const Pose pose = place_end(model, world, s, false);
    if (!is_camera(sensors.object[s]))
        return write_ray(model, world, s, {pose.position, rotate(pose.rotation, Vec3{0, 0, 1})}, out);
    const auto [width, height] = sensors.resolution[s];
    const std::size_t slot = out.size() / (at(width) * at(height));
    for (int row = 0; row < height; ++row)
    {
        for (int column = 0; column < width; ++column)
            write_ray(model, world, s, make_pixel_ray(sensors, s, pose, column, row),
                      out.subspan(at(row * width + column) * slot, slot));
    }
}

void read_projection(const Model& model, const ConstWorldView& world, std::size_t s, std::span<double> out)
{
    const Sensors& sensors = model.sensors;
    const Pose camera = place_end(model, world, s, true);
    const Vec3 point = place_end(model, world, s, false).position;
    const Vec3 local = rotate(conjugate(camera.rotation), point - camera.position);
    // In the camera's plane there is no image: as far out as numbers go.
    constexpr double kTiny = 1e-15;
    const double depth = std::abs(local.z) < kTiny ? std::copysign(kTiny, local.z) : local.z;
    const double scale = sensors.orthographic[s] != 0 ? -1 : 1 / depth;
    out[0] = sensors.principal[s][0] - sensors.focal[s][0] * local.x * scale;
    out[1] = sensors.principal[s][1] + sensors.focal[s][1] * local.y * scale;
}

void read_distance(const Model& model, const ConstWorldView& world, std::size_t s, SurfaceScratch& scratch,
                   std::span<double> out)
{
    const Sensors& sensors = model.sensors;
    // The nearest of all pairs, if it is nearer than the cutoff.
    double nearest = sensors.cutoff[s];
    std::optional<ShapeGap> found;
    each_shape(model, sensors.object[s], sensors.target[s],
               [&](ShapeId first)
               {
                   each_shape(model, sensors.reference[s], sensors.reference_target[s],
                              [&](ShapeId second)
                              {
                                  const std::optional<ShapeGap> gap =
                                      find_distance_within(model, world, first, second, nearest, scratch);
                                  if (!gap || !(gap->distance < nearest)) return;
                                  nearest = gap->distance;
                                  found = gap;
                              });
               });
    std::fill(out.begin(), out.end(), 0.0);
    if (sensors.type[s] == SensorType::distance) out[0] = nearest;
    if (!found || sensors.type[s] == SensorType::distance) return;
    if (sensors.type[s] == SensorType::distance_normal)
        return write(out, found->distance < 0 ? -found->normal : found->normal);
    write(out, found->on_first);
    write(out.subspan(3), found->on_second);
}

}  // namespace rattleback
