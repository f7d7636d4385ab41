// Bisection in time and on the simplices, with interval arithmetic.
#include "lab/bench/root_finders.h"

#include "geometry/interval_impact.h"

#include <algorithm>

namespace rattleback::lab
{

namespace
{

using Range3 = Vector3<Interval>;

Interval find_hull(const Simplex& simplex, const std::array<Range3, 3>& corners, int axis)
{
    Interval range = corners[0][axis];
    for (std::size_t i = 1; i < static_cast<std::size_t>(simplex.count); ++i) range = hull(range, corners[i][axis]);
    return range;
}

/// Corners of both during a span of time.
struct Corners
{
    std::array<Range3, 3> first, second;

    Corners(const RigidPath& a, const Simplex& mine, const RigidPath& b, const Simplex& other, const Interval& time)
    {
        for (std::size_t i = 0; i < static_cast<std::size_t>(mine.count); ++i)
            first[i] = find_place(a, mine.corner[i], time);
        for (std::size_t i = 0; i < static_cast<std::size_t>(other.count); ++i)
            second[i] = find_place(b, other.corner[i], time);
    }
    bool are_boxes_apart(const Simplex& mine, const Simplex& other) const
    {
        for (int axis = 0; axis < 3; ++axis)
            if (are_apart(find_hull(mine, first, axis), find_hull(other, second, axis))) return true;
        return false;
    }
};

bool may_be_zero(const Range3& a) { return a.x.holds(0) && a.y.holds(0) && a.z.holds(0); }
double find_width(const Range3& a) { return std::max({a.x.width(), a.y.width(), a.z.width()}); }

}  // namespace

RootReport find_root_snyder(const RigidPath& first_path, const Simplex& first, const RigidPath& second_path,
                            const Simplex& second, const RootOptions& options)
{
    struct Box
    {
        Interval t, a, b;
    };
    const bool edges = first.count == 2;
    RootReport report;
    std::vector<Box> stack{{{0, 1}, {0, 1}, {0, 1}}};
    while (!stack.empty())
    {
        const Box box = stack.back();
        stack.pop_back();
        report.time = box.t.lower;
        if (++report.boxes > options.max_boxes)
        {
            report.gave_up = true;
            return report;
        }
        if (!edges && box.a.lower + box.b.lower > 1) continue;  // outside of the triangle
        const Corners at(first_path, first, second_path, second, box.t);
        const Range3 mine = edges ? at.first[0] + box.a * (at.first[1] - at.first[0]) : at.first[0];
        const Range3 other =
            edges ? at.second[0] + box.b * (at.second[1] - at.second[0])
                  : at.second[0] + box.a * (at.second[1] - at.second[0]) + box.b * (at.second[2] - at.second[0]);
        const Range3 between = mine - other;
        if (!may_be_zero(between)) continue;
        const bool is_small = box.t.width() < 1e-12 && box.a.width() < 1e-12 && box.b.width() < 1e-12;
        if (find_width(between) <= options.tolerance || is_small)
        {
            report.hits = true;
            return report;
        }
        // The widest side is halved; the earlier half comes first.
        const double widest = std::max({box.t.width(), box.a.width(), box.b.width()});
        Box low = box, high = box;
        Interval Box::* side = box.t.width() == widest ? &Box::t : box.a.width() == widest ? &Box::a : &Box::b;
        (low.*side).upper = (high.*side).lower = (box.*side).middle();
        stack.push_back(high);
        stack.push_back(low);
    }
    report.time = 1;
    return report;
}

RootReport find_root_redon(const RigidPath& first_path, const Simplex& first, const RigidPath& second_path,
                           const Simplex& second, const RootOptions& options)
{
    RootReport report;
    std::vector<Interval> stack{{0, 1}};
    while (!stack.empty())
    {
        const Interval time = stack.back();
        stack.pop_back();
        report.time = time.lower;
        if (++report.boxes > options.max_boxes)
        {
            report.gave_up = true;
            return report;
        }
        const Corners at(first_path, first, second_path, second, time);
        if (at.are_boxes_apart(first, second)) continue;
        // (a - c) . ((b - a) x (d - c)) for edges, (p - a) . ((b - a) x (c - a)) for a point and a face.
        const Range3 u = first.count == 2 ? at.first[1] - at.first[0] : at.second[2] - at.second[0];
        const Interval volume = dot(at.first[0] - at.second[0], cross(at.second[1] - at.second[0], u));
        if (!volume.holds(0)) continue;
        double width = 0;
        for (const Range3& corner : at.first) width = std::max(width, find_width(corner));
        for (const Range3& corner : at.second) width = std::max(width, find_width(corner));
        if (width > options.tolerance && time.width() > 1e-12)
        {
            stack.push_back({time.middle(), time.upper});
            stack.push_back({time.lower, time.middle()});
            continue;
        }
        // In a plane, and nothing moves by more than the tolerance: do they touch there?
        const RigidTrack one(first_path), two(second_path);
        const auto place = [&](const RigidTrack& track, Simplex simplex)
        {
            const RigidTrack::Moment moment = track.at(time.lower);
            for (Vec3& corner : simplex.corner) corner = moment.center + moment.rotation * corner;
            return simplex;
        };
        if (norm(find_nearest(place(one, first), place(two, second)).between) > 2 * width + options.tolerance) continue;
        report.hits = true;
        return report;
    }
    report.time = 1;
    return report;
}

}  // namespace rattleback::lab
