// The blocks of solver `avbd` against finite differences of the energies they come from, and the small solves.
#include "math/rotation.h"
#include "solvers/avbd/body_solve.h"
#include "solvers/avbd/penalty.h"
#include "solvers/avbd/row8.h"
#include "unit/solvers/avbd/block_scene.h"

namespace rattleback::avbd
{
namespace
{

/// A contact 0.2 m deep between two bodies at random poses.
ContactRow make_deep_row(const Body& first, const Body& second, Random& random)
{
    ContactRow row;
    row.normal = random.direction();
    row.first_point = random.in_box(1);
    row.second_point = random.in_box(1);
    row.penalty = 300;
    row.margin = dot(second.center + rotate(second.rotation, row.second_point) - first.center -
                         rotate(first.rotation, row.first_point),
                     row.normal) +
                 0.2;
    return row;
}

TEST(AvbdBlocks, the_force_of_a_penalty_contact_is_minus_the_slope_of_its_energy)
{
    Random random(7);
    const Settings settings;
    for (int trial = 0; trial < 20; ++trial)
    {
        const Body first = make_body(random), second = make_body(random);
        const ContactRow row = make_deep_row(first, second, random);
        const PenaltyContact contact = evaluate_penalty(row, settings, first, second, 0.01);
        const Vec3 torque = cross(contact.second_arm, contact.force), back = cross(contact.first_arm, -contact.force);
        for (int d = 0; d < 6; ++d)
        {
            const double expected = d < 3 ? contact.force[d] : torque[d - 3];
            const double slope =
                slope_of([&](double by)
                         { return evaluate_penalty(row, settings, first, displaced(second, d, by), 0.01).energy; });
            EXPECT_NEAR(-slope, expected, 1e-6 * row.penalty) << trial << ' ' << d;
            const double first_expected = d < 3 ? -contact.force[d] : back[d - 3];
            const double first_slope =
                slope_of([&](double by)
                         { return evaluate_penalty(row, settings, displaced(first, d, by), second, 0.01).energy; });
            EXPECT_NEAR(-first_slope, first_expected, 1e-6 * row.penalty) << trial << ' ' << d;
        }
    }
}

TEST(AvbdBlocks, friction_and_damping_of_a_penalty_contact_are_as_stiff_as_they_say)
{
    Random random(17);
    Settings settings;
    settings.penalty_damping = 0.01;
    for (int trial = 0; trial < 20; ++trial)
    {
        const Body first = make_body(random), start = make_body(random);
        ContactRow row = make_deep_row(first, start, random);
        row.friction = 0.5;
        // approaching, and slipping less than the smooth part of friction is wide: h 1e-2 m/s
        Body second = start;
        second.delta.linear = -1e-3 * row.normal + 1e-6 * cross(row.normal, random.direction());
        const Mat3 stiffness = evaluate_penalty(row, settings, first, second, 0.01).stiffness;
        for (int d = 0; d < 3; ++d)
        {
            const Vec3 up = evaluate_penalty(row, settings, first, displaced(second, d, 1e-9), 0.01).force;
            const Vec3 down = evaluate_penalty(row, settings, first, displaced(second, d, -1e-9), 0.01).force;
            const Vec3 slope = (-0.5 / 1e-9) * (up - down);
            // the normal force also changes the bound of friction, which [VBD-R] leaves out of the block
            const Vec3 along = dot(slope, row.normal) * row.normal;
            const Vec3 expected = dot(stiffness.column(d), row.normal) * row.normal;
            EXPECT_NEAR(norm(along - expected), 0, 1e-4 * norm(stiffness.column(d)) + 1e-3) << trial << ' ' << d;
        }
        const Vec3 across = cross(row.normal, random.direction());
        const auto force_at = [&](double by)
        {
            Body moved = second;
            moved.delta.linear += (by / norm(across)) * across;
            return dot(evaluate_penalty(row, settings, first, moved, 0.01).force, across) / norm(across);
        };
        const double secant = dot(stiffness * across, across) / dot(across, across);
        // the secant of 2 s - s |s|: between the slope and twice it
        EXPECT_GE(secant * 1.001, -slope_of(force_at, 1e-9)) << trial;
        EXPECT_LE(secant, -2.1 * slope_of(force_at, 1e-9)) << trial;
    }
}

TEST(AvbdBlocks, the_block_of_a_contact_is_the_second_derivative_of_its_energy)
{
    Random random(11);
    for (int trial = 0; trial < 20; ++trial)
    {
        HalfContact<double> half;
        half.normal = random.direction();
        half.arm = random.in_box(1);
        half.gap = -0.5;
        half.normal_penalty = 50;
        half.tangent_penalty = 20;
        half.friction = 1e6;  // sticks
        const Increment<double> self{0.01 * random.in_box(1), 0.01 * random.in_box(1)};
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

/// A body with four contacts of the given gap.
BodySystem<double> make_system(Random& random, double gap)
{
    BodySystem<double> system;
    add_diagonal(system.linear, 1.0);
    add_diagonal(system.angular, 0.5);
    for (int i = 0; i < 4; ++i)
    {
        HalfContact<double> half;
        half.normal = random.direction();
        half.arm = random.in_box(1);
        half.gap = gap;
        half.normal_penalty = 100;
        half.tangent_penalty = 30;
        half.friction = 0.5;
        add_contact(half, evaluate(half, {}, {}), system);
    }
    return system;
}

TEST(AvbdBlocks, the_schur_solve_solves_the_whole_system)
{
    Random random(3);
    for (int trial = 0; trial < 50; ++trial)
    {
        const BodySystem<double> system = make_system(random, -1e-3);
        const Increment<double> x = solve(system);
        const Vec3 force = system.linear * x.linear + transpose_times(system.coupling, x.angular);
        const Vec3 torque = system.coupling * x.linear + system.angular * x.angular;
        // what is left is the regularisation of the text: 1e-9 of the angular block
        EXPECT_NEAR(norm(force - system.force), 0, 1e-9 * norm(system.force));
        EXPECT_NEAR(norm(torque - system.torque), 0, 1e-6 * norm(system.force));
    }
}

TEST(AvbdBlocks, no_newton_step_turns_a_body_too_far)
{
    Random random(3);
    double largest = 0;
    for (int trial = 0; trial < 50; ++trial) largest = std::max(largest, norm(solve(make_system(random, -10)).angular));
    EXPECT_NEAR(largest, kMaxBodyTurn, 1e-12);
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
    load_rows<6>(rows.data(), index, columns);
    for (int c = 0; c < 6; ++c)
    {
        for (int i = 0; i < 8; ++i) EXPECT_EQ(lane(columns[c], i), 100 * index[i] + c);
    }
}

}  // namespace
}  // namespace rattleback::avbd
