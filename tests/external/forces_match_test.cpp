// Forces and accelerations of the convex problem against MuJoCo's, with its contacts injected, for every method and
// cone.
#include "base/index.h"
#include "external/contact_states.h"
#include "external/data.h"
#include "external/model_file.h"
#include "external/rows_match.h"
#include "lab/scenes/scenes.h"

#include "dynamics/forces.h"
#include "dynamics/integrate.h"
#include "dynamics/mass_matrix.h"
#include "solvers/convex/solve.h"

#include <rattleback/export.h>
#include <rattleback/import.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>

namespace rattleback
{
namespace
{

using convex::Method;

constexpr int kForceStates = 20, kSceneStates = 8;

/// Our forward dynamics with given contacts.
class Forward
{
public:
    explicit Forward(const Model& model) : model_(model), tree_(model), w_(tree_), state_(model), control_(model)
    {
        std::vector<int> tree_of(at(model.body_count()), -1);
        int trees = 0;
        for (int d = 0; d < model.v_count(); ++d)
        {
            int& tree = tree_of[at(model.bodies.root[at(model.dofs.body[at(d)])])];
            if (tree < 0) tree = trees++;
            tree_of_dof_.push_back(tree);
        }
    }

    void build(const ContactState& at_state, const Contacts& contacts, const RowOptions& options)
    {
        place_and_build(at_state, contacts, options, tree_, state_, control_, w_, rows_);
        smooth.assign(w_.total.begin(), w_.total.end());
        solve_in_place<double>(w_, smooth);
    }

    convex::SolveReport solve(const convex::SolveOptions& options)
    {
        acceleration.resize(smooth.size());
        joint_force.resize(smooth.size());
        force.resize(at(rows_.count()));
        const convex::WorldProblem system{
            model_.dofs.row_begin, model_.dofs.row_column, w_.mass_matrix, smooth, w_.total,
            tree_of_dof_,          model_.dofs.body,       &rows_};
        return solver_.minimise(system, options, {}, {acceleration, joint_force, force});
    }

    std::vector<double> smooth, acceleration, joint_force, force;

private:
    const Model& model_;
    Tree tree_;
    Workspace<double> w_;
    State state_;
    Control control_;
    ConstraintRows rows_;
    std::vector<int> tree_of_dof_;
    convex::WorldSolver solver_;
};

struct Case
{
    bool elliptic;
    double impratio;
    Method method;
    int dense_limit;
    const char* title;
    int noslip = 0;  ///< sweeps
};
constexpr Case kNewton[] = {
    {false, 1, Method::newton, 1000, "Newton dense, pyramidal"},
    {true, 1, Method::newton, 1000, "Newton dense, elliptic"},
    {true, 10, Method::newton, 1000, "Newton dense, elliptic, impratio 10"},
    {false, 1, Method::newton, 0, "Newton sparse, pyramidal"},
    {true, 1, Method::newton, 0, "Newton sparse, elliptic"},
    {true, 10, Method::newton, 0, "Newton sparse, elliptic, impratio 10"},
};
constexpr Case kOthers[] = {
    {false, 1, Method::cg, 0, "CG, pyramidal"},
    {true, 1, Method::cg, 0, "CG, elliptic"},
    {false, 1, Method::pgs, 0, "PGS, pyramidal"},
    {true, 1, Method::pgs, 0, "PGS, elliptic"},
};
constexpr int kSweeps = 10'000;
constexpr Case kNoSlip[] = {
    {false, 1, Method::newton, 1000, "no slip, pyramidal", kSweeps},
    {true, 1, Method::newton, 1000, "no slip, elliptic", kSweeps},
};

/// Jᵀ f of MuJoCo's answer.
std::vector<double> joint_force_of(const lab::OracleConstraints& theirs)
{
    const std::size_t dofs = theirs.acceleration.size();
    std::vector<double> out(dofs);
    for (std::size_t r = 0; r < theirs.force.size(); ++r)
    {
        for (std::size_t d = 0; d < dofs; ++d) out[d] += theirs.jacobian[r * dofs + d] * theirs.force[r];
    }
    return out;
}

/// MuJoCo's Newton until nothing changes: its own test of improvement stops at the square root of the precision, so it
/// begins again from its last answer a few times. No slip follows once, after the last.
lab::OracleConstraints find_minimum(lab::Oracle& oracle, const ContactState& state, const Case& c)
{
    lab::OracleConstraintOptions options{
        .elliptic = c.elliptic, .impratio = c.impratio, .iterations = 1000, .tolerance = 0, .noslip_tolerance = -1};
    lab::OracleConstraints found = oracle.find_constraints(state.as_input(), options);
    options.warmstart = true;
    for (int again = 0; again < 3; ++again)
    {
        if (again == 2) options.noslip_iterations = c.noslip;
        found = oracle.find_constraints(state.as_input(), options);
    }
    return found;
}

convex::SolveOptions tight_options(const Case& c)
{
    convex::SolveOptions options{.method = c.method, .dense_limit = c.dense_limit};
    options.limits = {.iterations = c.method == Method::newton ? 200
                                    : c.method == Method::cg   ? 20'000
                                                               : 3000,
                      .tolerance = 1e-26,
                      .line_iterations = 100,
                      .line_tolerance = 1e-3};
    options.noslip_iterations = c.noslip;
    options.noslip_tolerance = -1;  // all sweeps
    return options;
}

double find_largest(const std::vector<double>& values)
{
    double largest = 0;
    for (const double value : values) largest = std::max(largest, std::abs(value));
    return largest;
}

/// Whether the second half of the sweeps changes nothing any more.
bool has_settled(Forward& ours, Case c)
{
    ours.solve(tight_options(c));
    const std::vector<double> all = ours.joint_force;
    c.noslip /= 2;
    ours.solve(tight_options(c));
    double apart = 0;
    for (std::size_t d = 0; d < all.size(); ++d) apart = std::max(apart, std::abs(all[d] - ours.joint_force[d]));
    return apart <= 0.01 * kMatchTolerance * find_largest(all);
}

/// How many comparisons were made with each method.
struct Compared
{
    int newton = 0, cg = 0, pgs = 0;
};

/// Methods of ours, tight, against MuJoCo's Newton, tight, at `states_wanted` states. All rows have a regulariser, so
/// the minimum is unique and row forces can be compared; without slip they are not, joint forces are.
Compared expect_same_forces(const std::string& path, std::span<const Case> cases, int states_wanted = kForceStates)
{
    Compared compared;
    const Result<Imported> imported = load_mjcf(path);
    EXPECT_TRUE(imported.ok()) << to_text(imported.errors());
    Result<lab::Oracle> loaded = lab::Oracle::load_file(path);
    EXPECT_TRUE(loaded.ok()) << to_text(loaded.errors());
    if (testing::Test::HasFailure()) return compared;
    const Model& model = imported.value().model;
    lab::Oracle oracle = std::move(loaded).value();
    Forward ours(model);
    const std::vector<ContactState> states = find_contact_states(model, path, oracle, states_wanted);
    for (std::size_t i = 0; i < states.size(); ++i)
    {
        for (const Case& c : cases)
        {
            SCOPED_TRACE("state " + std::to_string(i) + ", " + c.title);
            const lab::OracleConstraints theirs = find_minimum(oracle, states[i], c);
            ours.build(states[i], theirs.contacts,
                       {.dt = model.settings.dt,
                        .cone = c.elliptic ? FrictionCone::elliptic : FrictionCone::pyramidal,
                        .impratio = c.impratio});
            // Gauss-Seidel needs millions of sweeps where random poses overlap deeply: those are left out
            if (c.noslip > 0 && !has_settled(ours, c)) continue;
            const convex::SolveReport report = ours.solve(tight_options(c));
            if (c.method == Method::pgs && !report.converged) continue;
            ++(c.method == Method::pgs ? compared.pgs : c.method == Method::cg ? compared.cg : compared.newton);
            expect_near(ours.smooth, theirs.smooth_acceleration, "smooth acceleration");
            // at rest it is a small difference of the smooth acceleration and what forces do against it
            const double size = find_largest(theirs.acceleration), smooth = find_largest(theirs.smooth_acceleration);
            expect_near(ours.acceleration, theirs.acceleration, "acceleration",
                        kMatchTolerance * std::max(1.0, smooth / size));
            expect_near(ours.joint_force, joint_force_of(theirs), "joint forces of constraints");
            if (c.noslip == 0) expect_near(ours.force, theirs.force, "row forces");
            if (testing::Test::HasFailure()) return compared;
        }
    }
    return compared;
}

class PublishedForces : public testing::TestWithParam<const char*>
{
protected:
    void SetUp() override
    {
        path_ = (find_data() / "mjcf" / GetParam()).string();
        if (!std::filesystem::exists(path_)) GTEST_SKIP() << path_ << " is not here: set RATTLEBACK_DATA";
        SKIP_WITHOUT_MUJOCO();
    }

    std::string path_;
};

TEST_P(PublishedForces, of_newton_are_those_of_mujoco)
{
    EXPECT_EQ(expect_same_forces(path_, kNewton).newton, kForceStates * std::ssize(kNewton));
}

TEST_P(PublishedForces, slow_of_gradients_and_gauss_seidel_are_those_of_mujoco)
{
    const Compared compared = expect_same_forces(path_, kOthers);
    EXPECT_EQ(compared.cg, 2 * kForceStates);
    EXPECT_GE(compared.pgs, kForceStates / 2);
}

TEST_P(PublishedForces, slow_without_slip_are_those_of_mujoco)
{
    EXPECT_GE(expect_same_forces(path_, kNoSlip).newton, 0.8 * kForceStates * std::ssize(kNoSlip));
}

INSTANTIATE_TEST_SUITE_P(Mjcf, PublishedForces,
                         testing::Values("mujoco/model/humanoid/humanoid.xml", "menagerie/shadow_hand/scene_right.xml",
                                         "menagerie/leap_hand/scene_right.xml",
                                         "menagerie/wonik_allegro/scene_right.xml", "menagerie/unitree_g1/scene.xml",
                                         "menagerie/franka_emika_panda/scene.xml", "mujoco/model/car/car.xml"),
                         [](const auto& file) { return make_title(file.param); });

/// Our own scenes, as MuJoCo reads them.
Compared expect_same_forces_in_scenes(std::span<const Case> cases, int states)
{
    Compared sum;
    for (const lab::Scene& scene : lab::all_scenes())
    {
        if (scene.ignore.find("contact") == std::string_view::npos) continue;
        SCOPED_TRACE(scene.name);
        const ModelFile file(drop_custom(write_mjcf(scene.build().value()).value()));
        const Compared compared = expect_same_forces(file.path(), cases, states);
        sum.newton += compared.newton;
        sum.cg += compared.cg;
        sum.pgs += compared.pgs;
    }
    return sum;
}

TEST(ForcesMatch, slow_in_scenes_of_the_laboratory_newton_finds_those_of_mujoco)
{
    SKIP_WITHOUT_MUJOCO();
    EXPECT_GE(expect_same_forces_in_scenes(kNewton, kSceneStates).newton, 3 * kSceneStates * std::ssize(kNewton));
}

TEST(ForcesMatch, long_in_scenes_of_the_laboratory_other_methods_find_those_of_mujoco)
{
    SKIP_WITHOUT_MUJOCO();
    const Compared compared = expect_same_forces_in_scenes(kOthers, kForceStates);
    EXPECT_GE(compared.cg, 3 * kForceStates);
    EXPECT_GE(compared.pgs, kForceStates);
}

}  // namespace
}  // namespace rattleback
