// Runs a simulation and shows it moving.
#include "motion.h"

#include "lab/measure/measure.h"
#include "progress.h"
#include "setup.h"
#include "terminal.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace rattleback::cli
{

namespace
{

void print_head(const Watched& watched)
{
    say("{}\n", paint(fmt::format("  {:>8}  {:>13}  {:>13}  {:>13}  {}", "time [s]", "energy [J]", "|P| [kg m/s]",
                                  "|L| [kg m²/s]", "position of " + watched.name + " [m]"),
                      Style::faint));
}

void print_row(const Simulation& simulation, const Watched& watched)
{
    const Momentum momentum = simulation.momentum();
    const Vec3 p = watched.position(simulation.state());
    say("  {:8.3f}  {:13.8g}  {:13.8g}  {:13.8g}  {:8.4f} {:8.4f} {:8.4f}\n", simulation.time(),
        simulation.energy().total(), norm(momentum.linear), norm(momentum.angular), p.x, p.y, p.z);
    std::fflush(stdout);
}

/// The next multiple of `every` after `now`.
std::int64_t next_multiple(std::int64_t now, std::int64_t every) { return (now / every + 1) * every; }

/// Records the moments of a run that are due.
class FrameRecorder
{
public:
    FrameRecorder(const MotionOptions& options, Motion& motion) : options_(options), motion_(motion) {}

    /// Step at which the next frame is due, at most `limit`.
    std::int64_t next(std::int64_t done, std::int64_t limit) const
    {
        return options_.recorder ? std::min(limit, next_multiple(done, options_.record_every)) : limit;
    }
    void add(const StepReport& report) { report_ = merge(report_, report); }
    /// `last`: whether due or not. False when the recording failed.
    bool record(Simulation& simulation, std::int64_t done, bool last)
    {
        if (!options_.recorder || (done % options_.record_every != 0 && !last)) return true;
        motion_.record_errors = record_frame(*options_.recorder, simulation, report_).errors();
        report_ = {};
        return motion_.record_errors.empty();
    }

private:
    const MotionOptions& options_;
    Motion& motion_;
    StepReport report_;  ///< of the steps since the last frame
};

/// As Simulation::run_steps, with new inputs for every step.
StepReport run_driven(Simulation& simulation, std::int64_t steps, const std::function<void(Simulation&)>& drive)
{
    if (!drive) return simulation.run_steps(steps);
    StepReport report;
    for (std::int64_t i = 0; i < steps; ++i)
    {
        const std::int64_t before = simulation.state().step[0];
        report = merge(report, simulation.step());
        if (simulation.state().step[0] == before) break;
        drive(simulation);
    }
    return report;
}

}  // namespace

void Effort::add(const StepReport& report)
{
    contacts += report.contact_count;
    iterations += report.iterations;
    deepest_penetration = std::max(deepest_penetration, report.deepest_penetration);
}

std::string drift_text(double drift, bool conserved) { return conserved ? fmt::format("{:.1e}", drift) : "-"; }

Motion run_motion(Simulation& simulation, std::span<const Feature> ignored, const MotionOptions& options)
{
    const Watched watched = find_watched(simulation.model());
    const std::int64_t look_every = std::max<std::int64_t>(1, options.steps / std::max(1, options.look_count));
    const std::int64_t row_every = std::max<std::int64_t>(1, options.steps / std::max(1, options.row_count));
    const double span =
        options.sketch_span > 0 ? options.sketch_span / simulation.dt() : static_cast<double>(options.steps);
    const std::int64_t sketch_every =
        std::max<std::int64_t>(1, static_cast<std::int64_t>(span / std::max(1, options.sketch_count - 1) + 1e-9));
    const std::int64_t first_step = simulation.state().step[0];

    if (options.drive) options.drive(simulation);
    Motion motion;
    motion.conserved = lab::find_conserved(simulation.model(), ignored);
    motion.first_energy = simulation.energy();
    motion.first_momentum = simulation.momentum();
    lab::DriftWatch watch(simulation);
    Progress progress(options.label, options.steps, options.quiet);
    FrameRecorder frames(options, motion);
    if (options.print) print_head(watched);

    std::int64_t done = 0;
    bool going = frames.record(simulation, done, false);
    while (going)
    {
        if (options.print && (done % row_every == 0 || done == options.steps))
        {
            progress.clear();
            print_row(simulation, watched);
        }
        if (done % sketch_every == 0 && std::ssize(motion.sketches) < options.sketch_count)
        {
            motion.sketches.push_back(make_sketch(simulation.model(), simulation.state()));
        }
        if (done >= options.steps) break;
        const std::int64_t looked = std::min({next_multiple(done, look_every), next_multiple(done, row_every),
                                              next_multiple(done, sketch_every), options.steps});
        const std::int64_t next = frames.next(done, looked);
        const double begin = lab::thread_seconds();
        const StepReport report = run_driven(simulation, next - done, options.drive);
        motion.cpu_seconds += lab::thread_seconds() - begin;
        motion.report = merge(motion.report, report);
        motion.effort.add(report);
        frames.add(report);
        done = next;
        if (done == looked) watch.sample(simulation);
        const bool committed = simulation.state().step[0] - first_step == done;
        going = frames.record(simulation, done, !committed || done == options.steps) && committed;
        if (going) progress.update(done);
    }
    motion.steps = simulation.state().step[0] - first_step;
    motion.effort.steps = motion.steps;
    motion.simulated = static_cast<double>(motion.steps) * simulation.dt();
    motion.drift = watch.drift();
    motion.last_energy = simulation.energy();
    motion.last_momentum = simulation.momentum();
    return motion;
}

}  // namespace rattleback::cli
