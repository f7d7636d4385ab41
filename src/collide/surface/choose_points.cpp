// Sorts, groups and thins out the points of a surface.
#include "collide/surface/choose_points.h"

#include "base/index.h"

#include <algorithm>

namespace rattleback
{
namespace
{

constexpr double kOneGroup = 0.9;  // cosine between normals of one group

/// Of `group` (indices into points) at most `limit`, marked by moving them into `chosen`.
void thin_out(std::vector<ManifoldPoint>& group, int limit, std::vector<double>& spread,
              std::vector<ManifoldPoint>& chosen)
{
    if (static_cast<int>(group.size()) <= limit)
    {
        chosen.insert(chosen.end(), group.begin(), group.end());
        return;
    }
    const auto deepest = std::min_element(group.begin(), group.end(), [](const ManifoldPoint& a, const ManifoldPoint& b)
                                          { return a.distance < b.distance; });
    spread.assign(group.size(), std::numeric_limits<double>::infinity());
    auto next = static_cast<std::size_t>(deepest - group.begin());
    for (int count = 0; count < limit; ++count)
    {
        chosen.push_back(group[next]);
        const Vec3 here = group[next].point;
        double widest = -1;
        for (std::size_t i = 0; i < group.size(); ++i)
        {
            const Vec3 way = group[i].point - here;
            spread[i] = std::min(spread[i], dot(way, way));
            if (spread[i] <= widest) continue;
            widest = spread[i];
            next = i;
        }
        if (!(widest > 0)) return;
    }
}

}  // namespace

void drop_deeper_faces(SurfaceScratch& scratch)
{
    std::vector<ManifoldPoint>& points = scratch.points;
    const std::vector<std::uint32_t>& source = scratch.source;
    std::size_t kept = 0;
    for (std::size_t i = 0; i < points.size(); ++i)
    {
        bool drop = false;
        for (std::size_t j = 0; j < source.size() && !drop && source[i] != kKeepsAll; ++j)
        {
            // Another face with less depth under the same corner (of equal ones the first), unless it is the same
            // plane.
            if (j == i || source[j] != source[i] || points[j].feature == points[i].feature) continue;
            const bool shallower = points[j].distance > points[i].distance ||
                                   (points[j].distance == points[i].distance && points[j].feature < points[i].feature);
            drop = points[i].distance < 0 && points[j].distance < 0 && shallower;
        }
        scratch.spread.push_back(drop ? 1 : 0);
    }
    for (std::size_t i = 0; i < points.size(); ++i)
    {
        if (scratch.spread[i] == 0) points[kept++] = points[i];
    }
    points.resize(kept);
    scratch.spread.clear();
    scratch.source.clear();
}

void choose_points(int limit, SurfaceScratch& scratch)
{
    std::vector<ManifoldPoint>& points = scratch.points;
    const auto is_before = [](const ManifoldPoint& a, const ManifoldPoint& b)
    { return a.feature != b.feature ? a.feature < b.feature : a.distance < b.distance; };
    std::sort(points.begin(), points.end(), is_before);
    const auto is_same = [](const ManifoldPoint& a, const ManifoldPoint& b) { return a.feature == b.feature; };
    points.erase(std::unique(points.begin(), points.end(), is_same), points.end());
    if (static_cast<int>(points.size()) <= limit) return;

    // Groups around the deepest point that is left.
    scratch.chosen.clear();
    std::vector<ManifoldPoint>& chosen = scratch.chosen;
    std::vector<ManifoldPoint>& group = scratch.group;
    while (!points.empty())
    {
        const auto deepest =
            std::min_element(points.begin(), points.end(),
                             [](const ManifoldPoint& a, const ManifoldPoint& b) { return a.distance < b.distance; });
        const Vec3 normal = deepest->normal;
        group.clear();
        const auto is_of_group = [&](const ManifoldPoint& p) { return dot(p.normal, normal) > kOneGroup; };
        std::copy_if(points.begin(), points.end(), std::back_inserter(group), is_of_group);
        std::erase_if(points, is_of_group);
        thin_out(group, limit, scratch.spread, chosen);
    }
    std::sort(chosen.begin(), chosen.end(), is_before);
    points.swap(chosen);
}

}  // namespace rattleback
