// The seven models, with the parameters of [PBD-R] Table II and those it leaves to its code.
#include "lab/accuracy/cases.h"

#include "lab/scenes/parts.h"
#include "lab/scenes/rabbit.h"

#include <array>
#include <cmath>

namespace rattleback::lab
{

namespace
{

constexpr double kHalf = 0.1;       // of the box [m]
constexpr double kBoxMass = 4;      // [kg]
constexpr double kTorque = 0.01;    // [N m]
constexpr double kSlope = kPi / 8;  // [rad]
constexpr double kRodRadius = 0.03, kRodHalf = 0.2;

constexpr std::array<std::string_view, kCaseCount> kNames = {"pushed box",       "box with torque",   "box on slope",
                                                             "pushed bunny",     "bunny with torque", "bunny on slope",
                                                             "rod pushing a box"};

enum class Kind
{
    push,
    turn,
    slide,
    rod,
};
Kind kind_of(int number)
{
    constexpr std::array kKinds = {Kind::push, Kind::turn, Kind::slide};
    return number == 7 ? Kind::rod : kKinds[static_cast<std::size_t>((number - 1) % 3)];
}
bool has_rabbit(int number) { return number >= 4 && number <= 6; }

/// The plane on which tests 3 and 6 slide: through (0, -0.5, 0.1), falling towards +y.
Quat slope_rotation() { return from_axis_angle({1, 0, 0}, -kSlope); }
const Vec3 kSlopeMiddle{0, -0.5, 0.1};

void add_slope(ModelBuilder& builder, MaterialId material)
{
    constexpr double kThickness = 0.05;
    const Vec3 normal = rotate(slope_rotation(), Vec3{0, 0, 1});
    builder.add_shape(kWorld, Box{.half_extents = {0.2, 8, kThickness}},
                      {.name = "slope",
                       .position = kSlopeMiddle - kThickness * normal,
                       .rotation = slope_rotation(),
                       .material = material,
                       .colour = kSteel});
}

/// Adds the object with the point at `height` below its centre touching.
void add_object(ModelBuilder& builder, AccuracyCase& test, const CaseOptions& options, MaterialId material)
{
    const bool rabbit = has_rabbit(test.number);
    const MeshOptions mesh = !rabbit ? MeshOptions{} : options.mesh != nullptr ? *options.mesh : make_rabbit();
    double height = kHalf;
    if (rabbit) height = 0;
    for (const Vec3& v : mesh.vertices) height = std::max(height, -v.z);
    test.shift = {options.shift_x, options.shift_y, 0};
    Pose pose{{test.number == 7 ? options.box_offset : 0, 0, height}, {}};
    if (kind_of(test.number) == Kind::slide)
    {
        const Vec3 up = rotate(slope_rotation(), Vec3{0, -1, 0}), normal = rotate(slope_rotation(), Vec3{0, 0, 1});
        pose = {kSlopeMiddle + 7.0 * up + height * normal, slope_rotation()};
        test.direction = -up;
        test.shift = rotate(slope_rotation(), test.shift);
    }
    pose.position += test.shift;
    test.object = builder.add_body({.name = "object", .position = pose.position, .rotation = pose.rotation});
    test.mass = rabbit ? kRabbitMass : kBoxMass;
    // the box collides with floor and rod, the rod with the box alone
    const ShapeOptions shape{
        .name = "object", .material = material, .mass = test.mass, .category = 3, .mask = 3, .colour = kTeal};
    if (rabbit)
        builder.add_shape(test.object, Mesh{.mesh = builder.add_mesh(mesh)}, shape);
    else
        builder.add_shape(test.object, Box{.half_extents = {kHalf, kHalf, kHalf}}, shape);
}

void add_rod(ModelBuilder& builder, AccuracyCase& test, const CaseOptions& options, MaterialId material)
{
    const Pose pose = test.rod_pose(0);
    test.rod = builder.add_body({.name = "rod",
                                 .position = pose.position,
                                 .kind = options.free_rod ? BodyKind::dynamic : BodyKind::kinematic,
                                 .gravity_compensation = options.free_rod ? 1.0 : 0.0});
    const Shape rod = options.capsule_rod ? Shape(Capsule{.radius = kRodRadius, .half_length = kRodHalf})
                                          : Shape(Cylinder{.radius = kRodRadius, .half_length = kRodHalf});
    builder.add_shape(test.rod, rod,
                      {.name = "rod", .material = material, .mass = 2, .category = 2, .mask = 2, .colour = kRust});
}

/// Moment about z through the centre of mass of the object as authored.
double find_moment_about_z(const Model& model, BodyId body)
{
    const auto b = static_cast<std::size_t>(body.index);
    const Mat3 r = to_matrix(model.bodies.inertial_pose[b].rotation);
    double moment = 0;
    for (int k = 0; k < 3; ++k) moment += r(2, k) * r(2, k) * model.bodies.inertia[b][k];
    return moment;
}

void set_answer(AccuracyCase& test, const CaseOptions& options, double friction)
{
    const double g = kCaseGravity;
    if (kind_of(test.number) == Kind::push)
    {
        const double force = options.force.value_or(test.number == 1 ? 17 : 10);
        test.wrench.force = {force, 0, 0};
        test.direction = {1, 0, 0};
        test.acceleration = std::max(0.0, (force - friction * test.mass * g) / test.mass);
    }
    if (kind_of(test.number) == Kind::turn)
    {
        test.wrench.torque = {0, 0, kTorque};
        test.turn = kTorque / find_moment_about_z(*test.model, test.object);
    }
    if (kind_of(test.number) == Kind::slide)
        test.acceleration = std::max(0.0, g * (std::sin(kSlope) - friction * std::cos(kSlope)));
    if (test.number == 7)
    {
        const PushOptions push{.offset = options.box_offset, .friction = friction};
        test.path = find_push_path(push);
        test.printed_path = find_push_path(as_printed(push));
    }
    test.floor = 0.5 * test.acceleration * kCaseDt * kCaseSeconds;
}

}  // namespace

std::string_view case_name(int number) { return kNames[static_cast<std::size_t>(number - 1)]; }

Expected AccuracyCase::expected(int frame) const
{
    const double t = frame * kCaseFrame;
    Expected expected;
    if (number == 7)
    {
        const PlanarPose& now = path[static_cast<std::size_t>(frame)];
        expected.displacement = {now.x - path.front().x, now.y - path.front().y, 0};
        expected.angle = now.angle;
        return expected;
    }
    expected.displacement = (0.5 * acceleration * t * t) * direction;
    expected.angle = 0.5 * turn * t * t;
    expected.linear = (mass * acceleration * t) * direction;
    if (turn > 0) expected.angular = t * wrench.torque;
    return expected;
}

Pose AccuracyCase::rod_pose(double time) const
{
    constexpr double kAcceleration = 0.05;  // 0.1 N on 2 kg
    return {shift + Vec3{0, 0.16 - 0.5 * kAcceleration * time * time, kRodHalf}, {}};
}

Result<AccuracyCase> make_case(int number, const CaseOptions& options)
{
    if (number < 1 || number > kCaseCount)
        return Error{ErrorCode::invalid_value, "", "there is no test " + std::to_string(number), "use 1 to 7"};
    AccuracyCase test{.number = number, .name = std::string(case_name(number))};
    const double friction = options.friction.value_or(kind_of(number) == Kind::turn ? 0 : 0.4);
    ModelBuilder builder(test.name);
    builder.settings().dt = kCaseDt;
    builder.settings().gravity = {0, 0, -kCaseGravity};
    builder.settings().integrator = Integrator::implicitfast;
    const MaterialId material = builder.add_material({.name = "surface",
                                                      .friction = friction,
                                                      .dimension = options.frictionless_rows && friction == 0 ? 1 : 3,
                                                      .softness = options.softness});
    builder.add_ground({.name = "floor", .material = material, .colour = kFloor});
    if (kind_of(number) == Kind::slide) add_slope(builder, material);
    add_object(builder, test, options, material);
    if (number == 7) add_rod(builder, test, options, material);
    Result<Model> model = builder.build();
    if (!model.ok()) return model.errors();
    test.model = std::make_shared<const Model>(std::move(model).value());
    set_answer(test, options, friction);
    return test;
}

}  // namespace rattleback::lab
