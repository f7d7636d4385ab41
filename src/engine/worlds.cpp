// Stepping of worlds in groups: each group runs all its steps before its thread takes the next.
#include "engine/worlds.h"

#include "base/bytes.h"
#include "base/index.h"
#include "base/timer.h"
#include "dynamics/refresh.h"
#include "engine/overlaps.h"
#include "engine/sensors.h"

#include <algorithm>
#include <cstring>

namespace rattleback
{

namespace
{

std::size_t product(int a, int b) { return at(a) * at(b); }

/// The `count` items of one world.
template <class T>
std::span<T> slice(std::vector<T>& items, int world, int count)
{
    return std::span(items).subspan(product(world, count), at(count));
}

/// Everything of one world of a state.
void copy_world(State& from, int from_world, State& to, int to_world)
{
    const WorldView source = from.world(from_world), target = to.world(to_world);
    const auto copy = [](const auto& a, const auto& b) { std::copy(a.begin(), a.end(), b.begin()); };
    copy(source.q, target.q);
    copy(source.v, target.v);
    copy(source.act, target.act);
    copy(source.body_pose, target.body_pose);
    copy(source.body_velocity, target.body_velocity);
    to.time[at(to_world)] = from.time[at(from_world)];
    to.step[at(to_world)] = from.step[at(from_world)];
}

/// What was written to a world since `left`.
enum class Written
{
    nothing,
    motion,  ///< velocities or activations: the world goes on from where it is
    place,   ///< coordinates, poses or the time: it is elsewhere now
};

Written find_written(State& state, State& left, int world)
{
    const auto same = [](const auto& a, const auto& b)  // bit for bit, so that NaN equals itself
    { return a.empty() || std::memcmp(a.data(), b.data(), a.size_bytes()) == 0; };
    const WorldView now = state.world(world), before = left.world(world);
    const bool stays = same(now.q, before.q) && same(now.body_pose, before.body_pose) &&
                       same(slice(state.time, world, 1), slice(left.time, world, 1)) &&
                       state.step[at(world)] == left.step[at(world)];
    if (!stays) return Written::place;
    const bool moves_on =
        same(now.v, before.v) && same(now.body_velocity, before.body_velocity) && same(now.act, before.act);
    return moves_on ? Written::nothing : Written::motion;
}

void copy_control(Control& from, Control& to, int to_world)
{
    const auto copy = [&](auto& a, auto& b, int count)
    { std::copy(a.begin(), a.end(), slice(b, to_world, count).begin()); };
    copy(from.input, to.input, to.actuator_count);
    copy(from.joint_force, to.joint_force, to.v_count);
    copy(from.body_wrench, to.body_wrench, to.body_count);
    copy(from.target, to.target, to.kinematic_count);
}

bool is_committed(const StepReport& report)
{
    return report.status == StepStatus::ok || report.status == StepStatus::not_converged;
}

int choose_thread_count(int wanted, int groups)
{
    const int cores = std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
    return std::clamp(wanted > 0 ? wanted : cores, 1, std::max(1, groups));
}

}  // namespace

Worlds::Worlds(Setup setup, int world_count, int thread_count)
    : state(*setup.model, world_count),
      control(*setup.model, world_count),
      setup_(std::move(setup)),
      tree_(*setup_.model),
      world_count_(world_count),
      accelerometers_(accelerometer_count(*setup_.model)),
      reports_(at(world_count)),
      sensors_(product(world_count, setup_.model->sensor_value_count)),
      velocities_before_(product(world_count, accelerometers_)),
      initial_(*setup_.model),
      initial_control_(*setup_.model),
      left_(state),
      warnings_(find_overlaps(setup_, initial_.world())),
      starts_{State(*setup_.model, accelerometers_ > 0 ? world_count : 0),
              State(*setup_.model, accelerometers_ > 0 ? world_count : 0)},
      pool_(choose_thread_count(thread_count, group_count()))
{
    warnings_.insert(warnings_.end(), setup_.warnings.begin(), setup_.warnings.end());
    for (int i = 0; i < pool_.worker_count(); ++i)
    {
        solvers_.push_back(setup_.make_solver());
    }
    for (int world = 0; world < world_count; ++world) memories_.push_back(solvers_.front()->make_memory());
    for (State& start : starts_) std::fill(start.step.begin(), start.step.end(), -1);
    for (int world = 0; world < world_count; ++world) follow_state(world);
}

void Worlds::run_steps(std::int64_t steps)
{
    RB_CHECK(steps >= 0, "a negative number of steps");
    check_sizes();
    pool_.run(group_count(), [&](int group, int worker) { run_group(group, steps, *solvers_[at(worker)]); });
}

Worlds::Group Worlds::make_group(int index) const
{
    Group group;
    const int begin = index * kGroup, end = std::min(begin + kGroup, world_count_);
    for (int world = begin; world < end; ++world) group.world[at(group.count++)] = world;
    return group;
}

void Worlds::run_group(int index, std::int64_t steps, Solver& solver)
{
    const Group all = make_group(index);
    for (int i = 0; i < all.count; ++i) reports_[at(all.world[at(i)])] = {};

    std::array<std::int64_t, kGroup> first_step{};
    for (int i = 0; i < all.count; ++i) first_step[at(i)] = state.step[at(all.world[at(i)])];
    Group running = all;
    for (std::int64_t step = 0; step < steps && running.count > 0; ++step)
    {
        for (int i = 0; i < running.count && accelerometers_ > 0; ++i) keep_start(running.world[at(i)]);
        step_group(running, solver);
    }
    for (int i = 0; i < all.count && accelerometers_ > 0; ++i)
    {
        compare_with_last_start(all.world[at(i)], first_step[at(i)]);
    }
    // Bodies that follow from the joints alone: once, at the end, gives the same bits as after every step. Solvers that
    // own the bodies have written both.
    for (int i = 0; i < all.count; ++i)
    {
        const int world = all.world[at(i)];
        const Timer timer;
        refresh_world(world);
        copy_world(state, world, left_, world);
        if (setup_.timings) reports_[at(world)].seconds[at(static_cast<int>(Stage::refresh))] += timer.seconds();
    }
}

void Worlds::step_group(Group& group, Solver& solver)
{
    std::array<StepInput, kGroup> inputs;
    std::array<WorldView, kGroup> views;
    std::array<Memory*, kGroup> memories{};
    std::array<StepReport, kGroup> reports;
    for (int i = 0; i < group.count; ++i)
    {
        const int world = group.world[at(i)];
        inputs[at(i)] = {control.world(world), setup_.dt, state.time[at(world)], setup_.timings};
        views[at(i)] = state.world(world);
        memories[at(i)] = memories_[at(world)].get();
    }
    const std::size_t count = at(group.count);
    solver.step_worlds(std::span(inputs).first(count), std::span(views).first(count), std::span(memories).first(count),
                       std::span(reports).first(count));

    const Group stepped = group;
    group.count = 0;
    for (int i = 0; i < stepped.count; ++i)
    {
        const int world = stepped.world[at(i)];
        reports_[at(world)] = merge(reports_[at(world)], reports[at(i)]);
        if (!is_committed(reports[at(i)])) continue;
        state.time[at(world)] += setup_.dt;
        ++state.step[at(world)];
        group.world[at(group.count++)] = world;
    }
}

void Worlds::keep_start(int world)
{
    // Two slots in turn: when a step is not committed, the other one still holds the start of the last that was.
    copy_world(state, world, starts_[at(static_cast<int>(state.step[at(world)] & 1))], world);
}

void Worlds::compare_with_last_start(int world, std::int64_t first_step)
{
    const std::int64_t last = state.step[at(world)] - 1;
    State& start = starts_[at(static_cast<int>(last & 1))];
    if (last < 0 || start.step[at(world)] != last) return;  // no step was committed in this run
    // bodies were up to date when the run began, and followed only q and v since
    if (last > first_step && bodies_follow()) refresh_bodies(tree_, start.world(world));
    read_accelerometer_velocities(model(), start.world(world), slice(velocities_before_, world, accelerometers_));
    start.step[at(world)] = -1;
}

void Worlds::refresh_world(int world)
{
    if (bodies_follow()) refresh_bodies(tree_, state.world(world));
    update_sensors(world);
}

void Worlds::update_sensors(int world)
{
    const Memory& memory = *memories_[at(world)];
    const int values = model().sensor_value_count;
    evaluate_sensors(model(), state.world(world),
                     {.contacts = memory.contacts,
                      .forces = memory.contact_forces,
                      .velocities_before = slice(velocities_before_, world, accelerometers_),
                      .dt = setup_.dt},
                     slice(sensors_, world, values));
}

void Worlds::refresh()
{
    check_sizes();
    pool_.run(group_count(),
              [&](int index, int)
              {
                  const Group group = make_group(index);
                  for (int i = 0; i < group.count; ++i)
                  {
                      const int world = group.world[at(i)];
                      const Written written = find_written(state, left_, world);
                      if (written == Written::place) memories_[at(world)]->reset();
                      if (written != Written::nothing) follow_state(world);
                  }
              });
}

void Worlds::follow_state(int world)
{
    const WorldView view = state.world(world);
    refresh_bodies(model(), view);
    read_accelerometer_velocities(model(), view, slice(velocities_before_, world, accelerometers_));
    update_sensors(world);
    copy_world(state, world, left_, world);
}

void Worlds::reset()
{
    check_sizes();
    pool_.run(group_count(),
              [&](int index, int)
              {
                  const Group group = make_group(index);
                  for (int i = 0; i < group.count; ++i) reset(group.world[at(i)]);
              });
}

void Worlds::reset(int world, const Keyframe* keyframe)
{
    check_sizes();
    copy_world(initial_, 0, state, world);
    copy_control(initial_control_, control, world);
    const auto take = [](const auto& from, const auto& to)
    {
        RB_CHECK(from.empty() || from.size() == to.size(), "a keyframe of another size than its model");
        std::copy(from.begin(), from.end(), to.begin());
    };
    if (keyframe != nullptr)
    {
        const WorldView view = state.world(world);
        state.time[at(world)] = keyframe->time;
        take(keyframe->q, view.q);
        take(keyframe->v, view.v);
        take(keyframe->act, view.act);
        take(keyframe->ctrl, slice(control.input, world, control.actuator_count));
        take(keyframe->targets, slice(control.target, world, control.kinematic_count));
        for (std::size_t body = 0; body < view.body_pose.size() && !keyframe->targets.empty(); ++body)
        {
            const int row = model().bodies.kinematic_index[body];
            if (row >= 0) view.body_pose[body] = keyframe->targets[at(row)];
        }
    }
    memories_[at(world)]->reset();
    reports_[at(world)] = {};
    follow_state(world);
}

void Worlds::check_sizes() const
{
    const Model& m = model();
    const auto fits = [&](std::size_t size, int count) { return size == product(world_count_, count); };
    RB_CHECK(state.world_count == world_count_ && state.q_count == m.q_count() && state.v_count == m.v_count() &&
                 state.act_count == m.act_count && state.body_count == m.body_count() && fits(state.time.size(), 1) &&
                 fits(state.step.size(), 1) && fits(state.q.size(), m.q_count()) && fits(state.v.size(), m.v_count()) &&
                 fits(state.act.size(), m.act_count) && fits(state.body_pose.size(), m.body_count()) &&
                 fits(state.body_velocity.size(), m.body_count()),
             "an array of the state was resized");
    RB_CHECK(control.world_count == world_count_ && control.actuator_count == m.actuator_count() &&
                 control.v_count == m.v_count() && control.body_count == m.body_count() &&
                 control.kinematic_count == m.kinematic_count && fits(control.input.size(), m.actuator_count()) &&
                 fits(control.joint_force.size(), m.v_count()) && fits(control.body_wrench.size(), m.body_count()) &&
                 fits(control.target.size(), m.kinematic_count),
             "an array of the control was resized");
}

std::vector<std::byte> Worlds::save_memory(int world) const
{
    std::vector<std::byte> bytes;
    memories_[at(world)]->save(bytes);
    for (int i = 0; i < accelerometers_; ++i)
        append(bytes, velocities_before_[product(world, accelerometers_) + at(i)]);
    return bytes;
}

bool Worlds::load_memory(std::span<const std::byte> bytes, Memory& memory, std::span<Vec3> velocities) const
{
    if (!memory.load(bytes)) return false;
    for (Vec3& velocity : velocities)
    {
        if (!read(bytes, velocity)) return false;
    }
    const auto is_index = [](int index, int count) { return index >= 0 && index < count; };
    const auto fits = [&](const Contact& contact)
    {
        return is_index(contact.first_body, model().body_count()) &&
               is_index(contact.second_body, model().body_count()) &&
               is_index(contact.first_shape, model().shape_count()) &&
               is_index(contact.second_shape, model().shape_count());
    };
    return bytes.empty() && std::all_of(memory.contacts.items.begin(), memory.contacts.items.end(), fits);
}

bool Worlds::restore(const State& new_state, const Control& new_control,
                     std::span<const std::vector<std::byte>> saved_memories)
{
    std::vector<std::unique_ptr<Memory>> memories;
    std::vector<Vec3> velocities(velocities_before_.size());
    if (saved_memories.size() != memories_.size()) return false;
    for (int world = 0; world < world_count_; ++world)
    {
        memories.push_back(solvers_.front()->make_memory());
        const auto part = slice(velocities, world, accelerometers_);
        if (!load_memory(saved_memories[at(world)], *memories.back(), part)) return false;
    }
    state = new_state;
    control = new_control;
    memories_ = std::move(memories);
    velocities_before_ = std::move(velocities);
    std::fill(reports_.begin(), reports_.end(), StepReport{});
    left_ = state;
    for (int world = 0; world < world_count_; ++world) update_sensors(world);
    return true;
}

}  // namespace rattleback
