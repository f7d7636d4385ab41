// The words for what went wrong in a step.
#include "engine/explain.h"

#include "base/index.h"
#include "engine/bad_numbers.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

namespace rattleback
{

namespace
{

/// Three digits: 0.00123, 4.5e+09.
std::string to_short(double value)
{
    std::array<char, 32> buffer{};
    std::snprintf(buffer.data(), buffer.size(), "%.3g", value);
    return buffer.data();
}

std::string name_culprit(const Model& model, const StepReport& report)
{
    // Solvers in joint coordinates blame a dof, those that move bodies a body.
    if (report.culprit_dof >= 0 && report.culprit_dof < model.v_count()) return name_dof(model, report.culprit_dof);
    const bool body = report.culprit_body.valid() && report.culprit_body.index < model.body_count();
    return body ? name_body(model, report.culprit_body.index) : "something";
}

std::string name_deepest(const Model& model, const StepReport& report)
{
    const auto [first, second] = report.culprit_shapes;
    const auto exists = [&](ShapeId shape) { return shape.valid() && shape.index < model.shape_count(); };
    if (!exists(first) || !exists(second)) return {};
    return "; the deepest contact is " + to_short(report.culprit_depth) + " m, of shapes " +
           quote(model.shapes.name[at(first)]) + " and " + quote(model.shapes.name[at(second)]);
}

/// Of a start that a solver refuses: nothing became fast or far, and two shapes are in each other.
std::string describe_refused_start(const Model& model, const StepReport& report)
{
    const auto name = [&](ShapeId shape)
    {
        return "shape " + quote(model.shapes.name[at(shape)]) + " of " + name_body(model, model.shapes.body[at(shape)]);
    };
    const auto [first, second] = report.culprit_shapes;
    const std::string depth = report.culprit_depth > 0 ? to_short(1000 * report.culprit_depth) + " mm " : "";
    return name(first) + " and " + name(second) + " are " + depth +
           "inside each other, more than this solver takes: move them apart, or exclude the pair";
}

std::string describe_speed(const StepReport& report)
{
    // The bound that was broken; if none, the numbers themselves were not finite.
    if (report.culprit_speed > kMaxSpeed)
        return " would move at " + to_short(report.culprit_speed) + " m/s, faster than light";
    if (report.culprit_spin > kMaxSpeed) return " would turn at " + to_short(report.culprit_spin) + " rad/s";
    if (report.culprit_distance > kMaxDistance)
        return " would be " + to_short(report.culprit_distance) + " m from the origin";
    return " would leave the finite numbers";
}

/// The body with the most kinetic energy, and how much that is [J].
std::pair<int, double> find_liveliest(const Model& model, const ConstWorldView& world)
{
    const Bodies& bodies = model.bodies;
    std::pair<int, double> most{-1, 0};
    for (int b = 1; b < model.body_count(); ++b)
    {
        const Velocity& v = world.body_velocity[at(b)];
        const Quat turn = world.body_pose[at(b)].rotation * bodies.inertial_pose[at(b)].rotation;
        const Vec3 spin = rotate(conjugate(turn), v.angular), moment = bodies.inertia[at(b)];
        const double turning = moment.x * spin.x * spin.x + moment.y * spin.y * spin.y + moment.z * spin.z * spin.z;
        const double energy = 0.5 * (bodies.mass[at(b)] * dot(v.linear, v.linear) + turning);
        if (bodies.last_dof[at(b)] >= 0 && energy > most.second) most = {b, energy};
    }
    return most;
}

/// Why a step was taken in parts, which body has the energy, and what was taken.
std::string describe_parts(const Model& model, const ConstWorldView& world, const StepReport& report)
{
    std::string text = "taken in " + std::to_string(report.substeps) +
                       " parts, because a whole step would have made energy or diverged";
    if (const auto [body, energy] = find_liveliest(model, world); body >= 0)
        text += "; most energy of motion, " + to_short(energy) + " J, is in " + name_body(model, body);
    if (report.removed_energy > 0)
        text += "; " + to_short(report.removed_energy) + " J were taken from what moves within groups of bodies" +
                (report.status == StepStatus::not_converged ? ", for no number of parts kept the energy" : "");
    return text + "; a smaller timestep, armature or damping would help";
}

/// Steps that did not converge and moved nothing: the solver found no answer at all.
std::string describe_frozen(const StepReport& report)
{
    if (report.frozen_steps == 0) return {};
    return "; " + std::to_string(report.frozen_steps) + " of " + std::to_string(report.unconverged_steps) +
           " steps that did not converge moved nothing";
}

}  // namespace

std::string explain_step(const Model& model, const ControlView& control, const ConstWorldView& world, double time,
                         const StepReport& report, bool refuses_overlaps)
{
    switch (report.status)
    {
        case StepStatus::ok:
            return report.substeps > 1 ? describe_parts(model, world, report) : "";
        case StepStatus::not_converged:
            if (report.substeps > 1) return describe_parts(model, world, report) + describe_frozen(report);
            return std::to_string(report.iterations) + " iterations left a residual of " + to_short(report.residual) +
                   (report.culprit_dof >= 0 ? " at " + name_culprit(model, report) : "") + name_deepest(model, report) +
                   describe_frozen(report);
        case StepStatus::capacity:
            return "a buffer for more than " + std::to_string(report.needed_capacity) +
                   " items (contacts, or pairs of spheres that may touch in the step) is needed; a smaller timestep, "
                   "slower bodies or coarser shapes (parameters across, radius) need less";
        case StepStatus::diverged:
            break;
    }
    // A bad input explains everything that follows from it; only without one the culprit of the step is named.
    BadNumber bad = find_bad_number(model, control, world, time);
    if (!report.culprit_array.empty())
        bad = {report.culprit_array.data(), report.culprit_index, report.culprit_dof, report.culprit_body.index};
    if (bad.array != nullptr) return describe_bad_number(model, bad);
    const bool is_astray = report.culprit_speed > 0 || report.culprit_spin > 0 || report.culprit_distance > 0;
    if (refuses_overlaps && !is_astray && report.culprit_shapes.first.valid() && report.culprit_shapes.second.valid())
        return describe_refused_start(model, report);
    return name_culprit(model, report) + describe_speed(report) + name_deepest(model, report);
}

}  // namespace rattleback
