// Contacts of pairs that are known by name: the narrow phase without the broad one.
#pragma once

#include <rattleback/query.h>

namespace rattleback
{

/// Contacts of some pairs of shapes, with those that are up to `margin` [m] further away than their own margins, at the
/// poses of the collider's last find_contacts(). `pairs`: sorted, and each in the order of the contacts. The filter is
/// asked for those alone of which that call did not ask it.
void find_pair_contacts(Collider& collider, std::span<const PairCandidate> pairs, double margin, Contacts& contacts);

}  // namespace rattleback
