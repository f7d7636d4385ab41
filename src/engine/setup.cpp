// Checks of a model, a solver and their parameters against each other.
#include "engine/setup.h"

#include "dynamics/refresh.h"
#include "solvers/advice.h"

#include <algorithm>
#include <cmath>

namespace rattleback
{

namespace
{

/// A refusal with the name of a solver that runs the model as it is, where there is one. Parameters of the caller are
/// those of the solver that refused.
std::vector<Error> name_another_solver(std::vector<Error> errors, const Model& model)
{
    // Only where a feature is missing does another solver help.
    const auto refused = std::find_if(errors.begin(), errors.end(),
                                      [](const Error& error) { return error.code == ErrorCode::unsupported; });
    if (refused == errors.end()) return errors;
    const Result<SolverChoice> other = choose_solver(model);
    if (!other.ok()) return errors;
    refused->hint +=
        (refused->hint.empty() ? "" : "; ") + std::string("solver '") + std::string(other->info->name) + "' runs it";
    return errors;
}

/// A warning for each parameter that was set and is kept as an alias.
std::vector<Error> find_aliases(const SolverInfo& info, const Parameters& parameters)
{
    std::vector<Error> warnings;
    for (const ParameterInfo& parameter : info.parameters)
    {
        // Set to its default an alias changes nothing and needs no word.
        const auto set = parameters.find(parameter.name);
        if (parameter.instead.empty() || set == parameters.end() || set->second == parameter.default_value) continue;
        warnings.push_back({.code = ErrorCode::invalid_value,
                            .where = "solver '" + std::string(info.name) + "'",
                            .message = "parameter '" + std::string(parameter.name) + "' is kept for older programs",
                            .hint = std::string(parameter.instead)});
    }
    return warnings;
}

/// Of a model that was validated.
Result<Setup> make_valid_setup(std::shared_ptr<const Model> model, const SolverInfo& info, double dt,
                               const Parameters& overrides)
{
    std::vector<Error> errors;
    const double used_dt = dt == 0 ? model->settings.dt : dt;
    if (!std::isfinite(used_dt) || used_dt <= 0)
    {
        errors.push_back({.where = "dt",
                          .message = "the timestep is " + std::to_string(used_dt) + " s",
                          .hint = "a positive number of seconds, or 0 for the model's"});
    }
    // Mistakes of timestep, parameters and features are collected before any is returned.
    Result<Parameters> parameters = make_parameters(info, *model, overrides);
    std::vector<Error> refused =
        parameters.ok() ? check_support(info, *model, parameters.value()) : parameters.errors();
    errors.insert(errors.end(), refused.begin(), refused.end());
    if (!errors.empty()) return errors;
    // Numbers that are finite each may give poses that are not.
    // Forward kinematics once: a chain of large but finite numbers may overflow.
    State initial(*model);
    refresh_bodies(*model, initial.world());
    errors = validate(*model, initial);
    if (!errors.empty()) return errors;
    // What all threads share is prepared once: particle packings for example.
    Setup setup{std::move(model), &info, std::move(parameters).value(), used_dt};
    setup.warnings = find_aliases(info, setup.parameters);
    const std::vector<Error> advice = find_advice(info, *setup.model, setup.parameters, used_dt);
    setup.warnings.insert(setup.warnings.end(), advice.begin(), advice.end());
    if (!info.prepare) return setup;
    Result<std::shared_ptr<const void>> prepared = info.prepare(*setup.model, setup.parameters);
    if (!prepared.ok()) return prepared.errors();
    setup.prepared = std::move(prepared).value();
    const std::vector<Error> starts = find_start_advice(info, setup.prepared.get());
    setup.warnings.insert(setup.warnings.end(), starts.begin(), starts.end());
    return setup;
}

}  // namespace

Result<Setup> make_setup(std::shared_ptr<const Model> model, std::string_view solver, double dt,
                         const Parameters& overrides)
{
    RB_CHECK(model != nullptr, "a simulation needs a model");
    std::vector<Error> errors = validate(*model);
    if (!errors.empty()) return errors;  // nothing else can be trusted
    if (solver == "auto")
    {
        Result<SolverChoice> choice = choose_solver(*model, overrides);
        if (!choice.ok()) return choice.errors();
        Result<Setup> setup = make_valid_setup(std::move(model), *choice->info, dt, overrides);
        if (setup.ok()) setup->reason = std::move(choice->reason);
        return setup;
    }
    const Result<const SolverInfo*> info = find_solver(solver);
    if (!info.ok()) return info.errors();
    Result<Setup> setup = make_valid_setup(model, *info.value(), dt, overrides);
    return setup.ok() ? std::move(setup) : name_another_solver(setup.errors(), *model);
}

Result<Setup> make_setup(std::shared_ptr<const Model> model, const SolverInfo& info, double dt,
                         const Parameters& overrides)
{
    RB_CHECK(model != nullptr, "a simulation needs a model");
    std::vector<Error> errors = validate(*model);
    if (!errors.empty()) return errors;
    return make_valid_setup(std::move(model), info, dt, overrides);
}

bool has_contacts(const Setup& setup)
{
    // The solver knows contacts, and its parameters do not tell it to leave them out.
    const auto has = [](const std::vector<Feature>& features)
    { return std::find(features.begin(), features.end(), Feature::contact) != features.end(); };
    if (!has(setup.info->supports)) return false;
    if (!setup.info->ignored) return true;
    const Result<std::vector<Feature>> ignored = setup.info->ignored(setup.parameters);
    return !ignored.ok() || !has(*ignored);
}

LackingSwitches find_lacking_switches(const Setup& setup)
{
    std::vector<Feature> known = setup.info->supports;
    // What a solver was told to leave out may be switched on without effect.
    if (setup.info->ignored)
    {
        const Result<std::vector<Feature>> ignored = setup.info->ignored(setup.parameters);
        if (ignored.ok()) known.insert(known.end(), ignored->begin(), ignored->end());
    }
    const auto lacks = [&](Feature feature) { return std::find(known.begin(), known.end(), feature) == known.end(); };
    LackingSwitches lacking{.surfaces = has_contacts(setup) && lacks(Feature::surface_velocity)};
    for (int e = 0; e < setup.model->equality_count(); ++e)
    {
        const bool is_cable = setup.model->equalities.type[static_cast<std::size_t>(e)] == EqualityType::cable;
        if (lacks(is_cable ? Feature::cable : Feature::equality)) lacking.equalities.push_back(e);
    }
    return lacking;
}

std::unique_ptr<Solver> Setup::make_solver() const
{
    return info->make_prepared ? info->make_prepared(*model, parameters, prepared) : info->make(*model, parameters);
}

}  // namespace rattleback
