// How deep two cores overlap: the expanding polytope, with bounds from both sides.
#pragma once

#include "geometry/convex/core_distance.h"

namespace rattleback::cores
{

/// A Difference of any two cores.
struct DifferenceView
{
    const void* difference = nullptr;
    SupportPoint (*support)(const void* difference, const Vec3& n) = nullptr;
    double (*slide)(const void* difference, Simplex& simplex, Vec3& n) = nullptr;  ///< null: no curved surface
    double (*climb)(const void* difference, Simplex& simplex, Vec3& n) = nullptr;
    double size = 0;  ///< what tolerances are relative to [m]
    Vec3 caps[2];     ///< unit normals of flat caps, each with one against it
    int cap_count = 0;
};

/// Fills in all of `result`, from its simplex, which holds the origin or is next to it.
void find_penetration(const DifferenceView& view, CoreDistance& result);

}  // namespace rattleback::cores
