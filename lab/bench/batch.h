// Parts of bench `batch`: how fast our solvers step one world and many, beside MuJoCo and its own batch.
#pragma once

#include "lab/accuracy/plot.h"
#include "lab/bench/convex_duel.h"

#include <rattleback/batch.h>

namespace rattleback::lab
{

/// One of our solvers in a table.
struct BatchContender
{
    std::string name, solver;
    Parameters parameters;
    std::string precision = "double";
};
/// `convex` and the laws and methods of `comfree`; by sweeps in single precision too.
std::vector<BatchContender> batch_contenders();

/// What all measurements share.
struct BatchBed
{
    const BenchOptions& options;
    BenchReport& report;

    int rounds() const { return options.quick ? 3 : 5; }
    void say(const std::string& what) const
    {
        if (options.say) options.say(what);
    }
    void note(const std::string& text) const { report.notes.push_back(text); }
    void add_ratio(const std::string& name, double ratio, double bar, double aim,
                   const std::string& precision = "double") const;
};

/// Where batches begin: all worlds at one state in the middle of a run, with inputs of their own.
struct BatchStart
{
    std::vector<double> q, v, act;
    std::vector<double> controls;  ///< [world][step][actuator_count]
};

/// Ours from the start, on one thread: steps of one world per CPU second; NaN where a step was refused.
double run_batch(Batch& batch, const BatchStart& start, int steps);
double run_batch(PeerBatch& batch, const BatchStart& start, int steps, int worlds);

// One function per part of the table.
void measure_batch_scenes(const BatchBed& bed);
void measure_batch_smooth(const BatchBed& bed);
void measure_batch_capsules(const BatchBed& bed);
void measure_batch_cubes(const BatchBed& bed);
void measure_batch_threads(const BatchBed& bed);

}  // namespace rattleback::lab
