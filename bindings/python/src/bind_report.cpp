// StepReport, Energy, Momentum: what a step did, and what a world has.
#include "objects.h"

#include <nanobind/stl/string.h>

namespace rattleback::python
{

namespace
{

nb::object find_seconds(const StepReport& report)
{
    nb::dict seconds;
    for (int i = 0; i < kStageCount; ++i)
        seconds[to_string(static_cast<Stage>(i))] = report.seconds[static_cast<std::size_t>(i)];
    return seconds;
}

}  // namespace

nb::object to_python(const Energy& energy) { return find_class("Energy")(energy.kinetic, energy.potential); }
nb::object to_python(const Momentum& momentum)
{
    const std::int64_t three = 3;
    const auto array = [&](const Vec3& value) { return make_array({value.x, value.y, value.z}, {&three, 1}); };
    return find_class("Momentum")(array(momentum.linear), array(momentum.angular));
}

nb::object to_python(StepDerivatives derivatives)
{
    const auto array = [](DenseMatrix& matrix)
    {
        const std::int64_t shape[2] = {matrix.rows, matrix.columns};
        return make_array(std::move(matrix.values), shape);
    };
    return find_class("StepDerivatives")(array(derivatives.by_state), array(derivatives.by_control),
                                         array(derivatives.by_stiffness), array(derivatives.by_damping),
                                         derivatives.analytic, nb::cast(derivatives.report), derivatives.reason,
                                         derivatives.one_sided, derivatives.jumping);
}

void bind_report(nb::module_& module)
{
    nb::class_<StepReport> report(module, "StepReport", doc("StepReport"));
    report.def(nb::init<>());
    report.def_prop_ro(
        "status", [](const StepReport& self) { return to_string(self.status); },
        nb::sig("def status(self) -> typing.Literal['ok', 'not_converged', 'diverged', 'capacity']"),
        "'ok'; 'not_converged': committed, but the residual is above the tolerance; 'diverged' and 'capacity': not "
        "committed, state and memory are as before.");
    report.def_prop_ro(
        "ok", [](const StepReport& self) { return self.status == StepStatus::ok; }, "Whether the status is 'ok'.");
    report.def_prop_ro(
        "committed", [](const StepReport& self)
        { return self.status == StepStatus::ok || self.status == StepStatus::not_converged; },
        "Whether the step was taken.");
    report.def_ro("iterations", &StepReport::iterations);
    report.def_ro("residual", &StepReport::residual, doc("StepReport::residual"));
    report.def_ro("contact_count", &StepReport::contact_count);
    report.def_ro("deepest_penetration", &StepReport::deepest_penetration, doc("StepReport::deepest_penetration"));
    report.def_ro("substeps", &StepReport::substeps, doc("StepReport::substeps"));
    report.def_ro("unconverged_steps", &StepReport::unconverged_steps, doc("StepReport::unconverged_steps"));
    report.def_ro("frozen_steps", &StepReport::frozen_steps, doc("StepReport::frozen_steps"));
    report.def_ro("removed_energy", &StepReport::removed_energy, doc("StepReport::removed_energy"));
    report.def_ro("culprit_dof", &StepReport::culprit_dof, doc("StepReport::culprit_dof"));
    report.def_prop_ro(
        "culprit_body", [](const StepReport& self) { return to_python(self.culprit_body); },
        nb::sig("def culprit_body(self) -> rattleback._base.BodyId | None"), doc("StepReport::culprit_body"));
    report.def_prop_ro(
        "culprit_array", [](const StepReport& self) { return std::string(self.culprit_array); },
        nb::sig("def culprit_array(self) -> str"), doc("StepReport::culprit_array"));
    report.def_ro("culprit_index", &StepReport::culprit_index, "of the item in culprit_array; -1: none");
    report.def_ro("needed_capacity", &StepReport::needed_capacity);
    report.def_ro("mean_acceleration", &StepReport::mean_acceleration, doc("StepReport::mean_acceleration"));
    report.def_prop_ro("seconds", &find_seconds, nb::sig("def seconds(self) -> dict[str, float]"),
                       "Seconds per stage; zero unless timings were asked for.");
    report.def("__repr__",
               [](const StepReport& self)
               {
                   return std::string("<rattleback.StepReport: ") + to_string(self.status) + ", " +
                          std::to_string(self.iterations) + " iterations, " + std::to_string(self.contact_count) +
                          " contacts>";
               });
}

}  // namespace rattleback::python
