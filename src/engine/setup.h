// Setup: a model, a solver and their parameters, checked against each other.
#pragma once

#include <rattleback/solver.h>

namespace rattleback
{

/// What a run needs, all of it valid.
struct Setup
{
    std::shared_ptr<const Model> model;
    const SolverInfo* info = nullptr;
    Parameters parameters;
    double dt = 0;  ///< [s]
    bool timings = false;
    std::optional<std::uint64_t> sensor_noise = std::nullopt;
    std::shared_ptr<const void> prepared = nullptr;  ///< what SolverInfo::prepare returned
    std::string reason = {};                         ///< why "auto" took this solver; empty when it was named
    std::vector<Error> warnings = {};                ///< of the solver, and of parameters that stand for something else

    std::unique_ptr<Solver> make_solver() const;
};

/// True where the solver has contacts and its parameters do not leave them out.
bool has_contacts(const Setup& setup);

/// What a run may not switch on, because the solver lacks it and was not told to leave it out.
struct LackingSwitches
{
    std::vector<int> equalities;
    bool surfaces = false;  ///< the solver has contacts, and does not know surfaces that run
};
LackingSwitches find_lacking_switches(const Setup& setup);

/// The setup of a named solver or of "auto", or every mistake at once; a refusal names a solver that runs the model.
/// `dt` 0: the model's.
Result<Setup> make_setup(std::shared_ptr<const Model> model, std::string_view solver, double dt,
                         const Parameters& overrides);

/// The same for a solver that need not be in the list.
Result<Setup> make_setup(std::shared_ptr<const Model> model, const SolverInfo& info, double dt,
                         const Parameters& overrides);

}  // namespace rattleback
