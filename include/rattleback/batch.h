// Batch: many worlds of one Model, stepped on CPU threads.
#pragma once

#include <rattleback/api.h>
#include <rattleback/simulation.h>

namespace rattleback RATTLEBACK_API
{

struct BatchOptions
{
    std::string solver = "auto";  ///< a name in all_solvers(), or "auto": see choose_solver
    double dt = 0;                ///< [s]; 0: the model's
    Parameters parameters = {};
    int world_count = 1;
    int thread_count = 0;                                      ///< 0: one per core
    std::optional<std::uint64_t> sensor_noise = std::nullopt;  ///< as SimulationOptions::sensor_noise
};

/// What Batch::rollout keeps.
struct RolloutOptions
{
    int every = 1;         ///< after every n-th step, 1 or more
    bool states = true;    ///< q, v and act
    bool sensors = false;  ///< values of all sensors
};

/// What Batch::rollout kept: moment m is after step (m + 1) * every.
struct Rollout
{
    int moment_count = 0;
    std::vector<double> q, v, act;  ///< [world][moment][q_count], [v_count], [act_count]; empty unless asked for
    std::vector<double> sensors;    ///< [world][moment][sensor_value_count]; empty unless asked for
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
    /// The nearest whole number of steps to `seconds`.
    void run_for(double seconds);
    /// The same with a call before each step of each world, on the thread that steps it: it may read all of that world
    /// and write its inputs, nothing of other worlds. Where it throws, the steps before stand; which other worlds were
    /// stepped by then depends on timing, with more than one thread.
    void run_steps(std::int64_t steps, const std::function<void(int world)>& before_step);
    void run_for(double seconds, const std::function<void(int world)>& before_step);
    /// `steps` steps of every world in one call, for sampling control: step h of a world takes its inputs from
    /// controls[world][h][actuator_count]; empty: the inputs stay as they are. Bit for bit as writing the inputs before
    /// each step(). A world stops at its first step that is not committed, and its later moments repeat the last.
    /// `kept` is overwritten, its storage used again. An error when sizes do not fit.
    Status rollout(std::int64_t steps, std::span<const double> controls, const RolloutOptions& options, Rollout& kept);
    /// From now on run_steps(), run_for() and rollout() ask, on the thread that called them and about ten times a
    /// second, whether to end; empty: they do not. Where it is true the call returns, with every world as after a whole
    /// step, all after equally many but those that stopped. Same bits as without.
    void set_interrupt(std::function<bool()> is_interrupted);
    /// As Simulation::set_contact_filter. The function is called on the threads that step the worlds, several at once:
    /// it may read all of the world it is asked about, nothing of the others.
    void set_contact_filter(std::function<bool(int world, ShapeId first, ShapeId second)> may_touch);
    /// As Simulation::set_contact_gains; the function is called on the threads that step the worlds, several at once.
    Status set_contact_gains(std::function<ContactGains(int world, const Contact& contact)> gains);
    /// As Simulation::step_derivatives, of one world.
    Result<StepDerivatives> step_derivatives(int world, const DerivativeOptions& options = {});
    /// As Simulation::forward, for every world.
    void forward();

    /// What happened in the last call, merged over its steps, [world].
    std::span<const StepReport> reports() const;
    /// Why the last call went wrong in a world, as Simulation::explain; empty when it did not.
    std::string explain(int world) const;

    const Model& model() const;
    std::shared_ptr<const Model> shared_model() const;
    const SolverInfo& solver() const;
    const std::string& solver_reason() const;    ///< why this solver was chosen; empty where the options named it
    const std::vector<Error>& warnings() const;  ///< as Simulation::warnings: of the state that all worlds start in
    const Parameters& parameters() const;        ///< of the solver, all of them
    State& state();
    const State& state() const;
    Control& control();
    const Control& control() const;
    int world_count() const;
    int thread_count() const;
    double dt() const;

    /// Joint accelerations that the last forward() found, [world][v_count].
    std::span<const double> accelerations() const;
    /// As Simulation::contacts and contact_forces, of one world.
    const Contacts& contacts(int world) const;
    const ContactForces& contact_forces(int world) const;
    /// Values of all sensors, [world][sensor_value_count]; those of one world; those of one sensor.
    std::span<const double> sensors() const;
    std::span<const double> sensors(int world) const;
    std::span<const double> sensor(SensorId id, int world) const;
    bool is_broken(JointId joint, int world) const;
    bool is_broken(EqualityId equality, int world) const;
    Energy energy(int world) const;
    Momentum momentum(int world) const;
    /// As Simulation::refresh, for each world: one in which nothing was written stays as it is.
    void refresh();
    /// All worlds, or one, to the model's initial state (or a keyframe): inputs zero (or its own), memory empty. A
    /// world that was reset goes on bit for bit as a new Simulation.
    void reset();
    void reset(int world);
    void reset(int world, KeyframeId keyframe);
    /// One world to a world of `start`, as Simulation::reset.
    Status reset(int world, const State& start, int start_world = 0);

    /// Numbers of each world in place of the Model's, [world][item] (see WorldParameter): at first the Model's, to be
    /// written in place, and in force from the next apply_parameters(). The array stays where it is, and reset() and
    /// restore() leave it alone: a world with parameters is as a Simulation of a Model that has them. An error, with
    /// the names of solvers that read the parameter, where this one does not.
    Result<std::span<double>> vary(WorldParameter parameter);
    /// Puts what was written into force; solvers forget (warm starts, sleep) in worlds that changed, as after refresh()
    /// of another place. On errors, each with world and item, everything stays in force as it was.
    Status apply_parameters();
    /// The numbers of one world that are in force, for compute_center_of_mass(), Dynamics, Recorder; valid until the
    /// next vary() or apply_parameters().
    ParameterView parameters(int world) const;

    /// One world as a snapshot, which a Simulation or any world of a Batch of this model and solver can go on from.
    Snapshot snapshot(int world) const;
    Status restore(int world, const Snapshot& snapshot);

private:
    struct Impl;
    explicit Batch(std::unique_ptr<Impl> impl);
    Impl& impl() const;  ///< the check handler is called where it was moved from
    std::unique_ptr<Impl> impl_;
};

}  // namespace rattleback
