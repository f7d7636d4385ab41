// Bench `piles`, many boxes: how the time per step grows from ten thousand to a million, and two threads against one.
#include "lab/bench/piles.h"
#include "lab/measure/measure.h"
#include "lab/scenes/piles.h"

#include <fmt/format.h>

#include <cmath>
#include <cstdlib>
#include <fstream>

namespace rattleback::lab
{

namespace
{

constexpr double kStep = 1.0 / 60;
constexpr PileSetting kSetting{1, 4, true};
constexpr int kSettle = 40;  ///< steps until most boxes have landed and all are still moving

Result<Simulation> make_heaps(int count, int threads)
{
    Result<Model> model = build_heaps({.count = count});
    if (!model.ok()) return model.errors();
    return Simulation::make(std::move(model).value(),
                            {.solver = "avbd", .dt = kStep, .parameters = kSetting.parameters(threads)});
}

/// Memory that programs may still take [byte]; infinite where the system does not tell.
double find_free_memory()
{
    std::ifstream stream("/proc/meminfo");
    for (std::string line; std::getline(stream, line);)
    {
        if (line.starts_with("MemAvailable:")) return 1024 * std::strtod(line.c_str() + 13, nullptr);
    }
    return HUGE_VAL;
}

/// The number of boxes, halved until it fits.
int find_fitting(int count)
{
    constexpr double kBytes = 20e3;  // per box: model, state, five contacts with their rows and copies
    while (kBytes * count > find_free_memory()) count /= 2;
    return count;
}

/// A sentence when a step was not committed.
void note_trouble(const StepReport& report, const std::string& title, BenchReport& out)
{
    if (report.status == StepStatus::diverged) out.notes.push_back(title + ": a step diverged");
}

}  // namespace

Status measure_pile_growth(const BenchOptions& options, BenchReport& report)
{
    std::vector<int> counts{1000, 4000, 16000};
    if (!options.quick) counts = {10000, 100000, 1000000};
    if (const int fitting = find_fitting(counts.back()); fitting < counts.back())
    {
        report.notes.push_back(fmt::format("{} boxes do not fit the free memory of {:.1f} GB: {} instead",
                                           counts.back(), 1e-9 * find_free_memory(), fitting));
        counts.back() = fitting;
    }
    std::vector<double> numbers, times;
    for (const int count : counts)
    {
        const std::string title = fmt::format("{} boxes settling, {}", count, kSetting.name());
        if (options.say) options.say(title);
        Result<Simulation> made = make_heaps(count, 1);
        if (!made.ok()) return made.errors();
        Simulation simulation = std::move(made).value();
        note_trouble(simulation.run_steps(kSettle), title, report);
        const int timed = count >= 1000000 ? 3 : 10;  // fewer of the largest
        std::vector<double> seconds;
        int contacts = 0;
        for (int i = 0; i < timed; ++i)
        {
            const double begin = thread_seconds();
            const StepReport step = simulation.step();
            seconds.push_back(thread_seconds() - begin);
            contacts = step.contact_count;
            note_trouble(step, title, report);
        }
        numbers.push_back(count);
        times.push_back(median(seconds));
        report.figures.push_back({.name = title,
                                  .value = 1e3 * times.back(),
                                  .unit = "ms per step",
                                  .higher_is_better = false,
                                  .precision = std::string(kSetting.precision())});
        report.figures.push_back({.name = title + ", contacts",
                                  .value = static_cast<double>(contacts),
                                  .unit = "",
                                  .precision = std::string(kSetting.precision())});
    }
    report.figures.push_back(
        {.name = fmt::format("{} to {} boxes, growth of the time per step", counts.front(), counts.back()),
         .value = find_exponent(numbers, times),
         .unit = "exponent",
         .bar = 1.2,
         .aim = 1.1,
         .higher_is_better = false,
         .precision = std::string(kSetting.precision())});
    return {};
}

Status measure_pile_threads(const BenchOptions& options, BenchReport& report)
{
    constexpr int kCount = 10000, kRounds = 5;
    const int steps = options.quick ? 3 : 10;
    const std::string title = fmt::format("{} boxes, {}", kCount, kSetting.name());
    if (options.say) options.say(title + ", two threads against one");
    Result<Simulation> made_one = make_heaps(kCount, 1), made_two = make_heaps(kCount, 2);
    if (!made_one.ok()) return made_one.errors();
    if (!made_two.ok()) return made_two.errors();
    Simulation one = std::move(made_one).value(), two = std::move(made_two).value();
    const auto run = [&](Simulation& simulation)
    {
        const double begin = wall_seconds();
        note_trouble(simulation.run_steps(steps), title, report);
        return (wall_seconds() - begin) / steps;
    };
    one.run_steps(kSettle);
    two.run_steps(kSettle);
    const std::function<double()> runs[] = {[&] { return run(one); }, [&] { return run(two); }};
    const std::vector<double> times = median_of_alternating(runs, kRounds);
    const auto add = [&](const std::string& name, double value, const std::string& unit, std::optional<double> bar)
    {
        report.figures.push_back({.name = title + ", " + name,
                                  .value = value,
                                  .unit = unit,
                                  .bar = bar,
                                  .aim = bar ? std::optional(1.9) : std::nullopt,
                                  .higher_is_better = unit == "x",
                                  .precision = std::string(kSetting.precision())});
    };
    add("1 thread", 1e3 * times[0], "ms per step", {});
    add("2 threads", 1e3 * times[1], "ms per step", {});
    add("2 threads over 1", times[0] / times[1], "x", 1.6);
    if (hash(one.state()) != hash(two.state())) report.notes.push_back(title + ": 2 threads gave other bits than 1");
    return {};
}

}  // namespace rattleback::lab
