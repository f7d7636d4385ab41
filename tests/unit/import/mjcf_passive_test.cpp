// Passive forces of MJCF 4.0: polynomials, yields, surfaces that stick, sleep policies, and negative numbers.
#include "unit/import/mjcf_test_support.h"

#include <rattleback/builder.h>
#include <rattleback/contacts.h>
#include <rattleback/export.h>

namespace rattleback
{
namespace
{

using Terms = std::array<double, 2>;

TEST(MjcfPassive, polynomials_of_joints_tendons_and_actuators_add_up)
{
    const Model model = parse_good(
        "<mujoco><compiler angle='radian'/><worldbody><body><joint name='j' stiffness='1 2 3' damping='4 5' "
        "springyield='0.1'/><geom size='1'/></body></worldbody><tendon><fixed name='t' stiffness='0 0 7' damping='1 2 "
        "3' "
        "springyield='0.2'><joint joint='j' coef='1'/></fixed></tendon><actuator><motor joint='j' gear='2' "
        "damping='1 2 3'/><motor tendon='t' gear='3' damping='0 1 0'/></actuator></mujoco>");
    EXPECT_EQ(model.joints.stiffness[0], 1);
    EXPECT_EQ(model.joints.stiffness_polynomial[0], (Terms{2, 3}));
    EXPECT_EQ(model.dofs.damping[0], 4 + 4 * 1);
    EXPECT_EQ(model.dofs.damping_polynomial[0], (Terms{5 + 4 * 2, 4 * 3})) << "times gear squared";
    EXPECT_EQ(model.tendons.stiffness_polynomial[0], (Terms{0, 7}));
    EXPECT_EQ(model.tendons.damping_polynomial[0], (Terms{2 + 9 * 1, 3}));
    EXPECT_EQ(model.joints.spring_yield[0], 0.1);
    EXPECT_EQ(model.tendons.spring_yield[0], 0.2);
    // one number for the hinge, two for the ends of the tendon's band
    EXPECT_EQ(model.joints.plastic_begin[0], 0);
    EXPECT_EQ(model.tendons.plastic_begin[0], 1);
    EXPECT_EQ(model.act_count, 3);
    EXPECT_TRUE(validate(model).empty());
}

TEST(MjcfPassive, yields_of_rotations_are_angles_and_free_joints_have_none)
{
    const Model model = parse_world(
        "<body><joint type='ball' springyield='90'/><geom size='1'/></body>"
        "<body><joint type='slide' springyield='90'/><geom size='1'/></body>");
    EXPECT_NEAR(model.joints.spring_yield[0], kPi / 2, 1e-15);
    EXPECT_EQ(model.joints.spring_yield[1], 90);
    EXPECT_EQ(model.act_count, 4);
    EXPECT_FALSE(parse_bad("<mujoco><worldbody><body><joint type='free' springyield='1'/><geom size='1'/></body>"
                           "</worldbody></mujoco>")
                     .empty());
    EXPECT_FALSE(
        parse_bad("<mujoco><worldbody><body><joint springyield='-1'/><geom size='1'/></body></worldbody></mujoco>")
            .empty());
}

TEST(MjcfPassive, switched_off_springs_and_dampers_leave_no_polynomial)
{
    const Model model = parse_good(
        "<mujoco><option><flag spring='disable' damper='disable'/></option><worldbody><body><joint stiffness='1 2 3' "
        "damping='4 5 6' springyield='1'/><geom size='1'/></body></worldbody></mujoco>");
    EXPECT_EQ(model.joints.stiffness_polynomial[0], Terms{});
    EXPECT_EQ(model.dofs.damping_polynomial[0], Terms{});
    EXPECT_EQ(model.act_count, 0);
}

TEST(MjcfPassive, adhesion_of_two_materials_adds_unless_one_has_priority)
{
    const Model model = parse_world(
        "<geom size='1' adhesion='3'/><geom size='1' adhesion='2' pos='5 0 0'/>"
        "<geom size='1' adhesion='7' priority='1' pos='9 0 0'/>");
    const auto material = [&](std::size_t shape)
    { return model.materials[static_cast<std::size_t>(model.shapes.material[shape])]; };
    EXPECT_EQ(combine(material(0), material(1)).adhesion, 5);
    EXPECT_EQ(combine(material(0), material(2)).adhesion, 7);
}

TEST(MjcfPassive, sleep_policies_are_for_roots_of_trees)
{
    const Model model = parse_world(
        "<body><geom size='1'/><body sleep='never'><joint/><geom size='1'/></body></body>"
        "<body sleep='init'><freejoint/><geom size='1'/></body><body sleep='allowed'><joint/><geom size='1'/></body>");
    EXPECT_EQ(model.bodies.sleep[2], SleepPolicy::never);
    EXPECT_EQ(model.bodies.sleep[3], SleepPolicy::init);
    EXPECT_EQ(model.bodies.sleep[4], SleepPolicy::allowed);
    const Model back = parse_good(write_mjcf(model).value());
    EXPECT_EQ(back.bodies.sleep, model.bodies.sleep);
    EXPECT_FALSE(
        parse_bad("<mujoco><worldbody><body sleep='never'><geom size='1'/></body></worldbody></mujoco>").empty());
    EXPECT_FALSE(
        parse_bad("<mujoco><worldbody><body><joint/><geom size='1'/><body sleep='init'><joint/><geom size='1'/>"
                  "</body></body></worldbody></mujoco>")
            .empty());
}

TEST(MjcfPassive, negative_numbers_count_as_in_mujoco)
{
    const Model model = parse_good(
        "<mujoco><option density='-1' viscosity='-2'/><worldbody><geom size='1' density='-3' mass='-1' friction='-1 -2 "
        "3' "
        "margin='-0.1' gap='-0.2'/><body pos='5 0 0'><joint stiffness='-1 0 1' damping='-2 1' margin='-0.1'/>"
        "<geom size='1' density='-3' mass='2'/></body></worldbody></mujoco>");
    const MaterialOptions& material = model.materials[static_cast<std::size_t>(model.shapes.material[0])];
    EXPECT_EQ(material.friction, 1e-5);
    EXPECT_EQ(material.spinning_friction, 1e-5);
    EXPECT_EQ(material.rolling_friction, 3);
    EXPECT_EQ(model.shapes.margin[0], -0.1);
    EXPECT_EQ(model.shapes.gap[0], -0.2);
    EXPECT_EQ(model.bodies.mass[1], 2);
    EXPECT_EQ(model.joints.stiffness[0], -1);
    EXPECT_EQ(model.dofs.damping[0], -2);
    EXPECT_EQ(model.settings.medium, Medium{});
    const Model pushing = parse_good(
        "<mujoco><worldbody><body><joint name='j' stiffness='-1' damping='-2' armature='-0.1' frictionloss='-3'/><geom "
        "size='1'/></body></worldbody><tendon><fixed stiffness='-4' damping='-5' frictionloss='-6'><joint joint='j' "
        "coef='1'/></fixed></tendon></mujoco>");
    EXPECT_EQ(pushing.joints.stiffness[0], -1);
    EXPECT_EQ(pushing.dofs.damping[0], -2);
    EXPECT_EQ(pushing.dofs.armature[0], -0.1);
    EXPECT_EQ(pushing.dofs.dry_friction[0], -3);
    EXPECT_EQ(pushing.tendons.stiffness[0], -4);
    EXPECT_EQ(pushing.tendons.damping[0], -5);
    EXPECT_EQ(pushing.tendons.dry_friction[0], -6);
    EXPECT_TRUE(validate(pushing).empty());
    EXPECT_EQ(fingerprint(parse_good(write_mjcf(pushing).value())), fingerprint(pushing));
    EXPECT_TRUE(ModelBuilder::from(pushing).build().ok());
    for (const char* bad : {"density='-1'", "mass='-1'"})
    {
        EXPECT_FALSE(parse_bad(std::string("<mujoco><worldbody><body><joint/><geom size='1' ") + bad +
                               "/></body></worldbody></mujoco>")
                         .empty())
            << bad;
    }
}

}  // namespace
}  // namespace rattleback
