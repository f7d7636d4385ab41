// The quadruped: a free trunk on four legs of three servos each.
#pragma once

#include <rattleback/builder.h>

namespace rattleback::lab
{

struct QuadrupedOptions
{
    double height = 0;      ///< of the feet above the floor at the start [m]
    double stiffness = 60;  ///< of the servos [N m/rad]
};
/// About 15 kg, standing with bent knees; servo input 0 keeps that posture.
Result<Model> build_quadruped(const QuadrupedOptions& options = {});

}  // namespace rattleback::lab
