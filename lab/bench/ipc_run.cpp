// Steps, looks, and hands the recording to the auditor.
#include "lab/bench/ipc_run.h"

#include "lab/bench/ipc_pairs.h"
#include "lab/measure/measure.h"

#include <rattleback/simulation.h>

#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <limits>
#include <numeric>

namespace rattleback::lab
{

namespace
{

/// A recording that is gone with its owner.
struct TemporaryFile
{
    std::filesystem::path path =
        std::filesystem::temp_directory_path() / ("rattleback-ipc-" + std::to_string(::getpid()) + ".rec");
    TemporaryFile() = default;
    TemporaryFile(const TemporaryFile&) = delete;
    TemporaryFile& operator=(const TemporaryFile&) = delete;
    ~TemporaryFile()
    {
        std::error_code code;
        std::filesystem::remove(path, code);
    }
};

IpcFrame take_frame(const Simulation& simulation, bool converged)
{
    const State& state = simulation.state();
    const Energy energy = compute_energy(simulation.model(), state.world(0));
    return {.time = state.time[0],
            .pose = state.body_pose,
            .speed = state.body_velocity,
            .energy = energy.kinetic + energy.potential,
            .converged = converged};
}

}  // namespace

double IpcOutcome::part(Stage stage) const
{
    const double all = std::accumulate(stages.begin(), stages.end(), 0.0);
    return all > 0 ? stages[static_cast<std::size_t>(stage)] / all : 0;
}

Result<IpcOutcome> run_ipc(const std::shared_ptr<const Model>& model, const IpcRunOptions& options)
{
    reset_peak_memory();
    Result<Simulation> made = Simulation::make(model, {.solver = options.solver, .timings = true});
    if (!made.ok()) return made.errors();
    Simulation simulation = std::move(made).value();
    IpcOutcome outcome;
    outcome.model = model;
    outcome.run.model = model.get();
    outcome.run.frames.push_back(take_frame(simulation, true));
    const TemporaryFile file;
    Result<Recorder> opened = Recorder::open(file.path, model, {.solver = options.solver});
    if (!opened.ok()) return opened.errors();
    Recorder recorder = std::move(opened).value();
    Status recorded = record_frame(recorder, simulation);
    bool converged = true;
    double least = std::numeric_limits<double>::infinity();
    int iterations = 0;
    PairCounter counter(*model, options.welded);
    std::int64_t pairs_before = counter.count(simulation.state());
    while (outcome.steps < options.steps && outcome.seconds < options.budget && recorded.ok())
    {
        const double begin = thread_seconds();
        const StepReport report = simulation.step();
        outcome.seconds += thread_seconds() - begin;
        outcome.failed = report.status == StepStatus::diverged || report.status == StepStatus::capacity;
        if (outcome.failed) break;
        ++outcome.steps;
        for (std::size_t i = 0; i < outcome.stages.size(); ++i) outcome.stages[i] += report.seconds[i];
        outcome.iterations += report.iterations;
        iterations += report.iterations;
        outcome.contacts += report.contact_count;
        const std::int64_t pairs = counter.count(simulation.state());
        outcome.pairs += static_cast<double>(std::max(pairs, pairs_before));
        pairs_before = pairs;
        if (report.status == StepStatus::not_converged) ++outcome.not_converged;
        converged = converged && report.status == StepStatus::ok;
        for (const Contact& contact : simulation.contacts().items) least = std::min(least, contact.distance);
        outcome.least_distance = std::min(outcome.least_distance, least);
        recorded = record_frame(recorder, simulation, report);
        if (outcome.steps % options.frames != 0) continue;
        outcome.run.frames.push_back(take_frame(simulation, converged));
        outcome.run.frames.back().least_distance = least;
        outcome.run.frames.back().iterations = iterations;
        converged = true;
        iterations = 0;
        least = std::numeric_limits<double>::infinity();
    }
    if (!recorded.ok()) return recorded.errors();
    outcome.memory = find_peak_memory();
    const double count = static_cast<double>(std::max<std::int64_t>(1, outcome.steps));
    outcome.iterations /= count;
    outcome.contacts /= count;
    outcome.pairs /= count;
    if (const Status closed = recorder.close(); !closed.ok()) return closed.errors();
    if (!options.audit) return outcome;
    Result<Recording> recording = load_recording(file.path);
    if (!recording.ok()) return recording.errors();
    Result<AuditReport> report = audit(recording.value(), {.model = model.get(), .threads = 0});
    if (!report.ok()) return report.errors();
    outcome.audit = std::move(report).value();
    return outcome;
}

}  // namespace rattleback::lab
