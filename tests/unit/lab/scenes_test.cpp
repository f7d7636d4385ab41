// Tests of the scenes: they are what their names say, and `smooth` runs them when told what to leave out.
#include "lab/scenes/scenes.h"
#include "lab/bench/integrators.h"
#include "lab/metrics/drift.h"
#include "lab/scenes/chains.h"
#include "lab/scenes/humanoid.h"
#include "lab/scenes/pendulums.h"
#include "lab/scenes/stacks.h"
#include "lab/scenes/tumblers.h"

#include <rattleback/query.h>

#include <gtest/gtest.h>

#include <cmath>
#include <set>

namespace rattleback::lab
{
namespace
{

Model build(std::string_view name) { return find_scene(name).value()->build().value(); }

double total_mass(const Model& model)
{
    double sum = 0;
    for (std::size_t b = 1; b < model.bodies.mass.size(); ++b) sum += model.bodies.mass[b];
    return sum;
}

int count_joints(const Model& model, JointType type)
{
    return static_cast<int>(std::count(model.joints.type.begin(), model.joints.type.end(), type));
}

TEST(Scenes, every_scene_has_its_own_name_and_the_model_carries_it)
{
    std::set<std::string_view> names;
    for (const Scene& scene : all_scenes())
    {
        EXPECT_TRUE(names.insert(scene.name).second) << scene.name;
        const Result<Model> model = scene.build();
        ASSERT_TRUE(model.ok()) << scene.name << ": " << to_text(model.errors());
        EXPECT_EQ(model.value().name, scene.name);
        EXPECT_GT(scene.duration, 0);
    }
    EXPECT_GE(names.size(), 15U);
}

TEST(Scenes, building_a_scene_twice_gives_the_same_model)
{
    for (const Scene& scene : all_scenes())
    {
        EXPECT_EQ(fingerprint(scene.build().value()), fingerprint(scene.build().value())) << scene.name;
    }
}

TEST(Scenes, an_unknown_name_is_answered_with_the_nearest)
{
    const Result<const Scene*> found = find_scene("humaniod");
    ASSERT_FALSE(found.ok());
    EXPECT_EQ(found.errors()[0].code, ErrorCode::unknown_name);
    EXPECT_NE(found.errors()[0].text().find("'humanoid'"), std::string::npos) << found.errors()[0].text();
}

TEST(Scenes, smooth_refuses_exactly_the_scenes_that_need_something_left_out)
{
    for (const Scene& scene : all_scenes())
    {
        const auto model = std::make_shared<const Model>(scene.build().value());
        EXPECT_EQ(Simulation::make(model, {.solver = "smooth"}).ok(), scene.ignore.empty()) << scene.name;
        Result<Simulation> made =
            Simulation::make(model, {.solver = "smooth", .parameters = {{"ignore", std::string(scene.ignore)}}});
        ASSERT_TRUE(made.ok()) << scene.name << ": " << to_text(made.errors());
        Simulation simulation = std::move(made).value();
        EXPECT_EQ(simulation.run_steps(50).status, StepStatus::ok) << scene.name;
        EXPECT_TRUE(is_finite(simulation.state())) << scene.name;
        EXPECT_EQ(simulation.state().step[0], 50) << scene.name;
    }
}

TEST(Scenes, the_humanoid_has_21_hinges_on_a_free_root_and_the_mass_of_a_person)
{
    const Model model = build("humanoid");
    EXPECT_EQ(model.v_count(), 27);
    EXPECT_EQ(count_joints(model, JointType::hinge), 21);
    EXPECT_EQ(count_joints(model, JointType::free), 1);
    EXPECT_EQ(model.actuator_count(), 21);
    EXPECT_GT(total_mass(model), 60);
    EXPECT_LT(total_mass(model), 75);
}

TEST(Scenes, the_humanoid_is_symmetric_and_stands_with_its_soles_on_the_floor)
{
    const Model model = build("humanoid");
    State state(model);
    const Vec3 centre = compute_center_of_mass(model, state.world());
    EXPECT_NEAR(centre.y, 0, 1e-12);
    EXPECT_GT(centre.z, 0.8);
    EXPECT_LT(centre.z, 1.1);
    for (const char* name : {"left_sole", "right_sole"})
    {
        const auto site = static_cast<std::size_t>(model.find_site(name)->index);
        const Pose sole = state.body_pose[static_cast<std::size_t>(model.sites.body[site])] * model.sites.pose[site];
        EXPECT_NEAR(sole.position.z, 0, 1e-12) << name;
    }
}

TEST(Scenes, the_astronaut_is_the_humanoid_without_anything_that_takes_energy_or_pushes)
{
    const Model humanoid = build("humanoid"), astronaut = build("astronaut");
    EXPECT_EQ(astronaut.v_count(), humanoid.v_count());
    EXPECT_NEAR(total_mass(astronaut), total_mass(humanoid), 1e-12);
    const Conserved conserved = find_conserved(astronaut);
    EXPECT_TRUE(conserved.energy && conserved.linear && conserved.angular);
    const Conserved standing = find_conserved(humanoid);
    EXPECT_FALSE(standing.energy || standing.linear || standing.angular);
}

TEST(Scenes, robots_have_the_joints_that_their_summaries_promise)
{
    const Model quadruped = build("quadruped"), arm = build("arm"), hand = build("hand");
    EXPECT_EQ(count_joints(quadruped, JointType::hinge), 12);
    EXPECT_EQ(quadruped.actuator_count(), 12);
    EXPECT_EQ(count_joints(arm, JointType::hinge), 7);
    EXPECT_EQ(count_joints(arm, JointType::slide), 2);
    EXPECT_EQ(arm.equality_count(), 1);
    EXPECT_EQ(count_joints(hand, JointType::hinge), 16);
    EXPECT_EQ(hand.v_count(), 16 + 6);
}

TEST(Scenes, the_arm_is_pulled_home_by_its_servos)
{
    const auto model = std::make_shared<const Model>(build("arm"));
    Simulation simulation =
        Simulation::make(model, {.solver = "smooth", .parameters = {{"ignore", "contact, limits, equality"}}}).value();
    EXPECT_LT(simulation.state().q[0], -0.5);
    simulation.run_for(3);
    for (int i = 0; i < 7; ++i)
    {
        // Servos hold against gravity with a small error, torque over stiffness.
        EXPECT_NEAR(simulation.state().q[static_cast<std::size_t>(i)], 0, 0.06) << i;
        EXPECT_NEAR(simulation.state().v[static_cast<std::size_t>(i)], 0, 1e-4) << i;
    }
}

TEST(Scenes, the_quadruped_stands_on_its_feet)
{
    const Model model = build("quadruped");
    State state(model);
    const double radius = model.shapes.size[static_cast<std::size_t>(model.find_shape("front_left_foot")->index)].x;
    for (const char* name : {"front_left_foot", "front_right_foot", "rear_left_foot", "rear_right_foot"})
    {
        const auto site = static_cast<std::size_t>(model.find_site(name)->index);
        const Pose foot = state.body_pose[static_cast<std::size_t>(model.sites.body[site])] * model.sites.pose[site];
        EXPECT_NEAR(foot.position.z, radius, 1e-9) << name;
    }
}

TEST(Scenes, the_t_handle_spins_about_its_middle_axis_through_its_centre_of_mass)
{
    const Model model = build("t_handle");
    const Vec3& centre = model.bodies.inertial_pose[1].position;
    EXPECT_NEAR(norm(centre), 0, 1e-12);
    // Moments about the body's x, y, z, from the principal ones.
    const Mat3 axes = to_matrix(model.bodies.inertial_pose[1].rotation);
    const auto moment = [&](int i)
    {
        double sum = 0;
        for (int k = 0; k < 3; ++k) sum += axes(i, k) * axes(i, k) * model.bodies.inertia[1][k];
        return sum;
    };
    EXPECT_LT(moment(1), moment(0));
    EXPECT_LT(moment(0), moment(2));
}

TEST(Scenes, the_t_handle_flips_in_the_period_of_the_elliptic_integral)
{
    const auto model = std::make_shared<const Model>(build("t_handle"));
    const Mat3 axes = to_matrix(model->bodies.inertial_pose[1].rotation);
    Vec3 moments;  // sorted: A > B > C; the spin is about B
    for (int i = 0; i < 3; ++i)
    {
        double sum = 0;
        for (int k = 0; k < 3; ++k) sum += axes(i, k) * axes(i, k) * model->bodies.inertia[1][k];
        moments[i] = sum;
    }
    const double A = moments.z, B = moments.x, C = moments.y;
    const double w1 = 0.02, w2 = 8, w3 = 0.02;
    const double T2 = A * w1 * w1 + B * w2 * w2 + C * w3 * w3;              // twice the energy
    const double L2 = A * A * w1 * w1 + B * B * w2 * w2 + C * C * w3 * w3;  // squared momentum
    // Landau and Lifshitz, Mechanics, section 37: the motion repeats after 4 K(k) sqrt(ABC / ((A-B)(L2 - T2 C))) or
    // with A and C exchanged, whichever has k < 1; the spin changes its sign twice in it.
    double k2 = (B - C) * (T2 * A - L2) / ((A - B) * (L2 - T2 * C));
    double rate2 = (A - B) * (L2 - T2 * C) / (A * B * C);
    if (k2 > 1)
    {
        k2 = 1 / k2;
        rate2 = (B - C) * (T2 * A - L2) / (A * B * C);
    }
    const double half_period = 2 * std::comp_ellint_1(std::sqrt(k2)) / std::sqrt(rate2);

    Simulation simulation =
        Simulation::make(model,
                         {.solver = "smooth", .dt = 0.001, .parameters = smooth_parameters(Integrator::lie_rk4, "")})
            .value();
    std::vector<double> flips;
    double before = simulation.state().v[3];
    while (simulation.time() < 10)
    {
        simulation.step();
        const double now = simulation.state().v[3];  // about the stem, body axes
        if (now * before < 0) flips.push_back(simulation.time() - 0.001 * now / (now - before));
        before = now;
    }
    ASSERT_GE(flips.size(), 3U);
    for (std::size_t i = 1; i < flips.size(); ++i) EXPECT_NEAR(flips[i] - flips[i - 1], half_period, 1e-5) << i;
}

TEST(Scenes, options_change_the_size_of_a_scene)
{
    EXPECT_EQ(build_chain({.link_count = 3}).value().v_count(), 9);
    EXPECT_EQ(build_chain5({.link_count = 7}).value().v_count(), 7);
    EXPECT_EQ(build_pile({.count = 12}).value().v_count(), 72);
    EXPECT_EQ(build_box_stack({.box_count = 4}).value().v_count(), 24);
    EXPECT_EQ(build_capsules({.count = 40}).value().v_count(), 240);
    EXPECT_EQ(build_rocks({.count = 30}).value().v_count(), 180);
    EXPECT_EQ(build_humanoid({.count = 12}).value().v_count(), 12 * 27);
    EXPECT_NE(fingerprint(build_pile({.seed = 1}).value()), fingerprint(build_pile({.seed = 2}).value()));
}

TEST(Scenes, capsules_and_people_do_not_touch_each_other_at_the_start)
{
    for (const Model& model :
         {build_capsules({.count = 250}).value(), build_capsules({.count = 60, .layers = 5}).value(),
          build_humanoid({.height = 0.1, .count = 12}).value()})
    {
        State state(model);
        Collider collider(model);
        ColliderMemory memory;
        for (const Contact& contact : collider.find_contacts(state.world(0), 0, memory).items)
        {
            EXPECT_EQ(model.bodies.root[static_cast<std::size_t>(contact.first_body.index)],
                      model.bodies.root[static_cast<std::size_t>(contact.second_body.index)])
                << "bodies " << contact.first_body.index << " and " << contact.second_body.index;
        }
    }
}

TEST(Scenes, nothing_in_the_pile_touches_at_the_start)
{
    const Model model = build("pile");
    State state(model);
    for (std::size_t a = 1; a < model.shapes.type.size(); ++a)
    {
        const double r = model.shapes.bounding_radius[a];
        const Vec3& p = state.body_pose[static_cast<std::size_t>(model.shapes.body[a])].position;
        EXPECT_GT(p.z, r);
        for (std::size_t b = a + 1; b < model.shapes.type.size(); ++b)
        {
            const Vec3& q = state.body_pose[static_cast<std::size_t>(model.shapes.body[b])].position;
            EXPECT_GT(norm(p - q), r + model.shapes.bounding_radius[b]);
        }
    }
}

}  // namespace
}  // namespace rattleback::lab
