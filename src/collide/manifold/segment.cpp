// Builds the straight part of a shape that lies in a contact: an edge, or the line along a round side.
#include "base/index.h"
#include "collide/manifold/hull_scan.h"
#include "collide/manifold/part_builder.h"

namespace rattleback
{
namespace
{

// An edge counts as lying in the contact when both its ends are equally far along the normal, within the slack. Of
// several, the one through the contact point and most along the other shape's line is taken, so that two lines overlap.

bool build_box_edge(const PlacedShape& box, const Vec3& local, const NormalFrame& frame, double slack,
                    const Vec3& place, const Vec3& along, FlatPart& part)
{
    // An axis is level when both its ends are as high, up to the slack.
    const auto is_level = [&](int i) { return 2 * box.size[i] * std::abs(local[i]) <= slack; };
    int axis = -1;
    for (int i = 0; i < 3; ++i)
    {
        // Of level axes the one most along the hint, and of equal ones the first.
        if (is_level(i) && (axis < 0 || std::abs(along[i]) > 1.001 * std::abs(along[axis]))) axis = i;
    }
    if (axis < 0) return false;
    Vec3 center, half;
    std::uint32_t corner = 0;
    for (int i = 0; i < 3; ++i)
    {
        if (i == axis) continue;
        // Other level axes choose the edge nearest to the contact; slanted ones the side that looks there.
        const bool is_positive = (is_level(i) ? place[i] : local[i]) >= 0;
        center[i] = is_positive ? box.size[i] : -box.size[i];
        if (is_positive) corner |= 1U << i;
    }
    half[axis] = box.size[axis];
    // The two ends differ in one bit: the axis.
    build_line(box.position + box.rotation * center, box.rotation * half, frame, corner, corner | (1U << axis), part);
    part.kind = FeatureKind::edge;
    part.index = part.edge[0] = find_box_edge(axis, corner);
    return true;
}

bool find_hull_edge(const PlacedShape& shape, const Vec3& local, const NormalFrame& frame, double slack,
                    const Vec3& place, const Vec3& along, FlatPart& part)
{
    const Polyhedron& solid = *shape.hull;
    const Summit summit = find_summit(solid, local, slack, Summit::kMaxKept);
    // More than a few highest vertices are a face, which is not wanted here.
    if (summit.count < 2 || summit.count > Summit::kMaxKept) return false;
    double best = -1;
    int first = -1, second = -1;
    // All edges between highest vertices, of which there are few.
    for (int i = 0; i < summit.count; ++i)
    {
        for (int j = i + 1; j < summit.count; ++j)
        {
            const int from = summit.vertices[at(i)], to = summit.vertices[at(j)];
            if (find_edge(solid, from, to) < 0) continue;
            const Vec3& a = solid.vertices[at(from)];
            const Vec3 edge = solid.vertices[at(to)] - a;
            const double length = norm(edge);
            // The edge must pass through the contact point.
            if (norm(cross(edge, place - a)) > 2 * slack * length) continue;
            // Along the hint, as the other shape's axis runs.
            const double score = std::abs(dot(edge, along)) / length;
            if (score <= 1.001 * best) continue;
            best = score;
            first = from;
            second = to;
        }
    }
    if (first < 0) return false;
    build_hull_edge(shape, first, second, frame, part);
    return true;
}

}  // namespace

bool build_segment(const PlacedShape& shape, const NormalFrame& frame, int sign, double slack, const Vec3& near,
                   const Vec3& hint, FlatPart& part)
{
    const Vec3 local = transpose_times(shape.rotation, sign * frame.n);
    // In the shape's frame.
    const Vec3 place = transpose_times(shape.rotation, near - shape.position);
    const Vec3 along = transpose_times(shape.rotation, hint);
    // Round sides: level as a whole or not at all.
    const bool is_level = 2 * shape.size.y * std::abs(local.z) <= slack;
    switch (shape.type)
    {
        case ShapeType::capsule:
            if (is_level) build_capsule_line(shape, frame, sign, part);
            return is_level;
        case ShapeType::cylinder:
            if (is_level) build_cylinder_line(shape, frame, sign, part);
            return is_level;
        case ShapeType::box:
            return build_box_edge(shape, local, frame, slack, place, along, part);
        case ShapeType::hull:
        case ShapeType::mesh:
            return find_hull_edge(shape, local, frame, slack, place, along, part);
        default:
            return false;
    }
}

}  // namespace rattleback
