// ModelBuilder against MJCF: one system said in both languages must be the same model.
#include "external/field_match.h"

#include <rattleback/builder.h>

namespace rattleback
{
namespace
{

// Every shape gives mass; every joint type; a spring at rest where it was authored; tendons of both kinds; servos.
constexpr const char* kZoo = R"(
<mujoco>
  <compiler angle="radian"/>
  <option timestep="0.003" gravity="1 2 -9"/>
  <worldbody>
    <site name="hook" pos="0 0 2"/>
    <body name="ship" pos="0 0 1" quat="1 2 3 4">
      <freejoint name="float"/>
      <geom type="box" size=".1 .2 .3" pos=".1 0 0" quat="2 1 0 0"/>
      <geom type="ellipsoid" size=".1 .15 .3" pos="0 .4 0" density="500"/>
      <site name="ring" pos=".1 .1 .1"/>
      <body name="mast" pos="0 0 .5">
        <joint name="yaw" axis="1 1 0" pos="0 .1 0" ref=".3" springref=".1" stiffness="3" damping=".2" armature=".01"/>
        <joint name="lift" type="slide" axis="0 0 2" damping=".5"/>
        <geom type="capsule" size=".05 .3" mass="2"/>
        <body name="lamp" pos="0 0 .4" quat="1 0 1 0">
          <joint name="swing" type="ball" pos="0 0 -.1" stiffness="2" damping=".1"/>
          <geom type="sphere" size=".1"/>
          <geom type="cylinder" size=".05 .2" pos="0 0 .2"/>
          <site name="eye" pos=".1 0 0"/>
        </body>
      </body>
    </body>
    <body name="pendulum" pos="2 0 0">
      <joint name="hinge" axis="0 1 0" armature=".02"/>
      <inertial mass="1.5" pos="0 0 -.5" fullinertia=".2 .3 .25 .01 .02 .03"/>
    </body>
  </worldbody>
  <tendon>
    <fixed name="pair" stiffness="4" damping=".3"><joint joint="yaw" coef="2"/><joint joint="hinge" coef="-1"/></fixed>
    <spatial name="rope" stiffness="10" springlength=".1 .4">
      <site site="hook"/><site site="eye"/><pulley divisor="2"/><site site="ring"/><site site="hook"/>
    </spatial>
  </tendon>
  <actuator>
    <motor name="push" joint="lift" gear="3" ctrlrange="-1 1"/>
    <position name="hold" joint="hinge" kp="20" dampratio="1" forcerange="-5 5"/>
    <velocity name="spin" joint="yaw" kv="2"/>
    <position name="haul" tendon="rope" kp="5" kv=".5"/>
    <general name="slow" site="eye" gear="1 0 0 0 2 0" dyntype="filter" dynprm=".2" gainprm="3"/>
  </actuator>
</mujoco>
)";

struct ShipIds
{
    BodyId ship, mast, lamp, pendulum;
    JointId yaw, lift, hinge;
};

ShipIds add_bodies(ModelBuilder& builder)
{
    ShipIds ids;
    ids.ship = builder.add_body({.name = "ship", .position = {0, 0, 1}, .rotation = {1, 2, 3, 4}});
    builder.add_joint(ids.ship, {.name = "float", .type = JointType::free});
    builder.add_shape(ids.ship, Box{{0.1, 0.2, 0.3}},
                      {.position = {0.1, 0, 0}, .rotation = normalized(Quat{2, 1, 0, 0})});
    builder.add_shape(ids.ship, Ellipsoid{{0.1, 0.15, 0.3}}, {.position = {0, 0.4, 0}, .density = 500});
    ids.mast = builder.add_body({.name = "mast", .parent = ids.ship, .position = {0, 0, 0.5}});
    ids.yaw = builder.add_joint(ids.mast, {.name = "yaw",
                                           .axis = {1, 1, 0},
                                           .position = {0, 0.1, 0},
                                           .reference = 0.3,
                                           .stiffness = 3,
                                           .spring_reference = 0.1,
                                           .damping = 0.2,
                                           .armature = 0.01});
    ids.lift =
        builder.add_joint(ids.mast, {.name = "lift", .type = JointType::slide, .axis = {0, 0, 2}, .damping = 0.5});
    builder.add_shape(ids.mast, Capsule{0.05, 0.3}, {.mass = 2});
    ids.lamp = builder.add_body(
        {.name = "lamp", .parent = ids.mast, .position = {0, 0, 0.4}, .rotation = normalized(Quat{1, 0, 1, 0})});
    builder.add_joint(
        ids.lamp, {.name = "swing", .type = JointType::ball, .position = {0, 0, -0.1}, .stiffness = 2, .damping = 0.1});
    builder.add_shape(ids.lamp, Sphere{0.1});
    builder.add_shape(ids.lamp, Cylinder{0.05, 0.2}, {.position = {0, 0, 0.2}});
    ids.pendulum = builder.add_body(
        {.name = "pendulum",
         .position = {2, 0, 0},
         .inertia = Inertia{
             .mass = 1.5, .position = {0, 0, -0.5}, .diagonal = {0.2, 0.3, 0.25}, .products = {0.01, 0.02, 0.03}}});
    ids.hinge = builder.add_joint(ids.pendulum, {.name = "hinge", .axis = {0, 1, 0}, .armature = 0.02});
    return ids;
}

Result<Model> build_zoo()
{
    ModelBuilder builder("zoo");
    builder.settings().dt = 0.003;
    builder.settings().gravity = {1, 2, -9};
    const ShipIds ids = add_bodies(builder);
    const SiteId hook = builder.add_site(kWorld, {.name = "hook", .position = {0, 0, 2}});
    const SiteId ring = builder.add_site(ids.ship, {.name = "ring", .position = {0.1, 0.1, 0.1}});
    const SiteId eye = builder.add_site(ids.lamp, {.name = "eye", .position = {0.1, 0, 0}});
    builder.add_fixed_tendon({{ids.yaw, 2}, {ids.hinge, -1}}, {.name = "pair", .stiffness = 4, .damping = 0.3});
    const TendonId rope = builder.add_spatial_tendon({{hook}, {eye}, {{}, 2}, {ring}, {hook}},
                                                     {.name = "rope", .stiffness = 10, .spring_length = {0.1, 0.4}});
    builder.add_motor(ids.lift, {.name = "push", .gear = {3, 0, 0, 0, 0, 0}, .input_range = {true, -1, 1}});
    builder.add_position_actuator(ids.hinge,
                                  {.name = "hold", .stiffness = 20, .damping_ratio = 1, .force_range = {true, -5, 5}});
    builder.add_velocity_actuator(ids.yaw, {.name = "spin", .gain = 2});
    builder.add_position_actuator(rope, {.name = "haul", .stiffness = 5, .damping = 0.5});
    builder.add_actuator(eye, {.name = "slow",
                               .gear = {1, 0, 0, 0, 2, 0},
                               .gain = {3, 0, 0},
                               .dynamics = ActuatorDynamics::filter,
                               .time_constant = 0.2});
    return builder.build();
}

TEST(BuilderMatch, a_model_built_by_code_is_the_one_that_mujoco_reads_from_mjcf)
{
    SKIP_WITHOUT_MUJOCO();
    const Result<Model> built = build_zoo();
    ASSERT_TRUE(built.ok()) << to_text(built.errors());
    const Model& model = built.value();
    Result<lab::Oracle> loaded = lab::Oracle::load_text(kZoo);
    ASSERT_TRUE(loaded.ok()) << to_text(loaded.errors());
    lab::Oracle oracle = std::move(loaded).value();
    expect_same_sizes(model, oracle);
    expect_same_names(model, oracle);
    expect_same_fields(model, oracle, Order::same(model));
    for (std::uint64_t seed = 0; seed < 20; ++seed)
    {
        expect_same_dynamics(model, oracle, Order::same(model), MatchState(model, seed));
    }
}

}  // namespace
}  // namespace rattleback
