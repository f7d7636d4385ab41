// Two boxes: fifteen axes when they overlap or a face or two edges are nearest; the general routine otherwise.
#include "geometry/distance/local.h"
#include "geometry/distance/pairs.h"

#include <array>

namespace rattleback
{
namespace
{

// The largest of fifteen separations is the exact distance where the parts it names (face and vertex, edge and edge)
// lie over each other, and the exact depth always. Boxes apart that are nearest elsewhere go to GJK.

/// A second box in the frame of a first: its axes are the columns.
struct Boxes
{
    Vec3 first_size, second_size;
    Mat3 axes;
    Vec3 offset;
    double scale = 0;  ///< [m], for what is small

    Boxes seen_from_second() const
    {
        return {second_size, first_size, transpose(axes), -transpose_times(axes, offset), scale};
    }
};

/// A direction and how far apart the boxes are along it: from the first box to the second, unit, in the first's frame.
struct Axis
{
    double separation = -std::numeric_limits<double>::infinity();
    Vec3 normal;
    int first = -1;   ///< axis of the first box's face or edge
    int second = -1;  ///< the same of the second; a face has one of the two, a pair of edges both
};

// Lengths as parts of the scale.
constexpr double kPreference = 1e-13;  ///< equal up to rounding; of such axes the earlier is taken
constexpr double kFlat = 1e-12;        ///< features that rise less lie flat
constexpr double kTilted = 1e-9;       ///< features that rise more do not nearly lie flat

double find_separation(const Boxes& boxes, const Vec3& n)
{
    // Support functions of boxes: half extents times absolute cosines.
    const Vec3& a = boxes.first_size;
    const Vec3& b = boxes.second_size;
    // Separating axis: distance of the centres along n less both half extents.
    const Vec3 m = transpose_times(boxes.axes, n);
    return std::abs(dot(n, boxes.offset)) - (a.x * std::abs(n.x) + a.y * std::abs(n.y) + a.z * std::abs(n.z)) -
           (b.x * std::abs(m.x) + b.y * std::abs(m.y) + b.z * std::abs(m.z));
}

void try_faces(const Boxes& boxes, Axis& best)
{
    // Three axes of the first box, then of the second (Gottschalk et al. 1996: fifteen in all).
    const Vec3 seen = transpose_times(boxes.axes, boxes.offset);
    for (int i = 0; i < 3; ++i)
    {
        // Half extents of both along axis i.
        double reach = boxes.first_size[i];
        for (int j = 0; j < 3; ++j) reach += boxes.second_size[j] * std::abs(boxes.axes(i, j));
        const double separation = std::abs(boxes.offset[i]) - reach;
        // Of axes that are equal to rounding the earlier is kept, while a box rocks on its face too.
        if (separation <= best.separation + kPreference * boxes.scale) continue;
        best = {separation, {}, i, -1};
        best.normal[i] = boxes.offset[i] < 0 ? -1 : 1;
    }
    for (int j = 0; j < 3; ++j)
    {
        double reach = boxes.second_size[j];
        for (int i = 0; i < 3; ++i) reach += boxes.first_size[i] * std::abs(boxes.axes(i, j));
        const double separation = std::abs(seen[j]) - reach;
        if (separation <= best.separation + kPreference * boxes.scale) continue;
        best = {separation, with_sign(1, seen[j]) * boxes.axes.column(j), -1, j};
    }
}

void try_edges(const Boxes& boxes, Axis& best)
{
    // Below kParallel edges are parallel, and their product says nothing; below kDoubtful it is mostly rounding.
    constexpr double kParallel = 1e-14, kDoubtful = 1e-3;
    const Mat3& c = boxes.axes;
    for (int i = 0; i < 3; ++i)
    {
        const int k = (i + 1) % 3, l = (i + 2) % 3;
        for (int j = 0; j < 3; ++j)
        {
            const int p = (j + 1) % 3, q = (j + 2) % 3;
            // The product of unit vectors along axis i and column j has these two components, and length `sine`.
            const double nk = -c(l, j), nl = c(k, j);
            const double sine = std::sqrt(nk * nk + nl * nl);
            if (sine < kParallel) continue;
            // Not divided by the sine yet: most pairs of edges are worse than the best face, and need no root.
            // One component of the product is zero: axis i itself.
            const double along = nk * boxes.offset[k] + nl * boxes.offset[l];
            const double gap = std::abs(along) - boxes.first_size[k] * std::abs(nk) -
                               boxes.first_size[l] * std::abs(nl) - boxes.second_size[p] * std::abs(c(i, q)) -
                               boxes.second_size[q] * std::abs(c(i, p));
            const double bar = best.separation + kPreference * boxes.scale;
            if (gap <= bar * sine && sine > kDoubtful) continue;

            Vec3 normal;
            normal[k] = (along < 0 ? -nk : nk) / sine;
            normal[l] = (along < 0 ? -nl : nl) / sine;
            // For a small angle the rounding of the products above is large beside the sine.
            const double separation = sine > kDoubtful ? gap / sine : find_separation(boxes, normal);
            if (separation > bar) best = {separation, normal, i, j};
        }
    }
}

/// A convex polygon in the frame of the first box; two corners are an edge, seen from both sides.
struct Polygon
{
    static constexpr int kMaxCorners = 16;  // 8 but for rounding
    std::array<Vec3, kMaxCorners> corners;
    int count = 0;

    void add(const Vec3& corner)
    {
        // Corners that rounding adds are dropped: the polygon is convex.
        if (count < kMaxCorners) corners[static_cast<std::size_t>(count++)] = corner;
    }
    const Vec3& operator[](int i) const { return corners[static_cast<std::size_t>(i % count)]; }
};

/// Cuts off what is beyond `end` along an axis, or before -end where `side` is -1.
void clip(int axis, double side, double end, Polygon& polygon)
{
    Polygon kept;
    // Sutherland and Hodgman: keep what is inside, add a point where the border is crossed.
    for (int i = 0; i < polygon.count; ++i)
    {
        // Signed distances of neighbouring corners: where signs differ the side is cut.
        const Vec3 &here = polygon[i], &next = polygon[i + 1];
        // Inside where not positive; on the border counts as inside.
        const double beyond = side * here[axis] - end, next_beyond = side * next[axis] - end;
        if (beyond <= 0) kept.add(here);
        if ((beyond <= 0) != (next_beyond <= 0)) kept.add(here + (beyond / (beyond - next_beyond)) * (next - here));
    }
    polygon = kept;
}

/// A point of the second box that is deepest below a face of the first.
struct Incident
{
    Vec3 point;        ///< in the frame of the first box
    int sides[3];      ///< ends of the second box's axes where the point lies; 0: between them
    bool over = true;  ///< whether it is over the face, not beside it
};

/// The second box's face that looks most against the normal.
Polygon find_incident_face(const Boxes& boxes, const Vec3& m)
{
    const int top = std::abs(m.x) >= std::abs(m.y) && std::abs(m.x) >= std::abs(m.z) ? 0
                    : std::abs(m.y) >= std::abs(m.z)                                 ? 1
                                                                                     : 2;
    // Its four corners, running round.
    const int p = (top + 1) % 3, q = (top + 2) % 3;
    const Vec3 middle = boxes.offset + with_sign(boxes.second_size[top], -m[top]) * boxes.axes.column(top);
    const Vec3 u = boxes.second_size[p] * boxes.axes.column(p), v = boxes.second_size[q] * boxes.axes.column(q);
    Polygon polygon;
    polygon.add(middle - u - v);
    polygon.add(middle + u - v);
    polygon.add(middle + u + v);
    polygon.add(middle - u + v);
    return polygon;
}

/// The deepest part of the incident face that is over the face of the first box; its middle where it lies flat.
void move_over(const Boxes& boxes, const Axis& best, const Vec3& m, Incident& incident)
{
    const double slack = kPreference * boxes.scale;
    Polygon polygon = find_incident_face(boxes, m);
    // The incident face, cut to the sides of the reference face.
    for (int axis = 0; axis < 3; ++axis)
    {
        // Two slabs: clipping by the four sides of the reference face.
        if (axis == best.first) continue;
        clip(axis, 1, boxes.first_size[axis] + slack, polygon);
        clip(axis, -1, boxes.first_size[axis] + slack, polygon);
    }
    // What is left of it that is deepest; level parts by their middle, so that the witness does not jump.
    double lowest = std::numeric_limits<double>::infinity();
    for (int i = 0; i < polygon.count; ++i) lowest = std::min(lowest, dot(best.normal, polygon[i]));
    incident.over = lowest <= dot(best.normal, incident.point) + 4 * slack;
    Vec3 sum;
    int count = 0;
    for (int i = 0; i < polygon.count; ++i)
    {
        // Of a level edge or face all corners are deepest.
        if (dot(best.normal, polygon[i]) > lowest + kFlat * boxes.scale) continue;
        sum += polygon[i];
        ++count;
    }
    if (count > 0) incident.point = (1.0 / count) * sum;
}

Incident find_incident(const Boxes& boxes, const Axis& best)
{
    const double slack = kPreference * boxes.scale;
    Incident incident;
    const Vec3 m = transpose_times(boxes.axes, best.normal);
    Vec3 vertex;
    double least_rise = std::numeric_limits<double>::infinity();
    // The lowest vertex; axes along which the box is level leave its place open.
    for (int j = 0; j < 3; ++j)
    {
        // How far the box rises along its axis j: less than rounding means level.
        const double rise = std::abs(m[j]) * boxes.second_size[j];
        least_rise = std::min(least_rise, rise);
        incident.sides[j] = rise <= kFlat * boxes.scale ? 0 : m[j] > 0 ? -1 : 1;
        vertex[j] = with_sign(boxes.second_size[j], -m[j]);
    }
    incident.point = boxes.offset + boxes.axes * vertex;
    // Over the face in both directions along it?
    for (int axis = 0; axis < 3; ++axis)
    {
        // Along the face, in its own two directions.
        if (axis == best.first) continue;
        incident.over = incident.over && std::abs(incident.point[axis]) <= boxes.first_size[axis] + slack;
    }
    if (incident.over && least_rise > kFlat * boxes.scale) return incident;
    // Beside the face and clearly tilted: the boxes are apart, and nearest elsewhere.
    if (best.separation > 0 && least_rise > kTilted * boxes.scale) return incident;
    move_over(boxes, best, m, incident);
    return incident;
}

/// Where two edges cross, seen along the normal.
struct Crossing
{
    Vec3 on_first;  ///< in the frame of the first box
    ShapeFeature first_feature, second_feature;
    bool inside = true;  ///< whether both edges reach that far
};

Crossing find_crossing(const Boxes& boxes, const Axis& best)
{
    const Vec3 m = transpose_times(boxes.axes, best.normal);
    int first_sides[3], second_sides[3];
    Vec3 x, y, along;
    // The edges that look along the normal, through the corners where it is met.
    for (int i = 0; i < 3; ++i)
    {
        // The edge of each box that reaches furthest towards the other.
        first_sides[i] = i == best.first ? 0 : best.normal[i] < 0 ? -1 : 1;
        second_sides[i] = i == best.second ? 0 : m[i] < 0 ? 1 : -1;
        x[i] = first_sides[i] * boxes.first_size[i];
        y[i] = second_sides[i] * boxes.second_size[i];
    }
    along[best.first] = 1;
    const Vec3 other = boxes.axes.column(best.second);
    // Between the middles of the edges.
    const Vec3 across = cross(along, other), gap = boxes.offset + boxes.axes * y - x;
    // Nearest points of the two lines, measured from the middles of the edges.
    const double cosine = dot(along, other), on_other = dot(other, gap);
    const double s = dot(cross(gap, other), across) / dot(across, across);
    const double t = cosine * s - on_other;
    const double first_half = boxes.first_size[best.first], second_half = boxes.second_size[best.second];
    const double slack = kPreference * boxes.scale;
    // Nearly parallel edges cross where rounding says; but beside each other, not beyond the ends.
    const double beside = std::abs(cosine) > 0.5 ? (std::clamp(t, -second_half, second_half) + on_other) / cosine : s;
    // Within the ends of both: a witness on the boxes.
    x[best.first] = std::clamp(beside, -first_half, first_half);
    return {x, find_box_feature(first_sides), find_box_feature(second_sides),
            std::abs(s) <= first_half + slack && std::abs(t) <= second_half + slack};
}

}  // namespace

ShapeDistance find_box_box(const PlacedShape& first, const PlacedShape& second, double reach)
{
    // The second box seen from the first; scale for tolerances.
    Boxes boxes{first.size, second.size, transpose(first.rotation) * second.rotation, to_local(first, second.position)};
    boxes.scale = find_largest(first.size) + find_largest(second.size) + find_largest(boxes.offset);
    Axis best;
    // Faces are cheaper and end most queries beyond the reach.
    try_faces(boxes, best);
    if (best.separation > reach) return make_beyond(norm(boxes.offset), best.separation);
    try_edges(boxes, best);
    const double distance = best.separation;
    if (distance > reach) return make_beyond(norm(boxes.offset), distance);

    const Vec3 normal = first.rotation * best.normal;
    if (best.first >= 0 && best.second >= 0)
    {
        const Crossing crossing = find_crossing(boxes, best);
        // Two boxes apart may be nearest at a vertex, which no axis of the fifteen shows.
        if (distance > 0 && !crossing.inside) return find_convex_distance(first, second, reach);
        return make_exact(distance, to_world(first, crossing.on_first), normal, crossing.first_feature,
                          crossing.second_feature);
    }
    // Seen from the box whose face it is.
    const int axis = std::max(best.first, best.second);
    // A face of the second box is a face of the first with the roles exchanged.
    const bool on_first = best.first >= 0;
    // The second box's face looks against the normal.
    const Axis face{distance, on_first ? best.normal : -transpose_times(boxes.axes, best.normal), axis, -1};
    const Incident incident = find_incident(on_first ? boxes : boxes.seen_from_second(), face);
    if (distance > 0 && !incident.over) return find_convex_distance(first, second, reach);
    const ShapeFeature face_feature{FeatureKind::face, 2 * axis + (face.normal[axis] > 0 ? 1 : 0)};
    const ShapeFeature other_feature = find_box_feature(incident.sides);
    const Vec3 point = to_world(on_first ? first : second, incident.point);
    return on_first ? make_exact(distance, point - distance * normal, normal, face_feature, other_feature)
                    : make_exact(distance, point, normal, other_feature, face_feature);
}

}  // namespace rattleback
