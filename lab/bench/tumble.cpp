// Bench `tumble`: a free body with moments 1, 2, 3, spun about its unstable axis, for ten seconds.
#include "lab/bench/bench.h"
#include "lab/bench/integrators.h"
#include "lab/metrics/drift.h"
#include "lab/scenes/tumblers.h"

#include <fmt/format.h>

namespace rattleback::lab
{

namespace
{

/// The integrators of solver `ipc` beside each other: what implicit Euler loses, and the others keep.
Status measure_ipc_schemes(const std::shared_ptr<const Model>& model, double seconds, const BenchOptions& options,
                           BenchReport& report)
{
    for (const double dt : {0.001, 0.01})
    {
        for (const char* scheme : {"euler", "printed", "bdf2", "newmark"})
        {
            const std::string name = fmt::format("ipc, {} at {:.0f} ms", scheme, 1000 * dt);
            if (options.say) options.say(name);
            Result<Simulation> made = Simulation::make(
                model, {.solver = "ipc", .dt = dt, .parameters = {{"integrator", std::string(scheme)}}});
            if (!made.ok()) return made.errors();
            const RunResult run = run_and_watch(*made, seconds);
            report.figures.push_back({.name = name + ", energy drift",
                                      .value = run.drift.energy,
                                      .unit = "max |dE|/E",
                                      .higher_is_better = false});
            report.figures.push_back({.name = name + ", angular momentum drift",
                                      .value = run.drift.angular,
                                      .unit = "max |dL|/|L|",
                                      .higher_is_better = false});
        }
    }
    return {};
}

}  // namespace

Status measure_tumble(const BenchOptions& options, BenchReport& report)
{
    constexpr double kSeconds = 10;
    constexpr double kBar = 1e-4;  // for midpoint at 1 ms
    Result<Model> built = build_tumble();
    if (!built.ok()) return built.errors();
    const auto model = std::make_shared<const Model>(std::move(built).value());

    report.notes.push_back("10 s of I = diag(1, 2, 3) kg m^2 from w = (0.3, 5, 0.3) rad/s; every step is looked at");
    for (const double dt : {0.001, 0.016})
    {
        for (const Integrator integrator : kIntegrators)
        {
            const std::string name = fmt::format("{} at {:.0f} ms", to_string(integrator), 1000 * dt);
            if (options.say) options.say(name);
            Result<Simulation> made = Simulation::make(
                model, {.solver = "smooth", .dt = dt, .parameters = smooth_parameters(integrator, "")});
            if (!made.ok()) return made.errors();
            Simulation simulation = std::move(made).value();
            const RunResult run = run_and_watch(simulation, kSeconds);

            const bool barred = integrator == Integrator::midpoint && dt == 0.001;
            const std::optional<double> bar = barred ? std::optional(kBar) : std::nullopt;
            report.figures.push_back({.name = name + ", energy drift",
                                      .value = run.drift.energy,
                                      .unit = "max |dE|/E",
                                      .bar = bar,
                                      .higher_is_better = false});
            report.figures.push_back({.name = name + ", angular momentum drift",
                                      .value = run.drift.angular,
                                      .unit = "max |dL|/|L|",
                                      .bar = bar,
                                      .higher_is_better = false});
        }
    }
    return measure_ipc_schemes(model, kSeconds, options, report);
}

}  // namespace rattleback::lab
