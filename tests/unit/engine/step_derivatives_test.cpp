// Derivatives of a step: closed forms, and the solver's own against differences of steps, on both sides of every kink.
#include "unit/engine/comfree_scenes.h"

#include <gtest/gtest.h>

#include <cmath>

namespace rattleback
{
namespace
{

using std::string;

constexpr double kSlopeStep = 0.002;  // [s]
const string kThreeLaws[] = {"stable", "printed", "as_coded"};

/// Derivatives in closed form are those of Euler's methods.
Parameters by_euler(const string& law) { return {{"law", law}, {"integrator", string("euler")}}; }

DenseMatrix multiply(const DenseMatrix& a, const DenseMatrix& b)
{
    DenseMatrix product(a.rows, b.columns);
    for (int i = 0; i < a.rows; ++i)
        for (int k = 0; k < a.columns; ++k)
            for (int j = 0; j < b.columns; ++j) product(i, j) += a(i, k) * b(k, j);
    return product;
}

/// Entry by entry, relative to the largest of the column.
void expect_same_matrix(const DenseMatrix& found, const DenseMatrix& expected, double tolerance, const string& what)
{
    ASSERT_EQ(found.rows, expected.rows) << what;
    ASSERT_EQ(found.columns, expected.columns) << what;
    for (int j = 0; j < found.columns; ++j)
    {
        double largest = 1e-3;
        for (int i = 0; i < found.rows; ++i) largest = std::max(largest, std::abs(expected(i, j)));
        for (int i = 0; i < found.rows; ++i)
            EXPECT_NEAR(found(i, j), expected(i, j), tolerance * largest) << what << ", entry " << i << ", " << j;
    }
}

/// The solver's own derivatives, with moving contacts, against central differences of whole steps.
void expect_like_differences(Simulation& simulation, double tolerance, const string& what, double interval = 1e-6)
{
    const StepDerivatives own = simulation.step_derivatives({.moving_contacts = true, .interval = interval}).value();
    const StepDerivatives steps = simulation.step_derivatives({.differences = true, .interval = interval}).value();
    EXPECT_TRUE(own.analytic) << what;
    EXPECT_FALSE(steps.analytic) << what;
    expect_same_matrix(own.by_state, steps.by_state, tolerance, what + ", by state");
    expect_same_matrix(own.by_control, steps.by_control, tolerance, what + ", by control");
    expect_same_matrix(own.by_stiffness, steps.by_stiffness, tolerance, what + ", by stiffness");
    expect_same_matrix(own.by_damping, steps.by_damping, tolerance, what + ", by damping");
}

/// A mass on a spring with a damper and a motor.
Model make_sprung_mass()
{
    ModelBuilder builder("sprung mass");
    builder.settings().gravity = {};
    const BodyId body = builder.add_body();
    const JointId joint =
        builder.add_joint(body, {.type = JointType::slide, .axis = {1, 0, 0}, .stiffness = 50, .damping = 3});
    builder.add_shape(body, Sphere{.radius = 0.1}, {.mass = 2});
    builder.add_motor(joint, {.gear = {7}});
    return builder.build().value();
}

TEST(StepDerivatives, of_a_mass_on_a_spring_are_those_of_the_recurrence_with_every_solver)
{
    // v' = v + h (-k q - c v + g u) / (m + h c), q' = q + h v': linear, whoever answers.
    const double h = 0.002, k = 50, c = 3, m = 2, gear = 7, e = m + h * c;
    for (const string solver : {"smooth", "convex", "comfree"})
    {
        Simulation simulation =
            Simulation::make(make_sprung_mass(),
                             {.solver = solver, .dt = h, .parameters = {{"integrator", string("euler")}}})
                .value();
        simulation.state().q[0] = 0.1;
        simulation.state().v[0] = -0.3;
        simulation.refresh();
        const StepDerivatives found = simulation.step_derivatives().value();
        EXPECT_EQ(found.analytic, solver == "comfree");
        const double tolerance = found.analytic ? 1e-14 : 1e-8;
        const double by_q = -h * k / e, by_v = 1 - h * c / e;
        EXPECT_NEAR(found.by_state(1, 0), by_q, tolerance) << solver;
        EXPECT_NEAR(found.by_state(1, 1), by_v, tolerance) << solver;
        EXPECT_NEAR(found.by_state(0, 0), 1 + h * by_q, tolerance) << solver;
        EXPECT_NEAR(found.by_state(0, 1), h * by_v, tolerance) << solver;
        EXPECT_NEAR(found.by_control(1, 0), h * gear / e, tolerance) << solver;
        EXPECT_EQ(found.by_stiffness.columns, solver == "comfree" ? 1 : 0);
        // The next step is as if nothing had been asked.
        Simulation other =
            Simulation::make(make_sprung_mass(),
                             {.solver = solver, .dt = h, .parameters = {{"integrator", string("euler")}}})
                .value();
        other.state().q[0] = 0.1;
        other.state().v[0] = -0.3;
        other.refresh();
        simulation.step();
        other.step();
        EXPECT_EQ(hash(simulation.state()), hash(other.state())) << solver;
    }
}

/// A ball of 1 kg whose lowest point is `gap` above the ground; contacts are found a margin earlier.
Model make_margin_ball(double gap, double friction, int dimension = 3)
{
    ModelBuilder builder("ball");
    const MaterialId material = builder.add_material({.friction = friction,
                                                      .spinning_friction = 0.02,
                                                      .rolling_friction = 0.01,
                                                      .dimension = dimension,
                                                      .softness = Impedance{{0.02, 1}, {0.9, 0.95, 0.001, 0.5, 2}}});
    builder.add_ground({.material = material, .margin = 0.05});
    const BodyId ball =
        builder.add_body({.position = {0, 0, 0.1 + gap}, .rotation = normalized(Quat{1, 0.2, -0.3, 0.1})});
    builder.add_shape(ball, Sphere{.radius = 0.1}, {.material = material, .mass = 1});
    return builder.build().value();
}

TEST(StepDerivatives, by_stiffness_and_damping_of_the_code_are_those_of_its_formula)
{
    // v' = v_s - N R [(d + k dt) v_s + k phi]: - N R (dt v_s + phi) by k, - N R v_s by d.
    constexpr double kDepth = 0.0004, kRows = 4;
    Simulation simulation = make_comfree(make_margin_ball(-kDepth, 1), by_euler("as_coded"), kSlopeStep);
    const double smooth = -9.81 * kSlopeStep, r = 0.9 + 0.05 * 2 * 0.16;  // x = 0.4 below the midpoint: 2 x^2
    const StepDerivatives found = simulation.step_derivatives().value();
    EXPECT_NEAR(found.by_stiffness(8, 0), -kRows * r / (1 - r) * (kSlopeStep * smooth - kDepth), 1e-12);
    EXPECT_NEAR(found.by_damping(8, 0), -kRows * r / (1 - r) * smooth, 1e-12);
}

/// Where a contact stands in the course of a landing.
struct Moment
{
    const char* name;
    double gap;  ///< [m]
    std::array<double, 6> v;
};
constexpr Moment kMoments[] = {
    {"before touch-down", 0.02, {0.3, 0, -1, 0.1, 0.2, 0.3}},
    {"touch-down", 0.0003, {0.3, 0.1, -1, 0.1, 0.2, 0.3}},
    {"pressing and slipping", -0.0003, {1, 0.4, -0.2, 0.1, 0.2, 0.3}},
    {"pressing and sticking", -0.0003, {0.0001, 0, -0.2, 0, 0.0002, 0}},
    {"lifting off", -0.0003, {0.1, 0.1, 0.4, 0.3, 0.2, 0.1}},
};

void put(Simulation& simulation, const std::array<double, 6>& v)
{
    std::copy(v.begin(), v.end(), simulation.state().v.begin());
    simulation.refresh();
}

TEST(StepDerivatives, agree_with_differences_through_touch_down_slip_stick_and_lift_off)
{
    for (const string& law : kThreeLaws)
    {
        for (const Moment& moment : kMoments)
        {
            // With rolling the corrections of `stable` do not always settle, and differences answer.
            for (const int dimension : law == "stable" ? std::vector{1, 3} : std::vector{1, 3, 6})
            {
                Simulation simulation =
                    make_comfree(make_margin_ball(moment.gap, 0.4, dimension), by_euler(law), kSlopeStep);
                put(simulation, moment.v);
                // Slip of `stable` is found to a thousandth of its direction and radius.
                const string what = law + " " + moment.name + ", dimension " + std::to_string(dimension);
                expect_like_differences(simulation, law == "stable" ? 5e-3 : 1e-5, what);
            }
        }
    }
}

TEST(StepDerivatives, differ_on_the_two_sides_of_a_kink_and_each_is_that_of_its_side)
{
    // A frictionless ball at the speed at which its facet begins to push: (d + k dt) u_s + k phi = 0 (Eq. 8).
    constexpr double kGap = 0.0015, kStiffness = 0.2, kDamping = 0.001;
    const double kink = -kStiffness * kGap / (kDamping + kStiffness * kSlopeStep) + 9.81 * kSlopeStep;
    std::array<double, 2> by_speed{};
    for (const int side : {0, 1})
    {
        Simulation simulation = make_comfree(make_margin_ball(kGap, 1, 1), by_euler("printed"), kSlopeStep);
        put(simulation, {0, 0, kink + (side == 0 ? -1e-2 : 1e-2), 0, 0, 0});
        expect_like_differences(simulation, 1e-6, side == 0 ? "pushing" : "not pushing");
        by_speed[static_cast<std::size_t>(side)] = simulation.step_derivatives().value().by_state(8, 8);
    }
    EXPECT_LT(by_speed[0], 1 - 1e-3);
    EXPECT_NEAR(by_speed[1], 1, 1e-12);
}

/// A box on three slide joints: its contacts do not turn, and its Jacobian is constant.
Model make_sliding_block(double friction)
{
    ModelBuilder builder("block");
    const MaterialId material = builder.add_material({.friction = friction});
    builder.add_ground({.material = material});
    const BodyId block = builder.add_body({.position = {0, 0, 0.0998}});
    for (const Vec3 axis : {Vec3{1, 0, 0}, Vec3{0, 1, 0}, Vec3{0, 0, 1}})
        builder.add_joint(block, {.type = JointType::slide, .axis = axis});
    builder.add_shape(block, Sphere{.radius = 0.1}, {.material = material, .mass = 3});
    return builder.build().value();
}

TEST(StepDerivatives, with_standing_contacts_are_exact_where_contacts_do_not_turn)
{
    for (const string& law : kThreeLaws)
    {
        for (const double slip : {0.0, 1e-7, 0.5})
        {
            Simulation simulation = make_comfree(make_sliding_block(0.5), by_euler(law), kSlopeStep);
            simulation.state().v[0] = slip;
            simulation.state().v[1] = 0.4 * slip;
            simulation.state().v[2] = -0.1;
            simulation.refresh();
            const StepDerivatives own = simulation.step_derivatives().value();
            const StepDerivatives steps = simulation.step_derivatives({.differences = true}).value();
            EXPECT_TRUE(own.analytic);
            const string what = law + ", slip " + std::to_string(slip);
            expect_same_matrix(own.by_state, steps.by_state, law == "stable" ? 5e-3 : 1e-5, what);
        }
    }
}

/// A two-link arm with a servo and a filtered motor that presses its tip on the ground.
Model make_pressing_arm()
{
    ModelBuilder builder("arm");
    const MaterialId material = builder.add_material({.friction = 0.6});
    builder.add_ground({.material = material});
    const BodyId upper = builder.add_body({.position = {0, 0, 0.5}});
    const JointId shoulder = builder.add_joint(upper, {.axis = {0, 1, 0}, .damping = 0.2});
    builder.add_shape(upper, Capsule{.radius = 0.03, .half_length = 0.15}, {.position = {0, 0, -0.15}});
    const BodyId lower = builder.add_body({.parent = upper, .position = {0, 0, -0.3}});
    const JointId elbow = builder.add_joint(lower, {.axis = {0, 1, 0}, .stiffness = 2, .damping = 0.1});
    builder.add_shape(lower, Sphere{.radius = 0.05}, {.position = {0.05, 0, -0.16}, .material = material});
    builder.add_position_actuator(shoulder, {.stiffness = 40, .damping = 1});
    builder.add_motor(elbow, {.gear = {2}, .dynamics = ActuatorDynamics::filter, .time_constant = 0.05});
    return builder.build().value();
}

TEST(StepDerivatives, of_an_arm_with_servos_and_contact_agree_with_differences)
{
    for (const string& law : kThreeLaws)
    {
        for (const string integrator : {"euler", "implicitfast", "midpoint"})
        {
            // Corrections have derivatives of their own; sweeps, which an arm takes by default, answer by differences.
            Simulation simulation =
                make_comfree(make_pressing_arm(),
                             {{"law", law}, {"integrator", integrator}, {"method", string("direct")}}, kSlopeStep);
            simulation.state().q[0] = 0.02;
            simulation.state().q[1] = -0.1;
            simulation.state().v[0] = 0.5;
            simulation.state().v[1] = -0.8;
            simulation.control().input[0] = 0.1;
            simulation.control().input[1] = -0.5;
            simulation.refresh();
            expect_like_differences(simulation, law == "stable" ? 5e-3 : 1e-5, law + " " + integrator);
        }
    }
}

TEST(StepDerivatives, of_the_midpoint_rule_agree_with_differences_where_bodies_tumble_and_press)
{
    for (const string& law : kThreeLaws)
    {
        for (const Moment& moment : kMoments)
        {
            Simulation simulation = make_comfree(make_margin_ball(moment.gap, 0.4),
                                                 {{"law", law}, {"integrator", string("midpoint")}}, kSlopeStep);
            // At the given speeds the middle of the step lies in the middle of the impedance's curve, where its
            // curvature jumps and central differences are of first order.
            std::array<double, 6> v = moment.v;
            v[2] *= 1.05;
            put(simulation, v);
            expect_like_differences(simulation, law == "stable" ? 5e-3 : 1e-5, law + " " + moment.name);
        }
    }
    // A body of three different moments that turns by a third of a radian in a step, with nothing near.
    ModelBuilder builder("tumbler");
    const BodyId body = builder.add_body({.angular_velocity = {100, 40, -80}});
    builder.add_shape(body, Box{.half_extents = {0.1, 0.2, 0.4}});
    Simulation tumbler(builder.build().value(), {.solver = "comfree", .dt = kSlopeStep});
    EXPECT_TRUE(tumbler.step_derivatives().value().analytic) << "what builders choose";
    expect_like_differences(tumbler, 1e-6, "tumbler");
}

TEST(StepDerivatives, say_why_they_are_differences)
{
    const auto reason = [](const Model& model, const string& solver, const Parameters& parameters,
                           const DerivativeOptions& options = {})
    {
        Simulation simulation =
            Simulation::make(model, {.solver = solver, .dt = kSlopeStep, .parameters = parameters}).value();
        const StepDerivatives found = simulation.step_derivatives(options).value();
        EXPECT_EQ(found.analytic, found.reason.empty());
        return found.reason;
    };
    const Model mass = make_sprung_mass(), arm = make_pressing_arm();
    EXPECT_EQ(reason(mass, "comfree", {}), "");
    EXPECT_EQ(reason(mass, "comfree", {}, {.differences = true}), "differences were asked for");
    EXPECT_EQ(reason(mass, "convex", {}), "solver 'convex' has none in closed form");
    EXPECT_NE(reason(arm, "comfree", {}).find("sweeps; method = direct"), string::npos);
    for (const string integrator : {"rk4", "lie_rk4", "implicit", "discrete"})
        EXPECT_NE(reason(mass, "comfree", {{"integrator", integrator}}).find("euler, implicitfast and midpoint"),
                  string::npos)
            << integrator;
}

TEST(StepDerivatives, by_differences_are_of_the_side_without_a_jump)
{
    // A ball that falls at 1 m/s, a hair above the ground or in it: on the other side of the touch the step is another
    // one. Across it central differences would be v / (2 interval), half a million.
    for (const string solver : {"convex", "avbd", "comfree"})
    {
        for (const double gap : {4e-7, -4e-7})
        {
            ModelBuilder builder("ball");
            builder.add_ground();
            const BodyId ball = builder.add_body({.position = {0, 0, 0.1 + gap}, .linear_velocity = {0, 0, -1}});
            builder.add_shape(ball, Sphere{.radius = 0.1});
            Simulation simulation(builder.build().value(), {.solver = solver, .dt = kSlopeStep});
            const StepDerivatives found = simulation.step_derivatives({.differences = true}).value();
            const string what = solver + (gap > 0 ? " above" : " in touch");
            EXPECT_EQ(found.jumping, 0) << what;
            EXPECT_EQ(found.one_sided > 0, found.reason.find("of one side") != string::npos) << what;
            for (const double x : found.by_state.values) EXPECT_LT(std::abs(x), 2 / kSlopeStep) << what;
        }
    }
}

/// (q, v) after some steps from a state that is displaced along one direction of it.
std::vector<double> run_from(const Model& model, const Parameters& parameters, const State& start, int steps, int input,
                             double by)
{
    Simulation simulation = make_comfree(model, parameters, kSlopeStep);
    simulation.state() = start;
    const int dofs = model.v_count();
    (input < dofs ? simulation.state().q : simulation.state().v)[static_cast<std::size_t>(input % dofs)] += by;
    simulation.refresh();
    simulation.run_steps(steps);
    std::vector<double> end(simulation.state().q.begin(), simulation.state().q.end());
    end.insert(end.end(), simulation.state().v.begin(), simulation.state().v.end());
    return end;
}

TEST(StepDerivatives, multiplied_over_48_steps_are_those_of_the_whole_run)
{
    // A block falls, touches down, slips and comes to rest: the chain rule over every phase.
    constexpr int kRun = 48;
    constexpr double kNearby = 1e-7;
    for (const string& law : kThreeLaws)
    {
        const Parameters parameters = by_euler(law);
        const Model model = make_sliding_block(0.5);
        Simulation simulation = make_comfree(model, parameters, kSlopeStep);
        simulation.state().q[2] = 0.003;
        simulation.state().v[0] = 0.25;
        simulation.state().v[1] = 0.1;
        simulation.state().v[2] = -0.2;
        simulation.refresh();
        const State start = simulation.state();
        DenseMatrix product(6, 6);
        for (int i = 0; i < 6; ++i) product(i, i) = 1;
        for (int step = 0; step < kRun; ++step)
        {
            product = multiply(simulation.step_derivatives({.moving_contacts = true}).value().by_state, product);
            simulation.step();
        }
        DenseMatrix whole(6, 6);
        for (int j = 0; j < 6; ++j)
        {
            const std::vector<double> after = run_from(model, parameters, start, kRun, j, kNearby);
            const std::vector<double> before = run_from(model, parameters, start, kRun, j, -kNearby);
            for (int i = 0; i < 6; ++i)
                whole(i, j) =
                    (after[static_cast<std::size_t>(i)] - before[static_cast<std::size_t>(i)]) / (2 * kNearby);
        }
        expect_same_matrix(product, whole, law == "stable" ? 1e-2 : 1e-4, law);
    }
}

TEST(StepDerivatives, are_refused_where_the_step_fails_or_the_interval_is_no_use)
{
    Simulation simulation = make_comfree(make_sprung_mass());
    EXPECT_FALSE(simulation.step_derivatives({.interval = 0}).ok());
    EXPECT_FALSE(simulation.step_derivatives({.interval = std::nan("")}).ok());
    simulation.control().input[0] = std::nan("");
    const Result<StepDerivatives> refused = simulation.step_derivatives();
    ASSERT_FALSE(refused.ok());
    EXPECT_NE(refused.errors()[0].text().find("is not a finite number"), string::npos) << refused.errors()[0].text();
}

TEST(ContactGains, of_a_function_are_those_of_the_contact_and_equal_gains_are_the_parameters)
{
    const Model model = make_margin_ball(-0.001, 0.5);
    for (const string& law : kThreeLaws)
    {
        const auto speed_after = [&](double by_parameter, double by_function)
        {
            Simulation simulation = make_comfree(model, {{"law", law}, {"stiffness", by_parameter}}, kSlopeStep);
            if (by_function > 0)
                simulation.set_contact_gains([=](const Contact&) { return ContactGains{by_function, 0.001}; })
                    .require();
            simulation.run_steps(3);
            return simulation.state().q[2];
        };
        EXPECT_EQ(speed_after(0.2, 0.4), speed_after(0.4, 0)) << law;
        EXPECT_EQ(speed_after(0.4, 0.2), speed_after(0.2, 0)) << law;
    }
    Simulation convex = Simulation::make(model, {.solver = "convex"}).value();
    const Status refused = convex.set_contact_gains([](const Contact&) { return ContactGains{}; });
    ASSERT_FALSE(refused.ok());
    EXPECT_NE(refused.errors()[0].text().find("'convex'"), string::npos);
}

TEST(ContactGains, of_worlds_are_as_those_of_simulations_with_these_parameters)
{
    const Model model = make_margin_ball(-0.001, 0.5);
    for (const string& law : kThreeLaws)
    {
        Batch batch(model, {.solver = "comfree", .dt = kSlopeStep, .parameters = {{"law", law}}, .world_count = 5});
        const std::span<double> stiffness = batch.vary(WorldParameter::stiffness).value();
        const std::span<double> damping = batch.vary(WorldParameter::damping).value();
        EXPECT_EQ(stiffness[0], 0.2);
        EXPECT_EQ(damping[4], 0.001);
        for (int world = 0; world < 5; ++world)
        {
            stiffness[static_cast<std::size_t>(world)] = 0.1 + 0.05 * world;
            damping[static_cast<std::size_t>(world)] = 0.001 * (1 + world);
        }
        batch.apply_parameters().require();
        batch.run_steps(20);
        for (int world = 0; world < 5; ++world)
        {
            Simulation single = make_comfree(
                model, {{"law", law}, {"stiffness", 0.1 + 0.05 * world}, {"damping", 0.001 * (1 + world)}}, kSlopeStep);
            single.run_steps(20);
            for (std::size_t i = 0; i < single.state().q.size(); ++i)
                EXPECT_EQ(batch.state().world(world).q[i], single.state().q[i]) << law << " " << world;
        }
        stiffness[2] = -1;
        const Status refused = batch.apply_parameters();
        ASSERT_FALSE(refused.ok());
        EXPECT_EQ(refused.errors()[0].where, "stiffness in world 2");
    }
}

}  // namespace
}  // namespace rattleback
