// Bench `batch`: motion without contact.
#include <fmt/format.h>
#include "lab/bench/batch.h"
#include "lab/bench/data_folder.h"
#include "lab/bench/integrators.h"
#include "lab/measure/measure.h"

namespace rattleback::lab
{

namespace
{

constexpr std::string_view kSmoothOnly = "contact, limits, dry_friction, equality";
constexpr const char* kHumanoidFile = "mjcf/mujoco/model/humanoid/humanoid.xml";
constexpr const char* kG1File = "mjcf/menagerie/unitree_g1/g1.xml";

/// Constraints off in both engines: one world and packs.
Status measure_smooth_robot(const BatchBed& bed, const std::string& title, const std::filesystem::path& path)
{
    constexpr int kPackWorlds = 256;
    const int steps = bed.options.quick ? 500 : 2000, batch_steps = bed.options.quick ? 10 : 50;
    bed.say(title + " without constraints");
    Result<ConvexDuel> read = ConvexDuel::read(path, {.noise = 0.1});
    if (!read.ok()) return read.errors();
    const ConvexDuel& duel = read.value();
    const Parameters parameters = smooth_parameters(duel.model().settings.integrator, kSmoothOnly);
    Result<Simulation> one = Simulation::make(duel.shared_model(), {.solver = "smooth", .parameters = parameters});
    Result<Batch> many =
        Batch::make(duel.shared_model(),
                    {.solver = "smooth", .parameters = parameters, .world_count = kPackWorlds, .thread_count = 1});
    const PeerOptions free{.constraints = false};
    Result<DuelPeer> peer = duel.make_theirs(free);
    Result<std::unique_ptr<PeerBatch>> peers = make_mujoco_batch(duel.path(), free, kPackWorlds, 1);
    if (!one.ok()) return one.errors();
    if (!many.ok()) return many.errors();
    if (!peer.ok()) return peer.errors();
    if (!peers.ok()) return peers.errors();
    const BatchStart start{duel.model().initial_q, duel.model().initial_v, {}, {}};
    const std::function<double()> runs[] = {[&] { return steps / duel.run(one.value(), steps); },
                                            [&] { return steps / duel.run(*peer->peer, steps); },
                                            [&] { return run_batch(many.value(), start, batch_steps); },
                                            [&] { return run_batch(*peers.value(), start, batch_steps, kPackWorlds); }};
    const std::vector<double> speeds = median_of_alternating(runs, bed.rounds());
    bed.report.tables.push_back({.title = title + " without constraints: steps/s on one core",
                                 .columns = {"one world", "256 worlds"},
                                 .rows = {{"smooth", "double", {speeds[0], speeds[2]}},
                                          {peer->peer->name(), "double", {speeds[1], speeds[3]}}}});
    bed.add_ratio(title + " without constraints, one world", speeds[0] / speeds[1], 1.6, 2.5);
    bed.add_ratio(title + " without constraints, 256 worlds in packs", speeds[2] / speeds[3], 5.5, 8);
    return {};
}

}  // namespace

void measure_batch_smooth(const BatchBed& bed)
{
    for (const auto& [title, path] : {std::pair("humanoid", kHumanoidFile), std::pair("G1", kG1File)})
    {
        const Status measured = measure_smooth_robot(bed, title, find_data_folder() / path);
        if (!measured.ok()) bed.note(fmt::format("{} not measured: {}", title, to_text(measured.errors())));
    }
}

}  // namespace rattleback::lab
