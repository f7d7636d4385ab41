// Parts of bench `accuracy`: one function per experiment of [PBD-R] section V.
#pragma once

#include "lab/accuracy/plot.h"
#include "lab/accuracy/run.h"
#include "lab/bench/bench.h"

namespace rattleback::lab
{

/// What all experiments share: whom to test, and on what.
struct AccuracySetup
{
    const BenchOptions& options;
    std::vector<Contestant> contestants;
    std::optional<MeshOptions> mesh;

    bool wants(int test) const;
    /// The case as a contestant needs it: peers get a free rod and MuJoCo's softness.
    Result<AccuracyCase> make(int test, const Contestant& contestant, CaseOptions changes = {}) const;
    void say(const std::string& what) const;
    /// Writes a plot where plots are wanted, and notes where it is.
    Status draw(const Plot& plot, const std::string& name, BenchReport& report) const;
};

/// One of our solvers with some parameters, for experiments with fixed subjects.
Contestant make_contestant(std::string name, std::string solver, Parameters parameters);

/// Tests 2 and 5: their error is the yaw [degrees], that of the others the position [m].
bool is_about_turning(int test);
/// That error at the end; infinite where the test was refused.
double find_error(int test, const AccuracyRun& run);

// Figure 3, 7, 5 with 6 and 9, table III, figure 4.
Status compare_all(const AccuracySetup& setup, BenchReport& report);
Status sweep_friction(const AccuracySetup& setup, BenchReport& report);
Status sweep_resolution(const AccuracySetup& setup, BenchReport& report);
Status run_ablation(const AccuracySetup& setup, BenchReport& report);
Status measure_time(const AccuracySetup& setup, BenchReport& report);
// Beyond the paper's figures: its code's arithmetic, and a controller that pushes along a path.
Status run_authors_arithmetic(const AccuracySetup& setup, BenchReport& report);
Status follow_paths(const AccuracySetup& setup, BenchReport& report);
// MuJoCo at its best: all_mujoco_settings() in each of the seven tests, beside our solvers.
Status search_mujoco(const AccuracySetup& setup, BenchReport& report);

}  // namespace rattleback::lab
