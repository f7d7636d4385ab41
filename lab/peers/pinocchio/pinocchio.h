// Pinocchio as a second oracle for the derivatives of the equations of motion, in a Python process of its own.
#pragma once

#include "lab/peers/line_process.h"

#include <rattleback/dynamics.h>

namespace rattleback::lab
{

/// Joint forces or accelerations at a state, and their derivatives.
struct PinocchioAnswer
{
    std::vector<double> value;
    DynamicsDerivatives derivatives;
};

/// A model as Pinocchio has it, built joint by joint from ours: no file format stands between the two.
class PinocchioOracle
{
public:
    /// Tree, masses, gravity and armature. Tendons, actuators, springs and dampers are left out; kinematic bodies and
    /// armature of tendons are refused.
    static Result<PinocchioOracle> load(const Model& model);

    struct Answers
    {
        PinocchioAnswer inverse;  ///< M a + bias
        PinocchioAnswer forward;  ///< M⁻¹ (force − bias)
    };
    /// In our conventions: layouts of State::q and State::v, directions of q as in DynamicsDerivatives.
    Result<Answers> find_derivatives(std::span<const double> q, std::span<const double> v,
                                     std::span<const double> acceleration, std::span<const double> force);

private:
    PinocchioOracle(LineProcess process, std::vector<double> armature)
        : process_(std::move(process)), armature_(std::move(armature))
    {
    }

    LineProcess process_;
    std::vector<double> armature_;
};

/// Why there is no PinocchioOracle here: it is not installed. Nothing: there is one.
std::optional<Error> find_pinocchio_absence();

}  // namespace rattleback::lab
