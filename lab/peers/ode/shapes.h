// Our shapes as ODE's geometries.
#pragma once

#include "geometry/polyhedron.h"

#include <rattleback/model.h>

#include <ode/ode.h>

#include <vector>

namespace rattleback::lab
{

/// The planes, points and polygons of a convex solid as ODE wants them; it keeps pointers to them.
struct OdeConvex
{
    std::vector<dReal> planes, points;
    std::vector<unsigned> polygons;
    unsigned plane_count = 0, point_count = 0;
};

OdeConvex make_ode_convex(const Polyhedron& hull);

/// A geometry in no space; null for what ODE does not know. Planes need their place in the world. `convex` is that of
/// the shape's hull, if it has one.
dGeomID make_ode_shape(const Model& model, int shape, const Pose& place, const OdeConvex* convex);

/// Our quaternion has the order of ODE's.
inline void to_ode(const Quat& q, dQuaternion result)
{
    result[0] = q.w;
    result[1] = q.x;
    result[2] = q.y;
    result[3] = q.z;
}
inline Vec3 from_ode(const dReal* v) { return {v[0], v[1], v[2]}; }

}  // namespace rattleback::lab
