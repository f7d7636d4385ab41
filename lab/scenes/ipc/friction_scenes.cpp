// Arches, houses of cards, slopes and turntables: what friction holds, and when it lets go; and what rolls.
#include "base/index.h"
#include "lab/scenes/ipc/families.h"
#include "lab/scenes/ipc/kit.h"

#include <algorithm>
#include <array>

namespace rattleback::lab
{

namespace
{

constexpr double kG = 9.81;
constexpr double kSharp = 1e-5;  ///< speed below which friction is smoothed in the authors' scenes of it [m/s]
constexpr int kManyLags = 100;   ///< until friction is in balance: theirs have no bound
constexpr double kJoint = 1e-5;  ///< between what stands from the start [m]

/// Stones along a catenary, in which every joint is at right angles to the thrust: the first and the last are fixed.
/// Every second one is a little thinner and narrower, so that its corners lie inside the sides of its neighbours.
/// Joints are all of one width, nearly closed: all of them closed by g lower the crown by 0.55 n g (d f / d L of a
/// catenary of length L and rise f over this span).
Result<Model> build_arch(const char* name, int stones)
{
    constexpr double kWidth = 10, kThick = 0.8, kA = 2.2, kDepth = 0.5, kLess = 5e-3;  // [m]
    Kit kit(name, {.friction = 0.5});
    // y = a - a cosh(x / a) + rise, by arc length s = a sinh(x / a).
    const double end = kA * std::sinh(kWidth / 2 / kA);
    const double most = std::cosh(kWidth / 2 / kA);
    // Both sides of joint `j` are at right angles to the curve there, half the joint's width before and behind it.
    const auto edge = [&](int j, double side, double off)
    {
        const double s = -end + 2 * end * j / stones;
        const double x = kA * std::asinh(s / kA), c = std::cosh(x / kA), t = std::tanh(x / kA);
        const double z = kA * (most - c), half = 0.5 * side * kJoint;
        // The normal of the curve points up and outward, its tangent down on the right.
        return Corner{x + off * t + half / c, z + off / c - half * t};
    };
    for (int i = 0; i < stones; ++i)
    {
        // In the plane of x and z, counter-clockwise seen along y; the prism's z becomes -y.
        const double less = i % 2 == 0 ? 0 : kLess, half = kThick / 2 - 2 * less, deep = kDepth - less;
        MeshOptions stone = make_prism(
            {edge(i, 1, -half), edge(i + 1, -1, -half), edge(i + 1, -1, half), edge(i, 1, half)}, -deep, deep);
        for (Vec3& v : stone.vertices) v = {v.x, -v.z, v.y};
        const bool held = i == 0 || i == stones - 1;
        kit.add_solid("stone " + std::to_string(i + 1), std::move(stone),
                      {.kind = held ? BodyKind::fixed : BodyKind::dynamic});
    }
    return kit.finish();
}

/// Neither the crown nor any other stone sinks: by their centres of mass.
IpcVerdict judge_arch(const IpcRun& run)
{
    double drop = 0;
    for (std::size_t b = 1; b < run.end().pose.size(); ++b)
    {
        const Vec3 center = run.model->bodies.inertial_pose[b].position;
        const Pose &before = run.start().pose[b], &now = run.end().pose[b];
        drop = std::max(drop, (before.position + rotate(before.rotation, center)).z -
                                  (now.position + rotate(now.rotation, center)).z);
    }
    return make_verdict(drop < 1e-3, "largest drop", drop, "m");
}

/// A card as a sheet without thickness: lower edge at the origin along y, leaning by `lean` from the vertical.
void add_card(Kit& kit, const std::string& name, MeshId card, const Vec3& place, double lean)
{
    const BodyId body = kit.add_body(name, {.position = place, .rotation = from_axis_angle({0, 1, 0}, lean)});
    kit.add_shape(body, Surface{card}, {}, {}, 0.3);
}

/// Tents of two cards, a plate on each row of them, the next row on that.
Result<Model> build_cards(const char* name, int levels)
{
    constexpr double kLong = 1, kLean = 0.4, kGap = 1e-3;  // [m], [rad]
    Kit kit(name, {.dhat = 1e-3, .friction = 0.5, .ground = 6, .friction_lags = kManyLags});
    const double cell = 2 * kLong * std::sin(kLean) + 0.05, high = kLong * std::cos(kLean);
    // No two cards are of one width: corners lean on edges, not on corners.
    const auto add_sheet = [&](const char* title, double half)
    {
        return kit.add_mesh(title, {.vertices = {{0, -half, 0}, {0, half, 0}, {0, half, kLong}, {0, -half, kLong}},
                                    .triangles = {{0, 1, 2}, {0, 2, 3}}});
    };
    const MeshId left = add_sheet("left card", 0.4), right = add_sheet("right card", 0.37);
    double z = kGap;
    for (int level = 0; level < levels; ++level)
    {
        const int tents = levels - level;
        for (int i = 0; i < tents; ++i)
        {
            const double x = cell * (i - 0.5 * (tents - 1)), foot = kLong * std::sin(kLean) + kGap / 2;
            const std::string place = std::to_string(level) + " " + std::to_string(i);
            add_card(kit, "left " + place, left, {x - foot, 0, z}, kLean);
            add_card(kit, "right " + place, right, {x + foot, 0, z}, -kLean);
        }
        z += high + kGap;
        if (level + 1 == levels) break;
        const double half = 0.5 * cell * (tents - 1) + 0.3, wide = 0.45;  // cards end inside its border
        const BodyId plate = kit.add_body("plate " + std::to_string(level), {.position = {0, 0, z}});
        MeshOptions flat{.name = "",
                         .vertices = {{-half, -wide, 0}, {half, -wide, 0}, {half, wide, 0}, {-half, wide, 0}},
                         .triangles = {{0, 1, 2}, {0, 2, 3}}};
        kit.add_shape(plate, Surface{kit.add_mesh(("plate " + std::to_string(level)).c_str(), flat)}, {}, {}, 0.3);
        z += kGap;
    }
    return kit.finish();
}

/// Largest turn of a card of the bottom row, by its axis along the card's lean [rad].
double find_bottom_turn(const IpcRun& run, const Vec3& axis)
{
    double worst = 0;
    for (std::size_t b = 1; b < run.end().pose.size(); ++b)
    {
        const std::string& name = run.model->bodies.name[b];
        if (name.rfind("left 0", 0) != 0 && name.rfind("right 0", 0) != 0) continue;
        const Vec3 now = rotate(run.end().pose[b].rotation, axis);
        const Vec3 before = rotate(run.start().pose[b].rotation, axis);
        worst = std::max(worst, std::acos(std::clamp(dot(now, before), -1.0, 1.0)));
    }
    return worst;
}

IpcVerdict judge_iterations(const IpcRun& run)
{
    double iterations = 0;
    for (const IpcFrame& frame : run.frames) iterations += frame.iterations;
    iterations /= std::max(1.0, static_cast<double>(run.frames.size() - 1));
    return make_verdict(iterations < 200, "iterations a step", iterations, "");
}

IpcVerdict judge_cards(const IpcRun& run)
{
    // The bottom row stands: its cards lean as they did, to a few degrees.
    const double worst = find_bottom_turn(run, {0, 0, 1});
    return make_verdict(worst < 0.1, "largest turn of a card of the bottom row", worst, "rad") && judge_iterations(run);
}

// The house of Fig. 10: cards of 2.5 x 1.25 m and 156 kg that lean by 25 degrees, all a little apart at the start.
constexpr double kCard = 2.5, kCardWide = 1.25, kCardLean = 65 * kPi / 180, kCardDensity = 50;  // [m], [rad], [kg/m^2]
constexpr double kHalfTent = 0.55, kTent = 4 * kHalfTent;                                       // along x [m]
constexpr double kCardRise = 1.2083;  // half a level: half of a card's height and 75 mm [m]

/// Three levels of tents, a plate under each tent of the next level, then two cubes of 49 times a card's mass, which
/// fall by 1.7 and 2.9 lengths of a card: masses, sizes, places and friction of the authors' file.
Result<Model> build_falling_blocks()
{
    Kit kit("card_house_3_blocks", {.dhat = 1e-3,
                                    .friction = 0.9,
                                    .gravity = {0, 0, -9.8},
                                    .ground = 10,
                                    .static_speed = kSharp,
                                    .friction_lags = 1});
    constexpr double kHalf = kCard / 2, kWide = kCardWide / 2, kTilt = kPi / 180;
    const MeshId card = kit.add_mesh(
        "card", {.vertices = {{-kHalf, -kWide, 0}, {kHalf, -kWide, 0}, {kHalf, kWide, 0}, {-kHalf, kWide, 0}},
                 .triangles = {{0, 1, 2}, {0, 2, 3}}});
    const auto add = [&](const std::string& name, double x, double z, double angle)
    {
        const BodyId body = kit.add_body(name, {.position = {x, 0, z}, .rotation = from_axis_angle({0, 1, 0}, angle)});
        kit.add_shape(body, Surface{card}, {}, {}, kCardDensity);
    };
    constexpr int kLevels = 3;
    for (int level = 0; level < kLevels; ++level)
    {
        const int tents = kLevels - level;
        for (int i = 0; i < tents; ++i)
        {
            const double x = kTent * (i - 0.5 * (tents - 1));
            const std::string place = std::to_string(level) + " " + std::to_string(i);
            add("left " + place, x - kHalfTent, (2 * level + 1) * kCardRise, -kCardLean);
            add("right " + place, x + kHalfTent, (2 * level + 1) * kCardRise, kCardLean);
            // Two plates side by side overlap, and are tilted for it.
            if (level > 0) add("plate " + place, x, 2 * level * kCardRise, kTilt);
        }
    }
    kit.add_box("block 0", {0.5, 0.5, 0.5}, {.position = {0.2, 0.2, 12}, .density = 7680});
    kit.add_box("block 1", {0.5, 0.5, 0.5}, {.position = {0.5, 0.3, 15}, .density = 7680});
    return kit.finish();
}

/// As Fig. 10 has it: "the top two levels collapse, but the final floor is able to catch the cubes".
IpcVerdict judge_falling_blocks(const IpcRun& run)
{
    // A card that has turned by its lean has fallen. What has collapsed is below the apex of the second level.
    constexpr double kStands = 0.3;
    const double floor = kCard * std::sin(kCardLean), worst = find_bottom_turn(run, {1, 0, 0});
    double lowest = HUGE_VAL, highest = 0;
    for (std::size_t b = 1; b < run.end().pose.size(); ++b)
    {
        const std::string& name = run.model->bodies.name[b];
        const Pose& pose = run.end().pose[b];
        const bool is_block = name.rfind("block", 0) == 0;
        if (is_block) lowest = std::min(lowest, pose.position.z);
        const bool is_upper = name.rfind("left 0", 0) != 0 && name.rfind("right 0", 0) != 0;
        const double reach = std::abs(rotate(pose.rotation, Vec3{kCard / 2, 0, 0}).z) +
                             std::abs(rotate(pose.rotation, Vec3{0, kCardWide / 2, 0}).z);
        if (!is_block && is_upper) highest = std::max(highest, pose.position.z + reach);
    }
    return make_verdict(worst < kStands, "largest turn of a card of the bottom row", worst, "rad") &&
           make_verdict(lowest > floor, "height of the lower block", lowest, "m") &&
           make_verdict(highest < 2 * floor, "highest corner of the levels above", highest, "m") &&
           judge_iterations(run);
}

constexpr double kSlope = 0.46364760900080609;  // atan(1/2): critical friction 0.5

Result<Model> build_slope(const char* name, double friction, double gap)
{
    Kit kit(name, {.dt = 0.025, .friction = friction, .static_speed = kSharp, .friction_lags = kManyLags});
    const Quat turn = from_axis_angle({0, 1, 0}, kSlope);
    kit.add_box("slope", {20, 2, 0.5},
                {.position = rotate(turn, Vec3{0, 0, -0.5}), .rotation = turn, .kind = BodyKind::fixed});
    kit.add_box("box", {0.5, 0.5, 0.5}, {.position = rotate(turn, Vec3{-5, 0, 0.5 + gap}), .rotation = turn});
    return kit.finish();
}

/// How far a point of the box has gone down the slope since a frame.
double find_slid(const IpcRun& run, const IpcFrame& since, const Vec3& point)
{
    const std::size_t box = run.body("box");
    const auto place = [&](const IpcFrame& frame)
    { return frame.pose[box].position + rotate(frame.pose[box].rotation, point); };
    return dot(rotate(from_axis_angle({0, 1, 0}, kSlope), Vec3{1, 0, 0}), place(run.end()) - place(since));
}

IpcVerdict judge_slope_slides(const IpcRun& run)
{
    const double t = run.end().time;
    const double expected = 0.5 * kG * (std::sin(kSlope) - 0.49 * std::cos(kSlope)) * t * t;
    const double slid = find_slid(run, run.start(), {});
    return make_verdict(std::abs(slid / expected - 1) < 0.1, "slid over the closed form", slid / expected, "");
}

IpcVerdict judge_slope_holds(const IpcRun& run)
{
    // Creeps less than eps_v times the time, from when it has landed: in its fall it went 2.2 mm down the slope. Slip
    // is what the side that touches does: the centre also goes along with the lean on the contacts.
    constexpr double kLanded = 0.25;  // [s]
    const double creep = find_ipc_parameter(*run.model, "static_speed", KitOptions{}.static_speed);
    const auto since = std::find_if(run.frames.begin(), run.frames.end() - 1,
                                    [&](const IpcFrame& frame) { return frame.time >= kLanded - 1e-9; });
    const double slid = find_slid(run, *since, {0, 0, -0.5}), most = creep * (run.end().time - since->time);
    return make_verdict(std::abs(slid) < most, "crept over eps_v t", slid / most, "");
}

// A block at this radius on a disc that spins up at this rate.
constexpr double kTableArm = 1, kTableRate = 1;  // [m], [rad/s^2]

/// The box stands at an angle from x, that is over few or many of the disc's triangles, which all meet at (2, 0).
Result<Model> build_turntable(const char* name, double friction, double angle)
{
    Kit kit(name, {.dt = 0.025, .friction = friction, .static_speed = kSharp, .friction_lags = kManyLags});
    const BodyId disc = kit.add_solid("disc", make_prism(make_circle(2, 64), -0.1, 0), {.kind = BodyKind::kinematic});
    Track track;
    for (int i = 0; i <= 400; ++i)
    {
        const double t = 0.025 * i;
        track.times.push_back(t);
        track.poses.push_back({{}, from_axis_angle({0, 0, 1}, 0.5 * kTableRate * t * t)});
    }
    kit.builder().add_track(disc, track);
    kit.add_box("box", {0.1, 0.1, 0.1},
                {.position = {kTableArm * std::cos(angle), kTableArm * std::sin(angle), 0.1 + 9e-4}});
    return kit.finish();
}

/// Since when the box slides on the disc, faster than twice the speed that friction is smoothed by [s]; negative: it
/// does not in the end. (In the first step nothing presses yet, and it slips for a moment.)
double find_slip(const IpcRun& run)
{
    constexpr double kSlides = 2e-3;  // [m/s]
    const std::size_t box = run.body("box");
    double since = -1;
    for (std::size_t i = 1; i < run.frames.size(); ++i)
    {
        // Its place on the disc, from frame to frame.
        const auto find_place = [&](const IpcFrame& frame)
        {
            const Quat disc = from_axis_angle({0, 0, 1}, 0.5 * kTableRate * frame.time * frame.time);
            return rotate(conjugate(disc), frame.pose[box].position);
        };
        const double time = run.frames[i].time, step = time - run.frames[i - 1].time;
        const Vec3 way = find_place(run.frames[i]) - find_place(run.frames[i - 1]);
        const bool slides = std::hypot(way.x, way.y) > kSlides * step;
        if (!slides) since = -1;
        // Some time within the step: its middle.
        if (slides && since < 0) since = time - 0.5 * step;
    }
    return since;
}

/// It slips when the acceleration it needs, sqrt(alpha^2 + omega^4) r, passes mu g, within 5 %.
template <int kPercent>
IpcVerdict judge_turntable(const IpcRun& run)
{
    constexpr double kHeld = kPercent * 0.01 * kG;
    const double slip = find_slip(run), omega = kTableRate * slip;
    const double needed = kTableArm * std::hypot(kTableRate, omega * omega);
    if (kPercent == 0) return make_verdict(slip >= 0 && slip <= 0.05, "slips at", slip, "s");
    return make_verdict(slip >= 0 && std::abs(needed / kHeld - 1) < 0.05, "slips at this much of what friction holds",
                        needed / kHeld, "");
}

constexpr double kCoin = 0.0125, kCoinHalf = 8e-4;  // radius and half the thickness [m]

/// Rate at which the place of contact of a disc goes round while it rolls on its rim about a centre that stays, at this
/// tilt (Euler's disk). The turn of the disc is along the arm of its contact, dL/dt = Ω z x L is the moment of the
/// ground's force, and so Ω² sin a (A cos a - C (b / r) sin a) = g (r cos a - b sin a), with moments A across and C
/// about the axis over the mass.
double find_disk_rate(double tilt)
{
    constexpr double kAcross = kCoin * kCoin / 4 + kCoinHalf * kCoinHalf / 3, kAxial = kCoin * kCoin / 2;
    const double s = std::sin(tilt), c = std::cos(tilt), thick = kCoinHalf / kCoin;
    return std::sqrt(kG * (kCoin * c - kCoinHalf * s) / (s * (kAcross * c - kAxial * thick * s)));
}

Result<Model> build_coin()
{
    Kit kit(
        "coin",
        {.dt = 1e-4, .dhat = 1e-4, .friction = 0.2, .ground = 1, .static_speed = kSharp, .friction_lags = kManyLags});
    constexpr double kTilt = 0.25;  // between its side and the ground [rad]
    const Quat tilt = from_axis_angle({0, 1, 0}, kTilt);
    // Rolls about its centre: uphill in its plane, and along its axis, as the arm of its contact is.
    const Vec3 turn = find_disk_rate(kTilt) * std::sin(kTilt) * Vec3{-1, 0, kCoinHalf / kCoin};
    kit.add_solid("coin", make_prism(make_circle(kCoin, 64), -kCoinHalf, kCoinHalf),
                  {.position = {0, 0, kCoin * std::sin(kTilt) + kCoinHalf * std::cos(kTilt) + 9e-5},
                   .rotation = tilt,
                   .density = 8000,
                   .angular_velocity = rotate(tilt, turn)});
    return kit.finish();
}

/// The energy only falls.
IpcVerdict judge_falling_energy(const IpcRun& run)
{
    double rise = 0, before = run.start().energy;
    for (const IpcFrame& frame : run.frames)
    {
        rise = std::max(rise, frame.energy - before);
        before = std::min(before, frame.energy);
    }
    const double scale = std::max(run.start().energy - before, 1e-12);
    return make_verdict(rise < 0.01 * scale, "largest rise of energy over its fall", rise / scale, "");
}

/// Euler's disk: as the tilt falls the place of contact goes round faster, at the rate of find_disk_rate(), until the
/// coin lies nearly flat and d-hat is no longer small beside the height of its rim; the energy only falls.
IpcVerdict judge_coin(const IpcRun& run)
{
    constexpr double kWindow = 0.05, kLies = 0.1;  // several times round [s]; tilt below which it is nearly flat [rad]
    const std::size_t coin = run.body("coin");
    const auto find_axis = [&](const IpcFrame& frame) { return rotate(frame.pose[coin].rotation, Vec3{0, 0, 1}); };
    double turned = 0, tilt = 0, since = run.start().time, worst = 0, first = 0, last = 0;
    int count = 0;
    for (std::size_t i = 1; i < run.frames.size(); ++i)
    {
        const Vec3 before = find_axis(run.frames[i - 1]), axis = find_axis(run.frames[i]);
        turned += std::atan2(before.x * axis.y - before.y * axis.x, before.x * axis.x + before.y * axis.y);
        tilt += std::atan2(std::hypot(axis.x, axis.y), axis.z);
        ++count;
        const double span = run.frames[i].time - since;
        if (span < kWindow - 1e-9) continue;
        if (tilt / count < kLies) break;
        last = std::abs(turned) / span;
        if (first == 0) first = last;
        worst = std::max(worst, std::abs(last / find_disk_rate(tilt / count) - 1));
        since = run.frames[i].time;
        turned = tilt = count = 0;
    }
    return make_verdict(worst < 0.1, "rate of the contact off Euler's disk", worst, "") &&
           make_verdict(last > 1.1 * first, "rate at the end over the start", last / first, "") &&
           judge_falling_energy(run);
}

Result<Model> build_rolling_cone()
{
    Kit kit("rolling_cone", {.dhat = 1e-4, .friction = 0.5});
    constexpr double kHigh = 0.3, kWide = 0.1;
    const double half = std::atan2(kWide, kHigh);  // of the opening
    const Quat slope = from_axis_angle({0, 1, 0}, 0.1);
    kit.add_box("slope", {3, 3, 0.5},
                {.position = rotate(slope, Vec3{0, 0, -0.5}), .rotation = slope, .kind = BodyKind::fixed});
    // The tip at the origin, a side along the plane and across the slope.
    const Quat lie = from_axis_angle({1, 0, 0}, -(kPi / 2 - half));
    kit.add_solid("cone", make_lathe({{0, 0}, {kWide, kHigh}}, 48),
                  {.position = rotate(slope, Vec3{0, 0, 2e-3}), .rotation = slope * lie});
    return kit.finish();
}

IpcVerdict judge_rolling_cone(const IpcRun& run)
{
    const std::size_t cone = run.body("cone");
    // It swings about its tip like a pendulum: the axis turns downhill, the tip hardly moves.
    const Vec3 axis = rotate(run.end().pose[cone].rotation, Vec3{0, 0, 1});
    double farthest = 0;
    for (const IpcFrame& frame : run.frames)
        farthest = std::max(farthest, rotate(frame.pose[cone].rotation, Vec3{0, 0, 1}).x);
    return judge_falling_energy(run) &&
           make_verdict(farthest > 0.5, "farthest turn of the axis downhill", farthest, "") &&
           make_verdict(std::isfinite(axis.x), "axis at the end", axis.x, "");
}

constexpr IpcScene rubbing(const char* name, const char* summary, double duration, Result<Model> (*build)(),
                           IpcVerdict (*judge)(const IpcRun&), const char* figure)
{
    return {{name, summary, duration, "contact", build}, figure, judge};
}

constexpr std::array kFriction = {
    rubbing(
        "ipc/arch_25", "an arch of 25 stones", 20, [] { return build_arch("arch_25", 25); }, &judge_arch, "22"),
    rubbing(
        "ipc/arch_101", "an arch of 101 stones", 20, [] { return build_arch("arch_101", 101); }, &judge_arch, "11"),
    rubbing(
        "ipc/card_tent", "two cards lean on each other", 5, [] { return build_cards("card_tent", 1); }, &judge_cards,
        ""),
    rubbing(
        "ipc/card_house_2", "a house of cards with two levels", 5, [] { return build_cards("card_house_2", 2); },
        &judge_cards, ""),
    rubbing("ipc/card_house_3_blocks", "two cubes fall on a house of cards with three levels", 5, &build_falling_blocks,
            &judge_falling_blocks, "10"),
    rubbing(
        "ipc/slope_49", "a box on a slope of atan(1/2), friction 0.49", 2,
        [] { return build_slope("slope_49", 0.49, kJoint); }, &judge_slope_slides, "18"),
    rubbing(
        "ipc/slope_50", "the same with friction 0.5", 2, [] { return build_slope("slope_50", 0.5, kJoint); },
        &judge_slope_holds, "18"),
    rubbing(
        "ipc/slope_50_fall", "the same, from 5.3 mm above the slope, as the reference's", 2,
        [] { return build_slope("slope_50_fall", 0.5, 5.3e-3); }, &judge_slope_holds, "18"),
    rubbing(
        "ipc/turntable_0", "a box on a disc that spins up, without friction", 2,
        [] { return build_turntable("turntable_0", 0, kPi); }, &judge_turntable<0>, "13"),
    rubbing(
        "ipc/turntable_10", "the same with friction 0.1, until long after it has left", 10,
        [] { return build_turntable("turntable_10", 0.1, kPi); }, &judge_turntable<10>, "13"),
    rubbing(
        "ipc/turntable_50", "the same with friction 0.5", 3.5, [] { return build_turntable("turntable_50", 0.5, kPi); },
        &judge_turntable<50>, "13"),
    rubbing(
        "ipc/turntable_100", "the same with friction 1", 4, [] { return build_turntable("turntable_100", 1, kPi / 2); },
        &judge_turntable<100>, "13"),
    rubbing("ipc/coin", "a coin rolls on its rim, ever faster as it sinks", 1.25, &build_coin, &judge_coin, "7"),
    rubbing("ipc/rolling_cone", "a cone rolls about its tip on a slope", 2, &build_rolling_cone, &judge_rolling_cone,
            "22"),
};

}  // namespace

std::span<const IpcScene> friction_scenes() { return kFriction; }

}  // namespace rattleback::lab
