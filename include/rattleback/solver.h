// Solver: one method that advances a world, and SolverInfo: what it is called, takes and supports.
#pragma once

#include <rattleback/api.h>
#include <rattleback/control.h>
#include <rattleback/derivatives.h>
#include <rattleback/query.h>
#include <rattleback/report.h>
#include <rattleback/state.h>
#include <rattleback/world_parameters.h>

#include <functional>

namespace rattleback RATTLEBACK_API
{

/// Coordinates that a solver owns; the engine refreshes the others.
enum class Coordinates
{
    joints,     ///< q and v
    bodies,     ///< body poses and velocities
    particles,  ///< particles in Memory; free joints (and bodies through them) follow from them
};
const char* to_string(Coordinates coordinates);

/// What a model may use and a solver may lack.
enum class Feature
{
    free_joint,
    ball_joint,
    hinge_joint,
    slide_joint,
    several_joints_per_body,
    kinematic_body,
    gravity_compensation,
    contact,
    spinning_friction,
    rolling_friction,
    restitution,
    limits,
    springs,
    damping,
    armature,
    dry_friction,
    equality,
    cable,
    breakable,
    tendon,
    actuator,
    medium,
    surface_velocity,
    adhesion,           ///< actuators that pull at contacts
    passive_adhesion,   ///< surfaces that stick
    nonlinear_springs,  ///< polynomial springs and dampers, springs that yield, those that push away
    negative_armature,
    negative_dry_friction,
};
const char* to_string(Feature feature);

/// A feature with the first element of the model that uses it, for example {contact, "shapes 'ball' and 'floor'"}.
struct FeatureUse
{
    Feature feature;
    std::string element;
};
/// Every feature that a model uses, once.
std::vector<FeatureUse> features_used(const Model& model);

/// Kinetic energy by the inertia at which a step was taken: before, of the change of velocity alone, and after [J].
struct KineticChange
{
    double before = 0, change = 0, after = 0;
};

/// Asked by a solver before it commits a step.
class StepJudge
{
public:
    virtual ~StepJudge() = default;

    /// False: the step is accepted without a look.
    virtual bool looks(const KineticChange& kinetic) = 0;
    /// Where the solver writes what the step would leave: coordinates, activations, kinematic bodies; a solver in body
    /// coordinates all bodies.
    virtual WorldView candidate() = 0;
    /// Judges the candidate; `contacts`: those at which the step was taken. False: nothing is to be committed.
    virtual bool accepts(std::span<const Contact> contacts) = 0;
};

/// Inputs of one step of one world.
struct StepInput
{
    ControlView control;
    double dt = 0;          ///< [s]
    double contact_dt = 0;  ///< step that `rigid` rows are as hard as; 0: dt [s]
    double time = 0;        ///< at the start of the step [s]
    bool timings = false;   ///< fill StepReport::seconds
    ContactFilter contact_filter = {};
    ContactGainsFunction contact_gains = {};
    ParameterView parameters = {};
    StepJudge* judge = nullptr;  ///< null: what is sound is committed
};

/// Forces of constraints other than contacts, for sensors; empty where a solver does not tell them, or no sensor asks.
struct ConstraintForces
{
    std::vector<double> joint_limit;    ///< [joint_count] away from the limit [N, N m]
    std::vector<double> tendon_limit;   ///< [tendon_count] [N]
    std::vector<double> tendon;         ///< [tendon_count] along the length: limits, dry friction and equalities [N]
    std::vector<Wrench> first, second;  ///< [equality_count] on the two bodies, torque about the world's origin

    void clear() { *this = {}; }
};
/// True where a sensor of the model asks for them.
bool asks_constraint_forces(const Model& model);

/// How much mechanical energy a world may have (solvers/shared/energy_guard.h).
struct EnergyLedger
{
    double reference = 0;  ///< [J]
    double scale = 0;      ///< energy that was at hand so far [J]
    double signature = 0;  ///< of the state that the last step left
    int level = 0;         ///< of parts in which the next step is tried; 0: whole
    int known = 0;         ///< 0: the next step begins an account; 2: it counts anew what is stored
    int watch = 0;         ///< so many more steps are all looked at
    int reserved = 0;
};

/// What must survive a step of one world beside its State: warm starts, multipliers, contact ids, particles.
/// Save, load and continue is bit-exact.
class Memory
{
public:
    virtual ~Memory() = default;

    /// Forgets everything; as after construction.
    virtual void reset();
    /// Appends all bytes that load() needs.
    virtual void save(std::vector<std::byte>& bytes) const;
    /// Takes back what save() wrote, from the front of `bytes`; false (and reset) when it does not fit this memory.
    virtual bool load(std::span<const std::byte>& bytes);
    /// Whether a joint or an equality that may break has done so.
    virtual bool is_broken(JointId joint) const;
    virtual bool is_broken(EqualityId equality) const;

    ColliderMemory collider;
    ContactForces contact_forces;        ///< of the last step, in the order of `contacts`
    Contacts contacts;                   ///< of the last step
    ConstraintForces constraint_forces;  ///< of the last step
    EnergyLedger energy;
};

/// What Solver::forward writes, all of one world.
struct ForwardOutput
{
    std::span<double> acceleration;  ///< of the dofs [m/s^2, rad/s^2], [v_count]
    Contacts& contacts;
    ContactForces& forces;  ///< in the order of the contacts
    ConstraintForces& constraints;
};

/// Advances worlds in time. Keeps scratch between calls, yet is a function of its arguments. One Solver per thread.
class Solver
{
public:
    virtual ~Solver() = default;

    virtual std::unique_ptr<Memory> make_memory() const { return std::make_unique<Memory>(); }

    /// Moves one world forward by input.dt. Writes the coordinates it owns (and act, and kinematic bodies). Commits
    /// nothing when the status is diverged or capacity.
    virtual StepReport step(const StepInput& input, WorldView world, Memory& memory) = 0;

    /// A solver that watches over another's steps (solvers/shared/guarded_solver.h) lets the engine call that one
    /// itself, between these two. Who takes the step, by `input` as it is written here; null: end_step does.
    virtual Solver* begin_step(StepInput& /*input*/, const ConstWorldView& /*world*/, const Memory& /*memory*/)
    {
        return this;
    }
    /// Sees what came of it, and may take the step again in another way; `input` is the engine's.
    virtual void end_step(const StepInput& /*input*/, const WorldView& /*world*/, Memory& /*memory*/,
                          StepReport& /*report*/)
    {
    }

    /// Moves several worlds; by default one after the other. A solver with SIMD packs overrides it, with the same bits.
    virtual void step_worlds(std::span<const StepInput> inputs, std::span<const WorldView> worlds,
                             std::span<Memory* const> memories, std::span<StepReport> reports);

    /// Accelerations, contacts and contact forces of the solver's own problem at the present state, without a step.
    /// Writes `output` alone: the next step is as if it had not been called. Solvers with SolverInfo::solves_forward
    /// have it; by default a report with mean_acceleration, and the engine writes the output.
    virtual StepReport forward(const StepInput& input, const ConstWorldView& world, Memory& memory,
                               const ForwardOutput& output);

    /// The matrices of `derivatives` in closed form. False where the solver does not know them, in general or here
    /// (then it may write the `reason`): the engine takes differences. The next step is as if it had not been called.
    virtual bool find_derivatives(const StepInput& input, const ConstWorldView& world, Memory& memory,
                                  const DerivativeOptions& options, StepDerivatives& derivatives);
    /// Whether StepInput::contact_gains is read.
    virtual bool takes_contact_gains() const { return false; }
};

/// Steps all worlds of a Batch by itself, for example on a device.
class BatchSolver
{
public:
    virtual ~BatchSolver() = default;

    /// Up to `steps` steps of dt [s] of each world with constant inputs, as Solver::step gives them one by one: a world
    /// stops at its first step that is not committed. Writes what the solver owns, time and step of `state`, and merges
    /// what happened into `reports`, [world]; `memories`, [world], hold contacts and forces of the last step.
    virtual void run_steps(std::int64_t steps, double dt, const Control& control, State& state,
                           std::span<Memory* const> memories, std::span<StepReport> reports) = 0;
};

/// That another parameter of the same solver, one of texts, has this value.
struct ParameterCondition
{
    std::string_view name, value;
};

/// A parameter that a solver takes.
struct ParameterInfo
{
    std::string_view name;
    std::string_view unit;  ///< "" for pure numbers, switches and names
    ParameterValue default_value;
    std::optional<std::pair<double, double>> range = std::nullopt;  ///< allowed values, for int and double
    std::vector<std::string_view> choices = {};                     ///< allowed texts; empty: any
    std::string_view summary;
    std::string_view instead = {};  ///< what to do instead, as a warning where it is set; empty: it is no alias
    /// Where it is read; any value but the default is an error elsewhere. Empty: everywhere.
    std::optional<ParameterCondition> read_where = std::nullopt;
};

/// A solver as data: command line, documents, tests and lab read this.
struct SolverInfo
{
    std::string_view name;
    std::string_view summary;
    Coordinates coordinates = Coordinates::joints;
    std::vector<Feature> supports;
    /// Looks for contacts itself, and refuses the shapes it cannot touch in `prepare`; otherwise a pair of shapes that
    /// the Collider does not know refuses the model.
    bool finds_own_contacts = false;
    bool solves_forward = false;  ///< Solver::forward finds accelerations and forces of the present state
    int lanes = 1;                ///< worlds that step_worlds() takes at once
    std::function<int(const Parameters&)> find_lanes = nullptr;  ///< the same where parameters decide; may be empty
    std::vector<WorldParameter> world_parameters = {};  ///< read from StepInput, world by world; not with make_batch
    std::vector<ParameterInfo> parameters;
    /// Features that these parameters tell the solver to leave out of a model; may be empty.
    std::function<Result<std::vector<Feature>>(const Parameters&)> ignored = nullptr;
    /// Work that all solvers of a run share, done once for a model and parameters; may be empty. Its errors refuse the
    /// model.
    std::function<Result<std::shared_ptr<const void>>(const Model& model, const Parameters& parameters)> prepare =
        nullptr;
    /// `model` and `parameters` were checked; both outlive the solver's construction, the model the solver.
    std::function<std::unique_ptr<Solver>(const Model& model, const Parameters& parameters)> make = nullptr;
    /// Instead of `make` where there is `prepare`: takes what that returned.
    std::function<std::unique_ptr<Solver>(const Model& model, const Parameters& parameters,
                                          const std::shared_ptr<const void>& prepared)>
        make_prepared = nullptr;
    /// A stepper of its own for a batch of `world_count` worlds; may be empty: then its solvers share the worlds.
    std::function<std::unique_ptr<BatchSolver>(const Model& model, const Parameters& parameters, int world_count)>
        make_batch = nullptr;
};

/// All solvers, in the order of the table in src/solvers/list.cpp.
std::span<const SolverInfo* const> all_solvers();
/// The solver of that name; an error that names the nearest match otherwise.
Result<const SolverInfo*> find_solver(std::string_view name);

/// Parameters for one run: the solver's defaults, then the model's settings, then `overrides`; every mistake at once.
Result<Parameters> make_parameters(const SolverInfo& info, const Model& model, const Parameters& overrides);

/// Nothing if the solver can run the model; otherwise one error per feature it lacks, naming the element, and one that
/// names two shapes which may collide and of whose types it knows no contact.
std::vector<Error> check_support(const SolverInfo& info, const Model& model, const Parameters& parameters);

/// Why the solver does not run the model with these overrides: parameters, features, what its preparation found;
/// nothing if it does.
std::vector<Error> find_refusal(const SolverInfo& info, const Model& model, const Parameters& overrides = {});

/// A solver for a model, and why this one.
struct SolverChoice
{
    const SolverInfo* info = nullptr;
    std::string reason;
};
/// What the solver named "auto" means for a model: the one that Settings::solver names; otherwise, or if that one
/// refuses, the first that runs the model with these overrides, in the order smooth (no contact, nothing else that it
/// lacks), convex, comfree, avbd, pbdr, pbd, refined, ipc. A parameter that a solver does not take rules it out. An
/// error where none is left, or the settings name a solver that does not exist.
Result<SolverChoice> choose_solver(const Model& model, const Parameters& overrides = {});

}  // namespace rattleback
