// Bench: one question to the engine, answered in figures; and the table of all of them.
#pragma once

#include "lab/measure/figure.h"

#include <rattleback/error.h>

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace rattleback::lab
{

struct BenchOptions
{
    bool quick = false;                                   ///< a minute or two at most, figures a little noisier
    std::function<void(std::string_view)> say = nullptr;  ///< hears what is being measured; may be empty
    std::string solver =
        "all";  ///< accuracy: what to test, all or names with commas between; piles: avbd leaves out peers
    // of `accuracy` alone
    std::vector<int> tests = {};  ///< 1 to 7; none: all
    std::string sweep = {};       ///< friction, resolution, ablation, time or all; "": the comparison
    std::string mesh = {};        ///< file of another object for tests 4 to 6
    std::string figures = {};     ///< folder for every figure and table of [PBD-R] on one page; "": not made
    std::string plots = {};       ///< folder for pictures; "": none; of `piles` and `comfree` too
    // of `piles`, `comfree`, `batch`, `certify`, `ipc` and `soak`
    std::string scene = {};  ///< one scene or experiment; "": all
    // of `robust` and `soak`, which may run in parts; `keep` of `certify` too
    std::string seeds = {};  ///< robust: "A..B", both included; "": 1..10000
    std::string keep = {};   ///< robust: file with a line for each scene; soak: folder of runs; certify: of recordings
    double minutes = 0;      ///< no run is begun after so many on the wall; 0: no bound; ipc: of CPU for each scene
    double hours = 10;       ///< soak: simulated
    // of `ipc`
    bool scaling = false;     ///< weak and strong scaling with threads, instead of the scenes
    bool deviations = false;  ///< each deviation from the paper by itself, instead of the scenes
    bool common = false;      ///< one set of parameters for all scenes, by the rule it prints
};

struct Bench
{
    std::string_view name;
    std::string_view question;
    /// Adds figures and notes to a report whose head is already filled in.
    Status (*measure)(const BenchOptions& options, BenchReport& report) = nullptr;
};

/// All benches, in the order of the table in benches.cpp.
std::span<const Bench> all_benches();
/// The bench of that name; an error that names the nearest match otherwise.
Result<const Bench*> find_bench(std::string_view name);

/// Calibrates, surveys the peers, and measures.
Result<BenchReport> run_bench(const Bench& bench, const BenchOptions& options = {});

// One function per bench, in the file of that name.
Status measure_accuracy(const BenchOptions& options, BenchReport& report);
Status measure_batch(const BenchOptions& options, BenchReport& report);
Status measure_ccd(const BenchOptions& options, BenchReport& report);
Status measure_certify(const BenchOptions& options, BenchReport& report);
Status measure_collision(const BenchOptions& options, BenchReport& report);
Status measure_comfree(const BenchOptions& options, BenchReport& report);
Status measure_convex(const BenchOptions& options, BenchReport& report);
Status measure_ipc(const BenchOptions& options, BenchReport& report);
Status measure_piles(const BenchOptions& options, BenchReport& report);
Status measure_python(const BenchOptions& options, BenchReport& report);
Status measure_robust(const BenchOptions& options, BenchReport& report);
Status measure_smooth(const BenchOptions& options, BenchReport& report);
Status measure_soak(const BenchOptions& options, BenchReport& report);
Status measure_tumble(const BenchOptions& options, BenchReport& report);

}  // namespace rattleback::lab
