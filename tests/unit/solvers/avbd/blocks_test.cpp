// The blocks of solver `avbd` against finite differences of the energies they come from, and the small solves.
#include "math/rotation.h"
#include "solvers/avbd/body_solve.h"
#include "solvers/avbd/link_rows.h"
#include "solvers/avbd/pack8.h"
#include "solvers/avbd/penalty.h"

#include <rattleback/rattleback.h>

#include <gtest/gtest.h>

namespace rattleback::avbd
{
namespace
{

std::size_t at(int index) { return static_cast<std::size_t>(index); }

/// Numbers in [-1, 1], the same for a seed everywhere.
struct Numbers
{
    std::uint64_t state;
    double next()
    {
        state = state * 6364136223846793005ULL + 1442695040888963407ULL;
        return static_cast<double>(state >> 11) * 0x1p-52 - 1;
    }
    Vec3 vector() { return {next(), next(), next()}; }
};

Body make_body(Numbers& numbers)
{
    Body body;
    body.center = numbers.vector();
    body.rotation = body.turned = exponential(numbers.vector());
    body.mass = 2;
    return body;
}

/// The body displaced along one of its six directions.
Body displaced(Body body, int direction, double by)
{
    if (direction < 3)
    {
        body.moved.linear[direction] += by;
        return body;
    }
    Vec3 turn;
    turn[direction - 3] = by;
    body.turned = exponential(turn) * body.turned;
    body.moved.angular = logarithm(body.turned * conjugate(body.rotation));
    return body;
}

TEST(AvbdBlocks, the_force_of_a_penalty_contact_is_minus_the_slope_of_its_energy)
{
    Numbers numbers{7};
    const Settings settings;
    for (int trial = 0; trial < 20; ++trial)
    {
        const Body first = make_body(numbers), second = make_body(numbers);
        ContactRow row;
        row.normal = numbers.vector();
        row.normal = (1 / norm(row.normal)) * row.normal;
        row.first_point = numbers.vector();
        row.second_point = numbers.vector();
        row.stiffness = 300;
        row.margin = dot(second.center + rotate(second.rotation, row.second_point) - first.center -
                             rotate(first.rotation, row.first_point),
                         row.normal) +
                     0.2;  // 0.2 m deep
        const PenaltyContact contact = evaluate_penalty(row, settings, first, second, 0.01);
        const Vec3 torque = cross(contact.second_arm, contact.force);
        for (int d = 0; d < 6; ++d)
        {
            constexpr double kSmall = 1e-5;
            const double up = evaluate_penalty(row, settings, first, displaced(second, d, kSmall), 0.01).energy;
            const double down = evaluate_penalty(row, settings, first, displaced(second, d, -kSmall), 0.01).energy;
            const double expected = d < 3 ? contact.force[d] : torque[d - 3];
            EXPECT_NEAR(-(up - down) / (2 * kSmall), expected, 1e-5 * row.stiffness) << trial << ' ' << d;
        }
    }
}

TEST(AvbdBlocks, the_block_of_a_contact_is_the_second_derivative_of_its_energy)
{
    Numbers numbers{11};
    for (int trial = 0; trial < 20; ++trial)
    {
        HalfContact<double> half;
        half.normal = numbers.vector();
        half.normal = (1 / norm(half.normal)) * half.normal;
        half.arm = numbers.vector();
        half.gap = -0.5;
        half.stiffness = 50;
        half.shear = 20;
        half.friction = 1e6;  // sticks
        Increment<double> self{0.01 * numbers.vector(), 0.01 * numbers.vector()};
        const Increment<double> other;
        BodySystem<double> system;
        add_contact(half, evaluate(half, self, other), system);
        constexpr double kSmall = 1e-6;
        for (int d = 0; d < 6; ++d)
        {
            const auto force_at = [&](double by)
            {
                Increment<double> moved = self;
                (d < 3 ? moved.linear[d] : moved.angular[d - 3]) += by;
                BodySystem<double> there;
                add_contact(half, evaluate(half, moved, other), there);
                return there;
            };
            const BodySystem<double> up = force_at(kSmall), down = force_at(-kSmall);
            Vec3 unit;
            unit[d % 3] = 1;
            const Vec3 linear = d < 3 ? system.linear * unit : transpose_times(system.coupling, unit);
            const Vec3 angular = d < 3 ? system.coupling * unit : system.angular * unit;
            EXPECT_NEAR(norm((-0.5 / kSmall) * (up.force - down.force) - linear), 0, 1e-6) << trial << ' ' << d;
            EXPECT_NEAR(norm((-0.5 / kSmall) * (up.torque - down.torque) - angular), 0, 1e-6) << trial << ' ' << d;
        }
    }
}

TEST(AvbdBlocks, the_schur_solve_solves_the_whole_system)
{
    Numbers numbers{3};
    for (int trial = 0; trial < 50; ++trial)
    {
        BodySystem<double> system;
        add_diagonal(system.linear, 1.0);
        add_diagonal(system.angular, 0.5);
        for (int i = 0; i < 4; ++i)
        {
            HalfContact<double> half;
            half.normal = numbers.vector();
            half.normal = (1 / norm(half.normal)) * half.normal;
            half.arm = numbers.vector();
            half.gap = -1;
            half.stiffness = 100;
            half.shear = 30;
            half.friction = 0.5;
            add_contact(half, evaluate(half, {}, {}), system);
        }
        const Increment<double> x = solve(system);
        const Vec3 force = system.linear * x.linear + transpose_times(system.coupling, x.angular);
        const Vec3 torque = system.coupling * x.linear + system.angular * x.angular;
        EXPECT_NEAR(norm(force - system.force), 0, 1e-6 * norm(system.force));
        EXPECT_NEAR(norm(torque - system.torque), 0, 1e-6 * norm(system.force));
    }
}

/// Residual of the seed's Steps 1 to 3 for a free body: I (u / h^2 - w / h) + u x I u / h^2 - torque, body axes.
Vec3 seed_residual(const Mat3& inertia, const Vec3& spin, const Vec3& torque, const Vec3& u, double dt)
{
    const double inverse = 1 / (dt * dt);
    return inertia * (inverse * u - (1 / dt) * spin) + inverse * cross(u, inertia * u) - torque;
}

TEST(AvbdBlocks, a_free_body_follows_the_full_newton_iteration_of_the_seed_to_second_order)
{
    const Mat3 inertia{{1, 0, 0, 0, 2, 0, 0, 0, 3}};
    const Vec3 spin{0.8, 3, -1.1}, torque{0.4, -0.2, 0.3};
    std::vector<double> errors;
    for (const double dt : {0.02, 0.01, 0.005})
    {
        Vec3 u = dt * spin;
        for (int iteration = 0; iteration < 50; ++iteration)  // Newton with a difference quotient for the slope
        {
            const Vec3 r = seed_residual(inertia, spin, torque, u, dt);
            Mat3 slope;
            for (int c = 0; c < 3; ++c)
            {
                Vec3 moved = u;
                moved[c] += 1e-7;
                const Vec3 change = 1e7 * (seed_residual(inertia, spin, torque, moved, dt) - r);
                for (int i = 0; i < 3; ++i) slope(i, c) = change[i];
            }
            const Mat3& s = slope;
            const Vec3 a = s.column(0), b = s.column(1), c = s.column(2);
            const double det = dot(a, cross(b, c));
            u -= (1 / det) * Vec3{dot(r, cross(b, c)), dot(a, cross(r, c)), dot(a, cross(b, r))};
        }
        errors.push_back(norm(spin_freely(inertia, spin, torque, dt) - (1 / dt) * u));
    }
    EXPECT_LT(errors[0], 0.02);
    EXPECT_NEAR(errors[0] / errors[1], 4, 0.8);  // the two differ by exp(u) against 1 + u: second order
    EXPECT_NEAR(errors[1] / errors[2], 4, 0.8);
}

TEST(AvbdBlocks, a_free_spin_keeps_angular_momentum_to_rounding)
{
    const Mat3 inertia{{1, 0, 0, 0, 2, 0, 0, 0, 3}};
    const Vec3 spin{0.3, 5, 0.3};
    const Vec3 after = spin_freely(inertia, spin, {}, 0.05);
    const Vec3 momentum = rotate(exponential(0.05 * after), inertia * after);
    EXPECT_NEAR(norm(momentum - inertia * spin), 0, 1e-10);
}

TEST(AvbdBlocks, eight_rows_become_columns)
{
    std::vector<Row8<float>> rows(20);
    for (std::size_t r = 0; r < rows.size(); ++r)
    {
        for (std::size_t c = 0; c < 8; ++c) rows[r].value[c] = static_cast<float>(100 * r + c);
    }
    const int index[8] = {3, 0, 19, 7, 7, 1, 12, 5};
    Pack8 columns[6];
    load_rows(rows.data(), index, columns);
    for (int c = 0; c < 6; ++c)
    {
        for (int lane = 0; lane < 8; ++lane) EXPECT_EQ(get_lane(columns[c], lane), 100 * index[lane] + c);
    }
}

TEST(AvbdLinks, joint_coordinates_come_back_from_poses_for_any_sequence_of_joints)
{
    ModelBuilder builder;
    builder.settings().gravity = {};
    const auto add = [&](BodyId parent, const Vec3& position)
    {
        return builder.add_body(
            {.parent = parent, .position = position, .inertia = Inertia{.mass = 1, .diagonal = {0.1, 0.2, 0.25}}});
    };
    const BodyId first = add(kWorld, {0.1, 0, 0});
    builder.add_joint(first, {.type = JointType::slide, .axis = {1, 0, 0}});
    builder.add_joint(first, {.type = JointType::hinge, .axis = {0, 1, 1}, .position = {0.1, 0, 0}});
    const BodyId second = add(first, {0.5, 0, 0});
    builder.add_joint(second, {.type = JointType::hinge, .axis = {1, 0, 0}});
    builder.add_joint(second, {.type = JointType::hinge, .axis = {0, 0, 1}, .position = {0, 0.2, 0}});
    builder.add_joint(second, {.type = JointType::hinge, .axis = {0, 1, 0}});
    const BodyId third = add(second, {0.5, 0, 0});
    builder.add_joint(third, {.type = JointType::ball});
    const Model model = builder.build().value();
    const Layout layout(model, true);
    State state(model);
    Numbers numbers{5};
    std::vector<double> q(state.q.size());
    for (double& value : q) value = 0.5 * numbers.next();
    state.q = q;
    refresh_bodies(model, state.world());
    std::vector<Body> bodies(layout.parts.size());
    load_bodies(layout, state.world(), bodies);
    const std::vector<double> start(model.initial_q);
    for (const Link& link : layout.links)
    {
        LinkState link_state;
        start_link(layout, link, bodies, start, 0.01, 100, link_state);
        for (std::size_t c = 0; c < 6; ++c) EXPECT_NEAR(link_state.error[c], 0, 1e-8) << link.part;
        const auto begin = at(link.q_begin);
        if (link.part == 3)  // a ball: as a rotation
        {
            double along = 0, length = 0;
            for (std::size_t c = 0; c < 4; ++c)
            {
                along += q[begin + c] * link_state.q[c];
                length += q[begin + c] * q[begin + c];
            }
            EXPECT_NEAR(std::abs(along) / std::sqrt(length), 1, 1e-9);
            continue;
        }
        for (int c = 0; c < link.dof_count; ++c) EXPECT_NEAR(link_state.q[at(c)], q[begin + at(c)], 1e-8);
    }
}

}  // namespace
}  // namespace rattleback::avbd
