// A mesh and the surface it meets: frames, what lies inside of what, and the list of contacts that both kinds of
// features add to.
#pragma once

#include "collide/surface/touch_surface.h"
#include "collide/surface/triangle_tests.h"

#include <algorithm>

namespace rattleback
{

/// All in the frame of the surface: only the mesh's triangles are moved.
template <class Surface>
struct MeshMeeting
{
    MeshMeeting(const Surface& its_surface, const PlacedShape& its_placed, double its_reach,
                SurfaceScratch& its_scratch)
        : surface(its_surface), placed(its_placed), mesh(*its_placed.mesh), reach(its_reach), scratch(its_scratch)
    {
        scratch.corners.forget();
        scratch.leaning.clear();
    }

    Vec3 to_surface(const Vec3& point) const { return placed.position + placed.rotation * point; }
    Vec3 to_mesh(const Vec3& point) const { return transpose_times(placed.rotation, point - placed.position); }
    SurfaceTriangle place(SurfaceTriangle triangle) const
    {
        for (std::size_t i = 0; i < 3; ++i)
        {
            triangle.corner[i] = to_surface(triangle.corner[i]);
            // Neighbours' normals turn along: they bound the Voronoi regions of the edges.
            triangle.beyond[i] = placed.rotation * triangle.beyond[i];
        }
        triangle.normal = placed.rotation * triangle.normal;
        return triangle;
    }

    /// False for points behind a face, `distance` [m] (negative) away from it, that have left the solid on another
    /// side. An edge that lies flat on another is on that side: a little beside it, when the two are tilted, still
    /// counts, if the solids are not apart.
    bool is_inside(const NearestOnSurface& nearest, double distance)
    {
        if (nearest.triangle < 0 || nearest.distance > -kLeaningSine * distance) return false;
        leans = leans || nearest.distance > 0;
        return true;
    }
    /// Where no edge goes through a face, nothing has sunk in by its side.
    void drop_leaning()
    {
        for (std::size_t i = scratch.leaning.size(); i-- > 0;)
        {
            const auto place = static_cast<std::ptrdiff_t>(scratch.leaning[i]);
            scratch.points.erase(scratch.points.begin() + place);
            scratch.source.erase(scratch.source.begin() + place);
        }
    }

    bool is_in_surface(int vertex, const Vec3& point, double distance)
    {
        // Every point behind a sheet is behind it: it has no other side to leave by.
        if (!surface.has_inside()) return true;
        return is_inside(scratch.corners.find_nearest_to(surface, vertex, point, -(1 + 1e-9) * distance), distance);
    }
    bool is_in_mesh(int vertex, const Vec3& point, double distance)
    {
        if (!mesh.has_inside()) return true;
        return is_inside(scratch.corners.find_nearest_to(mesh, vertex, to_mesh(point), -(1 + 1e-9) * distance),
                         distance);
    }

    void add(const Vec3& point, const Vec3& normal, double distance, std::uint64_t feature, std::uint32_t source)
    {
        if (leans) scratch.leaning.push_back(static_cast<std::uint32_t>(scratch.points.size()));
        leans = false;
        scratch.points.push_back({.point = point, .normal = normal, .distance = distance, .feature = feature});
        scratch.source.push_back(source);
    }

    const Surface& surface;
    const PlacedShape& placed;  ///< the mesh, in the frame of the surface
    const MeshSurface& mesh;
    const double reach;  ///< [m]
    SurfaceScratch& scratch;
    ManifoldPoint crossing{};  ///< the deepest of all edges that go through a face: a way out where no other is found
    bool pierced = false;      ///< an edge of one goes through a face of the other
    bool leans = false;        ///< the point looked at is a little outside of what it has sunk into
};

}  // namespace rattleback
