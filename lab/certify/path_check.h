// Whether two complexes provably stay apart along their paths, and how far; where they first meet otherwise.
#pragma once

#include "geometry/certified_impact.h"
#include "lab/certify/overlap.h"

namespace rattleback::lab
{

/// A complex on its way through one step.
struct Traveller
{
    const Complex* complex = nullptr;
    RigidTrack track;

    Place at(double t) const
    {
        const RigidTrack::Moment moment = track.at(t);
        return {moment.rotation, moment.center};
    }
};

struct PathCheck
{
    bool apart = false;   ///< proven for the whole step
    double proven = 0;    ///< until this time they are apart, 0 to 1
    double meeting = -1;  ///< first time at which they were seen to intersect; negative: never
    double deepest = 0;   ///< overlap along the way [m]
    double deepest_at = 0;
    std::int64_t queries = 0;
};

/// `intersecting`: the two meet already at the start, so that only the depth at the end is of interest.
PathCheck check_path(const Traveller& first, const Traveller& second, bool intersecting);

/// A distance below which the surfaces of two that `check_path` proves apart provably never come along the way [m], 0
/// where nothing more is proven. Of two whose distance is least at the start or end of the step, three quarters of it;
/// at most so much of a tenth of the smaller one's size, for others are looked at no closer.
double prove_distance(const Traveller& first, const Traveller& second);

}  // namespace rattleback::lab
