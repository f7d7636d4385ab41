// Which solver runs a model when nobody names one.
#include <rattleback/solver.h>

#include <algorithm>
#include <array>

namespace rattleback
{

namespace
{

// The cheapest first: joint space without constraints, then with; what follows is for models that those refuse.
constexpr std::array<std::string_view, 8> kOrder{"smooth", "convex", "comfree", "avbd",
                                                 "pbdr",   "pbd",    "refined", "ipc"};

/// All solvers in the order in which they are tried; those that the order does not name come last.
std::vector<const SolverInfo*> list_candidates()
{
    std::vector<const SolverInfo*> candidates(all_solvers().begin(), all_solvers().end());
    const auto rank = [](const SolverInfo* info)
    { return std::find(kOrder.begin(), kOrder.end(), info->name) - kOrder.begin(); };
    std::stable_sort(candidates.begin(), candidates.end(),
                     [&](const SolverInfo* a, const SolverInfo* b) { return rank(a) < rank(b); });
    return candidates;
}

/// The one reason of several that says most: contact, or else the first.
std::string summarise(const std::vector<Error>& refusal)
{
    const auto contact = std::find_if(refusal.begin(), refusal.end(), [](const Error& error)
                                      { return error.message.find(to_string(Feature::contact)) != std::string::npos; });
    Error error = contact == refusal.end() ? refusal.front() : *contact;
    error.hint.clear();  // how to make the solver run all the same
    return error.text();
}

std::vector<Error> refuse_all(const std::vector<std::pair<const SolverInfo*, std::vector<Error>>>& refusals)
{
    std::vector<Error> errors{{.code = ErrorCode::unsupported, .where = "model", .message = "no solver runs it"}};
    for (const auto& [info, refusal] : refusals)
    {
        errors.push_back({.code = ErrorCode::unsupported,
                          .where = "solver '" + std::string(info->name) + "'",
                          .message = "refuses it: " + summarise(refusal)});
    }
    return errors;
}

}  // namespace

std::vector<Error> find_refusal(const SolverInfo& info, const Model& model, const Parameters& overrides)
{
    const Result<Parameters> parameters = make_parameters(info, model, overrides);
    if (!parameters.ok()) return parameters.errors();
    std::vector<Error> refusal = check_support(info, model, *parameters);
    if (refusal.empty() && info.prepare) refusal = info.prepare(model, *parameters).errors();
    return refusal;
}

Result<SolverChoice> choose_solver(const Model& model, const Parameters& overrides)
{
    std::string why;
    const std::string& named = model.settings.solver;
    if (!named.empty() && named != "auto")
    {
        const Result<const SolverInfo*> info = find_solver(named);
        if (!info.ok())
        {
            Error error = info.errors().front();
            error.where = "model settings: solver";
            return error;
        }
        const std::vector<Error> refusal = find_refusal(**info, model, overrides);
        if (refusal.empty()) return SolverChoice{*info, "the model's settings name it"};
        // What it does not do another may; what makes no sense to it, such as bodies that begin in each other, is told.
        const auto is_mistake = [](const Error& error) { return error.code == ErrorCode::invalid_value; };
        if (std::any_of(refusal.begin(), refusal.end(), is_mistake)) return refusal;
        why = "the model's settings name '" + named + "', which refuses: " + summarise(refusal);
    }

    std::vector<std::pair<const SolverInfo*, std::vector<Error>>> refusals;
    for (const SolverInfo* info : list_candidates())
    {
        std::vector<Error> refusal = find_refusal(*info, model, overrides);
        if (!refusal.empty())
        {
            refusals.emplace_back(info, std::move(refusal));
            continue;
        }
        if (why.empty())
            why = refusals.empty() ? "the model has no contact and nothing else that it lacks"
                                   : summarise(refusals.back().second);
        return SolverChoice{info, why};
    }
    if (overrides.empty()) return refuse_all(refusals);
    // The parameters are at fault where some solver runs the model without them: its own words name the nearest match.
    const Result<SolverChoice> plain = choose_solver(model);
    return plain.ok() ? Result<SolverChoice>(find_refusal(*plain->info, model, overrides)) : plain;
}

}  // namespace rattleback
