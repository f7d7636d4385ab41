// The fast dynamics against the slow, dense, independently written one, on random forests.
#include "support/reference_dynamics.h"

#include "dynamics/forces.h"
#include "dynamics/integrate.h"
#include "dynamics/jacobian.h"
#include "dynamics/mass_matrix.h"
#include "dynamics/tendons.h"
#include "support/random_model.h"
#include "unit/dynamics/evaluate.h"

#include <gtest/gtest.h>

#include <cmath>

namespace rattleback
{
namespace
{

constexpr int kReferenceModels = 300;
constexpr double kDt = 0.002;
constexpr double kTolerance = 1e-10;  // of the array's largest entry

/// One random model at a random state, evaluated both ways.
struct Case
{
    explicit Case(std::uint64_t seed)
        : model(make_random_model(seed)),
          random(make_random_state(model, seed + 1'000'000)),
          control(make_random_control(model, seed + 2'000'000)),
          state(model),
          tree(model),
          w(tree)
    {
        state.q = random.q;
        state.v = random.v;
        state.act = random.act;
        for (const int b : tree.kinematic_bodies)
        {
            state.body_pose[b] = random.body_pose[b];
            state.body_velocity[b] = random.body_velocity[b];
        }
        refresh_bodies(model, state.world());
        load_world(w, 0, state.world(), control.world());
        std::vector<KinematicMotion> motions;
        for (const int b : tree.kinematic_bodies)
        {
            motions.push_back({state.body_pose[b], state.body_pose[b], state.body_velocity[b], state.body_velocity[b]});
        }
        place_kinematic_bodies<double>(w, 0, motions, 0, kDt);
        StageTimer timer(false);
        compute_position_stage(w, timer);
        compute_velocity_stage(w, kDt, timer);
        factor_mass_matrix(w);
        std::copy(w.total.begin(), w.total.end(), w.qacc.begin());
        solve_in_place<double>(w, w.qacc);
        reference = compute_reference(model, state.q, state.v, state.act, control.world(),
                                      {.body_pose = state.body_pose,
                                       .body_velocity = state.body_velocity,
                                       .dt = kDt,
                                       .ball_actuator_length = true});
    }

    Model model;
    RandomState random;
    Control control;
    State state;
    Tree tree;
    Workspace<double> w;
    ReferenceResult reference;
};

double largest(std::span<const double> values)
{
    double result = 1e-3;  // below this the comparison is absolute
    for (const double value : values) result = std::max(result, std::abs(value));
    return result;
}

void expect_close(std::span<const double> ours, std::span<const double> theirs, const char* what, int seed,
                  double tolerance = kTolerance)
{
    ASSERT_EQ(ours.size(), theirs.size()) << what;
    const double bound = tolerance * largest(theirs);
    for (std::size_t i = 0; i < ours.size(); ++i)
    {
        ASSERT_NEAR(ours[i], theirs[i], bound) << what << " entry " << i << " of model " << seed;
    }
}

TEST(Dynamics, poses_and_velocities_match_the_reference)
{
    for (int seed = 0; seed < kReferenceModels; ++seed)
    {
        const Case c(seed);
        for (int b = 1; b < c.model.body_count(); ++b)
        {
            const Mat3 ours = to_matrix(c.state.body_pose[b].rotation);
            expect_close(ours.m, c.reference.rotation[b].m, "rotation", seed);
            EXPECT_NEAR(norm(c.state.body_pose[b].position - c.reference.position[b]), 0, 1e-11);
            const Velocity& v = c.state.body_velocity[b];
            const double scale = 1 + norm(v.linear) + norm(v.angular);
            EXPECT_NEAR(norm(v.linear - c.reference.velocity[b].linear), 0, kTolerance * scale)
                << seed << " body " << b;
            EXPECT_NEAR(norm(v.angular - c.reference.velocity[b].angular), 0, kTolerance * scale);
            // the workspace carries the same velocities in its own form
            const Vec3 center = c.w.center[b];
            EXPECT_NEAR(norm(body_point_velocity(c.w, b, center) - v.linear), 0, kTolerance * scale);
        }
    }
}

TEST(Dynamics, the_mass_matrix_matches_the_reference)
{
    for (int seed = 0; seed < kReferenceModels; ++seed)
    {
        const Case c(seed);
        std::vector<double> theirs = c.reference.mass_matrix;
        if (c.model.tendon_count() > 0)
        {
            // tendon armature couples dofs of different branches; M keeps what lies in the tree's pattern
            const auto n = static_cast<std::size_t>(c.model.v_count());
            const std::vector<double> ones =
                to_dense(c.model, std::vector<double>(c.model.dofs.row_column.size(), 1.0));
            for (std::size_t i = 0; i < n * n; ++i) theirs[i] *= ones[i];
        }
        expect_close(to_dense(c.model, c.w.mass_matrix), theirs, "M", seed);
    }
}

TEST(Dynamics, bias_and_all_forces_match_the_reference)
{
    for (int seed = 0; seed < kReferenceModels; ++seed)
    {
        const Case c(seed);
        expect_close(c.w.tendon_length, c.reference.tendon_length, "tendon length", seed);
        expect_close(c.w.tendon_velocity, c.reference.tendon_velocity, "tendon velocity", seed);
        expect_close(c.w.actuator_length, c.reference.actuator_length, "actuator length", seed);
        expect_close(c.w.actuator_velocity, c.reference.actuator_velocity, "actuator velocity", seed);
        expect_close(c.w.actuator_force, c.reference.actuator_force, "actuator force", seed);
        expect_close(c.w.act_rate, c.reference.act_rate, "activation rate", seed);
        expect_close(c.w.actuation, c.reference.actuator, "actuation", seed);
        expect_close(c.w.applied, c.reference.applied, "applied", seed);
        // velocity products of tendon armature count as bias there and as passive here: compare the difference
        std::vector<double> ours = copy_of<double>(c.w.bias), theirs(c.reference.bias);
        for (std::size_t d = 0; d < ours.size(); ++d)
        {
            ours[d] -= c.w.passive[d];
            theirs[d] -= c.reference.passive[d];
        }
        expect_close(ours, theirs, "bias minus passive", seed);
    }
}

TEST(Dynamics, accelerations_match_the_reference)
{
    for (int seed = 0; seed < kReferenceModels; ++seed)
    {
        const auto bits = static_cast<std::uint64_t>(seed);
        RandomModelOptions options;
        options.tendon_armature = false;  // see the test of M
        const Model model = make_random_model(bits, options);
        State state(model);
        const RandomState random = make_random_state(model, bits + 7);
        state.q = random.q;
        state.v = random.v;
        state.act = random.act;
        const Control control = make_random_control(model, bits + 8);
        const Tree tree(model);
        Workspace<double> w(tree);
        load_world(w, 0, state.world(), control.world());
        StageTimer timer(false);
        compute_position_stage(w, timer);
        compute_velocity_stage(w, kDt, timer);
        factor_mass_matrix(w);
        std::copy(w.total.begin(), w.total.end(), w.qacc.begin());
        solve_in_place<double>(w, w.qacc);
        const ReferenceResult reference = compute_reference(model, state.q, state.v, state.act, control.world(),
                                                            {.dt = kDt, .ball_actuator_length = true});
        expect_close(w.qacc, reference.acceleration, "acceleration", seed);
    }
}

TEST(Dynamics, energy_and_momentum_match_the_reference)
{
    for (int seed = 0; seed < kReferenceModels; ++seed)
    {
        RandomModelOptions options;
        options.kinematic_bodies = false;  // those count as moved from outside here, as bodies there
        options.gravity_compensation = false;
        const Model model = make_random_model(static_cast<std::uint64_t>(seed), options);
        State state(model);
        const RandomState random = make_random_state(model, static_cast<std::uint64_t>(seed) + 7);
        state.q = random.q;
        state.v = random.v;
        refresh_bodies(model, state.world());
        const ReferenceResult reference = compute_reference(model, state.q, state.v, random.act);
        const Energy energy = compute_energy(model, state.world());
        const Momentum momentum = compute_momentum(model, state.world());
        EXPECT_NEAR(energy.kinetic, reference.kinetic_energy + reference.armature_energy, 1e-10 * (1 + energy.kinetic));
        double fixed = 0;  // bodies without dofs: a constant that we leave out
        for (int b = 1; b < model.body_count(); ++b)
        {
            if (model.bodies.last_dof[b] >= 0) continue;
            fixed -= model.bodies.mass[b] * dot(model.settings.gravity, reference.centre_of_mass[b]);
        }
        EXPECT_NEAR(energy.potential, reference.gravity_energy + reference.spring_energy - fixed,
                    1e-10 * (10 + std::abs(energy.potential)));
        EXPECT_NEAR(norm(momentum.linear - reference.linear_momentum), 0, 1e-10 * (1 + norm(momentum.linear)));
        EXPECT_NEAR(norm(momentum.angular - reference.angular_momentum), 0, 1e-10 * (1 + norm(momentum.angular)));
    }
}

TEST(Dynamics, jacobians_match_the_reference)
{
    for (int seed = 0; seed < kReferenceModels / 3; ++seed)
    {
        const Case c(seed);
        const auto n = static_cast<std::size_t>(c.model.v_count());
        std::vector<double> jacobian(6 * n);
        for (int b = 1; b < c.model.body_count(); ++b)
        {
            compute_jacobian<double>(c.w, b, c.w.center[b], std::span(jacobian).first(3 * n),
                                     std::span(jacobian).last(3 * n));
            expect_close(jacobian, std::span(c.reference.jacobian).subspan(static_cast<std::size_t>(b) * 6 * n, 6 * n),
                         "Jacobian", seed);
        }
    }
}

}  // namespace
}  // namespace rattleback
