// Smooth shapes without a closed form of their own: one point where the two surfaces are nearest.
#include "collide/manifold/functions.h"
#include "collide/manifold/touching_pair.h"

namespace rattleback
{

void touch_round(const PlacedShape& first, const PlacedShape& second, double reach, Manifold& manifold)
{
    // Smooth against anything: one nearest point.
    ShapeDistance found = find_distance(first, second, reach);
    if (!is_in_reach(found, reach)) return;
    manifold.add({0.5 * (found.on_first + found.on_second), found.normal, found.distance, 0});
}

}  // namespace rattleback
