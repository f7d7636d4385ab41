// Worlds that are written from outside: refreshed, reset, saved and restored, and what holds at the present state.
#include "base/bytes.h"
#include "dynamics/refresh.h"
#include "engine/explain.h"
#include "engine/world_arrays.h"
#include "engine/worlds.h"
#include "math/finite.h"
#include "solvers/shared/kept_over_writes.h"
#include "solvers/shared/world_friction.h"

#include <algorithm>
#include <cmath>

namespace rattleback
{

namespace
{

Error misfit(const std::string& message, const std::string& hint = {})
{
    return {.code = ErrorCode::invalid_value, .where = "snapshot", .message = message, .hint = hint};
}

/// Whether the arrays of a control have the sizes of one world of `expected`.
bool has_sizes_of(const Control& control, const Control& expected)
{
    return control.world_count == 1 && control.actuator_count == expected.actuator_count &&
           control.v_count == expected.v_count && control.body_count == expected.body_count &&
           control.kinematic_count == expected.kinematic_count && control.input.size() == expected.input.size() &&
           control.joint_force.size() == expected.joint_force.size() &&
           control.body_wrench.size() == expected.body_wrench.size() &&
           control.target.size() == expected.target.size() && control.equality_count == expected.equality_count &&
           control.shape_count == expected.shape_count &&
           control.actuator_active.size() == expected.actuator_active.size() &&
           control.equality_active.size() == expected.equality_active.size() &&
           control.surface_velocity.size() == expected.surface_velocity.size();
}

/// Numbers of a control that no step can use, each with the element that it belongs to.
std::vector<Error> find_bad_inputs(const Model& model, const ControlView& control)
{
    std::vector<Error> errors;
    const auto refuse = [&](const std::string& what) { errors.push_back(misfit(what)); };
    const auto check = [&](const auto& list, const auto& describe)
    {
        for (std::size_t i = 0; i < list.size(); ++i)
        {
            if (!is_finite(list[i])) refuse(describe(i) + " is not finite");
        }
    };
    check(control.input, [&](std::size_t i) { return "the input of actuator '" + model.actuators.name[i] + "'"; });
    check(control.joint_force, [&](std::size_t i) { return "the joint force on dof " + std::to_string(i); });
    check(control.body_wrench, [&](std::size_t i) { return "the wrench on body '" + model.bodies.name[i] + "'"; });
    check(control.surface_velocity,
          [&](std::size_t i) { return "the surface velocity of shape '" + model.shapes.name[i] + "'"; });
    for (std::size_t b = 0; b < model.bodies.kinematic_index.size(); ++b)
    {
        const int row = model.bodies.kinematic_index[b];
        if (row < 0) continue;
        const Pose& target = control.target[at(row)];
        constexpr double kUnit = 1e-3;  // as of quaternions in a State
        if (!is_finite(target.position) || !(std::abs(norm(target.rotation) - 1) <= kUnit))
            refuse("the target of body '" + model.bodies.name[b] + "' is no pose");
    }
    return errors;
}

std::string to_text(const ParameterValue& value)
{
    const auto show = [](const auto& held) -> std::string
    {
        using T = std::decay_t<decltype(held)>;
        if constexpr (std::is_same_v<T, std::string>)
            return "'" + held + "'";
        else if constexpr (std::is_same_v<T, bool>)
            return held ? "true" : "false";
        else
            return std::to_string(held);
    };
    return std::visit(show, value);
}

/// Forces of constraints as a snapshot has them: each list empty or of the model's size.
bool read_forces(const Model& model, std::span<const std::byte>& bytes, ConstraintForces& forces)
{
    const auto take = [&](auto& list, int count)
    { return read(bytes, list) && (list.empty() || list.size() == at(count)); };
    return take(forces.joint_limit, model.joint_count()) && take(forces.tendon_limit, model.tendon_count()) &&
           take(forces.tendon, model.tendon_count()) && take(forces.first, model.equality_count()) &&
           take(forces.second, model.equality_count());
}

/// Every parameter that a snapshot was made with and that is another one here.
std::vector<Error> find_other_parameters(const Parameters& saved, const Parameters& here)
{
    std::vector<Error> errors;
    for (const auto& [name, value] : saved)
    {
        // Parameters that the solver had then: unknown ones here, or other values.
        const auto own = here.find(name);
        if (own != here.end() && own->second == value) continue;
        errors.push_back(misfit("was made with parameter '" + name + "' = " + to_text(value),
                                own == here.end() ? "unknown here" : "this is " + to_text(own->second)));
    }
    // And those that it has learnt since, unless the snapshot is too old to name any.
    for (const auto& [name, value] : here)
    {
        if (!saved.empty() && !saved.contains(name))
            errors.push_back(misfit("was made without parameter '" + name + "'", "this is " + to_text(value)));
    }
    return errors;
}

}  // namespace

std::int64_t count_steps(double seconds, double dt)
{
    RB_CHECK(std::isfinite(seconds) && seconds >= 0, "run_for: the time must be finite and not negative");
    // Nearest, not below: 0.3 s of 0.1 s are three steps, though 0.3 / 0.1 is less than 3 in binary.
    const double steps = std::round(seconds / dt);
    RB_CHECK(steps < 9e18, "run_for: more steps than can be counted");
    return static_cast<std::int64_t>(steps);
}

const Keyframe& find_keyframe(const Model& model, KeyframeId id)
{
    RB_CHECK(id.valid() && at(id) < model.keyframes.size(), "no such keyframe");
    return model.keyframes[at(id)];
}

void Worlds::refresh()
{
    for_each_group(
        [&](int begin, int end, int worker)
        {
            for (int world = begin; world < end; ++world)
            {
                // A place that was written empties the memory, a velocity does not.
                const Written written = find_written(state, left_, world);
                if (written == Written::place) forget_motion(world);
                if (state.time[at(world)] != left_.time[at(world)]) start_history(world);
                if (written != Written::nothing) follow_state(world, worker);
            }
        });
}

/// The solver forgets where the world was, and all else that it may.
void Worlds::start_anew(int world)
{
    memories_[at(world)]->reset();
    forget_means(world);
}

/// The same of a run that goes on from a state, or with parameters, that were written.
void Worlds::forget_motion(int world)
{
    Memory& memory = *memories_[at(world)];
    if (auto* const kept = dynamic_cast<KeptOverWrites*>(&memory))
        kept->forget_motion();
    else
        memory.reset();
    forget_means(world);
}

void Worlds::forget_means(int world)
{
    outdate_contacts(world);
    if (mean_accelerations_.empty()) return;
    for (double& a : slice(mean_accelerations_, world, model().v_count())) a = 0;
}

/// Bodies, sensors, and what sensors of acceleration compare with.
void Worlds::follow_state(int world, int worker)
{
    // Bodies first: sensors read their poses.
    const WorldView view = state.world(world);
    refresh_bodies(model(), view);
    read_starts(world, view, worker);
    update_sensors(world, worker);
    copy_world(state, world, left_, world);
}

Result<std::span<double>> Worlds::vary(WorldParameter parameter)
{
    return parameters_.vary(setup_, world_count_, parameter);
}

/// A world whose parameters change is another world: the solver forgets, and what sleeps wakes up.
Status Worlds::apply_parameters()
{
    std::vector<Error> errors = parameters_.find_mistakes(model(), world_count_);
    if (!errors.empty()) return errors;
    // Which worlds change is asked before the new numbers are in force: the others keep their memory.
    std::vector<int> changed;
    for (int world = 0; world < world_count_; ++world)
    {
        if (parameters_.is_changed(model(), world)) changed.push_back(world);
    }
    parameters_.apply(model(), changed, pool_);
    for (const int world : changed)
    {
        forget_motion(world);
        read_starts(world, state.world(world), 0);  // momenta with the masses in force
        update_sensors(world);
    }
    return {};
}

void Worlds::forward()
{
    refresh();
    for_each_group(
        [&](int begin, int end, int worker)
        {
            for (int world = begin; world < end; ++world) forward_world(world, groups_[at(worker)]);
        });
}

void Worlds::forward_world(int world, Group& group)
{
    const StepInput input = make_input(world);
    const ConstWorldView view = state.world(world);
    Memory& memory = *memories_[at(world)];
    const std::span<double> acceleration = slice(accelerations_, world, model().v_count());
    Forward& forward = group.forward;
    StepReport& report = reports_[at(world)];
    // The solver's own answer where it solves at one moment; it may use the memory but not change what the next step
    // sees.
    report = group.solver->forward(input, view, memory,
                                   {acceleration, forward.contacts, forward.forces, forward.constraints});
    if (report.mean_acceleration)
    {
        const std::span<const double> mean = slice(mean_accelerations_, world, model().v_count());
        std::copy(mean.begin(), mean.end(), acceleration.begin());
        // Contacts of the present poses with the forces of the last step; solvers that find contacts themselves show
        // theirs.
        if (!setup_.info->finds_own_contacts && has_contacts(setup_))
        {
            forward.find_contacts(model(), input.contact_filter, view, memory, forward.contacts, forward.forces);
            set_friction(model(), input.parameters.friction, forward.contacts);
        }
        else
        {
            forward.contacts.replace(memory.contacts);
            forward.forces = memory.contact_forces;
        }
        if (constraint_sensors_) forward.constraints = memory.constraint_forces;
        report.contact_count = forward.contacts.count();
        for (const Contact& contact : forward.contacts.items)
            report.deepest_penetration = std::max(report.deepest_penetration, -contact.distance);
    }
    contacts_[at(world)].outdate();
    // Published at once: the memory still holds those of the last step.
    contacts_[at(world)].replace(forward.contacts);
    unpublished_[at(world)] = 0;
    contact_forces_[at(world)].items.assign(forward.forces.items.begin(), forward.forces.items.end());
    if (constraint_sensors_) constraint_forces_[at(world)] = forward.constraints;
    // Sensors of acceleration and force read what was found, or the mean over the last step.
    const bool exact = sensor_starts_ > 0 && !report.mean_acceleration;
    update_sensors(world, static_cast<int>(&group - groups_.data()),
                   exact ? std::span<const double>(acceleration) : std::span<const double>(), false);
}

void Worlds::reset()
{
    for_each_group(
        [&](int begin, int end, int worker)
        {
            for (int world = begin; world < end; ++world) reset(world, nullptr, worker);
        });
}

void Worlds::reset(int world, const Keyframe* keyframe, int worker)
{
    check_world(world);
    check_sizes();
    // In place: views that callers took of State and Control stay valid.
    copy_world(initial_, 0, state, world);
    copy_world(initial_control_, 0, control, world);
    if (keyframe != nullptr) place_at_keyframe(world, *keyframe);
    start_anew(world);
    start_history(world);
    reports_[at(world)] = {};
    follow_state(world, worker);
}

void Worlds::place_at_keyframe(int world, const Keyframe& keyframe)
{
    const auto take = [](const auto& from, const auto& to)
    {
        RB_CHECK(from.empty() || from.size() == to.size(), "a keyframe of another size than its model");
        std::copy(from.begin(), from.end(), to.begin());
    };
    const WorldView view = state.world(world);
    state.time[at(world)] = keyframe.time;
    // A keyframe names what it wants to set; empty lists leave the initial values.
    take(keyframe.q, view.q);
    take(keyframe.v, view.v);
    take(keyframe.act, view.act);
    take(keyframe.ctrl, slice(control.input, world, control.actuator_count));
    take(keyframe.targets, slice(control.target, world, control.kinematic_count));
    for (std::size_t body = 0; body < view.body_pose.size() && !keyframe.targets.empty(); ++body)
    {
        // Kinematic bodies stand where their targets are from the first moment on.
        const int row = model().bodies.kinematic_index[body];
        if (row >= 0) view.body_pose[body] = keyframe.targets[at(row)];
    }
}

Status Worlds::reset(int world, const State& start, int start_world)
{
    check_world(world);
    check_sizes();
    RB_CHECK(start_world >= 0 && start_world < start.world_count, "no such world in the state to start from");
    std::vector<Error> errors = validate(model(), start);
    if (!errors.empty()) return errors;
    copy_world(start, start_world, state, world);
    copy_world(initial_control_, 0, control, world);
    start_anew(world);
    start_history(world);
    reports_[at(world)] = {};
    follow_state(world);
    return {};
}

std::vector<std::byte> Worlds::save_memory(int world) const
{
    std::vector<std::byte> bytes;
    memories_[at(world)]->save(bytes);
    // What sensors of acceleration compare with belongs to the memory, and so do forces of constraints: the first
    // reading after restore() is that of an undisturbed run.
    for (const Vec3& start : slice(starts_before_, world, sensor_starts_)) append(bytes, start);
    for (const double number : slice(samples_, world, history_.number_count())) append(bytes, number);
    if (constraint_sensors_)
    {
        const ConstraintForces& forces = memories_[at(world)]->constraint_forces;
        for (const auto* list : {&forces.joint_limit, &forces.tendon_limit, &forces.tendon}) append(bytes, *list);
        for (const auto* list : {&forces.first, &forces.second}) append(bytes, *list);
    }
    // Last, and only where a solver keeps an account of energy.
    const EnergyLedger& energy = memories_[at(world)]->energy;
    if (energy.known != 0 || energy.level != 0 || energy.signature != 0) append(bytes, energy);
    return bytes;
}

bool Worlds::load_memory(std::span<const std::byte> bytes, Memory& memory, std::span<Vec3> starts,
                         std::span<double> samples) const
{
    if (!memory.load(bytes)) return false;
    for (Vec3& start : starts)
    {
        if (!read(bytes, start)) return false;
    }
    for (double& number : samples)
    {
        if (!read(bytes, number)) return false;
    }
    if (constraint_sensors_ && !read_forces(model(), bytes, memory.constraint_forces)) return false;
    memory.energy = {};
    if (!bytes.empty() && !read(bytes, memory.energy)) return false;
    // Bytes come from a file: ids are checked before anything indexes with them.
    const auto exists = [](auto id, int count) { return id.valid() && id.index < count; };
    const auto fits = [&](const Contact& contact)
    {
        return exists(contact.first_body, model().body_count()) && exists(contact.second_body, model().body_count()) &&
               exists(contact.first_shape, model().shape_count()) &&
               exists(contact.second_shape, model().shape_count());
    };
    return bytes.empty() && std::all_of(memory.contacts.items.begin(), memory.contacts.items.end(), fits);
}

Snapshot Worlds::snapshot(int world) const
{
    check_world(world);
    Snapshot snapshot{.model = fingerprint(model()),
                      .solver = std::string(setup_.info->name),
                      .parameters = setup_.parameters,
                      .dt = setup_.dt,
                      .state = initial_,
                      .control = initial_control_,
                      .memories = {save_memory(world)}};
    copy_world(state, world, snapshot.state, 0);
    copy_world(control, world, snapshot.control, 0);
    return snapshot;
}

std::string Worlds::find_lacking(const ControlView& inputs) const
{
    const auto lacking = [&](const std::string& what)
    { return what + ", which solver '" + std::string(setup_.info->name) + "' does not support"; };
    for (const int e : lacking_.equalities)
    {
        if (inputs.equality_active[at(e)] != 0)
            return lacking("equality '" + model().equalities.name[at(e)] + "' was switched on");
    }
    const auto stands = [](const Velocity& velocity) { return velocity == Velocity{}; };
    if (lacking_.surfaces && !std::all_of(inputs.surface_velocity.begin(), inputs.surface_velocity.end(), stands))
        return lacking("a surface runs");
    return {};
}

void Worlds::check_switches(int world) const
{
    const std::string lacking = find_lacking(control.world(world));
    RB_CHECK(lacking.empty(), lacking);
}

/// What of a snapshot belongs to another model, solver or run.
std::vector<Error> Worlds::find_misfits(const Snapshot& snapshot) const
{
    std::vector<Error> errors;
    const std::string solver(setup_.info->name);
    if (snapshot.model != fingerprint(model())) errors.push_back(misfit("belongs to another model"));
    if (snapshot.solver != solver)
        errors.push_back(misfit("was made with solver '" + snapshot.solver + "'", "this is '" + solver + "'"));
    else if (!snapshot.parameters.empty())
    {
        const std::vector<Error> others = find_other_parameters(snapshot.parameters, setup_.parameters);
        errors.insert(errors.end(), others.begin(), others.end());
    }
    if (snapshot.dt != setup_.dt)
    {
        errors.push_back(misfit("was made with dt = " + std::to_string(snapshot.dt) + " s",
                                "this is " + std::to_string(setup_.dt) + " s"));
    }
    if (snapshot.state.world_count != 1) errors.push_back(misfit("holds several worlds"));
    if (!errors.empty()) return errors;
    // Only a snapshot of this model can be judged number by number.
    errors = validate(model(), snapshot.state);
    constexpr std::int64_t kMostSteps = std::int64_t{1} << 53;
    if (errors.empty() && (snapshot.state.step[0] < 0 || snapshot.state.step[0] > kMostSteps))
        errors.push_back(misfit("its step is number " + std::to_string(snapshot.state.step[0])));
    if (!has_sizes_of(snapshot.control, initial_control_))
    {
        errors.push_back(misfit("the sizes of its inputs are not those of the model"));
        return errors;
    }
    const ControlView inputs = snapshot.control.world(0);
    const std::vector<Error> bad = find_bad_inputs(model(), inputs);
    errors.insert(errors.end(), bad.begin(), bad.end());
    const std::string lacking = find_lacking(inputs);
    if (!lacking.empty()) errors.push_back(misfit(lacking));
    return errors;
}

Status Worlds::restore(int world, const Snapshot& snapshot)
{
    check_world(world);
    check_sizes();
    std::vector<Error> errors = find_misfits(snapshot);
    if (!errors.empty()) return errors;
    // First into a memory beside, so that nothing changes when the bytes are damaged; then in place.
    const std::unique_ptr<Memory> trial = groups_.front().solver->make_memory();
    std::vector<Vec3> starts(at(sensor_starts_));
    std::vector<double> samples(at(history_.number_count()));
    if (snapshot.memories.size() != 1 || !load_memory(snapshot.memories[0], *trial, starts, samples))
        return misfit("the solver's memory does not fit");
    start_anew(world);
    load_memory(snapshot.memories[0], *memories_[at(world)], slice(starts_before_, world, sensor_starts_),
                slice(samples_, world, history_.number_count()));
    copy_world(snapshot.state, 0, state, world);
    copy_world(snapshot.control, 0, control, world);
    reports_[at(world)] = {};
    outdate_contacts(world);
    sampled_step_[at(world)] = state.step[at(world)];
    update_sensors(world);
    copy_world(state, world, left_, world);
    return {};
}

std::string Worlds::explain(int world, const StepReport& report) const
{
    check_world(world);
    return explain_step(model(), control.world(world), state.world(world), state.time[at(world)], report,
                        setup_.info->finds_own_contacts);
}

}  // namespace rattleback
