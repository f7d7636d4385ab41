// Linkages that clearances alone hold together: pendulums on pins, a piston, a punching press, intermittent motion.
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

constexpr double kSteelDensity = 7850;  // [kg/m^3]
const Vec3 kAxisZ{0, 0, 1};

// Pendulums: bars with an eye at either end, on pins with collars. All turn about z, gravity is along -y.
constexpr double kArmLength = 0.4, kArmPin = 0.03, kArmPlay = 1e-3;
constexpr int kArmAround = 32;

MeshOptions make_arm(double low, double high)
{
    return make_eyed_bar(kArmLength, kArmPin + 0.02, {.shaft = kArmPin, .play = kArmPlay, .around = kArmAround}, low,
                         high);
}

MeshOptions make_arm_pin(double low, double high)
{
    return make_pin({.shaft = kArmPin,
                     .collar = kArmPin + 0.015,
                     .low = low,
                     .high = high,
                     .cap = 0.01,
                     .around = kArmAround,
                     .both = true});
}

Result<Model> build_pin_pendulum(bool twice)
{
    Kit kit(twice ? "double_pendulum" : "pin_pendulum", {.dhat = 1e-4, .gravity = {0, -9.81, 0}});
    // Held out to the side; eyes and pins begin on one axis.
    kit.add_solid("pin", make_arm_pin(-0.014, 0.014), {.kind = BodyKind::fixed});
    kit.add_solid("arm", make_arm(-0.0125, 0.0125));
    if (!twice) return kit.finish();
    const Vec3 elbow{kArmLength, 0, 0};
    kit.add_solid("second pin", make_arm_pin(-0.014, 0.0405), {.position = elbow});
    kit.add_solid("second arm", make_arm(0.014, 0.039), {.position = elbow});
    return kit.finish();
}

IpcVerdict judge_pendulum(const IpcRun& run)
{
    const std::size_t arm = run.body("arm"), pin = run.body("pin");
    const double allowed = find_largest_play(kArmPin, kArmPlay, kArmAround);
    double off = find_largest_offset(run, arm, {}, {.body = pin, .point = {}});
    const bool twice = run.model->find_body("second arm").has_value();
    if (twice)
    {
        const AxisOf elbow{.body = run.body("second pin"), .point = {}};
        // At the middle of each bar's thickness: a bar may tilt as far as its eye allows.
        off = std::max({off, find_largest_offset(run, arm, {kArmLength, 0, 0}, elbow),
                        find_largest_offset(run, run.body("second arm"), {0, 0, 0.0265}, elbow)});
    }
    const std::vector<double> turns = find_turns(run, arm, kAxisZ);
    const double lowest = *std::min_element(turns.begin(), turns.end());
    return make_verdict(off < allowed, "farthest of an eye from its pin", off, "m") &&
           make_verdict(lowest < -1.6, "swings by", lowest, "rad")  // beyond the vertical
           && make_verdict(find_energy_gain(run) < 0.01, "energy gained over energy lost", find_energy_gain(run), "");
}

// Piston: crank disc and pin, rod with two eyes, head with a fork and a wrist pin, cylinder. The crank turns about z,
// the head moves along y.
constexpr double kCrank = 0.05, kRod = 0.16, kPin = 0.012, kFit = 1e-3, kHead = 0.06;  // [m]
// Pins and head have few corners: edges touch eyes and cylinder, not flats.
constexpr int kRound = 48, kBarrel = 64, kPinSides = 6, kHeadSides = 10;

/// The part of a circle with |y| between `from` and the rim, on the side `side` of y = 0.
std::vector<Corner> make_cheek(double radius, double from, double side)
{
    const double reach = std::acos(from / radius);
    std::vector<Corner> cheek;
    constexpr int kSteps = 6;
    for (int i = 0; i <= kSteps; ++i)
    {
        const double angle = side * 0.5 * kPi + reach * (2.0 * i / kSteps - 1);
        cheek.push_back({radius * std::cos(angle), radius * std::sin(angle)});
    }
    return cheek;
}

void add_piston_head(Kit& kit)
{
    // Along its axis the head's profile is in x and y; upright, that axis is y and the fork is open along x.
    const auto lie = [](MeshOptions mesh)
    {
        for (Vec3& v : mesh.vertices) v = {v.x, v.z, -v.y};
        return mesh;
    };
    const BodyId head = kit.add_body("head", {.position = {0, kCrank + kRod, 0}});
    kit.add_part(head, lie(make_prism(make_circle(kHead, kHeadSides), 0.026, 0.05)));
    for (const double side : {-1.0, 1.0})
        kit.add_part(head, lie(make_prism(make_cheek(kHead, 0.0125, side), -0.03, 0.027)));
    kit.add_part(head, make_prism(make_circle(kPin, kPinSides), -0.02, 0.02));
}

Result<Model> build_piston()
{
    Kit kit("piston", {.gravity = {0, -9.81, 0}});
    const BodyId crank = kit.add_body("crank", {.kind = BodyKind::kinematic});
    kit.add_part(crank, make_prism(make_circle(0.068, 120), -0.03, -0.012));
    kit.add_part(
        crank,
        make_pin(
            {.shaft = kPin, .collar = kPin + 8e-3, .low = -0.013, .high = 0.012, .cap = 5e-3, .around = kPinSides}),
        {0, kCrank, 0});
    kit.add_turning(crank, {}, kAxisZ, [](double t) { return -2 * kPi * t; }, 5);
    // The rod's frame is at its big eye, the small one above it.
    MeshOptions rod = make_eyed_bar(kRod, kPin + 0.01, {.shaft = kPin, .play = kFit, .around = kRound}, -0.01, 0.01);
    for (Vec3& v : rod.vertices) v = {-v.y, v.x, v.z};
    kit.add_solid("rod", std::move(rod), {.position = {0, kCrank, 0}});
    add_piston_head(kit);
    MeshOptions cylinder = make_ring(find_bore(kHead, kFit, kBarrel), 0.075, kBarrel, 0.115, 0.29);
    for (Vec3& v : cylinder.vertices) v = {v.x, v.z, -v.y};
    kit.add_solid("cylinder", std::move(cylinder), {.kind = BodyKind::fixed});
    return kit.finish();
}

/// y = r cos a + sqrt(l^2 - r^2 sin^2 a), within the play of both pins.
IpcVerdict judge_piston(const IpcRun& run)
{
    const std::size_t head = run.body("head");
    double worst = 0, low = 1e300, high = -1e300;
    for (const IpcFrame& frame : run.frames)
    {
        const double angle = 2 * kPi * frame.time, s = kCrank * std::sin(angle);
        const double ideal = kCrank * std::cos(angle) + std::sqrt(kRod * kRod - s * s);
        const double y = frame.pose[head].position.y;
        worst = std::max(worst, std::abs(y - ideal));
        low = std::min(low, y), high = std::max(high, y);
    }
    const double play = 2 * find_largest_play(kPin, kFit, kRound, kPinSides);
    return make_verdict(worst < 1.25 * play, "off the crank's law", worst, "m") &&  // a leaning rod adds to it
           make_verdict(high - low > 1.8 * kCrank, "stroke", high - low, "m");
}

// Punching press: a knee of two links between the frame and the punch, a rod from the knee to a crank on the frame.
constexpr double kPressPin = 0.012, kLayer = 0.01, kGapZ = 7e-4, kPress = 0.1;  // [m]; thickness, link length
constexpr int kPressAround = 96;

/// How pins sit in their eyes; they have few corners, so that edges touch eyes, not flats.
struct PressFit
{
    double play = 0;  ///< [m]
    int sides = 0;    ///< of a pin
};
constexpr PressFit kTight{1e-4, 12}, kLoose{1e-3, 10};

struct PressPlaces
{
    Vec3 pivot, knee, wrist, elbow, bearing;  ///< of links and punch, rod, crank
};

PressPlaces find_press_places()
{
    // The knee begins 20 degrees off the line from the pivot to the wrist.
    const double bend = kPi / 9;
    PressPlaces places;
    places.pivot = {0, 0.3, 0};
    places.knee = places.pivot + kPress * Vec3{std::sin(bend), -std::cos(bend), 0};
    places.wrist = places.knee + kPress * Vec3{-std::sin(bend), -std::cos(bend), 0};
    places.elbow = places.knee + Vec3{1.4 * kPress, 0, 0};
    places.bearing = places.elbow + Vec3{0, -0.8 * kPress, 0};
    return places;
}

double find_layer(int layer) { return layer * (kLayer + kGapZ) + kGapZ; }

/// A pin at a place of a body that reaches from the body's layer through others, up to one, with a collar beyond.
void add_press_pin(Kit& kit, BodyId body, const Vec3& place, int from, int to, const PressFit& fit)
{
    kit.add_part(body,
                 make_pin({.shaft = kPressPin,
                           .collar = kPressPin + 6e-3,
                           .low = find_layer(from) - 5e-4,
                           .high = find_layer(to) + kLayer + kGapZ,
                           .cap = 4e-3,
                           .around = fit.sides}),
                 place, kSteelDensity);
}

/// A link from a place to another, with its frame at the first: with a pin instead of the second eye where told.
BodyId add_press_link(Kit& kit, const char* name, const Vec3& from, const Vec3& to, int layer, const PressFit& fit,
                      int pin_to = 0)
{
    const Vec3 way = to - from;
    const Quat turn = from_axis_angle(kAxisZ, std::atan2(way.y, way.x));
    const BodyId body = kit.add_body(name, {.position = from, .rotation = turn, .weightless = 1});
    const double length = norm(way), low = find_layer(layer);
    kit.add_part(body,
                 make_eyed_bar(length, kPressPin + 0.01,
                               {.shaft = kPressPin, .play = fit.play, .around = kPressAround, .second = pin_to == 0},
                               low, low + kLayer),
                 {}, kSteelDensity);
    if (pin_to > 0) add_press_pin(kit, body, {length, 0, 0}, layer + 1, pin_to, fit);
    return body;
}

/// Layers from the back: frame, then 0: second link, crank, punch; 1: first link; 2: rod.
Result<Model> build_press(const char* name, const PressFit& fit)
{
    Kit kit(name, {.dhat = 1e-4, .gravity = {0, -9.81, 0}});
    const PressPlaces at = find_press_places();
    const BodyId frame = kit.add_body("frame", {.kind = BodyKind::fixed});
    kit.add_part(frame, make_plate({{-0.08, 0}, {0.22, 0}, {0.22, 0.34}, {-0.08, 0.34}}, {}, -0.02, 0));
    add_press_pin(kit, frame, at.pivot, 0, 0, fit);
    add_press_pin(kit, frame, at.bearing, 0, 0, fit);
    // The guide: a rail on either side of the punch and a strap in front of it.
    constexpr double kPunch = 0.03, kRail = 0.02;
    const double front = kLayer + 2 * kGapZ;
    for (const double side : {-1.0, 1.0})
        kit.add_part(frame, make_taper({.low = {kRail / 2, 0.045}, .high = {kRail / 2, 0.045}, .height = front + 5e-4}),
                     {side * (kPunch + fit.play + kRail / 2), 0.045, -5e-4});
    kit.add_part(
        frame,
        make_taper(
            {.low = {kPunch + fit.play + kRail, 0.02}, .high = {kPunch + fit.play + kRail, 0.02}, .height = 6e-3}),
        {0, 0.02, front - 2e-4});
    add_press_link(kit, "link above", at.pivot, at.knee, 0, fit, 2);
    add_press_link(kit, "link below", at.knee, at.wrist, 1, fit);
    add_press_link(kit, "rod", at.knee, at.elbow, 2, fit);
    add_press_link(kit, "crank", at.bearing, at.elbow, 0, fit, 2);
    // More than its weight is held up: what is left is the force that raises it.
    const BodyId punch = kit.add_body("punch", {.position = at.wrist, .weightless = 1.03});
    const double wrist = at.wrist.y;
    kit.add_part(punch,
                 make_plate({{-0.012, -wrist - 0.03},
                             {0.012, -wrist - 0.03},
                             {0.012, -wrist + 0.005},
                             {kPunch, -wrist + 0.012},
                             {kPunch, -0.01},
                             {0.02, 0.022},
                             {-0.02, 0.022},
                             {-kPunch, -0.01},
                             {-kPunch, -wrist + 0.012},
                             {-0.012, -wrist + 0.005}},
                            {}, find_layer(0), find_layer(0) + kLayer),
                 {}, kSteelDensity);
    add_press_pin(kit, punch, {}, 1, 1, fit);
    return kit.finish();
}

/// The largest distance of an eye's middle from its pin's axis, over all six.
double find_press_play(const IpcRun& run)
{
    const PressPlaces at = find_press_places();
    const std::size_t frame = run.body("frame"), above = run.body("link above"), below = run.body("link below");
    const std::size_t rod = run.body("rod"), crank = run.body("crank"), punch = run.body("punch");
    const double length = norm(at.knee - at.pivot), rod_length = norm(at.elbow - at.knee);
    const AxisOf knee{.body = above, .point = {length, 0, 0}};
    const auto mid = [](int layer, double x) { return Vec3{x, 0, find_layer(layer) + kLayer / 2}; };
    return std::max({find_largest_offset(run, above, mid(0, 0), {.body = frame, .point = at.pivot}),
                     find_largest_offset(run, crank, mid(0, 0), {.body = frame, .point = at.bearing}),
                     find_largest_offset(run, below, mid(1, 0), knee), find_largest_offset(run, rod, mid(2, 0), knee),
                     find_largest_offset(run, below, mid(1, kPress), {.body = punch, .point = {}}),
                     find_largest_offset(run, rod, mid(2, rod_length),
                                         {.body = crank, .point = {norm(at.elbow - at.bearing), 0, 0}})});
}

/// The punch rises; no joint plays more than its clearance, and loose ones more than tight ones can.
IpcVerdict judge_press(const IpcRun& run, const PressFit& fit, double above)
{
    const double play = find_press_play(run), allowed = find_largest_play(kPressPin, fit.play, kPressAround, fit.sides);
    const std::size_t punch = run.body("punch");
    const double rise = run.end().pose[punch].position.y - run.start().pose[punch].position.y;
    return make_verdict(play < allowed && play > above, "largest play of a joint", play, "m") &&
           make_verdict(rise > 0.01, "rise of the punch", rise, "m");
}

// Intermittent motion: a driver with a roller on its pin turns two crosses of four slots, each by a quarter at a time,
// and locks them between with its disc. All turn about z.
constexpr double kSpacing = 0.1, kLayerHigh = 0.012, kRoller = 8e-3, kRollerPin = 5e-3, kSlip = 5e-4;  // [m]
constexpr double kLock = 0.05, kAxle = 8e-3;
constexpr int kSlots = 4, kAxleAround = 96, kRollerAround = 16, kPegSides = 6;

std::vector<Corner> make_cross()
{
    const double radius = kSpacing * std::cos(kPi / kSlots), deep = kSpacing - radius - kRoller - kSlip;
    const double wide = kRoller + kSlip, hollow = kLock + kSlip;
    const double turn = std::acos((kSpacing * kSpacing + hollow * hollow - radius * radius) / (2 * kSpacing * hollow));
    std::vector<Corner> outline;
    for (int slot = 0; slot < kSlots; ++slot)
    {
        const double along = 2 * kPi * slot / kSlots, next = along + kPi / kSlots;
        const auto put = [&](double direction, double x, double y)
        {
            const double c = std::cos(direction), s = std::sin(direction);
            outline.push_back({c * x - s * y, s * x + c * y});
        };
        const double mouth = std::sqrt(radius * radius - (wide + 1.5e-3) * (wide + 1.5e-3));
        // The mouth is wider than the slot, so that a cross within its play takes the roller in.
        put(along, mouth, -wide - 1.5e-3);
        put(along, mouth - 4e-3, -wide);
        for (int i = 0; i <= 10; ++i)
        {
            const double angle = kPi * (1.5 - i / 10.0);  // around the bottom of the slot
            put(along, deep + wide + wide * std::cos(angle), wide * std::sin(angle));
        }
        put(along, mouth - 4e-3, wide);
        put(along, mouth, wide + 1.5e-3);
        for (int i = 0; i <= 16; ++i)
        {
            const double angle = -turn * (1 - i / 8.0);  // the hollow that the disc locks
            put(next, kSpacing - hollow * std::cos(angle), hollow * std::sin(angle));
        }
    }
    return outline;
}

/// A disc less the circle that a cross needs while it turns; the pin is at angle 0.
std::vector<Corner> make_lock()
{
    const double clear = kSpacing * std::cos(kPi / kSlots) + 3e-3;
    const double from = std::acos((kSpacing * kSpacing + kLock * kLock - clear * clear) / (2 * kSpacing * kLock));
    const double turn = std::acos((kSpacing * kSpacing + clear * clear - kLock * kLock) / (2 * kSpacing * clear));
    std::vector<Corner> outline;
    for (int i = 0; i <= 96; ++i)
    {
        const double angle = from + 2 * (kPi - from) * i / 96;
        outline.push_back({kLock * std::cos(angle), kLock * std::sin(angle)});
    }
    for (int i = 1; i < 20; ++i)
    {
        const double angle = turn * (1 - i / 10.0);
        outline.push_back({kSpacing - clear * std::cos(angle), -clear * std::sin(angle)});
    }
    return outline;
}

Result<Model> build_intermittent()
{
    Kit kit("intermittent", {.dhat = 1e-4});
    constexpr double kBase = 0.006, kGap = 2e-3;
    const double arm = kSpacing * std::sin(kPi / kSlots);
    const BodyId frame = kit.add_body("frame", {.kind = BodyKind::fixed});
    kit.add_part(frame, make_plate({{-0.19, -0.1}, {0.19, -0.1}, {0.19, 0.1}, {-0.19, 0.1}}, {}, -0.02, -0.012));
    const BodyId driver = kit.add_body("driver", {.kind = BodyKind::kinematic});
    // The pin begins between the two crosses, at right angles to their line.
    const Quat quarter = from_axis_angle(kAxisZ, kPi / 2);
    kit.add_part(driver, make_prism(make_circle(arm + 0.011, 200), -kBase - kGap, -kGap));
    kit.add_shape(driver,
                  Mesh{kit.add_mesh("lock", make_prism(make_lock(), -kGap - 1e-4, kLayerHigh)), MeshCollide::exact,
                       MeshMass::exact},
                  {}, quarter);
    kit.add_part(driver,
                 make_pin({.shaft = kRollerPin,
                           .collar = kRoller - 1e-3,
                           .low = -kGap - 1e-4,
                           .high = kLayerHigh + kGap,
                           .cap = 3e-3,
                           .around = kPegSides}),
                 {0, arm, 0});
    kit.add_turning(driver, {}, kAxisZ, [](double t) { return kPi * t; }, 5);
    kit.add_solid("roller",
                  make_ring(find_bore(kRollerPin, kSlip, kRollerAround), kRoller, kRollerAround, 0, kLayerHigh),
                  {.position = {0, arm, 0}, .weightless = 1});
    const MeshId cross_mesh =
        kit.add_mesh("cross", make_plate(make_cross(), {make_bore(kAxle, kSlip, kAxleAround)}, 0, kLayerHigh));
    for (const double side : {-1.0, 1.0})
    {
        const Vec3 place{side * kSpacing, 0, 0};
        kit.add_part(frame,
                     make_pin({.shaft = kAxle,
                               .collar = kAxle + 5e-3,
                               .low = -kGap,
                               .high = kLayerHigh + kGap,
                               .cap = 3e-3,
                               .around = kPegSides,
                               .both = true}),
                     place);
        kit.add_part(frame, make_prism(make_circle(kAxle, 12), -0.013, -kGap - 2e-3), place);
        kit.add_solid(side < 0 ? "left cross" : "right cross", cross_mesh,
                      {.position = place, .rotation = from_axis_angle(kAxisZ, kPi / kSlots), .weightless = 1});
    }
    return kit.finish();
}

/// Each cross turns back by a quarter for every time that the pin passes it, and is locked in between.
IpcVerdict judge_intermittent(const IpcRun& run)
{
    constexpr double kPlay = 0.06;  // 0.5 mm of lock and axle each at the arm of the hollow, 33 mm, both ways
    double worst = 0;
    int quarters = 0;
    for (const char* name : {"left cross", "right cross"})
    {
        const std::vector<double> turns = find_turns(run, run.body(name), kAxisZ);
        const double pass = name[0] == 'l' ? 0.25 : 0.75;  // turns of the driver until its pin first passes
        for (std::size_t i = 0; i < turns.size(); ++i)
        {
            const double since = 0.5 * run.frames[i].time - pass, whole = std::floor(since), done = whole + 1;
            // Within an eighth of a turn of passing, and a little more, the pin is in a slot.
            if (since - whole < 0.14 || since - whole > 0.86) continue;
            worst = std::max(worst, std::abs(turns[i] + done * kPi / 2));
            quarters = std::max(quarters, static_cast<int>(done));
        }
    }
    return make_verdict(worst < kPlay, "off the quarter turns between", worst, "rad") &&
           make_verdict(quarters >= 2, "quarter turns", quarters, "");
}

constexpr IpcScene linkage(const char* name, const char* summary, double duration, Result<Model> (*build)(),
                           IpcVerdict (*judge)(const IpcRun&), const char* figure)
{
    return {{name, summary, duration, "contact", build}, figure, judge};
}

constexpr std::array kLinkages = {
    linkage(
        "ipc/pendulum", "a bar with an eye swings on a pin", 2, [] { return build_pin_pendulum(false); },
        &judge_pendulum, "19"),
    linkage(
        "ipc/double_pendulum", "two bars, joined by a loose pin", 2, [] { return build_pin_pendulum(true); },
        &judge_pendulum, "19"),
    linkage("ipc/piston", "a crank, a rod and a piston in its cylinder", 2, &build_piston, &judge_piston, "2"),
    linkage(
        "ipc/punching_press", "a punch raised through a knee, joints with 0.1 mm play", 1,
        [] { return build_press("punching_press", kTight); },
        [](const IpcRun& run) { return judge_press(run, kTight, 0); }, "5"),
    linkage(
        "ipc/punching_press_loose", "the same with 1 mm play", 1,
        [] { return build_press("punching_press_loose", kLoose); }, [](const IpcRun& run)
        { return judge_press(run, kLoose, find_largest_play(kPressPin, kTight.play, kPressAround, kTight.sides)); },
        "5"),
    linkage("ipc/intermittent", "a turning pin moves two crosses by quarters and locks them between", 4,
            &build_intermittent, &judge_intermittent, "2"),
};

}  // namespace

std::span<const IpcScene> linkage_scenes() { return kLinkages; }

}  // namespace rattleback::lab
