// Chains of links, nets of rings and wires, an anchor and a wrecking ball: topology that must not change.
#include "base/index.h"
#include "lab/scenes/ipc/families.h"
#include "lab/scenes/ipc/kit.h"
#include "lab/scenes/ipc/links.h"

#include <algorithm>
#include <array>

namespace rattleback::lab
{

namespace
{

// A chain link: its centre line is two half circles and two straights in the plane z = 0 of its body.
constexpr double kBend = 0.05, kStraight = 0.08, kWire = 0.015, kSlack = 4.5e-3;
constexpr double kLinkPitch = kStraight + 2 * kBend - 2 * kWire - kSlack;  // from link to link

/// Lines of all bodies whose names begin so.
std::vector<LinkLine> find_named_lines(const IpcRun& run, std::string_view prefix, double bend, double straight)
{
    const std::vector<Vec3> corners = make_link_corners(bend, straight);
    std::vector<LinkLine> lines;
    for (std::size_t b = 1; b < run.start().pose.size(); ++b)
        if (std::string_view(run.model->bodies.name[b]).starts_with(prefix))
            lines.push_back(find_link_line(*run.model, b, corners));
    return lines;
}

IpcVerdict judge_chain(const IpcRun& run) { return judge_links(run, find_named_lines(run, "link", kBend, kStraight)); }

/// Links along a direction from a point, every second one turned about it; the first is fixed.
void add_chain(Kit& kit, int count, const Vec3& from, const Quat& along, bool fix_first)
{
    const MeshId mesh = kit.add_mesh("link", make_link(kBend, kStraight, kWire, 16, 12));
    for (int i = 0; i < count; ++i)
    {
        const Quat turn = from_axis_angle({1, 0, 0}, i % 2 == 0 ? 0 : kPi / 2);
        kit.add_solid("link " + std::to_string(i + 1), mesh,
                      {.position = from + rotate(along, Vec3{i * kLinkPitch, 0, 0}),
                       .rotation = along * turn,
                       .density = 7680,
                       .kind = i == 0 && fix_first ? BodyKind::fixed : BodyKind::dynamic});
    }
}

Result<Model> build_links(const char* name, int count)
{
    Kit kit(name, {});
    // Held out to the side, a little below the horizontal.
    add_chain(kit, count, {}, from_axis_angle({0, 1, 0}, 0.3), true);
    return kit.finish();
}

// A net: flat rings on a square grid, neighbours joined by rings that stand up.
constexpr double kRing = 0.05, kThread = 0.008, kRingPlay = 2e-3;
constexpr double kCell = 2 * (2 * kRing - 2 * kThread - kRingPlay);

/// Of 256 times the mass of a ring of wire, as wide against the net's cells, as far to the side and as high above it as
/// in the authors' file (there radius 6 m, 20 m above the net, 4.4 and 4 m to the side, cells of 1.65 m).
void add_heavy_ball(Kit& kit)
{
    constexpr double kRadius = 6 / 1.65 * kCell, kHeavier = 256;
    std::vector<Corner> profile;
    for (int k = 0; k <= 18; ++k)
    {
        const double angle = kPi * k / 18 - kPi / 2;
        profile.push_back({k % 18 == 0 ? 0 : kRadius * std::cos(angle), kRadius * std::sin(angle)});
    }
    // Rings of wire weigh a kilogram a metre.
    const double ring = 34 * 2 * kRing * std::sin(kPi / 34), volume = 4 * kPi / 3 * kRadius * kRadius * kRadius;
    kit.add_solid(
        "ball", make_lathe(profile, 38),
        {.position = {-4.4 / 1.65 * kCell, -4 / 1.65 * kCell, 20 / 1.65 * kCell}, .density = kHeavier * ring / volume});
}

Result<Model> build_net(const char* name, int n, bool wire, bool ball)
{
    Kit kit(name, {});
    const auto circle = [](double s) { return Vec3{kRing * std::cos(2 * kPi * s), kRing * std::sin(2 * kPi * s), 0}; };
    MeshOptions ring = make_loop(circle, kThread, 20, 11);
    if (wire)
    {
        ring = {};
        for (int i = 0; i < 34; ++i)
        {
            ring.vertices.push_back(circle(i / 34.0));
            ring.edges.push_back({i, (i + 1) % 34});
        }
    }
    const MeshId mesh = kit.add_mesh("ring", ring);
    const auto add = [&](const std::string& kind, int i, int j, const Vec3& place, const Quat& turn, bool fixed)
    {
        const std::string full = kind + " " + std::to_string(i) + " " + std::to_string(j);
        const BodyId body = kit.add_body(
            full, {.position = place, .rotation = turn, .kind = fixed ? BodyKind::fixed : BodyKind::dynamic});
        if (wire)
            kit.add_shape(body, Segments{mesh}, {}, {}, 1);
        else
            kit.add_shape(body, Mesh{mesh, MeshCollide::exact, MeshMass::exact}, {}, {}, 7680);
    };
    const double middle = 0.5 * (n - 1);
    for (int i = 0; i < n; ++i)
    {
        for (int j = 0; j < n; ++j)
        {
            const Vec3 place{(i - middle) * kCell, (j - middle) * kCell, 0};
            const bool edge = i == 0 || j == 0 || i == n - 1 || j == n - 1;
            add("ring", i, j, place, {}, edge);
            if (i + 1 < n)
                add("ring x", i, j, place + Vec3{kCell / 2, 0, 0}, from_axis_angle({1, 0, 0}, kPi / 2), false);
            if (j + 1 < n)
                add("ring y", i, j, place + Vec3{0, kCell / 2, 0}, from_axis_angle({0, 1, 0}, kPi / 2), false);
        }
    }
    if (ball) add_heavy_ball(kit);
    return kit.finish();
}

IpcVerdict judge_net(const IpcRun& run)
{
    const IpcVerdict linked = judge_links(run, find_named_lines(run, "ring", kRing, 0));
    if (!run.model->find_body("ball")) return linked;
    const double height = run.end().pose[run.body("ball")].position.z;
    return linked && make_verdict(height > -1.5, "height of the ball", height, "m");
}

constexpr double kBallRadius = 0.45, kBrick = 0.1;  // the latter half of an edge [m]

/// A ball on a chain of 13 links swings into a wall of 560 boxes: it weighs 318 links and 249 boxes and starts 60
/// degrees from the vertical, as in the authors' file.
Result<Model> build_wrecking_ball()
{
    Kit kit("wrecking_ball", {.friction = 0, .ground = 6});
    constexpr int kLinks = 13;
    constexpr double kBallDensity = 2036, kBoxDensity = 400;  // [kg/m^3]
    const Vec3 top{-1, 0, 3.6};
    const Quat along = from_axis_angle({0, 1, 0}, kPi - kPi / 6);
    add_chain(kit, kLinks, top, along, true);
    // The chain runs along -x and down from its fixed link; the ball hangs on the last one.
    const double reach = (kLinks - 1) * kLinkPitch + kStraight / 2 + kBend;
    const double eye = 0.02 / 2 + kBend;  // half of the eye's centre line
    const double at_eye = reach - 2 * kWire - kSlack + eye;
    std::vector<Corner> profile;
    for (int k = 0; k <= 12; ++k)
    {
        const double angle = kPi * k / 12 - kPi / 2;
        profile.push_back({k % 12 == 0 ? 0 : kBallRadius * std::cos(angle), kBallRadius * std::sin(angle)});
    }
    const Quat turn = from_axis_angle({1, 0, 0}, kPi / 2);  // across the last link, which lies flat
    const double to_ball = at_eye + kBallRadius + eye - 0.01;
    const BodyId ball = kit.add_solid(
        "ball", make_lathe(profile, 24),
        {.position = top + rotate(along, Vec3{to_ball, 0, 0}), .rotation = along, .density = kBallDensity});
    const MeshId mesh = kit.add_mesh("eye", make_link(kBend, 0.02, kWire, 16, 12));
    kit.add_shape(ball, Mesh{mesh, MeshCollide::exact, MeshMass::exact}, {at_eye - to_ball, 0, 0}, turn, kBallDensity);
    // Every second layer is a little smaller and shifted, and columns stand farther apart than d-hat: corners lie
    // inside the faces below and above them, off the diagonals, so that all that presses is upright and a wall without
    // friction stands.
    constexpr double kGap = 1.5e-3, kJoint = 5e-4, kLess = 5e-3;
    for (int k = 0; k < 8; ++k)
    {
        const double half = k % 2 == 0 ? kBrick : kBrick - kLess, shift = k % 2 == 0 ? 0 : kLess / 4;
        for (int j = 0; j < 14; ++j)
            for (int i = 0; i < 5; ++i)
                kit.add_box("box " + std::to_string(i + 5 * (j + 14 * k)), {half, half, kBrick},
                            {.position = {i * (2 * kBrick + kGap) + shift, (j - 6.5) * (2 * kBrick + kGap) - shift,
                                          kBrick + kJoint + k * (2 * kBrick + kJoint)},
                             .density = kBoxDensity});
    }
    return kit.finish();
}

/// The wall stands still until the ball is there, and links stay linked.
IpcVerdict judge_wrecking_ball(const IpcRun& run)
{
    const std::size_t ball = run.body("ball");
    std::vector<std::size_t> boxes;
    for (std::size_t b = 1; b < run.start().pose.size(); ++b)
        if (std::string_view(run.model->bodies.name[b]).starts_with("box")) boxes.push_back(b);
    // Balls about both touch before the surfaces do.
    const double near = kBallRadius + std::sqrt(3.0) * kBrick;
    const auto is_hit = [&](const IpcFrame& frame)
    {
        return std::any_of(boxes.begin(), boxes.end(), [&](std::size_t b)
                           { return norm(frame.pose[b].position - frame.pose[ball].position) < near; });
    };
    double sideways = 0;
    const auto hit = std::find_if(run.frames.begin(), run.frames.end(), is_hit);
    for (auto frame = run.frames.begin(); frame != hit; ++frame)
    {
        for (const std::size_t b : boxes)
        {
            const Vec3 moved = frame->pose[b].position - run.start().pose[b].position;
            sideways = std::max(sideways, std::hypot(moved.x, moved.y));
        }
    }
    return judge_chain(run) && make_verdict(hit != run.frames.end(), "hits", hit != run.frames.end() ? 1 : 0, "") &&
           make_verdict(sideways < 1e-3, "sideways before the ball", sideways, "m");
}

// The anchor hangs on a chain of 21 links from the rim of a drum that turns. Of the authors' file: an anchor of 67.9
// links' mass, a drum of 3.17 pitches of the chain, 100 deg/s where a pitch is 0.789 m: by the square root of lengths.
constexpr double kAnchorPlay = 7e-3, kAnchorPitch = kStraight + 2 * kBend - 2 * kWire - kAnchorPlay;
constexpr double kDrum = 3.17 * kAnchorPitch, kAnchorDensity = 29'600;       // [m], [kg/m^3]
const double kDrumRate = 100 * kPi / 180 * std::sqrt(0.789 / kAnchorPitch);  // [rad/s]

/// Ring, shank, stock and two curved arms with flukes; the ring's centre at the origin, the rest below it.
void add_anchor_parts(Kit& kit, BodyId anchor, const Quat& turn)
{
    const double eye = 0.02 / 2 + kBend;
    const MeshId ring = kit.add_mesh("eye", make_link(kBend, 0.02, kWire, 40, 16));
    kit.add_shape(anchor, Mesh{ring, MeshCollide::exact, MeshMass::exact}, {}, turn, kAnchorDensity);
    const double top = -eye + 0.005, low = -eye - 0.62;
    kit.add_part(anchor,
                 make_rod([=](double s) { return Vec3{0, 0, low + s * (top - low)}; },
                          [](double s) { return 0.04 - 0.018 * s; }, 30, 24),
                 {}, kAnchorDensity);
    kit.add_part(anchor,
                 make_rod([=](double s) { return Vec3{0.5 * s - 0.25, 0, -eye - 0.09}; },
                          [](double s) { return 0.012 + 0.012 * std::sin(kPi * s); }, 24, 20),
                 {}, kAnchorDensity);
    // Arms along a circle in the plane of y and z, which must not run along y: made in x and z, then turned.
    const auto turned = [](MeshOptions mesh)
    {
        for (Vec3& v : mesh.vertices) v = {-v.y, v.x, v.z};
        return mesh;
    };
    constexpr double kArms = 0.34;
    kit.add_part(anchor,
                 turned(make_rod(
                     [=](double s)
                     {
                         const double angle = 2.2 * (s - 0.5);
                         return Vec3{kArms * std::sin(angle), 0, low + kArms * (1 - std::cos(angle))};
                     },
                     [](double s) { return 0.012 + 0.026 * std::sin(kPi * s); }, 60, 24)),
                 {}, kAnchorDensity);
    for (const double side : {-1.0, 1.0})
    {
        const double reach = side * kArms * std::sin(1.0), high = low + kArms * (1 - std::cos(1.0));
        kit.add_part(anchor, make_finer(make_taper({.low = {0.08, 0.012}, .high = {0.01, 0.006}, .height = 0.16}), 3),
                     {0, reach, high - 0.05}, kAnchorDensity);
    }
}

Result<Model> build_anchor()
{
    Kit kit("anchor", {.ground = 6});
    constexpr int kLinks = 21;
    // Their wire has a ridge where they hang in each other; its straight pieces take more of the opening.
    constexpr double kPlay = kAnchorPlay, kPitch = kAnchorPitch;
    const Quat down = from_axis_angle({0, 1, 0}, kPi / 2);
    // The drum turns about y at its centre; its own eye, of a link's shape, sticks out of its rim at -x.
    const Vec3 center{0, 0, 4.6}, top = center - Vec3{kDrum + 0.1, 0, 0};
    const BodyId drum = kit.add_body("drum", {.position = center, .kind = BodyKind::kinematic});
    kit.add_part(drum, make_upright(make_prism(make_circle(kDrum, 48), -0.5, 0.5)), {}, 7680);
    const MeshId holder = kit.add_mesh("holder", make_link(kBend, kStraight, kWire, 16, 11));
    kit.add_shape(drum, Mesh{holder, MeshCollide::exact, MeshMass::exact}, top - center, {}, 7680);
    // Falls for half a second, then the chain is wound up.
    kit.add_turning(
        drum, {center, {}}, {0, 1, 0},
        [](double t) { return kDrumRate * (t < 0.5 ? 0
                                           : t < 1 ? (t - 0.5) * (t - 0.5)
                                                   : t - 0.75); }, 50, 0.05);
    // The first link hangs in the holder's far bend, across it.
    const double reach = kStraight / 2 + kBend;
    const Vec3 from = top - Vec3{reach, 0, reach - 2 * kWire - kPlay / 2};
    const MeshId mesh = kit.add_mesh("link", make_link(kBend, kStraight, kWire, 16, 11));
    for (int i = 0; i < kLinks; ++i)
        kit.add_solid("link " + std::to_string(i + 1), mesh,
                      {.position = from + rotate(down, Vec3{i * kPitch, 0, 0}),
                       .rotation = down * from_axis_angle({1, 0, 0}, i % 2 == 0 ? kPi / 2 : 0),
                       .density = 7680});
    const double eye = 0.02 / 2 + kBend;
    const double at_eye = (kLinks - 1) * kPitch + kStraight / 2 + kBend - 2 * kWire - kPlay + eye;
    const BodyId anchor = kit.add_body("anchor", {.position = from - Vec3{0, 0, at_eye}});
    add_anchor_parts(kit, anchor, down);  // across the last link, which is the first one's twin
    return kit.finish();
}

/// Links stay linked, and the anchor is lifted.
IpcVerdict judge_anchor(const IpcRun& run)
{
    const std::size_t anchor = run.body("anchor");
    const double rise = run.end().pose[anchor].position.z - run.start().pose[anchor].position.z;
    return judge_chain(run) && make_verdict(rise > 0.5, "rise of the anchor", rise, "m");
}

constexpr IpcScene linked(const char* name, const char* summary, double duration, Result<Model> (*build)(),
                          IpcVerdict (*judge)(const IpcRun&), const char* figure)
{
    return {{name, summary, duration, "contact", build}, figure, judge};
}

constexpr std::array kLinked = {
    linked(
        "ipc/chain_3", "three links", 3, [] { return build_links("chain_3", 3); }, &judge_chain, ""),
    linked(
        "ipc/chain_5", "five links", 3, [] { return build_links("chain_5", 5); }, &judge_chain, ""),
    linked(
        "ipc/chain_10", "ten links", 3, [] { return build_links("chain_10", 10); }, &judge_chain, ""),
    linked(
        "ipc/net_3", "a net of 21 rings, its border held", 3, [] { return build_net("net_3", 3, false, false); },
        &judge_net, "22"),
    linked(
        "ipc/net_7", "a net of 133 rings, its border held", 3, [] { return build_net("net_7", 7, false, false); },
        &judge_net, "22"),
    linked(
        "ipc/wire_net_3", "a net of 21 wire loops, its border held", 3,
        [] { return build_net("wire_net_3", 3, true, false); }, &judge_net, ""),
    linked(
        "ipc/wire_net_15", "a ball of 256 rings' mass falls into a net of 645 wire loops", 10,
        [] { return build_net("wire_net_15", 15, true, true); }, &judge_net, "6"),
    linked("ipc/anchor", "an anchor on a chain of 21 links that a drum winds up", 50, &build_anchor, &judge_anchor,
           "9"),
    linked("ipc/wrecking_ball", "a ball on a chain swings into a wall of 560 boxes", 10, &build_wrecking_ball,
           &judge_wrecking_ball, "8"),
};

}  // namespace

std::span<const IpcScene> linked_scenes() { return kLinked; }

}  // namespace rattleback::lab
