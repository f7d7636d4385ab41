// Dynamics: the equations of motion of a model at a state, for controllers, planners and estimators.
#pragma once

#include <rattleback/api.h>
#include <rattleback/control.h>
#include <rattleback/state.h>

#include <memory>

namespace rattleback RATTLEBACK_API
{

/// Dense, row-major.
struct DenseMatrix
{
    DenseMatrix() = default;
    DenseMatrix(int row_count, int column_count);

    int rows = 0, columns = 0;
    std::vector<double> values;

    double& operator()(int row, int column);
    double operator()(int row, int column) const;
};

/// Derivatives of joint forces or accelerations, [v_count][v_count] each. Directions of q are those of v: a column is
/// the rate of change while q moves with unit velocity of one dof (of balls and free joints: turns about body axes).
struct DynamicsDerivatives
{
    DenseMatrix by_q, by_v;
    DenseMatrix by_input;  ///< by the acceleration (inverse dynamics) or the force (forward dynamics)
};

/// M(q) a + bias(q, v) = τ, without contact: the joint-space equations that `smooth` and `convex` stand on.
/// All joint forces and accelerations are [v_count], in the layout of State::v [N, N m; m/s², rad/s²].
class Dynamics
{
public:
    explicit Dynamics(std::shared_ptr<const Model> model);
    explicit Dynamics(Model model);
    ~Dynamics();
    Dynamics(Dynamics&&) noexcept;
    Dynamics& operator=(Dynamics&&) noexcept;

    const Model& model() const;

    /// Evaluates everything below at one world of a state. Kinematic bodies are where the state has them, move as it
    /// says, and do not accelerate. The first starts at the model's initial state.
    void update(const State& state, const Control& control, int world = 0);
    /// The same without inputs.
    void update(const State& state, int world = 0);
    /// With gravity, masses and gains that the world has of its own (Batch::parameters), until the next update.
    void update(const State& state, const Control& control, int world, const ParameterView& parameters);

    /// M, with the armature of joints and tendons.
    DenseMatrix mass_matrix() const;
    /// Coriolis, centrifugal and gravitational forces: what holds the joints at zero acceleration.
    std::span<const double> bias() const;
    /// Springs, dampers, tendons and the medium.
    std::span<const double> passive() const;
    /// Forces of the actuators, as they act on the joints.
    std::span<const double> actuation() const;
    /// Joint forces and body wrenches of the control.
    std::span<const double> applied() const;
    /// Length of each tendon [m, rad] and of each actuator's transmission.
    std::span<const double> tendon_length() const;
    std::span<const double> actuator_length() const;

    /// [3][v_count]: velocity of the point (world coordinates) as part of the body, per joint velocity; world axes.
    DenseMatrix point_jacobian(BodyId body, const Vec3& point) const;
    /// [3][v_count]: angular velocity of the body per joint velocity, world axes.
    DenseMatrix rotation_jacobian(BodyId body) const;
    /// [3][v_count]: velocity of the centre of mass of a body and all that it carries.
    DenseMatrix center_of_mass_jacobian(BodyId subtree = kWorld) const;
    Vec3 center_of_mass(BodyId subtree = kWorld) const;
    /// Of everything that joints move.
    Momentum momentum() const;

    /// a = M⁻¹ (force − bias): what follows from a force on the joints. With force = passive() + actuation() +
    /// applied() the acceleration that a simulation without contact, limits and equalities has.
    std::vector<double> forward(std::span<const double> force) const;
    /// M a + bias: the force that gives this acceleration. (MuJoCo's qfrc_inverse is this less passive() and less what
    /// contacts and other constraints give.)
    std::vector<double> inverse(std::span<const double> acceleration) const;
    /// M⁻¹ x.
    std::vector<double> solve(std::span<const double> x) const;

    /// Derivatives of inverse(acceleration); by_input is M.
    DynamicsDerivatives inverse_derivatives(std::span<const double> acceleration) const;
    /// Derivatives of forward(force); by_input is M⁻¹.
    DynamicsDerivatives forward_derivatives(std::span<const double> force) const;

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace rattleback
