// Simulation: one world of one Model, run by one solver.
#pragma once

#include <rattleback/api.h>
#include <rattleback/builder.h>
#include <rattleback/record.h>
#include <rattleback/solver.h>

namespace rattleback RATTLEBACK_API
{

struct SimulationOptions
{
    std::string solver = "auto";  ///< a name in all_solvers(), or "auto": see choose_solver
    double dt = 0;                ///< [s]; 0: the model's
    Parameters parameters = {};
    bool timings = false;  ///< fill StepReport::seconds
    /// A seed: sensors read with normal noise of their own standard deviation, a function of seed, step, world and
    /// sensor alone; nothing: without noise.
    std::optional<std::uint64_t> sensor_noise = std::nullopt;
};

/// A Model in motion.
class Simulation
{
public:
    /// Short form of make(): mistakes go to the check handler.
    explicit Simulation(Model model, const SimulationOptions& options = {});
    /// Refuses unknown solvers, bad parameters and models with features that the solver lacks, naming all of them.
    static Result<Simulation> make(Model model, const SimulationOptions& options = {});
    static Result<Simulation> make(std::shared_ptr<const Model> model, const SimulationOptions& options = {});
    Simulation(Simulation&&) noexcept;
    Simulation& operator=(Simulation&&) noexcept;
    ~Simulation();

    /// One step. If it diverges, state, time and memory are as before it.
    StepReport step();
    /// The nearest whole number of steps to `seconds`; stops early when a step is not committed. Same bits as step() in
    /// a loop.
    StepReport run_for(double seconds);
    StepReport run_steps(std::int64_t steps);
    /// The same with a call before each step, which may read everything and write the inputs: forces from outside, or a
    /// controller.
    StepReport run_for(double seconds, const std::function<void()>& before_step);
    StepReport run_steps(std::int64_t steps, const std::function<void()>& before_step);
    /// From now on two shapes touch only where `may_touch` is true as well; empty: no filter. It is asked about every
    /// pair of shapes that come near each other, first < second in the order of the Collider, whenever a step (each
    /// stage of its integrator) or forward() looks for contacts. It may read everything and must depend on nothing
    /// else, or runs do not repeat. What it throws reaches the caller of the step, which was then not committed.
    void set_contact_filter(std::function<bool(ShapeId first, ShapeId second)> may_touch);
    /// From now on each contact has the stiffness and damping that `gains` gives it (learned ones, or by pair of
    /// shapes); empty: those of the solver's parameters. Asked about every contact in every step; what it throws
    /// reaches the caller of the step, which was then not committed. An error where the solver does not read them
    /// (`comfree` by corrections does).
    Status set_contact_gains(std::function<ContactGains(const Contact& contact)> gains);
    /// Derivatives of the next step by state, inputs, stiffness and damping; nothing is stepped. Analytic with
    /// `comfree` (integrators euler and implicitfast, by corrections), central differences of whole steps otherwise. An
    /// error where the step itself would not be committed, or a number of `options` is no use.
    Result<StepDerivatives> step_derivatives(const DerivativeOptions& options = {});
    /// What holds at the present state, without a step (MuJoCo's mj_forward): refresh(), then acceleration(),
    /// contacts(), contact_forces() and sensors() follow from state and inputs as they are. Solvers in joint
    /// coordinates solve their own problem. The others find contacts; accelerations are means over the last step (zero
    /// before the first), forces its own, and the report says mean_acceleration. The next step is as if this had not
    /// been called.
    StepReport forward();
    /// Why the last step went wrong, with the names of the input, joint, body or shapes at fault, or why it was taken
    /// in parts (StepReport::substeps) and which body has the energy; empty when neither.
    std::string explain(const StepReport& report) const;

    const Model& model() const;
    std::shared_ptr<const Model> shared_model() const;
    const SolverInfo& solver() const;
    const std::string& solver_reason() const;  ///< why this solver was chosen; empty where the options named it
    /// What is suspicious, as found when the simulation was made: shapes that start inside each other, where the solver
    /// has contacts; parameters that are aliases. Not mistakes: it runs all the same.
    const std::vector<Error>& warnings() const;
    const Parameters& parameters() const;  ///< of the solver, all of them
    double dt() const;                     ///< [s]
    double time() const { return state().time[0]; }

    State& state();
    const State& state() const;
    Control& control();
    const Control& control() const;
    /// Joint accelerations that the last forward() found [m/s^2, rad/s^2], [v_count]; zero before.
    std::span<const double> acceleration() const;
    /// Contacts and forces of the last step or forward(). The reference holds as long as the Simulation; items move
    /// only when there are more than ever before. Contacts::generation() tells whether they are still those of a view.
    const Contacts& contacts() const;
    const ContactForces& contact_forces() const;
    /// Values of all sensors after the last step, [sensor_value_count].
    std::span<const double> sensors() const;
    std::span<const double> sensor(SensorId id) const;

    /// To be called after the state was written: body poses, velocities and sensors follow q and v. Who writes q, poses
    /// or the time puts the world elsewhere, so the solver forgets (warm starts, multipliers, sleep; contacts() is
    /// empty until the next step) and goes on bit for bit as a new Simulation in this state. Who writes velocities or
    /// activations alone gives a kick, after which contacts hold as before. Inputs need no refresh.
    void refresh();
    /// Back to the model's initial state (or a keyframe), inputs zero (or its own), memory empty.
    void reset();
    void reset(KeyframeId keyframe);
    /// To a given state (of one world, with its time and step), inputs zero, memory empty; an error when it is not one
    /// of this model.
    Status reset(const State& start);

    /// Whether a joint or an equality that may break has done so.
    bool is_broken(JointId joint) const;
    bool is_broken(EqualityId equality) const;

    Energy energy() const;
    Momentum momentum() const;

    /// State, Control and Memory: everything the next step depends on.
    Snapshot snapshot() const;
    /// Continues from a snapshot, bit for bit, in the same arrays; an error when it belongs to another model, solver or
    /// dt, or was made with other parameters, which are named.
    Status restore(const Snapshot& snapshot);

private:
    struct Impl;
    explicit Simulation(std::unique_ptr<Impl> impl);
    Impl& impl() const;  ///< the check handler is called where it was moved from
    std::unique_ptr<Impl> impl_;
};

/// A recording of this simulation, without frames; solver, parameters and dt of `options` are filled in here.
Result<Recorder> make_recorder(const Simulation& simulation, const std::filesystem::path& path,
                               RecorderOptions options = {});
/// Appends the present moment; `report` is that of the step before.
Status record_frame(Recorder& recorder, const Simulation& simulation, const StepReport& report = {});

}  // namespace rattleback
