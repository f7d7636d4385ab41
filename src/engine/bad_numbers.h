// Numbers that are not finite, in what a step begins with: every array of Control and State, and the time.
#pragma once

#include <rattleback/control.h>
#include <rattleback/state.h>

#include <string>

namespace rattleback
{

/// Where one is; `array` null: nowhere.
struct BadNumber
{
    const char* array = nullptr;  ///< as a caller writes it: "control.joint_force"
    int index = -1;               ///< of the item, in one world
    int dof = -1, body = -1;      ///< that it belongs to; -1: none
};

/// Whether there is one, without saying where: some ten nanoseconds for a humanoid.
bool has_bad_number(const ControlView& control, const ConstWorldView& world, double time);
/// The same of the inputs of actuators alone.
bool has_bad_input(const ControlView& control);
/// The first, inputs before the state.
BadNumber find_bad_number(const Model& model, const ControlView& control, const ConstWorldView& world, double time);
/// In words: the force on joint "knee" (control.joint_force[3]) is not a finite number.
std::string describe_bad_number(const Model& model, const BadNumber& bad);

/// Names as reports quote them: "knee", joint "knee", body "foot".
std::string quote(const std::string& name);
std::string name_dof(const Model& model, int dof);
std::string name_body(const Model& model, int body);

}  // namespace rattleback
