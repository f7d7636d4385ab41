// The parts of a hull that are furthest along a direction: vertices and faces.
#pragma once

#include "geometry/distance.h"

#include <array>
#include <span>

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
/// Stops counting once there are more than `most`, at most kMaxKept.
Summit find_summit(const Polyhedron& solid, const Vec3& local, double slack, int most);

/// What a hull stands on along a direction: the face that faces it, if that holds the summit or is all but level, else
/// an edge or a vertex, those of the summit.
FeatureKind find_standing(const Polyhedron& solid, const FacingFace& face, const Vec3& local, const Summit& summit);

/// Whether a vertex is in the plane of a face: then it is one of its corners.
bool is_on_face(const Polyhedron& solid, int face, int vertex);

/// Adds the vertices that reach as far as `bar` [m] along a direction and are not among the `shown` ones, nor in
/// the plane of `face` unless that is -1; as many as there is room for. Returns how many.
int find_beside(const Polyhedron& solid, int face, std::span<const int> shown, const Vec3& local, double bar,
                std::span<int> found);

/// How much nearer to 1 a cosine must be than another to count as nearer. It is little for faces that look straight
/// there, where the cosine hardly changes with the angle, and more for faces aside, where two can be equally far.
inline double find_cosine_slack(double cosine) { return 1e-3 * (1 - cosine) + 1e-9; }

}  // namespace rattleback
