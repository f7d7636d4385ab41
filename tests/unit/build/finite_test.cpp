// A NaN in any number of any option struct is found and named.
#include <gtest/gtest.h>
#include <rattleback/builder.h>

namespace rattleback
{
namespace
{

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

/// One way to reach a number in an option struct.
template <class Options>
using Field = double* (*)(Options&);

/// Sets each field of `sound` to NaN in turn; `add` adds the element. Each must give an error about element 'x'.
template <class Options, class Add>
void expect_each_found(const Options& sound, std::initializer_list<Field<Options>> fields, Add add)
{
    const auto build = [&](const Options& options)
    {
        ModelBuilder builder;
        const BodyId body = builder.add_body({.name = "body", .inertia = Inertia{.mass = 1, .diagonal = {1, 1, 1}}});
        const JointId joint = builder.add_joint(body, {.name = "joint"});
        add(builder, body, joint, options);
        return builder.build();
    };
    const Result<Model> good = build(sound);
    ASSERT_TRUE(good.ok()) << to_text(good.errors());
    int number = 0;
    for (const auto field : fields)
    {
        Options broken = sound;
        *field(broken) = kNan;
        const Result<Model> result = build(broken);
        ASSERT_FALSE(result.ok()) << "field " << number;
        const std::string text = to_text(result.errors());
        EXPECT_NE(text.find("'x'"), std::string::npos) << "field " << number << ": " << text;
        EXPECT_TRUE(text.find("not finite") != std::string::npos || text.find("not a number") != std::string::npos)
            << "field " << number << ": " << text;
        ++number;
    }
}

TEST(Finite, a_nan_in_a_body_is_found)
{
    using O = BodyOptions;
    const Inertia ball{.mass = 1, .diagonal = {1, 1, 1}};
    expect_each_found<O>(
        {.name = "x", .inertia = ball},
        {[](O& o) { return &o.position.x; }, [](O& o) { return &o.position.y; }, [](O& o) { return &o.position.z; },
         [](O& o) { return &o.rotation.w; }, [](O& o) { return &o.rotation.x; }, [](O& o) { return &o.rotation.y; },
         [](O& o) { return &o.rotation.z; }, [](O& o) { return &o.gravity_compensation; },
         [](O& o) { return &o.linear_velocity.y; }, [](O& o) { return &o.angular_velocity.z; },
         [](O& o) { return &o.inertia->mass; }, [](O& o) { return &o.inertia->position.x; },
         [](O& o) { return &o.inertia->rotation.y; }, [](O& o) { return &o.inertia->diagonal.x; },
         [](O& o) { return &o.inertia->diagonal.z; }, [](O& o) { return &o.inertia->products.x; },
         [](O& o) { return &o.inertia->products.y; }, [](O& o) { return &o.inertia->products.z; }},
        [](ModelBuilder& b, BodyId, JointId, const O& o) { b.add_body(o); });
}

TEST(Finite, a_nan_in_a_joint_is_found)
{
    using O = JointOptions;
    expect_each_found<O>({.name = "x"},
                         {[](O& o) { return &o.axis.x; },
                          [](O& o) { return &o.position.z; },
                          [](O& o) { return &o.reference; },
                          [](O& o) { return &o.initial_position.emplace(); },
                          [](O& o) { return &o.initial_velocity; },
                          [](O& o) { return &o.range.lower; },
                          [](O& o) { return &o.range.upper; },
                          [](O& o) { return &o.margin; },
                          [](O& o) { return &o.limit_softness.emplace<Spring>().stiffness; },
                          [](O& o) { return &o.limit_softness.emplace<Spring>().damping; },
                          [](O& o) { return &o.limit_softness.emplace<Impedance>().solref[1]; },
                          [](O& o) { return &o.limit_softness.emplace<Impedance>().solimp[4]; },
                          [](O& o) { return &o.stiffness; },
                          [](O& o) { return &o.spring_reference; },
                          [](O& o) { return &o.damping; },
                          [](O& o) { return &o.armature; },
                          [](O& o) { return &o.dry_friction; },
                          [](O& o) { return &o.dry_friction_softness.emplace<Impedance>().solref[0]; },
                          [](O& o) { return &o.actuator_force_range.lower; },
                          [](O& o) { return &o.actuator_force_range.upper; },
                          [](O& o) { return &o.break_force; },
                          [](O& o) { return &o.break_torque; }},
                         [](ModelBuilder& b, BodyId body, JointId, const O& o) { b.add_joint(body, o); });
}

TEST(Finite, a_nan_in_a_shape_is_found)
{
    using O = ShapeOptions;
    expect_each_found<O>(
        {.name = "x"},
        {[](O& o) { return &o.position.x; }, [](O& o) { return &o.rotation.w; }, [](O& o) { return &o.density; },
         [](O& o) { return &o.mass; }, [](O& o) { return &o.margin; }, [](O& o) { return &o.gap; }},
        [](ModelBuilder& b, BodyId body, JointId, const O& o) { b.add_shape(body, Box{}, o); });
    expect_each_found<Box>({}, {[](Box& o) { return &o.half_extents.x; }, [](Box& o) { return &o.half_extents.z; }},
                           [](ModelBuilder& b, BodyId body, JointId, const Box& o)
                           { b.add_shape(body, o, {.name = "x"}); });
    expect_each_found<Sphere>({}, {[](Sphere& o) { return &o.radius; }},
                              [](ModelBuilder& b, BodyId body, JointId, const Sphere& o)
                              { b.add_shape(body, o, {.name = "x"}); });
    expect_each_found<Capsule>({}, {[](Capsule& o) { return &o.radius; }, [](Capsule& o) { return &o.half_length; }},
                               [](ModelBuilder& b, BodyId body, JointId, const Capsule& o)
                               { b.add_shape(body, o, {.name = "x"}); });
    expect_each_found<Cylinder>({}, {[](Cylinder& o) { return &o.radius; }, [](Cylinder& o) { return &o.half_length; }},
                                [](ModelBuilder& b, BodyId body, JointId, const Cylinder& o)
                                { b.add_shape(body, o, {.name = "x"}); });
    expect_each_found<Ellipsoid>({}, {[](Ellipsoid& o) { return &o.radii.y; }},
                                 [](ModelBuilder& b, BodyId body, JointId, const Ellipsoid& o)
                                 { b.add_shape(body, o, {.name = "x"}); });
}

TEST(Finite, a_nan_in_the_colour_of_a_shape_is_found)
{
    ModelBuilder builder;
    builder.add_ground({.name = "x", .colour = {0, std::numeric_limits<float>::quiet_NaN(), 0, 1}});
    EXPECT_NE(to_text(builder.build().errors()).find("shape 'x': colour is not finite"), std::string::npos);
}

TEST(Finite, a_nan_in_a_site_a_mesh_or_a_height_field_is_found)
{
    using S = SiteOptions;
    expect_each_found<S>({.name = "x"}, {[](S& o) { return &o.position.z; }, [](S& o) { return &o.rotation.z; }},
                         [](ModelBuilder& b, BodyId body, JointId, const S& o) { b.add_site(body, o); });
    using M = MeshOptions;
    expect_each_found<M>({.name = "x", .vertices = {{0, 0, 0}, {1, 0, 0}}}, {[](M& o) { return &o.vertices[1].y; }},
                         [](ModelBuilder& b, BodyId, JointId, const M& o) { b.add_mesh(o); });
    using H = HeightFieldOptions;
    expect_each_found<H>({.name = "x", .rows = 2, .columns = 2, .heights = {0, 0, 0, 0}},
                         {[](H& o) { return &o.half_x; }, [](H& o) { return &o.half_y; }, [](H& o) { return &o.base; },
                          [](H& o) { return &o.heights[3]; }},
                         [](ModelBuilder& b, BodyId, JointId, const H& o) { b.add_height_field(o); });
}

TEST(Finite, a_nan_in_a_material_or_a_pair_is_found)
{
    using O = MaterialOptions;
    expect_each_found<O>({.name = "x"},
                         {[](O& o) { return &o.friction; }, [](O& o) { return &o.spinning_friction; },
                          [](O& o) { return &o.rolling_friction; }, [](O& o) { return &o.restitution; },
                          [](O& o) { return &o.solmix; }, [](O& o) { return &o.softness.emplace<Spring>().stiffness; },
                          [](O& o) { return &o.softness.emplace<Impedance>().solimp[0]; }},
                         [](ModelBuilder& b, BodyId, JointId, const O& o) { b.add_material(o); });
    using P = PairOptions;
    expect_each_found<P>({}, {[](P& o) { return &o.margin; }, [](P& o) { return &o.gap; }},
                         [](ModelBuilder& b, BodyId body, JointId, const P& o)
                         {
                             const ShapeId ground = b.add_ground({.name = "x"});
                             b.add_pair(ground, b.add_shape(body, Box{}), o);
                         });
}

TEST(Finite, a_nan_in_an_equality_is_found)
{
    using O = EqualityOptions;
    expect_each_found<O>(
        {.name = "x"},
        {[](O& o) { return &o.softness.emplace<Spring>().damping; }, [](O& o) { return &o.torque_scale; },
         [](O& o) { return &o.break_force; }, [](O& o) { return &o.break_torque; }},
        [](ModelBuilder& b, BodyId body, JointId, const O& o) { b.add_weld(body, kWorld, o); });
    expect_each_found<Vec3>({}, {[](Vec3& o) { return &o.x; }, [](Vec3& o) { return &o.y; }},
                            [](ModelBuilder& b, BodyId body, JointId, const Vec3& o)
                            { b.add_connect(body, kWorld, o, {.name = "x"}); });
    expect_each_found<Pose>({}, {[](Pose& o) { return &o.position.x; }, [](Pose& o) { return &o.rotation.w; }},
                            [](ModelBuilder& b, BodyId body, JointId, const Pose& o)
                            { b.add_weld_frames(body, {}, kWorld, o, {.name = "x"}); });
    using C = CableOptions;
    expect_each_found<C>({.name = "x"},
                         {[](C& o) { return &o.cable.stretch.stiffness; },
                          [](C& o) { return &o.cable.stretch.damping; }, [](C& o) { return &o.cable.shear.stiffness; },
                          [](C& o) { return &o.cable.bend.stiffness; }, [](C& o) { return &o.cable.twist.damping; },
                          [](C& o) { return &o.first_frame.position.y; }, [](C& o) { return &o.break_force; }},
                         [](ModelBuilder& b, BodyId body, JointId, const C& o) { b.add_cable(body, kWorld, o); });
    using R = RodOptions;
    expect_each_found<R>({.name = "x"},
                         {[](R& o) { return &o.start.x; }, [](R& o) { return &o.end.z; }, [](R& o)
                          { return &o.radius; }, [](R& o) { return &o.density; }, [](R& o) { return &o.young; },
                          [](R& o) { return &o.shear_modulus.emplace(); }, [](R& o) { return &o.damping_time; }},
                         [](ModelBuilder& b, BodyId, JointId, const R& o) { b.add_rod(o); });
    using A = std::array<double, 5>;
    expect_each_found<A>({}, {[](A& o) { return &o[0]; }, [](A& o) { return &o[4]; }},
                         [](ModelBuilder& b, BodyId, JointId joint, const A& o)
                         { b.add_joint_coupling(joint, JointId{}, o, {.name = "x"}); });
}

TEST(Finite, a_nan_in_a_tendon_is_found)
{
    using O = TendonOptions;
    expect_each_found<O>(
        {.name = "x"},
        {[](O& o) { return &o.range.lower; }, [](O& o) { return &o.range.upper; }, [](O& o) { return &o.margin; },
         [](O& o) { return &o.limit_softness.emplace<Spring>().damping; }, [](O& o) { return &o.stiffness; },
         [](O& o) { return &o.damping; }, [](O& o) { return &o.dry_friction; },
         [](O& o) { return &o.dry_friction_softness.emplace<Spring>().damping; }, [](O& o) { return &o.armature; },
         [](O& o) { return &o.spring_length[0]; }, [](O& o) { return &o.spring_length[1]; },
         [](O& o) { return &o.actuator_force_range.upper; }},
        [](ModelBuilder& b, BodyId, JointId joint, const O& o) { b.add_fixed_tendon({{joint, 1.0}}, o); });
    struct Item
    {
        double value = 1;
    };
    expect_each_found<Item>({}, {[](Item& o) { return &o.value; }},
                            [](ModelBuilder& b, BodyId, JointId joint, const Item& o)
                            { b.add_fixed_tendon({{joint, o.value}}, {.name = "x"}); });
    expect_each_found<Item>({}, {[](Item& o) { return &o.value; }},
                            [](ModelBuilder& b, BodyId body, JointId, const Item& o)
                            {
                                const SiteId s = b.add_site(body);
                                b.add_spatial_tendon(
                                    {{.site = s}, {.site = s}, {.divisor = o.value}, {.site = s}, {.site = s}},
                                    {.name = "x"});
                            });
}

TEST(Finite, a_nan_in_an_actuator_is_found)
{
    using O = ActuatorOptions;
    expect_each_found<O>(
        {.name = "x"},
        {[](O& o) { return &o.gear[0]; }, [](O& o) { return &o.gear[5]; }, [](O& o) { return &o.gain[0]; },
         [](O& o) { return &o.gain[2]; }, [](O& o) { return &o.bias[0]; }, [](O& o) { return &o.bias[2]; },
         [](O& o) { return &o.time_constant; }, [](O& o) { return &o.input_range.lower; },
         [](O& o) { return &o.force_range.upper; }, [](O& o) { return &o.act_range.lower; }},
        [](ModelBuilder& b, BodyId, JointId joint, const O& o) { b.add_actuator(joint, o); });
    using P = PositionActuatorOptions;
    expect_each_found<P>({.name = "x"},
                         {[](P& o) { return &o.stiffness; }, [](P& o) { return &o.damping; },
                          [](P& o) { return &o.damping_ratio; }, [](P& o) { return &o.gear[1]; },
                          [](P& o) { return &o.input_range.upper; }, [](P& o) { return &o.force_range.lower; }},
                         [](ModelBuilder& b, BodyId, JointId joint, const P& o) { b.add_position_actuator(joint, o); });
    using V = VelocityActuatorOptions;
    expect_each_found<V>({.name = "x"},
                         {[](V& o) { return &o.gain; }, [](V& o) { return &o.gear[2]; },
                          [](V& o) { return &o.input_range.upper; }, [](V& o) { return &o.force_range.lower; }},
                         [](ModelBuilder& b, BodyId, JointId joint, const V& o) { b.add_velocity_actuator(joint, o); });
}

TEST(Finite, a_nan_in_a_keyframe_or_a_track_is_found)
{
    using O = Keyframe;
    expect_each_found<O>({.name = "x", .q = {0}, .v = {0}, .act = {0}, .ctrl = {0}, .targets = {Pose{}}},
                         {[](O& o) { return &o.time; }, [](O& o) { return &o.q[0]; }, [](O& o) { return &o.v[0]; },
                          [](O& o) { return &o.act[0]; }, [](O& o) { return &o.ctrl[0]; },
                          [](O& o) { return &o.targets[0].position.y; }, [](O& o) { return &o.targets[0].rotation.y; }},
                         [](ModelBuilder& b, BodyId, JointId joint, const O& o)
                         {
                             b.add_body({.kind = BodyKind::kinematic});
                             b.add_actuator(joint, {.dynamics = ActuatorDynamics::integrator});
                             b.add_keyframe(o);
                         });
    using T = Track;
    expect_each_found<T>({.times = {0, 1}, .poses = {Pose{}, Pose{}}},
                         {[](T& o) { return &o.times[0]; }, [](T& o) { return &o.times[1]; },
                          [](T& o) { return &o.poses[1].position.x; }, [](T& o) { return &o.poses[1].rotation.x; }},
                         [](ModelBuilder& b, BodyId, JointId, const T& o)
                         { b.add_track(b.add_body({.name = "x", .kind = BodyKind::kinematic}), o); });
}

TEST(Finite, a_nan_in_the_settings_is_found)
{
    const auto text_after = [](auto change)
    {
        ModelBuilder builder;
        change(builder.settings());
        return to_text(builder.build().errors());
    };
    EXPECT_EQ(text_after([](Settings&) {}), "");
    EXPECT_NE(text_after([](Settings& s) { s.dt = kNan; }).find("settings: dt"), std::string::npos);
    EXPECT_NE(text_after([](Settings& s) { s.gravity.y = kNan; }).find("settings: gravity"), std::string::npos);
    EXPECT_NE(text_after([](Settings& s) { s.magnetic_field.x = kNan; }).find("settings: magnetic field"),
              std::string::npos);
    EXPECT_NE(text_after([](Settings& s) { s.solver_parameters["convex"]["tolerance"] = kNan; })
                  .find("settings: parameter tolerance of solver convex"),
              std::string::npos);
}

}  // namespace
}  // namespace rattleback
