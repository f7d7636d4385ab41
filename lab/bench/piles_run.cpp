// Contenders of bench `piles`, and how they take turns in a scene.
#include "base/index.h"
#include "lab/bench/piles.h"
#include "lab/measure/measure.h"

#include <fmt/format.h>
#include <unistd.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>

namespace rattleback::lab
{

namespace
{

/// What the vectors of this build are made of.
constexpr const char* own_instructions()
{
#if defined(__AVX2__)
    return "AVX2";
#elif defined(__SSE2__)
    return "SSE2";
#else
    return "no x86";
#endif
}

constexpr int kStretches = 5;  ///< of the measured steps; the median counts
constexpr double kNotMeasured = std::numeric_limits<double>::quiet_NaN();

/// `avbd` with one thread and stage timings; a second collider times the broad phase alone on the same poses.
class OurContender final : public PileContender
{
public:
    OurContender(Simulation simulation, const PileSetting& setting)
        : simulation_(std::move(simulation)), setting_(setting), collider_(simulation_.model())
    {
    }

    void run(int steps) override
    {
        for (int i = 0; i < steps; ++i) note(simulation_.step());
        if (steps > 0) time_broad();  // fills its memory
    }
    double time(int steps) override
    {
        double seconds = 0;
        for (int i = 0; i < steps; ++i)
        {
            const double begin = thread_seconds();
            const StepReport report = simulation_.step();
            const double cpu = thread_seconds() - begin;
            seconds += cpu;
            note(report);
            contacts_ += report.contact_count;
            if (report.status != StepStatus::diverged) split(report, cpu);
        }
        seconds_ += seconds;
        steps_ += steps;
        return seconds;
    }
    State& state() override { return simulation_.state(); }

    void describe(PileOutcome& outcome) const override
    {
        outcome.name = setting_.name();
        // bars and escapes are those of the default mode
        outcome.engine = setting_.penalty ? "penalty" : fmt::format("avbd {}", setting_.precision());
        outcome.precision = setting_.precision();
        outcome.instructions = own_instructions();
        outcome.trouble = trouble_;
        if (steps_ == 0) return;
        const double share = seconds_ / (split_seconds_ * steps_);  // of the steps that were split, in all of them
        const auto stage = [&](Stage which) { return 1e3 * share * stages_[at(which)]; };
        outcome.split.broad = std::min(stage(Stage::collide), 1e3 * share * broad_);
        outcome.split.narrow = stage(Stage::collide) - outcome.split.broad;
        outcome.split.rows = stage(Stage::rows);
        outcome.split.solve = stage(Stage::solve);
        outcome.split.rest = 1e3 * seconds_ / steps_ - stage(Stage::collide) - outcome.split.rows - outcome.split.solve;
        outcome.contacts = contacts_ / steps_;
        outcome.pass_rate = outcome.contacts * setting_.substeps * setting_.iterations / (1e-3 * outcome.split.solve);
    }

private:
    void note(const StepReport& report)
    {
        if (report.status == StepStatus::diverged && trouble_.empty())
            trouble_ = fmt::format("diverged at {:.2f} s: {}", simulation_.time(), simulation_.explain(report));
    }
    /// Adds the stages of a step. They are timed by the wall: steps during which the machine did something else are
    /// left out, but for the first.
    void split(const StepReport& report, double cpu)
    {
        const double broad = time_broad();
        double wall = 0;
        for (const double stage : report.seconds) wall += stage;
        if (split_seconds_ > 0 && wall > 1.1 * cpu) return;
        if (!calm_) stages_ = {}, broad_ = split_seconds_ = 0;  // the first was not calm
        calm_ = wall <= 1.1 * cpu;
        const double scale = wall > cpu ? cpu / wall : 1;
        for (std::size_t k = 0; k < stages_.size(); ++k) stages_[k] += scale * report.seconds[k];
        broad_ += broad;
        split_seconds_ += cpu;
    }
    double time_broad()
    {
        constexpr double kMargin = 0.01;  // [m], about what the solver asks for in a pile at rest
        const double begin = thread_seconds();
        collider_.find_pairs(simulation_.state().world(), kMargin, 0, &memory_);
        return thread_seconds() - begin;
    }

    Simulation simulation_;
    PileSetting setting_;
    Collider collider_;
    ColliderMemory memory_;
    double seconds_ = 0, contacts_ = 0;  ///< of all steps with the clock
    int steps_ = 0;
    std::array<double, kStageCount> stages_{};  ///< of the steps that were split [s]
    double broad_ = 0, split_seconds_ = 0;
    bool calm_ = true;
    std::string trouble_;
};

class PeerContender final : public PileContender
{
public:
    PeerContender(std::shared_ptr<const Model> model, std::unique_ptr<BodyPeer> peer, const BodyPeerInfo& info)
        : model_(std::move(model)), peer_(std::move(peer)), info_(info), state_(*model_)
    {
    }

    void run(int steps) override
    {
        peer_->step(steps);
        start_ = peer_->times();
    }
    double time(int steps) override
    {
        double seconds = 0;
        for (int i = 0; i < steps; ++i)
        {
            const double begin = thread_seconds();
            peer_->step(1);
            seconds += thread_seconds() - begin;
            contacts_ += peer_->contact_count();
        }
        seconds_ += seconds;
        steps_ += steps;
        return seconds;
    }
    State& state() override
    {
        peer_->read(state_);
        return state_;
    }
    void describe(PileOutcome& outcome) const override
    {
        outcome.name = fmt::format("{} {}", info_.name, peer_->iterations());
        outcome.engine = info_.name;
        outcome.precision = info_.precision;
        outcome.instructions = "SSE2";  // as the distribution builds it
        if (steps_ == 0) return;
        const BodyPeerTimes now = peer_->times();
        outcome.split.broad = 1e3 * (now.broad - start_.broad) / steps_;
        outcome.split.narrow = 1e3 * (now.narrow - start_.narrow) / steps_;
        outcome.split.rows = kNotMeasured;
        outcome.split.solve = 1e3 * (now.solve - start_.solve) / steps_;
        outcome.split.rest = 1e3 * seconds_ / steps_ - outcome.split.broad - outcome.split.narrow - outcome.split.solve;
        outcome.contacts = contacts_ / steps_;
        outcome.pass_rate = outcome.contacts * peer_->iterations() / (1e-3 * outcome.split.solve);
    }

private:
    std::shared_ptr<const Model> model_;
    std::unique_ptr<BodyPeer> peer_;
    BodyPeerInfo info_;
    State state_;
    BodyPeerTimes start_;
    double seconds_ = 0, contacts_ = 0;
    int steps_ = 0;
};

std::vector<PileSetting> choose_settings(const PileScene& scene, bool quick)
{
    // the last two in mode penalty
    std::vector<PileSetting> settings{{1, 4}, {1, 10}, {4, 1}, {4, 4}, {1, 10, false, true}, {4, 4, false, true}};
    if (!scene.duel) return settings;
    // cheaper ones too: the cheapest that lies as well as Bullet is looked for
    if (!quick) settings.insert(settings.end(), {{1, 2}, {1, 6}, {2, 1}, {2, 2}});
    const std::size_t count = settings.size();
    for (std::size_t i = 0; i < count; ++i)
    {
        if (!settings[i].penalty) settings.push_back({settings[i].substeps, settings[i].iterations, true});
    }
    return settings;
}

/// Iterations to run a peer with, its own default first; several make a curve.
std::vector<int> choose_iterations(const BodyPeerInfo& peer, bool quick)
{
    if (quick) return {0};
    if (peer.name.starts_with("bullet")) return {0, 4, 30};
    return {0, 10, 50};
}

std::vector<std::unique_ptr<PileContender>> make_contenders(const PileScene& scene,
                                                            const std::shared_ptr<const Model>& model, bool quick,
                                                            bool own_alone, BenchReport& report)
{
    std::vector<std::unique_ptr<PileContender>> contenders;
    const auto add = [&](std::string_view who, Result<std::unique_ptr<PileContender>> made)
    {
        const bool ok = made.ok();
        const bool absent = !ok && made.errors()[0].code == ErrorCode::io;  // the head of the report says so
        if (!ok && !absent) report.notes.push_back(fmt::format("{}, {}: {}", scene.name, who, to_text(made.errors())));
        if (ok) contenders.push_back(std::move(made).value());
        return ok;
    };
    for (const PileSetting& setting : choose_settings(scene, quick))
        add(setting.name(), make_contender(model, scene.dt, setting));
    for (const BodyPeerInfo& peer : all_body_peers())
    {
        if (own_alone) break;
        for (const int iterations : choose_iterations(peer, quick))
        {
            if (!add(peer.name, make_contender(model, scene.dt, peer, iterations))) break;
        }
    }
    return contenders;
}

/// By sink and shake where the pile has a true place; by the deepest and the mean overlap where it does not: what rolls
/// on a plane keeps its energy, and rightly so.
bool is_as_good(const PileOutcome& ours, const PileOutcome& other)
{
    // Below these nobody could tell the difference: 0.1 mm, and 0.1 mm/s.
    constexpr double kLength = 1e-4, kShake = 0.5e-8;
    const auto holds = [](double a, double b, double nothing) { return a <= std::max(b, nothing); };
    if (!std::isnan(other.sink))
        return holds(std::abs(ours.sink), std::abs(other.sink), kLength) &&
               holds(ours.quality.shake, other.quality.shake, kShake);
    return holds(ours.quality.deepest, other.quality.deepest, kLength) &&
           holds(ours.quality.mean_overlap, other.quality.mean_overlap, kLength);
}

}  // namespace

std::string PileSetting::name() const
{
    return fmt::format("{} {}x{}", penalty ? "penalty" : "avbd", substeps, iterations);
}

Parameters PileSetting::parameters(int threads) const
{
    return {{"mode", std::string(penalty ? "penalty" : "augmented")},
            {"substeps", substeps},
            {"iterations", iterations},
            {"precision", std::string(precision())},
            {"sleep", false},
            {"threads", threads}};
}

Result<std::unique_ptr<PileContender>> make_contender(std::shared_ptr<const Model> model, double dt,
                                                      const PileSetting& setting)
{
    Result<Simulation> made = Simulation::make(
        std::move(model), {.solver = "avbd", .dt = dt, .parameters = setting.parameters(1), .timings = true});
    if (!made.ok()) return made.errors();
    return std::unique_ptr<PileContender>(std::make_unique<OurContender>(std::move(made).value(), setting));
}

Result<std::unique_ptr<PileContender>> make_contender(std::shared_ptr<const Model> model, double dt,
                                                      const BodyPeerInfo& peer, int iterations)
{
    Result<std::unique_ptr<BodyPeer>> made = peer.make(*model, {.dt = dt, .iterations = iterations});
    if (!made.ok()) return made.errors();
    return std::unique_ptr<PileContender>(
        std::make_unique<PeerContender>(std::move(model), std::move(made).value(), peer));
}

void judge_end(const PileScene& scene, bool quick, const Model& model, State& state, PileOutcome& outcome)
{
    outcome.quality = measure_quality(model, state, scene.region(quick));
    outcome.sink = outcome.drift = kNotMeasured;
    if (scene.top == nullptr) return;
    const Vec3 off = state.body_pose.back().position - scene.top(quick);
    outcome.sink = -off.z;
    outcome.drift = std::hypot(off.x, off.y);
}

/// The same settings by the program of the portable build, where it was built, after all others had their turns: rows
/// of its table, read back.
static void add_portable(const PileScene& scene, bool quick, PileRun& run, BenchReport& report)
{
    const std::filesystem::path program =
        std::filesystem::path(own_program()).parent_path().parent_path() / "portable/rattleback-bench";
    if (!std::filesystem::exists(program) || std::string_view(own_instructions()) != "AVX2")
        return report.notes.push_back(
            fmt::format("{}: no rows of the portable build: {} is not there (`tools/build portable rattleback_bench`)",
                        scene.name, program.string()));
    const std::filesystem::path output =
        std::filesystem::temp_directory_path() / fmt::format("rattleback-portable-{}.json", getpid());
    std::vector<std::string> words{"/bin/sh",
                                   "-c",
                                   "out=$1; shift; \"$@\" > \"$out\" 2> /dev/null",
                                   "sh",
                                   output.string(),
                                   program.string(),
                                   "bench",
                                   "piles",
                                   "--scene",
                                   std::string(scene.name),
                                   "--solver",
                                   "avbd",
                                   "--json"};
    if (quick) words.emplace_back("--quick");
    const Result<int> code = run_program(words);
    std::ifstream file(output);
    const nlohmann::json json = nlohmann::json::parse(file, nullptr, false);
    std::error_code ignored;
    std::filesystem::remove(output, ignored);
    if (!code.ok() || !json.is_object() || !json.contains("tables") || json["tables"].empty())
        return report.notes.push_back(fmt::format("{}: the portable build gave no table", scene.name));
    for (const nlohmann::json& row : json["tables"][0]["rows"])
    {
        const auto number = [&](std::size_t i)
        { return row["values"][i].is_number() ? row["values"][i].get<double>() : kNotMeasured; };
        const std::string text = row["precision"];  // "double, SSE2"
        const std::size_t comma = text.find(", ");
        if (comma == std::string::npos) continue;
        PileOutcome outcome{.name = row["name"].get<std::string>(),
                            .precision = text.substr(0, comma),
                            .instructions = text.substr(comma + 2)};
        const char* mode = outcome.name.starts_with("penalty") ? "penalty" : "avbd";
        outcome.engine = fmt::format("{} portable {}", mode, outcome.precision);
        outcome.ms = number(0);
        outcome.split = {number(1), number(2), number(3), number(4), number(5)};
        outcome.contacts = number(6);
        outcome.quality.deepest = 1e-3 * number(7);
        outcome.quality.mean_overlap = 1e-3 * number(8);
        outcome.sink = 1e-3 * number(9);
        outcome.drift = 1e-3 * number(10);
        outcome.quality.shake = number(11);
        outcome.quality.joint_error = 1e-3 * number(12);
        outcome.quality.escaped = static_cast<int>(number(13));
        run.outcomes.push_back(std::move(outcome));
    }
}

Result<PileRun> run_pile(const PileScene& scene, const BenchOptions& options, BenchReport& report)
{
    const bool quick = options.quick;
    Result<Model> built = scene.build(quick);
    if (!built.ok()) return built.errors();
    PileRun run{.scene = &scene, .model = std::make_shared<const Model>(std::move(built).value())};
    const std::vector<std::unique_ptr<PileContender>> contenders =
        make_contenders(scene, run.model, quick, options.solver == "avbd", report);
    for (std::size_t c = 0; c < contenders.size(); ++c)
    {
        if (options.say) options.say(fmt::format("{}: settling {} of {}", scene.name, c + 1, contenders.size()));
        contenders[c]->run(scene.settle[quick]);
    }
    std::vector<std::function<double()>> stretches;
    const int steps = std::max(1, scene.measured[quick] / kStretches);
    for (const auto& contender : contenders)
        stretches.emplace_back([&contender, steps] { return 1e3 * contender->time(steps) / steps; });
    if (options.say) options.say(fmt::format("{}: {} contenders in turns", scene.name, contenders.size()));
    const std::vector<double> medians = median_of_alternating(stretches, kStretches);
    for (std::size_t c = 0; c < contenders.size(); ++c)
    {
        PileOutcome outcome;
        contenders[c]->describe(outcome);
        outcome.ms = medians[c];
        run.ends.push_back(contenders[c]->state());
        judge_end(scene, quick, *run.model, run.ends.back(), outcome);
        if (!outcome.trouble.empty())
            report.notes.push_back(
                fmt::format("{}, {} {}: {}", scene.name, outcome.name, outcome.precision, outcome.trouble));
        run.outcomes.push_back(std::move(outcome));
    }
    if (scene.duel && options.solver != "avbd") add_portable(scene, quick, run, report);
    return run;
}

const PileOutcome* find_cheapest_as_good(std::span<const PileOutcome> outcomes, std::string_view engine,
                                         const PileOutcome& other)
{
    const PileOutcome* best = nullptr;
    for (const PileOutcome& outcome : outcomes)
    {
        if (outcome.engine != engine || !outcome.trouble.empty() || outcome.quality.escaped > 0) continue;
        if (!is_as_good(outcome, other)) continue;
        if (best == nullptr || outcome.ms < best->ms) best = &outcome;
    }
    return best;
}

}  // namespace rattleback::lab
