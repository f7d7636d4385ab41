// The arm that lifts: it comes down from above on a cube, a ball or a bottle, closes its gripper, lifts and holds.
#pragma once

#include <rattleback/builder.h>

#include <array>
#include <span>

namespace rattleback::lab
{

/// The arm of arm.h, its weight compensated, and three things on the floor within its reach. Servo input 0 is the home
/// posture, the gripper pointing down a third of a metre above the floor.
Result<Model> build_arm_lift();

/// What is to be lifted.
struct LiftedThing
{
    const char* name;    ///< of the body
    double roll;         ///< of the arm's base where the gripper is above it [rad]
    double grip_height;  ///< of the pads' middle when they close [m]
};
inline constexpr std::array<LiftedThing, 3> kLiftedThings{
    {{"cube", 0, 0.03}, {"ball", 0.5, 0.03}, {"bottle", -0.5, 0.06}}};

constexpr double kLiftSeconds = 6;  ///< of the whole course
constexpr double kLiftRise = 0.2;   ///< by which it is lifted [m]

/// Inputs at a time of the course: above the thing until 1 s, down until 2 s, closed until 3 s, up until 4 s, held.
void drive_arm_lift(const LiftedThing& thing, double time, std::span<double> input);
/// Joints of the arm to where drive_arm_lift begins.
void place_arm_lift(const LiftedThing& thing, std::span<double> q);

}  // namespace rattleback::lab
