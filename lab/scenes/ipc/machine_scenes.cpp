// Machines: a bolt in a nut, gears, a lewis that lifts a stone; clouds of points, a sliced ball, packing.
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

// A thread: the radius rises and falls once per turn and pitch.
// With n corners around, flats would hold a bolt by its weight unless n > 2 pi^2 0.4 (core + tooth) / tooth.
constexpr double kThreadPitch = 8e-3, kCore = 3.2e-3, kTooth = 3.4e-3, kThreadPlay = 3.3e-4;  // [m]

double find_thread(double turn, double height)
{
    const double phase = height / kThreadPitch - turn, part = phase - std::floor(phase);
    return kCore + kTooth * std::min(1.0, 2.5 * std::min(part, 1 - part));
}

/// A bolt that turns itself down through a nut by its weight.
Result<Model> build_bolt(const char* name, double friction)
{
    Kit kit(name, {.dhat = 1e-4, .friction = friction});
    // As many corners around as rows in a pitch: a turn by one corner and a rise by one row leave either thread as it
    // is, and the edges between run along the helix, so that facets glide on facets.
    // With 20 corners and the common d̂ the barrier's ripple over them holds the bolt.
    constexpr int kCorners = 22;
    const double row = kThreadPitch / kCorners;
    const auto nut_inside = [](double turn, double z) { return find_thread(turn, z) + kThreadPlay; };
    kit.add_solid("nut",
                  make_sleeve(nut_inside, 0.02, {.low = -20 * row, .high = 20 * row, .around = kCorners, .along = 40}),
                  {.density = 8050, .kind = BodyKind::fixed});
    const BodyId bolt = kit.add_solid(
        "bolt", make_shaft(find_thread, {.low = -20 * row, .high = 70 * row, .around = kCorners, .along = 90}),
        {.density = 8050});
    kit.add_part(bolt, make_prism(make_circle(0.018, 6), 70 * row - 1e-4, 70 * row + 6e-3), {}, 8050);
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

/// Friction above the tangent of the lead angle, which is steepest at the core, holds it where it lands.
constexpr double kLocking = 0.5;
static_assert(kLocking > kThreadPitch / (2 * kPi * kCore));

IpcVerdict judge_locked_bolt(const IpcRun& run)
{
    const double angle = find_turns(run, run.body("bolt"), {0, 0, 1}).back();
    const double speed = speed_of(run.end(), run.body("bolt"));
    return make_verdict(std::abs(angle) < 0.05, "turned", angle, "rad") &&
           make_verdict(speed < 1e-3, "speed at the end", speed, "m/s");
}

constexpr int kTeeth = 18, kGearAround = 24;
constexpr double kModule = 0.012, kBacklash = 1.2e-3, kGearPin = 0.03, kGearPlay = 2e-4;  // [m]

/// A driven gear and one or more that it turns, each on a pin with collars.
Result<Model> build_gears(const char* name, int count)
{
    Kit kit(name, {.dhat = 1e-4});
    constexpr double kThick = 0.02, kGap = 5e-4;
    for (int i = 0; i < count; ++i)
    {
        // A tooth of one meets the gap of the next on the line of centres.
        const GearShape shape{.teeth = kTeeth,
                              .module = kModule,
                              .backlash = kBacklash,
                              .angle = i % 2 == 0 ? 0 : kPi / kTeeth,
                              .flank = 4};
        const std::string number = std::to_string(i + 1);
        const Vec3 place{kModule * kTeeth * i, 0, 0};
        const BodyId gear = kit.add_solid(
            "gear " + number,
            make_plate(make_involute_gear(shape), {make_bore(kGearPin, kGearPlay, kGearAround)}, -kThick, kThick),
            {.position = place, .kind = i == 0 ? BodyKind::kinematic : BodyKind::dynamic});
        if (i == 0) kit.add_turning(gear, {}, {0, 0, 1}, [](double t) { return 2 * t; }, 4);
        kit.add_solid("pin " + number,
                      make_pin({.shaft = kGearPin,
                                .collar = kGearPin + 0.02,
                                .low = -kThick - kGap,
                                .high = kThick + kGap,
                                .cap = 5e-3,
                                .around = kGearAround,
                                .both = true}),
                      {.position = place, .kind = BodyKind::fixed});
    }
    return kit.finish();
}

/// Each gear turns against the one before, but for the backlash.
IpcVerdict judge_gears(const IpcRun& run)
{
    // Flanks may part by the backlash, and by the play of both pins along the pressure angle.
    const double radius = 0.5 * kModule * kTeeth;
    const double slack = (kBacklash + 4 * find_largest_play(kGearPin, kGearPlay, kGearAround)) / radius;
    std::vector<double> before = find_turns(run, run.body("gear 1"), {0, 0, 1});
    const double driver = before.back();
    double worst = 0;
    for (int i = 2; run.model->find_body("gear " + std::to_string(i)).has_value(); ++i)
    {
        const std::vector<double> turns = find_turns(run, run.body("gear " + std::to_string(i)), {0, 0, 1});
        for (std::size_t k = 0; k < turns.size(); ++k) worst = std::max(worst, std::abs(turns[k] + before[k]));
        before = turns;
    }
    return make_verdict(worst < slack, "lag of a gear behind the one before", worst, "rad") &&
           make_verdict(std::abs(driver) > 1, "turn of the first", driver, "rad");
}

// A lewis: in an undercut pit of a stone four wedges around a key that is wider below; all heights from the bottom of
// the pit.
constexpr double kPitDeep = 0.9;

/// Half widths at a height, of the pit and of the key: both are wider below.
double find_pit(double z) { return 0.26 - 0.06 * z / kPitDeep; }
double find_key(double z) { return 0.185 - 0.12 * z / kPitDeep; }

/// A block with a pit, open above; the pit's bottom is at z = 0.
MeshOptions make_pitted_block()
{
    MeshOptions mesh;
    const auto ring = [&](double half, double z)
    {
        for (const auto& [x, y] : {Corner{-1, -1}, {1, -1}, {1, 1}, {-1, 1}})
            mesh.vertices.push_back({half * x, half * y, z});
    };
    ring(0.5, -0.1);
    ring(0.5, kPitDeep);
    ring(find_pit(kPitDeep), kPitDeep);
    ring(find_pit(0), 0);
    mesh.triangles = {{0, 2, 1}, {0, 3, 2}, {12, 13, 14}, {12, 14, 15}};
    for (int row = 0; row < 12; row += 4)
    {
        for (int i = 0; i < 4; ++i)
        {
            const int a = row + i, b = row + (i + 1) % 4;
            mesh.triangles.push_back({a, b, a + 4});
            mesh.triangles.push_back({b, b + 4, a + 4});
        }
    }
    return mesh;
}

/// The key is pulled up at 0.5 m/s; wedges and stone follow by friction and shape.
Result<Model> build_lewis()
{
    Kit kit("lewis", {.friction = 0.3, .ground = 2});
    constexpr double kGap = 5e-4, kLow = 5e-3, kHigh = kPitDeep - 0.02, kAside = 5e-3;
    const Vec3 base{0, 0, 0.1 + 9e-4};
    kit.add_solid("stone", make_pitted_block(), {.position = base});
    const Vec3 inside = base + Vec3{0, 0, kLow};
    const auto pit = [](double z) { return find_pit(z) - kGap; };
    const auto key = [](double z) { return find_key(z) + kGap; };
    for (const double side : {-1.0, 1.0})
    {
        // Between the key and a wall along x, nearly as wide as the pit; then along y, nearly as wide as the key:
        // only sides that bear load are within d-hat of each other.
        const auto middle = [&](double z) { return side * 0.5 * (pit(z) + key(z)); };
        const auto half = [&](double z) { return 0.5 * (pit(z) - key(z)); };
        kit.add_solid(side < 0 ? "left" : "right",
                      make_taper({.low = {half(kLow), pit(kLow) - kAside},
                                  .high = {half(kHigh), pit(kHigh) - kAside},
                                  .low_center = {middle(kLow), 0},
                                  .high_center = {middle(kHigh), 0},
                                  .height = kHigh - kLow}),
                      {.position = inside});
        // Not in one plane with those, as no two parts of a real one are: a little shorter and farther from the wall.
        constexpr double kLess = 2e-3, kShort = kLow + kLess, kTop = kHigh - kLess;
        const auto wall = [&](double z) { return pit(z) - 2e-4; };
        const auto across = [&](double z) { return side * 0.5 * (wall(z) + key(z)); };
        const auto thick = [&](double z) { return 0.5 * (wall(z) - key(z)); };
        kit.add_solid(side < 0 ? "front" : "back",
                      make_taper({.low = {find_key(kShort) - kAside, thick(kShort)},
                                  .high = {find_key(kTop) - kAside, thick(kTop)},
                                  .low_center = {0, across(kShort)},
                                  .high_center = {0, across(kTop)},
                                  .height = kTop - kShort}),
                      {.position = inside + Vec3{0, 0, kLess}});
    }
    // A frustum and a stem of one piece.
    constexpr double kEnd = 0.01;  // begins and ends higher than the wedges
    const double low = find_key(kLow + kEnd), high = find_key(kHigh + kEnd), top = kHigh - kLow;
    MeshOptions frustum = make_taper({.low = {low, low}, .high = {high, high}, .height = top});
    for (const auto& [x, y] : {Corner{-1, -1}, {1, -1}, {1, 1}, {-1, 1}})
        frustum.vertices.push_back({0.04 * x, 0.04 * y, top + 0.2});
    frustum.triangles.erase(frustum.triangles.begin() + 2, frustum.triangles.begin() + 4);
    for (int i = 4; i < 8; ++i)
    {
        const int j = i == 7 ? 4 : i + 1;
        frustum.triangles.push_back({i, j, j + 4});
        frustum.triangles.push_back({i, j + 4, i + 4});
    }
    frustum.triangles.push_back({8, 9, 10});
    frustum.triangles.push_back({8, 10, 11});
    const Vec3 start = inside + Vec3{0, 0, kEnd};
    const BodyId body = kit.add_solid("key", std::move(frustum), {.position = start, .kind = BodyKind::kinematic});
    kit.builder().add_track(body, {.times = {0, 4}, .poses = {{start, {}}, {start + Vec3{0, 0, 2}, {}}}});
    return kit.finish();
}

IpcVerdict judge_lewis(const IpcRun& run)
{
    const double key = run.end().pose[run.body("key")].position.z - run.start().pose[run.body("key")].position.z;
    const double stone = run.end().pose[run.body("stone")].position.z - run.start().pose[run.body("stone")].position.z;
    return make_verdict(stone > key - 0.1, "rise of the stone behind that of the key", key - stone, "m") &&
           make_verdict(key > 1, "rise of the key", key, "m");
}

/// A ball falls on a cloud of points on the floor, and off it.
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
    const std::size_t cloud = run.body("cloud"), ball = run.body("falling");
    double apart = HUGE_VAL;
    for (const IpcFrame& frame : run.frames)
        apart = std::min(apart, norm(frame.pose[ball].position - frame.pose[cloud].position));
    // Radii of 0.3 and 0.25 m; 2,000 points leave gaps into which the ball's corners reach.
    const double high = run.end().pose[cloud].position.z, low = run.end().pose[ball].position.z;
    return make_verdict(apart > 0.53 && apart < 0.56, "least distance of centres", apart, "m") &&
           make_verdict(high > 0.29 && high < 0.31, "height of the cloud", high, "m") &&
           make_verdict(low > 0.24 && low < 0.26, "height of the ball", low, "m");
}

constexpr double kRound = 1;  ///< radius of the ball of slices and of that of points [m]

/// A ball of flat slices and a ball of points fly into each other and lock: sizes, masses, places and speeds of the
/// authors' file. The floor is larger: with these masses both come to rest 5.3 m from its middle, and theirs ends at 5.
Result<Model> build_sliced_sphere()
{
    Kit kit("sliced_sphere", {.friction = 0.1, .gravity = {0, 0, -9.8}, .ground = 20});
    constexpr double kBall = kRound, kSpeed = 5, kSliceMass = 23315, kCloudMass = 3648;  // [m], [m/s], [kg]
    constexpr int kSlices = 12, kAround = 70;
    MeshOptions slices;
    for (int k = 0; k < kSlices; ++k)
    {
        const double y = 0.18 * (k - 0.5 * (kSlices - 1)), radius = std::sqrt(kBall * kBall - y * y);
        const int center = static_cast<int>(slices.vertices.size());
        slices.vertices.push_back({0, y, 0});
        for (const auto& [x, z] : make_circle(radius, kAround)) slices.vertices.push_back({x, y, z});
        for (int i = 0; i < kAround; ++i)
            slices.triangles.push_back({center, center + 1 + (i + 1) % kAround, center + 1 + i});
    }
    const MeshId slice_mesh = kit.add_mesh("slices", std::move(slices));
    const MeshId cloud_mesh = kit.add_mesh("cloud", make_point_cloud(kBall, 3648));
    for (const double side : {-1.0, 1.0})
    {
        // Without spin, a little above the floor.
        const BodyId body = kit.add_body(side < 0 ? "slices" : "cloud", {.position = {side * 2.5, 0, kBall + 0.1},
                                                                         .linear_velocity = {-side * kSpeed, 0, 0}});
        const Shape shape = side < 0 ? Shape(Surface{slice_mesh}) : Shape(Points{cloud_mesh});
        kit.builder().add_shape(body, shape,
                                {.name = side < 0 ? "slices" : "cloud",
                                 .material = kit.material(),
                                 .mass = side < 0 ? kSliceMass : kCloudMass});
    }
    return kit.finish();
}

/// As Fig. 6 has it: "the geometry locks, and both spheres rock back and forth before coming to rest". Points stand
/// between slices: nearer than two balls of these radii could be, and each is still on its side.
IpcVerdict judge_sliced_sphere(const IpcRun& run)
{
    const std::size_t slices = run.body("slices"), cloud = run.body("cloud");
    const double apart = run.end().pose[cloud].position.x - run.end().pose[slices].position.x;
    const double speed = std::max(speed_of(run.end(), slices), speed_of(run.end(), cloud));
    return make_verdict(apart > 0 && apart < 1.98 * kRound, "centres apart", apart, "m") &&
           make_verdict(speed < 0.1, "speed at the end", speed, "m/s");
}

/// A closed body |x / a|^p + |y / b|^p + |z / c|^p = 1 of half sizes (a, b, c), thinner towards its top by a part.
MeshOptions make_pebble(const Vec3& half, double power, double taper)
{
    std::vector<Corner> profile;
    for (int k = 0; k <= 18; ++k)
        profile.push_back({k % 18 == 0 ? 0 : std::sin(kPi * k / 18), -std::cos(kPi * k / 18)});
    MeshOptions mesh = make_lathe(profile, 38);
    for (Vec3& v : mesh.vertices)
    {
        const auto raise = [&](double x) { return std::pow(std::abs(x), power); };
        v = std::pow(raise(v.x) + raise(v.y) + raise(v.z), -1 / power) * v;
        const double thin = 1 - taper * (1 + v.z);
        v = {half.x * thin * v.x, half.y * thin * v.y, half.z * v.z};
    }
    return mesh;
}

/// Eight different solids fall into a bed of 290 x 290 mm, 600 mm high, and keep a millimetre from each other.
Result<Model> build_packing()
{
    Kit kit("packing", {});
    kit.builder().settings().solver_parameters["ipc"]["dmin"] = 1e-3;
    constexpr double kHalf = 0.145, kHigh = 0.3, kWall = 0.01;
    const BodyId bed = kit.add_body("bed", {.kind = BodyKind::fixed});
    kit.add_shape(bed, Box{{kHalf + 2 * kWall, kHalf + 2 * kWall, kWall}}, {0, 0, -kWall});
    for (const double side : {-1.0, 1.0})
    {
        kit.add_shape(bed, Box{{kWall, kHalf + 2 * kWall, kHigh}}, {side * (kHalf + kWall), 0, kHigh + 2e-3});
        kit.add_shape(bed, Box{{kHalf, kWall, kHigh}}, {0, side * (kHalf + kWall), kHigh + 2e-3});
    }
    // Round all over: they touch at points, not along sides. Some 700 vertices each, as in the figure.
    const auto ring = [](double radius)
    { return [=](double s) { return Vec3{radius * std::cos(2 * kPi * s), radius * std::sin(2 * kPi * s), 0}; }; };
    const std::array<MeshOptions, 8> solids{
        make_pebble({0.05, 0.05, 0.05}, 2, 0),      make_pebble({0.045, 0.06, 0.035}, 2, 0),
        make_pebble({0.05, 0.05, 0.045}, 2.5, 0),   make_pebble({0.065, 0.065, 0.025}, 2, 0),
        make_pebble({0.045, 0.045, 0.07}, 2, 0.35), make_pebble({0.03, 0.03, 0.09}, 2, 0),
        make_loop(ring(0.05), 0.02, 40, 20),        make_link(0.035, 0.05, 0.015, 48, 18)};
    for (int i = 0; i < 8; ++i)
        kit.add_solid("part " + std::to_string(i + 1), solids[at(i)],
                      {.position = {0.06 * (i % 2 == 0 ? -1 : 1), 0.06 * (i / 2 % 2 == 0 ? -1 : 1), 0.1 + 0.075 * i},
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
           make_verdict(speed < 0.05, "fastest at the end", speed, "m/s") &&
           make_verdict(run.least_distance() >= 1e-3, "least distance", run.least_distance(), "m");
}

constexpr IpcScene machine(const char* name, const char* summary, double duration, Result<Model> (*build)(),
                           IpcVerdict (*judge)(const IpcRun&), const char* figure)
{
    return {{name, summary, duration, "contact", build}, figure, judge};
}

constexpr std::array kMachines = {
    machine(
        "ipc/bolt", "a bolt turns itself down through a nut", 0.45, [] { return build_bolt("bolt", 0); }, &judge_bolt,
        "4"),
    machine(
        "ipc/bolt_locked", "the same with friction above the tangent of its lead angle", 0.5,
        [] { return build_bolt("bolt_locked", kLocking); }, &judge_locked_bolt, ""),
    machine(
        "ipc/gears_2", "a gear drives another", 2, [] { return build_gears("gears_2", 2); }, &judge_gears, ""),
    machine(
        "ipc/gears_4", "a gear drives three more in a row", 2, [] { return build_gears("gears_4", 4); }, &judge_gears,
        ""),
    machine("ipc/lewis", "a lewis lifts a stone", 4, &build_lewis, &judge_lewis, "12"),
    machine("ipc/point_clouds", "a ball falls on a sphere of points", 2, &build_point_clouds, &judge_point_clouds, "6"),
    machine("ipc/sliced_sphere", "a ball of slices and one of points roll into each other", 5, &build_sliced_sphere,
            &judge_sliced_sphere, "6"),
    machine("ipc/packing", "eight different solids settle, a millimetre apart", 6, &build_packing, &judge_packing,
            "14"),
};

}  // namespace

std::span<const IpcScene> machine_scenes() { return kMachines; }

}  // namespace rattleback::lab
