// Stepping of worlds in groups: each group runs all its steps before its thread takes the next.
#include "engine/worlds.h"

#include "base/cpu_check.h"
#include "base/timer.h"
#include "dynamics/refresh.h"
#include "engine/bad_numbers.h"
#include "engine/overlaps.h"
#include "engine/world_arrays.h"

namespace rattleback
{

namespace
{

constexpr int kContactsPerShape = 4;  // reserved, so that contacts of a usual scene never move
constexpr int kMostReserved = 1 << 14;

bool is_committed(const StepReport& report)
{
    return report.status == StepStatus::ok || report.status == StepStatus::not_converged;
}

int choose_thread_count(int wanted, int groups)
{
    // More threads than groups of worlds would only wait.
    const int cores = std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
    return std::clamp(wanted > 0 ? wanted : cores, 1, std::max(1, groups));
}

/// Worlds in a group: half of a pack of 512 bits where that gives work to more threads. Half of a narrow one costs what
/// the whole does.
int choose_lanes(const Setup& setup, int worlds, int threads)
{
    const int most = setup.info->find_lanes ? setup.info->find_lanes(setup.parameters) : setup.info->lanes;
    const int cores = threads > 0 ? threads : std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
    // find_lanes() names twice the narrow width where the processor has such packs; `lanes` is the narrow one itself.
    const bool wide = has_wide_lanes() && most > setup.info->lanes;
    return wide && worlds <= most / 2 * cores ? most / 2 : most;
}

/// What a single step says of itself in the report of a run.
void count_unconverged(const ConstWorldView& world, StepReport& report)
{
    report.unconverged_steps = report.status == StepStatus::not_converged ? 1 : 0;
    if (report.unconverged_steps == 0 || world.v.empty()) return;
    const bool still = std::all_of(world.v.begin(), world.v.end(), [](double v) { return v == 0; });
    report.frozen_steps = still ? 1 : 0;
}

/// The two shapes that are deepest inside each other, for a step that went wrong.
void blame_deepest(const Contacts& contacts, StepReport& report)
{
    for (const Contact& contact : contacts.items)
    {
        if (-contact.distance <= report.culprit_depth) continue;
        report.culprit_depth = -contact.distance;
        report.culprit_shapes = {contact.first_shape, contact.second_shape};
    }
}

}  // namespace

// Worlds are stepped in groups of as many as the solver takes at once (lanes). A thread takes a group and runs all its
// steps before the next: its worlds stay in the cache, and the result does not depend on the number of threads.

Worlds::Worlds(Setup setup, int world_count, int thread_count)
    : state(*setup.model, world_count),
      control(*setup.model, world_count),
      setup_(std::move(setup)),
      lacking_(find_lacking_switches(setup_)),
      tree_(*setup_.model),
      world_count_(world_count),
      lanes_(choose_lanes(setup_, world_count, thread_count)),
      sensor_starts_(SensorPlan(*setup_.model).start_count),
      constraint_sensors_(asks_constraint_forces(*setup_.model)),
      keeps_starts_(sensor_starts_ > 0 || !setup_.info->solves_forward),
      reports_(at(world_count)),
      unpublished_(at(world_count)),
      contacts_(at(world_count)),
      contact_forces_(at(world_count)),
      accelerations_(product(world_count, setup_.model->v_count())),
      mean_accelerations_(setup_.info->solves_forward ? 0 : accelerations_.size()),
      sensors_(product(world_count, setup_.model->sensor_value_count)),
      constraint_forces_(constraint_sensors_ ? at(world_count) : 0),
      history_(*setup_.model, setup_.dt),
      samples_(product(world_count, history_.number_count())),
      sampled_step_(at(world_count)),
      starts_before_(product(world_count, sensor_starts_)),
      initial_(*setup_.model),
      initial_control_(*setup_.model),
      left_(state),
      warnings_(find_overlaps(setup_, initial_.world())),
      starts_{State(*setup_.model, keeps_starts_ ? world_count : 0),
              State(*setup_.model, keeps_starts_ ? world_count : 0)},
      pool_(choose_thread_count(thread_count, group_count())),
      tasks_(pool_.worker_count())
{
    warnings_.insert(warnings_.end(), setup_.warnings.begin(), setup_.warnings.end());
    // Solvers keep scratch, so each thread has its own; worlds keep Memory, so any thread may step any world.
    groups_.resize(at(pool_.worker_count()));
    for (Group& group : groups_)
    {
        group.solver = setup_.make_solver();
        group.places = dynamic_cast<PlacesBodies*>(group.solver.get());
        group.sensors = std::make_unique<SensorReader>(tree_);
        group.worlds.reserve(at(lanes()));
    }
    // A device runs all worlds at once and has no use for groups of one world.
    if (setup_.info->make_batch && world_count > 1)
        batch_solver_ = setup_.info->make_batch(model(), setup_.parameters, world_count);
    // Views of contacts that callers hold stay valid while contacts fit into what is reserved here.
    const int reserved = has_contacts(setup_) ? std::min(kContactsPerShape * model().shape_count(), kMostReserved) : 0;
    for (int world = 0; world < world_count; ++world)
    {
        memories_.push_back(groups_.front().solver->make_memory());
        memory_views_.push_back(memories_.back().get());
        contacts_[at(world)].items.reserve(at(reserved));
        contact_forces_[at(world)].items.reserve(at(reserved));
    }
    // No step has begun yet.
    for (State& start : starts_) std::fill(start.step.begin(), start.step.end(), -1);
    for (int world = 0; world < world_count; ++world)
    {
        start_history(world);
        follow_state(world);
    }
}

void Worlds::run_steps(std::int64_t steps, const std::function<void(int world)>& before_step, std::int64_t look_every)
{
    RB_CHECK(steps >= 0, "a negative number of steps");
    if (!interrupt) return run_piece(0, steps, before_step, look_every);
    // In pieces of about a tenth of a second, between which the caller is asked; the bits are those of one call.
    for (std::int64_t done = 0; done < steps;)
    {
        const std::int64_t count = std::min(piece_, steps - done);
        const Timer timer;
        run_piece(done, count, before_step, look_every);
        done += count;
        if (done < steps && interrupt()) return;
        const double seconds = timer.seconds();
        if (seconds > 0.1) piece_ = std::max<std::int64_t>(1, piece_ / 2);
        if (seconds < 0.05 && count == piece_) piece_ *= 2;
    }
}

/// Steps of a run of which `done` steps were taken before.
void Worlds::run_piece(std::int64_t done, std::int64_t steps, const std::function<void(int world)>& before_step,
                       std::int64_t look_every)
{
    // A stepper of its own cannot ask the filter.
    if (batch_solver_ && !contact_filter) return run_batch(done, steps, before_step);
    for_each_group([&](int begin, int end, int worker)
                   { run_group(begin, end, steps, before_step, worker, look_every, done); });
}

void Worlds::run_group(int begin, int end, std::int64_t steps, const std::function<void(int world)>& before_step,
                       int worker, std::int64_t look_every, std::int64_t done)
{
    RB_CHECK(steps >= 0, "a negative number of steps");
    check_sizes();
    Group& group = groups_[at(worker)];
    gather(begin, end, done > 0, group);
    for (std::int64_t step = 0; step < steps && !group.worlds.empty(); ++step)
    {
        const bool looks = before_step && look_every > 0 && (done + step) % look_every == 0;
        // Bodies have been up to date so many steps ago.
        const std::int64_t since = history_.empty() ? look_every : 1;
        try
        {
            // Per step and world: the caller's function, the filter, the switches that it may have thrown.
            for (std::size_t i = 0; i < group.worlds.size(); ++i)
            {
                // Who is called sees the world as after a single step, and may set another filter.
                const int world = group.worlds[i];
                if ((looks || !history_.empty()) && step > 0) finish_run(world, state.step[at(world)] - since, worker);
                if (before_step) before_step(world);
                if (before_step && look_every > 0)
                {
                    check_places(group.inputs[i].control, group.views[i], world);
                    group.inputs[i].contact_filter = ContactFilter(contact_filter, world);
                    group.inputs[i].contact_gains = ContactGainsFunction(contact_gains, world);
                }
                if (keeps_starts_) keep_start(world);
            }
            // Only callers write numbers that no solver has judged.
            if (step == 0 || before_step) refuse_bad_numbers(group, step > 0 && look_every == 0);
            if (group.worlds.empty()) break;
            if (step == 0 || (before_step && look_every > 0))
                for (const int world : group.worlds) check_switches(world);
            // A group of one takes the plain path; the bits are those of any lane.
            if (group.worlds.size() == 1)
            {
                StepInput input = group.inputs[0];
                const WorldView& view = group.views[0];
                Memory& memory = *group.memories[0];
                StepReport& report = group.reports[0] = {};
                if (Solver* solver = group.solver->begin_step(input, view, memory))
                    report = solver->step(input, view, memory);
                group.solver->end_step(group.inputs[0], view, memory, report);
            }
            else
                group.solver->step_worlds(group.inputs, group.views, group.memories, group.reports);
        }
        catch (...)  // of a caller's function: the steps before it stand
        {
            if (find_resized() != nullptr) throw;
            for (int world = begin; world < end; ++world)
                finish_run(world, group.first_step[at(world - begin)], worker);
            throw;
        }
        // Worlds whose step was refused leave the group.
        commit(group);
    }
    // What follows from the state, once for the whole run.
    for (int world = begin; world < end; ++world) finish_run(world, group.first_step[at(world - begin)], worker);
}

/// The worlds [begin, end) as their solver takes them; of a run that continues, those that did not stop.
void Worlds::gather(int begin, int end, bool continues, Group& group)
{
    // Storage stays: after the first run nothing is allocated.
    group.worlds.clear();
    group.inputs.clear();
    group.views.clear();
    group.memories.clear();
    group.first_step.clear();
    for (int world = begin; world < end; ++world)
    {
        group.first_step.push_back(state.step[at(world)]);
        if (continues && !is_committed(reports_[at(world)])) continue;
        if (!continues) reports_[at(world)] = {};
        group.worlds.push_back(world);
        group.inputs.push_back(make_input(world));
        group.views.push_back(state.world(world));
        group.memories.push_back(memories_[at(world)].get());
    }
    group.reports.resize(group.worlds.size());
}

/// Time passes in worlds whose step was committed; the others leave the group.
void Worlds::commit(Group& group)
{
    std::size_t kept = 0;
    for (std::size_t i = 0; i < group.worlds.size(); ++i)
    {
        const int world = group.worlds[i];
        StepReport& report = reports_[at(world)];
        count_unconverged(group.views[i], group.reports[i]);
        // The report of a run: the worst status, sums and extremes of all its steps.
        report = merge(report, group.reports[i]);
        if (!is_committed(group.reports[i])) continue;
        state.time[at(world)] += setup_.dt;
        ++state.step[at(world)];
        group.move(i, kept);
        group.inputs[kept++].time = state.time[at(world)];
    }
    group.keep(kept);
}

/// Those that go on close the gaps, in order, so that a pack is always the first worlds of the group.
void Worlds::Group::move(std::size_t from, std::size_t to)
{
    if (from == to) return;
    worlds[to] = worlds[from];
    inputs[to] = inputs[from];
    views[to] = views[from];
    memories[to] = memories[from];
}

void Worlds::Group::keep(std::size_t count)
{
    if (count == worlds.size()) return;
    worlds.resize(count);
    inputs.resize(count);
    views.resize(count);
    memories.resize(count);
    reports.resize(count);
}

/// All worlds by the solver's own stepper; step by step where somebody asks where the last one began.
void Worlds::run_batch(std::int64_t done, std::int64_t steps, const std::function<void(int world)>& before_step)
{
    check_sizes();
    const std::vector<std::int64_t> first_step = state.step;
    if (done == 0) std::fill(reports_.begin(), reports_.end(), StepReport{});
    // A device runs all steps without coming back, unless somebody looks between them.
    const bool looks = keeps_starts_ || before_step || !history_.empty();
    const std::int64_t at_once = looks ? 1 : std::max<std::int64_t>(steps, 1);
    for (std::int64_t step = 0; step < steps; step += at_once)
    {
        for (int world = 0; world < world_count_; ++world)
        {
            if ((before_step || !history_.empty()) && step > 0) finish_run(world, state.step[at(world)] - 1, 0);
            if (before_step) before_step(world);
            if (keeps_starts_) keep_start(world);
            if (step > 0 && !before_step) continue;
            // A world that has diverged is left out.
            if (has_bad_number(control.world(world), state.world(world), state.time[at(world)]))
                refuse_bad_number(world);
            else
                check_switches(world);
        }
        batch_solver_->run_steps(at_once, setup_.dt, control, state, memory_views_, reports_);
    }
    for_each_group(
        [&](int begin, int end, int worker)
        {
            for (int world = begin; world < end; ++world) finish_run(world, first_step[at(world)], worker);
        });
}

/// Bodies that follow from the joints alone: once, at the end, gives the same bits as after every step. Solvers that
/// own the bodies have written both.
void Worlds::finish_run(int world, std::int64_t first_step, int worker)
{
    // From numbers that no step can begin with nothing follows: they stay as they were written, and so does the rest.
    if (reports_[at(world)].culprit_array.starts_with("state.") && state.step[at(world)] == first_step) return;
    if (keeps_starts_) compare_with_last_start(world, first_step, worker);
    // Contacts are copied only when asked for; bodies and sensors follow at once.
    const Timer timer;
    outdate_contacts(world);
    refresh_world(world, worker);
    // How the engine leaves the world: refresh() compares with it to see what was written from outside.
    copy_world(state, world, left_, world);
    StepReport& report = reports_[at(world)];
    if (report.status != StepStatus::ok) blame_deepest(present_contacts(world), report);
    if (setup_.timings) report.seconds[at(Stage::refresh)] += timer.seconds();
}

void Worlds::keep_start(int world)
{
    // Two slots in turn: when a step is not committed, the other one still holds the start of the last that was.
    State& start = starts_[at(static_cast<int>(state.step[at(world)] & 1))];
    if (sensor_starts_ > 0) return copy_world(state, world, start, world);
    // Mean accelerations need v alone.
    const std::span<const double> v = state.world(world).v;
    std::copy(v.begin(), v.end(), start.world(world).v.begin());
    start.step[at(world)] = state.step[at(world)];
}

/// Sensors of acceleration and mean accelerations compare with the start of the last committed step.
void Worlds::compare_with_last_start(int world, std::int64_t first_step, int worker)
{
    // The start of step n was kept in slot n & 1.
    const std::int64_t last = state.step[at(world)] - 1;
    State& start = starts_[at(static_cast<int>(last & 1))];
    if (last < 0 || start.step[at(world)] != last) return;  // no step was committed in this run
    if (!setup_.info->solves_forward)
    {
        const std::span<const double> before = start.world(world).v, now = state.world(world).v;
        const std::span<double> mean = slice(mean_accelerations_, world, model().v_count());
        for (std::size_t d = 0; d < mean.size(); ++d) mean[d] = (now[d] - before[d]) / setup_.dt;
    }
    // bodies were up to date when the run began, and followed only q and v since
    if (sensor_starts_ > 0 && last > first_step && bodies_follow()) refresh_bodies(tree_, start.world(world));
    read_starts(world, start.world(world), worker);
    start.step[at(world)] = -1;
}

/// After a step: what callers hold is of the past; nothing is copied before somebody asks.
void Worlds::outdate_contacts(int world)
{
    contacts_[at(world)].outdate();
    unpublished_[at(world)] = 1;
}

void Worlds::publish_contacts(int world) const
{
    // Several threads may ask for the contacts of one world at once; the first copies.
    const std::scoped_lock lock(publishing_);
    if (unpublished_[at(world)] == 0) return;
    const Memory& memory = *memories_[at(world)];
    contacts_[at(world)].replace(memory.contacts);
    contact_forces_[at(world)].items.assign(memory.contact_forces.items.begin(), memory.contact_forces.items.end());
    if (constraint_sensors_) constraint_forces_[at(world)] = memory.constraint_forces;
    unpublished_[at(world)] = 0;
}

/// Those of the last step or forward(), without a copy.
const Contacts& Worlds::present_contacts(int world) const
{
    return unpublished_[at(world)] != 0 ? memories_[at(world)]->contacts : contacts_[at(world)];
}

void Worlds::refresh_world(int world, int worker)
{
    PlacesBodies* const places = groups_[at(worker)].places;
    if (bodies_follow() && !(places && places->place_bodies(state.world(world))))
        refresh_bodies(tree_, state.world(world));
    update_sensors(world, worker);
}

void Worlds::read_starts(int world, const ConstWorldView& at_start, int worker)
{
    if (sensor_starts_ == 0) return;
    groups_[at(worker)].sensors->read_starts(at_start, parameters(world).mass,
                                             slice(starts_before_, world, sensor_starts_));
}

/// With `accelerations` of forward(): those of the present state; without: means over the last step. `keep`: readings
/// that are late will find what is measured here.
void Worlds::update_sensors(int world, int worker, std::span<const double> accelerations, bool keep)
{
    if (model().sensors.type.empty()) return;
    const ConstWorldView view = state.world(world);
    const StepInput input = make_input(world);
    const bool of_step = unpublished_[at(world)] != 0;
    const Memory& memory = *memories_[at(world)];
    SensorInput watched{
        .world = view,
        .step = input,
        .contacts = present_contacts(world),
        .forces = of_step ? memory.contact_forces : contact_forces_[at(world)],
        .constraints = of_step || !constraint_sensors_ ? memory.constraint_forces : constraint_forces_[at(world)],
        .starts = slice(starts_before_, world, sensor_starts_),
        .acceleration = accelerations};
    if (setup_.sensor_noise) watched.noise = mix_seed(*setup_.sensor_noise, world, state.step[at(world)]);
    const std::span<double> values = slice(sensors_, world, model().sensor_value_count);
    groups_[at(worker)].sensors->read(watched, values);
    if (history_.empty()) return;
    // After a step what was measured before it has become a sample.
    const std::span<double> samples = slice(samples_, world, history_.number_count());
    if (sampled_step_[at(world)] != state.step[at(world)]) history_.advance(samples);
    sampled_step_[at(world)] = state.step[at(world)];
    history_.publish(state.time[at(world)], keep, samples, values);
}

/// Sensors that are read late know nothing yet.
void Worlds::start_history(int world)
{
    if (history_.empty()) return;
    sampled_step_[at(world)] = state.step[at(world)];
    history_.start(state.time[at(world)], slice(samples_, world, history_.number_count()));
}

StepInput Worlds::make_input(int world) const
{
    return {.control = control.world(world),
            .dt = setup_.dt,
            .time = state.time[at(world)],
            .timings = setup_.timings,
            .contact_filter = ContactFilter(contact_filter, world),
            .contact_gains = ContactGainsFunction(contact_gains, world),
            .parameters = parameters(world)};
}

const Memory& Worlds::memory(int world) const
{
    check_world(world);
    return *memories_[at(world)];
}

const Contacts& Worlds::contacts(int world) const
{
    check_world(world);
    publish_contacts(world);
    return contacts_[at(world)];
}

const ContactForces& Worlds::contact_forces(int world) const
{
    check_world(world);
    publish_contacts(world);
    return contact_forces_[at(world)];
}

std::span<const double> Worlds::sensors(int world) const
{
    check_world(world);
    return slice(sensors_, world, model().sensor_value_count);
}

std::span<const double> Worlds::sensor(SensorId id, int world) const
{
    RB_CHECK(id.valid() && id.index < model().sensor_count(), "no such sensor");
    return sensors(world).subspan(at(model().sensors.begin[at(id)]), at(model().sensors.size[at(id)]));
}

}  // namespace rattleback
