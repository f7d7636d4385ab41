// The parts of a hull that are furthest along a direction: vertices and faces.
#pragma once

#include "geometry/placed_shape.h"

namespace rattleback
{

/// How far a hull reaches along a direction of its own frame [m].
double find_hull_extent(const Polyhedron& solid, const Vec3& local);

/// The face whose normal is nearest to a unit direction of the hull's frame, and its cosine; of nearly equal ones the
/// first.
struct FacingFace
{
    int index = 0;
    double cosine = 0;
};
FacingFace find_facing_face(const Polyhedron& solid, const Vec3& local);

/// The vertices of a hull that reach as far along a direction as any, up to a slack.
struct Summit
{
    static constexpr int kMaxKept = 8;

    int count = 0;                         ///< kMaxKept + 1: more than are kept
    std::array<int, kMaxKept> vertices{};  ///< increasing
    double bar = 0;                        ///< height from which on a vertex belongs to it [m]
};
Summit find_summit(const Polyhedron& solid, const Vec3& local, double slack);

/// Index of the edge between two vertices, -1 if there is none.
int find_edge(const Polyhedron& solid, int first, int second);

/// How much nearer to 1 a cosine must be than another to count as nearer. It is little for faces that look straight
/// there, where the cosine hardly changes with the angle, and more for faces aside, where two can be equally far.
inline double find_cosine_slack(double cosine) { return 1e-3 * (1 - cosine) + 1e-9; }

}  // namespace rattleback
