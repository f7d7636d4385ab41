// The hand with its cube.
#include "lab/scenes/hand.h"

#include "lab/scenes/parts.h"

namespace rattleback::lab
{

namespace
{

constexpr double kPalmTop = 0.15;  // [m]
constexpr Vec3 kPalm{0.052, 0.055, 0.014};

/// Where a finger grows from the palm, and which way it points before it curls up.
struct Finger
{
    const char* name;
    Vec3 root;     ///< in the palm's frame [m]
    double turn;   ///< about z, from pointing along x [rad]
    double scale;  ///< of the bones
};
constexpr Finger kFingers[] = {{"index_", {0.056, 0.040, -0.002}, 0.06, 1.0},
                               {"middle_", {0.058, 0.000, -0.002}, 0.0, 1.08},
                               {"ring_", {0.056, -0.040, -0.002}, -0.06, 1.0},
                               {"thumb_", {-0.012, 0.060, -0.002}, 1.75, 1.05}};

struct Bone
{
    const char* name;
    double length, radius;  ///< [m]
    double mass;            ///< [kg]
    double curl;            ///< at rest [rad]
};
constexpr Bone kBones[] = {{"proximal", 0.048, 0.0105, 0.040, 0.35},
                           {"middle", 0.032, 0.0095, 0.025, 0.40},
                           {"distal", 0.022, 0.0088, 0.016, 0.35}};

void add_servo(ModelBuilder& builder, BodyId body, const std::string& name, const Vec3& axis, const Range& range)
{
    const JointId joint =
        builder.add_joint(body, {.name = name, .axis = axis, .range = range, .damping = 0.01, .armature = 1e-4});
    builder.add_position_actuator(
        joint, {.name = name, .stiffness = 1.5, .damping_ratio = 1, .input_range = range, .force_range = limits(0.8)});
    builder.add_sensor(SensorType::joint_position, joint, name + "_angle");
}

void add_finger(ModelBuilder& builder, BodyId palm, const Finger& finger)
{
    const std::string prefix = finger.name;
    const BodyId knuckle = builder.add_body({.name = prefix + "knuckle",
                                             .parent = palm,
                                             .position = finger.root,
                                             .rotation = from_axis_angle({0, 0, 1}, finger.turn)});
    builder.exclude(palm, knuckle);  // the palm does not move, so it is no parent to the collision filter
    add_servo(builder, knuckle, prefix + "spread", {0, 0, 1}, degrees(-20, 20));
    builder.add_shape(knuckle, Sphere{.radius = 0.0115}, {.name = prefix + "knuckle", .mass = 0.02, .colour = kInk});

    BodyId parent = knuckle;
    double along = 0.010;  // from the previous joint
    for (const Bone& bone : kBones)
    {
        const std::string name = prefix + bone.name;
        const double length = bone.length * finger.scale;
        // Curling turns x towards z, up and over the palm: a negative turn about y.
        const BodyId body = builder.add_body({.name = name,
                                              .parent = parent,
                                              .position = {along, 0, 0},
                                              .rotation = from_axis_angle({0, 1, 0}, -bone.curl)});
        add_servo(builder, body, name, {0, -1, 0}, degrees(-30, 75));
        add_limb(builder, body, {0.004, 0, 0}, {length - 0.004, 0, 0}, bone.radius,
                 {.name = name, .mass = bone.mass, .colour = kSteel});
        parent = body;
        along = length;
    }
    builder.add_shape(parent, Sphere{.radius = 0.0105},
                      {.name = prefix + "tip", .position = {along, 0, 0}, .mass = 0.004, .colour = kAmber});
    builder.add_site(parent, {.name = prefix + "tip", .position = {along, 0, 0}});
    builder.add_sensor(SensorType::touch, parent, prefix + "touch");
}

}  // namespace

Result<Model> build_hand(const HandOptions& options)
{
    ModelBuilder builder("hand");
    builder.settings().integrator = Integrator::implicitfast;  // servos are stiff, bones light
    builder.add_ground({.name = "floor", .colour = kFloor});
    const BodyId palm =
        builder.add_body({.name = "palm", .position = {0, 0, kPalmTop - kPalm.z}, .kind = BodyKind::fixed});
    builder.add_shape(palm, Box{.half_extents = kPalm}, {.name = "palm", .mass = 0.35, .colour = kTeal});
    builder.add_shape(palm, Cylinder{.radius = 0.03, .half_length = 0.061},
                      {.name = "wrist", .position = {-0.02, 0, -0.075}, .mass = 0.3, .colour = kInk});
    for (const Finger& finger : kFingers) add_finger(builder, palm, finger);

    const double half = options.cube_size / 2;
    const BodyId cube =
        builder.add_body({.name = "cube", .position = {0.008, 0, kPalmTop + half + options.cube_height}});
    builder.add_shape(cube, Box{.half_extents = {half, half, half}},
                      {.name = "cube", .mass = options.cube_mass, .colour = kRust});
    builder.add_sensor(SensorType::frame_position, cube, "cube_position");
    builder.add_sensor(SensorType::frame_rotation, cube, "cube_rotation");
    return builder.build();
}

}  // namespace rattleback::lab
