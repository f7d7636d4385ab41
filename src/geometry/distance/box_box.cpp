// Two boxes: fifteen axes when they overlap or a face or two edges are nearest; the general routine otherwise.
#include "geometry/distance/local.h"
#include "geometry/distance/pairs.h"

#include <array>

namespace rattleback
{
namespace
{

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

constexpr double kPreference = 1e-13;  ///< of the scale: equal up to rounding, then the earlier axis

double find_separation(const Boxes& boxes, const Vec3& n)
{
    const Vec3& a = boxes.first_size;
    const Vec3& b = boxes.second_size;
    const Vec3 m = transpose_times(boxes.axes, n);
    return std::abs(dot(n, boxes.offset)) - (a.x * std::abs(n.x) + a.y * std::abs(n.y) + a.z * std::abs(n.z)) -
           (b.x * std::abs(m.x) + b.y * std::abs(m.y) + b.z * std::abs(m.z));
}

void try_faces(const Boxes& boxes, Axis& best)
{
    const Vec3 seen = transpose_times(boxes.axes, boxes.offset);
    for (int i = 0; i < 3; ++i)
    {
        double reach = boxes.first_size[i];
        for (int j = 0; j < 3; ++j) reach += boxes.second_size[j] * std::abs(boxes.axes(i, j));
        const double separation = std::abs(boxes.offset[i]) - reach;
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
        if (count < kMaxCorners) corners[static_cast<std::size_t>(count++)] = corner;
    }
    const Vec3& operator[](int i) const { return corners[static_cast<std::size_t>(i % count)]; }
};

/// Cuts off what is beyond `end` along an axis, or before -end where `side` is -1.
void clip(int axis, double side, double end, Polygon& polygon)
{
    Polygon kept;
    for (int i = 0; i < polygon.count; ++i)
    {
        const Vec3 &here = polygon[i], &next = polygon[i + 1];
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

/// The middle of what is over the face where a whole edge or face lies flat.
Incident find_incident(const Boxes& boxes, const Axis& best)
{
    const double slack = kPreference * boxes.scale;
    Incident incident;
    const Vec3 m = transpose_times(boxes.axes, best.normal);
    Vec3 middle, free[2];
    int free_count = 0;
    for (int j = 0; j < 3; ++j)
    {
        const bool is_free = std::abs(m[j]) * boxes.second_size[j] <= 1e-12 * boxes.scale && free_count < 2;
        incident.sides[j] = is_free ? 0 : m[j] > 0 ? -1 : 1;
        middle[j] = incident.sides[j] * boxes.second_size[j];
        if (is_free) free[free_count++] = boxes.second_size[j] * boxes.axes.column(j);
    }
    incident.point = boxes.offset + boxes.axes * middle;
    Polygon polygon;
    polygon.add(incident.point - free[0] - free[1]);
    if (free_count > 0) polygon.add(incident.point + free[0] - free[1]);
    if (free_count > 1) polygon.add(incident.point + free[0] + free[1]);
    if (free_count > 1) polygon.add(incident.point - free[0] + free[1]);
    for (int axis = 0; axis < 3; ++axis)
    {
        if (axis == best.first) continue;
        clip(axis, 1, boxes.first_size[axis] + slack, polygon);
        clip(axis, -1, boxes.first_size[axis] + slack, polygon);
    }
    incident.over = polygon.count > 0;
    if (!incident.over) return incident;
    Vec3 sum;
    for (int i = 0; i < polygon.count; ++i) sum += polygon[i];
    incident.point = (1.0 / polygon.count) * sum;
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
    for (int i = 0; i < 3; ++i)
    {
        first_sides[i] = i == best.first ? 0 : best.normal[i] < 0 ? -1 : 1;
        second_sides[i] = i == best.second ? 0 : m[i] < 0 ? 1 : -1;
        x[i] = first_sides[i] * boxes.first_size[i];
        y[i] = second_sides[i] * boxes.second_size[i];
    }
    along[best.first] = 1;
    const Vec3 other = boxes.axes.column(best.second);
    const Vec3 across = cross(along, other), gap = boxes.offset + boxes.axes * y - x;
    const double s = dot(cross(gap, other), across) / dot(across, across);
    const double t = dot(along, other) * s - dot(other, gap);
    const double first_half = boxes.first_size[best.first], second_half = boxes.second_size[best.second];
    const double slack = kPreference * boxes.scale;
    x[best.first] = std::clamp(s, -first_half, first_half);
    return {x, find_box_feature(first_sides), find_box_feature(second_sides),
            std::abs(s) <= first_half + slack && std::abs(t) <= second_half + slack};
}

}  // namespace

ShapeDistance find_box_box(const PlacedShape& first, const PlacedShape& second, double reach)
{
    Boxes boxes{first.size, second.size, transpose(first.rotation) * second.rotation, to_local(first, second.position)};
    boxes.scale = find_largest(first.size) + find_largest(second.size) + find_largest(boxes.offset);
    Axis best;
    try_faces(boxes, best);
    if (best.separation > reach) return make_beyond(norm(boxes.offset), best.separation);
    try_edges(boxes, best);
    const double distance = best.separation;
    if (distance > reach) return make_beyond(norm(boxes.offset), distance);

    const Vec3 normal = first.rotation * best.normal;
    if (best.first >= 0 && best.second >= 0)
    {
        const Crossing crossing = find_crossing(boxes, best);
        if (distance > 0 && !crossing.inside) return find_convex_distance(first, second, reach);
        return make_exact(distance, to_world(first, crossing.on_first), normal, crossing.first_feature,
                          crossing.second_feature);
    }
    const int axis = std::max(best.first, best.second);
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
