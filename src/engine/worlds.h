// Worlds: what Simulation and Batch share - some worlds of one Model, one solver per thread, and a step for all.
#pragma once

#include "base/shared_tasks.h"
#include "dynamics/tree.h"
#include "engine/forward.h"
#include "engine/parameter_store.h"
#include "engine/sensor_history.h"
#include "engine/sensors.h"
#include "engine/setup.h"
#include "solvers/shared/places_bodies.h"

#include <rattleback/record.h>

#include <array>
#include <mutex>

namespace rattleback
{

/// Every world is stepped bit for bit as if it were alone. Arrays that callers see stay where they are: State, Control
/// and sensors always, contacts and forces as long as they fit into what was reserved.
class Worlds
{
public:
    /// `thread_count` 0: one per core; never more than there are groups of worlds.
    Worlds(Setup setup, int world_count, int thread_count);

    /// Up to `steps` steps of each world; one stops at its first step that is not committed. Then bodies, contacts and
    /// sensors are brought up to date.
    /// `before_step` is called before each step of each world, on its thread, and may write the inputs of that world.
    /// It finds bodies, contacts and sensors up to date before every `look_every`-th step of the run (0: before none,
    /// and it writes numbers of actuators alone), and q, v and act before all.
    void run_steps(std::int64_t steps, const std::function<void(int world)>& before_step = nullptr,
                   std::int64_t look_every = 1);
    /// The same for the worlds [begin, end) alone, at most `lanes` of them, here and with the solver of one thread: all
    /// that a single world needs. `done`: steps of the run that were taken in pieces before.
    void run_group(int begin, int end, std::int64_t steps, const std::function<void(int world)>& before_step = nullptr,
                   int worker = 0, std::int64_t look_every = 1, std::int64_t done = 0);
    /// See Simulation.
    Status set_contact_gains(ContactGainsFunction::Function gains);
    Result<StepDerivatives> step_derivatives(int world, const DerivativeOptions& options);
    /// As refresh(), then accelerations, contacts, forces and sensors of the present state; the next step is as if it
    /// had not been called.
    void forward();

    /// In worlds that were written since the engine last did, bodies and sensors follow q and v, accelerometers see no
    /// change of velocity, and the memory is emptied unless velocities or activations alone were written.
    void refresh();
    /// Initial state or that of a keyframe, inputs zero or its own, memories empty.
    void reset();
    void reset(int world, const Keyframe* keyframe = nullptr, int worker = 0);
    /// To a world of `start`; an error when it is not a state of the model.
    Status reset(int world, const State& start, int start_world);

    /// See Batch.
    Result<std::span<double>> vary(WorldParameter parameter);
    Status apply_parameters();
    ParameterView parameters(int world) const { return parameters_.find_view(model(), world); }

    /// State, inputs and memory of one world.
    Snapshot snapshot(int world) const;
    /// Continues a world from a snapshot; on errors, which say what does not fit, nothing is changed.
    Status restore(int world, const Snapshot& snapshot);

    /// Why a step of a world went wrong; empty when it did not.
    std::string explain(int world, const StepReport& report) const;

    const Setup& setup() const { return setup_; }
    const Model& model() const { return *setup_.model; }
    int world_count() const { return world_count_; }
    int thread_count() const { return pool_.worker_count(); }
    const Memory& memory(int world) const;
    const Contacts& contacts(int world) const;
    const ContactForces& contact_forces(int world) const;
    std::span<const StepReport> reports() const { return reports_; }
    std::span<const double> accelerations() const { return accelerations_; }  ///< [world][v_count]
    std::span<const double> sensors() const { return sensors_; }              ///< [world][sensor_value_count]
    std::span<const double> sensors(int world) const;
    std::span<const double> sensor(SensorId id, int world) const;
    const std::vector<Error>& warnings() const { return warnings_; }

    State state;
    Control control;
    ContactFilter::Function contact_filter;        ///< empty: none
    ContactGainsFunction::Function contact_gains;  ///< empty: the solver's
    std::function<bool()> interrupt;               ///< see Batch::set_interrupt; empty: none

private:
    /// A solver and the worlds that it steps at once, packed to the front; one per thread.
    struct Group
    {
        std::unique_ptr<Solver> solver;
        PlacesBodies* places = nullptr;  ///< of the solver; null: it does not
        std::vector<int> worlds;         ///< those that still run
        std::vector<StepInput> inputs;
        std::vector<WorldView> views;
        std::vector<Memory*> memories;
        std::vector<StepReport> reports;
        std::vector<std::int64_t> first_step;  ///< of the run, of all worlds of the group
        Forward forward;
        std::unique_ptr<SensorReader> sensors;

        void move(std::size_t from, std::size_t to);
        void keep(std::size_t count);
    };

    int lanes() const { return lanes_; }
    int group_count() const { return (world_count_ + lanes() - 1) / lanes(); }
    bool bodies_follow() const { return setup_.info->coordinates != Coordinates::bodies; }
    /// Calls function(begin, end, worker) with the worlds of each group, on the threads.
    template <class Function>
    void for_each_group(Function function)
    {
        check_sizes();
        const auto run = [&](int index, int worker)
        {
            const int begin = index * lanes();
            function(begin, std::min(begin + lanes(), world_count_), worker);
        };
        if (group_count() > 1) return tasks_.run(pool_, group_count(), run);
        run(0, 0);
    }
    StepInput make_input(int world) const;
    void check_world(int world) const { RB_CHECK(world >= 0 && world < world_count_, "no such world"); }
    const char* find_resized() const;  ///< which arrays; null: none
    void check_sizes() const;
    void check_places(const ControlView& inputs, const WorldView& view, int world) const;
    /// What inputs switch on that the solver does not know; empty: nothing.
    std::string find_lacking(const ControlView& inputs) const;
    void check_switches(int world) const;

    // stepping
    void run_piece(std::int64_t done, std::int64_t steps, const std::function<void(int world)>& before_step,
                   std::int64_t look_every);
    void run_batch(std::int64_t done, std::int64_t steps, const std::function<void(int world)>& before_step);
    void gather(int begin, int end, bool continues, Group& group);
    void refuse_bad_number(int world);
    void refuse_bad_numbers(Group& group, bool inputs_alone);
    void commit(Group& group);
    void finish_run(int world, std::int64_t first_step, int worker);
    /// Remembers where a world's step begins: for sensors of acceleration and mean accelerations.
    void keep_start(int world);
    void compare_with_last_start(int world, std::int64_t first_step, int worker);

    // what follows from the state
    void refresh_world(int world, int worker);
    void follow_state(int world, int worker = 0);
    void outdate_contacts(int world);
    void publish_contacts(int world) const;
    const Contacts& present_contacts(int world) const;
    void update_sensors(int world, int worker = 0, std::span<const double> accelerations = {}, bool keep = true);
    void read_starts(int world, const ConstWorldView& at_start, int worker);
    void start_history(int world);
    void forward_world(int world, Group& group);

    // derivatives by central differences: a world of its own that is stepped from states nearby (derivatives.cpp)
    struct Probe;
    struct Columns;
    Status find_differences(int world, const DerivativeOptions& options, StepDerivatives& derivatives);

    void place_at_keyframe(int world, const Keyframe& keyframe);
    void start_anew(int world);
    void forget_motion(int world);
    void forget_means(int world);
    std::vector<std::byte> save_memory(int world) const;
    bool load_memory(std::span<const std::byte> bytes, Memory& memory, std::span<Vec3> starts,
                     std::span<double> samples) const;
    std::vector<Error> find_misfits(const Snapshot& snapshot) const;

    Setup setup_;
    LackingSwitches lacking_;
    Tree tree_;
    int world_count_;
    int lanes_;                                      ///< worlds that a solver takes at once
    int sensor_starts_;                              ///< per world, see SensorReader::read_starts
    bool constraint_sensors_;                        ///< a sensor asks for forces of constraints
    bool keeps_starts_;                              ///< somebody asks where the last step began
    std::vector<Group> groups_;                      ///< [thread]
    std::unique_ptr<BatchSolver> batch_solver_;      ///< null: the groups step
    std::vector<std::unique_ptr<Memory>> memories_;  ///< [world]
    std::vector<Memory*> memory_views_;              ///< [world]
    std::vector<StepReport> reports_;                ///< [world]
    // As callers see contacts: copied from the memory when first asked for after a step, into storage that stays.
    mutable std::mutex publishing_;
    mutable std::vector<char> unpublished_;              ///< [world]
    mutable std::vector<Contacts> contacts_;             ///< [world]
    mutable std::vector<ContactForces> contact_forces_;  ///< [world]
    std::vector<double> accelerations_;                  ///< [world][v_count] of the last forward()
    std::vector<double> mean_accelerations_;  ///< [world][v_count] of the last step, where the solver has no other
    std::vector<double> sensors_;             ///< [world][sensor_value_count]
    mutable std::vector<ConstraintForces> constraint_forces_;  ///< [world] as contact_forces_; empty unless sensors ask
    SensorHistory history_;
    std::vector<double> samples_;             ///< [world][SensorHistory::number_count]
    std::vector<std::int64_t> sampled_step_;  ///< [world] at which sensors were measured last
    std::vector<Vec3> starts_before_;         ///< [world][sensor_starts_], before the last committed step
    State initial_;                           ///< of one world
    Control initial_control_;                 ///< of one world
    ParameterStore parameters_;
    State left_;  ///< as the engine last left the worlds, to see what was written
    std::vector<Error> warnings_;
    std::array<State, 2> starts_;  ///< of the last steps, even and odd; empty unless keeps_starts_
    ThreadPool pool_;
    std::int64_t piece_ = 1;  ///< steps of about a tenth of a second, as far as is known; see interrupt
    SharedTasks tasks_;       ///< groups of worlds: their bits are the same on any thread
};

/// The nearest whole number of steps of `dt` [s] to `seconds`.
std::int64_t count_steps(double seconds, double dt);
/// The check handler is called where there is no such keyframe.
const Keyframe& find_keyframe(const Model& model, KeyframeId id);

}  // namespace rattleback
