// Recycling of contact points: what two shapes keep while they hardly move against each other.
#pragma once

#include "collide/manifold.h"

#include <rattleback/query.h>

namespace rattleback
{

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
