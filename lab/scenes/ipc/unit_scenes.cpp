// Cubes, edges, tips and slots: the smallest scenes in which each kind of contact decides.
#include "lab/scenes/ipc/unit_scenes.h"

#include "base/index.h"
#include "lab/scenes/ipc/kit.h"

#include <algorithm>
#include <array>

namespace rattleback::lab
{

namespace
{

constexpr double kGap = 5e-4;  // between what lies on each other at the start: half of the usual dhat
const Quat kHalfRight = from_axis_angle({1, 0, 0}, kPi / 4);  // an edge along x points down

Result<Model> build_five_cubes()
{
    Kit kit("five_cubes", {.friction = 0.5, .ground = 5});
    for (int i = 0; i < 5; ++i)
        kit.add_box("cube " + std::to_string(i + 1), {0.5, 0.5, 0.5},
                    {.position = {0, 0, 0.5 + kGap + i * (1 + kGap)}});
    return kit.finish();
}

IpcVerdict judge_five_cubes(const IpcRun& run)
{
    double sideways = 0, height = 0;
    for (std::size_t b = 1; b < run.end().pose.size(); ++b)
    {
        const Vec3 now = run.end().pose[b].position;
        sideways = std::max(sideways, std::hypot(now.x, now.y));
        height = std::max(height, std::abs(now.z - (static_cast<double>(b) - 0.5)));
    }
    return make_verdict(sideways < 1e-3, "sideways", sideways, "m") &&
           make_verdict(height < 5 * find_ipc_parameter(*run.model, "dhat"), "off the ideal height", height, "m");
}

/// Something falls on something that stands still, and stays above it.
IpcVerdict judge_drop(const IpcRun& run)
{
    const std::size_t body = run.body("falling");
    double lowest = 1e300;
    for (const IpcFrame& frame : run.frames) lowest = std::min(lowest, frame.pose[body].position.z);
    const double fallen = run.start().pose[body].position.z - lowest;
    return IpcVerdict{all_converged(run), all_converged(run) ? "every step converged" : "a step did not converge"} &&
           make_verdict(find_energy_gain(run) < 0.01, "energy gained over energy lost", find_energy_gain(run), "") &&
           make_verdict(fallen > 0.02, "fell", fallen, "m");
}

Result<Model> build_cube_on_edge()
{
    Kit kit("cube_on_edge", {.dhat = 1e-4, .ground = 5});
    kit.add_box("stone", {0.5, 0.5, 0.5}, {.position = {0.5, 0, 0.5 + kGap}, .kind = BodyKind::fixed});
    kit.add_box("falling", {0.5, 0.5, 0.5}, {.position = {-0.1, 0, 2}, .rotation = kHalfRight});
    return kit.finish();
}

/// An edge that falls on an edge, across it or along it.
Result<Model> build_edges(const char* name, double angle)
{
    Kit kit(name, {.ground = 5});
    const double high = std::sqrt(0.5);
    kit.add_box("lower", {0.5, 0.5, 0.5},
                {.position = {0, 0, high + 0.01}, .rotation = kHalfRight, .kind = BodyKind::fixed});
    kit.add_box("falling", {0.5, 0.5, 0.5},
                {.position = {0, 0, 3 * high + 0.11}, .rotation = from_axis_angle({0, 0, 1}, angle) * kHalfRight});
    return kit.finish();
}

/// A tip or a face that falls on a tip or a face.
Result<Model> build_tips(const char* name, bool tip_below, bool tip_above)
{
    Kit kit(name, {.ground = 5});
    const Quat over = from_axis_angle({1, 0, 0}, kPi);
    if (tip_below)
        kit.add_solid("lower", make_spike(0.4, 0.6),
                      {.position = {0, 0, 0.7}, .rotation = over, .kind = BodyKind::fixed});
    else
        kit.add_box("lower", {0.5, 0.5, 0.3}, {.position = {0, 0, 0.4}, .kind = BodyKind::fixed});
    if (tip_above)
        kit.add_solid("falling", make_spike(0.4, 0.6), {.position = {0, 0, 0.8}});
    else
        kit.add_box("falling", {0.5, 0.5, 0.3}, {.position = {0.03, 0.02, 1.1}});
    return kit.finish();
}

Result<Model> build_mass_ratio_1000()
{
    Kit kit("mass_ratio_1000", {.friction = 0.5, .ground = 5});
    kit.add_box("light", {0.05, 0.05, 0.05}, {.position = {0, 0, 0.05 + kGap}});
    kit.add_box("heavy", {0.5, 0.5, 0.5}, {.position = {0, 0, 0.6 + 2 * kGap}});
    return kit.finish();
}

IpcVerdict judge_mass_ratio(const IpcRun& run)
{
    const std::size_t light = run.body("light"), heavy = run.body("heavy");
    const double gap = run.end().pose[heavy].position.z - run.end().pose[light].position.z - 0.55;
    return make_verdict(gap > 0 && gap < 2e-3, "gap", gap, "m") &&
           make_verdict(speed_of(run.end(), heavy) < 1e-3, "speed of the heavy cube", speed_of(run.end(), heavy),
                        "m/s");
}

Result<Model> build_lever_arm()
{
    Kit kit("lever_arm", {.ground = 5});
    kit.add_box("pivot", {0.2, 0.5, 0.2}, {.position = {0, 0, 0.3}, .kind = BodyKind::fixed});
    kit.add_box("falling", {1.5, 0.1, 0.05}, {.position = {1.2, 0, 0.8}});
    return kit.finish();
}

Result<Model> build_spinning_cube()
{
    Kit kit("spinning_cube", {.dhat = 1e-4, .ground = 5});
    kit.add_box("falling", {0.5, 0.5, 0.5}, {.position = {0, 0, 0.95}, .angular_velocity = {0, 6, 0.5}});
    return kit.finish();
}

Result<Model> build_tunneling()
{
    Kit kit("tunneling", {.dhat = 0.01, .gravity = {}});
    kit.add_solid("wall", make_prism({{-0.001, -5}, {0.001, -5}, {0.001, 5}, {-0.001, 5}}, -5, 5),
                  {.kind = BodyKind::fixed});
    kit.add_box("cube", {0.5, 0.5, 0.5}, {.position = {-5, 0, 0}, .linear_velocity = {1000, 0, 0}});
    return kit.finish();
}

IpcVerdict judge_tunneling(const IpcRun& run)
{
    double farthest = -1e300;
    for (const IpcFrame& frame : run.frames) farthest = std::max(farthest, frame.pose[run.body("cube")].position.x);
    return make_verdict(farthest < -0.5, "farthest place of the centre", farthest, "m");
}

/// A cube at 10 m/s between walls that leave a tenth of a millimetre; the walls are boxes, or sheets of `squares` by
/// `squares`.
Result<Model> build_tunnel(const char* name, int walls, int squares = 0)
{
    constexpr double kClearance = 1e-4;
    Kit kit(name, {.dt = 0.01, .dhat = 0.01, .gravity = {}});
    const double thick = squares > 0 ? 0 : 0.05, off = 0.5 + kClearance + thick;
    const std::array<Vec3, 4> places{{{0, 0, -off}, {0, 0, off}, {0, -off, 0}, {0, off, 0}}};
    for (int i = 0; i < walls; ++i)
    {
        const std::string wall = "wall " + std::to_string(i + 1);
        const SolidOptions options{.position = places[at(i)], .kind = BodyKind::fixed};
        if (squares == 0)
            kit.add_box(wall, i < 2 ? Vec3{10, 0.5, thick} : Vec3{10, thick, 0.5}, options);
        else
            kit.add_shape(kit.add_body(wall, options), Surface{kit.add_mesh(wall.c_str(), make_sheet(10, 1, squares))});
    }
    kit.add_box("cube", {0.5, 0.5, 0.5}, {.position = {-9, 0, 0}, .linear_velocity = {10, 0, 0}});
    return kit.finish();
}

IpcVerdict judge_tunnel(const IpcRun& run)
{
    const double kept = run.end().speed[run.body("cube")].linear.x / 10;
    const std::size_t cube = run.body("cube");
    const double way = run.end().pose[cube].position.x - run.start().pose[cube].position.x;
    return make_verdict(kept > 0.95 && kept < 1.05, "part of the speed kept", kept, "") &&
           make_verdict(way > 9, "way", way, "m");
}

/// A pit in the shape of an upside-down pyramid, in a block.
MeshOptions make_pit(double half, double depth)
{
    const double o = half + 0.3, bottom = -0.2;
    MeshOptions mesh;
    const auto ring = [&](double r, double z)
    {
        for (const auto& [x, y] : {Corner{-r, -r}, {r, -r}, {r, r}, {-r, r}}) mesh.vertices.push_back({x, y, z});
    };
    ring(half, depth);                   // 0..3: rim of the pit
    ring(o, depth);                      // 4..7: rim of the block
    ring(o, bottom);                     // 8..11: its bottom
    mesh.vertices.push_back({0, 0, 0});  // 12: the deepest point
    for (int i = 0; i < 4; ++i)
    {
        const int j = (i + 1) % 4;
        mesh.triangles.push_back({i, j, 12});  // inside, seen from above
        mesh.triangles.push_back({4 + i, 4 + j, j});
        mesh.triangles.push_back({4 + i, j, i});
        mesh.triangles.push_back({8 + i, 8 + j, 4 + j});
        mesh.triangles.push_back({8 + i, 4 + j, 4 + i});
    }
    mesh.triangles.push_back({8, 10, 9});
    mesh.triangles.push_back({8, 11, 10});
    return mesh;
}

/// A block with a groove of the shape of a V along y.
MeshOptions make_groove(double half, double depth, double length)
{
    const double o = half + 0.3;
    // Seen along -y the outline runs counter-clockwise; the prism's z becomes y.
    MeshOptions mesh =
        make_prism({{-o, -0.2}, {o, -0.2}, {o, depth}, {half, depth}, {0, 0}, {-half, depth}, {-o, depth}}, -length / 2,
                   length / 2);
    for (Vec3& v : mesh.vertices) v = {v.x, -v.z, v.y};
    return mesh;
}

// A slot between three cubes, a metre wide, as deep as they are high; below it the floor.
constexpr double kSlotFloor = -0.5, kCornerSize = 0.999;  // [m]

/// A corner of a cube, 0.999 of the slot's width, falls into the slot, half a millimetre from each side.
Result<Model> build_tet_corner()
{
    Kit kit("tet_corner", {.dhat = 1e-4});
    const BodyId floor = kit.add_body("floor", {.position = {0, 0, kSlotFloor}, .kind = BodyKind::fixed});
    kit.add_shape(floor, Surface{kit.add_mesh("floor", make_sheet(5, 5, 1))});
    int count = 0;
    for (const Vec3& place : {Vec3{-1, 0, 0}, Vec3{0, 1, 0}, Vec3{1, 0, 0}})
        kit.add_box("cube " + std::to_string(++count), {0.5, 0.5, 0.5}, {.position = place, .kind = BodyKind::fixed});
    constexpr double s = kCornerSize;
    kit.add_solid("falling",
                  {.vertices = {{0, 0, 0}, {s, 0, 0}, {0, 0, s}, {0, -s, 0}},
                   .triangles = {{0, 2, 1}, {0, 3, 2}, {1, 2, 3}, {0, 1, 3}}},
                  {.position = {-s / 2, s / 2, 0.6}});
    return kit.finish();
}

IpcVerdict judge_tet_corner(const IpcRun& run)
{
    const std::size_t body = run.body("falling");
    const double above = run.end().pose[body].position.z - kSlotFloor;
    return make_verdict(above > 0 && above < 1e-3, "above the bottom of the slot", above, "m") &&
           make_verdict(speed_of(run.end(), body) < 1e-2, "speed at the end", speed_of(run.end(), body), "m/s");
}

// A bat that turns about its centre, as fast as in the authors' file; a ball that lies on a pin.
constexpr double kBatTurn = 2000 * kPi / 180, kBatRise = -500 * kPi / 180, kBallArm = 0.3;  // [rad/s], [m]

/// The bat of 1.9 kg meets the ball of 1.5 g 0.3 m from its centre.
Result<Model> build_bat()
{
    Kit kit("bat", {.dt = 1e-3});
    constexpr double kBat = 0.03175, kLong = 0.4318, kBall = 0.0375, kPin = 0.015;  // radii, half a length [m]
    MeshOptions rod = make_prism(make_circle(kBat, 64), -kLong, kLong);
    for (Vec3& v : rod.vertices) v = {v.x, -v.z, v.y};
    const BodyId bat = kit.add_solid("bat", std::move(rod), {.position = {0, 0, -0.04}, .density = 700});
    // About its centre, in three turns: the second stays far from the right angle at which they would be two.
    const auto add_turn = [&](const char* name, const Vec3& axis, double rate)
    { kit.builder().add_joint(bat, {.name = name, .axis = axis, .initial_velocity = rate}); };
    add_turn("turn", {0, 0, 1}, kBatTurn);
    add_turn("rise", {1, 0, 0}, kBatRise);
    add_turn("spin", {0, 1, 0}, 0);
    std::vector<Corner> profile;
    for (int k = 0; k <= 20; ++k)
    {
        const double angle = kPi * k / 20 - kPi / 2;
        profile.push_back({k % 20 == 0 ? 0 : kBall * std::cos(angle), kBall * std::sin(angle)});
    }
    kit.add_solid("ball", make_lathe(profile, 32), {.position = {0.15, -kBallArm, 0}, .density = 7});
    kit.add_solid("pin", make_prism(make_circle(kPin, 64), -0.05, 0.05),
                  {.position = {0.15, -kBallArm, -0.09}, .kind = BodyKind::fixed});
    return kit.finish();
}

/// The ball leaves the bat between the speed of a plastic blow and that of an elastic one: its mass is nothing to the
/// bat's, so once to twice the speed of the bat along the normal where they meet, some 10 m/s. The normal leans by up
/// to a third of a right angle.
IpcVerdict judge_bat(const IpcRun& run)
{
    const double bat = kBallArm * kBatTurn, away = speed_of(run.end(), run.body("ball")) / bat;
    return make_verdict(away > 0.85 && away < 2.1, "speed of the ball over that of the bat there", away, "") &&
           make_verdict(run.end().speed[run.body("ball")].linear.x > 0.5 * bat, "of it away from the bat",
                        run.end().speed[run.body("ball")].linear.x, "m/s");
}

constexpr IpcScene make_scene(const char* name, const char* summary, double duration, Result<Model> (*build)(),
                              IpcVerdict (*judge)(const IpcRun&), const char* figure)
{
    return {{name, summary, duration, "contact", build}, figure, judge};
}

constexpr std::array kUnit = {
    make_scene("ipc/five_cubes", "five cubes on each other", 10, &build_five_cubes, &judge_five_cubes, "16"),
    make_scene("ipc/bat", "a bat hits a ball", 0.1, &build_bat, &judge_bat, "16"),
    make_scene("ipc/cube_on_edge", "a cube falls edge first on the edge of another", 2, &build_cube_on_edge,
               &judge_drop, "16"),
    make_scene(
        "ipc/edge_edge", "an edge falls across an edge", 2, [] { return build_edges("edge_edge", kPi / 2); },
        &judge_drop, "16"),
    make_scene(
        "ipc/edge_edge_parallel", "an edge falls along an edge", 2, [] { return build_edges("edge_edge_parallel", 0); },
        &judge_drop, "16"),
    make_scene(
        "ipc/face_vertex", "a tip falls on a face", 2, [] { return build_tips("face_vertex", false, true); },
        &judge_drop, "16"),
    make_scene(
        "ipc/vertex_face", "a face falls on a tip", 2, [] { return build_tips("vertex_face", true, false); },
        &judge_drop, "16"),
    make_scene(
        "ipc/vertex_vertex", "a tip falls on a tip", 2, [] { return build_tips("vertex_vertex", true, true); },
        &judge_drop, "16"),
    make_scene("ipc/mass_ratio", "a ton on a kilogram", 5, &build_mass_ratio_1000, &judge_mass_ratio, "16"),
    make_scene("ipc/lever_arm", "a bar falls with one end on a stone", 2, &build_lever_arm, &judge_drop, "16"),
    make_scene("ipc/spinning_cube", "a spinning cube lands", 2, &build_spinning_cube, &judge_drop, "16"),
    make_scene("ipc/tet_corner", "a corner falls into a slot that it just fits", 3, &build_tet_corner,
               &judge_tet_corner, "16"),
    make_scene("ipc/tunneling", "a cube at 1000 m/s against a wall of two millimetres", 0.1, &build_tunneling,
               &judge_tunneling, "16"),
    make_scene(
        "ipc/tunnel_2", "a cube slides between two walls, 0.1 mm apart from each", 1,
        [] { return build_tunnel("tunnel_2", 2); }, &judge_tunnel, "16"),
    make_scene(
        "ipc/tunnel_3", "a cube slides between three walls, 0.1 mm apart from each", 1,
        [] { return build_tunnel("tunnel_3", 3); }, &judge_tunnel, "16"),
    make_scene(
        "ipc/tunnel_8k", "a cube slides between two sheets of 8,192 triangles each", 1,
        [] { return build_tunnel("tunnel_8k", 2, 64); }, &judge_tunnel, "16"),
    make_scene(
        "ipc/tunnel_4", "a cube slides through a tunnel, 0.1 mm apart from each wall", 1,
        [] { return build_tunnel("tunnel_4", 4); }, &judge_tunnel, "16"),
};

/// A solid dropped on, or pushed over, another.
struct Drop
{
    const char* name;
    MeshOptions lower, upper;
    Vec3 place, push;
    double friction = 0;
};

Result<Model> build_drop(Drop drop)
{
    Kit kit(drop.name, {.friction = drop.friction});
    kit.add_solid("lower", std::move(drop.lower), {.kind = BodyKind::fixed});
    kit.add_solid("falling", std::move(drop.upper), {.position = drop.place, .linear_velocity = drop.push});
    return kit.finish();
}

/// A slab of squares, each of two triangles: edges inside of the flat top must not be felt.
MeshOptions make_slab(double half, int squares)
{
    return make_prism(
        [&]
        {
            std::vector<Corner> outline;
            for (int side = 0; side < 4; ++side)
                for (int i = 0; i < squares; ++i)
                {
                    const double t = half * (2.0 * i / squares - 1);
                    outline.push_back(side == 0   ? Corner{t, -half}
                                      : side == 1 ? Corner{half, t}
                                      : side == 2 ? Corner{-t, half}
                                                  : Corner{-half, -t});
                }
            return outline;
        }(),
        -0.2, 0);
}

MeshOptions turned_over(MeshOptions mesh)
{
    for (Vec3& v : mesh.vertices) v = {v.x, -v.y, -v.z};
    return mesh;
}

IpcVerdict judge_slide(const IpcRun& run)
{
    const std::size_t body = run.body("falling");
    const double slid = norm(run.end().pose[body].position - run.start().pose[body].position);
    return make_verdict(find_energy_gain(run) < 0.01, "energy gained over energy lost", find_energy_gain(run), "") &&
           make_verdict(slid > 0.05, "moved", slid, "m");
}

constexpr std::array kErleben = {
    make_scene(
        "ipc/erleben/spikes", "a spike on a spike, a little aside", 2,
        []
        {
            return build_drop(
                {"spikes", turned_over(make_spike(0.5, 0.5)), make_spike(0.5, 0.5), {0.05, 0.03, 0.1}, {}});
        },
        &judge_drop, "17"),
    make_scene(
        "ipc/erleben/wedges", "a wedge along a wedge, a little aside", 2,
        []
        {
            return build_drop(
                {"wedges", turned_over(make_wedge(0.5, 0.5, 1)), make_wedge(0.5, 0.5, 1), {0.03, 0, 0.1}, {}});
        },
        &judge_drop, "17"),
    make_scene(
        "ipc/erleben/spike_and_wedge", "a spike on a wedge", 2,
        []
        {
            return build_drop(
                {"spike_and_wedge", turned_over(make_wedge(0.5, 0.5, 1)), make_spike(0.5, 0.5), {0.02, 0, 0.1}, {}});
        },
        &judge_drop, "17"),
    make_scene(
        "ipc/erleben/spike_in_hole", "a spike in a pit of its shape", 2,
        [] { return build_drop({"spike_in_hole", make_pit(0.5, 0.5), make_spike(0.49, 0.49), {0, 0, 0.1}, {}}); },
        &judge_drop, "17"),
    make_scene(
        "ipc/erleben/spike_in_crack", "a spike in a groove", 2,
        [] { return build_drop({"spike_in_crack", make_groove(0.5, 0.5, 2), make_spike(0.4, 0.45), {0, 0, 0.1}, {}}); },
        &judge_drop, "17"),
    make_scene(
        "ipc/erleben/wedge_in_crack", "a wedge in a groove of its shape", 2,
        []
        {
            return build_drop({"wedge_in_crack", make_groove(0.5, 0.5, 2), make_wedge(0.49, 0.49, 1), {0, 0, 0.1}, {}});
        },
        &judge_drop, "17"),
    make_scene(
        "ipc/erleben/sliding_spike", "a spike slides over a slab", 2, []
        { return build_drop({"sliding_spike", make_slab(2, 8), make_spike(0.2, 0.1), {-1, 0, 0.01}, {1, 0, 0}, 0.1}); },
        &judge_slide, "17"),
    make_scene(
        "ipc/erleben/sliding_wedge", "a wedge slides over a slab", 2,
        []
        {
            return build_drop(
                {"sliding_wedge", make_slab(2, 8), make_wedge(0.2, 0.1, 0.4), {-1, 0, 0.01}, {1, 0.3, 0}, 0.1});
        },
        &judge_slide, "17"),
    make_scene(
        "ipc/erleben/internal_edges", "a plate slides over the inner edges of a slab", 2,
        []
        {
            return build_drop({"internal_edges",
                               make_slab(2, 8),
                               make_prism(make_circle(0.3, 4, 0.3), 0, 0.2),
                               {-1, 0, 0.01},
                               {1, 0.2, 0},
                               0.1});
        },
        &judge_slide, "17"),
    make_scene(
        "ipc/erleben/cliff_edges", "a plate falls half over the edge of a cliff", 2,
        []
        {
            return build_drop({"cliff_edges",
                               make_slab(1, 1),
                               make_prism(make_circle(0.4, 4, kPi / 4), 0, 0.2),
                               {1.05, 0, 0.05},
                               {}});
        },
        &judge_drop, "17"),
};

}  // namespace

std::span<const IpcScene> unit_scenes() { return kUnit; }
std::span<const IpcScene> erleben_scenes() { return kErleben; }

}  // namespace rattleback::lab
