// Actuators of a step: what they see, and their force as a line in length and velocity.
#pragma once

#include "dynamics/actuator_law.h"
#include "solvers/avbd/forces.h"

namespace rattleback::avbd
{

/// What all actuators of a step see.
struct ActuatorStep
{
    const Layout& layout;
    const StepInput& input;
    const WorldView& world;
    const std::vector<Body>& bodies;
    ActuatorsView actuators;

    const Model& model() const { return *layout.model; }
};

/// Length and velocity of an actuator at the begin of the step.
struct Reach
{
    double length = 0, velocity = 0;
};

/// True for an actuator on a hinge or slide: a part of the rows of its dof.
bool drives_dof(const Model& model, int actuator);
/// True for one on a tendon: a part of the tendon's row.
bool drives_tendon(const Model& model, int actuator);
/// True when the control has switched it off.
bool is_off(const StepInput& input, int actuator);

/// Gain and bias, the world's own or the Model's.
ForceLaw<double> find_force_law(const Model& model, int a, std::span<const double> own);
/// Inputs of an actuator and of those behind it, delayed and within their ranges.
std::array<double, kMaxInputs> gather_inputs(const ActuatorStep& step, int a);
/// Force of an actuator without its range: constant + slope length + damping velocity; and the next activation.
Drive find_drive(const ActuatorStep& step, int a, const Reach& reach, ExternalForces& forces);
/// The force within its range, and what no range bounds.
double find_force(const ActuatorStep& step, int a, const Drive& drive, const Reach& reach,
                  const ExternalForces& forces);

/// Places for the drives of a model: by dof, one for each actuator on a hinge or slide.
Drives make_drives(const Model& model);
/// By tendon, one for each actuator that pulls it.
Drives make_tendon_drives(const Model& model);
/// Sets the drives of dofs and tendons for the step.
void set_drives(const ActuatorStep& step, BlockWork& work, ExternalForces& forces);

}  // namespace rattleback::avbd
