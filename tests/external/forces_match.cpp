// Forces and accelerations of the convex problem against MuJoCo's, with its contacts injected, for every method and
// cone.
#include "external/contact_states.h"

#include "dynamics/forces.h"
#include "dynamics/integrate.h"
#include "dynamics/mass_matrix.h"
#include "solvers/convex/solve.h"

#include <rattleback/import.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>

namespace rattleback
{
namespace
{

using convex::Method;

constexpr int kStates = 20;

std::size_t at(int i) { return static_cast<std::size_t>(i); }

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
        state_.q = at_state.q;
        state_.v = at_state.v;
        state_.act = at_state.act;
        control_.input = at_state.input;
        load_world(w_, 0, state_.world(), control_.world());
        std::vector<KinematicMotion> motions;
        for (const int b : tree_.kinematic_bodies)
        {
            const Pose& pose = state_.body_pose[at(b)];
            motions.push_back({pose, pose, {}, {}});
        }
        place_kinematic_bodies<double>(w_, 0, motions, 0, options.dt);
        StageTimer timer(false);
        compute_position_stage(w_, timer);
        compute_velocity_stage(w_, options.dt, timer);
        factor_mass_matrix(w_);
        build_rows(w_, contacts, options, rows_);
        smooth = w_.total;
        solve_in_place<double>(w_, smooth);
    }

    convex::SolveReport solve(const convex::SolveOptions& options)
    {
        acceleration.resize(smooth.size());
        joint_force.resize(smooth.size());
        force.resize(at(rows_.count()));
        const convex::System system{model_.dofs.row_begin, model_.dofs.row_column, w_.mass_matrix, smooth, w_.total,
                                    tree_of_dof_,          model_.dofs.body,       &rows_};
        return solver_.solve(system, options, {}, {acceleration, joint_force, force});
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
};
constexpr Case kCases[] = {
    {false, 1, Method::newton, 1000, "Newton dense, pyramidal"},
    {true, 1, Method::newton, 1000, "Newton dense, elliptic"},
    {true, 10, Method::newton, 1000, "Newton dense, elliptic, impratio 10"},
    {false, 1, Method::newton, 0, "Newton sparse, pyramidal"},
    {true, 10, Method::newton, 0, "Newton sparse, elliptic, impratio 10"},
    {false, 1, Method::cg, 0, "CG, pyramidal"},
    {true, 1, Method::cg, 0, "CG, elliptic"},
    {false, 1, Method::pgs, 0, "PGS, pyramidal"},
    {true, 1, Method::pgs, 0, "PGS, elliptic"},
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
/// begins again from its last answer a few times.
lab::OracleConstraints find_minimum(lab::Oracle& oracle, const ContactState& state, const Case& c)
{
    lab::OracleConstraintOptions options{
        .elliptic = c.elliptic, .impratio = c.impratio, .iterations = 1000, .tolerance = 0};
    lab::OracleConstraints found = oracle.find_constraints(state.as_input(), options);
    options.warmstart = true;
    for (int again = 0; again < 3; ++again) found = oracle.find_constraints(state.as_input(), options);
    return found;
}

/// Every method of ours, tight, against MuJoCo's Newton, tight. Row forces are compared where they are unique enough to
/// be: all rows have a regulariser, so the minimum is unique, yet its conditioning can be poor.
void expect_same_forces(const std::string& path)
{
    const Result<Imported> imported = load_mjcf(path);
    ASSERT_TRUE(imported.ok()) << to_text(imported.errors());
    Result<lab::Oracle> loaded = lab::Oracle::load_file(path);
    ASSERT_TRUE(loaded.ok()) << to_text(loaded.errors());
    const Model& model = imported.value().model;
    lab::Oracle oracle = std::move(loaded).value();
    Forward ours(model);
    const std::vector<ContactState> states = find_contact_states(model, path, oracle, kStates);
    int pgs_count = 0;
    for (std::size_t i = 0; i < states.size(); ++i)
    {
        for (const Case& c : kCases)
        {
            if (c.method != Method::newton && i % 4 != 0) continue;  // slow where the problem is stiff
            SCOPED_TRACE("state " + std::to_string(i) + ", " + c.title);
            const lab::OracleConstraints theirs = find_minimum(oracle, states[i], c);
            ours.build(states[i], theirs.contacts,
                       {.dt = model.settings.dt,
                        .cone = c.elliptic ? FrictionCone::elliptic : FrictionCone::pyramidal,
                        .impratio = c.impratio});
            convex::SolveOptions options{.method = c.method, .dense_limit = c.dense_limit};
            options.limits = {.iterations = c.method == Method::newton ? 200
                                            : c.method == Method::cg   ? 20000
                                                                       : 3000,
                              .tolerance = 1e-26,
                              .line_iterations = 100,
                              .line_tolerance = 1e-3};
            // Gauss-Seidel needs millions of sweeps where random poses overlap deeply: those are left out
            const convex::SolveReport report = ours.solve(options);
            if (c.method == Method::pgs && !report.converged) continue;
            pgs_count += c.method == Method::pgs ? 1 : 0;
            expect_near(ours.smooth, theirs.smooth_acceleration, "smooth acceleration");
            expect_near(ours.acceleration, theirs.acceleration, "acceleration");
            expect_near(ours.joint_force, joint_force_of(theirs), "joint forces of constraints");
            expect_near(ours.force, theirs.force, "row forces");
            if (testing::Test::HasFailure()) return;
        }
    }
    EXPECT_GE(pgs_count, kStates / 8);
}

class PublishedForces : public testing::TestWithParam<const char*>
{
};

TEST_P(PublishedForces, are_those_of_mujoco_for_every_method_and_cone)
{
    const char* given = std::getenv("RATTLEBACK_DATA");
    const std::filesystem::path data =
        given != nullptr ? given : std::filesystem::path(RATTLEBACK_SOURCE_DIR) / ".." / "shared" / "data";
    const std::filesystem::path path = data / "mjcf" / GetParam();
    if (!std::filesystem::exists(path)) GTEST_SKIP() << path << " is not here: set RATTLEBACK_DATA";
    SKIP_WITHOUT_MUJOCO();
    expect_same_forces(path.string());
}
INSTANTIATE_TEST_SUITE_P(Mjcf, PublishedForces,
                         testing::Values("mujoco/model/humanoid/humanoid.xml", "menagerie/shadow_hand/scene_right.xml",
                                         "menagerie/leap_hand/scene_right.xml",
                                         "menagerie/wonik_allegro/scene_right.xml", "menagerie/unitree_g1/scene.xml",
                                         "menagerie/franka_emika_panda/scene.xml", "mujoco/model/car/car.xml"),
                         [](const auto& file)
                         {
                             std::string title = std::filesystem::path(file.param).replace_extension().string();
                             std::ranges::replace_if(
                                 title, [](char c) { return std::isalnum(static_cast<unsigned char>(c)) == 0; }, '_');
                             return title;
                         });

}  // namespace
}  // namespace rattleback
