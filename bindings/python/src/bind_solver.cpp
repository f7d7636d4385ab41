// The solvers as data, and which of them runs a model.
#include "convert.h"
#include "objects.h"

#include <rattleback/solver.h>

#include <nanobind/stl/string.h>

namespace rattleback::python
{

namespace
{

nb::object text(std::string_view words) { return nb::str(words.data(), words.size()); }

nb::object describe_parameter(const ParameterInfo& info)
{
    nb::object range = nb::none();
    if (info.range) range = nb::make_tuple(info.range->first, info.range->second);
    nb::list choices;
    for (const std::string_view choice : info.choices) choices.append(text(choice));
    return find_class("ParameterInfo")(text(info.name), text(info.unit), to_python(info.default_value), range,
                                       nb::tuple(choices), text(info.summary));
}

nb::object describe_solver(const SolverInfo& info)
{
    nb::list supports, parameters, world_parameters;
    for (const Feature feature : info.supports) supports.append(nb::str(to_string(feature)));
    for (const ParameterInfo& parameter : info.parameters) parameters.append(describe_parameter(parameter));
    for (const WorldParameter parameter : info.world_parameters) world_parameters.append(nb::str(to_string(parameter)));
    return find_class("SolverInfo")(text(info.name), text(info.summary), nb::str(to_string(info.coordinates)),
                                    nb::tuple(supports), nb::tuple(parameters), nb::tuple(world_parameters),
                                    info.solves_forward);
}

Parameters read_overrides(nb::handle given)
{
    return given.is_none() ? Parameters{} : convert<Parameters>(given, "parameters");
}

}  // namespace

void bind_solver(nb::module_& module)
{
    module.def(
        "solvers",
        []
        {
            nb::list list;
            for (const SolverInfo* info : all_solvers()) list.append(describe_solver(*info));
            return list;
        },
        nb::sig("def solvers() -> list[rattleback._base.SolverInfo]"),
        "All solvers: names, summaries, what they support, and their parameters with units, defaults and ranges.");
    module.def(
        "find_refusal",
        [](const std::string& solver, const ModelObject& model, nb::object parameters)
        {
            const SolverInfo* info = take(find_solver(solver));
            return to_list(find_refusal(*info, *model.model, read_overrides(parameters)));
        },
        nb::arg("solver"), nb::arg("model"), nb::arg("parameters") = nb::none(),
        nb::sig(
            "def find_refusal(solver: str, model: Model, parameters: collections.abc.Mapping[str, bool | int | float "
            "| str] | None = None) -> list[rattleback._base.ErrorItem]"),
        doc("find_refusal"));
    module.def(
        "choose_solver",
        [](const ModelObject& model, nb::object parameters)
        {
            const SolverChoice choice = take(choose_solver(*model.model, read_overrides(parameters)));
            return nb::make_tuple(text(choice.info->name), choice.reason);
        },
        nb::arg("model"), nb::arg("parameters") = nb::none(),
        nb::sig("def choose_solver(model: Model, parameters: collections.abc.Mapping[str, bool | int | float | str] | "
                "None = None) -> tuple[str, str]"),
        "Name of the solver that 'auto' means for a model, and why this one.");
    module.def(
        "features_used",
        [](const ModelObject& model)
        {
            nb::dict uses;
            for (const FeatureUse& use : features_used(*model.model))
                uses[to_string(use.feature)] = nb::str(use.element.c_str());
            return uses;
        },
        nb::arg("model"), nb::sig("def features_used(model: Model) -> dict[str, str]"), doc("features_used"));
}

}  // namespace rattleback::python
