// One query for two cores: separation first, depth where they overlap, then witness points and features in the world.
#pragma once

#include "geometry/convex/climb.h"
#include "geometry/convex/features.h"
#include "geometry/convex/penetration.h"
#include "geometry/convex/separation.h"
#include "geometry/convex/witnesses.h"

namespace rattleback::cores
{

template <class A, class B>
DifferenceView make_view(const Difference<A, B>& difference, double size)
{
    using D = Difference<A, B>;
    DifferenceView view;
    view.difference = &difference;
    view.size = size;
    // Functions behind one pointer: the polytope is compiled once and not for every pair of cores.
    view.support = [](const void* d, const Vec3& n) { return static_cast<const D*>(d)->support(n); };
    if constexpr (D::kCurved)
    {
        view.slide = [](const void* d, Simplex& simplex, Vec3& n)
        { return static_cast<const D*>(d)->slide(simplex, n); };
        view.climb = [](const void* d, Simplex& simplex, Vec3& n)
        { return Climb(*static_cast<const D*>(d), simplex, n).run(); };
        view.cap_count = difference.find_caps(view.caps);
    }
    return view;
}

// Cores nearer than `kNear`, relative to their size, whose bounds are further apart than `kLoose`, get a second
// opinion.
inline constexpr double kNear = 1e-2;
inline constexpr double kLoose = 1e-11;
inline constexpr double kStraight = 1e-9;

/// Cores all but touching: the way between the nearest points is too short to have an exact direction. The faces of
/// the difference have one.
template <class A, class B>
void sharpen(const Difference<A, B>& difference, double size, CoreDistance& core)
{
    CoreDistance other = core;
    find_penetration(make_view(difference, size), other);
    // Bounds of the depth are tighter: the shapes touch, or overlap by less than rounding.
    if (!(other.distance > kTouch * size) && other.distance - other.lower < core.distance - core.lower)
    {
        core = other;
        return;
    }
    // Otherwise the better of either bound, with what belongs to it.
    const double reached = norm(find_point(other.simplex));
    if (reached < core.distance)
    {
        core.distance = reached;
        core.simplex = other.simplex;
    }
    if (other.lower > core.lower)
    {
        core.lower = other.lower;
        core.normal = other.normal;
    }
}

/// Cores well apart whose nearest points are not straight along the normal: there are many pairs nearly as near, or
/// many normals nearly as good.
template <class A, class B>
void straighten(const Difference<A, B>& difference, double size, CoreDistance& core)
{
    const Vec3 v = find_point(core.simplex), n = (1 / core.distance) * v;
    const double gap = dot(n, difference.support(n).w);
    // The direction between the nearest points is as good a normal as the best bound: then it is taken.
    if (gap >= core.lower - kStraight * size)
    {
        core.normal = n;
        core.lower = std::max(core.lower, gap);
        return;
    }
    Simplex simplex = core.simplex;
    const double error = find_witnesses(make_view(difference, size), core.normal, core.lower, simplex);
    if (!(error < norm(v - core.lower * core.normal))) return;
    core.simplex = simplex;
    core.distance = std::max(norm(find_point(simplex)), core.lower);
}

inline bool is_straight(const CoreDistance& core, double size)
{
    return norm(find_point(core.simplex) - core.distance * core.normal) <= kStraight * size;
}

/// Signed distance of two placed shapes with cores `a` and `b` and round margins around them [m].
template <class A, class B>
ShapeDistance solve(const PlacedShape& first, const PlacedShape& second, const A& a, const B& b, double first_margin,
                    double second_margin, double reach)
{
    // Everything in the frame of the first core: half of the rotations are saved.
    const Mat3 rotation = transpose(first.rotation) * second.rotation;
    const Vec3 position = transpose_times(first.rotation, second.position - first.position);
    const Difference<A, B> difference(a, b, rotation, position);
    const double margin = first_margin + second_margin;
    const double size = difference.radius() + margin;

    CoreDistance core;
    // Apart: GJK. Overlap: EPA. All but touching: the better of both.
    find_separation(difference, size, reach + margin, core);
    ShapeDistance result;
    if (core.verdict == Verdict::overlap) find_penetration(make_view(difference, size), core);
    if (core.verdict == Verdict::apart)
    {
        if (core.distance < kNear * size && core.distance - core.lower > kLoose * size)
            sharpen(difference, size, core);
        else if (core.distance >= kNear * size && !is_straight(core, size))
            straighten(difference, size, core);
    }
    // A round margin lowers the distance of the cores by its radius, inside and out.
    result.distance = core.distance - margin;
    result.lower = std::min(core.lower - margin, result.distance);
    if (core.verdict == Verdict::beyond) return result;

    Vec3 witness, second_witness;
    Corners first_corners, second_corners;
    // Witnesses by the weights of the simplex, and the corners that carry them.
    for (int i = 0; i < core.simplex.count; ++i)
    {
        const double weight = core.simplex.weights[i];
        const SupportPoint& p = core.simplex.points[i];
        witness += weight * p.a;
        second_witness += weight * p.b();
        if (!(weight > 1e-9)) continue;
        first_corners.ids[first_corners.count++] = p.first;
        second_corners.ids[second_corners.count++] = p.second;
    }
    const Vec3 second_normal = -transpose_times(rotation, core.normal);
    result.first_feature = find_feature(a, first_corners, core.normal, witness);
    result.second_feature =
        find_feature(b, second_corners, second_normal, transpose_times(rotation, second_witness - position));
    result.normal = first.rotation * core.normal;
    result.on_first = first.position + first.rotation * (witness + first_margin * core.normal);
    // By the distance along the normal, so that the two points and the distance agree to rounding.
    result.on_second = result.on_first + result.distance * result.normal;
    return result;
}

}  // namespace rattleback::cores
