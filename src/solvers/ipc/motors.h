// Actuators of a step: implicit drives along hinges and slides, forces of all others, activations.
#pragma once

#include "dynamics/workspace.h"
#include "solvers/ipc/joints.h"

#include <memory>

namespace rattleback::ipc
{

class Motors
{
public:
    Motors(const Model& model, const JointLayout& joints);

    /// Drives, and joint forces of the control with what other actuators add; `act` is the world's at the end of dt.
    void find(const Model& model, const StepInput& input, const ConstWorldView& world,
              std::span<const KinematicMotion> motions);
    const DriveList& drives() const { return drives_; }
    std::span<const double> joint_force() const { return force_; }
    std::span<const double> act() const { return act_; }

private:
    /// The coordinate that an actuator drives implicitly, in JointLayout::dofs; -1: none.
    int find_dof(const Model& model, int actuator) const;
    Drive find_drive(const Model& model, const StepInput& input, int actuator, double gear) const;

    const JointLayout& joints_;
    std::unique_ptr<Tree> tree_;  ///< null: no actuators
    std::unique_ptr<Workspace<double>> workspace_;
    DriveList drives_;
    std::vector<int> actuator_;  ///< [drive]
    std::vector<double> force_, act_;
};

}  // namespace rattleback::ipc
