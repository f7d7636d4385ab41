// Tactile sensors: how deep points of a skin are in what touches it, and how fast they slide there.
#include "engine/sensors.h"
#include "model/sensor_rules.h"

#include <rattleback/options.h>

#include <algorithm>
#include <cmath>

namespace rattleback
{

namespace
{

/// The body that carries this one rigidly: the nearest above with a joint, or the world.
int find_carrier(const Bodies& bodies, int body)
{
    while (body > 0 && bodies.joint_begin[at(body)] == bodies.joint_begin[at(body) + 1]) body = bodies.parent[at(body)];
    return body;
}

/// How deep a point is in a shape, in the shape's frame; 0: outside. Distances to the surface, but for boxes, where the
/// way out turns from the radius to the normal of the face, and for ellipsoids, to first order: all as in MuJoCo.
double find_taxel_depth(ShapeType type, const Vec3& size, const Vec3& p)
{
    const auto depth_of = [](double distance) { return distance < 0 ? -distance : 0; };
    switch (type)
    {
        case ShapeType::plane:
            return depth_of(p.z);
        case ShapeType::sphere:
            return depth_of(norm(p) - size.x);
        case ShapeType::capsule:
            return depth_of(norm(Vec3{p.x, p.y, p.z - std::clamp(p.z, -size.y, size.y)}) - size.x);
        case ShapeType::cylinder:
            return depth_of(std::max(std::sqrt(p.x * p.x + p.y * p.y) - size.x, std::abs(p.z) - size.y));
        case ShapeType::box:
        {
            // With gaps g to the faces the direction is s / g: min(g^2 / s) |s / g| until the first face.
            const Vec3 gap{size.x - std::abs(p.x), size.y - std::abs(p.y), size.z - std::abs(p.z)};
            if (!(gap.x > 0 && gap.y > 0 && gap.z > 0)) return 0;
            const Vec3 way{size.x / gap.x, size.y / gap.y, size.z / gap.z};
            return std::min({gap.x / way.x, gap.y / way.y, gap.z / way.z}) * norm(way);
        }
        case ShapeType::ellipsoid:
        {
            const Vec3 scaled{p.x / size.x, p.y / size.y, p.z / size.z};
            const Vec3 slope{scaled.x / size.x, scaled.y / size.y, scaled.z / size.z};
            const double level = norm(scaled), steepness = norm(slope);
            if (!(steepness > 0)) return std::min({size.x, size.y, size.z});
            return depth_of(level * (level - 1) / steepness);
        }
        default:
            return 0;  // meshes and height fields are not felt
    }
}

}  // namespace

void SensorReader::read_tactile(const SensorInput& input, std::size_t s, std::span<double> out)
{
    const Sensors& sensors = model_.sensors;
    std::fill(out.begin(), out.end(), 0.0);
    // Whatever touches the body of the skin, or what moves rigidly with it.
    const int own = find_carrier(model_.bodies, sensors.body[s]);
    touching_.clear();
    for (const Contact& contact : input.contacts.items)
    {
        const auto add = [&](BodyId body, ShapeId other)
        {
            if (find_carrier(model_.bodies, body.index) != own || !other.valid()) return;
            if (std::find(touching_.begin(), touching_.end(), other.index) == touching_.end())
                touching_.push_back(other.index);
        };
        add(contact.first_body, contact.second_shape);
        add(contact.second_body, contact.first_shape);
    }
    const std::size_t count = at(sensors.count[s]);
    const Taxel* const taxels = sensors.taxels.data() + find_first_taxel(sensors, s);
    const Pose skin = place_end(model_, input.world, s, false);
    for (const int shape : touching_)
    {
        const std::size_t i = at(shape);
        const int body = model_.shapes.body[i];
        const Pose pose = input.world.body_pose[at(body)] * model_.shapes.pose[i];
        const Quat back = conjugate(pose.rotation);
        for (std::size_t k = 0; k < count; ++k)
        {
            const Vec3 point = skin.position + rotate(skin.rotation, taxels[k][0]);
            const Vec3 local = rotate(back, point - pose.position);
            const double depth = find_taxel_depth(model_.shapes.type[i], model_.shapes.size[i], local);
            if (!(depth > 0)) continue;
            out[k] = std::max(out[k], depth);
            const Vec3 slide = find_point_velocity(model_, input.world, sensors.body[s], point) -
                               find_point_velocity(model_, input.world, body, point);
            for (std::size_t t = 1; t < 3; ++t)
                out[t * count + k] += std::abs(dot(slide, rotate(skin.rotation, taxels[k][t])));
        }
    }
}

}  // namespace rattleback
