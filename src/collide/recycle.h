// Recycling of contact points: what two shapes keep while they hardly move against each other.
#pragma once

#include "collide/manifold.h"

#include <rattleback/query.h>

namespace rattleback
{

/// Contact points of two shapes, kept while the shapes hardly move against each other.
struct KeptManifold
{
    ShapeId first, second;
    int begin = 0, count = 0;     ///< of KeptManifolds::points
    double reach = 0, limit = 0;  ///< all points nearer than this were found [m]; they last for a motion by this [m]
    Mat3 turn;                    ///< rotation of the second shape seen from the first, when they were found
    Vec3 offset;                  ///< its position
    Vec3 normal, tangent;         ///< of all points (see ManifoldPoint), in the axes of the first shape
};
struct KeptPoint
{
    Vec3 on_first, on_second;  ///< in the frames of the shapes [m]
    std::uint64_t feature = 0;
};

/// What recycle_contacts() passes on from step to step. Contacts depend on it: it is saved with the state.
struct KeptManifolds
{
    std::vector<KeptManifold> manifolds;  ///< in the order of the contacts
    std::vector<KeptPoint> points;

    void clear();
    /// False for numbers that no collider wrote, so that a damaged file does no harm.
    bool is_sound() const;
};

/// As Collider::find_contacts (and points up to 0.2 % of the size further out), but boxes, hulls and planes that moved
/// against each other by less than 0.1 % of their size since their points were found keep them, carried along with the
/// shapes, distances following the poses. `kept` is what the last step left as `next`. A function of poses and `kept`.
void recycle_contacts(Collider& collider, const ConstWorldView& world, double margin, ColliderMemory& memory,
                      const KeptManifolds& kept, KeptManifolds& next, Contacts& contacts, double motion = 0);

/// How far two shapes may move at most against each other before their points are found anew [m].
double find_recycling_limit(double first_radius, double second_radius);

/// True for pairs whose points may be kept: of round shapes they wander over the surface.
bool may_recycle(ShapeType first, ShapeType second);

/// The old points where the shapes are now; false when the shapes moved too far, or points nearer than `reach` may be
/// missing. `radius` is the bounding radius of the second shape [m].
bool replay(const KeptManifold& kept, const std::vector<KeptPoint>& points, const PlacedShape& first,
            const PlacedShape& second, double radius, double reach, Manifold& manifold);

/// Appends the points of a manifold found within `reach`; nothing when they do not share one normal. Points on a line
/// (where another normal may be due soon) last for a small part of the `limit` only.
void keep_manifold(const PairCandidate& pair, const PlacedShape& first, const PlacedShape& second, double reach,
                   double limit, const Manifold& manifold, KeptManifolds& next);

/// Appends a manifold as it is.
void keep_again(const KeptManifold& kept, const std::vector<KeptPoint>& points, KeptManifolds& next);

}  // namespace rattleback
