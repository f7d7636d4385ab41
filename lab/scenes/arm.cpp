// The arm with its gripper.
#include "lab/scenes/arm.h"

#include "lab/scenes/parts.h"

namespace rattleback::lab
{

namespace
{

/// One moving segment: its hinge (alternately a roll about z and a bend about y) and the limb up to the next hinge.
struct Segment
{
    const char* name;
    double offset;     ///< from the previous hinge, along its z [m]
    double bend;       ///< at home [rad]; rolls: 0
    bool rolls;        ///< true: turns about z; false: about y
    double length;     ///< of the limb [m]
    double radius;     ///< [m]
    double mass;       ///< [kg]
    double range;      ///< both sides of home [degree]
    double stiffness;  ///< of the servo [N m/rad]
    double torque;     ///< largest of the servo [N m]
    double start;      ///< away from home [rad]
};

// The bends add up to half a turn: at home the gripper points straight down.
constexpr Segment kSegments[] = {
    {"base_roll", 0.14, 0, true, 0.10, 0.070, 3.4, 165, 800, 160, -0.9},
    {"shoulder", 0.14, 0.40, false, 0.16, 0.062, 3.6, 100, 900, 160, -0.7},
    {"upper_roll", 0.20, 0, true, 0.13, 0.056, 2.9, 165, 500, 90, 0.4},
    {"elbow", 0.19, 1.30, false, 0.15, 0.052, 2.6, 110, 500, 90, -0.8},
    {"fore_roll", 0.19, 0, true, 0.14, 0.046, 2.1, 165, 200, 40, 0.6},
    {"wrist", 0.18, kPi - 1.70, false, 0.05, 0.043, 1.5, 110, 120, 25, -0.6},
    {"flange_roll", 0.10, 0, true, 0.03, 0.038, 0.6, 170, 60, 15, 1.2},
};

BodyId add_segment(ModelBuilder& builder, BodyId parent, const Segment& segment, int index, const ArmOptions& options)
{
    const std::string name = segment.name;
    const BodyId body = builder.add_body({.name = name + "_link",
                                          .parent = parent,
                                          .position = {0, 0, segment.offset},
                                          .rotation = from_axis_angle({0, 1, 0}, segment.bend),
                                          .gravity_compensation = options.weightless ? 1.0 : 0.0});
    const JointId joint = builder.add_joint(body, {.name = name,
                                                   .axis = segment.rolls ? Vec3{0, 0, 1} : Vec3{0, 1, 0},
                                                   .initial_position = options.away ? segment.start : 0,
                                                   .range = degrees(-segment.range, segment.range),
                                                   .damping = 0.005 * segment.torque,
                                                   .armature = 1e-3 * segment.torque});
    builder.add_position_actuator(joint, {.name = name,
                                          .stiffness = segment.stiffness,
                                          .damping_ratio = 1,
                                          .input_range = degrees(-segment.range, segment.range),
                                          .force_range = limits(segment.torque)});
    builder.add_sensor(SensorType::joint_position, joint, name + "_angle");
    builder.add_sensor(SensorType::joint_velocity, joint, name + "_speed");

    const Colour colour = index % 2 == 0 ? kPaper : kTeal;
    add_limb(builder, body, {0, 0, 0}, {0, 0, segment.length}, segment.radius,
             {.name = name, .mass = segment.mass, .colour = colour});
    return body;
}

void add_gripper(ModelBuilder& builder, BodyId flange, const ArmOptions& options)
{
    const double held = options.weightless ? 1 : 0;
    const BodyId palm =
        builder.add_body({.name = "palm", .parent = flange, .position = {0, 0, 0.075}, .gravity_compensation = held});
    builder.add_shape(palm, Box{.half_extents = {0.03, 0.085, 0.022}}, {.name = "palm", .mass = 0.5, .colour = kInk});

    std::array<JointId, 2> slides;
    for (int i = 0; i < 2; ++i)
    {
        const double side = i == 0 ? 1 : -1;
        const std::string name = i == 0 ? "left_finger" : "right_finger";
        const BodyId finger = builder.add_body(
            {.name = name, .parent = palm, .position = {0, 0.045 * side, 0.022}, .gravity_compensation = held});
        slides[static_cast<std::size_t>(i)] = builder.add_joint(finger, {.name = name,
                                                                         .type = JointType::slide,
                                                                         .axis = {0, side, 0},
                                                                         .range = limits(-0.035, 0.03),
                                                                         .stiffness = 100,
                                                                         .damping = 10,
                                                                         .armature = 0.05});
        builder.add_shape(finger, Box{.half_extents = {0.012, 0.008, 0.04}},
                          {.name = name, .position = {0, 0, 0.04}, .mass = 0.08, .colour = kSteel});
        builder.add_shape(
            finger, Box{.half_extents = {0.010, 0.003, 0.016}},
            {.name = name + "_pad", .position = {0, -0.011 * side, 0.062}, .mass = 0.01, .colour = kRust});
    }
    builder.add_joint_coupling(slides[1], slides[0], {0, 1, 0, 0, 0}, {.name = "fingers_together"});
    builder.add_position_actuator(slides[0], {.name = "grip",
                                              .stiffness = 600,
                                              .damping_ratio = 1,
                                              .input_range = limits(-0.035, 0.03),
                                              .force_range = limits(60)});
    const SiteId tool = builder.add_site(palm, {.name = "tool", .position = {0, 0, 0.085}});
    builder.add_sensor(SensorType::frame_position, tool, "tool_position");
    builder.add_sensor(SensorType::frame_rotation, tool, "tool_rotation");
}

}  // namespace

void add_arm(ModelBuilder& builder, const ArmOptions& options)
{
    const BodyId base = builder.add_body({.name = "base", .kind = BodyKind::fixed});
    builder.add_shape(base, Cylinder{.radius = 0.10, .half_length = 0.06},
                      {.name = "base", .position = {0, 0, 0.06}, .mass = 6, .colour = kInk});
    const BodyId first = add_segment(builder, base, kSegments[0], 0, options);
    BodyId tip = first;
    for (int i = 1; i < 7; ++i) tip = add_segment(builder, tip, kSegments[i], i, options);
    add_gripper(builder, tip, options);
    builder.exclude(base, first);  // the base does not move, so it is no parent to the collision filter
}

Result<Model> build_arm(const ArmOptions& options)
{
    ModelBuilder builder("arm");
    builder.settings().integrator = Integrator::implicitfast;  // servos are stiff
    builder.add_ground({.name = "floor", .colour = kFloor});
    add_arm(builder, options);
    return builder.build();
}

}  // namespace rattleback::lab
