// Batch: many worlds of one Model, stepped on CPU threads.
#pragma once

#include <rattleback/simulation.h>

namespace rattleback
{

struct BatchOptions
{
    std::string solver = "auto";  ///< a name in all_solvers(), or "auto": see choose_solver
    double dt = 0;                ///< [s]; 0: the model's
    Parameters parameters = {};
    int world_count = 1;
    int thread_count = 0;  ///< 0: one per core
};

/// N worlds, each bit for bit what a Simulation of it would give, for any number of threads and any position in the
/// batch.
class Batch
{
public:
    explicit Batch(Model model, const BatchOptions& options = {});
    static Result<Batch> make(Model model, const BatchOptions& options = {});
    static Result<Batch> make(std::shared_ptr<const Model> model, const BatchOptions& options = {});
    Batch(Batch&&) noexcept;
    Batch& operator=(Batch&&) noexcept;
    ~Batch();

    /// One step of every world. A world that diverges stays as it was; the others go on.
    void step() { run_steps(1); }
    /// Many steps of every world with constant inputs; a world stops at its first step that is not committed.
    void run_steps(std::int64_t steps);

    /// What happened in the last call, merged over its steps, [world].
    std::span<const StepReport> reports() const;

    const Model& model() const;
    const SolverInfo& solver() const;
    const std::string& solver_reason() const;    ///< why this solver was chosen; empty where the options named it
    const std::vector<Error>& warnings() const;  ///< as Simulation::warnings: of the state that all worlds start in
    State& state();
    const State& state() const;
    Control& control();
    int world_count() const;
    int thread_count() const;
    double dt() const;

    /// Values of all sensors, [world][sensor_value_count].
    std::span<const double> sensors() const;
    /// As Simulation::refresh, for each world: one in which nothing was written stays as it is.
    void refresh();
    /// All worlds, or one, to the model's initial state (or a keyframe): inputs zero (or its own), memory empty. A
    /// world that was reset goes on bit for bit as a new Simulation.
    void reset();
    void reset(int world);
    void reset(int world, KeyframeId keyframe);

private:
    struct Parts;
    explicit Batch(std::unique_ptr<Parts> parts);
    Parts& parts() const;  ///< the check handler is called where it was moved from
    std::unique_ptr<Parts> parts_;
};

}  // namespace rattleback
