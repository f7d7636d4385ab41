// Bench `smooth` beside MuJoCo: the same files, the same noise on the controls, constraints off in both, turn by turn.
#include "lab/bench/smooth_peers.h"

#include "lab/bench/data_folder.h"
#include "lab/bench/integrators.h"
#include "lab/measure/measure.h"
#include "lab/peers/mujoco/order.h"
#include "lab/scenes/humanoid.h"

#include <rattleback/batch.h>
#include <rattleback/export.h>
#include <rattleback/import.h>

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <limits>

namespace rattleback::lab
{

namespace
{

constexpr std::string_view kPeersIgnore = "contact, limits, dry_friction, equality";
constexpr int kPeerNoiseSteps = 512;
constexpr double kNoise = 0.1;
constexpr int kAgreementSteps = 100;
constexpr int kPeerWorlds = 256;

struct PublishedModel
{
    const char* title;
    const char* path;  ///< below the data folder
};
constexpr PublishedModel kModels[] = {
    {"MuJoCo's humanoid", "mjcf/mujoco/model/humanoid/humanoid.xml"},
    {"G1", "mjcf/menagerie/unitree_g1/g1.xml"},
    {"Shadow hand", "mjcf/menagerie/shadow_hand/right_hand.xml"},
};

/// One model in both engines.
class Duel
{
public:
    Duel(std::shared_ptr<const Model> model, Order order, Simulation ours, std::unique_ptr<Peer> theirs)
        : model_(std::move(model)), order_(std::move(order)), ours_(std::move(ours)), theirs_(std::move(theirs))
    {
        // A fixed sequence: the same on every machine and for both engines.
        std::uint64_t bits = 1;
        for (int i = 0; i < kPeerNoiseSteps * model_->actuator_count(); ++i)
        {
            bits = bits * 6364136223846793005ULL + 1442695040888963407ULL;
            noise_.push_back(kNoise * (static_cast<double>(bits >> 11) * 0x1p-52 - 1));
        }
    }

    /// From the same file.
    static Result<Duel> read(const std::filesystem::path& path)
    {
        Result<Imported> imported = load_mjcf(path);
        if (!imported.ok()) return imported.errors();
        Model model = std::move(imported).value().model;
        Order order = Order::same(model);
        return make(std::move(model), std::move(order), path);
    }

    /// A model of ours, written to a file for the peer.
    static Result<Duel> write(Model model)
    {
        model.settings.integrator = Integrator::euler;  // our own default is not in MuJoCo
        const Result<std::string> text = write_mjcf(model);
        if (!text.ok()) return text.errors();
        const Result<Oracle> oracle = Oracle::load_text(text.value());
        if (!oracle.ok()) return oracle.errors();
        const Result<Order> order = Order::find(model, oracle.value());
        if (!order.ok()) return order.errors();
        const std::filesystem::path path =
            std::filesystem::temp_directory_path() / fmt::format("rattleback_duel_{}.xml", getpid());
        std::ofstream(path) << text.value();
        Result<Duel> duel = make(std::move(model), order.value(), path);
        std::filesystem::remove(path);
        return duel;
    }

    static Result<Duel> make(Model given, Order order, const std::filesystem::path& path)
    {
        const auto model = std::make_shared<const Model>(std::move(given));
        Result<Simulation> ours = Simulation::make(
            model, {.solver = "smooth", .parameters = smooth_parameters(model->settings.integrator, kPeersIgnore)});
        if (!ours.ok()) return ours.errors();
        Result<std::unique_ptr<Peer>> found = find_mujoco();
        if (!found.ok()) return found.errors();
        std::unique_ptr<Peer> theirs = std::move(found).value();
        const Result<int> loaded = theirs->load(path.string(), {.constraints = false});
        if (!loaded.ok()) return loaded.errors();
        return Duel(model, std::move(order), std::move(ours).value(), std::move(theirs));
    }

    const Model& model() const { return *model_; }

    /// CPU seconds of `steps` steps from the start.
    double run_ours(int steps)
    {
        ours_.reset();
        const double begin = thread_seconds();
        for (int i = 0; i < steps; ++i)
        {
            std::ranges::copy(noise(i), ours_.control().input.begin());
            ours_.step();
        }
        return thread_seconds() - begin;
    }
    double run_theirs(int steps)
    {
        theirs_->reset();
        std::ranges::copy(arrange(model_->initial_q, order_.q), theirs_->q().begin());
        std::ranges::copy(arrange(model_->initial_v, order_.v), theirs_->v().begin());
        const double begin = thread_seconds();
        for (int i = 0; i < steps; ++i)
        {
            std::ranges::copy(noise(i), theirs_->input().begin());
            theirs_->step();
        }
        const double seconds = thread_seconds() - begin;
        return theirs_->trouble().none() ? seconds : std::numeric_limits<double>::quiet_NaN();
    }

    /// Largest difference of a coordinate or velocity after the agreement steps, over the largest velocity.
    double compare()
    {
        run_ours(kAgreementSteps);
        run_theirs(kAgreementSteps);
        const std::vector<double> q = arrange(ours_.state().q, order_.q), v = arrange(ours_.state().v, order_.v);
        double difference = 0, largest = 1;
        for (std::size_t i = 0; i < q.size(); ++i) difference = std::max(difference, std::abs(q[i] - theirs_->q()[i]));
        for (std::size_t i = 0; i < v.size(); ++i)
        {
            difference = std::max(difference, std::abs(v[i] - theirs_->v()[i]));
            largest = std::max(largest, std::abs(v[i]));
        }
        return difference / largest;
    }

    std::string describe_trouble() const { return theirs_->trouble().text(); }

private:
    std::span<const double> noise(int step) const
    {
        const auto width = static_cast<std::size_t>(model_->actuator_count());
        return std::span(noise_).subspan(static_cast<std::size_t>(step % kPeerNoiseSteps) * width, width);
    }

    std::shared_ptr<const Model> model_;
    Order order_;
    Simulation ours_;
    std::unique_ptr<Peer> theirs_;
    std::vector<double> noise_;
};

void measure_duel(std::string_view name, const std::string& peer, const BenchOptions& options, Result<Duel> made,
                  BenchReport& report)
{
    if (options.say) options.say(fmt::format("{} beside {}", name, peer));
    if (!made.ok())
    {
        report.notes.push_back(fmt::format("{} not measured: {}", name, to_text(made.errors())));
        return;
    }
    Duel duel = std::move(made).value();
    const int steps = options.quick ? 500 : 2000;
    const std::string title = fmt::format("{}, {}", name, to_string(duel.model().settings.integrator));
    const double apart = duel.compare();
    const std::function<double()> runs[] = {[&] { return steps / duel.run_ours(steps); },
                                            [&] { return steps / duel.run_theirs(steps); }};
    const std::vector<double> speeds = median_of_alternating(runs, options.quick ? 7 : 15);
    if (!std::isfinite(speeds[1]))
    {
        report.notes.push_back(fmt::format("{}: {} does not count: {}", title, peer, duel.describe_trouble()));
    }
    report.figures.push_back({.name = title + ", ours", .value = speeds[0], .unit = "steps/s"});
    report.figures.push_back({.name = fmt::format("{}, {}", title, peer), .value = speeds[1], .unit = "steps/s"});
    report.figures.push_back({.name = fmt::format("{}, ours over {}", title, peer),
                              .value = speeds[0] / speeds[1],
                              .unit = "x",
                              .bar = 1.0,
                              .aim = 2.0});
    report.figures.push_back({.name = fmt::format("{}, apart from {} after {} steps", title, peer, kAgreementSteps),
                              .value = apart,
                              .unit = "of the largest velocity",
                              .bar = 1e-6,
                              .higher_is_better = false});
}

/// Many worlds on one thread each: our packs against MuJoCo's batch.
Status measure_batches(const std::filesystem::path& path, const std::string& peer, const BenchOptions& options,
                       BenchReport& report)
{
    Result<Imported> imported = load_mjcf(path);
    if (!imported.ok()) return imported.errors();
    const Integrator integrator = imported.value().model.settings.integrator;
    Result<Batch> made =
        Batch::make(std::move(imported).value().model, {.solver = "smooth",
                                                        .parameters = smooth_parameters(integrator, kPeersIgnore),
                                                        .world_count = kPeerWorlds,
                                                        .thread_count = 1});
    if (!made.ok()) return made.errors();
    Batch ours = std::move(made).value();
    Result<std::unique_ptr<PeerBatch>> found = make_mujoco_batch(path.string(), {.constraints = false}, kPeerWorlds, 1);
    if (!found.ok()) return found.errors();
    PeerBatch& theirs = *found.value();
    const int steps = options.quick ? 25 : 100;
    const auto measure = [&](auto& batch, auto step)
    {
        batch.reset();
        const double begin = thread_seconds();
        step();
        return static_cast<double>(steps) * kPeerWorlds / (thread_seconds() - begin);
    };
    const std::function<double()> runs[] = {[&] { return measure(ours, [&] { ours.run_steps(steps); }); },
                                            [&] { return measure(theirs, [&] { theirs.step(steps); }); }};
    const std::vector<double> speeds = median_of_alternating(runs, options.quick ? 5 : 11);
    if (const PeerTrouble trouble = theirs.trouble(); !trouble.none())
    {
        return Error{ErrorCode::invalid_value, path.string(), "MuJoCo's run does not count: " + trouble.text(), ""};
    }
    const std::string title = fmt::format("MuJoCo's humanoid, {} worlds, 1 thread", kPeerWorlds);
    report.figures.push_back({.name = title + ", ours", .value = speeds[0], .unit = "steps/s"});
    report.figures.push_back({.name = fmt::format("{}, {}", title, peer), .value = speeds[1], .unit = "steps/s"});
    report.figures.push_back({.name = fmt::format("{}, ours over {}", title, peer),
                              .value = speeds[0] / speeds[1],
                              .unit = "x",
                              .bar = 1.0,
                              .aim = 2.0});
    return {};
}

}  // namespace

void measure_smooth_peers(const BenchOptions& options, BenchReport& report)
{
    const Result<std::unique_ptr<Peer>> peer = find_mujoco();
    if (!peer.ok()) return;  // the report's head says so
    const std::string name = peer.value()->name();
    const std::filesystem::path data = find_data_folder();
    for (const PublishedModel& published : kModels)
    {
        measure_duel(published.title, name, options, Duel::read(data / published.path), report);
    }
    Result<Model> scene = build_humanoid();
    if (scene.ok()) measure_duel("our humanoid", name, options, Duel::write(std::move(scene).value()), report);
    if (options.say) options.say(fmt::format("{} humanoids beside {}", kPeerWorlds, name));
    const Status batches = measure_batches(data / kModels[0].path, name, options, report);
    if (!batches.ok()) report.notes.push_back("batches not measured: " + to_text(batches.errors()));
}

}  // namespace rattleback::lab
