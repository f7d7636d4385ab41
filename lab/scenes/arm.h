// The arm: seven axes on a fixed base, with a gripper whose fingers move together.
#pragma once

#include <rattleback/builder.h>

namespace rattleback::lab
{

struct ArmOptions
{
    bool away = true;         ///< start away from home, so that the servos have something to do
    bool weightless = false;  ///< gravity is compensated, as arms' controllers do
};
/// The arm itself.
void add_arm(ModelBuilder& builder, const ArmOptions& options);
/// About 19 kg and 0.9 m of reach; servo input 0 is the home posture, the gripper pointing down.
Result<Model> build_arm(const ArmOptions& options = {});

}  // namespace rattleback::lab
