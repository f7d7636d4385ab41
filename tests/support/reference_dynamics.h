// A slow and certain computation of joint-space dynamics, dense and in maximal coordinates, to test the fast one
// against.
#pragma once

#include <rattleback/control.h>
#include <rattleback/model.h>

#include <span>
#include <vector>

namespace rattleback
{

/// What the coordinates alone do not say.
struct ReferenceOptions
{
    /// Where kinematic bodies are and how they move, [body_count], read for kinematic bodies only; empty: at the
    /// authored pose and at rest. Their linear (centre of mass, world axes) and angular velocities are taken as
    /// constant in time.
    std::span<const Pose> body_pose = {};
    std::span<const Velocity> body_velocity = {};
    double dt = 0.002;                  ///< [s], for actuators whose force uses the activation at the end of the step
    bool ball_actuator_length = false;  ///< MuJoCo's length of a ball joint's actuator, gear . rotation vector; or zero
};

/// Everything at one state. Matrices are row-major; SI units, world axes; B bodies, V dofs, T tendons, A actuators.
struct ReferenceResult
{
    // Bodies, [B].
    std::vector<Vec3> position;            ///< of the body frame
    std::vector<Mat3> rotation;            ///< of the body frame
    std::vector<Vec3> centre_of_mass;      ///< [m]
    std::vector<Velocity> velocity;        ///< at the centre of mass, by differentiating the poses in time
    std::vector<Velocity> acceleration_0;  ///< of the centre of mass and angular, while v stays constant: J̇ v
    std::vector<double> jacobian;  ///< [B][6][V], rows linear then angular, at the centre of mass, from geometry

    // Joint space, [V].
    std::vector<double> mass_matrix;           ///< [V][V], armatures of dofs and tendons included
    std::vector<double> bias;                  ///< Coriolis, centrifugal, gyroscopic forces and gravity: M a + bias = f
    std::vector<double> bias_without_gravity;  ///< the same for gravity zero
    std::vector<double> spring, damper;        ///< of joints and tendons
    std::vector<double> gravity_compensation;  ///< all of it, whoever supplies it
    std::vector<double> passive;               ///< springs, dampers, and compensation that is not by actuators
    std::vector<double> actuator;              ///< after all clamps, compensation by actuators included
    std::vector<double> applied;               ///< joint forces and body wrenches of the control
    std::vector<double> acceleration;          ///< M^-1 (passive + actuator + applied - bias)

    // Whole world: all bodies that have mass, moving or not.
    double kinetic_energy = 0;  ///< [J]; dofs' and tendons' armatures not counted
    double armature_energy = 0;
    double gravity_energy = 0;  ///< zero at the origin
    double spring_energy = 0;
    Vec3 linear_momentum, angular_momentum;  ///< angular about the world's origin

    // Tendons, [T].
    std::vector<double> tendon_length, tendon_velocity;
    std::vector<double> tendon_jacobian;        ///< [T][V]
    std::vector<double> tendon_acceleration_0;  ///< while v stays constant

    // Actuators, [A].
    std::vector<double> actuator_length, actuator_velocity;
    std::vector<double> actuator_moment;  ///< [A][V]
    std::vector<double> actuator_force;   ///< after the clamps of actuators and tendons
    std::vector<double> act_rate;         ///< [act_count], derivative of the activations
};

/// Empty spans of `control` mean zero.
ReferenceResult compute_reference(const Model& model, std::span<const double> q, std::span<const double> v,
                                  std::span<const double> act = {}, const ControlView& control = {},
                                  const ReferenceOptions& options = {});

/// Solves the dense symmetric positive definite system [n][n] in long double; empty when it is not definite.
std::vector<double> solve_dense(std::span<const double> matrix, std::span<const double> right_side);

/// q moved along constant v for a time: q (+) v * time, rotations by exponentials in body axes.
std::vector<double> move_along(const Model& model, std::span<const double> q, std::span<const double> v, double time);

}  // namespace rattleback
