// Shapes with faces and edges: the parts that face each other along the shortest way, laid over one another.
#include "collide/manifold/functions.h"
#include "collide/manifold/touching_pair.h"

#include <algorithm>

namespace rattleback
{
namespace
{

constexpr double kLateral = 2e-3;  // of the radius: how far aside of a round side another line may run

// The shortest way between the shapes is known. Along it each shape shows a part (face, edge, line of a round side,
// point), and the overlap of the two parts is the manifold. It must contain a point as deep as the shortest way says;
// where it does not, less is claimed: parts along other normals, lines, and in the end the one nearest point.

void finish(const TouchingPair& pair, const NormalFrame& frame, Overlap& overlap, Manifold& manifold)
{
    // Points beyond the reach are no contacts; of the rest a few hold as well as all.
    overlap.drop_above(pair.reach);
    reduce_overlap(overlap, pair.limit, pair.tolerance);
    add_overlap(overlap, frame, manifold);
}

OverlapPoint make_witness(const TouchingPair& pair, const NormalFrame& frame)
{
    const Vec3 first = pair.found.on_first - frame.origin, second = pair.found.on_second - frame.origin;
    // Half-way between the two nearest points, with the height of either.
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
    // The axis of a capsule or cylinder is its z.
    const Vec3 a = first.rotation.column(2), b = second.rotation.column(2), product = cross(a, b);
    // Axes at an angle: the line across both. Parallel axes have no such line.
    if (dot(product, product) > kParallel) return (1 / norm(product)) * product;
    const Vec3 between = second.position - first.position;
    // Where the two stretches lie beside each other along the axis.
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
    // The exact normal is taken only where it agrees with the one that was found, and separates as much.
    if (dot(normal, found) < kFaceToFace) return found;
    const double gap = dot(normal, pair.second.position - pair.first.position) - find_extent(pair.first, normal) -
                       find_extent(pair.second, -normal);
    return gap >= pair.found.distance - pair.tolerance ? normal : found;
}

/// Edges or lines along round sides: two points where they run side by side, one where lines of round sides cross.
bool add_lines(const TouchingPair& pair, Manifold& manifold)
{
    const auto find_hint = [](const PlacedShape& shape) { return has_axis(shape) ? shape.rotation.column(2) : Vec3{}; };
    // The frame's heights are measured from the nearest point on the first shape.
    const NormalFrame frame = make_normal_frame(pair.found.on_first, find_line_normal(pair));
    // Parts of both shapes along the normal; without one on either side there is no line contact.
    FlatPart first, second;
    if (!build_segment(pair.first, frame, 1, pair.tolerance, pair.found.on_first, find_hint(pair.second), first))
        return false;
    if (!build_segment(pair.second, frame, -1, pair.tolerance, pair.found.on_second, find_hint(pair.first), second))
        return false;
    double lateral = pair.tolerance;
    // Round sides touch along a line although rounding lets them cross at an angle.
    if (first.is_round) lateral = std::max(lateral, kLateral * pair.first.size.x);
    if (second.is_round) lateral = std::max(lateral, kLateral * pair.second.size.x);
    Overlap overlap;
    find_overlap(first, second, pair.tolerance, lateral, overlap);
    // An edge against an edge crosses in the one point that the distance has already; along each other they share two.
    const int least = first.is_round && second.is_round ? 1 : 2;
    if (overlap.count < least || overlap.find_deepest() > pair.found.distance + pair.tolerance) return false;
    finish(pair, frame, overlap, manifold);
    return true;
}

/// The normal of a face, if the shapes are as far apart along it as they are at all.
bool is_as_far(const Face& face, const PlacedShape& other, const TouchingPair& pair)
{
    // The face is level enough to lie on the other shape, and nothing of it is nearer along another way.
    return face.cosine > kFaceToFace && find_gap_over(face, other) >= pair.found.distance - pair.tolerance;
}

bool has_one_point(const PlacedShape& shape)
{
    return shape.type == ShapeType::ellipsoid || shape.type == ShapeType::sphere;
}

}  // namespace

bool add_parts(const TouchingPair& pair, const Vec3& normal, bool may_mend, Manifold& manifold)
{
    // What faces the other shape along the normal, as a polygon, a segment or a point on either side.
    const NormalFrame frame = make_normal_frame(pair.found.on_first, normal);
    FlatPart first, second;
    // How far beside the deepest point hull vertices count as sunken.
    const double depth = find_loose_depth(pair.found.distance, pair.tolerance);
    build_part(pair.first, pair.first_face, frame, 1, pair.tolerance, depth, first);
    build_part(pair.second, pair.second_face, frame, -1, pair.tolerance, depth, second);
    Overlap overlap;
    find_overlap(first, second, pair.tolerance, pair.tolerance, overlap);
    if (overlap.count == 0) return false;
    // Nothing as deep as the distance: the parts do not hold the nearest point, and it is added or they are given up.
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
    // The shortest way says which faces may meet; a face's own normal is better than the one found, where it holds.
    pair.first_face = find_face(pair.first, found.normal);
    pair.second_face = find_face(pair.second, -found.normal);
    const Vec3 first_normal = pair.first_face.normal, second_normal = -pair.second_face.normal;
    // First with the normal of the first shape's face, then of the second's: exact, and the same from step to step.
    if (is_as_far(pair.first_face, pair.second, pair) && add_parts(pair, first_normal, false, manifold)) return;
    if (is_as_far(pair.second_face, pair.first, pair) && add_parts(pair, second_normal, false, manifold)) return;

    // Smooth shapes touch in one point whatever lies below.
    const bool is_point = has_one_point(pair.first) || has_one_point(pair.second);
    const bool has_face = std::max(pair.first_face.cosine, pair.second_face.cosine) > kFaceToFace;
    if (!is_point && has_face && add_parts(pair, found.normal, true, manifold)) return;
    // Edge along edge, or the lines of round sides.
    if (!is_point && add_lines(pair, manifold)) return;
    manifold.add({0.5 * (found.on_first + found.on_second), found.normal, found.distance,
                  is_point ? 0 : make_witness_key(found.first_feature, found.second_feature)});
}

void touch_flat(const PlacedShape& first, const PlacedShape& second, double reach, Manifold& manifold)
{
    // The distance first: most pairs that share a box do not touch.
    TouchingPair pair{first, second, find_distance(first, second, reach), {}, {}, reach};
    if (!is_in_reach(pair.found, reach)) return;
    pair.tolerance = kTolerance * std::min(find_width(first), find_width(second));
    touch_known(pair, manifold);
}

}  // namespace rattleback
