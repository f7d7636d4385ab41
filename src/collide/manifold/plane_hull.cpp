// Hulls on planes: the face, edge or vertex that looks down, and what else is under the plane.
#include "base/index.h"
#include "collide/manifold/functions.h"
#include "collide/manifold/hull_scan.h"
#include "collide/manifold/touching_pair.h"
#include "math/pack.h"

#include <algorithm>

namespace rattleback
{
namespace
{

// The same idea as between two parts (flat.cpp), but a plane is everywhere: no overlap has to be found, only the lowest
// part of the hull and whatever else has sunk below the plane.

constexpr int kLimit = 4;  // of points

/// The corners of a part below `reach` over the plane at height zero; at most four.
void add_part(const FlatPart& part, const NormalFrame& frame, double reach, double tolerance, Manifold& manifold)
{
    Overlap overlap;
    // Corners of the face, edge or vertex that looks down.
    // Height over the plane is the distance itself.
    for (std::size_t i = 0; i < static_cast<std::size_t>(part.count); ++i)
    {
        if (part.h[i] < reach) overlap.add({part.u[i], part.v[i], 0, part.h[i], part.corner[i]});
    }
    for (std::size_t i = 0; i < static_cast<std::size_t>(part.loose_count); ++i)
    {
        // And others that have sunk in beside it.
        if (part.loose_h[i] < reach) overlap.add({part.loose_u[i], part.loose_v[i], 0, part.loose_h[i], part.loose[i]});
    }
    reduce_overlap(overlap, kLimit, tolerance);
    add_overlap(overlap, frame, manifold);
}

/// Big hulls: from part to part.
void touch_big(const PlacedShape& plane, const PlacedShape& hull, double reach, Manifold& manifold)
{
    const Vec3 normal = plane.rotation.column(2);
    // The support along the normal settles whether the hull is in reach at all.
    const double distance = dot(normal, hull.position - plane.position) - find_extent(hull, -normal);
    if (distance >= reach) return;
    const NormalFrame frame = make_normal_frame(plane.position, normal);
    const double tolerance = kTolerance * find_width(hull);
    FlatPart part;
    // Sign -1: the part looks against the plane's normal.
    build_part(hull, find_face(hull, -normal), frame, -1, tolerance, find_loose_depth(distance, tolerance), part);
    add_part(part, frame, reach, tolerance, manifold);
}

/// The same for hulls of few vertices: how far each is down is found once, four at a time.
class SmallHull
{
public:
    static constexpr int kMaxVertices = 128;

    SmallHull(const PlacedShape& plane, const PlacedShape& hull)
        : plane_(plane),
          hull_(hull),
          solid_(*hull.hull),
          normal_(plane.rotation.column(2)),
          local_(-transpose_times(hull.rotation, normal_)),
          height_(dot(normal_, hull.position - plane.position))
    {
        // Heights of all vertices, four at a time; the summit, the face and what is beside it are read from them.
        const Pack4 x(local_.x), y(local_.y), z(local_.z);
        const auto project = [&](std::size_t i)
        { return x * load_pack(&solid_.x[i]) + y * load_pack(&solid_.y[i]) + z * load_pack(&solid_.z[i]); };
        // A running maximum in four lanes.
        Pack4 largest = project(0);
        for (std::size_t i = 0; i < solid_.x.size(); i += 4)
        {
            const Pack4 next = project(i);
            store_pack(next, &down_[i]);
            largest = select(next > largest, next, largest);
        }
        // Padding repeats the first vertex: it cannot win.
        lowest_ = std::max({largest.lanes[0], largest.lanes[1], largest.lanes[2], largest.lanes[3]});
    }

    double distance() const { return height_ - lowest_; }

    void touch(double reach, Manifold& manifold)
    {
        // Lengths below this are equal: relative to the widest face.
        const double tolerance = kTolerance * solid_.width;
        const double depth = find_loose_depth(distance(), tolerance);
        const double bar = lowest_ - depth, top = lowest_ - tolerance, least = std::min(bar, top);
        std::array<int, kMaxVertices> low;
        int low_count = 0;
        Summit summit;
        summit.bar = top;
        // One pass collects what is highest (the summit) and what has sunk in (low).
        for (int i = 0; i < solid_.vertex_count(); ++i)
        {
            // Below both bars: neither of the summit nor sunk in.
            if (down_[at(i)] < least) continue;
            low[at(low_count++)] = i;
            if (down_[at(i)] < top) continue;
            if (summit.count < 2) summit.vertices[at(summit.count)] = i;
            ++summit.count;
        }
        // The face that looks down, unless the summit is a single vertex or edge beside it.
        const FacingFace face = find_facing_face(solid_, local_);
        const FeatureKind kind = find_standing(solid_, face, local_, summit);
        // The corners of the face that lies down, or the edge or vertex that the hull stands on.
        if (kind == FeatureKind::face)
        {
            for (int i = solid_.face_begin[at(face.index)]; i < solid_.face_begin[at(face.index) + 1]; ++i)
                take(solid_.face_vertices[at(i)], reach);
        }
        else
        {
            take(summit.vertices[0], reach);
            if (kind == FeatureKind::edge) take(summit.vertices[1], reach);
        }
        const int shown = count_;
        // Others that are under the plane as well, if it has sunk in.
        for (int i = 0; i < low_count && depth > tolerance && count_ - shown < FlatPart::kMaxLoose; ++i)
        {
            // Not again what is shown already: corners of the face, or of the edge.
            const int vertex = low[at(i)];
            if (down_[at(vertex)] < bar) continue;
            if (kind == FeatureKind::face && is_on_face(solid_, face.index, vertex)) continue;
            if (kind != FeatureKind::face && vertex == summit.vertices[0]) continue;
            if (kind == FeatureKind::edge && vertex == summit.vertices[1]) continue;
            take(vertex, reach);
        }
        give(tolerance, manifold);
    }

private:
    void take(int vertex, double reach)
    {
        // Within reach of the plane.
        if (height_ - down_[at(vertex)] < reach) taken_[at(count_++)] = vertex;
    }

    Vec3 place(int vertex) const { return hull_.position + hull_.rotation * solid_.vertices[at(vertex)]; }

    void give(double tolerance, Manifold& manifold)
    {
        // More than four: those that hold best, chosen in the plane.
        if (count_ > kLimit)
        {
            const NormalFrame frame = make_normal_frame(plane_.position, normal_);
            Overlap overlap;
            // The choice looks at the plane from above.
            for (int i = 0; i < count_; ++i)
            {
                const int vertex = taken_[at(i)];
                const Vec3 from_origin = place(vertex) - frame.origin;
                overlap.add({dot(frame.u, from_origin), dot(frame.v, from_origin), 0, height_ - down_[at(vertex)],
                             static_cast<std::uint64_t>(vertex)});
            }
            reduce_overlap(overlap, kLimit, tolerance);
            count_ = overlap.count;
            for (int i = 0; i < count_; ++i) taken_[at(i)] = static_cast<int>(overlap.points[at(i)].feature);
        }
        // Features in increasing order, as every manifold has them.
        std::sort(taken_.begin(), taken_.begin() + count_);
        for (int i = 0; i < count_; ++i)
        {
            const int vertex = taken_[at(i)];
            const double distance = height_ - down_[at(vertex)];
            manifold.add(
                {place(vertex) - (0.5 * distance) * normal_, normal_, distance, static_cast<std::uint64_t>(vertex)});
        }
    }

    const PlacedShape& plane_;
    const PlacedShape& hull_;
    const Polyhedron& solid_;
    Vec3 normal_, local_;  // of the plane; its opposite in the hull's frame
    double height_, lowest_ = 0;
    std::array<double, kMaxVertices> down_;  // of each vertex from the hull's position [m]
    std::array<int, kMaxVertices + FlatPart::kMaxLoose> taken_;
    int count_ = 0;
};

}  // namespace

void touch_plane_hull(const PlacedShape& plane, const PlacedShape& hull, double reach, Manifold& manifold)
{
    const Polyhedron& solid = *hull.hull;
    if (!solid.climb.empty() || static_cast<int>(solid.x.size()) > SmallHull::kMaxVertices)
        return touch_big(plane, hull, reach, manifold);
    SmallHull small(plane, hull);
    if (small.distance() < reach) small.touch(reach, manifold);
}

}  // namespace rattleback
