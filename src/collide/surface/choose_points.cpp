// Sorts, groups and thins out the points of a surface.
#include "collide/surface/choose_points.h"

#include "base/index.h"

#include <algorithm>

namespace rattleback
{
namespace
{

constexpr double kOneGroup = 0.9;  // cosine between normals of one group

/// Adds to `chosen` at most `limit` points of a group. `spread` is scratch: how far each is from those chosen, squared.
void thin_out(const std::vector<ManifoldPoint>& group, int limit, std::vector<double>& spread,
              std::vector<ManifoldPoint>& chosen)
{
    // Few enough: all stay.
    if (static_cast<int>(group.size()) <= limit)
    {
        chosen.insert(chosen.end(), group.begin(), group.end());
        return;
    }
    // The deepest first: it carries.
    const auto deepest = std::min_element(group.begin(), group.end(), [](const ManifoldPoint& a, const ManifoldPoint& b)
                                          { return a.distance < b.distance; });
    spread.assign(group.size(), std::numeric_limits<double>::infinity());
    auto next = static_cast<std::size_t>(deepest - group.begin());
    for (int count = 0; count < limit; ++count)
    {
        chosen.push_back(group[next]);
        const Vec3 here = group[next].point;
        double widest = -1;
        // Farthest-point sampling: the next is the one furthest from all that were chosen.
        for (std::size_t i = 0; i < group.size(); ++i)
        {
            const Vec3 way = group[i].point - here;
            // Distance to the chosen set, updated by the last one alone.
            spread[i] = std::min(spread[i], dot(way, way));
            if (spread[i] <= widest) continue;
            widest = spread[i];
            next = i;
        }
        // All others coincide with chosen ones.
        if (!(widest > 0)) return;
    }
}

bool is_before(const ManifoldPoint& a, const ManifoldPoint& b)
{
    // Of equal features the deepest comes first, and is the one that stays.
    return a.feature != b.feature ? a.feature < b.feature : a.distance < b.distance;
}

void drop_marked(SurfaceScratch& scratch)
{
    std::size_t kept = 0;
    // Order is kept: features increase.
    for (std::size_t i = 0; i < scratch.points.size(); ++i)
    {
        if (scratch.dropped[i] == 0) scratch.points[kept++] = scratch.points[i];
    }
    scratch.points.resize(kept);
}

}  // namespace

void drop_deeper_faces(SurfaceScratch& scratch)
{
    const std::vector<ManifoldPoint>& points = scratch.points;
    if (points.size() < 2) return;  // a foot on level ground
    std::vector<std::uint32_t>& order = scratch.order;
    order.clear();
    for (std::uint32_t i = 0; i < points.size(); ++i)
    {
        // Corners over a groove are held by all faces around it; only the others compete.
        if (scratch.source[i] != kKeepsAll && points[i].distance < 0) order.push_back(i);
    }
    // Under each corner the face with the least depth first; of equal ones that with the lower feature.
    std::sort(order.begin(), order.end(),
              [&](std::uint32_t a, std::uint32_t b)
              {
                  if (scratch.source[a] != scratch.source[b]) return scratch.source[a] < scratch.source[b];
                  if (points[a].distance != points[b].distance) return points[a].distance > points[b].distance;
                  return points[a].feature < points[b].feature;
              });
    scratch.dropped.assign(points.size(), 0);
    for (std::size_t i = 0, best = 0; i < order.size(); ++i)
    {
        // The first of each corner is the shallowest face.
        if (scratch.source[order[i]] != scratch.source[order[best]]) best = i;
        // Points of the same face may stay: they are one contact in several triangles.
        if (points[order[i]].feature != points[order[best]].feature) scratch.dropped[order[i]] = 1;
    }
    drop_marked(scratch);
    scratch.source.clear();
}

void drop_long_ways(SurfaceScratch& scratch)
{
    const std::vector<ManifoldPoint>& points = scratch.points;
    const auto is_shorter = [](const ManifoldPoint& p, const ManifoldPoint& other)
    {
        // Sunk in too, in another direction, by less than half of the depth, and nearer than the depth.
        if (other.distance >= 0 || other.distance <= 0.5 * p.distance || dot(p.normal, other.normal) > kOneGroup)
            return false;
        // Within the depth: a way out that is beside, not somewhere else on the body.
        const Vec3 way = other.point - p.point;
        return dot(way, way) < p.distance * p.distance;
    };
    scratch.dropped.assign(points.size(), 0);
    for (std::size_t i = 0; i < points.size(); ++i)
    {
        const ManifoldPoint& p = points[i];
        if (p.distance >= 0) continue;
        const bool is_long =
            std::any_of(points.begin(), points.end(), [&](const ManifoldPoint& other) { return is_shorter(p, other); });
        scratch.dropped[i] = is_long ? 1 : 0;
    }
    drop_marked(scratch);
}

void sort_points(SurfaceScratch& scratch)
{
    std::vector<ManifoldPoint>& points = scratch.points;
    // Sorted by feature, then depth; equal features are one contact seen from several triangles.
    if (points.size() < 2) return;
    std::sort(points.begin(), points.end(), is_before);
    const auto is_same = [](const ManifoldPoint& a, const ManifoldPoint& b) { return a.feature == b.feature; };
    points.erase(std::unique(points.begin(), points.end(), is_same), points.end());
}

void choose_points(int limit, SurfaceScratch& scratch)
{
    sort_points(scratch);
    std::vector<ManifoldPoint>& points = scratch.points;
    if (static_cast<int>(points.size()) <= limit) return;

    // Groups around the deepest point that is left.
    // Normals within about 25 degrees push as one group: each group keeps its own points.
    scratch.chosen.clear();
    std::vector<ManifoldPoint>& chosen = scratch.chosen;
    std::vector<ManifoldPoint>& group = scratch.group;
    while (!points.empty())
    {
        const auto deepest =
            std::min_element(points.begin(), points.end(),
                             [](const ManifoldPoint& a, const ManifoldPoint& b) { return a.distance < b.distance; });
        // Around the deepest that is left: groups do not depend on the order of triangles.
        const Vec3 normal = deepest->normal;
        group.clear();
        const auto is_of_group = [&](const ManifoldPoint& p) { return !(dot(p.normal, normal) <= kOneGroup); };
        std::copy_if(points.begin(), points.end(), std::back_inserter(group), is_of_group);
        std::erase_if(points, is_of_group);
        thin_out(group, limit, scratch.spread, chosen);
    }
    // Features increase in the answer, as in every manifold.
    std::sort(chosen.begin(), chosen.end(), is_before);
    points.swap(chosen);
}

}  // namespace rattleback
