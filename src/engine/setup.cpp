// Checks of a model, a solver and their parameters against each other.
#include "engine/setup.h"

#include <cmath>

namespace rattleback
{

Result<Setup> make_setup(std::shared_ptr<const Model> model, std::string_view solver, double dt,
                         const Parameters& overrides)
{
    const Result<const SolverInfo*> info = find_solver(solver);
    if (!info.ok()) return info.errors();
    return make_setup(std::move(model), *info.value(), dt, overrides);
}

Result<Setup> make_setup(std::shared_ptr<const Model> model, const SolverInfo& info, double dt,
                         const Parameters& overrides)
{
    RB_CHECK(model != nullptr, "a simulation needs a model");
    std::vector<Error> errors = validate(*model);
    if (!errors.empty()) return errors;  // nothing else can be trusted
    const double used_dt = dt == 0 ? model->settings.dt : dt;
    if (!std::isfinite(used_dt) || used_dt <= 0)
    {
        errors.push_back({.where = "dt",
                          .message = "the timestep is " + std::to_string(used_dt) + " s",
                          .hint = "a positive number of seconds, or 0 for the model's"});
    }
    Result<Parameters> parameters = make_parameters(info, *model, overrides);
    std::vector<Error> refused =
        parameters.ok() ? check_support(info, *model, parameters.value()) : parameters.errors();
    errors.insert(errors.end(), refused.begin(), refused.end());
    if (!errors.empty()) return errors;
    Setup setup{std::move(model), &info, std::move(parameters).value(), used_dt};
    if (!info.prepare) return setup;
    Result<std::shared_ptr<const void>> prepared = info.prepare(*setup.model, setup.parameters);
    if (!prepared.ok()) return prepared.errors();
    setup.prepared = std::move(prepared).value();
    return setup;
}

std::unique_ptr<Solver> Setup::make_solver() const
{
    return info->make_prepared ? info->make_prepared(*model, parameters, prepared) : info->make(*model, parameters);
}

}  // namespace rattleback
