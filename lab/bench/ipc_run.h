// A run with solver `ipc` for benches and long tests: stepped within a budget of time, recorded for criterion and
// audit.
#pragma once

#include "lab/certify/audit.h"
#include "lab/scenes/ipc/ipc_scenes.h"

#include <rattleback/report.h>

#include <array>
#include <cmath>
#include <memory>

namespace rattleback::lab
{

struct IpcRunOptions
{
    std::string solver = "ipc";
    std::int64_t steps = 100;
    double budget = 20;  ///< CPU time after which no further step is begun [s]
    int frames = 1;      ///< steps from frame to frame of the run that the criterion sees
    bool audit = true;   ///< certify the way from step to step
    bool welded = true;  ///< how PairCounter counts
};

struct IpcOutcome
{
    std::int64_t steps = 0;                    ///< taken
    double seconds = 0;                        ///< CPU time of all of them
    double iterations = 0;                     ///< per step
    double contacts = 0;                       ///< per step
    double pairs = 0;                          ///< per step, the more of its start and end (PairCounter)
    std::int64_t not_converged = 0;            ///< steps
    double least_distance = HUGE_VAL;          ///< of any contact after any step [m]
    double memory = 0;                         ///< most that the process held in memory while it ran [MB]
    std::array<double, kStageCount> stages{};  ///< seconds of all steps
    bool failed = false;                       ///< a step was refused
    AuditReport audit;
    std::shared_ptr<const Model> model;  ///< that `run` refers to
    IpcRun run;

    /// Of the time of all stages.
    double part(Stage stage) const;
    double seconds_per_step() const { return steps > 0 ? seconds / static_cast<double>(steps) : 0; }
};

/// Errors: why the solver refuses the model.
Result<IpcOutcome> run_ipc(const std::shared_ptr<const Model>& model, const IpcRunOptions& options);

}  // namespace rattleback::lab
