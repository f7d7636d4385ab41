// Scans hulls in SIMD lanes; big ones from the furthest vertex outwards.
#include "collide/manifold/hull_scan.h"

#include "base/index.h"
#include "geometry/convex/hull_support.h"

#include <algorithm>

namespace rattleback
{
namespace
{

// Small hulls are scanned whole, four vertices or faces at a time. Big ones climb along edges from a vertex that is
// near by direction, and walk outwards from the furthest one.

/// Vectors by coordinate, padded to a multiple of four, projected on a direction four at a time.
struct Projection
{
    const double *x, *y, *z;
    std::size_t padded;
    Pack4 dx, dy, dz;

    Projection(const std::vector<double>& xs, const std::vector<double>& ys, const std::vector<double>& zs,
               const Vec3& direction)
        : x(xs.data()), y(ys.data()), z(zs.data()), padded(xs.size()), dx(direction.x), dy(direction.y), dz(direction.z)
    {
    }
    Pack4 operator[](std::size_t i) const
    {
        // Three products for four vectors.
        return dx * load_pack(x + i) + dy * load_pack(y + i) + dz * load_pack(z + i);
    }
    double find_largest() const
    {
        Pack4 largest = (*this)[0];
        for (std::size_t i = 4; i < padded; i += 4)
        {
            const Pack4 next = (*this)[i];
            largest = select(next > largest, next, largest);
        }
        return std::max({largest.lanes[0], largest.lanes[1], largest.lanes[2], largest.lanes[3]});
    }
};

// Hulls with a graph for climbing are those with many vertices.
bool is_big(const Polyhedron& solid) { return !solid.climb.empty(); }

/// Of the faces around one vertex.
FacingFace find_facing_face_around(const Polyhedron& solid, const Vec3& local, int vertex)
{
    // Faces around the furthest vertex: the facing one is nearly always among them on a convex solid.
    FacingFace best{-1, -2};
    const auto look = [&](int face)
    {
        // Of nearly equal faces the first: the answer must not depend on where the walk began.
        const double cosine = dot(local, solid.face_normal[at(face)]), slack = find_cosine_slack(best.cosine);
        const bool is_better = cosine > best.cosine + slack || (cosine > best.cosine - slack && face < best.index);
        if (best.index < 0 || is_better) best = {face, cosine};
    };
    // Every edge of the vertex has two faces; each is looked at twice, which does no harm.
    for (int k = solid.neighbour_begin[at(vertex)]; k < solid.neighbour_begin[at(vertex) + 1]; ++k)
    {
        const int edge = find_edge(solid, vertex, solid.neighbours[at(k)]);
        if (edge < 0) continue;
        // Both faces of each edge.
        look(solid.edges[at(edge)].left);
        look(solid.edges[at(edge)].right);
    }
    return best;
}

/// The summit of a convex solid hangs together: from its highest vertex along edges.
void walk_summit(const Polyhedron& solid, const Vec3& local, int highest, int most, Summit& summit)
{
    // Breadth first from the top; vertices below the bar end the walk.
    summit.vertices[at(summit.count++)] = highest;
    for (int i = 0; i < summit.count; ++i)
    {
        const int vertex = summit.vertices[at(i)];
        for (int k = solid.climb_begin[at(vertex)]; k < solid.climb_begin[at(vertex) + 1]; ++k)
        {
            const int next = solid.climb[at(k)];
            const auto end = summit.vertices.begin() + summit.count;
            // On a convex solid everything above a level hangs together along edges.
            if (dot(local, solid.vertices[at(next)]) < summit.bar) continue;
            if (std::find(summit.vertices.begin(), end, next) != end) continue;
            // More than are wanted: the count says so, and nobody needs the rest.
            if (summit.count < most)
                summit.vertices[at(summit.count++)] = next;
            else
            {
                ++summit.count;
                return;
            }
        }
    }
    // Increasing: features must not depend on where the walk began.
    std::sort(summit.vertices.begin(), summit.vertices.begin() + summit.count);
}

}  // namespace

bool is_on_face(const Polyhedron& solid, int face, int vertex)
{
    constexpr double kFlush = 1e-6;  // of the radius: more than the builder lets a face bend
    // In the plane of the face, within what merging allowed.
    return dot(solid.face_normal[at(face)], solid.vertices[at(vertex)]) >=
           solid.face_offset[at(face)] - kFlush * solid.radius;
}

double find_hull_extent(const Polyhedron& solid, const Vec3& local)
{
    if (is_big(solid)) return dot(local, solid.vertices[at(cores::climb_furthest(solid, local, 0))]);
    return Projection(solid.x, solid.y, solid.z, local).find_largest();
}

FacingFace find_facing_face(const Polyhedron& solid, const Vec3& local)
{
    if (is_big(solid)) return find_facing_face_around(solid, local, cores::climb_furthest(solid, local, 0));
    // Small hulls by a scan over all normals.
    const Projection cosines(solid.normal_x, solid.normal_y, solid.normal_z, local);
    // The first face within the slack of the best, in the order of faces.
    const double largest = cosines.find_largest(), bar = largest - find_cosine_slack(largest);
    for (std::size_t i = 0; i < cosines.padded; i += 4)
    {
        const Pack4 next = cosines[i];
        if (!any(next >= Pack4(bar))) continue;
        int lane = 0;
        while (next.lanes[lane] < bar) ++lane;
        return {static_cast<int>(i) + lane, next.lanes[lane]};
    }
    return {};
}

Summit find_summit(const Polyhedron& solid, const Vec3& local, double slack, int most)
{
    Summit summit;
    if (is_big(solid))
    {
        const int highest = cores::climb_furthest(solid, local, 0);
        // The bar is relative to the highest: what is lower by less than the slack is as high.
        summit.bar = dot(local, solid.vertices[at(highest)]) - slack;
        walk_summit(solid, local, highest, most, summit);
        return summit;
    }
    const Projection heights(solid.x, solid.y, solid.z, local);
    // First how high, then who is that high.
    summit.bar = heights.find_largest() - slack;
    for (std::size_t i = 0; i < heights.padded; i += 4)
    {
        const Pack4 next = heights[i];
        if (!any(next >= Pack4(summit.bar))) continue;
        for (int lane = 0; lane < 4; ++lane)
        {
            const int vertex = static_cast<int>(i) + lane;
            // Lanes beyond the last vertex are padding.
            if (vertex >= solid.vertex_count() || next.lanes[lane] < summit.bar) continue;
            if (summit.count < most) summit.vertices[at(summit.count)] = vertex;
            if (++summit.count > most) return summit;
        }
    }
    return summit;
}

int find_beside(const Polyhedron& solid, int face, std::span<const int> shown, const Vec3& local, double bar,
                std::span<int> found)
{
    std::size_t count = 0;
    const auto look = [&](int vertex)
    {
        // Below the bar, in the plane of the face, or shown already: not wanted.
        if (count == found.size() || dot(local, solid.vertices[at(vertex)]) < bar) return;
        if (face >= 0 && is_on_face(solid, face, vertex)) return;
        if (face < 0 && std::find(shown.begin(), shown.end(), vertex) != shown.end()) return;
        const auto end = found.begin() + static_cast<std::ptrdiff_t>(count);
        if (std::find(found.begin(), end, vertex) == end) found[count++] = vertex;
    };
    if (!is_big(solid))
    {
        // The same scan with a lower bar: all that has sunk in.
        const Projection heights(solid.x, solid.y, solid.z, local);
        for (std::size_t i = 0; i < heights.padded; i += 4)
        {
            // Four at a time are dropped by one comparison.
            if (!any(heights[i] >= Pack4(bar))) continue;
            for (int lane = 0; lane < 4; ++lane)
            {
                const int vertex = static_cast<int>(i) + lane;
                if (vertex < solid.vertex_count()) look(vertex);
            }
        }
        return static_cast<int>(count);
    }
    const auto look_around = [&](int vertex)
    {
        for (int k = solid.climb_begin[at(vertex)]; k < solid.climb_begin[at(vertex) + 1]; ++k)
            look(solid.climb[at(k)]);
    };
    // From what is shown outwards along edges; those found are walked from in turn.
    for (const int vertex : shown) look_around(vertex);
    for (std::size_t i = 0; i < count; ++i) look_around(found[i]);
    return static_cast<int>(count);
}

}  // namespace rattleback
