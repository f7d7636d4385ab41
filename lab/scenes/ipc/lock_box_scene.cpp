// A lock box: a key turns a spiral, the spiral draws in five pins, and only when all are in does the bottom fall.
#include "base/index.h"
#include "lab/scenes/ipc/families.h"
#include "lab/scenes/ipc/kit.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace rattleback::lab
{

namespace
{

// Heights from the floor of the case [m]; radii about z. The case is a plate with five channels for the pins; the
// spiral's rib reaches down between their pegs; the bottom is a cup around the case with five windows for the pins.
constexpr int kPins = 5, kFine = 160, kPlain = 12;  // corners around; of floors, on which flat parts lie
constexpr double kBoxPlay = 2e-4;
constexpr double kFloorHigh = 4e-3, kChannelHigh = 10e-3, kCase = 50e-3;
constexpr double kBarHalf = 5e-3, kBarIn = 24e-3, kBarOut = 56e-3, kPeg = 2.6e-3;
constexpr double kRibPitch = 8e-3, kRib = 2.4e-3, kRibLow = kChannelHigh + 6e-4, kDiscLow = 15e-3, kDiscHigh = 19e-3;
constexpr double kPegFirst = 34e-3;  // radius of the first pin's peg; each further one is a fifth of the pitch more
constexpr double kCupIn = 51e-3, kCupOut = 58e-3;
constexpr double kSocket = 6e-3, kShank = 5.5e-3;
const Vec3 kLockAxis{0, 0, 1};

double find_pin_angle(int pin) { return 2 * kPi * pin / kPins; }
double find_peg_radius(int pin) { return kPegFirst + kRibPitch * pin / kPins; }

/// Corners along a circle about the origin, both ends included.
void add_arc(double radius, double from, double to, int steps, std::vector<Corner>& outline)
{
    for (int i = 0; i <= steps; ++i)
    {
        const double angle = from + (to - from) * i / steps;
        outline.push_back({radius * std::cos(angle), radius * std::sin(angle)});
    }
}

/// The block between two channels: a wedge with its sides along the channels.
std::vector<Corner> make_block(int pin)
{
    const double side = kBarHalf + kBoxPlay, half = kPi / kPins, middle = find_pin_angle(pin) + half;
    const double tip = side / std::sin(half), inset = std::asin(side / kCase);
    std::vector<Corner> block{{tip * std::cos(middle), tip * std::sin(middle)}};
    add_arc(kCase, middle - half + inset, middle + half - inset, kFine / kPins - 4, block);
    return block;
}

void add_case(Kit& kit)
{
    const BodyId body = kit.add_body("case", {.kind = BodyKind::fixed});
    kit.add_part(body, make_prism(make_circle(kCase, kPlain), 0, kFloorHigh));
    for (int pin = 0; pin < kPins; ++pin)
        kit.add_part(body, make_prism(make_block(pin), kFloorHigh - 1e-4, kChannelHigh));
}

/// A lid above the spiral, with a hole for the key.
void add_lid(Kit& kit)
{
    const double low = kDiscHigh + 3e-4;
    kit.add_solid("lid", make_plate(make_circle(kCase, kFine), {make_bore(8e-3, 1e-3, 64)}, low, low + 4e-3),
                  {.kind = BodyKind::fixed});
}

/// The rib runs midway between pegs: its radius at an angle is that of a peg there less half a pitch.
MeshOptions make_rib()
{
    const double first = kPegFirst - 1.5 * kRibPitch, turns = 3;
    std::vector<Corner> middle;
    const int steps = static_cast<int>(turns * 1.5 * kFine);
    for (int i = 0; i <= steps; ++i)
    {
        const double turn = turns * i / steps, radius = first + kRibPitch * turn;
        middle.push_back({radius * std::cos(2 * kPi * turn), radius * std::sin(2 * kPi * turn)});
    }
    return make_wall(middle, kRib, kRibLow, kDiscLow + 1e-4);
}

void add_spiral(Kit& kit)
{
    const BodyId body = kit.add_body("spiral");
    kit.add_part(body, make_plate(make_circle(48e-3, kFine), {make_circle(kSocket, 6)}, kDiscLow, kDiscHigh));
    kit.add_part(body, make_rib());
}

/// A bar in its channel with a peg that reaches up into the spiral.
void add_pin_bar(Kit& kit, int pin)
{
    const BodyId body =
        kit.add_body("pin " + std::to_string(pin + 1), {.rotation = from_axis_angle(kLockAxis, find_pin_angle(pin))});
    // A nose that is rounded in the plane, so that the windows cannot catch it.
    std::vector<Corner> bar{{kBarIn, kBarHalf}, {kBarIn, -kBarHalf}};
    for (int i = 0; i <= 48; ++i)
    {
        const double angle = kPi * (i / 48.0 - 0.5);
        bar.push_back({kBarOut - 3e-3 + 3e-3 * std::cos(angle), kBarHalf * std::sin(angle)});
    }
    kit.add_part(body, make_prism(bar, kFloorHigh + kBoxPlay, kChannelHigh - kBoxPlay));
    kit.add_part(body, make_prism(make_circle(kPeg, 80), kChannelHigh - 5e-4, kDiscLow - 6e-4),
                 {find_peg_radius(pin), 0, 0});
}

/// A hexagonal shank in the spiral's socket, a foot that the spiral stands on, a shaft through the lid, and a bow to
/// hold it by.
void add_key(Kit& kit)
{
    const BodyId key = kit.add_body("key", {.kind = BodyKind::kinematic});
    kit.add_part(key, make_prism(make_circle(kShank, 6), kDiscLow - 1e-3, kDiscHigh + 2e-4));
    kit.add_part(key, make_prism(make_circle(20e-3, 6), kDiscLow - 3e-3, kDiscLow - kBoxPlay));
    kit.add_part(key, make_prism(make_circle(7.5e-3, 96), kDiscHigh + 1e-4, 60e-3));
    MeshOptions bow = make_loop(
        [](double s) { return Vec3{16e-3 * std::cos(2 * kPi * s), 16e-3 * std::sin(2 * kPi * s), 0}; }, 4e-3, 96, 24);
    kit.add_part(key, make_upright(std::move(bow)), {0, 0, 75e-3});
    // A turn and a bit in two seconds, from rest.
    kit.add_turning(
        key, {}, kLockAxis, [](double t) { return kPi * 1.1 * (t < 0.2 ? 2.5 * t * t : std::min(t, 2.1) - 0.1); }, 4);
}

/// A cup: floor, wall below the windows, the wall between them, and the rim that hangs on the pins.
void add_cup(Kit& kit)
{
    constexpr double kDeep = -40e-3, kWindowLow = kFloorHigh - 1e-3, kWindowHigh = kChannelHigh + 1e-3, kRim = 14e-3;
    const BodyId cup = kit.add_body("bottom");
    kit.add_part(cup, make_prism(make_circle(kCupOut, kPlain), kDeep, kDeep + 3e-3));
    kit.add_part(cup, make_ring(kCupIn, kCupOut, kFine, kDeep + 2.9e-3, kWindowLow));
    for (int pin = 0; pin < kPins; ++pin)
    {
        const double window = std::asin((kBarHalf + 1e-3) / kCupIn);
        const double from = find_pin_angle(pin) + window, to = find_pin_angle(pin + 1) - window;
        std::vector<Corner> pillar;
        add_arc(kCupOut, from, to, kFine / kPins - 6, pillar);
        add_arc(kCupIn, to, from, kFine / kPins - 6, pillar);
        kit.add_part(cup, make_prism(pillar, kWindowLow - 1e-4, kWindowHigh + 1e-4));
    }
    kit.add_part(cup, make_ring(kCupIn, kCupOut, kFine, kWindowHigh, kRim));
    // What is locked in: a coin on the floor of the cup.
    kit.add_solid("coin", make_prism(make_circle(15e-3, 96), 0, 3e-3),
                  {.position = {10e-3, 0, kDeep + 3.2e-3}, .density = 8000});
}

Result<Model> build_lock_box()
{
    Kit kit("lock_box", {.dhat = 1e-5});
    add_case(kit);
    add_lid(kit);
    add_spiral(kit);
    for (int pin = 0; pin < kPins; ++pin) add_pin_bar(kit, pin);
    add_key(kit);
    add_cup(kit);
    return kit.finish();
}

/// The farthest that any pin's nose reaches out [m], in one frame.
double find_farthest_nose(const IpcRun& run, const IpcFrame& frame)
{
    double farthest = 0;
    for (int pin = 0; pin < kPins; ++pin)
    {
        const Pose& pose = frame.pose[run.body("pin " + std::to_string(pin + 1))];
        const Vec3 nose = pose.position + rotate(pose.rotation, Vec3{kBarOut, 0, 0.5 * (kFloorHigh + kChannelHigh)});
        farthest = std::max(farthest, std::hypot(nose.x, nose.y));
    }
    return farthest;
}

/// The bottom stays while any pin is in its window, then falls.
IpcVerdict judge_lock_box(const IpcRun& run)
{
    const std::size_t bottom = run.body("bottom");
    const double start = run.start().pose[bottom].position.z;
    double early = 0, nose = 0;
    for (const IpcFrame& frame : run.frames)
    {
        nose = find_farthest_nose(run, frame);
        if (nose > kCupIn + 1e-3) early = std::max(early, start - frame.pose[bottom].position.z);
    }
    const double fallen = start - run.end().pose[bottom].position.z;
    // The windows are 1 mm higher than the pins, which have some play themselves.
    return make_verdict(early < 2.5e-3, "fall of the bottom while a pin holds it", early, "m") &&
           make_verdict(nose < kCupIn, "farthest nose at the end", nose, "m") &&
           make_verdict(fallen > 0.02, "fall of the bottom", fallen, "m");
}

constexpr std::array kLockBox = {
    IpcScene{{"ipc/lock_box", "a key turns a spiral that draws in five pins, and the bottom falls", 1.6, "contact",
              &build_lock_box},
             "1",
             &judge_lock_box},
};

}  // namespace

std::span<const IpcScene> lock_box_scenes() { return kLockBox; }

}  // namespace rattleback::lab
