// The arm that lifts, and the way its servos go.
#include "lab/scenes/arm_lift.h"

#include "lab/scenes/arm.h"
#include "lab/scenes/parts.h"

#include <algorithm>
#include <cmath>

namespace rattleback::lab
{

namespace
{

constexpr double kReach = 0.519;  ///< of the gripper from the axis of the base [m]

// The arm in its plane: two links that bend at shoulder and elbow, and below the wrist all that points down.
constexpr double kShoulderHeight = 0.28, kUpperArm = 0.39, kForearm = 0.37;  // [m]
constexpr double kHandLength = 0.259;                                        // from the wrist to the pads [m]
constexpr double kHomeShoulder = 0.40, kHomeElbow = 1.30;                    // arm.cpp [rad]

enum Input
{
    kBaseRoll,
    kShoulderBend = 1,
    kElbowBend = 3,
    kWristBend = 5,
    kGrip = 7
};

/// Where the pads are to be, and how far the fingers.
struct Waypoint
{
    double time, rise, grip;  ///< [s], above the height of the grip [m], [m]
};
constexpr double kOpen = 0.02, kClosed = -0.03;
constexpr Waypoint kWay[] = {{0, kLiftRise, kOpen}, {1, kLiftRise, kOpen}, {2, 0, kOpen},          {2.3, 0, kOpen},
                             {2.8, 0, kClosed},     {3, 0, kClosed},       {4, kLiftRise, kClosed}};

/// Inputs that bring the pads to a height above the floor, pointing down.
void reach_down(double roll, double height, std::span<double> input)
{
    const double up = height + kHandLength - kShoulderHeight, square = kReach * kReach + up * up,
                 distance = std::sqrt(square);
    // The triangle of shoulder, elbow and wrist.
    const double bend =
        kPi - std::acos((kUpperArm * kUpperArm + kForearm * kForearm - square) / (2 * kUpperArm * kForearm));
    const double inside =
        std::acos((kUpperArm * kUpperArm + square - kForearm * kForearm) / (2 * kUpperArm * distance));
    const double shoulder = std::atan2(kReach, up) - inside - kHomeShoulder, elbow = bend - kHomeElbow;
    input[kBaseRoll] = roll;
    input[kShoulderBend] = shoulder;
    input[kElbowBend] = elbow;
    input[kWristBend] = -shoulder - elbow;  // all bends together stay half a turn
}

/// Corners of an eight-sided prism that may narrow.
void add_octagon(double radius, double z, std::vector<Vec3>& corners)
{
    for (int i = 0; i < 8; ++i)
    {
        const double angle = 2 * kPi * (i + 0.5) / 8;
        corners.push_back({radius * std::cos(angle), radius * std::sin(angle), z});
    }
}

void add_bottle(ModelBuilder& builder, const Vec3& position)
{
    struct Part
    {
        const char* name;
        double below, above, from, to;  ///< radii and heights [m]
        double mass;
    };
    constexpr Part kParts[] = {{"bottle_body", 0.024, 0.024, 0, 0.09, 0.15},
                               {"bottle_shoulder", 0.024, 0.011, 0.09, 0.115, 0.03},
                               {"bottle_neck", 0.011, 0.011, 0.115, 0.14, 0.02}};
    const BodyId bottle = builder.add_body({.name = "bottle", .position = position});
    for (const Part& part : kParts)
    {
        MeshOptions mesh{.name = part.name};
        add_octagon(part.below, part.from, mesh.vertices);
        add_octagon(part.above, part.to, mesh.vertices);
        builder.add_shape(bottle, Hull{builder.add_mesh(mesh)},
                          {.name = part.name, .mass = part.mass, .colour = kTeal});
    }
}

}  // namespace

Result<Model> build_arm_lift()
{
    ModelBuilder builder("arm_lift");
    builder.settings().integrator = Integrator::implicitfast;  // servos are stiff
    builder.add_ground({.name = "floor", .colour = kFloor});
    add_arm(builder, {.away = false, .weightless = true});
    const auto place = [](int thing, double height)
    {
        const double roll = kLiftedThings[static_cast<std::size_t>(thing)].roll;
        return Vec3{kReach * std::cos(roll), kReach * std::sin(roll), height};
    };
    add_box(builder, "cube", place(0, 0.02), {0.02, 0.02, 0.02}, 0.1, kRust);
    const BodyId ball = builder.add_body({.name = "ball", .position = place(1, 0.022)});
    builder.add_shape(ball, Sphere{.radius = 0.022}, {.name = "ball", .mass = 0.06, .colour = kAmber});
    add_bottle(builder, place(2, 0));
    return builder.build();
}

void drive_arm_lift(const LiftedThing& thing, double time, std::span<double> input)
{
    const auto* next = std::find_if(std::begin(kWay), std::end(kWay), [&](const Waypoint& w) { return w.time > time; });
    const Waypoint& to = next == std::end(kWay) ? *std::prev(next) : *next;
    const Waypoint& from = next == std::begin(kWay) ? to : *std::prev(next);
    const double part = to.time > from.time ? std::clamp((time - from.time) / (to.time - from.time), 0.0, 1.0) : 0;
    std::fill(input.begin(), input.end(), 0.0);
    reach_down(thing.roll, thing.grip_height + from.rise + part * (to.rise - from.rise), input);
    input[kGrip] = from.grip + part * (to.grip - from.grip);
}

void place_arm_lift(const LiftedThing& thing, std::span<double> q)
{
    // Coordinates of the arm's joints are the servos', but for the second finger, which follows the first.
    std::array<double, 8> input{};
    drive_arm_lift(thing, 0, input);
    std::copy(input.begin(), input.end(), q.begin());
    q[8] = input[kGrip];
}

}  // namespace rattleback::lab
