// Time of impact by adaptive linearisation with interval bounds: the curved CCD of [RigidIPC] as printed (Algorithm 1).
#pragma once

#include "geometry/certified_impact.h"
#include "math/interval.h"

namespace rattleback
{

struct IntervalOptions
{
    double delta = 0.5;           ///< part of the distance that the error of a chord may use up, in (0, 1)
    int max_subdivisions = 1000;  ///< then chords are taken as they are, unless nothing is proven yet
};

/// As certified_time_of_impact(), proven as well; `advances` counts the chords that were looked at. Much slower:
/// intervals do not see that a curve and its chord have most in common (README of solver `ipc`).
CertifiedImpact interval_time_of_impact(const RigidTrack& first_track, const Simplex& first,
                                        const RigidTrack& second_track, const Simplex& second,
                                        const CertifiedOptions& options = {}, const IntervalOptions& interval = {});

/// Where a point of a moving frame is during `time`, by Rodrigues' formula (Eq. 14).
Vector3<Interval> find_place(const RigidPath& path, const Vec3& point, const Interval& time);

}  // namespace rattleback
