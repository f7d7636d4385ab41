// Workspace: scratch arrays of the dynamics of one world (T = double), a pack of worlds (Pack4), or one world with
// derivatives (DualPack).
#pragma once

#include "dynamics/tree.h"
#include "math/dual.h"
#include "math/spatial.h"

#include <rattleback/control.h>
#include <rattleback/state.h>
#include <rattleback/world_parameters.h>

namespace rattleback
{

/// Four directions at once, and in each the derivatives by a coordinate and by a velocity.
using DualPack = Dual<Pack4, 2>;

/// Everything is allocated by the constructor. World axes; spatial quantities about the centre of mass of the tree's
/// root body.
template <class T>
struct Workspace
{
    explicit Workspace(const Tree& tree);

    // inputs
    std::vector<T> q, v, act;
    std::vector<T> input, joint_force;
    std::vector<Force<T>> wrench;     ///< [body], at the centre of mass
    bool has_wrench = false;          ///< some wrench of some world is not zero
    std::vector<T> actuator_on;       ///< [actuator] 1, or 0 in worlds where it is switched off
    bool has_off = false;             ///< some actuator of some world is switched off; else `actuator_on` is not read
    Vector3<T> gravity;               ///< of the worlds; at first the Model's
    std::vector<T> force_law;         ///< [actuator][6] gain and bias of the worlds; at first the Model's
    std::vector<T> mass;              ///< [body] of the worlds, as all to the next empty line; at first the Model's
    std::vector<Vector3<T>> moments;  ///< [body] principal
    std::vector<T> body_weight;       ///< [body][2] inverse weights
    std::vector<T> dof_inertia, dof_weight;  ///< [v_count]
    std::vector<T> tendon_weight;            ///< [tendon]
    bool own_mass = false;                   ///< they are not the Model's

    // position stage: kinematics
    std::vector<Vector3<T>> position;          ///< [body]
    std::vector<Quaternion<T>> rotation;       ///< [body]
    std::vector<Matrix3<T>> matrix;            ///< [body]
    std::vector<Vector3<T>> center;            ///< [body] centre of mass
    std::vector<Quaternion<T>> turned;         ///< [tree joint] of hinges
    std::vector<Vector3<T>> anchor, axis;      ///< [tree joint]
    std::vector<Motion<T>> dof;                ///< [v_count] motion per unit velocity
    std::vector<SpatialInertia<T>> inertia;    ///< [body]
    std::vector<SpatialInertia<T>> composite;  ///< [body] of the subtree
    std::vector<T> mass_matrix;                ///< lower triangle in the pattern of Dofs::row_column
    std::vector<T> factor;  ///< LᵀDL in rows Tree::factor_begin: unit L before the diagonal, D on it, padding after it
    std::vector<T> inverse_pivot;  ///< [v_count] 1 / D
    std::vector<T> tendon_length, tendon_velocity, tendon_force;
    std::vector<T> tendon_jacobian;  ///< in Tree::tendon
    std::vector<T> actuator_length, actuator_velocity, actuator_force;
    std::vector<T> moment;      ///< in Tree::moment
    std::vector<T> force_rate;  ///< [actuator] d force / d velocity, zero when clamped

    // velocity stage
    std::vector<Motion<T>> velocity;      ///< [body]
    std::vector<Motion<T>> acceleration;  ///< [body] without the joints' own accelerations, gravity included
    std::vector<Force<T>> force;          ///< [body]
    std::vector<T> bias, passive, actuation, applied;  ///< [v_count]
    std::vector<T> total;                              ///< passive + actuation + applied - bias
    std::vector<T> qacc;                               ///< [v_count] joint acceleration
    std::vector<T> act_rate;                           ///< [act_count]

    // motion of kinematic bodies, given from outside
    std::vector<Motion<T>> base_velocity;      ///< [body] at the body's centre of mass
    std::vector<Motion<T>> base_acceleration;  ///< [body]

    const Tree* tree = nullptr;
};

extern template struct Workspace<double>;
extern template struct Workspace<Pack4>;
extern template struct Workspace<DualPack>;

/// Reads one world into lane `lane`: q, v, act, inputs; poses of kinematic and static bodies.
template <class T>
void load_world(Workspace<T>& w, int lane, const ConstWorldView& world, const ControlView& control);

/// Reads a world's own parameters into lane `lane`; what it has none of stays.
template <class T>
void load_parameters(Workspace<T>& w, int lane, const ParameterView& parameters);

/// Poses of static bodies: once, they never change.
template <class T>
void place_static_bodies(Workspace<T>& w);

}  // namespace rattleback
