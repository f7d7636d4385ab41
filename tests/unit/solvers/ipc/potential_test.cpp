// Tests of the incremental potential of solver `ipc`: derivatives against differences, inertia against closed forms.
#include "solvers/ipc/potential.h"
#include "math/matrix3.h"
#include "math/random.h"
#include "math/rotation.h"
#include "unit/solvers/ipc/value_difference.h"

#include <rattleback/rattleback.h>

#include <gtest/gtest.h>

#include <algorithm>

namespace rattleback::ipc
{

namespace
{

const SolverInfo& find_ipc() { return *find_solver("ipc").value(); }

Settings make_ipc_settings(const Model& model, const Parameters& overrides)
{
    return Settings(make_parameters(find_ipc(), model, overrides).value());
}

/// Two boxes on the ground that touch at an edge, a corner and faces, turned a little.
Model make_touching_boxes()
{
    ModelBuilder builder;
    builder.add_ground();
    const BodyId low = builder.add_body({.position = {0, 0, 0.1008}, .rotation = exponential(Vec3{1e-3, -2e-3, 0.2})});
    builder.add_shape(low, Box{.half_extents = {0.1, 0.1, 0.1}}, {.density = 1000});
    const BodyId high =
        builder.add_body({.position = {0.05, 0.02, 0.3020}, .rotation = exponential(Vec3{2e-3, 3e-3, 0.9})});
    builder.add_shape(high, Box{.half_extents = {0.1, 0.12, 0.1}}, {.density = 500});
    return builder.build().value();
}

struct TouchingBoxes
{
    Model model = make_touching_boxes();
    Settings settings = make_ipc_settings(model, {{"dhat", 2e-3}});
    std::shared_ptr<const Layout> layout = build_layout(model, settings).value();
    Potential potential{model, *layout, settings};
    State state{model};
    Control control{model};
    std::vector<Body> bodies;
    std::vector<Placement> placements;
    std::vector<double> skins;
    std::vector<Rest> rests;

    TouchingBoxes()
    {
        StepInput input;
        input.control = control.world();
        input.dt = 0.01;
        load_bodies(model, *layout, input, state.world(), {}, bodies);
        for (const Body& body : bodies) placements.push_back(body.start);
        skins.assign(bodies.size(), 1e-3);
        potential.begin(input.dt, input.dt, 9.81, 1);
        rests.assign(bodies.size(), Rest::none);
        rests[0] = Rest::fixed;
        potential.candidates().find(placements, {skins, {}, {}}, {}, rests);
    }
};

}  // namespace

TEST(IpcPotential, who_wakes_after_a_lag_gets_the_friction_of_its_touches)
{
    // Both boxes woken: as if friction were lagged now. The lower one alone: what it has with the ground.
    TouchingBoxes boxes;
    boxes.potential.evaluate(boxes.bodies, boxes.placements);
    boxes.potential.lag_friction(boxes.placements);
    const std::vector<Grip> all(boxes.potential.grips().begin(), boxes.potential.grips().end());
    ASSERT_GE(all.size(), 8U);
    const auto wake = [&](std::vector<char> is_woken)
    {
        boxes.potential.begin(0.01, 0.01, 9.81, 1);
        boxes.potential.evaluate(boxes.bodies, boxes.placements);
        EXPECT_FALSE(boxes.potential.has_friction());
        boxes.potential.grip_woken(boxes.placements, is_woken);
        return boxes.potential.grips();
    };
    const auto both = wake({0, 1, 1});
    ASSERT_EQ(both.size(), all.size());
    for (std::size_t i = 0; i < all.size(); ++i)
    {
        EXPECT_EQ(both[i].bound, all[i].bound);
        EXPECT_EQ(both[i].on_first, all[i].on_first);
    }
    const auto lower = wake({0, 1, 0});
    EXPECT_EQ(lower.size(), 4U) << "its corners";
    for (const Grip& grip : lower) EXPECT_EQ(std::min(grip.first, grip.second), 0);
}

TEST(IpcPotential, gradient_is_that_of_its_value)
{
    TouchingBoxes boxes;
    boxes.potential.evaluate(boxes.bodies, boxes.placements);
    boxes.potential.lag_friction(boxes.placements);
    ASSERT_TRUE(boxes.potential.has_friction());
    // away from the start, so that friction slips: more and less than its smooth part
    for (const double way : {2e-6, 1e-4})
    {
        std::vector<Placement> moved = boxes.placements;
        Random random(4);
        for (std::size_t g = 1; g < moved.size(); ++g)
        {
            Vector6 d;
            for (double& x : d) x = random.uniform(-way, way);
            moved[g] = move(moved[g], d, 1);
        }
        ASSERT_GT(boxes.potential.evaluate(boxes.bodies, moved), 0);
        ASSERT_GE(boxes.potential.touches().size(), 8U);
        std::vector<Vector6> gradient(2), scratch(2);
        BlockCholesky hessian;
        boxes.potential.set_tangents(boxes.bodies, moved);
        boxes.potential.assemble(boxes.bodies, moved, gradient, hessian);
        double size = 0;
        for (const Vector6& g : gradient)
        {
            for (const double x : g) size = std::max(size, std::abs(x));
        }
        for (std::size_t g = 1; g < moved.size(); ++g)
        {
            for (std::size_t i = 0; i < 6; ++i)
            {
                const double h = 1e-8;
                const double difference = find_value_difference(boxes.potential, boxes.bodies, moved, g, i, h);
                // rounding of the value over h, and h^2 / (distance)^2 of the rest
                EXPECT_NEAR(gradient[g - 1][i], difference, 2e-5 * size) << g << ' ' << i << " way " << way;
            }
        }
    }
}

TEST(IpcPotential, contacts_on_the_way_push_the_end_by_the_gradient_of_their_value)
{
    TouchingBoxes boxes;
    std::vector<char> all;
    // far enough from the start for the Jacobians of the turn to matter, and back within reach on the way
    boxes.skins.assign(boxes.bodies.size(), 0.1);
    boxes.potential.candidates().find(boxes.placements, {boxes.skins, {}, {}}, {}, boxes.rests);
    std::vector<Placement> moved = boxes.placements;
    moved[1] = move(moved[1], {1e-3, 0, 2e-4, 0, 0, 0.3}, 1);
    moved[2] = move(moved[2], {-2e-3, 1e-3, 4e-4, 1e-3, -2e-3, 0.5}, 1);
    all.assign(boxes.potential.candidates().sets().size(), 1);
    boxes.potential.set_way(5, all);
    ASSERT_TRUE(std::isfinite(boxes.potential.evaluate(boxes.bodies, moved)));
    std::vector<Vector6> gradient(2);
    BlockCholesky hessian;
    boxes.potential.set_tangents(boxes.bodies, moved);
    boxes.potential.assemble(boxes.bodies, moved, gradient, hessian);
    const std::vector<Vector6> with = gradient;
    boxes.potential.set_way(0, {});
    boxes.potential.evaluate(boxes.bodies, moved);
    boxes.potential.assemble(boxes.bodies, moved, gradient, hessian);
    EXPECT_NE(with, gradient) << "something touches on the way";
    boxes.potential.set_way(5, all);
    double size = 0;
    for (const Vector6& g : with)
    {
        for (const double x : g) size = std::max(size, std::abs(x));
    }
    for (std::size_t g = 1; g < moved.size(); ++g)
    {
        for (std::size_t i = 0; i < 6; ++i)
        {
            const double h = 1e-8;
            Vector6 d{};
            d[i] = h;
            std::vector<Placement> more = moved, less = moved;
            more[g] = move(moved[g], d, 1);
            less[g] = move(moved[g], d, -1);
            const double up = boxes.potential.evaluate(boxes.bodies, more),
                         down = boxes.potential.evaluate(boxes.bodies, less);
            // rounding of the value over h, and h^2 / (distance)^2 of the rest
            EXPECT_NEAR(with[g - 1][i], (up - down) / (2 * h), 2e-5 * size) << g << ' ' << i;
        }
    }
}

TEST(IpcPotential, a_path_that_meets_something_at_any_time_has_an_infinite_value)
{
    // The upper box goes round the corner of the lower one, from above it to beside it: the straight path cuts the
    // corner in some fifth of the way, whichever spans that falls into. Higher up it passes.
    TouchingBoxes boxes;
    boxes.skins.assign(boxes.bodies.size(), 1.0);
    boxes.potential.candidates().find(boxes.placements, {boxes.skins, {}, {}}, {}, boxes.rests);
    const std::vector<char> all(boxes.potential.candidates().sets().size(), 1);
    for (const int spans : {4, 5, 7, 32})
    {
        std::vector<Placement> moved = boxes.placements;
        moved[2] = move(boxes.placements[2], {0.45, 0, -0.15, 0, 0, 0.1}, 1);
        boxes.potential.set_way(0, {});
        EXPECT_TRUE(std::isfinite(boxes.potential.evaluate(boxes.bodies, moved))) << "the end is free";
        boxes.potential.set_way(spans, all);
        EXPECT_FALSE(std::isfinite(boxes.potential.evaluate(boxes.bodies, moved))) << spans;
        moved[2] = move(boxes.placements[2], {0.45, 0, 0.15, 0, 0, 0.1}, 1);
        EXPECT_TRUE(std::isfinite(boxes.potential.evaluate(boxes.bodies, moved))) << spans;
    }
}

TEST(IpcPotential, the_whole_Hessian_is_that_of_the_gradient)
{
    TouchingBoxes boxes;
    boxes.potential.evaluate(boxes.bodies, boxes.placements);
    boxes.potential.lag_friction(boxes.placements);
    for (const double way : {5e-7, 1e-4})  // slips within what anchored friction may stretch by, and beyond
    {
        std::vector<Placement> moved = boxes.placements;
        Random random(5);
        for (std::size_t g = 1; g < moved.size(); ++g)
        {
            Vector6 d;
            for (double& x : d) x = random.uniform(-way, way);
            moved[g] = move(moved[g], d, 1);
        }
        std::vector<Vector6> gradient(2), more(2), less(2);
        BlockCholesky hessian, other;
        const auto assemble = [&](const std::vector<Placement>& at_places, std::vector<Vector6>& out)
        {
            boxes.potential.evaluate(boxes.bodies, at_places);
            boxes.potential.set_tangents(boxes.bodies, at_places);
            boxes.potential.assemble_exact(boxes.bodies, at_places, out, hessian);
        };
        assemble(moved, gradient);
        // H x by the solution of H + s, which is positive: (H + s) x = b  ->  H x = b - s x
        const double shift = 100, h = 2.5e-6;
        other = hessian;
        other.add_identity(shift);
        ASSERT_TRUE(other.factor());
        for (std::size_t column = 0; column < 12; ++column)
        {
            std::vector<Vector6> x(2);
            x[column / 6][column % 6] = 1;
            std::vector<Vector6> b = x;
            other.solve(x);
            std::vector<Placement> up = moved, down = moved;
            for (std::size_t g = 0; g < 2; ++g)
            {
                up[g + 1] = move(moved[g + 1], x[g], h);
                down[g + 1] = move(moved[g + 1], x[g], -h);
            }
            assemble(up, more);
            assemble(down, less);
            for (std::size_t g = 0; g < 2; ++g)
            {
                // turns do not commute: a gradient by turns changes by d x g / 2 beside H d
                const Vec3 bent =
                    0.5 * cross(Vec3{x[g][3], x[g][4], x[g][5]}, Vec3{gradient[g][3], gradient[g][4], gradient[g][5]});
                for (std::size_t i = 0; i < 6; ++i)
                {
                    const double product = b[g][i] - shift * x[g][i] + (i < 3 ? 0 : bent[static_cast<int>(i) - 3]);
                    const double difference = (more[g][i] - less[g][i]) / (2 * h);
                    // third derivatives of the barrier: (h x / gap)^2
                    EXPECT_NEAR(product, difference, 1e-4) << column << ' ' << g << ' ' << i << " way " << way;
                }
            }
        }
    }
}

TEST(IpcPotential, turning_contacts_make_the_model_that_of_the_whole_Hessian)
{
    // Corners over faces, crossing edges: nothing that turning contacts leave out.
    TouchingBoxes boxes;
    Potential& potential = boxes.potential;
    std::vector<Placement> moved = boxes.placements;
    moved[2] = move(moved[2], {1e-5, -2e-5, 3e-5, 1e-4, 2e-4, -1e-4}, 1);
    potential.evaluate(boxes.bodies, moved);
    potential.set_tangents(boxes.bodies, moved);
    int crossings = 0, corners = 0;
    const auto count = [](const std::array<double, 3>& w)
    { return static_cast<int>(std::count_if(w.begin(), w.end(), [](double x) { return x != 0; })); };
    for (const Touch& touch : potential.touches())
    {
        ASSERT_EQ(touch.mollifier, 1);
        if (potential.candidates().sets()[static_cast<std::size_t>(touch.set)].is_plane) continue;
        ASSERT_EQ(count(touch.first_weights) + count(touch.second_weights), 4);
        ++(count(touch.first_weights) == 2 ? crossings : corners);
    }
    ASSERT_GE(crossings, 1);
    ASSERT_GE(corners, 1);
    std::vector<Vector6> gradient(2);
    BlockCholesky model, plain, whole;
    potential.assemble(boxes.bodies, moved, gradient, plain);
    model = plain;
    potential.add_turns(moved, model);
    potential.assemble_exact(boxes.bodies, moved, gradient, whole);
    for (BlockCholesky* each : {&model, &plain, &whole})
    {
        each->add_identity(100);
        ASSERT_TRUE(each->factor());
    }
    double without = 0;
    for (std::size_t column = 0; column < 12; ++column)
    {
        std::vector<Vector6> x(2), y(2), z(2);
        x[column / 6][column % 6] = y[column / 6][column % 6] = z[column / 6][column % 6] = 1;
        model.solve(x);
        whole.solve(y);
        plain.solve(z);
        for (std::size_t i = 0; i < 12; ++i)
        {
            // solutions of about 1 / 100, to rounding times the condition of some 1e5
            EXPECT_NEAR(x[i / 6][i % 6], y[i / 6][i % 6], 1e-11) << column << ' ' << i;
            without = std::max(without, std::abs(z[i / 6][i % 6] - y[i / 6][i % 6]));
        }
    }
    EXPECT_GT(without, 1e-7) << "and without them it is another";
}

TEST(IpcPotential, chords_lead_to_the_minimum_where_tangents_overshoot)
{
    TouchingBoxes boxes;
    boxes.potential.evaluate(boxes.bodies, boxes.placements);
    boxes.potential.lag_friction(boxes.placements);
    // slips by twenty times eps_v h: without curvature along it, the tangents' solution turns the slip round
    std::vector<Placement> moved = boxes.placements;
    for (std::size_t g = 1; g < moved.size(); ++g) moved[g] = move(moved[g], {2e-4, 0, 0, 0, 0, 0}, 1);
    const auto find_fall = [&](int passes)
    {
        const double before = boxes.potential.evaluate(boxes.bodies, moved);
        std::vector<Vector6> direction(2);
        BlockCholesky hessian;
        boxes.potential.set_tangents(boxes.bodies, moved);
        for (int pass = 0; pass < passes; ++pass)
        {
            if (pass > 0) boxes.potential.set_chords(moved, direction);
            boxes.potential.assemble(boxes.bodies, moved, direction, hessian);
            for (Vector6& g : direction)
            {
                for (double& x : g) x = -x;
            }
            EXPECT_TRUE(hessian.factor());
            hessian.solve(direction);
        }
        std::vector<Placement> next = moved;
        for (std::size_t g = 1; g < next.size(); ++g) next[g] = move(moved[g], direction[g - 1], 1);
        return before - boxes.potential.evaluate(boxes.bodies, next);
    };
    const double by_tangents = find_fall(1), by_chords = find_fall(6);
    EXPECT_GT(by_chords, 0) << "a whole step decreases the value";
    EXPECT_GT(by_chords, by_tangents);
}

TEST(IpcPotential, touches_are_all_pairs_within_reach_and_no_others)
{
    TouchingBoxes boxes;
    // moved within the skins: candidates of the first poses serve
    std::vector<Placement> moved = boxes.placements;
    moved[2] = move(moved[2], {3e-4, -2e-4, -1e-4, 1e-3, 0, 2e-3}, 1);
    boxes.potential.evaluate(boxes.bodies, moved);
    std::size_t expected = 0;
    const Piece &a = boxes.layout->pieces[0], &b = boxes.layout->pieces[1];
    const double reach = boxes.layout->reach;
    const auto near = [&](const Simplex& first, const Simplex& second)
    { return norm(find_nearest(first, second).between) < reach ? 1U : 0U; };
    for (int v = 0; v < 8; ++v)
    {
        // the two triangles of a side are one face
        for (int f = 0; f < 12; f += 2)
        {
            expected += near(place(moved[1], a.vertex(v)), place(moved[2], b.face(f))) |
                        near(place(moved[1], a.vertex(v)), place(moved[2], b.face(f + 1)));
            expected += near(place(moved[2], b.vertex(v)), place(moved[1], a.face(f))) |
                        near(place(moved[2], b.vertex(v)), place(moved[1], a.face(f + 1)));
        }
        expected += place(moved[1], a.vertex(v)).corner[0].z < reach ? 1U : 0U;
        expected += place(moved[2], b.vertex(v)).corner[0].z < reach ? 1U : 0U;
    }
    for (int e = 0; e < 12; ++e)
    {
        for (int o = 0; o < 12; ++o) expected += near(place(moved[1], a.edge(e)), place(moved[2], b.edge(o)));
    }
    EXPECT_GE(expected, 10U);
    EXPECT_EQ(boxes.potential.touches().size(), expected);
}

TEST(IpcPotential, inertia_has_the_derivatives_of_its_value)
{
    Group group;
    group.mass = 2;
    group.radius = 1;
    group.inertia = {{0.4, 0, 0, 0, 0.7, 0, 0, 0, 0.9}};
    group.moment = {{0.6, 0, 0, 0, 0.3, 0, 0, 0, 0.1}};
    Body body;
    body.target = make_placement({1, 2, 3}, exponential(Vec3{0.3, -0.2, 0.5}));
    body.goal = body.target.matrix;
    const Placement now = make_placement({1.1, 2.2, 2.9}, exponential(Vec3{0.1, 0.2, 0.4}));
    Vector6 gradient{};
    Block6 hessian{};
    add_inertia(group, body, now, gradient, hessian);
    const double h = 1e-5;
    for (std::size_t i = 0; i < 6; ++i)
    {
        Vector6 d{};
        d[i] = h;
        const Placement more = move(now, d, 1), less = move(now, d, -1);
        const double up = find_inertia_value(group, body, more), down = find_inertia_value(group, body, less);
        EXPECT_NEAR(gradient[i], (up - down) / (2 * h), 1e-9);
        EXPECT_NEAR(hessian[7 * i], (up - 2 * find_inertia_value(group, body, now) + down) / (h * h), 2e-4);
    }
    // Beyond a right angle from the target the curvature is not positive; what is used in its place is.
    const Placement far = move(now, {0, 0, 0, 0, 0, 2.5}, 1);
    Block6 used{};
    add_inertia(group, body, far, gradient, used);
    for (std::size_t i = 0; i < 6; ++i) EXPECT_GT(used[7 * i], 0);
}

TEST(IpcIntegrators, BDF2_and_Newmark_are_of_second_order_and_Euler_of_first)
{
    // A body that tumbles about its middle axis: angle from the solution with tiny steps, at h and h / 2.
    ModelBuilder builder;
    builder.settings().gravity = {};
    const BodyId id = builder.add_body({.inertia = Inertia{.mass = 1, .diagonal = {0.2, 0.35, 0.5}},
                                        .linear_velocity = {1, 0, 0},
                                        .angular_velocity = {0.5, 2, 0.3}});
    const Model model = builder.build().value();
    const auto run = [&](const char* integrator, double dt)
    {
        Simulation simulation =
            Simulation::make(model,
                             {.solver = "ipc", .dt = dt, .parameters = {{"integrator", std::string(integrator)}}})
                .value();
        for (int i = 0; i < static_cast<int>(std::lround(0.5 / dt)); ++i)
            EXPECT_EQ(simulation.step().status, StepStatus::ok);
        return simulation.state().pose(id).rotation;
    };
    const Quat exact = run("euler", 1e-4);
    const auto find_order = [&](const char* integrator)
    {
        const auto find_error = [&](double dt) { return norm(logarithm(run(integrator, dt) * conjugate(exact))); };
        return std::log2(find_error(0.01) / find_error(0.005));
    };
    EXPECT_NEAR(find_order("printed"), 1, 0.15);
    EXPECT_NEAR(find_order("bdf2"), 2, 0.25);
    EXPECT_NEAR(find_order("newmark"), 2, 0.25);
    EXPECT_LT(norm(logarithm(run("euler", 0.01) * conjugate(exact))), 1e-7) << "free rotation is exact";
}

TEST(IpcIntegrators, fall_as_the_closed_form_says)
{
    ModelBuilder builder;
    const BodyId id = builder.add_body({.inertia = Inertia{.mass = 1, .diagonal = {1, 1, 1}}});
    const Model model = builder.build().value();
    const auto fall = [&](const char* integrator)
    {
        Simulation simulation =
            Simulation::make(model,
                             {.solver = "ipc", .dt = 0.01, .parameters = {{"integrator", std::string(integrator)}}})
                .value();
        simulation.run_for(1);
        return -simulation.state().position(id).z;
    };
    const double g = 9.81;
    // implicit Euler: g t (t + h) / 2; Newmark is exact; BDF2 but for its first step, by Euler: h^2 g / 2 and its decay
    EXPECT_NEAR(fall("euler"), 0.5 * g * 1.01, 1e-9);
    EXPECT_NEAR(fall("printed"), 0.5 * g * 1.01, 1e-9);
    EXPECT_NEAR(fall("newmark"), 0.5 * g, 1e-9);
    EXPECT_NEAR(fall("bdf2"), 0.5 * g, g * 0.01 * 0.01 * 2);
}

TEST(IpcBodies, free_rotation_keeps_angular_momentum_and_energy)
{
    ModelBuilder builder;
    builder.settings().gravity = {};
    const BodyId id = builder.add_body(
        {.inertia = Inertia{.mass = 1, .diagonal = {0.2, 0.5, 0.6}}, .angular_velocity = {0.1, 5, 0.2}});
    const Model model = builder.build().value();
    Simulation simulation = Simulation::make(model, {.solver = "ipc", .dt = 0.01}).value();
    const Vec3 before = simulation.momentum().angular;
    const double energy = simulation.energy().kinetic;
    simulation.run_for(10);
    // the classical Runge-Kutta method in steps of 0.05 rad: (0.05)^5 / 120 for each of 1000 steps
    EXPECT_LT(norm(simulation.momentum().angular - before), 1e-9 * norm(before));
    EXPECT_NEAR(simulation.energy().kinetic, energy, 1e-5 * energy);
    EXPECT_GT(norm(simulation.state().velocity(id).angular), 0);
}

TEST(IpcFlats, the_middle_of_a_flat_lies_inside_and_a_vertex_without_faces_does_not)
{
    // A square of four triangles about its middle, and a vertex that none of them uses.
    Piece piece;
    piece.vertices = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}, {0.5, 0.5, 0}, {2, 2, 2}};
    piece.faces = {{0, 1, 4}, {1, 2, 4}, {2, 3, 4}, {3, 0, 4}};
    piece.edges = {{0, 1}, {1, 2}, {2, 3}, {0, 3}, {0, 4}, {1, 4}, {2, 4}, {3, 4}};
    find_flats(piece);
    EXPECT_EQ(piece.is_inner, (std::vector<char>{0, 0, 0, 0, 1, 1, 1, 1}));
    EXPECT_EQ(piece.is_inside, (std::vector<char>{0, 0, 0, 0, 1, 0}));
}

}  // namespace rattleback::ipc
