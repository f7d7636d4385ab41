// Which models are solved by sweeps: docs/decisions/012-sweeps-or-corrections.md.
#include "solvers/comfree/comfree.h"
#include "solvers/comfree/sweep_solver.h"

#include "solvers/shared/adhesion.h"
#include "solvers/shared/tree_of_dof.h"

#include "dynamics/tree.h"

#include <algorithm>

namespace rattleback::comfree
{

namespace
{

/// Loose things: a robot and a few objects. More may be a pile, which sweeps do not carry.
constexpr int kMostLoose = 4;

/// Whether a tendon with rows leads from one tree to another: sweeps take trees for joined by contacts alone.
bool ties_trees(const Model& model, const RowOptions& rows)
{
    const Tree tree(model);
    const std::vector<int> tree_of_dof = find_tree_of_dof(model);
    for (int t = 0; t < model.tendon_count(); ++t)
    {
        // Tendons without rows are forces, and tie nothing.
        const bool has_rows = (rows.limits && model.tendons.range[at(t)].limited) ||
                              (rows.dry_friction && model.tendons.dry_friction[at(t)] > 0);
        const int begin = tree.tendon.begin[at(t)], end = tree.tendon.begin[at(t) + 1];
        for (int k = begin; k < end && has_rows; ++k)
        {
            const int first = tree_of_dof[at(tree.tendon.dof[at(begin)])];
            if (tree_of_dof[at(tree.tendon.dof[at(k)])] != first) return true;
        }
    }
    return false;
}

/// Rows that sweeps do not have.
bool needs_corrections(const Model& model, const Options& options)
{
    const auto& [types, ranges] = std::tie(model.joints.type, model.joints.range);
    // Limits of balls, equalities, ellipses: rows that only the corrections have.
    bool balls = false;
    for (std::size_t j = 0; j < types.size(); ++j) balls |= types[j] == JointType::ball && ranges[j].limited;
    const auto has_two = [](const std::array<double, 2>& second) { return second[0] >= 0 || second[1] >= 0; };
    const bool elliptic = has_two(model.settings.second_friction) ||
                          std::any_of(model.pairs.begin(), model.pairs.end(),
                                      [&](const ShapePair& pair) { return has_two(pair.second_friction); });
    const RowOptions& rows = options.rows;
    return (rows.equality && !model.equalities.type.empty()) || (rows.limits && balls) || (rows.contacts && elliptic) ||
           ((rows.limits || rows.dry_friction) && ties_trees(model, rows));
}

/// A tree of several bodies, and few things that may be piled up: trees that float, and single bodies on slides. Other
/// trees that stand on the world (arms, the fingers of a hand, levers) are not counted, however many there are.
bool is_robot(const Model& model)
{
    struct Kind
    {
        int bodies = 0;
        bool floats = false, slides = false;
    };
    const std::vector<int> tree_of_dof = find_tree_of_dof(model);
    std::vector<Kind> trees;
    for (int d = 0; d < model.v_count(); ++d)
    {
        const std::size_t tree = at(tree_of_dof[at(d)]);
        if (trees.size() <= tree) trees.resize(tree + 1);
        const JointType type = model.joints.type[at(model.dofs.joint[at(d)])];
        trees[tree].floats |= type == JointType::free;
        trees[tree].slides |= type == JointType::slide;
        if (d == 0 || model.dofs.body[at(d)] != model.dofs.body[at(d - 1)]) ++trees[tree].bodies;
    }
    // A robot, and no more loose things than sweeps can carry.
    int loose = 0;
    bool has_robot = false;
    for (const Kind& tree : trees)
    {
        loose += tree.floats || (tree.slides && tree.bodies == 1) ? 1 : 0;
        has_robot |= tree.bodies > 1;
    }
    return has_robot && loose <= kMostLoose;
}

/// Four stages: packs of sweeps have one.
bool has_stages(const Options& options)
{
    return options.integrator == Integrator::rk4 || options.integrator == Integrator::lie_rk4;
}

/// What sweeps cannot do of what is asked for; empty: nothing.
std::string_view find_obstacle(const Model& model, const Options& options)
{
    if (has_stages(options)) return "four stages of Runge-Kutta are not swept";
    if (options.anchor) return "anchors are not swept";
    if (has_adhesion(model) || has_sticky_surfaces(model)) return "adhesion is not swept";
    return needs_corrections(model, options) ? "it has rows that are not swept (equalities, limits of balls, second "
                                               "coefficients of friction, tendons between trees)"
                                             : "";
}

}  // namespace

bool uses_sweeps(const Model& model, const Options& options)
{
    if (options.law != Law::stable || options.method == Method::direct) return false;
    if (!find_obstacle(model, options).empty()) return false;
    return options.method == Method::sweeps || is_robot(model);
}

std::vector<Error> find_unswept(const Model& model, const Parameters& parameters)
{
    const Options options = read_options(model, parameters);
    const std::string_view obstacle = find_obstacle(model, options);
    if (options.law != Law::stable || obstacle.empty()) return {};
    // Asked for; or left to the solver and lost by a setting, not by the model.
    Options plain = options;
    plain.integrator = Integrator::implicitfast;
    plain.anchor = false;
    const bool lost = options.method == Method::automatic && uses_sweeps(model, plain);
    if (options.method != Method::sweeps && !lost) return {};
    const std::string hint = has_stages(options) ? "all other integrators are swept"
                             : options.anchor    ? "anchor = false is swept"
                                                 : "method = direct says so";
    return {{.code = ErrorCode::invalid_value,
             .where = "solver 'comfree'",
             .message = "solves this model by corrections, one world at a time and several times slower than packs by "
                        "sweeps: " +
                        std::string(obstacle),
             .hint = hint}};
}

}  // namespace rattleback::comfree
