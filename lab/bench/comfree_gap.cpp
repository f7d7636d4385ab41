// Bench `comfree`: how far solvers part from MuJoCo on the same inputs (the paper's sim-to-sim gap, section VI).
#include "lab/bench/comfree.h"
#include "lab/bench/convex_duel.h"
#include "lab/bench/data_folder.h"
#include "lab/measure/measure.h"
#include "lab/scenes/parts.h"

#include <rattleback/import.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <sstream>

namespace rattleback::lab
{

namespace
{

constexpr double kGapSeconds = 0.8;

/// A robot of the comparison and where its parts lie in q.
struct GapScene
{
    std::string title;
    ConvexDuel duel;
    std::size_t object = 0;  ///< first of the seven coordinates of a free body: the cube, or the robot's base
    std::size_t joints = 0;  ///< first hinge
    std::size_t joint_count = 0;
    double spread = 0;  ///< of the joints at the start [rad]
};

Result<GapScene> make_g1()
{
    Result<ConvexDuel> duel = ConvexDuel::read(find_data_folder() / "mjcf/menagerie/unitree_g1/scene.xml",
                                               {.noise = 0.05, .keyframe = "stand"});
    if (!duel.ok()) return duel.errors();
    const auto joints = static_cast<std::size_t>(duel->model().q_count() - 7);
    return GapScene{"G1 from its stand", std::move(duel).value(), 0, 7, joints, 0.05};
}

/// The Menagerie's LEAP hand with the paper's cube on it.
Result<GapScene> make_leap()
{
    const std::filesystem::path folder = find_data_folder() / "mjcf/menagerie/leap_hand";
    std::ifstream file(folder / "scene_right.xml");
    std::stringstream text;
    text << file.rdbuf();
    std::string scene = text.str();
    const std::size_t end = scene.rfind("</worldbody>");
    if (end == std::string::npos) return Error{ErrorCode::io, folder.string(), "has no scene of the LEAP hand", ""};
    scene.insert(end, R"(<body name="object" pos="0 0.02 0.165"><freejoint/>
      <geom type="box" size="0.035 0.035 0.035" friction="0.5 0.005 0.0001" mass="0.14"/></body>)");
    Result<Imported> imported = parse_mjcf(scene, "leap_cube.xml", folder);
    if (!imported.ok()) return imported.errors();
    Result<ConvexDuel> duel = ConvexDuel::write(std::move(imported).value().model, {.noise = 0.2});
    if (!duel.ok()) return duel.errors();
    const auto joints = static_cast<std::size_t>(duel->model().q_count() - 7);
    return GapScene{"LEAP hand with cube", std::move(duel).value(), joints, 0, joints, 0.05};
}

/// Coordinates of one run, step by step.
using GapPath = std::vector<std::vector<double>>;

/// The start of run `number`: the scene's, with joints moved a little; the same in all engines.
template <class Engine>
void spread_joints(const GapScene& scene, int number, Engine q)
{
    Random random(static_cast<std::uint64_t>(number + 1));
    for (std::size_t j = 0; j < scene.joint_count; ++j)
        q[scene.joints + j] += random.uniform(-scene.spread, scene.spread);
}

constexpr int kGapShift = 37;  ///< steps of noise from one start to the next

GapPath follow_ours(const GapScene& scene, Simulation& simulation, int number, int steps)
{
    scene.duel.start(simulation);
    spread_joints(scene, number, std::span(simulation.state().q));
    simulation.refresh();
    GapPath path;
    for (int i = 0; i < steps; ++i)
    {
        scene.duel.drive(i + kGapShift * number, simulation.control().input);
        simulation.step();
        path.push_back(simulation.state().q);
    }
    return path;
}

GapPath follow_theirs(const GapScene& scene, Peer& peer, int number, int steps)
{
    scene.duel.start(peer);
    spread_joints(scene, number, peer.q());
    GapPath path;
    for (int i = 0; i < steps; ++i)
    {
        scene.duel.drive(i + kGapShift * number, peer.input());
        peer.step();
        path.emplace_back(peer.q().begin(), peer.q().end());
    }
    return path;
}

/// Root mean square of joint differences over joints and time [rad], and distance of the objects at the end [m].
std::pair<double, double> compare_paths(const GapScene& scene, const GapPath& a, const GapPath& b)
{
    double squares = 0;
    for (std::size_t i = 0; i < a.size(); ++i)
    {
        for (std::size_t j = scene.joints; j < scene.joints + scene.joint_count; ++j)
            squares += (a[i][j] - b[i][j]) * (a[i][j] - b[i][j]);
    }
    double apart = 0;
    for (std::size_t k = 0; k < 3; ++k) apart += std::pow(a.back()[scene.object + k] - b.back()[scene.object + k], 2);
    return {std::sqrt(squares / static_cast<double>(a.size() * scene.joint_count)), std::sqrt(apart)};
}

Status measure_gap_scene(const ComfreeBed& bed, const GapScene& scene)
{
    const int starts = bed.options.quick ? 10 : 100;
    Result<DuelPeer> peer = scene.duel.make_theirs({.method = "Newton"}),
                     other = scene.duel.make_theirs({.method = "CG"});
    if (!peer.ok()) return peer.errors();
    if (!other.ok()) return other.errors();
    const int steps = static_cast<int>(std::lround(kGapSeconds / peer->peer->dt()));
    BenchTable table{
        .title = fmt::format("{}: apart from MuJoCo (Newton) over {} s, {} starts", scene.title, kGapSeconds, starts),
        .columns = {"joints, median [mrad]", "joints, mean", "object, median [mm]", "object, mean"},
        .rows = {}};
    std::vector<GapPath> reference;
    for (int i = 0; i < starts; ++i) reference.push_back(follow_theirs(scene, *peer->peer, i, steps));
    const auto add = [&](const std::string& name, auto follow)
    {
        bed.say(scene.title + ", " + name);
        std::vector<double> joints, objects;
        for (int i = 0; i < starts; ++i)
        {
            const auto [joint, object] = compare_paths(scene, follow(i), reference[static_cast<std::size_t>(i)]);
            joints.push_back(1e3 * joint);
            objects.push_back(1e3 * object);
        }
        table.rows.push_back(
            {name, "double", {median(joints), find_spread(joints).mean, median(objects), find_spread(objects).mean}});
    };
    for (const Contestant& contestant : comfree_field({0.1, 0.002}))
    {
        if (contestant.solver.empty()) continue;
        Result<Simulation> made = Simulation::make(scene.duel.shared_model(),
                                                   {.solver = contestant.solver, .parameters = contestant.parameters});
        if (!made.ok()) return made.errors();
        add(contestant.name, [&](int i) { return follow_ours(scene, made.value(), i, steps); });
    }
    // Another solver of the same problem: what chaos alone makes of round-off.
    add("MuJoCo, CG", [&](int i) { return follow_theirs(scene, *other->peer, i, steps); });
    bed.report.tables.push_back(std::move(table));
    return {};
}

}  // namespace

Status measure_sim_gap(const ComfreeBed& bed)
{
    for (const auto make : {&make_g1, &make_leap})
    {
        const Result<GapScene> scene = make();
        if (!scene.ok()) return scene.errors();
        const Status measured = measure_gap_scene(bed, scene.value());
        if (!measured.ok()) return measured;
    }
    return {};
}

}  // namespace rattleback::lab
