// Shapes with faces and edges: the parts that face each other along the shortest way, laid over one another.
#include "collide/manifold/functions.h"
#include "collide/manifold/touching_pair.h"

#include <algorithm>

namespace rattleback
{
namespace
{

constexpr double kLateral = 2e-3;  // of the radius: how far aside of a round side another line may run

void finish(const TouchingPair& pair, const NormalFrame& frame, Overlap& overlap, Manifold& manifold)
{
    overlap.drop_above(pair.reach);
    reduce_overlap(overlap, pair.limit, pair.tolerance);
    add_overlap(overlap, frame, manifold);
}

OverlapPoint make_witness(const TouchingPair& pair, const NormalFrame& frame)
{
    const Vec3 first = pair.found.on_first - frame.origin, second = pair.found.on_second - frame.origin;
    return {0.5 * (dot(frame.u, first) + dot(frame.u, second)), 0.5 * (dot(frame.v, first) + dot(frame.v, second)),
            dot(frame.n, first), dot(frame.n, second),
            make_witness_key(pair.found.first_feature, pair.found.second_feature)};
}

bool has_axis(const PlacedShape& shape)
{
    return shape.type == ShapeType::capsule || shape.type == ShapeType::cylinder;
}

/// The direction across the axes of two round sides; of parallel ones, from one to the other at the middle of their
/// common stretch.
Vec3 find_across(const PlacedShape& first, const PlacedShape& second)
{
    constexpr double kParallel = 1e-6;  // sine squared
    const Vec3 a = first.rotation.column(2), b = second.rotation.column(2), product = cross(a, b);
    if (dot(product, product) > kParallel) return (1 / norm(product)) * product;
    const Vec3 between = second.position - first.position;
    const double center = dot(between, a);
    const double low = std::max(-first.size.y, center - second.size.y);
    const double high = std::min(first.size.y, center + second.size.y);
    const double s = 0.5 * (low + high), t = dot(a, b) * s - dot(between, b);
    const Vec3 gap = between + t * b - s * a, aside = gap - dot(gap, a) * a;
    const double length = norm(aside);
    return length > 0 ? (1 / length) * aside : product;
}

/// The normal of two round sides, without the noise of a search, where it is one; else the one found.
Vec3 find_line_normal(const TouchingPair& pair)
{
    const Vec3& found = pair.found.normal;
    if (!has_axis(pair.first) || !has_axis(pair.second)) return found;
    const Vec3 across = find_across(pair.first, pair.second), normal = dot(across, found) < 0 ? -across : across;
    if (dot(normal, found) < kFaceToFace) return found;
    const double gap = dot(normal, pair.second.position - pair.first.position) - find_extent(pair.first, normal) -
                       find_extent(pair.second, -normal);
    return gap >= pair.found.distance - pair.tolerance ? normal : found;
}

/// Edges or lines along round sides: two points where they run side by side, one where lines of round sides cross.
bool add_lines(const TouchingPair& pair, Manifold& manifold)
{
    const auto find_hint = [](const PlacedShape& shape) { return has_axis(shape) ? shape.rotation.column(2) : Vec3{}; };
    const NormalFrame frame = make_normal_frame(pair.found.on_first, find_line_normal(pair));
    FlatPart first, second;
    if (!build_segment(pair.first, frame, 1, pair.tolerance, pair.found.on_first, find_hint(pair.second), first))
        return false;
    if (!build_segment(pair.second, frame, -1, pair.tolerance, pair.found.on_second, find_hint(pair.first), second))
        return false;
    double lateral = pair.tolerance;
    if (first.is_round) lateral = std::max(lateral, kLateral * pair.first.size.x);
    if (second.is_round) lateral = std::max(lateral, kLateral * pair.second.size.x);
    Overlap overlap;
    find_overlap(first, second, pair.tolerance, lateral, overlap);
    const int least = first.is_round && second.is_round ? 1 : 2;
    if (overlap.count < least || overlap.find_deepest() > pair.found.distance + pair.tolerance) return false;
    finish(pair, frame, overlap, manifold);
    return true;
}

/// The normal of a face, if the shapes are as far apart along it as they are at all.
bool is_as_far(const Face& face, const PlacedShape& other, const TouchingPair& pair)
{
    return face.cosine > kFaceToFace && find_gap_over(face, other) >= pair.found.distance - pair.tolerance;
}

bool has_one_point(const PlacedShape& shape)
{
    return shape.type == ShapeType::ellipsoid || shape.type == ShapeType::sphere;
}

}  // namespace

bool add_parts(const TouchingPair& pair, const Vec3& normal, bool may_mend, Manifold& manifold)
{
    const NormalFrame frame = make_normal_frame(pair.found.on_first, normal);
    FlatPart first, second;
    const double depth = find_loose_depth(pair.found.distance, pair.tolerance);
    build_part(pair.first, pair.first_face, frame, 1, pair.tolerance, depth, first);
    build_part(pair.second, pair.second_face, frame, -1, pair.tolerance, depth, second);
    Overlap overlap;
    find_overlap(first, second, pair.tolerance, pair.tolerance, overlap);
    if (overlap.count == 0) return false;
    if (overlap.find_deepest() > pair.found.distance + pair.tolerance)
    {
        if (!may_mend) return false;
        overlap.add(make_witness(pair, frame));
    }
    finish(pair, frame, overlap, manifold);
    return true;
}

void touch_known(TouchingPair& pair, Manifold& manifold)
{
    const ShapeDistance& found = pair.found;
    pair.first_face = find_face(pair.first, found.normal);
    pair.second_face = find_face(pair.second, -found.normal);
    const Vec3 first_normal = pair.first_face.normal, second_normal = -pair.second_face.normal;
    if (is_as_far(pair.first_face, pair.second, pair) && add_parts(pair, first_normal, false, manifold)) return;
    if (is_as_far(pair.second_face, pair.first, pair) && add_parts(pair, second_normal, false, manifold)) return;

    const bool is_point = has_one_point(pair.first) || has_one_point(pair.second);
    const bool has_face = std::max(pair.first_face.cosine, pair.second_face.cosine) > kFaceToFace;
    if (!is_point && has_face && add_parts(pair, found.normal, true, manifold)) return;
    if (!is_point && add_lines(pair, manifold)) return;
    manifold.add({0.5 * (found.on_first + found.on_second), found.normal, found.distance,
                  is_point ? 0 : make_witness_key(found.first_feature, found.second_feature)});
}

void touch_flat(const PlacedShape& first, const PlacedShape& second, double reach, Manifold& manifold)
{
    TouchingPair pair{first, second, find_distance(first, second, reach), {}, {}, reach};
    if (!is_in_reach(pair.found, reach)) return;
    pair.tolerance = kTolerance * std::min(find_width(first), find_width(second));
    touch_known(pair, manifold);
}

}  // namespace rattleback
