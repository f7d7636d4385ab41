// Batch: many worlds of one Model, stepped on CPU threads.
#pragma once

#include <rattleback/simulation.h>

namespace rattleback
{

struct BatchOptions
{
    std::string solver = "smooth";
    double dt = 0;  ///< [s]; 0: the model's
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
    State& state();
    const State& state() const;
    Control& control();
    int world_count() const;
    int thread_count() const;
    double dt() const;

    /// Values of all sensors, [world][sensor_value_count].
    std::span<const double> sensors() const;
    void refresh();
    void reset();

private:
    struct Parts;
    explicit Batch(std::unique_ptr<Parts> parts);
    Parts& parts() const;  ///< the check handler is called where it was moved from
    std::unique_ptr<Parts> parts_;
};

}  // namespace rattleback
