// From site to site, straight or around a shape; arcs as chords.
#include "record/tendon_paths.h"

#include "base/index.h"
#include "dynamics/wrap.h"

#include <cmath>

namespace rattleback
{

namespace
{

constexpr double kLongestChord = 10 * kDegree;  // its middle is 0.4 % of the radius inside the shape

Vec3 place_of_site(const Model& model, const ConstWorldView& world, int site)
{
    const Pose& pose = world.body_pose[at(model.sites.body[at(site)])];
    return pose.position + rotate(pose.rotation, model.sites.pose[at(site)].position);
}

/// The part of a path that lies on the shape, ends included, in the shape's frame; z rises evenly on a cylinder.
std::vector<Vec3> find_arc(const WrappedPath<double>& path, bool cylinder, double radius)
{
    const Vec3 &begin = path.first_contact, &end = path.second_contact;
    const auto flat = [&](const Vec3& v) { return cylinder ? Vec3{v.x, v.y, 0} : v; };
    if (!(norm(flat(end - begin)) > 1e-9 * radius)) return {begin};  // reflected, or a touch
    const Vec3 first = 1 / radius * flat(begin);
    // The path arrives along the tangent; where it has no length before the shape it leaves along the chord.
    Vec3 tangent = flat(norm(path.first_unit) > 0 ? path.first_unit : end - begin);
    tangent -= dot(tangent, first) * first;
    const double length = norm(tangent);
    if (!(length > 1e-12)) return {begin, end};
    tangent = 1 / length * tangent;
    const double sine = dot(end, tangent), cosine = dot(end, first);
    const double shorter = angle_of(std::abs(sine), cosine), angle = sine < 0 ? 2 * kPi - shorter : shorter;
    const int pieces = std::max(1, static_cast<int>(std::ceil(angle / kLongestChord - 1e-9)));
    std::vector<Vec3> points;
    for (int i = 0; i < pieces; ++i)
    {
        const double share = static_cast<double>(i) / pieces;
        double s = 0, c = 1;
        sincos(share * angle, s, c);
        Vec3 point = radius * (c * first + s * tangent);
        if (cylinder) point.z = begin.z + share * (end.z - begin.z);
        points.push_back(point);
    }
    points.push_back(end);
    return points;
}

/// The points between two sites where the tendon lies on the shape of `item`; none where it misses it.
std::vector<Vec3> find_points_on_shape(const Model& model, const ConstWorldView& world, const TendonItem& item,
                                       const Vec3& from, const Vec3& to)
{
    const std::size_t shape = at(item.shape);
    const Pose pose = world.body_pose[at(model.shapes.body[shape])] * model.shapes.pose[shape];
    const auto local = [&](const Vec3& point) { return rotate(conjugate(pose.rotation), point - pose.position); };
    const bool cylinder = model.shapes.type[shape] == ShapeType::cylinder;
    const double radius = model.shapes.size[shape].x;
    Vec3 side;
    if (item.side_site >= 0) side = local(place_of_site(model, world, item.side_site));
    const WrappedPath<double> path =
        find_wrapped_path<double>(cylinder, radius, local(from), local(to), item.side_site >= 0 ? &side : nullptr);
    if (!(path.touches > 0.5)) return {};
    std::vector<Vec3> points = find_arc(path, cylinder, radius);
    for (Vec3& point : points) point = pose.position + rotate(pose.rotation, point);
    return points;
}

}  // namespace

void append_tendon_points(const Model& model, const ConstWorldView& world, std::vector<RecordedTendonPoint>& points)
{
    for (int t = 0; t < model.tendon_count(); ++t)
    {
        if (model.tendons.type[at(t)] != TendonType::spatial) continue;
        int previous = -1;
        const TendonItem* wrap = nullptr;
        for (int k = model.tendons.item_begin[at(t)]; k < model.tendons.item_begin[at(t) + 1]; ++k)
        {
            const TendonItem& item = model.tendons.items[at(k)];
            if (item.shape >= 0)
            {
                wrap = &item;
                continue;
            }
            if (item.site >= 0)
            {
                const Vec3 place = place_of_site(model, world, item.site);
                if (wrap && previous >= 0)
                {
                    const Vec3 from = place_of_site(model, world, previous);
                    for (const Vec3& point : find_points_on_shape(model, world, *wrap, from, place))
                        points.push_back({.tendon = t, .begins = 0, .point = point});
                }
                points.push_back({.tendon = t, .begins = previous < 0 ? 1 : 0, .point = place});
            }
            previous = item.site;  // -1 after a pulley: a new line
            wrap = nullptr;
        }
    }
}

}  // namespace rattleback
