// Forces of springs, dampers and actuators for the reference dynamics.
#pragma once

#include "support/reference_dynamics.h"
#include "support/reference_kinematics.h"

namespace rattleback
{

/// Columns of a point's Jacobian, one per dof: linear velocity of the point, angular velocity of its body.
struct JacobianColumn
{
    Vector3<Real> linear, angular;
};
using Jacobian = std::vector<JacobianColumn>;

/// From axes and anchors: what each unit velocity does to a point (world axes) that is fixed to a body.
Jacobian compute_jacobian(const Model& model, const Motion& motion, int body, const Vector3<Real>& point);

/// Everything known about a state before forces are computed, in long double.
struct ReferenceState
{
    const Model& model;
    std::span<const double> q, v, act;
    const ControlView& control;
    const ReferenceOptions& options;
    Motion motion;
    std::vector<Taylor> tendon_length;               ///< along the motion with velocity v
    std::vector<std::vector<Real>> tendon_jacobian;  ///< [T][V], each column by one differentiation
    std::vector<Real> tendon_length_0;               ///< at q0
    std::vector<Jacobian> body_jacobian;             ///< [B], at the centres of mass
};

/// Fill spring, damper and spring_energy.
void add_springs_and_dampers(const ReferenceState& state, ReferenceResult& result);
/// Fills gravity_compensation.
void add_gravity_compensation(const ReferenceState& state, ReferenceResult& result);
/// Fills all that is about actuators; needs gravity_compensation.
void add_actuators(const ReferenceState& state, ReferenceResult& result);
/// Fills applied.
void add_applied(const ReferenceState& state, ReferenceResult& result);

}  // namespace rattleback
