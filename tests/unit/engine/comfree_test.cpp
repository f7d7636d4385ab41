// The solver comfree: its laws against closed forms, the limits of their stability, and what they keep between steps.
#include "unit/engine/comfree_scenes.h"

#include <gtest/gtest.h>

#include <cmath>

namespace rattleback
{
namespace
{

using std::string;

constexpr double kEarthPull = 9.81;
/// r / (1 - r) at r = 0.9, over the whole curve.
constexpr double kRatio = 9;
const Softness kFlatCurve = Impedance{{0.02, 1}, {0.9, 0.9, 0.001, 0.5, 2}};

Parameters euler(const string& law) { return {{"integrator", string("euler")}, {"law", law}}; }

/// A ball of 1 kg whose lowest point is `gap` above the ground.
Model make_pressed_ball(double gap, const MaterialOptions& options, double margin = 0,
                        const Vec3& gravity = {0, 0, -kEarthPull})
{
    ModelBuilder builder("ball");
    builder.settings().gravity = gravity;
    const MaterialId material = builder.add_material(options);
    builder.add_ground({.material = material, .margin = margin});
    const BodyId ball = builder.add_body({.position = {0, 0, 0.1 + gap}});
    builder.add_shape(ball, Sphere{.radius = 0.1}, {.material = material, .mass = 1});
    return builder.build().value();
}

/// A box of 8 kg on a slope, seen in the slope's axes.
Model make_inclined_box(double friction, double angle)
{
    ModelBuilder builder("slope");
    builder.settings().gravity = {kEarthPull * std::sin(angle), 0, -kEarthPull * std::cos(angle)};
    const MaterialId material = builder.add_material({.friction = friction});
    builder.add_ground({.material = material});
    const BodyId box = builder.add_body({.position = {0, 0, 0.1}});
    builder.add_shape(box, Box{.half_extents = {0.1, 0.1, 0.1}}, {.material = material});
    return builder.build().value();
}

/// One slide joint with 1 kg, without gravity.
struct Slider
{
    ModelBuilder builder{"slider"};
    JointId joint;

    explicit Slider(const JointOptions& options = {})
    {
        builder.settings().gravity = {};
        const BodyId body = builder.add_body();
        JointOptions own = options;
        own.type = JointType::slide;
        joint = builder.add_joint(body, own);
        builder.add_shape(body, Sphere{.radius = 0.1}, {.mass = 1});
    }
};

TEST(ComfreeLaws, one_step_of_the_code_changes_velocity_by_its_printed_formula)
{
    // dv = - N R [(d + k dt) v_s + k phi] for N facets, w = 1 / m.
    constexpr double kDepth = 0.002, kStiffness = 0.2, kDamping = 0.001, kDt = 0.002;
    for (const auto& [dimension, rows] : {std::pair(1, 1), std::pair(3, 4), std::pair(4, 6), std::pair(6, 10)})
    {
        const Model ball = make_pressed_ball(-kDepth, {.dimension = dimension, .softness = kFlatCurve});
        Simulation simulation = make_comfree(ball, euler("as_coded"), kDt);
        simulation.step();
        const double smooth = -kEarthPull * kDt;
        const double expected = smooth - rows * kRatio * ((kDamping + kStiffness * kDt) * smooth - kStiffness * kDepth);
        EXPECT_NEAR(simulation.state().v[2], expected, 1e-12) << dimension;
    }
}

TEST(ComfreeLaws, the_exact_impedance_of_equation_10_leaves_the_velocity_that_pushes_the_overlap_out)
{
    // (K dt + D) dt A = 1: u+ = - share phi / dt, whatever the mass; the facets of a contact share it.
    constexpr double kDepth = 0.002, kDt = 0.002;
    Parameters parameters = euler("printed");
    parameters["impedance"] = string("exact");
    const double share = 0.2 * kDt / (0.001 + 0.2 * kDt);
    for (const int facets : {4, 8, 16})
    {
        parameters["slide_facets"] = facets;
        Simulation frictionless = make_comfree(make_pressed_ball(-kDepth, {.dimension = 1}), parameters, kDt);
        frictionless.step();
        EXPECT_NEAR(frictionless.state().v[2], share * kDepth / kDt, 1e-12);
        // With friction a facet n - mu t of a ball weighs 1 + mu^2 (1 + 5/2) times as much; its lever ends in the
        // middle of the overlap.
        Simulation rough = make_comfree(make_pressed_ball(-kDepth, {.friction = 0.5}), parameters, kDt);
        rough.step();
        const double lever = (0.1 - kDepth / 2) / 0.1;
        const double gain = 1 / (1 + 0.25 * (1 + 2.5 * lever * lever)), smooth = -kEarthPull * kDt;
        EXPECT_NEAR(rough.state().v[2], smooth + gain * (share * kDepth / kDt - smooth), 1e-12) << facets;
    }
}

TEST(ComfreeLaws, the_code_ties_and_rubs_in_one_direction_only_and_the_other_laws_in_both)
{
    // Defects by name: an equality acts where its residual is negative, dry friction where the velocity is.
    for (const string law : {"as_coded", "printed", "stable"})
    {
        for (const double side : {-1.0, 1.0})
        {
            Slider tied;
            tied.builder.add_joint_coupling(tied.joint, JointId{}, {0, 0, 0, 0, 0});
            Simulation tie = make_comfree(tied.builder.build().value(), euler(law));
            tie.state().q[0] = 0.01 * side;
            tie.run_steps(5);
            const bool acts = law != "as_coded" || side < 0;
            EXPECT_EQ(tie.state().v[0] * side < 0, acts) << law << " " << side;

            const Slider rough({.dry_friction = 1000, .dry_friction_softness = kFlatCurve});
            Simulation rub = make_comfree(rough.builder.build().value(), euler(law));
            rub.state().v[0] = side;
            rub.step();
            if (law == "as_coded")
                EXPECT_NEAR(rub.state().v[0] * side, side < 0 ? 1 - kRatio * (0.001 + 0.2 * 0.002) : 1, 1e-12);
            else
                EXPECT_LT(rub.state().v[0] * side, 1 - 1e-3) << law;
        }
    }
}

TEST(ComfreeLaws, dry_friction_of_a_joint_slows_it_by_its_bound_and_then_holds_it)
{
    Simulation simulation = make_comfree(Slider({.dry_friction = 2}).builder.build().value(), euler("stable"));
    simulation.state().v[0] = 1;
    simulation.run_for(0.25);
    EXPECT_NEAR(simulation.state().v[0], 0.5, 1e-9);
    simulation.run_for(0.3);
    EXPECT_NEAR(simulation.state().v[0], 0, 1e-9);
    simulation.control().joint_force[0] = 1.9;
    simulation.run_for(1);
    EXPECT_LT(std::abs(simulation.state().v[0]), 1e-6);
}

TEST(ComfreeLaws, a_body_that_no_joint_moves_sideways_takes_its_weight_from_its_rotation)
{
    // The torsion scene: a ball on a hinge about z, a millimetre into the ground. Its translation weighs nothing at
    // all.
    ModelBuilder builder("torsion");
    const MaterialId material = builder.add_material({.spinning_friction = 0.01, .dimension = 6});
    builder.add_ground({.material = material});
    const BodyId ball = builder.add_body({.position = {0, 0, 0.099}});
    builder.add_joint(ball, {.axis = {0, 0, 1}});
    builder.add_shape(ball, Sphere{.radius = 0.1}, {.material = material});
    for (const string law : {"as_coded", "printed", "stable"})
    {
        Parameters parameters = euler(law);
        parameters["damping"] = 0.004;
        Simulation simulation = make_comfree(builder.build().value(), parameters);
        simulation.state().v[0] = 3;
        ASSERT_NE(simulation.run_for(0.5).status, StepStatus::diverged) << law;
        EXPECT_LT(simulation.state().v[0], 3) << law;
        EXPECT_GE(simulation.state().v[0], -1e-12) << law;
    }
}

/// Whether a ball that is held by springs in the middle of its margin comes to rest there after a small push.
bool settles(int dimension, double stiffness, double damping, double dt)
{
    Parameters parameters = euler("as_coded");
    parameters["stiffness"] = stiffness;
    parameters["damping"] = damping;
    const int rows = dimension == 1 ? 1 : dimension == 3 ? 4 : 10;
    // Where it rests: N R [(d + k dt) g dt - k phi] = g dt.
    const double gap = kEarthPull * dt * ((damping + stiffness * dt) - 1 / (rows * kRatio)) / stiffness;
    Simulation simulation =
        make_comfree(make_pressed_ball(gap, {.dimension = dimension, .softness = kFlatCurve}, 1), parameters, dt);
    // A push down and, without rolling, to the side.
    simulation.state().v[2] = 1e-9;
    if (dimension > 1) simulation.state().v[0] = 1e-9;
    if (dimension > 1) simulation.state().v[4] = -2.5e-8;
    simulation.run_steps(200);
    double late = 0;
    for (int i = 0; i < 10; ++i)
    {
        simulation.step();
        const std::span<const double> v = simulation.state().v;
        late = std::max({late, std::abs(v[2]), std::abs(v[0] - 0.1 * v[4])});
    }
    return late < 1e-9;
}

TEST(ComfreeStability, the_code_diverges_beyond_N_R_times_2_d_plus_3_k_dt_of_four)
{
    // Jury's criterion for v' = v_s - N R [(d + k dt) v_s + k phi], phi' = phi + dt v' (README, "Stability"), and for
    // the slip of a ball, whose four facets of friction 1 answer with 2 R (d + k dt) and weigh 1 + 5/2 of the normal.
    for (const int dimension : {1, 3, 6})
    {
        for (const double dt : {0.0005, 0.002, 0.02})
        {
            const int rows = dimension == 1 ? 1 : dimension == 3 ? 4 : 10;
            const double damping = 0.3 / (rows * kRatio);
            const double normal = (4 / (rows * kRatio) - 2 * damping) / (3 * dt);
            const double slip = dimension == 1 ? normal : (2 / (7 * kRatio) - damping) / dt;
            const double predicted = std::min(normal, slip);
            double low = 0.5 * predicted, high = 2 * predicted;
            for (int i = 0; i < 12; ++i)
            {
                const double middle = 0.5 * (low + high);
                (settles(dimension, middle, damping, dt) ? low : high) = middle;
            }
            std::printf("condim %d, dt %4.1f ms: largest stiffness predicted %8.3f, measured %8.3f 1/s\n", dimension,
                        1e3 * dt, predicted, low);
            // Two hundred steps tell growth from decay to two per cent of the gain.
            EXPECT_NEAR(low / predicted, 1, 0.03);
        }
    }
}

TEST(ComfreeStability, the_stable_law_rests_with_any_gains_contacts_and_steps)
{
    for (const double dt : {0.0005, 0.002, 0.005, 0.01, 0.02})
    {
        for (const int dimension : {1, 3, 4, 6})
        {
            for (const double stiffness : {0.1, 0.5, 50.0})
            {
                Parameters parameters = euler("stable");
                parameters["stiffness"] = stiffness;
                const Model ball = make_pressed_ball(-1e-4, {.dimension = dimension});
                Simulation simulation = make_comfree(ball, parameters, dt);
                simulation.run_for(1);
                // A stop of hardness 1e5 sinks at g dt over that, and the poses take it back.
                EXPECT_LT(std::abs(simulation.state().v[2]), 1.01e-5 * kEarthPull * dt)
                    << dimension << " " << stiffness;
                // An overlap that costs energy to leave stays, and grows by no more than rounding.
                EXPECT_LT(std::abs(simulation.state().q[2] - 0.1), 1.0001e-4);
            }
        }
    }
}

double creep(const Parameters& parameters, double friction = 1, double angle = 10 * kDegree)
{
    Simulation simulation = make_comfree(make_inclined_box(friction, angle), parameters);
    simulation.run_for(1);
    const double start = simulation.state().q[0];
    simulation.run_for(1);
    return simulation.state().q[0] - start;
}

TEST(ComfreeCreep, on_ten_degrees_is_stated_for_the_pure_law_and_ends_with_anchors)
{
    const double code = creep(euler("as_coded")), pure = creep(euler("stable"));
    Parameters parameters = euler("stable");
    parameters["anchor"] = true;
    const double anchored = creep(parameters);
    std::printf("creep on 10 degrees at mu 1: as_coded %.3g, stable %.3g, with anchors %.3g m/s\n", code, pure,
                anchored);
    // Terminal creep of the code: g sin(angle) dt (1 - c) / c, c = 2 N mu^2 R (d + k dt), R = 9 to 19.
    EXPECT_GT(code, 0.01);
    EXPECT_LT(std::abs(pure), 1e-6) << "g sin(angle) dt over four contacts with impedance 1e4";
    EXPECT_LT(std::abs(anchored), 1e-8);
}

/// How far a box comes in 2 s from its place on a turntable of 2 rad/s, 0.3 m from the axis [m].
double find_way_on_turntable(const Parameters& parameters)
{
    constexpr double kDistance = 0.3;
    ModelBuilder builder("turntable");
    const MaterialId material = builder.add_material({.friction = 1});
    const BodyId table = builder.add_body({.position = {0, 0, 0.5}});
    builder.add_joint(table, {.axis = {0, 0, 1}, .initial_velocity = 2});
    builder.add_shape(table, Box{.half_extents = {0.5, 0.5, 0.05}}, {.material = material, .mass = 1000});
    const BodyId box = builder.add_body(
        {.position = {kDistance, 0, 0.6}, .linear_velocity = {0, 2 * kDistance, 0}, .angular_velocity = {0, 0, 2}});
    builder.add_shape(box, Box{.half_extents = {0.05, 0.05, 0.05}}, {.material = material, .mass = 1});
    Simulation simulation = make_comfree(builder.build().value(), parameters, 0.005);
    EXPECT_EQ(simulation.run_for(2).status, StepStatus::ok);
    const auto& poses = simulation.state().world().body_pose;
    const Vec3 place = rotate(conjugate(poses[1].rotation), poses[2].position - poses[1].position);
    return norm(place - Vec3{kDistance, 0, 0.1});
}

TEST(ComfreeCreep, anchors_hold_what_is_carried_round)
{
    // Within a step a free body leaves the arc by its tangent, by h^2 w^2 r / 2, which no velocity shows: 3 mm/s.
    // Anchors take back half of what they see in each step, and so stand off by twice that.
    const double pure = find_way_on_turntable({}), anchored = find_way_on_turntable({{"anchor", true}});
    std::printf("way on a turntable: stable %.3g, with anchors %.3g m\n", pure, anchored);
    EXPECT_NEAR(pure, 2 * 0.5 * 0.005 * 4 * 0.3, 6e-4);
    EXPECT_NEAR(anchored, 2 * 0.5 * 0.005 * 0.005 * 4 * 0.3, 1e-6);
}

TEST(ComfreeMemory, a_step_is_a_function_of_the_state_alone_unless_there_are_anchors)
{
    const Model model = make_inclined_box(1, 10 * kDegree);
    Simulation first = make_comfree(model), second = make_comfree(model);
    first.run_steps(100);
    second.state() = first.state();
    first.run_steps(50);
    second.run_steps(50);
    EXPECT_EQ(hash(second.state()), hash(first.state()));
}

TEST(ComfreeMemory, a_snapshot_with_anchors_continues_bit_for_bit)
{
    const Model model = make_inclined_box(1, 10 * kDegree);
    Simulation first = make_comfree(model, {{"anchor", true}}), second = make_comfree(model, {{"anchor", true}});
    first.run_steps(100);
    ASSERT_TRUE(second.restore(first.snapshot()).ok());
    first.run_steps(50);
    second.run_steps(50);
    EXPECT_EQ(hash(second.state()), hash(first.state()));
}

TEST(ComfreeFriction, a_cylinder_slides_then_rolls_and_slows_by_rolling_friction)
{
    // v = 2/3 when it stops slipping, then v = 2/3 v0 - mu_r g t / (1.5 r): the paper's rolling scene, by Coulomb's
    // law.
    for (const double rolling : {0.001, 0.01, 0.02})
    {
        ModelBuilder builder("cylinder");
        const MaterialId material =
            builder.add_material({.spinning_friction = 0.005, .rolling_friction = rolling, .dimension = 6});
        builder.add_ground({.material = material});
        const BodyId body = builder.add_body(
            {.position = {0, 0, 0.1}, .rotation = from_axis_angle({1, 0, 0}, 0.5 * kPi), .linear_velocity = {1, 0, 0}});
        builder.add_shape(body, Cylinder{.radius = 0.1, .half_length = 0.1}, {.material = material});
        Simulation simulation = make_comfree(builder.build().value());
        simulation.run_for(0.1);
        const double start = simulation.state().velocity(body).linear.x;
        simulation.run_for(0.3);
        const double lost = start - simulation.state().velocity(body).linear.x;
        EXPECT_NEAR(lost / (rolling * kEarthPull * 0.3 / (1.5 * 0.1)), 1, 0.02) << rolling;
        EXPECT_NEAR(start, 2.0 / 3, rolling < 0.002 ? 0.01 : 0.2);
    }
}

TEST(ComfreeFriction, a_pair_with_two_coefficients_slows_by_each_along_its_tangent)
{
    // Tangents of the ground are y and -x (make_contact_frame).
    for (const auto& [direction, friction] : {std::pair(Vec3{0, 1, 0}, 0.6), std::pair(Vec3{1, 0, 0}, 0.2)})
    {
        ModelBuilder builder("sledge");
        const ShapeId ground = builder.add_ground();
        const MaterialId ice = builder.add_material({.friction = 0.6});
        const BodyId sledge = builder.add_body({.position = {0, 0, 0.02}, .linear_velocity = 2.0 * direction});
        const ShapeId runner = builder.add_shape(sledge, Box{.half_extents = {0.1, 0.1, 0.02}});
        builder.add_pair(ground, runner, {.material = ice, .second_friction = {0.2, -1}});
        Simulation simulation = make_comfree(builder.build().value(), euler("stable"));
        simulation.run_for(0.05);
        const double start = dot(direction, simulation.state().velocity(sledge).linear);
        simulation.run_for(0.2);
        const double lost = start - dot(direction, simulation.state().velocity(sledge).linear);
        EXPECT_NEAR(lost / (friction * kEarthPull * 0.2), 1, 0.01) << friction;
    }
}

TEST(ComfreeLaws, springs_of_a_material_are_the_stiffness_and_damping_of_its_contacts)
{
    // Two springs of 2000 N/m and 100 N s/m one behind the other. A centimetre deep: push_speed does not bound them.
    constexpr double kStiffness = 1000, kDamping = 50, kDt = 0.002;
    const Softness soft = Spring{.stiffness = 2 * kStiffness, .damping = 2 * kDamping};
    for (const string law : {"stable", "printed"})
    {
        Simulation simulation = make_comfree(make_pressed_ball(0, {.dimension = 1, .softness = soft}), euler(law), kDt);
        simulation.run_for(2);
        // Eq. 8 answers the prediction, in which a body at rest falls by g dt: part of its weight rests on the damper.
        const double predicted = law == "printed" ? (kDamping + kStiffness * kDt) * kEarthPull * kDt : 0;
        EXPECT_NEAR(0.1 - simulation.state().q[2], (kEarthPull - predicted) / kStiffness, 1e-6) << law;
    }
}

TEST(ComfreeLaws, a_mass_on_a_tie_circles_at_the_ties_length_and_keeps_its_energy)
{
    // README, "Half a step": 6e-5 m off with the whole velocity product or none.
    constexpr double kRate = 3;
    ModelBuilder builder("sling");
    builder.settings().gravity = {};
    const BodyId mass =
        builder.add_body({.position = {1, 0, 0}, .linear_velocity = {0, kRate, 0}, .angular_velocity = {0, 0, kRate}});
    builder.add_shape(mass, Sphere{.radius = 0.1}, {.mass = 1});
    builder.add_connect_points(kWorld, {0, 0, 0}, mass, {-1, 0, 0}, {.softness = Rigid{}});
    Simulation simulation = make_comfree(builder.build().value(), euler("stable"));
    const double start = simulation.energy().total();
    simulation.run_for(4);
    EXPECT_NEAR(norm(simulation.state().position(mass)), 1, 1e-6);
    EXPECT_NEAR(simulation.energy().total() / start, 1, 1e-4);
}

TEST(ComfreeIntegrators, discrete_meets_contacts_with_its_own_matrix)
{
    // A ball on a rail, pressed on the ground by a spring of 10 kN/m that is 2 cm too short: h D + h^2 K = 2 kg beside
    // 1 kg. The contact carries weight and spring in one step, where 1 / M would leave it a third of that.
    constexpr double kStiffness = 1e4, kDamping = 100, kDt = 0.01;
    ModelBuilder builder("pressed");
    builder.add_ground();
    const BodyId ball = builder.add_body({.position = {0, 0, 0.1 - 1e-6}});
    builder.add_joint(
        ball, {.type = JointType::slide, .stiffness = kStiffness, .spring_reference = -0.02, .damping = kDamping});
    builder.add_shape(ball, Sphere{.radius = 0.1}, {.mass = 1});
    const Model model = builder.build().value();
    for (const string method : {"direct", "sweeps"})
    {
        Simulation simulation = make_comfree(model, {{"integrator", string("discrete")}, {"method", method}}, kDt);
        simulation.step();
        EXPECT_NEAR(simulation.state().v[0], 0, 1e-3) << method;  // rigid: R = 1e5
        EXPECT_NEAR(simulation.contact_forces().items.at(0).force.z, kEarthPull + 0.02 * kStiffness, 0.5) << method;
    }
    // as_coded, 1 mm deep: lambda = - N R m ((d + k h) v_s + k phi), v+ = v_s + lambda / (m + h D + h^2 K).
    constexpr double kDepth = 0.001, kHat = 1 + kDt * kDamping + kDt * kDt * kStiffness;
    ModelBuilder deep("deep");
    const MaterialId material = deep.add_material({.dimension = 1, .softness = kFlatCurve});
    deep.add_ground({.material = material});
    const BodyId body = deep.add_body({.position = {0, 0, 0.1 - kDepth}});
    deep.add_joint(body, {.type = JointType::slide, .stiffness = kStiffness, .damping = kDamping});
    deep.add_shape(body, Sphere{.radius = 0.1}, {.material = material, .mass = 1});
    Simulation coded =
        make_comfree(deep.build().value(), {{"integrator", string("discrete")}, {"law", string("as_coded")}}, kDt);
    coded.step();
    const double smooth = -kEarthPull * kDt / kHat;
    // Its inverse weight is a third of 1 / m, the mean over three directions of which one can move.
    const double impulse = -3 * kRatio * ((0.001 + 0.2 * kDt) * smooth - 0.2 * kDepth);
    EXPECT_NEAR(coded.state().v[0], smooth + impulse / kHat, 1e-12);
}

TEST(ComfreeIntegrators, all_of_them_bring_a_box_to_rest)
{
    for (const string law : {"stable", "printed", "as_coded"})
    {
        for (const string integrator : {"euler", "implicitfast", "rk4", "lie_rk4", "midpoint", "discrete"})
        {
            Simulation simulation =
                make_comfree(make_inclined_box(1, 0), {{"law", law}, {"integrator", integrator}, {"stiffness", 0.1}});
            ASSERT_NE(simulation.run_for(2).status, StepStatus::diverged) << law << " " << integrator;
            EXPECT_LT(norm(simulation.state().velocity(BodyId{1}).linear), 5e-3) << law << " " << integrator;
            EXPECT_NEAR(simulation.state().q[2], 0.1, 0.01) << law << " " << integrator;
        }
    }
}

}  // namespace
}  // namespace rattleback
