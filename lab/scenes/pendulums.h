// Pendulums and the spinning top: few degrees of freedom, closed forms to compare with.
#pragma once

#include <rattleback/builder.h>

namespace rattleback::lab
{

struct PendulumOptions
{
    double length = 1;     ///< of the rod [m]
    double radius = 0.02;  ///< of the rod [m]
    double mass = 1;       ///< [kg]
    double angle = 2;      ///< from hanging, at the start [rad]
};
/// A rod on a hinge about y at the origin.
Result<Model> build_pendulum(const PendulumOptions& options = {});

struct DoublePendulumOptions
{
    double length = 0.5;        ///< of each rod [m]
    double first_angle = 2.2;   ///< from hanging [rad]
    double second_angle = 0.4;  ///< relative to the first [rad]
};
Result<Model> build_double_pendulum(const DoublePendulumOptions& options = {});

struct SpinningTopOptions
{
    double tilt = 0.35;  ///< of the axis from the vertical [rad]
    double spin = 120;   ///< about the top's own axis [rad/s]
};
/// A disc on a pin, its tip held by a ball joint at the origin.
Result<Model> build_spinning_top(const SpinningTopOptions& options = {});

}  // namespace rattleback::lab
