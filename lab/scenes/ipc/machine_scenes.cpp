// Machines: a bolt in a nut, gears, a piston, a lewis that lifts a stone, pendulums on pegs, clouds of points, packing.
#include "base/index.h"
#include "lab/scenes/ipc/families.h"
#include "lab/scenes/ipc/kit.h"

#include <algorithm>
#include <array>

namespace rattleback::lab
{

namespace
{

// A thread: the radius rises and falls once per turn and pitch.
constexpr double kThreadPitch = 4e-3, kCore = 8e-3, kTooth = 1.6e-3, kThreadPlay = 3e-4;  // [m]

double find_thread(double turn, double height)
{
    const double phase = height / kThreadPitch - turn, part = phase - std::floor(phase);
    return kCore + kTooth * std::min(1.0, 2.5 * std::min(part, 1 - part));
}

/// A bolt that turns itself down through a nut by its weight.
Result<Model> build_bolt()
{
    Kit kit("bolt", {.dhat = 1e-4});
    // Both surfaces have their vertices on the same rays and heights, so that the play is the same everywhere.
    const double row = kThreadPitch / 10;
    const auto nut_inside = [](double turn, double z) { return find_thread(turn, z) + kThreadPlay; };
    kit.add_solid("nut", make_sleeve(nut_inside, 0.02, {.low = -25 * row, .high = 25 * row, .around = 24, .along = 50}),
                  {.density = 8050, .kind = BodyKind::fixed});
    const BodyId bolt =
        kit.add_solid("bolt", make_shaft(find_thread, {.low = -30 * row, .high = 60 * row, .around = 24, .along = 90}),
                      {.density = 8050});
    kit.add_shape(bolt,
                  Mesh{kit.add_mesh("head", make_prism(make_circle(0.018, 6), 60 * row - 1e-4, 60 * row + 6e-3)),
                       MeshCollide::exact, MeshMass::exact},
                  {}, {}, 8050);
    return kit.finish();
}

/// Travel along the axis is pitch times turn over 2 pi, within the play along the axis.
IpcVerdict judge_bolt(const IpcRun& run)
{
    const std::size_t bolt = run.body("bolt");
    double angle = 0, worst = 0;
    Quat before = run.start().pose[bolt].rotation;
    for (const IpcFrame& frame : run.frames)
    {
        const Quat step = frame.pose[bolt].rotation * conjugate(before);
        angle += 2 * std::atan2(step.z, step.w);
        before = frame.pose[bolt].rotation;
        const double travel = frame.pose[bolt].position.z - run.start().pose[bolt].position.z;
        worst = std::max(worst, std::abs(travel - kThreadPitch * angle / (2 * kPi)));
    }
    const double play = kThreadPlay * kThreadPitch / (2.5 * kTooth) * 2;  // both flanks
    return make_verdict(worst < play, "off the screw rule", worst, "m") &&
           make_verdict(angle < -0.5, "turned", angle, "rad");
}

/// The outline of a gear with straight flanks: `teeth` teeth, `wide` of each period at the pitch radius.
std::vector<Corner> make_gear(int teeth, double pitch_radius, double module, double wide, double phase)
{
    std::vector<Corner> outline;
    const double period = 2 * kPi / teeth;
    for (int i = 0; i < teeth; ++i)
    {
        const double middle = phase + i * period, half = 0.5 * wide * period;
        const auto put = [&](double radius, double angle)
        { outline.push_back({radius * std::cos(angle), radius * std::sin(angle)}); };
        put(pitch_radius - 1.25 * module, middle - half * 1.6);
        put(pitch_radius + module, middle - half * 0.5);
        put(pitch_radius + module, middle + half * 0.5);
        put(pitch_radius - 1.25 * module, middle + half * 1.6);
    }
    return outline;
}

constexpr int kTeeth = 12;

/// A driven gear and one or more that it turns, on hinges.
Result<Model> build_gears(const char* name, int count)
{
    constexpr double kRadius = 0.12, kModule = 2 * kRadius / kTeeth;
    Kit kit(name, {.dhat = 1e-4, .gravity = {}});
    for (int i = 0; i < count; ++i)
    {
        const double phase = i % 2 == 0 ? 0 : kPi / kTeeth;
        const BodyId gear = kit.add_solid(
            "gear " + std::to_string(i + 1), make_prism(make_gear(kTeeth, kRadius, kModule, 0.42, phase), -0.02, 0.02),
            {.position = {2 * kRadius * i, 0, 0}, .kind = i == 0 ? BodyKind::kinematic : BodyKind::dynamic});
        if (i > 0) kit.builder().add_joint(gear, {.type = JointType::hinge});
        if (i > 0) continue;
        Track track;
        for (int k = 0; k <= 40; ++k)
        {
            track.times.push_back(0.1 * k);
            track.poses.push_back({{}, from_axis_angle({0, 0, 1}, 0.2 * k)});
        }
        kit.builder().add_track(gear, track);
    }
    return kit.finish();
}

double find_turn(const IpcRun& run, std::size_t body)
{
    double angle = 0;
    Quat before = run.start().pose[body].rotation;
    for (const IpcFrame& frame : run.frames)
    {
        const Quat step = frame.pose[body].rotation * conjugate(before);
        angle += 2 * std::atan2(step.w < 0 ? -step.z : step.z, std::abs(step.w));
        before = frame.pose[body].rotation;
    }
    return angle;
}

IpcVerdict judge_gears(const IpcRun& run)
{
    const double driver = find_turn(run, run.body("gear 1")), last = find_turn(run, run.body("gear 2"));
    // A ratio of -1 but for the backlash.
    const double slack = 2 * kPi / kTeeth * 0.5;
    return make_verdict(std::abs(last + driver) < slack, "lag of the second gear", last + driver, "rad") &&
           make_verdict(std::abs(driver) > 1, "turn of the first", driver, "rad");
}

// Crank and rod of the piston.
constexpr double kCrank = 0.05, kRod = 0.16, kPin = 0.012, kFit = 5e-4;  // [m]

/// A crank turns; a rod with two eyes pushes a piston through a guide. All move in the plane of x and y.
Result<Model> build_piston()
{
    Kit kit("piston", {.gravity = {0, -9.81, 0}});
    const BodyId crank = kit.add_body("crank", {.kind = BodyKind::kinematic});
    const auto solid = [&](const char* name, MeshOptions mesh)
    { return Mesh{kit.add_mesh(name, std::move(mesh)), MeshCollide::exact, MeshMass::exact}; };
    kit.add_shape(crank, solid("disc", make_prism(make_circle(0.09, 32), -0.04, -0.02)));
    kit.add_shape(crank, solid("crank pin", make_prism(make_circle(kPin, 24), -0.021, 0.01)), {kCrank, 0, 0});
    Track track;
    for (int k = 0; k <= 60; ++k)
    {
        track.times.push_back(0.05 * k);
        track.poses.push_back({{}, from_axis_angle({0, 0, 1}, 2 * kPi * 0.05 * k)});
    }
    kit.builder().add_track(crank, track);
    const auto plane_joints = [&](BodyId body, bool only_x)
    {
        kit.builder().add_joint(body, {.type = JointType::slide, .axis = {1, 0, 0}});
        if (only_x) return;
        kit.builder().add_joint(body, {.type = JointType::slide, .axis = {0, 1, 0}});
        kit.builder().add_joint(body, {.type = JointType::hinge, .axis = {0, 0, 1}});
    };
    // The rod's frame is at its big eye, its small eye along x.
    const BodyId rod = kit.add_body("rod", {.position = {kCrank, 0, 0}});
    const MeshId eye = kit.add_mesh("eye", make_ring(kPin + kFit, kPin + 0.01, 24, -0.01, 0.01));
    kit.add_shape(rod, Mesh{eye, MeshCollide::exact, MeshMass::exact}, {}, {}, 2700);
    kit.add_shape(rod, Mesh{eye, MeshCollide::exact, MeshMass::exact}, {kRod, 0, 0}, {}, 2700);
    const double inside = kPin + 0.006;
    kit.add_shape(rod, Box{{kRod / 2 - inside, 0.006, 0.008}}, {kRod / 2, 0, 0}, {}, 2700);
    plane_joints(rod, false);
    const BodyId piston = kit.add_body("piston", {.position = {kCrank + kRod, 0, 0}});
    kit.add_shape(piston, solid("wrist pin", make_prism(make_circle(kPin, 24), -0.03, 0.01)), {}, {}, 2700);
    kit.add_shape(piston, Box{{0.04, 0.04, 0.008}}, {0, 0, -0.028}, {}, 2700);
    plane_joints(piston, true);
    return kit.finish();
}

/// x = r cos a + sqrt(l^2 - r^2 sin^2 a), within the play of both pins.
IpcVerdict judge_piston(const IpcRun& run)
{
    const std::size_t piston = run.body("piston");
    double worst = 0, low = 1e300, high = -1e300;
    for (const IpcFrame& frame : run.frames)
    {
        const double angle = 2 * kPi * frame.time, s = kCrank * std::sin(angle);
        const double ideal = kCrank * std::cos(angle) + std::sqrt(kRod * kRod - s * s);
        const double x = frame.pose[piston].position.x;
        worst = std::max(worst, std::abs(x - ideal));
        low = std::min(low, x), high = std::max(high, x);
    }
    return make_verdict(worst < 3 * kFit, "off the crank's law", worst, "m") &&
           make_verdict(high - low > 1.8 * kCrank, "stroke", high - low, "m");
}

/// A lewis: two legs and a key in a dovetail in a stone; the key is pulled up and the stone follows.
Result<Model> build_lewis()
{
    Kit kit("lewis", {.friction = 0.3, .ground = 2});
    constexpr double kGap = 1e-3, kDeep = 0.3, kTop = 0.1, kBottom = 0.15;
    const auto upright = [](MeshOptions mesh)
    {
        for (Vec3& v : mesh.vertices) v = {v.x, -v.z, v.y};
        return mesh;
    };
    // Outlines in x and z; heights from the top of the stone.
    kit.add_solid("stone",
                  upright(make_prism({{-0.4, -0.6},
                                      {0.4, -0.6},
                                      {0.4, 0},
                                      {kTop, 0},
                                      {kBottom, -kDeep},
                                      {-kBottom, -kDeep},
                                      {-kTop, 0},
                                      {-0.4, 0}},
                                     -0.2, 0.2)),
                  {.position = {0, 0, 0.6 + 9e-4}});
    const double key_top = 0.03, key_bottom = 0.055, z = -kDeep + 0.01;
    for (const double side : {-1.0, 1.0})
    {
        std::vector<Corner> leg{{side * (key_bottom + kGap), z},
                                {side * (kBottom - 2 * kGap), z},
                                {side * (kTop - 2 * kGap), 0.05},
                                {side * (key_top + kGap), 0.05}};
        // Inside of the slot its walls lean: the leg's outer side is a little steeper.
        leg[1][0] = side * (kBottom - 4 * kGap), leg[2][0] = side * (kTop - 0.012);
        if (side < 0) std::reverse(leg.begin(), leg.end());
        kit.add_solid(side < 0 ? "left leg" : "right leg", upright(make_prism(leg, -0.1, 0.1)),
                      {.position = {0, 0, 0.6 + 9e-4}});
    }
    const BodyId key = kit.add_solid(
        "key",
        upright(make_prism(
            {{-key_bottom, z}, {key_bottom, z}, {key_top, 0.05}, {0.02, 0.3}, {-0.02, 0.3}, {-key_top, 0.05}}, -0.1,
            0.1)),
        {.position = {0, 0, 0.6 + 9e-4}, .kind = BodyKind::kinematic});
    kit.builder().add_track(key, {.times = {0, 4}, .poses = {{{0, 0, 0.6 + 9e-4}, {}}, {{0, 0, 2.6 + 9e-4}, {}}}});
    return kit.finish();
}

IpcVerdict judge_lewis(const IpcRun& run)
{
    const double key = run.end().pose[run.body("key")].position.z - run.start().pose[run.body("key")].position.z;
    const double stone = run.end().pose[run.body("stone")].position.z - run.start().pose[run.body("stone")].position.z;
    return make_verdict(stone > key - 0.1, "rise of the stone behind that of the key", key - stone, "m") &&
           make_verdict(key > 1, "rise of the key", key, "m");
}

// A pendulum: an eye on a peg, a rod, a bob with a peg of its own.
constexpr double kPeg = 0.03, kEye = 0.035, kPendulumArm = 0.5;  // [m]

void add_pendulum(Kit& kit, const std::string& name, const Vec3& peg, double angle, bool with_peg)
{
    // Along -y the rod; the eye hangs on the peg: its centre is below by the play.
    const Quat turn = from_axis_angle({0, 0, 1}, angle);
    const BodyId body = kit.add_body(name, {.position = peg, .rotation = turn});
    const double back = with_peg ? 0 : 0.0;
    kit.add_shape(body,
                  Mesh{kit.add_mesh((name + " eye").c_str(), make_ring(kEye, kEye + 0.02, 32, -0.02 + back, 0.02)),
                       MeshCollide::exact, MeshMass::exact});
    kit.add_shape(body, Box{{0.01, kPendulumArm / 2 - kEye - 0.01, 0.01}}, {0, -kPendulumArm / 2, 0});
    kit.add_shape(body, Box{{0.05, 0.05, 0.02}}, {0, -kPendulumArm, with_peg ? -0.045 : 0.0});
    if (with_peg)
        kit.add_shape(body,
                      Mesh{kit.add_mesh((name + " peg").c_str(), make_prism(make_circle(kPeg, 32), -0.03, 0.03)),
                           MeshCollide::exact, MeshMass::exact},
                      {0, -kPendulumArm, 0});
    if (with_peg) kit.add_shape(body, Box{{0.01, 0.03, 0.03}}, {0, -kPendulumArm + 0.06, -0.03});
    // In the plane of x and y, as the reference has it.
    kit.builder().add_joint(body, {.type = JointType::slide, .axis = rotate(conjugate(turn), Vec3{1, 0, 0})});
    kit.builder().add_joint(body, {.type = JointType::slide, .axis = rotate(conjugate(turn), Vec3{0, 1, 0})});
    kit.builder().add_joint(body, {.type = JointType::hinge, .axis = {0, 0, 1}});
}

Result<Model> build_peg_pendulum()
{
    Kit kit("peg_pendulum", {.dhat = 1e-4, .gravity = {0, -9.81, 0}});
    kit.add_solid("peg", make_prism(make_circle(kPeg, 32), -0.05, 0.05), {.kind = BodyKind::fixed});
    add_pendulum(kit, "pendulum", {}, 0.5, false);
    return kit.finish();
}

/// It hangs on: the eye's centre stays within the play of the peg's; and it swings to the other side.
IpcVerdict judge_pendulum(const IpcRun& run)
{
    const std::size_t body = run.body("pendulum");
    double off = 0, lowest = 1e300;
    for (const IpcFrame& frame : run.frames)
    {
        off = std::max(off, norm(frame.pose[body].position));
        lowest = std::min(lowest, 2 * std::atan2(frame.pose[body].rotation.z, frame.pose[body].rotation.w));
    }
    return make_verdict(off < 1.1 * (kEye - kPeg), "farthest of the eye from the peg", off, "m") &&
           make_verdict(lowest < -0.3, "swings to", lowest, "rad");
}

/// A cloud of points, as a body, falls into a bowl of another and both rest on a floor of points.
Result<Model> build_point_clouds()
{
    Kit kit("point_clouds", {.friction = 0.1, .ground = 3});
    const MeshId cloud = kit.add_mesh("cloud", make_point_cloud(0.3, 2000));
    const BodyId body = kit.add_body("cloud", {.position = {0, 0, 0.35}});
    kit.builder().add_shape(body, Points{cloud}, {.name = "cloud", .mass = 50});
    std::vector<Corner> profile;
    for (int k = 0; k <= 12; ++k)
    {
        const double angle = kPi * k / 12 - kPi / 2;
        profile.push_back({k % 12 == 0 ? 0 : 0.25 * std::cos(angle), 0.25 * std::sin(angle)});
    }
    kit.add_solid("falling", make_lathe(profile, 36), {.position = {0.02, 0.01, 1.0}, .density = 300});
    return kit.finish();
}

IpcVerdict judge_point_clouds(const IpcRun& run)
{
    const double cloud = run.end().pose[run.body("cloud")].position.z,
                 ball = run.end().pose[run.body("falling")].position.z;
    return make_verdict(cloud > 0.29 && cloud < 0.4, "height of the cloud", cloud, "m") &&
           make_verdict(ball > 0.2, "height of the ball", ball, "m");
}

/// Eight different solids fall into a bed of 290 x 290 mm, 600 mm high, and keep a millimetre from each other.
Result<Model> build_packing()
{
    Kit kit("packing", {});
    kit.builder().settings().solver_parameters["ipc"]["dmin"] = 1e-3;
    constexpr double kHalf = 0.145, kHigh = 0.3, kWall = 0.01;
    kit.add_box("bottom", {kHalf + 2 * kWall, kHalf + 2 * kWall, kWall},
                {.position = {0, 0, -kWall}, .kind = BodyKind::fixed});
    for (const double side : {-1.0, 1.0})
    {
        kit.add_box(side < 0 ? "wall -x" : "wall +x", {kWall, kHalf + 2 * kWall, kHigh},
                    {.position = {side * (kHalf + kWall), 0, kHigh + 2e-3}, .kind = BodyKind::fixed});
        kit.add_box(side < 0 ? "wall -y" : "wall +y", {kHalf, kWall, kHigh},
                    {.position = {0, side * (kHalf + kWall), kHigh + 2e-3}, .kind = BodyKind::fixed});
    }
    std::vector<Corner> ball;
    for (int k = 0; k <= 10; ++k)
        ball.push_back({k % 10 == 0 ? 0 : 0.05 * std::sin(kPi * k / 10), -0.05 * std::cos(kPi * k / 10)});
    const std::array<MeshOptions, 8> solids{make_prism(make_circle(0.06, 6), -0.03, 0.03),
                                            make_prism(make_gear(10, 0.052, 0.0104, 0.45, 0), -0.02, 0.02),
                                            make_lathe(ball, 20),
                                            make_ring(0.03, 0.065, 24, -0.02, 0.02),
                                            make_link(0.035, 0.05, 0.015, 24, 12),
                                            make_spike(0.06, 0.1),
                                            make_wedge(0.05, 0.09, 0.1),
                                            make_lathe({{0.06, -0.03}, {0.02, 0.03}, {0, 0.07}}, 24)};
    for (int i = 0; i < 8; ++i)
        kit.add_solid(
            "part " + std::to_string(i + 1), solids[at(i)],
            {.position = {0.07 * (i % 2 == 0 ? -1 : 1), 0.07 * (i / 2 % 2 == 0 ? -1 : 1), 0.1 + 0.13 * (i / 4)},
             .rotation = from_axis_angle({0, 0, 1}, 0.3 * i)});
    return kit.finish();
}

IpcVerdict judge_packing(const IpcRun& run)
{
    double lowest = 1e300, farthest = 0, speed = 0;
    for (int i = 1; i <= 8; ++i)
    {
        const std::size_t body = run.body("part " + std::to_string(i));
        const Vec3 place = run.end().pose[body].position;
        lowest = std::min(lowest, place.z);
        farthest = std::max({farthest, std::abs(place.x), std::abs(place.y)});
        speed = std::max(speed, speed_of(run.end(), body));
    }
    return make_verdict(lowest > 0 && farthest < 0.145, "farthest from the middle", farthest, "m") &&
           make_verdict(speed < 0.05, "fastest at the end", speed, "m/s");
}

constexpr IpcScene machine(const char* name, const char* summary, double duration, Result<Model> (*build)(),
                           IpcVerdict (*judge)(const IpcRun&), const char* figure)
{
    return {{name, summary, duration, "contact", build}, figure, judge};
}

constexpr std::array kMachines = {
    machine("ipc/bolt", "a bolt turns itself down through a nut", 2, &build_bolt, &judge_bolt, "4"),
    machine(
        "ipc/gears_2", "a gear drives another", 2, [] { return build_gears("gears_2", 2); }, &judge_gears, ""),
    machine(
        "ipc/gears_4", "a gear drives three more in a row", 2, [] { return build_gears("gears_4", 4); }, &judge_gears,
        ""),
    machine("ipc/piston", "a crank, a rod and a piston", 2, &build_piston, &judge_piston, "2"),
    machine("ipc/lewis", "a lewis lifts a stone", 4, &build_lewis, &judge_lewis, "12"),
    machine("ipc/pendulum", "a pendulum whose eye hangs on a peg", 2, &build_peg_pendulum, &judge_pendulum, "19"),
    machine("ipc/point_clouds", "a ball falls on a sphere of points", 2, &build_point_clouds, &judge_point_clouds, "6"),
    machine("ipc/packing", "eight different solids settle, a millimetre apart", 2, &build_packing, &judge_packing,
            "14"),
};

}  // namespace

std::span<const IpcScene> machine_scenes() { return kMachines; }

}  // namespace rattleback::lab
