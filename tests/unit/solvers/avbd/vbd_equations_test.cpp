// The equations of [VBD-R] one by one, by their numbers in docs/sources/002-vbd.md, each against an evaluation of its
// own or finite differences. E9 to E13: free_body_test.cpp.
#include "base/index.h"
#include "solvers/avbd/body_solve.h"
#include "solvers/avbd/penalty.h"
#include "unit/solvers/avbd/block_scene.h"

namespace rattleback::avbd
{
namespace
{

constexpr double kLoneStep = 0.01;
const Vec3 kMoments{0.1, 0.2, 0.25};

/// A free body of 2 kg and the world; rows between the two.
struct Lone
{
    Model model;
    Layout layout;
    BlockWork work;
    Settings settings;
    std::vector<ContactRow> rows;
    std::vector<Manifold> manifolds;

    explicit Lone(Random& random) : model(make_model()), layout(model, false), work(layout)
    {
        work.dt = kLoneStep;
        State state(model);
        load_bodies(layout, state.world(), {0, 2}, work.bodies);
        body().center = random.in_box(1);
        body().rotation = exponential(random.in_box(1));
        body().rotation_now = exponential(0.05 * random.in_box(1)) * body().rotation;
        body().delta.angular = logarithm(body().rotation_now * conjugate(body().rotation));
        body().delta.linear = 0.01 * random.in_box(1);
        body().target = {0.01 * random.in_box(1), 0.05 * random.in_box(1)};
        work.contact_begin.assign(3, 0);
    }
    static Model make_model()
    {
        ModelBuilder builder;
        builder.add_body({.inertia = Inertia{.mass = 2, .diagonal = kMoments}});
        return builder.build().value();
    }

    Body& body() { return work.bodies[1]; }

    /// A contact with a fixed point of the world, `depth` deep at the present pose.
    void add_row(Random& random, double depth, double arm = 1)
    {
        ContactRow row;
        row.first = 0;
        row.second = 1;
        row.normal = random.direction();
        row.second_point = arm * random.in_box(1);
        row.first_point = random.in_box(1);
        row.penalty = 300;
        const Vec3 point = body().center_now() + rotate(body().rotation_now, row.second_point);
        row.margin = dot(point - row.first_point, row.normal) + depth;
        rows.push_back(row);
        find_manifolds(rows, {0, static_cast<int>(rows.size())}, manifolds);
        gather_contacts(layout, settings, rows, manifolds, {1, 1}, work);
    }

    BodySystem<double> assemble() { return assemble_penalty(layout, settings, rows, 1, work.scratch[0], work); }

    /// m / 2h^2 |x - x*|^2 + theta I theta / 2h^2 + sum of k d^2 / 2: what the Newton steps are to make smaller.
    double energy() const
    {
        const Body& b = work.bodies[1];
        const double inverse = 1 / (work.dt * work.dt);
        const Vec3 off = b.target.linear - b.delta.linear;
        const Quat target = exponential(b.target.angular) * b.rotation;
        const Vec3 theta = logarithm(conjugate(b.rotation_now) * target);
        double sum = 0.5 * inverse * b.mass * dot(off, off);
        for (int k = 0; k < 3; ++k) sum += 0.5 * inverse * kMoments[k] * theta[k] * theta[k];
        for (const ContactRow& row : rows) sum += evaluate_penalty(row, settings, work.bodies[0], b, work.dt).energy;
        return sum;
    }
    void apply(const Increment<double>& step)
    {
        body().delta.linear += step.linear;
        body().rotation_now = normalized(exponential(step.angular) * body().rotation_now);
        body().delta.angular = logarithm(body().rotation_now * conjugate(body().rotation));
    }
};

/// The largest difference of two matrices.
double difference(const Mat3& a, const Mat3& b)
{
    double most = 0;
    for (int i = 0; i < 9; ++i) most = std::max(most, std::abs(a.m[i] - b.m[i]));
    return most;
}
Mat3 full(const Symmetric3<double>& a)
{
    return {{a.m[0], a.m[1], a.m[3], a.m[1], a.m[2], a.m[4], a.m[3], a.m[4], a.m[5]}};
}

TEST(VbdEquations, E1_and_E2_the_step_tends_to_newton_and_euler_with_the_first_power_of_h)
{
    // E2 in body axes by Runge and Kutta at a hundredth of the step; E1 in closed form
    const Vec3 spin{0.5, 3, -0.4}, speed{0.3, -0.2, 1}, force{0.1, 0.2, -3};
    const double end = 0.5;
    const auto euler = [](const Vec3& w)
    {
        const Vec3 l{kMoments.x * w.x, kMoments.y * w.y, kMoments.z * w.z}, t = cross(l, w);
        return Vec3{t.x / kMoments.x, t.y / kMoments.y, t.z / kMoments.z};
    };
    Vec3 w = spin;
    Quat turned;
    constexpr int kFine = 50000;
    for (int i = 0; i < kFine; ++i)
    {
        const double h = end / kFine;
        const Vec3 a = euler(w), b = euler(w + (0.5 * h) * a), c = euler(w + (0.5 * h) * b), d = euler(w + h * c);
        const Vec3 next = w + (h / 6) * (a + 2.0 * b + 2.0 * c + d);
        turned = normalized(turned * exponential(0.5 * h * (w + next)));
        w = next;
    }
    std::vector<double> position, rotation;
    for (const double dt : {0.002, 0.001, 0.0005})
    {
        ModelBuilder builder;
        builder.settings().gravity = {};
        const BodyId body = builder.add_body(
            {.inertia = Inertia{.mass = 2, .diagonal = kMoments}, .linear_velocity = speed, .angular_velocity = spin});
        Simulation simulation(builder.build().value(),
                              {.solver = "avbd", .dt = dt, .parameters = {{"mode", std::string("penalty")}}});
        simulation.control().body_wrench[1].force = force;
        simulation.run_for(end);
        const Vec3 expected = end * speed + (0.5 * end * end / 2) * force;
        position.push_back(norm(simulation.state().position(body) - expected));
        rotation.push_back(norm(logarithm(simulation.state().rotation(body) * conjugate(turned))));
    }
    for (std::size_t i = 0; i < 2; ++i)
    {
        EXPECT_NEAR(position[i] / position[i + 1], 2, 0.01);
        EXPECT_NEAR(rotation[i] / rotation[i + 1], 2, 0.1);
    }
    EXPECT_NEAR(position[1], 0.5 * norm(force) / 2 * end * 0.001, 1e-9);  // a h t / 2, backward Euler's
}

TEST(VbdEquations, E4_E5_E10_E14_E15_E24_E25_E26_velocities_are_increments_of_the_poses_over_h)
{
    // a box that falls on an edge: turned and pushed in every step
    ModelBuilder builder;
    builder.add_ground();
    const BodyId body = builder.add_body({.position = {0, 0, 0.4}, .rotation = from_axis_angle({1, 1, 0}, 0.6)});
    builder.add_shape(body, Box{.half_extents = {0.3, 0.2, 0.1}});
    Simulation simulation(builder.build().value(),
                          {.solver = "avbd", .dt = kLoneStep, .parameters = {{"mode", std::string("penalty")}}});
    double fastest = 0;
    for (int i = 0; i < 100; ++i)
    {
        const Vec3 before = simulation.state().position(body);
        const Quat was = simulation.state().rotation(body);
        simulation.step();
        const Velocity v = simulation.state().velocity(body);
        const Vec3 turn = logarithm(simulation.state().rotation(body) * conjugate(was));
        EXPECT_LT(norm(kLoneStep * v.linear - (simulation.state().position(body) - before)), 1e-14);
        EXPECT_LT(norm(kLoneStep * v.angular - turn), 1e-14);
        fastest = std::max(fastest, norm(v.angular));
    }
    EXPECT_GT(fastest, 1);
}

TEST(VbdEquations, E6_to_E8_the_translational_residual_is_zero_at_the_end_of_a_step)
{
    // a cube that is pressed 20 mm into the floor and comes out again, k = 1e4 N/m at four points
    ModelBuilder builder;
    builder.add_ground();
    const BodyId body = builder.add_body({.position = {0, 0, 0.08}});
    builder.add_shape(body, Box{.half_extents = {0.1, 0.1, 0.1}}, {.mass = 10});
    Simulation simulation(
        builder.build().value(),
        {.solver = "avbd",
         .dt = kLoneStep,
         .parameters = {{"mode", std::string("penalty")}, {"penalty_start", 1e4}, {"penalty_ramp", 0.0}}});
    for (int i = 0; i < 50; ++i)
    {
        const double before = simulation.state().position(body).z, speed = simulation.state().velocity(body).linear.z;
        simulation.step();
        const double now = simulation.state().position(body).z;
        const double force = 4 * 1e4 * std::max(0.0, 0.1 - now) - 10 * 9.81;
        EXPECT_NEAR(10 / (kLoneStep * kLoneStep) * (now - before - kLoneStep * speed) - force, 0, 1e-6) << i;
    }
}

TEST(VbdEquations, E11_the_coriolis_term_does_not_vanish_for_small_steps_but_its_share_of_the_jacobian_does)
{
    // d theta / h tends to w, so the term tends to w x I w: as large as I w' itself where no torque acts
    const Vec3 w{0.5, 3, -0.4};
    const auto momentum = [](const Vec3& u) { return Vec3{kMoments.x * u.x, kMoments.y * u.y, kMoments.z * u.z}; };
    for (const double h : {1e-2, 1e-3, 1e-4})
    {
        // the root of E11 without torque, by fixed-point iteration
        Vec3 u = h * w;
        for (int i = 0; i < 50; ++i)
        {
            const Vec3 c = cross(u, momentum(u));
            u = h * w - Vec3{c.x / kMoments.x, c.y / kMoments.y, c.z / kMoments.z};
        }
        const Vec3 coriolis = (1 / (h * h)) * cross(u, momentum(u));
        const Vec3 change = momentum((1 / (h * h)) * u - (1 / h) * w);
        EXPECT_NEAR(norm(coriolis) / norm(change), 1, 1e-6) << h;
        EXPECT_GT(norm(coriolis), 0.1) << h;
        // d(u x I u) / du against I: of the order of h w
        double most = 0;
        for (int k = 0; k < 3; ++k)
        {
            Vec3 e;
            e[k] = 1;
            most = std::max(most, norm(cross(e, momentum(u)) + cross(u, momentum(e))) / kMoments.x);
        }
        EXPECT_LT(most, 3 * h * norm(w)) << h;
    }
}

TEST(VbdEquations, E16_to_E19_inertial_blocks_are_those_of_the_text)
{
    Random random(5);
    for (int trial = 0; trial < 20; ++trial)
    {
        Lone lone(random);
        const Body& b = lone.body();
        const BodySystem<double> system = lone.assemble();
        const double inverse = 1 / (kLoneStep * kLoneStep);
        // H_ll = m / h^2, f_lin = m / h^2 (x* - x), H_al = 0
        EXPECT_LT(difference(full(system.linear), {{2 * inverse, 0, 0, 0, 2 * inverse, 0, 0, 0, 2 * inverse}}), 1e-9);
        EXPECT_LT(norm(system.force - 2 * inverse * (b.target.linear - b.delta.linear)), 1e-9);
        EXPECT_EQ(difference(system.coupling, {}), 0);
        // the listing of solve_rigid_body: theta, torque in body axes, then world; I_world = R I R^T
        const Quat target = exponential(b.target.angular) * b.rotation;
        const Vec3 theta = logarithm(conjugate(b.rotation_now) * target);
        const Mat3& own = lone.layout.groups[1].inertia;  // diagonal
        const Vec3 torque = rotate(b.rotation_now, inverse * (own * theta));
        EXPECT_LT(norm(system.torque - torque), 1e-9);
        const Mat3 r = to_matrix(b.rotation_now);
        Mat3 inertia;
        for (int i = 0; i < 3; ++i)
        {
            for (int j = 0; j < 3; ++j)
            {
                for (int k = 0; k < 3; ++k) inertia(i, j) += inverse * r(i, k) * own(k, k) * r(j, k);
            }
        }
        EXPECT_LT(difference(full(system.angular), inertia), 1e-9);
    }
}

TEST(VbdEquations, E17_the_target_is_that_of_external_forces_alone_and_the_first_guess)
{
    // no iterations: the body ends at x* = x + h v + h^2 f / m, through the floor
    ModelBuilder builder;
    builder.add_ground();
    const BodyId body = builder.add_body({.position = {0, 0, 0.1}, .linear_velocity = {1, 2, -3}});
    builder.add_shape(body, Sphere{.radius = 0.1}, {.mass = 2});
    Simulation simulation(
        builder.build().value(),
        {.solver = "avbd", .dt = kLoneStep, .parameters = {{"mode", std::string("penalty")}, {"iterations", 0}}});
    simulation.control().body_wrench[1].force = {4, 0, 0};
    simulation.step();
    const Vec3 expected = Vec3{0, 0, 0.1} + kLoneStep * Vec3{1, 2, -3} + kLoneStep * kLoneStep * Vec3{2, 0, -9.81};
    EXPECT_LT(norm(simulation.state().position(body) - expected), 1e-14);
}

TEST(VbdEquations, E18_our_rotational_target_parts_from_the_listings_with_the_square_of_h_and_keeps_momentum)
{
    // integrate_rigid_body of the listing: w <- w + h I^-1 (-w x I w), semi-implicit
    const Mat3 inertia{{kMoments.x, 0, 0, 0, kMoments.y, 0, 0, 0, kMoments.z}};
    const auto listed = [&](const Vec3& w, double h)
    {
        const Vec3 t = cross(inertia * w, w);
        return w + h * Vec3{t.x / kMoments.x, t.y / kMoments.y, t.z / kMoments.z};
    };
    const Vec3 spin{0.5, 3, -0.4};
    std::vector<double> apart;
    for (const double h : {0.01, 0.005}) apart.push_back(norm(spin_freely(inertia, spin, {}, h) - listed(spin, h)));
    EXPECT_NEAR(apart[0] / apart[1], 4, 0.2);
    // angular momentum after a step of a sixtieth, in world axes
    const double h = 1.0 / 60;
    const auto drift = [&](const Vec3& w)
    { return norm(rotate(exponential(h * w), inertia * w) - inertia * spin) / norm(inertia * spin); };
    EXPECT_LT(drift(spin_freely(inertia, spin, {}, h)), 1e-12);
    EXPECT_GT(drift(listed(spin, h)), 1e-4);
}

TEST(VbdEquations, E20_blocks_of_a_contact_are_those_of_the_text_and_of_finite_differences)
{
    Random random(6);
    for (int trial = 0; trial < 20; ++trial)
    {
        Lone lone(random);
        const BodySystem<double> bare = lone.assemble();
        // hardly deep: the text leaves out what a turn of the arm does to the torque of the force itself
        lone.add_row(random, 1e-4);
        const ContactRow& row = lone.rows[0];
        const BodySystem<double> system = lone.assemble();
        const Vec3 r = rotate(lone.body().rotation_now, row.second_point);
        Mat3 k, arm = skew(r);
        for (int i = 0; i < 9; ++i) k.m[i] = row.penalty * row.normal[i / 3] * row.normal[i % 3];
        const Mat3 coupling = transpose(arm) * k;
        for (int i = 0; i < 9; ++i)
        {
            EXPECT_NEAR(full(system.linear).m[i] - full(bare.linear).m[i], k.m[i], 1e-9);
            EXPECT_NEAR(system.coupling.m[i], -coupling.m[i], 1e-9);
            EXPECT_NEAR(full(system.angular).m[i] - full(bare.angular).m[i], (coupling * arm).m[i], 1e-9);
        }
        for (int d = 0; d < 6; ++d)
        {
            const Body kept = lone.body();
            const auto push_at = [&](double by)
            {
                const PenaltyContact c =
                    evaluate_penalty(row, lone.settings, lone.work.bodies[0], displaced(kept, d, by), kLoneStep);
                return make_vector6(c.force, cross(c.second_arm, c.force));
            };
            const Vector6 up = push_at(1e-6), down = push_at(-1e-6);
            Vec3 e;
            e[d % 3] = 1;
            const Vec3 linear = d < 3 ? k * e : transpose_times(system.coupling, e);
            // 1e-4 of depth in arms of up to 1.7 m: the part that is left out
            for (int c = 0; c < 3; ++c)
                EXPECT_NEAR(-(up[at(c)] - down[at(c)]) / 2e-6, linear[c], 2e-4 * row.penalty) << trial << ' ' << d;
        }
    }
}

TEST(VbdEquations, E20_force_and_damping_are_those_of_the_listing_and_friction_leans_on_the_elastic_load)
{
    Random random(8);
    for (int trial = 0; trial < 40; ++trial)
    {
        Lone lone(random);
        lone.settings.penalty_damping = 0.03;
        lone.add_row(random, 0.02);
        ContactRow row = lone.rows[0];
        row.friction = 0.5;
        const Body& b = lone.body();
        // dx_rel = (now - before) of the body's point; the world's does not move
        const Vec3 now = b.center_now() + rotate(b.rotation_now, row.second_point);
        const Vec3 before = b.center + rotate(b.rotation, row.second_point);
        const Vec3 v = (1 / kLoneStep) * (now - before);
        const double along = dot(v, row.normal), load = row.penalty * 0.02;
        const double damping = along < 0 ? 0.03 * row.penalty : 0;
        const PenaltyContact contact = evaluate_penalty(row, lone.settings, lone.work.bodies[0], b, kLoneStep);
        EXPECT_NEAR(dot(contact.force, row.normal), load - damping * along, 1e-9);
        EXPECT_NEAR(dot(contact.stiffness * row.normal, row.normal), row.penalty + damping / kLoneStep, 1e-6);
        // faster than the smooth part: mu k d against the slip, whatever damping adds
        const Vec3 slip = v - along * row.normal;
        if (norm(slip) < 1e-2) continue;
        const Vec3 friction = contact.force - dot(contact.force, row.normal) * row.normal;
        EXPECT_LT(norm(friction + (0.5 * load / norm(slip)) * slip), 1e-9);
    }
}

TEST(VbdEquations, E21_to_E23_the_schur_solve_is_that_of_the_whole_regularised_system)
{
    Random random(9);
    for (int trial = 0; trial < 50; ++trial)
    {
        Lone lone(random);
        for (int i = 0; i < 1 + trial % 5; ++i) lone.add_row(random, 1e-3);
        const BodySystem<double> system = lone.assemble();
        const Mat3 linear = full(system.linear);
        Mat3 angular = full(system.angular);
        const double epsilon = 1e-9 * ((angular(0, 0) + angular(1, 1) + angular(2, 2)) / 3 + 1);
        for (int k = 0; k < 3; ++k) angular(k, k) += epsilon;
        double a[6][7];
        for (int i = 0; i < 3; ++i)
        {
            for (int j = 0; j < 3; ++j)
            {
                a[i][j] = linear(i, j);
                a[i + 3][j] = a[j][i + 3] = system.coupling(i, j);
                a[i + 3][j + 3] = angular(i, j);
            }
            a[i][6] = system.force[i];
            a[i + 3][6] = system.torque[i];
        }
        const Vector6 x = eliminate(a);
        const Increment<double> step = solve(system);
        EXPECT_LT(norm(step.linear - linear_of(x)), 1e-12 * norm(linear_of(x))) << trial;
        EXPECT_LT(norm(step.angular - angular_of(x)), 1e-12 * norm(angular_of(x)) + 1e-15) << trial;
    }
}

TEST(VbdEquations, E27_and_E28_k_grows_by_beta_times_the_violation_and_decays_inside_its_bounds)
{
    EXPECT_EQ(ramp_penalty(100, 1e3, 0.5, 1e4), 600);
    EXPECT_EQ(ramp_penalty(100, 1e6, 0.5, 1e4), 1e4);  // k_max
    EXPECT_EQ(ramp_penalty(100, 0, 0.5, 1e4), 100);
    EXPECT_EQ(warm_penalty(1000, 0.99, 100, 1e4), 990);
    EXPECT_EQ(warm_penalty(100, 0.99, 100, 1e4), 100);  // k_min
    EXPECT_EQ(warm_penalty(5e4, 0.99, 100, 1e4), 1e4);  // a material that has become softer
    EXPECT_EQ(warm_penalty(0, 0.99, 100, 10), 10);      // a material softer than k_min
}

TEST(VbdEquations, a_newton_step_descends_while_contacts_stay_but_not_always_when_new_ones_close)
{
    // "guaranteed descent": 2,000 bodies with four closed contacts, and as many with four more that are open by up to
    // 10 mm; one that closes within the step is not in H
    Random random(10);
    int ascents[2] = {0, 0}, counted[2] = {0, 0};
    for (int trial = 0; trial < 4000; ++trial)
    {
        Lone lone(random);
        for (int i = 0; i < 4; ++i) lone.add_row(random, 2e-3 * random.uniform(0, 1), 0.2);
        for (int i = 0; i < 4 && trial % 2 == 1; ++i) lone.add_row(random, -1e-2 * random.uniform(0, 1), 0.2);
        for (ContactRow& row : lone.rows) row.penalty = 1e6;
        const auto find_closed = [&]
        {
            unsigned closed = 0;
            for (const ContactRow& row : lone.rows)
            {
                const Body& world = lone.work.bodies[0];
                closed = 2 * closed + (evaluate_penalty(row, lone.settings, world, lone.body(), kLoneStep).depth > 0);
            }
            return closed;
        };
        const double before = lone.energy();
        const unsigned closed = find_closed();
        lone.apply(solve(lone.assemble()));
        const int kind = (find_closed() & ~closed) != 0 ? 1 : 0;
        ++counted[kind];
        ascents[kind] += lone.energy() > before ? 1 : 0;
    }
    EXPECT_EQ(ascents[0], 0) << counted[0];
    EXPECT_GT(ascents[1], counted[1] / 2) << counted[1];
    RecordProperty("ascents_with_new_contacts", ascents[1]);
    RecordProperty("steps_with_new_contacts", counted[1]);
}

}  // namespace
}  // namespace rattleback::avbd
