// Laws of actuators as lines along their coordinates, or as forces on the degrees of freedom.
#include "solvers/ipc/motors.h"

#include "base/index.h"
#include "dynamics/actuators.h"
#include "dynamics/bias.h"
#include "dynamics/integrate.h"
#include "dynamics/kinematics.h"
#include "dynamics/tendons.h"

#include <algorithm>

namespace rattleback::ipc
{

Motors::Motors(const Model& model, const JointLayout& joints)
    : joints_(joints), force_(at(model.v_count())), act_(at(model.act_count))
{
    drives_.begin.assign(joints.dofs.size() + 1, 0);
    if (model.actuator_count() == 0) return;
    tree_ = std::make_unique<Tree>(model);
    workspace_ = std::make_unique<Workspace<double>>(*tree_);
    for (std::size_t d = 0; d < joints.dofs.size(); ++d)
    {
        for (int a = 0; a < model.actuator_count(); ++a)
        {
            if (find_dof(model, a) == static_cast<int>(d)) actuator_.push_back(a);
        }
        drives_.begin[d + 1] = static_cast<int>(actuator_.size());
    }
    drives_.items.resize(actuator_.size());
}

int Motors::find_dof(const Model& model, int actuator) const
{
    const TransmissionType type = model.actuators.transmission[at(actuator)];
    if (type != TransmissionType::joint && type != TransmissionType::joint_in_parent) return -1;
    for (std::size_t d = 0; d < joints_.dofs.size(); ++d)
    {
        if (joints_.dofs[d].joint == model.actuators.target[at(actuator)] && !joints_.dofs[d].is_free)
            return static_cast<int>(d);
    }
    return -1;
}

Drive Motors::find_drive(const Model& model, const StepInput& input, int a, double gear) const
{
    const WorkspaceView<double>& w = *workspace_;
    if (input.control.actuator_active[at(a)] == 0) return {};
    const ActuatorsView& actuators = tree_->arrays.actuators;
    const double length = w.actuator_length[at(a)], velocity = w.actuator_velocity[at(a)];
    const bool is_plain = is_affine(actuators, a) && actuators.period[at(a)] == 0 &&
                          actuators.history_begin[at(a)] < 0 && actuators.dynamics[at(a)] != ActuatorDynamics::muscle;
    Drive drive;
    const Range& range = model.actuators.force_range[at(a)];
    if (is_plain)
    {
        // As authored: a line, whose bounds are met within the step.
        const int s = actuators.act_begin[at(a)];
        const ActuatorDrive<double> driven =
            find_actuator_drive(actuators, a, w.input[at(a)], s >= 0 ? w.act[at(s)] : 0.0, input.dt);
        const double* law = w.force_law.data() + 6 * a;
        const AffineForce<double> force = find_affine_force(ForceLaw<double>{law, law + 3}, driven.value);
        drive = {force.constant, force.slope, force.damping, -HUGE_VAL, HUGE_VAL};
        if (range.limited) drive.lower = range.lower, drive.upper = range.upper;
    }
    else
    {
        // The tangent where the step begins, within its range already.
        drive.slope = w.force_slope[at(a)];
        drive.damping = w.force_rate[at(a)];
        drive.constant = w.actuator_force[at(a)] - drive.slope * length - drive.damping * velocity;
    }
    // What grows with length or velocity is not implicit: the energy stays convex.
    if (drive.slope > 0) drive.constant += drive.slope * length, drive.slope = 0;
    if (drive.damping > 0) drive.constant += drive.damping * velocity, drive.damping = 0;
    // Through the gear: force along the coordinate, length = gear q.
    const double lower = gear * drive.lower, upper = gear * drive.upper;
    drive = {gear * drive.constant, gear * gear * drive.slope, gear * gear * drive.damping, std::min(lower, upper),
             std::max(lower, upper)};
    if (gear == 0) drive = {};
    return drive;
}

void Motors::find(const Model& model, const StepInput& input, const ConstWorldView& world,
                  std::span<const KinematicMotion> motions)
{
    std::copy(input.control.joint_force.begin(), input.control.joint_force.end(), force_.begin());
    std::copy(world.act.begin(), world.act.end(), act_.begin());
    if (!tree_) return;
    // Lengths, moment arms and laws are those of `dynamics`, at the start of the step.
    Workspace<double>& w = *workspace_;
    load_world<double>(w, 0, world, input.control);
    load_parameters<double>(w, 0, input.parameters);
    if (!motions.empty()) place_kinematic_bodies<double>(w, 0, motions, 0, input.dt);
    compute_poses(w);
    compute_dof_motions(w);
    compute_tendons(w);
    compute_transmissions(w);
    compute_velocities(w);
    compute_tendon_velocities(w);
    compute_actuation(w, input.dt);
    for (std::size_t d = 0; d < actuator_.size(); ++d)
        drives_.items[d] = find_drive(model, input, actuator_[d], model.actuators.gear[at(actuator_[d])][0]);
    for (std::size_t d = 0; d < joints_.dofs.size(); ++d)
    {
        // The range of a joint bounds the sum of its actuators: with several of them, the sum of their lines.
        const Range& range = model.joints.actuator_force_range[at(joints_.dofs[d].joint)];
        const auto begin = at(drives_.begin[d]), end = at(drives_.begin[d + 1]);
        if (!range.limited || begin == end) continue;
        Drive& first = drives_.items[begin];
        for (std::size_t k = begin + 1; k < end; ++k)
        {
            Drive& other = drives_.items[k];
            first = {first.constant + other.constant, first.slope + other.slope, first.damping + other.damping,
                     first.lower + other.lower, first.upper + other.upper};
            other = {};
        }
        first.lower = std::clamp(first.lower, range.lower, range.upper);
        first.upper = std::clamp(first.upper, range.lower, range.upper);
    }
    // All others push as they do at the start: Jᵀ f.
    const SparsePattern& pattern = tree_->moment;
    for (int a = 0; a < model.actuator_count(); ++a)
    {
        if (std::find(actuator_.begin(), actuator_.end(), a) != actuator_.end()) continue;
        for (int k = pattern.begin[at(a)]; k < pattern.begin[at(a) + 1]; ++k)
            force_[at(pattern.dof[at(k)])] += w.moment[at(k)] * w.actuator_force[at(a)];
    }
    advance_activations<double>(w, input.dt);
    std::copy(w.act.begin(), w.act.end(), act_.begin());
}

}  // namespace rattleback::ipc
