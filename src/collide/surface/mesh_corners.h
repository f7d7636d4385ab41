// Corners of a mesh on faces of a surface and the other way round, and the furthest corners of what has gone in through
// a face.
#pragma once

#include "collide/surface/choose_points.h"
#include "collide/surface/mesh_meeting.h"
#include "collide/surface/surface_key.h"
#include "collide/surface/triangle_pair.h"

#include <algorithm>
#include <cmath>
#include <type_traits>

namespace rattleback
{

template <class Surface>
class MeshCorners
{
public:
    explicit MeshCorners(MeshMeeting<Surface>& meeting)
        : meeting_(meeting),
          surface_(meeting.surface),
          placed_(meeting.placed),
          mesh_(meeting.mesh),
          reach_(meeting.reach),
          scratch_(meeting.scratch)
    {
    }

    /// Corners of the mesh on a face of the surface: each from one of its triangles.
    void touch_corners(const SurfaceTriangle& ours, const Heights& above, const SurfaceTriangle& theirs)
    {
        for (std::size_t i = 0; i < 3; ++i)
        {
            // Each corner once, with the triangle that owns it.
            if (above[i] >= reach_ || !ours.owns[i]) continue;
            const Vec3& corner = ours.corner[i];
            // The foot on the plane, within the triangle or over a groove.
            const Over over = find_over(theirs, corner - above[i] * theirs.normal, corner, above[i]);
            if (over == Over::outside) continue;
            const Vec3 down = -transpose_times(placed_.rotation, theirs.normal);
            // Not the lowest around: a neighbour is the contact.
            if (!mesh_.is_extreme(ours.vertex[i], down, kLeaningSine)) continue;
            // Behind the plane, but not in the solid: it has left by another side.
            meeting_.leans = false;
            if (above[i] < 0 && !meeting_.is_in_surface(2 * ours.vertex[i], corner, above[i])) continue;
            add_corner(ours.vertex[i], corner, above[i], theirs, over == Over::face);
        }
    }

    /// Corners of the surface on a face of the mesh.
    void touch_faces(const SurfaceTriangle& ours, const SurfaceTriangle& theirs, const Heights& below)
    {
        for (std::size_t i = 0; i < 3; ++i)
        {
            if (below[i] >= reach_ || !theirs.owns[i]) continue;
            const Vec3& corner = theirs.corner[i];
            const Over over = find_over(ours, corner - below[i] * ours.normal, corner, below[i]);
            // Seen along the mesh's normal, in the frame of the surface.
            if (over == Over::outside || !surface_.is_extreme(theirs.vertex[i], -ours.normal, kLeaningSine)) continue;
            meeting_.leans = false;
            if (below[i] < 0 && !meeting_.is_in_mesh(2 * theirs.vertex[i] + 1, corner, below[i])) continue;
            add_their_corner(theirs.vertex[i], corner, below[i], ours, over == Over::face);
        }
    }

    /// From corners that are behind the other triangle, and came there through it, to the furthest behind it.
    void enter(const SurfaceTriangle& ours, const Heights& above, const SurfaceTriangle& theirs, const Heights& below)
    {
        // No deeper than the smaller triangle is large: beyond, the crossing says nothing.
        const double size = 2 * std::sqrt(std::min(find_ball(ours.corner).square, find_ball(theirs.corner).square));
        for (std::size_t i = 0; i < 3; ++i)
        {
            const std::size_t k = (i + 1) % 3;
            if (pierces(ours, i, k, above, theirs))
            {
                meeting_.pierced = true;
                keep_crossing(ours, i, k, above, theirs.normal, size,
                              make_surface_key(SurfacePart::inside, 2, theirs.patch));
                // The end behind the plane came in through this triangle.
                follow_corner(ours.vertex[above[i] < 0 ? i : k], theirs);
            }
            if (pierces(theirs, i, k, below, ours))
            {
                meeting_.pierced = true;
                keep_crossing(theirs, i, k, below, -ours.normal, size,
                              make_surface_key(SurfacePart::inside, 3, ours.patch));
                follow_their_corner(theirs.vertex[below[i] < 0 ? i : k], ours);
            }
        }
    }

private:
    /// Of all edges that go through a triangle the one that is deepest behind it, yet no deeper than the smaller
    /// triangle is large: a way out where no other is found.
    void keep_crossing(const SurfaceTriangle& of, std::size_t from, std::size_t to, const Heights& height,
                       const Vec3& normal, double size, std::uint64_t feature)
    {
        const double depth = std::min(size, -std::min(height[from], height[to]));
        // The deepest of all crossings is kept.
        if (-depth >= meeting_.crossing.distance) return;
        // Where the edge goes in.
        const double share = height[from] / (height[from] - height[to]);
        const Vec3 place = of.corner[from] + share * (of.corner[to] - of.corner[from]);
        meeting_.crossing = {.point = place, .normal = normal, .distance = -depth, .feature = feature};
    }

    void add_corner(int vertex, const Vec3& corner, double height, const SurfaceTriangle& theirs, bool is_over)
    {
        // Half way between corner and plane.
        meeting_.add(corner - (0.5 * height) * theirs.normal, theirs.normal, height,
                     make_surface_key(SurfacePart::face, static_cast<std::uint64_t>(vertex), theirs.patch),
                     // Corners of both meshes are told apart by the last bit.
                     is_over ? static_cast<std::uint32_t>(2 * vertex) : kKeepsAll);
    }
    void add_their_corner(int vertex, const Vec3& corner, double height, const SurfaceTriangle& ours, bool is_over)
    {
        meeting_.add(corner - (0.5 * height) * ours.normal, -ours.normal, height,
                     make_surface_key(SurfacePart::vertex, static_cast<std::uint64_t>(ours.patch), vertex),
                     is_over ? static_cast<std::uint32_t>(2 * vertex + 1) : kKeepsAll);
    }

    /// A corner of ours that came in through a face of theirs: from it on down to the furthest, which is held by the
    /// face nearest to it, or, having left through the other side of a wall, by the face it came in by.
    void follow_corner(int vertex, const SurfaceTriangle& theirs)
    {
        const Vec3 down = -transpose_times(placed_.rotation, theirs.normal);
        // One walk per corner and direction: others would end at the same tip.
        if (scratch_.corners.was_followed(2 * vertex, theirs.normal)) return;
        // Steepest descent along edges, in the mesh's own frame.
        const int tip = mesh_.find_extreme(vertex, down, kMaxClimb);
        const Vec3 corner = meeting_.to_surface(mesh_.vertex(tip));
        const double height = dot(theirs.normal, corner - theirs.corner[0]);
        const bool is_over = find_over(theirs, corner - height * theirs.normal, corner, height) == Over::face;
        // A sheet has no depth but that over its own face.
        if (!surface_.has_inside())
        {
            if (is_over) add_corner(tip, corner, height, theirs, true);
            return;
        }
        // Only faces that look towards the tip hold it; a wall pushes back what is over it or came no further.
        const bool is_at_wall = is_over || tip == vertex;
        if (!is_at_wall && !may_be_held(surface_, corner, -height, mesh_, tip, placed_.rotation)) return;
        // How deep the tip is in the solid; nothing nearer than the face it came through.
        const NearestOnSurface nearest =
            scratch_.corners.find_nearest_to(surface_, 2 * tip, corner, -(1 + 1e-9) * height);
        if (nearest.triangle < 0) return;
        const SurfaceTriangle face = surface_.triangle(nearest.triangle);
        const double depth = dot(face.normal, corner - face.corner[0]);
        const Vec3 out = -transpose_times(placed_.rotation, face.normal);
        // Inside, and the tip is also the furthest towards the face nearest to it: that is the way out.
        if (nearest.distance <= 0 && depth < 0 && mesh_.is_extreme(tip, out, kLeaningSine))
            add_corner(tip, corner, depth, face, true);
        // On the far side of a thin wall: back through the face it came in by.
        else if (is_at_wall && dot(face.normal, theirs.normal) < 0)
            add_corner(tip, corner, height, theirs, true);
    }
    void follow_their_corner(int vertex, const SurfaceTriangle& ours)
    {
        if (scratch_.corners.was_followed(2 * vertex + 1, ours.normal)) return;
        const int tip = surface_.find_extreme(vertex, -ours.normal, kMaxClimb);
        const Vec3 corner = surface_.vertex(tip);
        const double height = dot(ours.normal, corner - ours.corner[0]);
        const bool is_over = find_over(ours, corner - height * ours.normal, corner, height) == Over::face;
        if (!mesh_.has_inside())
        {
            if (is_over) add_their_corner(tip, corner, height, ours, true);
            return;
        }
        const bool is_at_wall = is_over || tip == vertex;
        if (!is_at_wall &&
            !may_be_held(mesh_, meeting_.to_mesh(corner), -height, surface_, tip, transpose(placed_.rotation)))
            return;
        const NearestOnSurface nearest =
            scratch_.corners.find_nearest_to(mesh_, 2 * tip + 1, meeting_.to_mesh(corner), -(1 + 1e-9) * height);
        if (nearest.triangle < 0) return;
        const SurfaceTriangle face = meeting_.place(mesh_.triangle(nearest.triangle));
        const double depth = dot(face.normal, corner - face.corner[0]);
        if (nearest.distance <= 0 && depth < 0 && surface_.is_extreme(tip, -face.normal, kLeaningSine))
            add_their_corner(tip, corner, depth, face, true);
        else if (is_at_wall && dot(face.normal, ours.normal) < 0)
            add_their_corner(tip, corner, height, ours, true);
    }

    /// False when no face of `by` within `depth` [m] of a corner of `of` can hold it, for none looks towards it. `turn`
    /// leads from the frame of `of` to that of `by`, in which `point` is.
    template <class By, class Of>
    static bool may_be_held(const By& by, const Vec3& point, double depth, const Of& of, int vertex, const Mat3& turn)
    {
        if constexpr (std::is_same_v<By, MeshSurface> && std::is_same_v<Of, MeshSurface>)
        {
            CornerCones cones = of.corner_cones(vertex);
            cones.front.axis = turn * cones.front.axis;
            cones.back.axis = turn * cones.back.axis;
            return by.may_be_held(point, (1 + 1e-9) * depth, cones);
        }
        return true;
    }

    /// Edges: further away lies another part of the surface, which no way in leads to.
    static constexpr int kMaxClimb = 100;

    MeshMeeting<Surface>& meeting_;
    const Surface& surface_;
    const PlacedShape& placed_;
    const MeshSurface& mesh_;
    double reach_;
    SurfaceScratch& scratch_;
};

}  // namespace rattleback
