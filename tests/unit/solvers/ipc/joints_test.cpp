// Tests of joints in solver `ipc`: derivatives of every measure and energy against differences of their values.
#include "math/random.h"
#include "math/rotation.h"
#include "solvers/ipc/motors.h"

#include <rattleback/rattleback.h>

#include <gtest/gtest.h>

namespace rattleback::ipc
{

namespace
{

Vec3 random_vector(Random& random) { return {random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)}; }
Placement random_placement(Random& random)
{
    return make_placement(random_vector(random), exponential(2.0 * random_vector(random)));
}

using Pair = std::array<Placement, 2>;
using Twelve = std::array<double, 12>;

Pair move_both(const Pair& pair, const Twelve& d)
{
    Pair moved = pair;
    for (std::size_t side = 0; side < 2; ++side)
    {
        Vector6 own;
        for (std::size_t i = 0; i < 6; ++i) own[i] = d[6 * side + i];
        moved[side] = move(pair[side], own, 1);
    }
    return moved;
}

double entry(const PairHessian& h, std::size_t i, std::size_t j)
{
    if (i > j) std::swap(i, j);
    if (j < 6) return h.first[6 * i + j];
    if (i >= 6) return h.second[6 * (i - 6) + j - 6];
    return h.cross[6 * i + j - 6];
}

/// Central differences of `value` against a gradient and Hessian, all in exponential coordinates at the pair.
template <class Value>
void expect_derivatives(const Pair& pair, const Value& value, const PairVector& gradient, const PairHessian& hessian)
{
    // Rounding of values of order 1 over h^2, and h^2 of the next terms: both about 1e-8 for the Hessian.
    const double h = 1e-4;
    const auto at_moved = [&](std::size_t i, double a, std::size_t j, double b)
    {
        Twelve d{};
        d[i] += a;
        d[j] += b;
        return value(move_both(pair, d));
    };
    for (std::size_t i = 0; i < 12; ++i)
    {
        const double slope = (at_moved(i, h, i, 0) - at_moved(i, -h, i, 0)) / (2 * h);
        EXPECT_NEAR(gradient[i / 6][i % 6], slope, 1e-6) << i;
        for (std::size_t j = 0; j < 12; ++j)
        {
            const double bend =
                (at_moved(i, h, j, h) - at_moved(i, h, j, -h) - at_moved(i, -h, j, h) + at_moved(i, -h, j, -h)) /
                (4 * h * h);
            EXPECT_NEAR(entry(hessian, i, j), bend, 2e-6 * (1 + std::abs(bend))) << i << ' ' << j;
        }
    }
}

}  // namespace

TEST(IpcJoints, derivatives_of_distances_products_and_angles_are_those_of_their_differences)
{
    Random random(3);
    for (const MeasureKind kind : {MeasureKind::along, MeasureKind::dot, MeasureKind::hinge})
    {
        for (int trial = 0; trial < 5; ++trial)
        {
            const Pair pair{random_placement(random), random_placement(random)};
            Measure m;
            m.kind = kind;
            m.on_first = random_vector(random);
            m.on_second = random_vector(random);
            m.first_axis = make_unit(random_vector(random));
            m.second_axis = make_unit(random_vector(random));
            m.second_side = make_unit(cross(m.second_axis, random_vector(random)));
            m.offset = 0.1;
            // An axis that lies nearly across has lost its angle: derivatives grow without bound there.
            const double lost =
                dot(pair[0].matrix * m.first_axis, pair[1].matrix * cross(m.second_axis, m.second_side));
            if (kind == MeasureKind::hinge && std::abs(lost) > 0.8) continue;
            SCOPED_TRACE(static_cast<int>(kind));
            expect_derivatives(
                pair, [&](const Pair& p) { return find_measure(m, p[0], p[1]); },
                find_measure_point(m, pair[0], pair[1]).gradient, find_measure_hessian(m, pair[0], pair[1]));
        }
    }
}

TEST(IpcJoints, derivatives_of_energies_of_a_turn_are_those_of_their_differences)
{
    // W = k angle^2 / 2 + c angle^4, far from rest and at rest, where only the ratio W' / angle stays finite.
    Random random(4);
    for (const double size : {0.0, 1e-3, 0.7, 2.5})
    {
        const Pair pair{random_placement(random), random_placement(random)};
        const Quat turned = exponential(size * make_unit(random_vector(random)));
        const Quat turn = conjugate(pair[0].rotation) * turned * pair[1].rotation;
        const auto find_angle = [&](const Pair& p) { return norm(find_turn_between(turn, p[0], p[1])); };
        const double a = find_angle(pair), k = 0.6, c = 0.03;
        EXPECT_NEAR(a, size, 1e-12);
        const Vec3 between = find_turn_between(turn, pair[0], pair[1]);
        SCOPED_TRACE(size);
        expect_derivatives(
            pair,
            [&](const Pair& p)
            {
                const double x = find_angle(p);
                return 0.5 * k * x * x + c * x * x * x * x;
            },
            find_turn_gradient(between, k + 4 * c * a * a),
            find_turn_hessian(between, k + 4 * c * a * a, k + 12 * c * a * a, true));
    }
}

TEST(IpcJoints, energies_along_a_coordinate_have_the_slopes_of_their_values)
{
    DofLaw law;
    law.start = 0.2;
    law.expected = 0.3;
    law.dt = 0.5;
    law.force = 0.7;
    law.spring = 2;
    law.rest = -0.4;
    law.damper = 0.3;
    law.armature = 0.8;
    law.friction = 0.5;
    law.slow = 0.2;
    law.lower = -0.5;
    law.upper = 0.6;
    law.low = {true, 9, 0.4};
    law.high = {true, 7, 0.3};
    const std::vector<Drive> drives{{1, -2, -0.5, -0.3, 0.9}, {0.4, 0, 0, -1, 1}, {2, 0, -1, -HUGE_VAL, HUGE_VAL}};
    int bounds = 0;
    for (double q = -1.2; q < 1.3; q += 0.0173)
    {
        const double h = 1e-5, way = std::abs(q - law.start);
        // The tangent of friction, as set_tangents() has it.
        law.friction_curvature = law.friction * find_slip(way, law.slow).slope;
        const auto jet = [&](double x) { return find_dof_energy(law, drives, x); };
        EXPECT_NEAR(jet(q).slope, (jet(q + h).value - jet(q - h).value) / (2 * h), 1e-4) << q;  // kinks: curvature h
        bounds += (law.low.multiplier > law.low.weight * (q - law.lower)) +
                  (law.high.multiplier > law.high.weight * (law.upper - q));
        const auto is_smooth = [&](double x)
        { return std::abs(jet(q + x).curvature - jet(q - x).curvature) < 0.2 && way > 2 * h; };
        if (!is_smooth(2 * h)) continue;
        EXPECT_NEAR(jet(q).curvature, (jet(q + h).slope - jet(q - h).slope) / (2 * h), 0.02) << q;
    }
    EXPECT_GT(bounds, 20);
}

namespace
{

/// Everything at once: a free base, a hinge with all forces, a body on three joints, a ball, slides, loops, a coupling.
Model make_jointed_model()
{
    ModelBuilder builder;
    const auto add = [&](const char* name, BodyId parent, const Vec3& place)
    {
        const BodyId body = builder.add_body({.name = name, .parent = parent, .position = place});
        builder.add_shape(body, Sphere{.radius = 0.05}, {.mass = 1.3});
        return body;
    };
    const BodyId base = add("base", kWorld, {0, 0, 1});
    builder.add_joint(base, {.type = JointType::free});
    const BodyId arm = add("arm", base, {0.3, 0, 0});
    const JointId hinge = builder.add_joint(arm, {.axis = {0, 1, 0},
                                                  .position = {-0.1, 0, 0},
                                                  .initial_position = 0.45,
                                                  .range = {true, -0.2, 0.5},
                                                  .stiffness = 3,
                                                  .damping = 0.2,
                                                  .armature = 0.01,
                                                  .dry_friction = 0.4});
    const BodyId wrist = add("wrist", arm, {0.3, 0, 0.1});
    builder.add_joint(wrist, {.axis = {0, 0, 1}, .position = {0, 0.02, 0}, .initial_position = 0.3});
    const JointId second = builder.add_joint(wrist, {.axis = {1, 0, 0}, .initial_position = -0.4});
    builder.add_joint(wrist, {.type = JointType::slide, .axis = {0, 1, 0}, .initial_position = 0.05});
    const BodyId hand = add("hand", wrist, {0.2, 0, 0});
    builder.add_joint(hand, {.type = JointType::ball,
                             .position = {-0.1, 0, 0},
                             .range = {true, 0, 0.3},
                             .stiffness = 1,
                             .damping = 0.1,
                             .armature = 0.02,
                             .dry_friction = 0.2});
    const BodyId cart = add("cart", kWorld, {0, 1, 0});
    builder.add_joint(cart, {.type = JointType::slide, .axis = {1, 0, 0}});
    builder.add_joint(cart, {.type = JointType::slide, .axis = {0, 1, 0}});
    builder.add_connect(hand, cart, {0.1, 0, 0});
    builder.add_weld(arm, cart);
    builder.add_joint_coupling(hinge, second, {0.1, 0.5, -0.3, 0.2, 0.1});
    builder.add_actuator(hinge, {.gain = {4, 0, 0}, .bias = {0, -4, -0.3}, .force_range = {true, -1, 1}});
    return builder.build().value();
}

}  // namespace

TEST(IpcJoints, the_gradient_of_all_joints_together_is_that_of_their_values)
{
    const Model model = make_jointed_model();
    const Settings settings(make_parameters(*find_solver("ipc").value(), model, {}).value());
    const std::shared_ptr<const Layout> layout = build_layout(model, settings).value();
    ASSERT_EQ(layout->joints.middles.size(), 2U);  // of the wrist's three joints
    State state(model);
    Random random(5);
    for (double& v : state.v) v = random.uniform(-1, 1);
    refresh_bodies(model, state.world());
    Control control(model);
    control.input[0] = 0.3;
    for (double& f : control.joint_force) f = random.uniform(-1, 1);
    StepInput input;
    input.control = control.world();
    input.dt = 0.1;
    std::vector<Body> bodies;
    load_bodies(model, *layout, input, state.world(), {}, bodies);
    Motors motors(model, layout->joints);
    motors.find(model, input, state.world(), {});
    std::vector<double> multipliers(layout->joints.multiplier_count());
    for (double& m : multipliers) m = random.uniform(0, 20);
    Joints joints(*layout);
    joints.begin(model, input, state.world(), bodies, motors.drives(), multipliers);
    std::vector<Placement> placements;
    for (const Body& body : bodies)
    {
        Vector6 d;
        for (double& x : d) x = random.uniform(-0.02, 0.02);
        placements.push_back(move(body.start, d, layout->groups[placements.size()].row < 0 ? 0 : 1));
    }
    const auto find_value = [&](std::span<const Placement> at_places)
    {
        double sum = 0;
        joints.add_values(at_places, [&](int, int, double value) { sum += value; });
        return sum;
    };
    std::vector<Vector6> gradient(static_cast<std::size_t>(layout->row_count));
    std::vector<std::pair<int, int>> pairs;
    joints.note_pairs(
        [&](int a, int b)
        {
            const int first = layout->groups[static_cast<std::size_t>(a)].row;
            const int second = layout->groups[static_cast<std::size_t>(b)].row;
            if (first >= 0 && second >= 0) pairs.emplace_back(first, second);
        });
    BlockCholesky hessian;
    hessian.analyse(layout->row_count, pairs);
    joints.set_tangents(placements);
    joints.assemble(placements, true, gradient, hessian);
    for (std::size_t g = 1; g < placements.size(); ++g)
    {
        const auto row = static_cast<std::size_t>(layout->groups[g].row);
        for (std::size_t i = 0; i < 6; ++i)
        {
            const double h = 1e-6;
            std::vector<Placement> more = placements, less = placements;
            Vector6 d{};
            d[i] = h;
            more[g] = move(placements[g], d, 1);
            less[g] = move(placements[g], d, -1);
            const double slope = (find_value(more) - find_value(less)) / (2 * h);
            // values are of the order of 1e4 kg times (2 cm)^2: rounding over h
            EXPECT_NEAR(gradient[row][i], slope, 1e-6 * std::abs(slope) + 1e-4) << g << ' ' << i;
            // and the diagonal of the Hessian, from three values
            const double h2 = 1e-4;
            d[i] = h2;
            more[g] = move(placements[g], d, 1);
            less[g] = move(placements[g], d, -1);
            const double bend = (find_value(more) - 2 * find_value(placements) + find_value(less)) / (h2 * h2);
            EXPECT_NEAR(hessian.diagonal(static_cast<int>(row))[7 * i], bend, 1e-3 * std::abs(bend) + 0.1)
                << g << ' ' << i;
        }
    }
}

}  // namespace rattleback::ipc
