// An arm with motors that turns a nut onto a bolt.
#include "base/index.h"
#include "lab/scenes/ipc/families.h"
#include "lab/scenes/ipc/kit.h"

#include <algorithm>
#include <array>

namespace rattleback::lab
{

namespace
{

// The thread of the scene `bolt`: the radius rises and falls once per turn and pitch, corners enough for flats not to
// hold it.
constexpr double kNutPitch = 8e-3, kNutCore = 3.2e-3, kNutTooth = 3.4e-3, kNutPlay = 3e-4;  // [m]
constexpr int kNutCorners = 20;
constexpr double kWristSpeed = 3;  // [rad/s]

double find_nut_thread(double turn, double height)
{
    const double phase = height / kNutPitch - turn, part = phase - std::floor(phase);
    return kNutCore + kNutTooth * std::min(1.0, 2.5 * std::min(part, 1 - part));
}

/// Upper arm and forearm held by servos, a wrist that turns; its fork takes along the wings of a nut.
void add_arm(Kit& kit)
{
    ModelBuilder& builder = kit.builder();
    const Vec3 shoulder{-0.2, -0.1, 0.06}, elbow{0.05, 0.15, 0}, wrist{0.15, -0.05, 0};
    const auto add_link = [&](const char* name, BodyId parent, const Vec3& place, const Vec3& end)
    {
        const BodyId body = builder.add_body({.name = name, .parent = parent, .position = place});
        const double length = norm(end);
        if (length > 0)
            kit.add_shape(body, Box{{0.5 * length - 0.01, 0.012, 0.008}}, 0.5 * end,
                          from_axis_angle({0, 0, 1}, std::atan2(end.y, end.x)), 2700);
        return std::pair{body, builder.add_joint(body, {.name = name, .type = JointType::hinge, .axis = {0, 0, 1}})};
    };
    const auto [upper, first] = add_link("upper arm", kWorld, shoulder, elbow);
    const auto [fore, second] = add_link("forearm", upper, elbow, wrist);
    const auto [hand, third] = add_link("hand", fore, wrist, {});
    // Heights from the wrist: the fork reaches down beside the wings of the nut, 2 mm behind them.
    kit.add_shape(hand, Box{{0.036, 0.01, 0.003}}, {0, 0, -0.026}, {}, 2700);
    for (const double side : {-1.0, 1.0})
        kit.add_shape(hand, Box{{0.006, 0.002, 0.0135}}, {side * 0.028, side * 0.006, -0.0425}, {}, 2700);
    // Laws without inputs: positions held at zero, a rate held at minus three radians a second.
    for (const JointId joint : {first, second}) builder.add_actuator(joint, {.gain = {0, 0, 0}, .bias = {0, -300, -8}});
    builder.add_actuator(third,
                         {.gain = {0, 0, 0}, .bias = {-2 * kWristSpeed, 0, -2}, .force_range = {true, -1.5, 1.5}});
}

Result<Model> build_arm_bolt()
{
    // More friction than the lead of the thread (tan 15 degrees): the nut goes where the arm turns it.
    Kit kit("arm_bolt", {.dhat = 1e-4, .friction = 0.3});
    const double row = kNutPitch / kNutCorners;
    const BodyId bolt = kit.add_solid(
        "bolt", make_shaft(find_nut_thread, {.low = -20 * row, .high = 60 * row, .around = kNutCorners, .along = 80}),
        {.density = 8050, .kind = BodyKind::fixed});
    kit.add_shape(bolt,
                  Mesh{kit.add_mesh("head", make_prism(make_circle(0.018, 6), -20 * row - 6e-3, -20 * row + 1e-4)),
                       MeshCollide::exact, MeshMass::exact},
                  {}, {}, 8050);
    const auto inside = [](double turn, double z) { return find_nut_thread(turn, z) + kNutPlay; };
    const BodyId nut = kit.add_solid(
        "nut", make_sleeve(inside, 0.019, {.low = -10 * row, .high = 10 * row, .around = kNutCorners, .along = 20}),
        {.position = {0, 0, 2 * kNutPitch}, .density = 8050});
    for (const double side : {-1.0, 1.0})
        kit.add_shape(nut, Box{{0.009, 0.002, 0.003}}, {side * 0.025, 0, 0}, {}, 8050);
    add_arm(kit);
    return kit.finish();
}

/// The nut goes down by the pitch times its turns, within the play of both flanks, and the hand has turned it.
IpcVerdict judge_arm_bolt(const IpcRun& run)
{
    const std::size_t nut = run.body("nut"), hand = run.body("hand");
    const auto turn_of = [&](std::size_t body, const IpcFrame& before, const IpcFrame& after)
    {
        const Quat step = after.pose[body].rotation * conjugate(before.pose[body].rotation);
        return 2 * std::atan2(step.w < 0 ? -step.z : step.z, std::abs(step.w));
    };
    double angle = 0, driven = 0, worst = 0, off = 0;
    for (std::size_t i = 1; i < run.frames.size(); ++i)
    {
        angle += turn_of(nut, run.frames[i - 1], run.frames[i]);
        driven += turn_of(hand, run.frames[i - 1], run.frames[i]);
        const double travel = run.frames[i].pose[nut].position.z - run.start().pose[nut].position.z;
        worst = std::max(worst, std::abs(travel - kNutPitch * angle / (2 * kPi)));
        off = std::max(off, norm(run.frames[i].pose[hand].position - run.start().pose[hand].position));
    }
    const double play = kNutPlay * kNutPitch / (2.5 * kNutTooth) * 2;  // both flanks
    return make_verdict(worst < play, "off the screw rule", worst, "m") &&
           make_verdict(angle < -2 * kPi, "turn of the nut", angle, "rad") &&
           make_verdict(std::abs(angle - driven) < 0.2, "behind the hand", angle - driven, "rad") &&
           make_verdict(off < 2e-3, "hand off its place", off, "m");
}

constexpr std::array kArms = {
    IpcScene{{"ipc/arm_bolt", "an arm turns a nut onto a bolt", 2.5, "contact", &build_arm_bolt}, "", &judge_arm_bolt},
};

}  // namespace

std::span<const IpcScene> arm_scenes() { return kArms; }

}  // namespace rattleback::lab
