// Looks for numbers that are not finite, and names them.
#include "engine/bad_numbers.h"

#include "base/index.h"
#include "math/finite.h"

#include <algorithm>
#include <string_view>

namespace rattleback
{

namespace
{

/// Zero times each number, added up in independent sums: NaN where any of them is not finite.
class Screen
{
public:
    template <class T>
    void add(std::span<const T> list)
    {
        static_assert(std::is_trivially_copyable_v<T> && sizeof(T) % sizeof(double) == 0);
        add(reinterpret_cast<const double*>(list.data()), list.size() * (sizeof(T) / sizeof(double)));
    }
    void add(const double* numbers, std::size_t count)
    {
        std::size_t i = 0;
        for (; i + kLanes <= count; i += kLanes)
            for (std::size_t k = 0; k < kLanes; ++k) sums_[k] += 0.0 * numbers[i + k];
        for (; i < count; ++i) sums_[0] += 0.0 * numbers[i];
    }
    bool found() const
    {
        double sum = 0;
        for (const double s : sums_) sum += s;
        return !(sum == 0);
    }

private:
    static constexpr std::size_t kLanes = 8;
    double sums_[kLanes]{};
};

/// The first entry that is not finite; -1 when all are.
template <class T>
int find_bad(std::span<const T> list)
{
    const auto bad = std::find_if(list.begin(), list.end(), [](const T& x) { return !is_finite(x); });
    return bad == list.end() ? -1 : static_cast<int>(bad - list.begin());
}

/// The first dof of the joint that coordinate `q` belongs to; -1: it has none.
int find_dof(const Model& model, int q)
{
    for (int j = 0; j < model.joint_count(); ++j)
    {
        const int begin = model.joints.q_begin[at(j)];
        if (q >= begin && q < begin + q_count(model.joints.type[at(j)])) return model.joints.v_begin[at(j)];
    }
    return -1;
}

int find_kinematic_body(const Model& model, int row)
{
    const std::vector<int>& rows = model.bodies.kinematic_index;
    const auto found = std::find(rows.begin(), rows.end(), row);
    return found == rows.end() ? -1 : static_cast<int>(found - rows.begin());
}

/// The actuator that has this activation, or nothing.
std::string name_activation(const Model& model, int index)
{
    const Actuators& actuators = model.actuators;
    for (int a = 0; a < model.actuator_count(); ++a)
    {
        const int begin = actuators.act_begin[at(a)];
        if (begin >= 0 && index >= begin && index < begin + actuators.act_size[at(a)])
            return " of actuator " + quote(actuators.name[at(a)]);
    }
    return {};
}

}  // namespace

std::string quote(const std::string& name) { return '"' + name + '"'; }

std::string name_dof(const Model& model, int dof)
{
    return "joint " + quote(model.joints.name[at(model.dofs.joint[at(dof)])]);
}

std::string name_body(const Model& model, int body) { return "body " + quote(model.bodies.name[at(body)]); }

bool has_bad_number(const ControlView& control, const ConstWorldView& world, double time)
{
    Screen screen;
    screen.add(control.input);
    screen.add(control.joint_force);
    screen.add(control.body_wrench);
    screen.add(control.target);
    screen.add(control.surface_velocity);
    screen.add(world.q);
    screen.add(world.v);
    screen.add(world.act);
    screen.add(world.body_pose);
    screen.add(world.body_velocity);
    screen.add(&time, 1);
    return screen.found();
}

bool has_bad_input(const ControlView& control)
{
    Screen screen;
    screen.add(control.input);
    return screen.found();
}

BadNumber find_bad_number(const Model& model, const ControlView& control, const ConstWorldView& world, double time)
{
    // From outside in: inputs first, then the state that the step begins with.
    if (const int i = find_bad(control.input); i >= 0) return {.array = "control.input", .index = i};
    if (const int i = find_bad(control.joint_force); i >= 0)
        return {.array = "control.joint_force", .index = i, .dof = i};
    if (const int i = find_bad(control.body_wrench); i >= 0)
        return {.array = "control.body_wrench", .index = i, .body = i};
    if (const int i = find_bad(control.target); i >= 0)
        return {.array = "control.target", .index = i, .body = find_kinematic_body(model, i)};
    if (const int i = find_bad(control.surface_velocity); i >= 0)
        return {.array = "control.surface_velocity", .index = i, .body = model.shapes.body[at(i)]};
    if (!is_finite(time)) return {.array = "state.time", .index = 0};
    if (const int i = find_bad(world.v); i >= 0) return {.array = "state.v", .index = i, .dof = i};
    if (const int i = find_bad(world.q); i >= 0) return {.array = "state.q", .index = i, .dof = find_dof(model, i)};
    if (const int i = find_bad(world.act); i >= 0) return {.array = "state.act", .index = i};
    if (const int i = find_bad(world.body_pose); i >= 0) return {.array = "state.body_pose", .index = i, .body = i};
    if (const int i = find_bad(world.body_velocity); i >= 0)
        return {.array = "state.body_velocity", .index = i, .body = i};
    return {};
}

std::string describe_bad_number(const Model& model, const BadNumber& bad)
{
    const std::string_view array = bad.array;
    const std::string dof = bad.dof >= 0 ? " of " + name_dof(model, bad.dof) : "";
    const std::string body = bad.body >= 0 ? " of " + name_body(model, bad.body) : "";
    std::string what = "the time";
    if (array == "control.input") what = "the input of actuator " + quote(model.actuators.name[at(bad.index)]);
    if (array == "control.joint_force") what = "the force on " + name_dof(model, bad.index);
    if (array == "control.body_wrench") what = "the wrench on " + name_body(model, bad.index);
    if (array == "control.target") what = "the target" + body;
    if (array == "control.surface_velocity")
        what = "the surface velocity of shape " + quote(model.shapes.name[at(bad.index)]);
    if (array == "state.v") what = "the velocity" + dof;
    if (array == "state.q") what = "a coordinate" + dof;
    if (array == "state.act") what = "an activation" + name_activation(model, bad.index);
    if (array == "state.body_pose") what = "the pose" + body;
    if (array == "state.body_velocity") what = "the velocity" + body;
    return what + " (" + bad.array + '[' + std::to_string(bad.index) + "]) is not a finite number";
}

}  // namespace rattleback
