// From all places where a surface is touched to the few points that hold as well.
#pragma once

#include "collide/surface/touch_surface.h"

namespace rattleback
{

/// A source of a point that no other point replaces.
inline constexpr std::uint32_t kKeepsAll = 0xffffffffU;

/// Where a corner lies behind several faces that meet in an edge which sticks out, it leaves through the nearest.
/// Expects a source for each point.
void drop_deeper_faces(SurfaceScratch& scratch);

/// Sorts by feature and drops all but the deepest of equal features.
void sort_points(SurfaceScratch& scratch);

/// Edges that cross deep in each other are a way out only where no far shorter one is as near as they are deep.
void drop_long_ways(SurfaceScratch& scratch);

/// As sort_points, and keeps at most `limit` points of each group with
/// nearly one normal: the deepest, then always the one furthest from those kept.
void choose_points(int limit, SurfaceScratch& scratch);

}  // namespace rattleback
