// The humanoid and the astronaut.
#include "lab/scenes/humanoid.h"

#include "lab/scenes/parts.h"

namespace rattleback::lab
{

namespace
{

/// One hinge: anatomical range and the torque of its motor. Positive angles flex, spread or turn outwards.
struct HingeRow
{
    const char* name;
    Vec3 axis;            ///< of the left side; mirrored joints turn x and z round
    double lower, upper;  ///< [degree]
    double torque;        ///< largest of the motor [N m]
};

constexpr HingeRow kAbdomen[] = {{"abdomen_twist", {0, 0, 1}, -45, 45, 80},
                                 {"abdomen_lean", {1, 0, 0}, -30, 30, 80},
                                 {"abdomen_bend", {0, 1, 0}, -25, 70, 120}};
constexpr HingeRow kHip[] = {{"hip_spread", {1, 0, 0}, -25, 45, 90},
                             {"hip_turn", {0, 0, 1}, -40, 40, 60},
                             {"hip_flex", {0, -1, 0}, -30, 115, 180}};
constexpr HingeRow kKnee[] = {{"knee", {0, 1, 0}, -2, 145, 150}};
constexpr HingeRow kAnkle[] = {{"ankle_lift", {0, -1, 0}, -45, 25, 70}, {"ankle_roll", {1, 0, 0}, -20, 20, 40}};
constexpr HingeRow kShoulder[] = {{"shoulder_spread", {1, 0, 0}, -10, 150, 50},
                                  {"shoulder_flex", {0, -1, 0}, -60, 160, 50}};
constexpr HingeRow kElbow[] = {{"elbow", {0, -1, 0}, -2, 145, 40}};

/// Adds parts with one set of options.
class HumanoidMaker
{
public:
    explicit HumanoidMaker(const HumanoidOptions& options) : options_(options), builder_(options.name) {}

    Result<Model> make();

private:
    BodyId add_trunk(const Vec3& place);
    void add_leg(BodyId pelvis, double side);
    void add_arm(BodyId torso, double side);
    void add_hinges(BodyId body, std::span<const HingeRow> rows, const std::string& prefix, double side);
    ShapeOptions skin(const std::string& name, double mass, Colour colour) const;

    const HumanoidOptions& options_;
    ModelBuilder builder_;
    int hinge_count_ = 0;
    std::string tag_;  ///< before the names of one person among many
};

ShapeOptions HumanoidMaker::skin(const std::string& name, double mass, Colour colour) const
{
    const std::uint32_t layer = options_.floor ? 1 : 0;
    return {.name = name, .mass = mass, .category = layer, .mask = layer, .colour = colour};
}

void HumanoidMaker::add_hinges(BodyId body, std::span<const HingeRow> rows, const std::string& prefix, double side)
{
    // A pattern without symmetry, so that a drifting astronaut moves every joint.
    constexpr std::array kSpeeds = {0.9, -0.6, 1.3, -1.1, 0.7, 1.7, -0.8};
    for (const HingeRow& row : rows)
    {
        const double speed = options_.joint_speed * kSpeeds[static_cast<std::size_t>(hinge_count_ % 7)];
        JointOptions joint{.name = prefix + row.name,
                           .axis = {side * row.axis.x, row.axis.y, side * row.axis.z},
                           .initial_velocity = speed,
                           .damping = options_.damping ? 0.02 * row.torque : 0,
                           .armature = 2e-4 * row.torque};
        if (options_.limits) joint.range = degrees(row.lower, row.upper);
        const JointId id = builder_.add_joint(body, joint);
        if (options_.motors)
        {
            builder_.add_motor(id, {.name = prefix + row.name, .gear = {row.torque}, .input_range = limits(1)});
        }
        ++hinge_count_;
    }
}

BodyId HumanoidMaker::add_trunk(const Vec3& place)
{
    const BodyId pelvis = builder_.add_body({.name = tag_ + "pelvis", .position = place});
    builder_.add_joint(pelvis, {.name = tag_ + "root", .type = JointType::free});
    add_limb(builder_, pelvis, {0, -0.075, -0.02}, {0, 0.075, -0.02}, 0.095, skin(tag_ + "pelvis", 10.5, kInk));
    builder_.add_site(pelvis, {.name = tag_ + "pelvis"});
    builder_.add_sensor(SensorType::gyro, pelvis, tag_ + "pelvis_gyro");

    const BodyId torso = builder_.add_body({.name = tag_ + "torso", .parent = pelvis, .position = {0, 0, 0.10}});
    add_hinges(torso, kAbdomen, tag_, 1);
    add_limb(builder_, torso, {0, -0.055, 0.05}, {0, 0.055, 0.05}, 0.092, skin(tag_ + "belly", 8.0, kTeal));
    add_limb(builder_, torso, {0.005, -0.095, 0.25}, {0.005, 0.095, 0.25}, 0.115, skin(tag_ + "chest", 14.0, kTeal));
    add_limb(builder_, torso, {0, 0, 0.37}, {0.01, 0, 0.45}, 0.05, skin(tag_ + "neck", 1.0, kSkin));
    ShapeOptions head = skin(tag_ + "head", 4.6, kSkin);
    head.position = {0.02, 0, 0.545};
    builder_.add_shape(torso, Sphere{.radius = 0.108}, head);
    builder_.add_site(torso, {.name = tag_ + "eyes", .position = {0.12, 0, 0.56}});
    builder_.add_sensor(SensorType::accelerometer, torso, tag_ + "torso_accelerometer");

    for (const double side : {1.0, -1.0})
    {
        add_leg(pelvis, side);
        add_arm(torso, side);
    }
    return pelvis;
}

void HumanoidMaker::add_leg(BodyId pelvis, double side)
{
    const std::string prefix = tag_ + (side > 0 ? "left_" : "right_");
    const BodyId thigh =
        builder_.add_body({.name = prefix + "thigh", .parent = pelvis, .position = {0, 0.095 * side, -0.06}});
    add_hinges(thigh, kHip, prefix, side);
    add_limb(builder_, thigh, {0, 0.005 * side, -0.03}, {0, 0, -0.40}, 0.068, skin(prefix + "thigh", 9.2, kInk));

    const BodyId shin = builder_.add_body({.name = prefix + "shin", .parent = thigh, .position = {0, 0, -0.41}});
    add_hinges(shin, kKnee, prefix, side);
    add_limb(builder_, shin, {0, 0, -0.02}, {-0.005, 0, -0.37}, 0.048, skin(prefix + "shin", 3.3, kInk));

    const BodyId foot = builder_.add_body({.name = prefix + "foot", .parent = shin, .position = {0, 0, -0.40}});
    add_hinges(foot, kAnkle, prefix, side);
    // Two bars, heel to toes: a sole that can tilt in both directions and still is made of capsules.
    for (const double edge : {1.0, -1.0})
    {
        add_limb(builder_, foot, {-0.055, 0.018 * edge, -0.052}, {0.155, 0.032 * edge, -0.052}, 0.028,
                 skin(prefix + "foot_" + (edge * side > 0 ? "outer" : "inner"), 0.5, kAmber));
    }
    builder_.add_site(foot, {.name = prefix + "sole", .position = {0.04, 0, -0.08}});
    builder_.add_sensor(SensorType::touch, foot, prefix + "foot_touch");
}

void HumanoidMaker::add_arm(BodyId torso, double side)
{
    const std::string prefix = tag_ + (side > 0 ? "left_" : "right_");
    const BodyId upper =
        builder_.add_body({.name = prefix + "upper_arm", .parent = torso, .position = {0, 0.215 * side, 0.315}});
    add_hinges(upper, kShoulder, prefix, side);
    add_limb(builder_, upper, {0, 0.008 * side, -0.01}, {0, 0.03 * side, -0.27}, 0.042,
             skin(prefix + "upper_arm", 2.0, kTeal));

    const BodyId fore =
        builder_.add_body({.name = prefix + "forearm", .parent = upper, .position = {0, 0.03 * side, -0.285}});
    add_hinges(fore, kElbow, prefix, side);
    add_limb(builder_, fore, {0, 0, -0.01}, {0.015, 0, -0.23}, 0.034, skin(prefix + "forearm", 1.2, kSkin));
    ShapeOptions hand = skin(prefix + "hand", 0.45, kSkin);
    hand.position = {0.02, 0, -0.29};
    builder_.add_shape(fore, Sphere{.radius = 0.046}, hand);
    builder_.add_site(fore, {.name = prefix + "hand", .position = {0.02, 0, -0.29}});
}

Result<Model> HumanoidMaker::make()
{
    if (options_.floor) builder_.add_ground({.name = "floor", .colour = kFloor});
    if (!options_.floor) builder_.settings().gravity = {0, 0, 0};
    constexpr int kRow = 10;
    constexpr double kApart = 0.7;
    for (int i = 0; i < options_.count; ++i)
    {
        if (options_.count > 1) tag_ = std::to_string(i + 1) + "_";
        const int row = i / kRow, column = i % kRow;
        add_trunk({kApart * row, kApart * column, 0.95 + options_.height});
    }
    return builder_.build();
}

}  // namespace

Result<Model> build_humanoid(const HumanoidOptions& options) { return HumanoidMaker(options).make(); }

Result<Model> build_astronaut()
{
    return build_humanoid({.name = "astronaut",
                           .height = 0.3,
                           .floor = false,
                           .limits = false,
                           .damping = false,
                           .motors = false,
                           .joint_speed = 1});
}

}  // namespace rattleback::lab
