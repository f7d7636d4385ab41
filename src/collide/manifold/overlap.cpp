// Overlap of two flat parts, with tolerance: what lies flush counts as inside.
#include "collide/manifold/overlap.h"

#include "base/index.h"

#include <algorithm>

namespace rattleback
{
namespace
{

// Corners of the intersection of two convex parts, seen along the normal: corners of either that lie inside the other,
// and crossings of sides. Unlike clipping side by side (Sutherland and Hodgman) every point says which features of the
// two shapes meet in it, and nothing is found twice where the parts lie flush.

std::size_t after(const FlatPart& part, std::size_t i) { return i + 1 < at(part.count) ? i + 1 : 0; }
int side_count(const FlatPart& part) { return part.count > 2 ? part.count : part.count - 1; }

/// Distance of a point from the line of a side, times the side's length; positive on the left.
double find_side(const FlatPart& part, std::size_t i, double u, double v)
{
    const std::size_t j = after(part, i);
    // Cross product of the side with the way to the point.
    return (part.u[j] - part.u[i]) * (v - part.v[i]) - (part.v[j] - part.v[i]) * (u - part.u[i]);
}

/// Place along a segment, 0 at the first end and 1 at the second.
double find_place(const FlatPart& segment, double u, double v)
{
    const double du = segment.u[1] - segment.u[0], dv = segment.v[1] - segment.v[0];
    const double square = du * du + dv * dv;
    return square > 0 ? (du * (u - segment.u[0]) + dv * (v - segment.v[0])) / square : 0;
}

bool disc_contains(const FlatPart& disc, double u, double v, double tolerance)
{
    // The rim is round: no polygon stands in for it.
    const double du = u - disc.disc_u, dv = v - disc.disc_v, bar = disc.disc_radius + tolerance;
    return du * du + dv * dv <= bar * bar;
}

/// A segment seen end on contains nothing.
bool segment_contains(const FlatPart& segment, double u, double v, double tolerance, double lateral)
{
    // Along the segment and aside of it, each with its own tolerance.
    const double length = segment.side[0], place = find_place(segment, u, v) * length;
    return length > tolerance && place >= -tolerance && place <= length + tolerance &&
           std::abs(find_side(segment, 0, u, v)) <= lateral * length;
}

bool contains(const FlatPart& part, double u, double v, double tolerance, double lateral)
{
    // Points contain nothing; a segment is a strip as wide as the lateral tolerance.
    if (part.count <= 2) return part.count == 2 && segment_contains(part, u, v, tolerance, lateral);
    if (part.disc_radius > 0) return disc_contains(part, u, v, tolerance);
    // All sides, without a branch: which one fails first cannot be foreseen.
    bool inside = true;
    std::size_t from = at(part.count) - 1;
    for (std::size_t to = 0; to < at(part.count); from = to++)
    {
        // Cross product with the side, as in find_side; flush within the tolerance is inside.
        const double left =
            (part.u[to] - part.u[from]) * (v - part.v[from]) - (part.v[to] - part.v[from]) * (u - part.u[from]);
        inside = inside & (left >= -tolerance * part.side[from]);
    }
    return inside;
}

double find_height(const FlatPart& part, double u, double v)
{
    // Polygons have a plane; a segment's height is interpolated between its ends.
    if (part.count > 2) return part.base + part.slope_u * u + part.slope_v * v;
    if (part.count < 2) return part.h[0];
    return part.h[0] + std::clamp(find_place(part, u, v), 0.0, 1.0) * (part.h[1] - part.h[0]);
}

/// Points where the side i of a part meets another line: a share of the way to the next corner.
double interpolate(const FlatPart::Numbers& numbers, const FlatPart& part, std::size_t i, double share)
{
    return numbers[i] + share * (numbers[after(part, i)] - numbers[i]);
}

/// Crossings of sides whose ends are all clear of the other side's line.
void add_side_crossings(const FlatPart& first, const FlatPart& second, double tolerance, Overlap& overlap)
{
    FlatPart::Numbers across;
    // Each pair of sides, with the signs of corners computed once per side of the first.
    for (std::size_t i = 0; i < at(side_count(first)); ++i)
    {
        const double clear = tolerance * first.side[i];
        // Which side of the line each corner lies on: two corners on either side cross it.
        for (std::size_t j = 0; j < at(second.count); ++j) across[j] = find_side(first, i, second.u[j], second.v[j]);
        for (std::size_t j = 0; j < at(side_count(second)); ++j)
        {
            const double from = across[j], to = across[after(second, j)];
            // Ends that are nearly on the line are corners inside, found before: only clear crossings count.
            if (std::min(from, to) >= -clear || std::max(from, to) <= clear) continue;
            const std::size_t k = after(first, i);
            const double begin = find_side(second, j, first.u[i], first.v[i]);
            const double end = find_side(second, j, first.u[k], first.v[k]);
            const double free = tolerance * second.side[j];
            if (std::min(begin, end) >= -free || std::max(begin, end) <= free) continue;
            // Where the two lines meet, as shares of either side.
            const double on_first = begin / (begin - end), on_second = from / (from - to);
            overlap.add({interpolate(second.u, second, j, on_second), interpolate(second.v, second, j, on_second),
                         interpolate(first.h, first, i, on_first), interpolate(second.h, second, j, on_second),
                         make_feature_key(FeatureKind::edge, first.edge[i], FeatureKind::edge, second.edge[j])});
        }
    }
}

/// Crossings of the rim of a disc with the sides of a part; `is_first`: the disc belongs to the first shape.
void add_rim_crossings(const FlatPart& disc, const FlatPart& other, bool is_first, double tolerance, Overlap& overlap)
{
    const double square = disc.disc_radius * disc.disc_radius;
    const double clear = 2 * disc.disc_radius * tolerance;  // of a squared distance from the centre
    for (std::size_t j = 0; j < at(side_count(other)); ++j)
    {
        const std::size_t k = after(other, j);
        // The centre of the disc as origin: a side is p + t d.
        const double pu = other.u[j] - disc.disc_u, pv = other.v[j] - disc.disc_v;
        const double du = other.u[k] - other.u[j], dv = other.v[k] - other.v[j];
        // |p + t d|^2 = r^2
        const double a = du * du + dv * dv, b = pu * du + pv * dv, c = pu * pu + pv * pv - square;
        const double end = c + 2 * b + a, root_square = b * b - a * c;
        // Passing outside, or grazing within the tolerance: corners tell the rest.
        if (!(a > 0) || root_square <= a * clear) continue;  // passes by, or grazes
        const double root = std::sqrt(root_square);
        const bool leaves[2] = {false, true};
        // A line enters the disc once and leaves it once.
        for (const bool is_leaving : leaves)
        {
            if ((is_leaving ? end : c) <= clear) continue;  // the corner there is inside
            const double t = (is_leaving ? -b + root : -b - root) / a;
            if (t <= 0 || t >= 1) continue;
            const double u = interpolate(other.u, other, j, t), v = interpolate(other.v, other, j, t);
            const double on_disc = find_height(disc, u, v), on_other = interpolate(other.h, other, j, t);
            // Entering and leaving points have numbers of their own.
            const std::uint32_t rim = disc.edge[0] + (is_leaving ? 2U : 0U);
            if (is_first)
                overlap.add({u, v, on_disc, on_other,
                             make_feature_key(FeatureKind::edge, rim, FeatureKind::edge, other.edge[j])});
            else
                overlap.add({u, v, on_other, on_disc,
                             make_feature_key(FeatureKind::edge, other.edge[j], FeatureKind::edge, rim)});
        }
    }
}

void add_rim_rim_crossings(const FlatPart& first, const FlatPart& second, double tolerance, Overlap& overlap)
{
    const double du = second.disc_u - first.disc_u, dv = second.disc_v - first.disc_v;
    const double square = du * du + dv * dv, between = std::sqrt(square);
    const double r = first.disc_radius, s = second.disc_radius;
    // Apart, or one inside the other: no crossing of the rims.
    if (between >= r + s - tolerance || between <= std::abs(r - s) + tolerance) return;
    const double along = (square + r * r - s * s) / (2 * between);  // from the first centre to the common chord
    // Half the common chord.
    const double half = std::sqrt(std::max(r * r - along * along, 0.0));
    for (const double side : {-1.0, 1.0})
    {
        // Along the line of centres and across it.
        const double u = first.disc_u + (along * du - side * half * dv) / between;
        const double v = first.disc_v + (along * dv + side * half * du) / between;
        const std::uint32_t rim = first.edge[0] + (side > 0 ? 2U : 0U);
        overlap.add({u, v, find_height(first, u, v), find_height(second, u, v),
                     make_feature_key(FeatureKind::edge, rim, FeatureKind::edge, second.edge[0])});
    }
}

}  // namespace

void find_overlap(const FlatPart& first, const FlatPart& second, double tolerance, double lateral, Overlap& overlap)
{
    // Two boxes are by far the commonest pair: their own routine, in packs.
    if (is_plain_quad(first) && is_plain_quad(second)) return find_quad_overlap(first, second, tolerance, overlap);
    // Corners of the second that are inside the first.
    for (std::size_t i = 0; i < at(second.count); ++i)
    {
        const double u = second.u[i], v = second.v[i];
        if (!contains(first, u, v, tolerance, lateral)) continue;
        overlap.add({u, v, find_height(first, u, v), second.h[i],
                     make_feature_key(first.kind, first.index, FeatureKind::vertex, second.corner[i])});
    }
    // If all corners of the second are inside, it is the overlap.
    const bool is_inside = overlap.count == second.count;
    // Vertices of hulls beside their part, which have sunk in as well.
    for (std::size_t i = 0; i < at(second.loose_count); ++i)
    {
        const double u = second.loose_u[i], v = second.loose_v[i];
        if (!contains(first, u, v, tolerance, lateral)) continue;
        overlap.add({u, v, find_height(first, u, v), second.loose_h[i],
                     make_feature_key(first.kind, first.index, FeatureKind::vertex, second.loose[i])});
    }
    for (std::size_t i = 0; i < at(first.loose_count); ++i)
    {
        const double u = first.loose_u[i], v = first.loose_v[i];
        if (!contains(second, u, v, tolerance, lateral)) continue;
        overlap.add({u, v, first.loose_h[i], find_height(second, u, v),
                     make_feature_key(FeatureKind::vertex, first.loose[i], second.kind, second.index)});
    }
    if (is_inside) return;  // all of the second part is inside the first

    // How many corners of the first lie in the second: all means that it is the overlap.
    int inside = 0;
    for (std::size_t i = 0; i < at(first.count); ++i)
    {
        const double u = first.u[i], v = first.v[i];
        if (!contains(second, u, v, tolerance, lateral)) continue;
        ++inside;
        // Corners that lie on each other count once.
        if (overlap.has_point_near(u, v, tolerance)) continue;
        overlap.add({u, v, first.h[i], find_height(second, u, v),
                     make_feature_key(FeatureKind::vertex, first.corner[i], second.kind, second.index)});
    }
    if (inside == first.count) return;

    // What is left are crossings: of sides with sides, of rims with sides, of rims.
    if (first.disc_radius > 0 && second.disc_radius > 0)
        add_rim_rim_crossings(first, second, tolerance, overlap);
    else if (first.disc_radius > 0)
        add_rim_crossings(first, second, true, tolerance, overlap);
    else if (second.disc_radius > 0)
        add_rim_crossings(second, first, false, tolerance, overlap);
    else
        add_side_crossings(first, second, tolerance, overlap);
}

void add_overlap(const Overlap& overlap, const NormalFrame& frame, Manifold& manifold)
{
    const int begin = manifold.count;
    for (int i = 0; i < overlap.count; ++i)
    {
        const OverlapPoint& p = overlap.points[at(i)];
        int slot = manifold.count++;
        // Few points: insertion keeps them in the order of features.
        for (; slot > begin && manifold.points[at(slot - 1)].feature > p.feature; --slot)
            manifold.points[at(slot)] = manifold.points[at(slot - 1)];
        manifold.points[at(slot)] = {
            frame.origin + p.u * frame.u + p.v * frame.v + (0.5 * (p.first_h + p.second_h)) * frame.n, frame.n, p.gap(),
            p.feature};
    }
}

}  // namespace rattleback
