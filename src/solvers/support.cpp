// Whether a solver can run a model: the features used, less those supported and those it was told to ignore; and pairs
// of shapes.
#include <rattleback/solver.h>

#include "base/index.h"

#include <algorithm>

namespace rattleback
{

namespace
{

bool contains(const std::vector<Feature>& features, Feature feature)
{
    return std::find(features.begin(), features.end(), feature) != features.end();
}

/// The features that the parameters tell the solver to leave out.
Result<std::vector<Feature>> find_ignored(const SolverInfo& info, const Parameters& parameters)
{
    if (!info.ignored) return std::vector<Feature>{};
    return info.ignored(parameters);
}

/// True if the solver has a parameter `ignore` that takes this feature.
bool can_ignore(const SolverInfo& info, const Parameters& parameters, Feature feature)
{
    const auto ignore = parameters.find("ignore");
    if (ignore == parameters.end() || !std::holds_alternative<std::string>(ignore->second)) return false;
    Parameters trial = parameters;
    trial.insert_or_assign("ignore", std::string(to_string(feature)));
    const Result<std::vector<Feature>> ignored = find_ignored(info, trial);
    return ignored.ok() && contains(ignored.value(), feature);
}

/// The value of `ignore` that would let the model run: what is ignored already, and all that is missing and can be.
std::string make_ignore_value(const SolverInfo& info, const Parameters& parameters,
                              const std::vector<FeatureUse>& missing)
{
    const auto ignore = parameters.find("ignore");
    const std::string* present = ignore == parameters.end() ? nullptr : std::get_if<std::string>(&ignore->second);
    std::string value = present == nullptr ? "" : *present;
    for (const FeatureUse& use : missing)
    {
        if (can_ignore(info, parameters, use.feature))
            value += (value.empty() ? "" : ",") + std::string(to_string(use.feature));
    }
    return value;
}

std::string describe_shape(const Model& model, int shape)
{
    const Shapes& shapes = model.shapes;
    const bool exact =
        shapes.type[at(shape)] == ShapeType::mesh && shapes.mesh_collide[at(shape)] == MeshCollide::exact;
    return (exact ? "exact " : "") + std::string(to_string(shapes.type[at(shape)]));
}

/// Of two shapes that may collide and that find_contacts would have no answer for.
Error refuse_pair(const SolverInfo& info, const Model& model, const PairCandidate& pair)
{
    const Shapes& shapes = model.shapes;
    return {.code = ErrorCode::unsupported,
            .where = "shapes '" + shapes.name[at(pair.first)] + "' and '" + shapes.name[at(pair.second)] + "'",
            .message = "may collide, and solver '" + std::string(info.name) + "' knows no contact between " +
                       describe_shape(model, pair.first.index) + " and " + describe_shape(model, pair.second.index),
            .hint = "use other shapes (a mesh may collide as its hull), or keep the two apart by category and mask"};
}

/// The integrator `implicit` keeps a full matrix of each tree of dofs.
std::optional<Error> refuse_large_tree(const Model& model, const Parameters& parameters)
{
    constexpr int kLargestTree = 2000;  // 32 MB
    const auto given = parameters.find("integrator");
    if (given == parameters.end()) return std::nullopt;
    const auto* name = std::get_if<std::string>(&given->second);
    const Integrator integrator =
        (name != nullptr ? parse_integrator(*name) : std::nullopt).value_or(model.settings.integrator);
    if (integrator != Integrator::implicit) return std::nullopt;
    // Dofs by the first of their tree; parents come before their children.
    std::vector<int> first(model.dofs.parent.size()), count(model.dofs.parent.size());
    for (std::size_t d = 0; d < first.size(); ++d)
    {
        const int parent = model.dofs.parent[d];
        first[d] = parent < 0 ? static_cast<int>(d) : first[at(parent)];
        if (++count[at(first[d])] <= kLargestTree) continue;
        const std::string& body = model.bodies.name[at(model.dofs.body[at(first[d])])];
        return Error{.code = ErrorCode::unsupported,
                     .where = "body '" + body + "'",
                     .message = "carries a tree of more than " + std::to_string(kLargestTree) +
                                " dofs, too many for the integrator 'implicit'",
                     .hint = "parameters = {{\"integrator\", \"implicitfast\"}}"};
    }
    return std::nullopt;
}

}  // namespace

std::vector<Error> check_support(const SolverInfo& info, const Model& model, const Parameters& parameters)
{
    const Result<std::vector<Feature>> ignored = find_ignored(info, parameters);
    if (!ignored.ok()) return ignored.errors();

    std::vector<FeatureUse> missing = features_used(model);
    std::erase_if(missing, [&](const FeatureUse& use)
                  { return contains(info.supports, use.feature) || contains(ignored.value(), use.feature); });

    std::vector<Error> errors;
    Parameters mended = parameters;
    const std::string ignore_value = make_ignore_value(info, parameters, missing);
    if (!ignore_value.empty()) mended.insert_or_assign("ignore", ignore_value);
    const Result<std::vector<Feature>> would_ignore = find_ignored(info, mended);
    for (const FeatureUse& use : missing)
    {
        Error error{.code = ErrorCode::unsupported,
                    .where = use.element,
                    .message = "uses " + std::string(to_string(use.feature)) + ", which solver '" +
                               std::string(info.name) + "' does not support"};
        if (would_ignore.ok() && contains(would_ignore.value(), use.feature))
        {
            error.hint = "to run without: parameters = {{\"ignore\", \"" + ignore_value + "\"}}";
        }
        errors.push_back(std::move(error));
    }
    if (std::optional<Error> refused = refuse_large_tree(model, parameters)) errors.push_back(std::move(*refused));
    const bool asks_for_contacts = contains(info.supports, Feature::contact) && !info.finds_own_contacts;
    if (!asks_for_contacts || contains(ignored.value(), Feature::contact)) return errors;
    if (const std::optional<PairCandidate> pair = find_unsupported_pair(model))
        errors.push_back(refuse_pair(info, model, *pair));
    return errors;
}

}  // namespace rattleback
