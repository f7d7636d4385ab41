// A small model in which every array of Model has at least one element.
#pragma once

#include <rattleback/builder.h>

namespace rattleback
{

inline ModelBuilder make_rich_builder()
{
    ModelBuilder builder("rich");
    builder.settings().solver_parameters["convex"]["iterations"] = 50;
    const MaterialId rubber = builder.add_material({.name = "rubber", .friction = 2, .softness = Impedance{}});
    const MeshId mesh = builder.add_mesh({.name = "wedge",
                                          .vertices = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
                                          .triangles = {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}},
                                          .edges = {{0, 1}, {1, 2}}});
    const HeightFieldId field =
        builder.add_height_field({.name = "hills", .rows = 2, .columns = 3, .heights = {0, 1, 0, 2, 0, 1}});
    const ShapeId ground = builder.add_ground({.name = "ground"});
    builder.add_shape(kWorld, HeightField{field});

    const BodyId box = builder.add_body({.name = "box", .position = {0, 0, 2}, .angular_velocity = {0, 0, 1}});
    const ShapeId cube = builder.add_shape(box, Box{}, {.material = rubber});
    const BodyId arm = builder.add_body({.name = "arm"});
    const BodyId hand = builder.add_body({.name = "hand", .parent = arm, .position = {0, 0, 1}});
    builder.add_shape(arm, Mesh{mesh});
    builder.add_shape(hand, Capsule{});
    const BodyId lift = builder.add_body({.name = "lift", .kind = BodyKind::kinematic});
    builder.add_track(lift, {.times = {0, 1}, .poses = {Pose{}, Pose{{0, 0, 1}, {}}}});

    const JointId wrist = builder.add_joint(hand, {.name = "wrist", .type = JointType::slide, .damping = 1});
    const JointId shoulder = builder.add_joint(
        arm, {.name = "shoulder", .range = {true, -1, 1}, .limit_softness = Spring{}, .spring_reference = 0.1});
    const SiteId grip = builder.add_site(hand, {.name = "grip"});
    const SiteId base = builder.add_site(kWorld, {.name = "base", .position = {0, 1, 0}});
    builder.add_connect(box, kWorld, {0, 0, 1}, {.name = "rope"});
    builder.add_cable(box, arm, {.name = "cord", .cable = {.bend = {.stiffness = 3, .damping = 1}}});
    builder.add_joint_coupling(wrist, shoulder, {0, 1, 0, 0, 0}, {.name = "gear", .softness = Impedance{}});
    const TendonId tendon = builder.add_spatial_tendon({{.site = base}, {.site = grip}}, {.name = "muscle"});
    builder.add_fixed_tendon({{wrist, 2.0}}, {.name = "sum"});
    builder.add_actuator(tendon, {.name = "pull", .dynamics = ActuatorDynamics::filter});
    builder.add_position_actuator(shoulder, {.name = "servo", .stiffness = 10, .damping_ratio = 1});
    builder.add_sensor(SensorType::joint_position, wrist, "wrist_position");
    builder.add_sensor(SensorType::gyro, grip, "grip_gyro");
    builder.add_sensor(SensorType::tactile, cube,
                       {.name = "skin", .taxels = {{Vec3{0, 0, 0.1}, Vec3{1, 0, 0}, Vec3{0, 1, 0}}}});
    builder.add_keyframe({.name = "start", .v = std::vector<double>(8, 0.5), .act = {0.5}, .targets = {Pose{}}});
    builder.add_pair(ground, cube, {.margin = 0.01});
    builder.exclude(arm, box);
    return builder;
}

}  // namespace rattleback
