// Runs and judges of the bench `convex`.
#include "lab/bench/convex_duel.h"

#include "lab/measure/measure.h"
#include "lab/scenes/parts.h"

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

constexpr int kNoiseSteps = 512;
constexpr int kJudgeInterval = 5;              ///< steps between judged moments
constexpr int kRunShift = 61;                  ///< steps of noise from one judged run to the next
constexpr std::int64_t kPeerMemory = 1 << 30;  ///< dense matrices of a hundred humanoids fit [byte]
constexpr double kNotANumber = std::numeric_limits<double>::quiet_NaN();

Error make_error(const std::string& where, const std::string& message)
{
    return {.code = ErrorCode::invalid_value, .where = where, .message = message, .hint = ""};
}

bool is_committed(const StepReport& report)
{
    return report.status == StepStatus::ok || report.status == StepStatus::not_converged;
}

/// Without what only we read there: both engines then see the same text.
std::string drop_custom(std::string text)
{
    constexpr std::string_view kBegin = "<custom>", kEnd = "</custom>";
    const std::size_t begin = text.find(kBegin), end = text.find(kEnd);
    if (begin != std::string::npos && end != std::string::npos) text.erase(begin, end + kEnd.size() - begin);
    return text;
}

double mean(const std::vector<double>& values)
{
    double sum = 0;
    for (const double value : values) sum += value;
    return values.empty() ? 0 : sum / static_cast<double>(values.size());
}

/// Takes over q and v, nothing else.
void place(std::span<const double> q, std::span<const double> v, Peer& judge)
{
    std::ranges::copy(q, judge.q().begin());
    std::ranges::copy(v, judge.v().begin());
}

}  // namespace

Result<ConvexDuel> ConvexDuel::read(const std::filesystem::path& path, const DuelOptions& options)
{
    if (!std::filesystem::exists(path)) return make_error(path.string(), "the file is not here");
    return make(path, options);
}

Result<ConvexDuel> ConvexDuel::load(const FoundScene& found, Result<Model> (*build)(), DuelOptions options)
{
    if (found.file) return read(*found.file, options);
    Result<Model> built = build();
    if (!built.ok()) return built.errors();
    options.keyframe = {};
    return write(std::move(built).value(), options);
}

Result<ConvexDuel> ConvexDuel::write(Model model, const DuelOptions& options)
{
    model.settings.integrator = Integrator::euler;  // our own default is not in MuJoCo
    const Result<std::string> text = write_mjcf(model);
    if (!text.ok()) return text.errors();
    std::string path = (std::filesystem::temp_directory_path() / "rattleback-XXXXXX.xml").string();
    const int descriptor = mkstemps(path.data(), 4);
    if (descriptor < 0) return make_error(path, "cannot be written");
    close(descriptor);
    std::ofstream(path) << drop_custom(text.value());
    Result<ConvexDuel> duel = make(path, options);
    if (!duel.ok()) std::filesystem::remove(path);
    if (!duel.ok()) return duel;
    ConvexDuel made = std::move(duel).value();
    made.path_ = std::shared_ptr<const std::string>(new std::string(path),
                                                    [](const std::string* file)
                                                    {
                                                        std::error_code ignored;
                                                        std::filesystem::remove(*file, ignored);
                                                        delete file;
                                                    });
    return made;
}

Result<ConvexDuel> ConvexDuel::make(const std::filesystem::path& path, const DuelOptions& options)
{
    Result<Imported> imported = load_mjcf(path);
    if (!imported.ok()) return imported.errors();
    ConvexDuel duel;
    duel.model_ = std::make_shared<const Model>(std::move(imported).value().model);
    duel.path_ = std::make_shared<const std::string>(path.string());
    duel.options_ = options;
    const Model& model = *duel.model_;
    for (const Keyframe& keyframe : model.keyframes)
    {
        if (!options.keyframe.empty() && keyframe.name == options.keyframe) duel.keyframe_ = &keyframe;
    }
    if (!options.keyframe.empty() && duel.keyframe_ == nullptr)
        return make_error(path.string(), "there is no keyframe '" + std::string(options.keyframe) + "'");
    Random random(1);
    for (int i = 0; i < kNoiseSteps; ++i)
    {
        for (const Range& range : model.actuators.input_range)
        {
            const double half = range.limited ? 0.5 * (range.upper - range.lower) : 1;
            duel.noise_.push_back(random.uniform(-1, 1) * options.noise * half);
        }
    }
    Result<DuelPeer> judge = duel.make_theirs({.method = "Newton"});
    if (!judge.ok()) return judge.errors();
    duel.judge_ = std::move(std::move(judge).value().peer);
    return duel;
}

Result<Simulation> ConvexDuel::make_ours(const Parameters& parameters) const
{
    SimulationOptions options{.solver = "convex", .dt = options_.dt, .parameters = parameters};
    options.parameters.try_emplace("solver", options_.method);
    if (options_.tolerance > 0) options.parameters.try_emplace("tolerance", options_.tolerance);
    return Simulation::make(model_, options);
}

Result<DuelPeer> ConvexDuel::make_theirs(const PeerOptions& options) const
{
    Result<std::unique_ptr<Peer>> found = find_mujoco();
    if (!found.ok()) return found.errors();
    DuelPeer made{.peer = std::move(found).value()};
    PeerOptions all = options;
    all.dt = options_.dt;
    all.tolerance = options_.tolerance;
    all.memory = kPeerMemory;
    const Result<int> loaded = made.peer->load(*path_, all);
    if (!loaded.ok()) return loaded.errors();
    made.settings = all.method;
    made.options = all;
    if (all.sparse) made.settings += *all.sparse ? ", sparse" : ", dense";
    if (all.islands) made.settings += *all.islands ? ", islands" : ", no islands";
    return made;
}

Result<DuelPeer> ConvexDuel::find_fastest(int steps) const
{
    constexpr int kPiece = 10;         // steps between looks at the clock
    constexpr double kHopeless = 1.5;  // times the best so far: no need to run to the end
    constexpr double kMayMiss = 0.01;  // of the steps may end above the tolerance
    DuelPeer best;
    std::string complaints;
    for (const char* method : {"Newton", "CG", "PGS"})
    {
        for (const int variant : {0, 1, 2, 3})
        {
            Result<DuelPeer> made = make_theirs({.method = method, .sparse = variant % 2 == 0, .islands = variant < 2});
            if (!made.ok()) return made.errors();
            DuelPeer candidate = std::move(made).value();
            Peer& peer = *candidate.peer;
            start(peer);
            double seconds = 0;
            int done = 0, missed = 0;
            const auto hopeless = [&] { return seconds * best.speed > kHopeless * (done + steps / 10.0); };
            while (done < steps && peer.trouble().none() && !hopeless())
            {
                for (int i = 0; i < kPiece && done < steps; ++i, ++done)
                {
                    const double begin = thread_seconds();
                    drive(done, peer.input());
                    peer.step();
                    seconds += thread_seconds() - begin;
                    missed += peer.converged() ? 0 : 1;
                    if (seconds * best.speed > kHopeless * (steps / 10.0)) break;
                }
            }
            if (!peer.trouble().none())
                complaints += fmt::format("; {}: {}", candidate.settings, peer.trouble().text());
            else if (missed > kMayMiss * steps)
                complaints += fmt::format("; {}: {} of {} steps above the tolerance", candidate.settings, missed, done);
            candidate.speed = done / seconds;
            const bool valid = done == steps && peer.trouble().none() && missed <= kMayMiss * steps;
            if (valid && candidate.speed > best.speed) best = std::move(candidate);
        }
    }
    if (best.peer == nullptr) return make_error(*path_, "no solver of MuJoCo stays valid" + complaints);
    return best;
}

void ConvexDuel::start(Simulation& ours) const
{
    ours.reset();
    if (keyframe_ != nullptr) ours.reset(KeyframeId{static_cast<int>(keyframe_ - model_->keyframes.data())});
    if (options_.initial_v.empty()) return;
    std::ranges::copy(options_.initial_v, ours.state().v.begin());
    ours.refresh();
}

void ConvexDuel::start(Peer& theirs) const
{
    theirs.reset();
    std::ranges::copy(model_->initial_q, theirs.q().begin());
    std::ranges::copy(model_->initial_v, theirs.v().begin());
    if (keyframe_ != nullptr)
    {
        std::ranges::copy(keyframe_->q, theirs.q().begin());
        std::ranges::copy(keyframe_->v, theirs.v().begin());
        std::ranges::copy(keyframe_->act, theirs.act().begin());
    }
    std::ranges::copy(options_.initial_v, theirs.v().begin());
}

void ConvexDuel::drive(int step, std::span<double> input) const
{
    const std::size_t begin = static_cast<std::size_t>(step % kNoiseSteps) * input.size();
    const bool from_key = keyframe_ != nullptr && !keyframe_->ctrl.empty();
    for (std::size_t i = 0; i < input.size(); ++i) input[i] = noise_[begin + i] + (from_key ? keyframe_->ctrl[i] : 0);
}

double ConvexDuel::run(Simulation& ours, int steps) const
{
    start(ours);
    bool good = true;
    const double begin = thread_seconds();
    for (int i = 0; i < steps && good; ++i)
    {
        drive(i, ours.control().input);
        good = is_committed(ours.step());
    }
    return good ? thread_seconds() - begin : kNotANumber;
}

double ConvexDuel::run(Peer& theirs, int steps) const
{
    start(theirs);
    const double begin = thread_seconds();
    for (int i = 0; i < steps; ++i)
    {
        drive(i, theirs.input());
        theirs.step();
    }
    const double seconds = thread_seconds() - begin;
    return theirs.trouble().none() ? seconds : kNotANumber;
}

template <class Engine, class Step>
RunQuality ConvexDuel::judge_run(Engine& engine, int steps, Step step) const
{
    start(engine);
    judge_->reset();
    RunQuality sum;
    int moments = 0;
    std::vector<double> slips;
    for (int i = 0; i < steps; ++i)
    {
        step(i);
        if (i % kJudgeInterval != 0) continue;
        const std::optional<ConstraintQuality> quality = judge_->find_quality();
        if (!quality) continue;
        ++moments;
        sum.contacts += static_cast<double>(quality->depth.size());
        sum.penetration += mean(quality->depth) * static_cast<double>(quality->depth.size());
        sum.violation += quality->violation;
        slips.insert(slips.end(), quality->slip.begin(), quality->slip.end());
    }
    if (sum.contacts > 0) sum.penetration /= sum.contacts;
    sum.contacts /= moments;
    sum.violation /= moments;
    sum.creep = slips.empty() ? 0 : median(std::move(slips));
    return sum;
}

RunQuality ConvexDuel::judge(Simulation& ours, int steps, int run) const
{
    return judge_run(ours, steps,
                     [&](int i)
                     {
                         drive(i + kRunShift * run, ours.control().input);
                         ours.step();
                         place(ours.state().q, ours.state().v, *judge_);
                     });
}

RunQuality ConvexDuel::judge(Peer& theirs, int steps, int run) const
{
    return judge_run(theirs, steps,
                     [&](int i)
                     {
                         drive(i + kRunShift * run, theirs.input());
                         theirs.step();
                         place(theirs.q(), theirs.v(), *judge_);
                     });
}

}  // namespace rattleback::lab
