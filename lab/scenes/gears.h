// Gears of boxes: two wheels whose teeth are boxes, one driven, the other held back.
#pragma once

#include <rattleback/builder.h>

namespace rattleback::lab
{

struct GearsOptions
{
    int tooth_count = 12;
    double radius = 0.1;    ///< where the teeth meet [m]
    double height = 0.016;  ///< of a tooth [m]
    double width = 0.019;   ///< of a tooth [m]
    double speed = 2;       ///< of the motor's wheel [rad/s]
    double load = 0.05;     ///< that holds back the other [N m s/rad]
};
/// Wheels about y, side by side along x; a servo of velocity, input 0, turns the first (joint `driver`), and teeth
/// alone turn the second (joint `driven`).
Result<Model> build_gears(const GearsOptions& options = {});

}  // namespace rattleback::lab
