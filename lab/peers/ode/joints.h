// Joints and equality constraints as ODE's joints.
#pragma once

#include <rattleback/model.h>

#include <ode/ode.h>

namespace rattleback::lab
{

/// The joint that holds `child` (which must move) to `parent` (null: the world); null for free joints. `pose` is the
/// child's body frame at the start.
dJointID make_ode_joint(const Model& model, int joint, const Pose& pose, dWorldID world, dBodyID child, dBodyID parent);

/// A ball between two points, or a weld as the bodies stand. Points are in the world at the start; one body may be
/// null, the world.
dJointID make_ode_equality(EqualityType type, const Vec3& first_point, const Vec3& second_point, dWorldID world,
                           dBodyID first, dBodyID second);

}  // namespace rattleback::lab
