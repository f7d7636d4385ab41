// What the broad phase keeps of one world: fat boxes, the tree over them, and the pairs whose fat boxes overlap.
#pragma once

#include "collide/pair_sorter.h"
#include "geometry/tree.h"

namespace rattleback
{

/// As long as every moving proxy stays inside its fat box, `pairs` holds all that can possibly meet.
struct BroadMemory
{
    std::uint64_t signature = 0;   ///< of the placement that this fits
    std::vector<Aabb> fat_boxes;   ///< [moving proxy]
    BoxTree tree;                  ///< of the fat boxes
    std::vector<ProxyPair> pairs;  ///< of proxies, sorted; filters have been applied
    double cost_after_build = 0;   ///< nodes looked at per query just after the tree was built; 0: not known
    std::int64_t jumps = 0;        ///< proxies that left the place where the tree expects them, since it was built
    bool is_worn = false;          ///< queries got much dearer since the tree was built
};

}  // namespace rattleback
