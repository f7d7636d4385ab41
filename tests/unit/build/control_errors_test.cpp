// Every kind of mistake gives its error: equalities, tendons, actuators, sensors and tracks.
#include "unit/build/mistake.h"

namespace rattleback::mistakes
{
namespace
{

const Mistake kConstraints[] = {
    {"a_connect_to_itself", "equality 'x': both ends are on one body",
     [](Scene& s) { s.builder.add_connect(s.arm, s.arm, {}, {.name = "x"}); }},
    {"a_connect_of_the_world_with_nothing", "equality 'x': both ends are on one body",
     [](Scene& s) { s.builder.add_connect(kWorld, BodyId{}, {}, {.name = "x"}); }},
    {"a_weld_to_a_foreign_body", "equality 'x': second body 31 does not exist",
     [](Scene& s) { s.builder.add_weld(s.arm, BodyId{31}, {.name = "x"}); }},
    {"a_weld_with_a_zero_rotation", "equality 'x': first frame's rotation is a quaternion of length zero",
     [](Scene& s) { s.builder.add_weld_frames(s.arm, {{}, {0, 0, 0, 0}}, s.base, {}, {.name = "x"}); }},
    {"a_coupling_of_a_ball", "equality 'x': second joint is a ball joint (only hinges and slides)",
     [](Scene& s) { s.builder.add_joint_coupling(s.shoulder, s.socket, {}, {.name = "x"}); }},
    {"a_coupling_with_itself", "equality 'x': it is coupled to itself",
     [](Scene& s) { s.builder.add_joint_coupling(s.shoulder, s.shoulder, {}, {.name = "x"}); }},
    {"a_coupling_of_a_foreign_tendon", "equality 'x': first tendon 8 does not exist",
     [](Scene& s) { s.builder.add_tendon_coupling(TendonId{8}, s.tendon, {}, {.name = "x"}); }},
    {"a_negative_torque_scale", "equality 'x': torque scale -1 is negative",
     [](Scene& s) { s.builder.add_weld(s.arm, s.base, {.name = "x", .torque_scale = -1}); }},
    {"a_cable_to_itself", "equality 'x': both ends are on one body",
     [](Scene& s) { s.builder.add_cable(s.arm, s.arm, {.name = "x"}); }},
    {"a_cable_that_pushes_where_it_should_pull", "equality 'x': bend stiffness -3 is negative",
     [](Scene& s) { s.builder.add_cable(s.arm, s.base, {.name = "x", .cable = {.bend = {-3, 0}}}); }},
    {"a_cable_with_an_endless_damper", "equality 'x': twist damping is not finite",
     [](Scene& s) { s.builder.add_cable(s.arm, s.base, {.name = "x", .cable = {.twist = {1, kUnbreakable}}}); }},
    {"a_rod_without_segments", "rod 'x': it has not between 1 and 1,000,000 segments",
     [](Scene& s) { s.builder.add_rod({.name = "x", .segments = 0}); }},
    {"a_rod_without_length", "rod 'x': start and end are one point",
     [](Scene& s) { s.builder.add_rod({.name = "x", .end = {}}); }},
    {"a_rod_without_thickness", "rod 'x': radius 0 is not positive",
     [](Scene& s) { s.builder.add_rod({.name = "x", .radius = 0}); }},
    {"an_empty_fixed_tendon", "tendon 'x': a fixed tendon needs at least one joint",
     [](Scene& s) { s.builder.add_fixed_tendon({}, {.name = "x"}); }},
    {"a_fixed_tendon_over_a_ball", "tendon 'x': joint is a ball joint",
     [](Scene& s) { s.builder.add_fixed_tendon({{s.socket, 1.0}}, {.name = "x"}); }},
    {"a_path_with_one_site", "tendon 'x': a branch of the path has fewer than 2 sites",
     [](Scene& s) { s.builder.add_spatial_tendon({{.site = s.grip}}, {.name = "x"}); }},
    {"a_branch_with_one_site", "tendon 'x': a branch of the path has fewer than 2 sites",
     [](Scene& s)
     {
         s.builder.add_spatial_tendon({{.site = s.grip}, {.site = s.grip}, {.divisor = 2}, {.site = s.grip}},
                                      {.name = "x"});
     }},
    {"a_pulley_without_divisor", "tendon 'x': pulley divisor 0 is not positive",
     [](Scene& s)
     {
         s.builder.add_spatial_tendon(
             {{.site = s.grip}, {.site = s.grip}, {.divisor = 0}, {.site = s.grip}, {.site = s.grip}}, {.name = "x"});
     }},
    {"a_path_through_a_foreign_site", "tendon 'x': site 4 does not exist",
     [](Scene& s) { s.builder.add_spatial_tendon({{.site = s.grip}, {.site = SiteId{4}}}, {.name = "x"}); }},
    {"a_wrap_around_a_capsule", "tendon 'x': a shape of the path is neither a sphere nor a cylinder", [](Scene& s)
     { s.builder.add_spatial_tendon({{.site = s.grip}, {.shape = s.bone}, {.site = s.grip}}, {.name = "x"}); }},
    {"a_wrap_around_a_foreign_shape", "tendon 'x': shape 9 does not exist", [](Scene& s)
     { s.builder.add_spatial_tendon({{.site = s.grip}, {.shape = ShapeId{9}}, {.site = s.grip}}, {.name = "x"}); }},
    {"a_wrap_with_a_foreign_side_site", "tendon 'x': side site 7 does not exist",
     [](Scene& s)
     {
         s.builder.add_spatial_tendon({{.site = s.grip}, {.shape = s.head, .side_site = SiteId{7}}, {.site = s.grip}},
                                      {.name = "x"});
     }},
    {"a_wrap_at_the_start_of_a_path", "tendon 'x': a shape of the path does not stand between two sites", [](Scene& s)
     { s.builder.add_spatial_tendon({{.shape = s.head}, {.site = s.grip}, {.site = s.grip}}, {.name = "x"}); }},
    {"a_wrap_at_the_end_of_a_path", "tendon 'x': a shape of the path does not stand between two sites", [](Scene& s)
     { s.builder.add_spatial_tendon({{.site = s.grip}, {.site = s.grip}, {.shape = s.head}}, {.name = "x"}); }},
    {"a_stop_that_is_a_site_and_a_shape", "tendon 'x': a stop of the path is both a site and a shape",
     [](Scene& s)
     {
         s.builder.add_spatial_tendon({{.site = s.grip}, {.site = s.grip, .shape = s.head}, {.site = s.grip}},
                                      {.name = "x"});
     }},
    {"a_side_site_without_a_shape", "tendon 'x': a side site belongs to a shape", [](Scene& s)
     { s.builder.add_spatial_tendon({{.site = s.grip, .side_site = s.grip}, {.site = s.grip}}, {.name = "x"}); }},
    {"a_wrapping_tendon_with_armature", "tendon 'x': a tendon that wraps around a shape cannot have armature",
     [](Scene& s)
     {
         s.builder.add_spatial_tendon({{.site = s.grip}, {.shape = s.head}, {.site = s.grip}},
                                      {.name = "x", .armature = 1});
     }},
    {"a_spring_length_upside_down", "tendon 'x': spring length",
     [](Scene& s) { s.builder.add_fixed_tendon({{s.shoulder, 1.0}}, {.name = "x", .spring_length = {2, 1}}); }},
    {"negative_tendon_damping", "tendon 'x': damping -1 is negative",
     [](Scene& s) { s.builder.add_fixed_tendon({{s.shoulder, 1.0}}, {.name = "x", .damping = -1}); }},
};
INSTANTIATE_TEST_SUITE_P(Constraints, EachMistake, testing::ValuesIn(kConstraints), title_of);

const Mistake kControl[] = {
    {"an_actuator_on_nothing", "actuator 'x': joint -1 does not exist",
     [](Scene& s) { s.builder.add_motor(JointId{}, {.name = "x"}); }},
    {"an_actuator_on_a_foreign_site", "actuator 'x': site 3 does not exist",
     [](Scene& s) { s.builder.add_motor(SiteId{3}, {.name = "x"}); }},
    {"an_actuator_on_a_foreign_tendon", "actuator 'x': tendon 3 does not exist",
     [](Scene& s) { s.builder.add_motor(TendonId{3}, {.name = "x"}); }},
    {"an_actuator_on_a_fixed_joint", "actuator 'x': a fixed joint cannot be actuated",
     [](Scene& s)
     {
         const BodyId y = s.builder.add_body({.name = "y"});
         s.builder.add_motor(s.builder.add_joint(y, {.type = JointType::fixed}), {.name = "x"});
     }},
    {"a_negative_servo", "actuator 'x': stiffness -1 is negative",
     [](Scene& s) { s.builder.add_position_actuator(s.shoulder, {.name = "x", .stiffness = -1}); }},
    {"a_negative_damping_ratio", "actuator 'x': damping ratio -1 is negative",
     [](Scene& s) { s.builder.add_position_actuator(s.shoulder, {.name = "x", .damping_ratio = -1}); }},
    {"a_filter_without_time", "actuator 'x': time constant 0 is not positive", [](Scene& s)
     { s.builder.add_actuator(s.shoulder, {.name = "x", .dynamics = ActuatorDynamics::filter, .time_constant = 0}); }},
    {"an_input_range_upside_down", "actuator 'x': input range: lower 1 is above upper -1",
     [](Scene& s) { s.builder.add_motor(s.shoulder, {.name = "x", .input_range = {true, 1, -1}}); }},
    {"a_joint_sensor_on_a_body", "sensor 'x': a joint_position sensor needs a joint",
     [](Scene& s) { s.builder.add_sensor(SensorType::joint_position, s.arm, "x"); }},
    {"a_frame_sensor_on_a_joint", "sensor 'x': a gyro sensor needs a body, inertial, shape, site, camera or view",
     [](Scene& s) { s.builder.add_sensor(SensorType::gyro, s.shoulder, "x"); }},
    {"a_joint_sensor_on_a_ball", "sensor 'x': joint sensors need a hinge or a slide",
     [](Scene& s) { s.builder.add_sensor(SensorType::joint_velocity, s.socket, "x"); }},
    {"a_sensor_on_a_foreign_site", "sensor 'x': site 6 does not exist",
     [](Scene& s) { s.builder.add_sensor(SensorType::gyro, SiteId{6}, "x"); }},
    {"a_sensor_of_nothing", "sensor 'x': a touch sensor needs a body or site",
     [](Scene& s) { s.builder.add_sensor(SensorType::touch, {}, "x"); }},
    {"a_clock_on_a_body", "sensor 'x': a clock sensor watches no object",
     [](Scene& s) { s.builder.add_sensor(SensorType::clock, s.arm, "x"); }},
    {"a_gyro_with_a_reference", "sensor 'x': a gyro sensor has no reference",
     [](Scene& s) { s.builder.add_sensor(SensorType::gyro, s.arm, {.name = "x", .reference = s.arm}); }},
    {"a_sensor_inside_nothing", "sensor 'x': a inside_site sensor needs a site as reference",
     [](Scene& s) { s.builder.add_sensor(SensorType::inside_site, s.arm, "x"); }},
    {"a_ball_sensor_on_a_hinge", "sensor 'x': ball sensors need a ball joint",
     [](Scene& s) { s.builder.add_sensor(SensorType::ball_rotation, s.shoulder, "x"); }},
    {"a_negative_cutoff", "sensor 'x': cutoff -1 is negative",
     [](Scene& s) { s.builder.add_sensor(SensorType::gyro, s.arm, {.name = "x", .cutoff = -1}); }},
    {"a_sensor_of_a_million_contacts", "sensor 'x': count must be positive, and at most 524288",
     [](Scene& s) { s.builder.add_sensor(SensorType::contact, {}, {.name = "x", .count = 1'000'000}); }},
    {"a_camera_of_too_many_pixels", "sensor 'x': more than 1048576 numbers",
     [](Scene& s)
     {
         s.builder.add_sensor(SensorType::rangefinder, CameraFrame{s.arm, {}},
                              {.name = "x", .resolution = {1'000'000, 1'000'000}, .focal = {1, 1}});
     }},
    {"a_camera_without_pixels", "sensor 'x': a camera needs pixels", [](Scene& s)
     { s.builder.add_sensor(SensorType::rangefinder, CameraFrame{s.arm, {}}, {.name = "x", .focal = {1, 1}}); }},
    {"a_delay_without_samples", "sensor 'x': delay and interval need samples",
     [](Scene& s) { s.builder.add_sensor(SensorType::gyro, s.arm, {.name = "x", .delay = 0.1}); }},
    {"a_keyframe_of_the_wrong_size", "keyframe 'x': q has 2 numbers instead of 5",
     [](Scene& s) { s.builder.add_keyframe({.name = "x", .q = {0, 0}}); }},
    {"a_keyframe_with_a_zero_quaternion", "keyframe 'x': a quaternion in q is a quaternion of length zero",
     [](Scene& s) { s.builder.add_keyframe({.name = "x", .q = {0, 0, 0, 0, 0}}); }},
    {"a_keyframe_with_too_many_inputs", "keyframe 'x': ctrl has 1 numbers instead of 0",
     [](Scene& s) { s.builder.add_keyframe({.name = "x", .ctrl = {1}}); }},
    {"a_keyframe_with_too_many_targets", "keyframe 'x': targets has 2 poses instead of 1",
     [](Scene& s) { s.builder.add_keyframe({.name = "x", .targets = {{}, {}}}); }},
    {"a_track_of_a_moving_body", "track of body 'arm': only a kinematic body follows a track",
     [](Scene& s) { s.builder.add_track(s.arm, {.times = {0}, .poses = {Pose{}}}); }},
    {"a_track_of_nobody", "track: body -1 does not exist",
     [](Scene& s) { s.builder.add_track(BodyId{}, {.times = {0}, .poses = {Pose{}}}); }},
    {"an_empty_track", "track of body 'lift': the track is empty", [](Scene& s) { s.builder.add_track(s.lift, {}); }},
    {"a_track_that_stands_still", "track of body 'lift': times do not increase strictly",
     [](Scene& s) { s.builder.add_track(s.lift, {.times = {0, 0}, .poses = {Pose{}, Pose{}}}); }},
    {"a_track_with_too_few_poses", "track of body 'lift': 2 times for 1 poses",
     [](Scene& s) { s.builder.add_track(s.lift, {.times = {0, 1}, .poses = {Pose{}}}); }},
    {"two_tracks_of_one_body", "track of body 'lift': the body has two tracks",
     [](Scene& s)
     {
         for (int i = 0; i < 2; ++i) s.builder.add_track(s.lift, {.times = {0}, .poses = {Pose{}}});
     }},
};
INSTANTIATE_TEST_SUITE_P(Control, EachMistake, testing::ValuesIn(kControl), title_of);

}  // namespace

std::span<const Mistake> constraint_mistakes() { return kConstraints; }
std::span<const Mistake> control_mistakes() { return kControl; }

}  // namespace rattleback::mistakes
