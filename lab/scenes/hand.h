// The hand: three fingers and a thumb of four servos each, palm up, with a free cube on it.
#pragma once

#include <rattleback/builder.h>

namespace rattleback::lab
{

struct HandOptions
{
    double cube_size = 0.05;     ///< edge [m]
    double cube_mass = 0.08;     ///< [kg]
    double cube_height = 0.002;  ///< of the cube above the palm at the start [m]
};
/// Servo input 0 is an open, slightly curled hand.
Result<Model> build_hand(const HandOptions& options = {});

}  // namespace rattleback::lab
