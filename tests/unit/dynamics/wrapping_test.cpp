// Tendons around and through spheres and cylinders: lengths against closed forms and a stretched chain, rows against
// differences of the length, packs against single worlds.
#include "base/index.h"
#include "dynamics/wrap.h"

#include "dynamics/integrate.h"
#include "unit/dynamics/evaluate.h"

#include <rattleback/builder.h>

#include <gtest/gtest.h>

#include <bit>

namespace rattleback
{
namespace
{

double distance_outside(const Vec3& p, bool cylinder) { return cylinder ? std::hypot(p.x, p.y) : norm(p); }

Vec3 push_to(const Vec3& p, bool cylinder, double radius)
{
    const double scale = radius / distance_outside(p, cylinder);
    return {scale * p.x, scale * p.y, cylinder ? p.z : scale * p.z};
}

/// The length of a chain of points that is pulled tight from a start around the shape, no point inside it.
double pull_tight(const Vec3& a, const Vec3& by, const Vec3& b, bool cylinder, double radius)
{
    std::vector<Vec3> chain;
    constexpr int kHalf = 30;
    for (int i = 0; i <= kHalf; ++i) chain.push_back(a + static_cast<double>(i) / kHalf * (by - a));
    for (int i = 1; i <= kHalf; ++i) chain.push_back(by + static_cast<double>(i) / kHalf * (b - by));
    for (Vec3& p : chain)
    {
        if (distance_outside(p, cylinder) < radius) p = push_to(p, cylinder, radius);
    }
    for (int sweep = 0; sweep < 3000; ++sweep)
    {
        for (std::size_t i = 1; i + 1 < chain.size(); ++i)
        {
            const Vec3 middle = 0.5 * (chain[i - 1] + chain[i + 1]);
            chain[i] += 1.8 * (middle - chain[i]);
            if (distance_outside(chain[i], cylinder) < radius) chain[i] = push_to(chain[i], cylinder, radius);
        }
    }
    double length = 0;
    for (std::size_t i = 1; i < chain.size(); ++i) length += norm(chain[i] - chain[i - 1]);
    return length;
}

/// A point outside the shape, of order one.
Vec3 make_outside(Random& random, bool cylinder, double radius)
{
    Vec3 p = random.in_box(1.5);
    while (distance_outside(p, cylinder) < 1.1 * radius) p = random.in_box(1.5);
    return p;
}

TEST(Wrapping, a_path_across_a_cylinder_has_the_textbook_length)
{
    const Vec3 a{-1, 0, 0}, b{1, 0, 0}, risen{1, 0, 2};
    const double flat = 2 * std::sqrt(0.75) + 0.5 * (kPi - 2 * std::acos(0.5));
    EXPECT_NEAR(find_wrapped_path<double>(true, 0.5, a, b, nullptr).length, flat, 1e-14);
    EXPECT_NEAR(find_wrapped_path<double>(false, 0.5, a, b, nullptr).length, flat, 1e-14);
    EXPECT_NEAR(find_wrapped_path<double>(true, 0.5, a, risen, nullptr).length, std::hypot(flat, 2), 1e-14);
}

TEST(Wrapping, a_side_site_inside_draws_the_path_through_the_shape)
{
    const Vec3 a{2, 1, 0}, b{2, -1, 0}, across{-2, -1, 0}, side{0.1, 0.2, 0.3};
    for (const bool cylinder : {false, true})
    {
        const WrappedPath<double> path = find_wrapped_path(cylinder, 1.0, a, b, &side);
        EXPECT_NEAR(path.length, 2 * std::sqrt(2.0), 1e-14);
        EXPECT_NEAR(norm(path.first_contact - Vec3{1, 0, 0}), 0, 1e-14);
        EXPECT_EQ(find_wrapped_path(cylinder, 1.0, a, across, &side).length, norm(across - a));
    }
}

TEST(Wrapping, a_side_site_decides_the_way_round_even_the_long_one)
{
    // Seen from the centre the ends are a right angle apart; by way of the site it is three.
    const Vec3 a{2, 0, 0}, b{0, 2, 0}, near{0.9, 0.9, 0}, far{-0.9, -0.9, 0};
    const double reach = std::acos(0.5);
    const WrappedPath<double> straight = find_wrapped_path(true, 1.0, a, b, &near);
    EXPECT_EQ(straight.length, norm(b - a));
    EXPECT_EQ(straight.touches, 0);
    const WrappedPath<double> round = find_wrapped_path(true, 1.0, a, b, &far);
    EXPECT_NEAR(round.length, 2 * std::sqrt(3.0) + 1.5 * kPi - 2 * reach, 1e-14);
    EXPECT_LT(round.first_contact.y, 0);
}

TEST(Wrapping, a_path_around_is_as_long_as_a_chain_pulled_tight)
{
    Random random(7);
    int touching = 0;
    for (int i = 0; i < 120; ++i)
    {
        const bool cylinder = i % 2 == 0, sided = i % 4 < 2 && cylinder;
        const double radius = 0.5;
        const Vec3 a = make_outside(random, cylinder, radius), b = make_outside(random, cylinder, radius);
        Vec3 side = make_outside(random, cylinder, radius);
        const WrappedPath<double> path = find_wrapped_path(cylinder, radius, a, b, sided ? &side : nullptr);
        touching += path.touches > 0 ? 1 : 0;
        // On a sphere a chain slips off any side; the cylinder holds it, and a site off the plane slides along.
        const Vec3 by = sided ? push_to(side, true, 1.2 * radius) : 0.5 * (a + b);
        // A start that nearly passes through the axis has no certain way round.
        const auto opposite = [&](const Vec3& p)
        { return p.x * by.x + p.y * by.y < -0.8 * std::hypot(p.x, p.y) * std::hypot(by.x, by.y); };
        if (sided && (opposite(a) || opposite(b))) continue;
        EXPECT_NEAR(path.length, pull_tight(a, by, b, cylinder, radius), 3e-3) << i;
    }
    EXPECT_GT(touching, 30);
}

TEST(Wrapping, a_path_through_is_the_shortest_by_way_of_the_surface)
{
    Random random(8);
    int touching = 0;
    for (int i = 0; i < 200; ++i)
    {
        const bool cylinder = i % 2 == 0;
        const double radius = 0.6;
        const Vec3 a = make_outside(random, cylinder, radius), b = make_outside(random, cylinder, radius);
        const Vec3 side = random.in_box(0.3);
        const WrappedPath<double> path = find_wrapped_path(cylinder, radius, a, b, &side);
        if (path.touches == 0) continue;
        ++touching;
        EXPECT_NEAR(distance_outside(path.first_contact, cylinder), radius, 1e-14);
        EXPECT_NEAR(norm(path.first_contact - a) + norm(b - path.first_contact), path.length, 1e-14);
        for (int k = 0; k < 300; ++k)
        {
            const Vec3 near = path.first_contact + random.in_box(k % 2 == 0 ? 0.01 : 1.0);
            const Vec3 other = push_to(near, cylinder, radius);
            EXPECT_GE(norm(other - a) + norm(b - other), path.length - 1e-14);
        }
    }
    EXPECT_GT(touching, 50);
}

/// Three arms of hinges and slides; shapes and sites on each, tendons of every kind between them.
Model make_wrapping_model(std::uint64_t seed)
{
    Random random(seed);
    ModelBuilder builder;
    std::vector<BodyId> bodies{kWorld};
    for (int i = 0; i < 5; ++i)
    {
        const BodyId parent = i % 2 == 0 ? kWorld : bodies.back();
        const BodyId body =
            builder.add_body({.parent = parent, .position = random.in_box(0.4), .rotation = random.rotation()});
        builder.add_joint(body, {.type = JointType::hinge, .axis = random.direction(), .position = random.in_box(0.2)});
        builder.add_joint(body, {.type = JointType::slide, .axis = random.direction()});
        bodies.push_back(body);
    }
    std::vector<SiteId> sites;
    std::vector<ShapeId> shapes;
    for (std::size_t i = 0; i < bodies.size(); ++i)
    {
        const Pose pose{random.in_box(0.2), random.rotation()};
        const ShapeOptions options{.position = pose.position, .rotation = pose.rotation, .density = 1000};
        shapes.push_back(i % 2 == 0
                             ? builder.add_shape(bodies[i], Sphere{.radius = 0.25}, options)
                             : builder.add_shape(bodies[i], Cylinder{.radius = 0.25, .half_length = 0.1}, options));
        sites.push_back(builder.add_site(bodies[i], {.position = pose.position + random.in_box(0.1)}));  // inside
        for (int k = 0; k < 3; ++k) sites.push_back(builder.add_site(bodies[i], {.position = random.in_box(0.7)}));
    }
    const auto site = [&] { return sites[at(random.integer(0, static_cast<int>(sites.size()) - 1))]; };
    for (int t = 0; t < 12; ++t)
    {
        const int shape = random.integer(0, static_cast<int>(shapes.size()) - 1);
        const SiteId side = t % 3 == 0 ? SiteId{} : t % 3 == 1 ? site() : sites[at(4 * shape)];
        const double k = random.uniform(1, 30);
        builder.add_spatial_tendon(
            {{site()}, {.shape = shapes[at(shape)], .side_site = side}, {site()}, {{}, 2}, {site()}, {site()}},
            {.stiffness = k, .damping = 1, .spring_length = {{0.1, 0.3}}});
    }
    return builder.build().value();
}

struct Row
{
    std::vector<double> length, jacobian;
};

/// Lengths, and rows written out.
Row find_rows(const Tree& tree, State& state)
{
    const Model& model = *tree.model;
    Workspace<double> w(tree);
    evaluate(w, state, Control(model), 0.002);
    Row row{copy_of<double>(w.tendon_length), std::vector<double>(at(model.tendon_count() * model.v_count()))};
    for (int t = 0; t < model.tendon_count(); ++t)
    {
        for (int k = tree.tendon.begin[at(t)]; k < tree.tendon.begin[at(t) + 1]; ++k)
            row.jacobian[at(t * model.v_count() + tree.tendon.dof[at(k)])] = w.tendon_jacobian[at(k)];
    }
    return row;
}

State make_state(const Model& model, std::uint64_t seed)
{
    State state(model);
    Random random(seed);
    for (double& q : state.q) q = random.uniform(-0.8, 0.8);
    for (double& v : state.v) v = random.uniform(-1, 1);
    return state;
}

TEST(Wrapping, the_row_is_the_derivative_of_the_length)
{
    constexpr double kStep = 1e-5;
    int compared = 0, jumps = 0;
    for (std::uint64_t seed = 0; seed < 40; ++seed)
    {
        const Model model = make_wrapping_model(seed);
        const Tree tree(model);
        State state = make_state(model, seed + 100);
        const Row here = find_rows(tree, state);
        for (int d = 0; d < model.v_count(); ++d)
        {
            const double q = state.q[at(d)];
            state.q[at(d)] = q + kStep;
            const Row after = find_rows(tree, state);
            state.q[at(d)] = q - kStep;
            const Row before = find_rows(tree, state);
            state.q[at(d)] = q;
            for (int t = 0; t < model.tendon_count(); ++t)
            {
                const double rate = (after.length[at(t)] - before.length[at(t)]) / (2 * kStep);
                const std::size_t k = at(t * model.v_count() + d);
                ++compared;
                // where the path changes sides or snaps off between the two states there is no derivative
                if (std::abs(after.jacobian[k] - before.jacobian[k]) > 1e-2)
                    ++jumps;
                else
                    EXPECT_NEAR(here.jacobian[k], rate, 1e-6) << "tendon " << t << ", dof " << d << ", model " << seed;
            }
        }
    }
    EXPECT_GT(compared, 4000);
    EXPECT_LT(jumps, compared / 100);
}

TEST(Wrapping, lanes_of_different_worlds_have_the_bits_of_each_world_alone)
{
    for (std::uint64_t seed = 0; seed < 40; ++seed)
    {
        const Model model = make_wrapping_model(seed);
        const Tree tree(model);
        const Control control(model);
        Workspace<Pack4> pack(tree);
        std::vector<State> states;
        for (std::uint64_t k = 0; k < 4; ++k) states.push_back(make_state(model, 10 * seed + k));
        for (int k = 0; k < 4; ++k) load_world(pack, k, states[at(k)].world(), control.world());
        StageTimer timer(false);
        compute_position_stage(pack, timer);
        compute_velocity_stage(pack, 0.002, timer);
        for (int k = 0; k < 4; ++k)
        {
            Workspace<double> single(tree);
            evaluate(single, states[at(k)], control, 0.002);
            const auto same = [&](std::span<const double> alone, std::span<const Pack4> together)
            {
                for (std::size_t i = 0; i < alone.size(); ++i)
                {
                    ASSERT_EQ(std::bit_cast<std::uint64_t>(alone[i]),
                              std::bit_cast<std::uint64_t>(lane(together[i], k)));
                }
            };
            same(single.tendon_length, pack.tendon_length);
            same(single.tendon_jacobian, pack.tendon_jacobian);
            same(single.passive, pack.passive);
        }
    }
}

TEST(Wrapping, a_kinematic_body_that_carries_the_shape_changes_the_length)
{
    constexpr double kStep = 1e-5;
    ModelBuilder builder;
    const BodyId lift = builder.add_body({.kind = BodyKind::kinematic});
    const ShapeId drum = builder.add_shape(lift, Cylinder{.radius = 0.3}, {.position = {0.1, 0, 0}});
    const SiteId outer = builder.add_site(kWorld, {.position = {-1, 0.05, 0.2}});
    const SiteId inner = builder.add_site(lift, {.position = {0.15, 0, 0}});
    const SiteId own = builder.add_site(lift, {.position = {0.8, -0.3, 0.1}});
    const BodyId arm = builder.add_body({.position = {1, 0, 0}, .inertia = Inertia{.mass = 1, .diagonal = {1, 1, 1}}});
    builder.add_joint(arm);
    const SiteId hand = builder.add_site(arm, {.position = {0.2, -0.1, -0.1}});
    builder.add_spatial_tendon({{outer}, {.shape = drum}, {hand}});
    builder.add_spatial_tendon({{outer}, {.shape = drum}, {own}});
    builder.add_spatial_tendon({{own}, {.shape = drum, .side_site = inner}, {hand}});
    const Model model = builder.build().value();
    const Tree tree(model);
    const Velocity velocity{{0.3, -0.5, 0.7}, {0.4, 0.6, -0.8}};  // of the frame; kinematic bodies tell of their centre
    const Vec3 center = model.bodies.inertial_pose[at(lift.index)].position;
    const Velocity at_center{velocity.linear + cross(velocity.angular, center), velocity.angular};
    const auto measure = [&](double time)
    {
        const Vec3 turn = 0.5 * time * velocity.angular;
        const Pose pose{time * velocity.linear, normalized(Quat{1, turn.x, turn.y, turn.z})};
        State state(model);
        Workspace<double> w(tree);
        load_world(w, 0, state.world(), Control(model).world());
        const KinematicMotion motion{pose, pose, at_center, at_center};
        place_kinematic_bodies<double>(w, 0, std::span(&motion, 1), 0, 0.002);
        StageTimer timer(false);
        compute_position_stage(w, timer);
        compute_velocity_stage(w, 0.002, timer);
        return std::pair(copy_of<double>(w.tendon_length), copy_of<double>(w.tendon_velocity));
    };
    const std::vector<double> after = measure(kStep).first, before = measure(-kStep).first, rate = measure(0).second;
    for (std::size_t t = 0; t < 3; ++t) EXPECT_NEAR(rate[t], (after[t] - before[t]) / (2 * kStep), 1e-8) << t;
    EXPECT_GT(std::abs(rate[1]), 0.1);
}

TEST(Wrapping, the_energy_counts_the_springs_of_wrapping_tendons)
{
    for (std::uint64_t seed = 0; seed < 20; ++seed)
    {
        Model model = make_wrapping_model(seed);
        model.settings.gravity = {};
        State state = make_state(model, seed + 100);
        refresh_bodies(model, state.world());
        const Tree tree(model);
        const Row row = find_rows(tree, state);
        double energy = 0;
        for (std::size_t t = 0; t < row.length.size(); ++t)
        {
            const double over = std::max(row.length[t] - 0.3, 0.0), under = std::max(0.1 - row.length[t], 0.0);
            energy += 0.5 * model.tendons.stiffness[t] * (over * over + under * under);
        }
        EXPECT_NEAR(compute_energy(model, state.world()).potential, energy, 1e-12 * energy);
    }
}

}  // namespace
}  // namespace rattleback
