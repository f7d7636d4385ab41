// From words on the command line to a simulation: parameters, steps, and what to watch.
#pragma once

#include "commands.h"
#include "lab/metrics/drift.h"
#include "lab/scenes/scenes.h"

#include <nlohmann/json_fwd.hpp>

namespace rattleback::cli
{

/// "name=value" pairs as the types of the first of these solvers that takes the name; every mistake at once.
Result<Parameters> parse_settings(std::span<const SolverInfo* const> solvers, const std::vector<std::string>& settings);

/// The solver of that name, or the choice for "auto", and the settings as its parameters.
struct ChosenSolver
{
    SolverChoice choice;  ///< the reason is empty for a solver that was named
    Parameters parameters;
};
Result<ChosenSolver> resolve_solver(const std::string& name, const Model& model,
                                    const std::vector<std::string>& settings);

/// Steps of a run; an error where the numbers make no sense or the run would never end.
Result<std::int64_t> count_steps(const RunCommand& command, double duration, double dt);

/// Errors of a refused model, ending with the setting that would let the solver run it, where there is one.
std::vector<Error> add_ignore_hint(std::vector<Error> errors, const SolverInfo& solver, const lab::Scene& scene);

/// True when the solver takes a parameter of that name.
bool takes(const SolverInfo& solver, std::string_view parameter);

/// The point whose position is shown while a scene runs: a site called tip, tool or end, the first free body, or the
/// last.
struct Watched
{
    std::string name;
    int body = 0;
    Vec3 offset;  ///< in the body frame [m]

    Vec3 position(const State& state) const;
};
Watched find_watched(const Model& model);

std::string to_text(const ParameterValue& value);
nlohmann::json to_json(const ParameterValue& value);
nlohmann::json to_json(const Parameters& parameters);
nlohmann::json to_json(const Vec3& vector);

}  // namespace rattleback::cli
