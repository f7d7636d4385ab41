// How far shapes jut out of the volume of a site.
#include "engine/sensors.h"
#include "geometry/distance.h"
#include "geometry/support.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace rattleback
{

namespace
{

/// Signed distance of a point to the surface of a site, and the direction in which it grows.
struct Depth
{
    double distance = 0;
    Vec3 outward;
};

Depth find_depth(const PlacedShape& site, const Vec3& point)
{
    const ShapeDistance gap = find_distance({.type = ShapeType::sphere, .position = point}, site);
    return {gap.distance, -gap.normal};
}

/// The signed distance d of a convex set is convex, so d(y) >= d(x) + grad d(x) (y - x): going to the point of the
/// shape that lies farthest along the gradient never makes it smaller. From all directions, so that the largest of the
/// local maxima is found.
double climb(const PlacedShape& shape, const PlacedShape& site)
{
    constexpr int kMostSteps = 1000;
    constexpr double kEnough = 1e-15;  // of the distance
    const auto support = [&](const Vec3& direction)
    {
        const Vec3 local = transpose_times(shape.rotation, direction);
        return shape.position + shape.rotation * find_support(shape.type, shape.size, nullptr, local);
    };
    double largest = -std::numeric_limits<double>::infinity();
    for (int i = 0; i < 27; ++i)
    {
        const Vec3 start{i % 3 - 1.0, i / 3 % 3 - 1.0, i / 9 - 1.0};
        if (start == Vec3{}) continue;
        Depth depth = find_depth(site, support(shape.rotation * start));
        for (int step = 0; step < kMostSteps; ++step)
        {
            const Depth next = find_depth(site, support(depth.outward));
            const bool higher = next.distance > depth.distance + kEnough * std::abs(depth.distance);
            if (next.distance > depth.distance) depth = next;
            if (!higher) break;
        }
        largest = std::max(largest, depth.distance);
    }
    return largest;
}

/// max over the points of the shape of their signed distance. Convex: at a corner, or a radius beyond a core's.
double find_protrusion(const PlacedShape& shape, std::span<const Vec3> vertices, const PlacedShape& site)
{
    double largest = -std::numeric_limits<double>::infinity();
    const auto try_point = [&](const Vec3& local)
    { largest = std::max(largest, find_depth(site, shape.position + shape.rotation * local).distance); };
    switch (shape.type)
    {
        case ShapeType::sphere:
            try_point({});
            return largest + shape.size.x;
        case ShapeType::capsule:
            try_point({0, 0, shape.size.y});
            try_point({0, 0, -shape.size.y});
            return largest + shape.size.x;
        case ShapeType::box:
            for (int i = 0; i < 8; ++i)
                try_point({(i & 1 ? 1 : -1) * shape.size.x, (i & 2 ? 1 : -1) * shape.size.y,
                           (i & 4 ? 1 : -1) * shape.size.z});
            return largest;
        case ShapeType::cylinder:
        case ShapeType::ellipsoid:
            return climb(shape, site);
        default:
            for (const Vec3& vertex : vertices) try_point(vertex);
            return largest;
    }
}

}  // namespace

double SensorReader::read_enclosure(const SensorInput& input, std::size_t s)
{
    const Sensors& sensors = model_.sensors;
    const PlacedShape site = place_site(model_, input.world, sensors.reference_target[s]);
    const int target = sensors.target[s];
    double largest = -std::numeric_limits<double>::infinity();
    const auto try_shape = [&](int shape)
    {
        const std::size_t i = at(shape);
        const Pose pose = input.world.body_pose[at(model_.shapes.body[i])] * model_.shapes.pose[i];
        std::span<const Vec3> vertices;
        const bool endless =
            model_.shapes.type[i] == ShapeType::plane || model_.shapes.type[i] == ShapeType::height_field;
        if (endless) return;
        if (model_.shapes.asset[i] >= 0) vertices = model_.meshes[at(model_.shapes.asset[i])].vertices;
        largest = std::max(largest, find_protrusion({.type = model_.shapes.type[i],
                                                     .position = pose.position,
                                                     .rotation = to_matrix(pose.rotation),
                                                     .size = model_.shapes.size[i]},
                                                    vertices, site));
    };
    const auto try_body = [&](int body)
    {
        for (int k = model_.bodies.shape_begin[at(body)]; k < model_.bodies.shape_begin[at(body) + 1]; ++k)
            try_shape(model_.bodies.shapes_of_body[at(k)]);
    };
    switch (sensors.object[s])
    {
        case SensorObject::site:
            return find_protrusion(place_site(model_, input.world, target), {}, site);
        case SensorObject::shape:
            try_shape(target);
            break;
        case SensorObject::body:
            try_body(target);
            break;
        default:
            mark_subtree(target);
            for (std::size_t b = 0; b < inside_.size(); ++b)
            {
                if (inside_[b] != 0) try_body(static_cast<int>(b));
            }
    }
    return std::isfinite(largest) ? largest : 0;  // nothing that has an end
}

}  // namespace rattleback
