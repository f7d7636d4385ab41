// How well a pile lies: overlap, shake, joint errors and bodies that got out, from body poses and velocities alone, so
// that every engine is measured the same way.
#pragma once

#include <rattleback/query.h>

#include <cmath>

namespace rattleback::lab
{

/// Where centres of mass may be; anything not finite is outside.
struct Region
{
    Vec3 low{-HUGE_VAL, -HUGE_VAL, -HUGE_VAL}, high{HUGE_VAL, HUGE_VAL, HUGE_VAL};

    bool holds(const Vec3& point) const;
};

struct PileQuality
{
    double deepest = 0;       ///< overlap [m]
    double mean_overlap = 0;  ///< over the contact points that overlap [m]
    int overlaps = 0;         ///< such points
    double shake = 0;         ///< kinetic energy over mass of what forces move [J/kg]
    double joint_error = 0;   ///< see measure_joint_error [m]
    int escaped = 0;          ///< bodies outside the region
};

/// The quality of one world, by our collider. Body poses and velocities of `state` count, q and v do not.
PileQuality measure_quality(const Model& model, State& state, const Region& region = {});

/// The largest distance by which anchors of a joint or of a connect or weld equality have parted [m]; slides across
/// their axis.
double measure_joint_error(const Model& model, const State& state);

}  // namespace rattleback::lab
