// Which corner, edge or face of a core carries a witness point.
#pragma once

#include "geometry/convex/cores.h"
#include "geometry/distance.h"

namespace rattleback::cores
{

/// Corners of one core whose mix is the witness point: up to four, repeats allowed.
struct Corners
{
    int ids[4] = {0, 0, 0, 0};
    int count = 0;
};

/// `n`: the unit outward normal at the witness; `point`: the witness, both in the core's frame.
ShapeFeature find_feature(const PointCore& core, const Corners& corners, const Vec3& n, const Vec3& point);
ShapeFeature find_feature(const SegmentCore& core, const Corners& corners, const Vec3& n, const Vec3& point);
ShapeFeature find_feature(const BoxCore& core, const Corners& corners, const Vec3& n, const Vec3& point);
ShapeFeature find_feature(const CylinderCore& core, const Corners& corners, const Vec3& n, const Vec3& point);
ShapeFeature find_feature(const EllipsoidCore& core, const Corners& corners, const Vec3& n, const Vec3& point);
ShapeFeature find_feature(const HullCore& core, const Corners& corners, const Vec3& n, const Vec3& point);

}  // namespace rattleback::cores
