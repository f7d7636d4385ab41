// Interval root finders for curved paths that [RigidIPC] App. B compares with: the multivariate one of [Snyder] and the
// univariate one of [Redon], our own implementations.
#pragma once

#include "geometry/certified_impact.h"

namespace rattleback::lab
{

struct RootOptions
{
    double tolerance = 1e-6;    ///< [m] a box counts as a root where the two are so near all over it
    int max_boxes = 1'000'000;  ///< then it gives up, with the time until which there is no root
};

struct RootReport
{
    bool hits = false;
    bool gave_up = false;
    double time = 1;  ///< no root before
    int boxes = 0;    ///< looked at
};

/// Roots of the three equations first(t, a) = second(t, b, ...) of [RigidIPC] Eqs. 18 and 19, t and the places on the
/// simplices in [0, 1]: boxes that may hold one are halved, the earlier half first. Simplices: 1 and 3 or 2 and 2.
RootReport find_root_snyder(const RigidPath& first_path, const Simplex& first, const RigidPath& second_path,
                            const Simplex& second, const RootOptions& options);

/// Roots of the one equation in t that says the four corners lie in a plane, halved in t; where an interval as short as
/// the tolerance allows is left, the two are looked at there.
RootReport find_root_redon(const RigidPath& first_path, const Simplex& first, const RigidPath& second_path,
                           const Simplex& second, const RootOptions& options);

}  // namespace rattleback::lab
