// Where a point that comes to touch stands, of a pair of bodies some of whose points stick.
#pragma once

#include <rattleback/math.h>

#include <algorithm>
#include <optional>
#include <utility>

namespace rattleback
{

/// The first of `anchors`, which are sorted by the shapes of their contacts, of this pair.
template <class Anchors>
auto find_first_of_pair(const Anchors& anchors, std::pair<int, int> shapes)
{
    return std::lower_bound(anchors.begin(), anchors.end(), shapes, [](const auto& a, const auto& pair)
                            { return std::pair(a.first_shape, a.second_shape) < pair; });
}

/// Bodies are rigid: a new point is displaced with those that stick, by their mean and by how they turn about the
/// normal. `visit`(use) calls use(point, slide) for each of these. Nothing where there is none.
template <class Visit>
std::optional<Vec3> join_slides(const Vec3& normal, const Vec3& point, Visit&& visit)
{
    int count = 0;
    Vec3 place, slide;
    visit(
        [&](const Vec3& p, const Vec3& x)
        {
            ++count;
            place += p;
            slide += x;
        });
    if (count == 0) return std::nullopt;
    place = (1.0 / count) * place;
    slide = (1.0 / count) * slide;
    double moment = 0, squares = 0;
    visit(
        [&](const Vec3& p, const Vec3& x)
        {
            const Vec3 arm = cross(normal, p - place);
            moment += dot(arm, x);
            squares += dot(arm, arm);
        });
    const double turn = squares > 0 ? moment / squares : 0;
    return slide + turn * cross(normal, point - place);
}

}  // namespace rattleback
