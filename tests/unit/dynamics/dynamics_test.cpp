// The public Dynamics: inverse and forward dynamics undo each other, Jacobians and derivatives are those of finite
// differences, momentum is that of the bodies.
#include <rattleback/builder.h>
#include <rattleback/dynamics.h>

#include "base/index.h"
#include "support/random_model.h"

#include "dynamics/integrate.h"

#include <gtest/gtest.h>

#include <cmath>

namespace rattleback
{

namespace
{

constexpr std::uint64_t kModels = 40;

/// A random model at a random state, bodies refreshed.
struct Setting
{
    explicit Setting(std::uint64_t seed)
        : model(std::make_shared<const Model>(make_random_model(seed))), state(*model), control(*model)
    {
        const RandomState random = make_random_state(*model, seed + 1);
        state.q = random.q;
        state.v = random.v;
        state.act = random.act;
        for (int b = 0; b < model->body_count(); ++b)
            if (model->bodies.kind[at(b)] == BodyKind::kinematic) state.body_pose[at(b)] = random.body_pose[at(b)];
        refresh_bodies(*model, state.world());
        control = make_random_control(*model, seed + 2);
        Random numbers(seed + 3);
        for (int i = 0; i < model->v_count(); ++i) direction.push_back(numbers.uniform(-1, 1));
    }

    /// The state with q moved along the velocity of one dof, bodies refreshed.
    State moved(int dof, double step) const
    {
        State other = state;
        std::vector<double> velocity(at(model->v_count()));
        velocity[at(dof)] = 1;
        advance_positions<double>(Tree(*model), velocity, step, other.q);
        refresh_bodies(*model, other.world());
        return other;
    }

    std::shared_ptr<const Model> model;
    State state;
    Control control;
    std::vector<double> direction;  ///< some numbers of order one, [v_count]
};

double find_largest(std::span<const double> x)
{
    double largest = 1e-6;
    for (const double value : x) largest = std::max(largest, std::abs(value));
    return largest;
}

/// Entries agree to a fraction of the largest.
void expect_close(std::span<const double> ours, std::span<const double> theirs, double tolerance, const char* what)
{
    ASSERT_EQ(ours.size(), theirs.size()) << what;
    const double largest = find_largest(theirs);
    for (std::size_t i = 0; i < ours.size(); ++i)
        ASSERT_NEAR(ours[i], theirs[i], tolerance * largest) << what << ' ' << i;
}

/// Central differences of a function of the state by q along each dof, as columns.
template <class Function>
DenseMatrix differentiate_q(const Setting& setting, double step, const Function& function)
{
    const int count = setting.model->v_count();
    DenseMatrix result;
    for (int d = 0; d < count; ++d)
    {
        const std::vector<double> plus = function(setting.moved(d, step)), minus = function(setting.moved(d, -step));
        if (d == 0) result = DenseMatrix(static_cast<int>(plus.size()), count);
        for (std::size_t i = 0; i < plus.size(); ++i)
            result(static_cast<int>(i), d) = (plus[i] - minus[i]) / (2 * step);
    }
    return result;
}

/// Central differences leave step² times a third derivative (of order one here) and rounding / step.
constexpr double kStep = 1e-5, kDifferenceError = 1e-7;

}  // namespace

TEST(PublicDynamics, forward_and_inverse_dynamics_undo_each_other)
{
    for (std::uint64_t seed = 0; seed < kModels; ++seed)
    {
        SCOPED_TRACE(seed);
        const Setting setting(seed);
        Dynamics dynamics(setting.model);
        dynamics.update(setting.state, setting.control);
        const std::vector<double> force = dynamics.inverse(setting.direction);
        expect_close(dynamics.forward(force), setting.direction, 1e-9, "acceleration");

        // M a by the dense matrix, and M⁻¹ M a.
        const DenseMatrix mass = dynamics.mass_matrix();
        std::vector<double> product(force.size());
        for (int i = 0; i < mass.rows; ++i)
            for (int j = 0; j < mass.columns; ++j) product[at(i)] += mass(i, j) * setting.direction[at(j)];
        expect_close(dynamics.solve(product), setting.direction, 1e-9, "solution");
        for (std::size_t i = 0; i < product.size(); ++i) product[i] += dynamics.bias()[i];
        expect_close(product, force, 1e-12, "M a + bias");
    }
}

TEST(PublicDynamics, jacobians_are_rates_of_points_rotations_and_centres_of_mass)
{
    for (std::uint64_t seed = 0; seed < kModels; ++seed)
    {
        SCOPED_TRACE(seed);
        const Setting setting(seed);
        const Model& model = *setting.model;
        if (model.v_count() == 0) continue;
        Dynamics dynamics(setting.model);
        dynamics.update(setting.state);
        const BodyId body{model.body_count() - 1};
        const Vec3 local{0.1, -0.2, 0.3};
        const Vec3 point = (setting.state.pose(body) * Pose{local, {}}).position;
        const auto place = [&](const State& state)
        {
            const Vec3 p = (state.pose(body) * Pose{local, {}}).position;
            return std::vector<double>{p.x, p.y, p.z};
        };
        expect_close(dynamics.point_jacobian(body, point).values, differentiate_q(setting, kStep, place).values,
                     kDifferenceError, "point");
        const auto center = [&](const State& state)
        {
            State copy = state;
            const Vec3 c = compute_center_of_mass(model, copy.world());
            return std::vector<double>{c.x, c.y, c.z};
        };
        expect_close(dynamics.center_of_mass_jacobian().values, differentiate_q(setting, kStep, center).values,
                     kDifferenceError, "centre of mass");
        // A rotation R moves by [w] R: its columns by w x column.
        const DenseMatrix spin = dynamics.rotation_jacobian(body);
        const auto axes = [&](const State& state)
        {
            const Mat3 m = to_matrix(state.rotation(body));
            return std::vector<double>(std::begin(m.m), std::end(m.m));
        };
        const DenseMatrix rates = differentiate_q(setting, kStep, axes);
        const Mat3 now = to_matrix(setting.state.rotation(body));
        for (int d = 0; d < model.v_count(); ++d)
        {
            const Vec3 w{spin(0, d), spin(1, d), spin(2, d)};
            for (int column = 0; column < 3; ++column)
            {
                const Vec3 expected = cross(w, now.column(column));
                for (int row = 0; row < 3; ++row)
                    ASSERT_NEAR(rates(3 * row + column, d), expected[row], 1e-8) << "dof " << d;
            }
        }
    }
}

TEST(PublicDynamics, momentum_and_centre_of_mass_are_those_of_the_bodies)
{
    for (std::uint64_t seed = 0; seed < kModels; ++seed)
    {
        SCOPED_TRACE(seed);
        Setting setting(seed);
        Dynamics dynamics(setting.model);
        dynamics.update(setting.state);
        const Momentum ours = dynamics.momentum(), theirs = compute_momentum(*setting.model, setting.state.world());
        const double scale = 1 + norm(theirs.linear) + norm(theirs.angular);
        EXPECT_LE(norm(ours.linear - theirs.linear), 1e-12 * scale);
        EXPECT_LE(norm(ours.angular - theirs.angular), 1e-12 * scale);
        for (int b = 0; b < setting.model->body_count(); ++b)
        {
            const Vec3 there = compute_center_of_mass(*setting.model, setting.state.world(), BodyId{b});
            EXPECT_LE(norm(dynamics.center_of_mass(BodyId{b}) - there), 1e-12 * (1 + norm(there)));
        }
    }
}

TEST(PublicDynamics, derivatives_of_inverse_and_forward_dynamics_are_those_of_finite_differences)
{
    for (std::uint64_t seed = 0; seed < kModels; ++seed)
    {
        SCOPED_TRACE(seed);
        const Setting setting(seed);
        const int count = setting.model->v_count();
        if (count == 0) continue;
        Dynamics dynamics(setting.model), probe(setting.model);
        dynamics.update(setting.state);
        const std::vector<double> force = dynamics.inverse(setting.direction);
        const DynamicsDerivatives inverse = dynamics.inverse_derivatives(setting.direction);
        const DynamicsDerivatives forward = dynamics.forward_derivatives(force);

        const auto inverse_at = [&](const State& state)
        {
            probe.update(state);
            return probe.inverse(setting.direction);
        };
        const auto forward_at = [&](const State& state)
        {
            probe.update(state);
            return probe.forward(force);
        };
        expect_close(inverse.by_q.values, differentiate_q(setting, kStep, inverse_at).values, kDifferenceError,
                     "inverse by q");
        const DenseMatrix forward_by_q = differentiate_q(setting, kStep, forward_at);
        expect_close(forward.by_q.values, forward_by_q.values, 100 * kDifferenceError,
                     "forward by q (M⁻¹ magnifies the error of the difference)");

        DenseMatrix inverse_by_v(count, count), forward_by_v(count, count);
        for (int d = 0; d < count; ++d)
        {
            // Both are quadratic in v: central differences have no error but rounding.
            State plus = setting.state, minus = setting.state;
            plus.v[at(d)] += 1e-3;
            minus.v[at(d)] -= 1e-3;
            const std::vector<double> a = inverse_at(plus), b = inverse_at(minus), c = forward_at(plus),
                                      e = forward_at(minus);
            for (int i = 0; i < count; ++i)
            {
                inverse_by_v(i, d) = (a[at(i)] - b[at(i)]) / 2e-3;
                forward_by_v(i, d) = (c[at(i)] - e[at(i)]) / 2e-3;
            }
        }
        expect_close(inverse.by_v.values, inverse_by_v.values, 1e-9, "inverse by v");
        expect_close(forward.by_v.values, forward_by_v.values, 1e-8, "forward by v");
        EXPECT_EQ(inverse.by_input.values, dynamics.mass_matrix().values);
        for (int d = 0; d < count; ++d)
        {
            std::vector<double> unit(at(count));
            unit[at(d)] = 1;
            const std::vector<double> column = dynamics.solve(unit);
            for (int i = 0; i < count; ++i) EXPECT_EQ(forward.by_input(i, d), column[at(i)]);
        }
    }
}

TEST(PublicDynamics, a_pendulum_has_the_derivatives_of_the_textbook)
{
    // (I + m l²) a + m g l sin q = τ about the y axis: ∂τ/∂q = m g l cos q, ∂τ/∂v = 0, ∂τ/∂a = I + m l².
    ModelBuilder builder;
    const BodyId rod =
        builder.add_body({.name = "rod",
                          .parent = kWorld,
                          .inertia = Inertia{.mass = 2, .position = {0, 0, -0.5}, .diagonal = {0.1, 0.1, 0.1}}});
    builder.add_joint(rod, {.type = JointType::hinge, .axis = {0, 1, 0}});
    const auto model = std::make_shared<const Model>(builder.build().value());
    State state(*model);
    state.q[0] = 0.7;
    state.v[0] = 3;
    Dynamics dynamics(model);
    dynamics.update(state);
    const double zero[] = {0.0};
    const DynamicsDerivatives d = dynamics.inverse_derivatives(zero);
    const double g = -model->settings.gravity.z;
    EXPECT_NEAR(d.by_q(0, 0), 2 * g * 0.5 * std::cos(0.7), 1e-12);
    EXPECT_NEAR(d.by_v(0, 0), 0, 1e-12);
    EXPECT_NEAR(d.by_input(0, 0), 0.1 + 2 * 0.25, 1e-12);
    EXPECT_NEAR(dynamics.inverse(zero)[0], 2 * g * 0.5 * std::sin(0.7), 1e-12);
}

TEST(PublicDynamics, sizes_and_names_that_do_not_fit_are_mistakes_of_the_caller)
{
    const Setting setting(1);
    Dynamics dynamics(setting.model);
    EXPECT_DEATH(dynamics.update(State(*setting.model), 1), "no such world");
    EXPECT_DEATH(dynamics.update(State{}), "no such world");
    EXPECT_DEATH(dynamics.forward(std::vector<double>(setting.direction.size() + 1)), "v_count");
    EXPECT_DEATH(dynamics.point_jacobian(BodyId{1000}, {}), "no such body");
    EXPECT_DEATH(Dynamics(std::shared_ptr<const Model>()), "no model");
}

}  // namespace rattleback
