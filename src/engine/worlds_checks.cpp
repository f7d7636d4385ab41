// What a step is given: arrays where and as large as they were, switches that the solver knows, numbers that are
// finite.
#include "engine/bad_numbers.h"
#include "engine/world_arrays.h"
#include "engine/worlds.h"

#include <algorithm>

namespace rattleback
{

/// The step of a world that is not begun, because of a number that it would begin with.
void Worlds::refuse_bad_number(int world)
{
    const BadNumber bad = find_bad_number(model(), control.world(world), state.world(world), state.time[at(world)]);
    StepReport report{.status = StepStatus::diverged, .culprit_dof = bad.dof};
    report.culprit_array = bad.array;
    report.culprit_index = bad.index;
    if (bad.body >= 0) report.culprit_body = BodyId{bad.body};
    reports_[at(world)] = merge(reports_[at(world)], report);
}

/// Worlds that begin their step with a number that is not finite leave the group, unchanged. `inputs_alone`: only
/// actuators' inputs were written since the last step.
void Worlds::refuse_bad_numbers(Group& group, bool inputs_alone)
{
    std::size_t kept = 0;
    for (std::size_t i = 0; i < group.worlds.size(); ++i)
    {
        const int world = group.worlds[i];
        const ControlView& inputs = group.inputs[i].control;
        if (inputs_alone ? has_bad_input(inputs) : has_bad_number(inputs, group.views[i], group.inputs[i].time))
        {
            refuse_bad_number(world);
            continue;
        }
        group.move(i, kept++);
    }
    group.keep(kept);
}

/// Nothing that the solver does not know was switched on.
const char* Worlds::find_resized() const
{
    // Arrays of State and Control are public: who resizes them hears of it here and not from a crash.
    const Model& m = model();
    const auto fits = [&](std::size_t size, int count) { return size == product(world_count_, count); };
    if (!(state.world_count == world_count_ && state.q_count == m.q_count() && state.v_count == m.v_count() &&
          state.act_count == m.act_count && state.body_count == m.body_count() && fits(state.time.size(), 1) &&
          fits(state.step.size(), 1) && fits(state.q.size(), m.q_count()) && fits(state.v.size(), m.v_count()) &&
          fits(state.act.size(), m.act_count) && fits(state.body_pose.size(), m.body_count()) &&
          fits(state.body_velocity.size(), m.body_count())))
        return "an array of the state was resized";
    if (!(control.world_count == world_count_ && control.actuator_count == m.actuator_count() &&
          control.v_count == m.v_count() && control.body_count == m.body_count() &&
          control.kinematic_count == m.kinematic_count && fits(control.input.size(), m.actuator_count()) &&
          control.equality_count == m.equality_count() && control.shape_count == m.shape_count() &&
          fits(control.joint_force.size(), m.v_count()) && fits(control.body_wrench.size(), m.body_count()) &&
          fits(control.target.size(), m.kinematic_count) && fits(control.actuator_active.size(), m.actuator_count()) &&
          fits(control.equality_active.size(), m.equality_count()) &&
          fits(control.surface_velocity.size(), m.shape_count())))
        return "an array of the control was resized";
    return nullptr;
}

void Worlds::check_sizes() const
{
    const char* fault = find_resized();
    RB_CHECK(fault == nullptr, fault);
}

/// After a caller's function: the run still reads the arrays where they were when it began.
void Worlds::check_places(const ControlView& inputs, const WorldView& view, int world) const
{
    RB_CHECK(is_there(inputs, control.world(world)) && is_there(view, state.world(world)),
             "an array of control() or state() was replaced during a run: write into it (std::copy) instead of moving "
             "another vector there");
}

}  // namespace rattleback
