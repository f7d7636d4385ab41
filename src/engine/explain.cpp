// What went wrong in a step, in words with names.
#include <rattleback/simulation.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace rattleback
{

namespace
{

bool is_finite(const Vec3& v) { return std::isfinite(v.x) && std::isfinite(v.y) && std::isfinite(v.z); }
bool is_finite(const Wrench& w) { return is_finite(w.force) && is_finite(w.torque); }
bool is_finite(double x) { return std::isfinite(x); }

/// The first entry that is not finite; -1 when all are.
template <class T>
int find_bad(const std::vector<T>& list)
{
    const auto bad = std::find_if(list.begin(), list.end(), [](const T& x) { return !is_finite(x); });
    return bad == list.end() ? -1 : static_cast<int>(bad - list.begin());
}

std::string name_dof(const Model& model, int dof)
{
    const int joint = model.dofs.joint[static_cast<std::size_t>(dof)];
    return fmt::format("joint \"{}\"", model.joints.name[static_cast<std::size_t>(joint)]);
}

std::string name_body(const Model& model, int body)
{
    return fmt::format("body \"{}\"", model.bodies.name[static_cast<std::size_t>(body)]);
}

/// An input from outside that is no number; empty when all are.
std::string find_bad_input(const Model& model, const Control& control, const State& state)
{
    if (const int i = find_bad(control.input); i >= 0)
        return fmt::format("the input of actuator \"{}\"", model.actuators.name[static_cast<std::size_t>(i)]);
    if (const int i = find_bad(control.joint_force); i >= 0) return "the force on " + name_dof(model, i);
    if (const int i = find_bad(control.body_wrench); i >= 0) return "the wrench on " + name_body(model, i);
    if (const int i = find_bad(state.v); i >= 0) return "the velocity of " + name_dof(model, i);
    if (find_bad(state.q) >= 0) return "a coordinate in q";
    return {};
}

std::string name_culprit(const Model& model, const SolverInfo& solver, int culprit)
{
    const bool joints = solver.coordinates == Coordinates::joints;
    if (culprit < 0 || culprit >= (joints ? model.v_count() : model.body_count())) return "a body";
    return joints ? name_dof(model, culprit) : name_body(model, culprit);
}

std::string name_deepest(const Model& model, const Contacts& contacts)
{
    const auto deepest = std::min_element(contacts.items.begin(), contacts.items.end(),
                                          [](const Contact& a, const Contact& b) { return a.distance < b.distance; });
    if (deepest == contacts.items.end() || deepest->distance >= 0) return {};
    const auto name = [&](int shape) { return model.shapes.name[static_cast<std::size_t>(shape)]; };
    return fmt::format("; the deepest contact is {:.3g} m, of shapes \"{}\" and \"{}\"", -deepest->distance,
                       name(deepest->first_shape), name(deepest->second_shape));
}

}  // namespace

std::string Simulation::explain(const StepReport& report) const
{
    switch (report.status)
    {
        case StepStatus::ok:
            return {};
        case StepStatus::not_converged:
            return fmt::format("{} iterations left a residual of {:.3g}", report.iterations, report.residual) +
                   name_deepest(model(), contacts());
        case StepStatus::capacity:
            return fmt::format("a buffer for {} items is needed", report.needed_capacity);
        case StepStatus::diverged:
            break;
    }
    const std::string input = find_bad_input(model(), control(), state());
    if (!input.empty()) return input + " is not a finite number";
    return name_culprit(model(), solver(), report.culprit) + " would leave the finite numbers" +
           name_deepest(model(), contacts());
}

}  // namespace rattleback
