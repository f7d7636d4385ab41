// Models and frames for tests of recordings.
#include "made_frames.h"

#include "support/random_model.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <fstream>

namespace rattleback
{

namespace
{

const std::vector<Vec3> kTetrahedron{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0.1, 0.1, 0.1}};
const std::vector<std::array<int, 3>> kFaces{{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}};

void add_shapes(ModelBuilder& builder)
{
    const MeshId solid = builder.add_mesh({.name = "solid", .vertices = kTetrahedron, .triangles = kFaces});
    const MeshId wires =
        builder.add_mesh({.name = "wires", .vertices = kTetrahedron, .triangles = {}, .edges = {{0, 1}, {1, 2}}});
    const HeightFieldId hills =
        builder.add_height_field({.name = "hills", .rows = 2, .columns = 3, .heights = {0, 1, 0, 1, 0, 2}});
    builder.add_ground();
    builder.add_shape(kWorld, HeightField{hills}, {.position = {5, 0, 0}});
    const std::vector<Shape> shapes{
        Sphere{0.3}, Capsule{0.1, 0.4}, Box{{0.1, 0.2, 0.3}}, Cylinder{0.2, 0.3}, Ellipsoid{{0.1, 0.2, 0.4}},
        Hull{solid}, Mesh{solid},       Surface{solid},       Points{wires},      Segments{wires}};
    for (std::size_t i = 0; i < shapes.size(); ++i)
    {
        const auto x = static_cast<double>(i);
        const BodyId body = builder.add_body({.name = "body " + std::to_string(i), .position = {2 * x, 0, 2}});
        builder.add_shape(body, shapes[i],
                          {.position = {0, 0.1, 0},
                           .rotation = from_axis_angle({1, 2, 3}, 0.5),
                           .mass = 1 + x,
                           .colour = {0.1F * static_cast<float>(i), 0.5F, 0.5F, i == 3 ? 0.5F : 1.0F}});
    }
}

}  // namespace

std::shared_ptr<const Model> make_gallery()
{
    ModelBuilder builder("gallery \"of\" \\shapes\n\xC3\xA4");
    builder.settings().gravity = {0, 0.5, -9};
    add_shapes(builder);
    const BodyId arm =
        builder.add_body({.name = "arm, with a comma", .position = {0, 3, 1}, .kind = BodyKind::dynamic});
    const JointId hinge = builder.add_joint(arm, {.name = "hinge"});
    builder.add_shape(arm, Box{{0.1, 0.1, 0.5}});
    const BodyId rod = builder.add_body({.name = "rod", .parent = arm});
    const JointId slide = builder.add_joint(rod, {.name = "slide", .type = JointType::slide});
    builder.add_shape(rod, Sphere{0.1}, {.position = {0, 0, 0.5}});
    builder.add_motor(hinge, {.name = "motor"});
    builder.add_actuator(slide, {.name = "filtered", .dynamics = ActuatorDynamics::filter});
    builder.add_body({.name = "lift", .position = {0, -3, 0}, .kind = BodyKind::kinematic});
    builder.add_sensor(SensorType::joint_position, hinge, "angle");
    builder.add_sensor(SensorType::frame_position, rod, "place");
    const ShapeId drum = builder.add_shape(arm, Cylinder{0.2, 0.3}, {.name = "drum", .position = {0, 0, 1}});
    const auto add_site = [&](BodyId body, const Vec3& position)
    { return builder.add_site(body, {.position = position}); };
    using Item = ModelBuilder::PathItem;
    builder.add_spatial_tendon(
        {Item{.site = add_site(kWorld, {-1, 3, 1.9})}, Item{.shape = drum}, Item{.site = add_site(rod, {1, 0, 0.9})},
         Item{.divisor = 2}, Item{.site = add_site(kWorld, {3, 0, 0})}, Item{.site = add_site(rod, {0, 0, 0.5})}},
        {.name = "rope"});
    builder.add_fixed_tendon({{hinge, 0.1}, {slide, 1}}, {.name = "sum"});
    return std::make_shared<const Model>(builder.build().value());
}

std::shared_ptr<const Model> make_single_box()
{
    ModelBuilder builder("one box");
    const BodyId box = builder.add_body({.name = "box", .position = {0, 0, 1}});
    builder.add_shape(box, Box{{0.1, 0.1, 0.1}});
    return std::make_shared<const Model>(builder.build().value());
}

MadeFrame::MadeFrame(const Model& model, std::int64_t number, bool with_forces) : state(model), control(model)
{
    Random random(static_cast<std::uint64_t>(number) + 17);
    const auto fill = [&](auto& values)
    {
        for (auto& value : values) value = random.uniform(-2, 2);
    };
    state.time[0] = 0.25 * static_cast<double>(number);
    state.step[0] = 3 * number;
    fill(state.q);
    fill(state.v);
    fill(state.act);
    fill(control.input);
    for (Pose& pose : state.body_pose) pose = {random.in_box(3), random.rotation()};
    for (Velocity& velocity : state.body_velocity) velocity = {random.in_box(3), random.in_box(3)};
    for (Pose& pose : control.target) pose = {random.in_box(3), random.rotation()};
    if (with_forces && number % 2 == 1)
    {
        fill(control.joint_force);
        for (Wrench& wrench : control.body_wrench) wrench = {random.in_box(3), random.in_box(3)};
    }
    report = {.status = static_cast<StepStatus>(number % 2),
              .iterations = random.integer(0, 50),
              .residual = random.uniform(0, 1),
              .contact_count = random.integer(0, 9),
              .deepest_penetration = random.uniform(0, 1),
              .culprit_dof = random.integer(-1, 5),
              .needed_capacity = random.integer(0, 5)};
    for (double& seconds : report.seconds) seconds = random.uniform(0, 1);
    for (int i = 0; i < number % 4 && model.shape_count() > 1; ++i)
    {
        Contact contact;
        contact.first_shape = ShapeId{random.integer(0, model.shape_count() - 1)};
        contact.second_shape = ShapeId{random.integer(0, model.shape_count() - 1)};
        contact.first_body = BodyId{model.shapes.body[static_cast<std::size_t>(contact.first_shape.index)]};
        contact.second_body = BodyId{model.shapes.body[static_cast<std::size_t>(contact.second_shape.index)]};
        contact.point = random.in_box(2);
        contact.frame = make_contact_frame(random.direction());
        contact.distance = random.uniform(-1, 1);
        contact.friction = random.in_box(1);
        contact.restitution = random.uniform(0, 1);
        contact.feature = random.bits();
        contacts.items.push_back(contact);
        forces.items.push_back({random.in_box(9), random.in_box(9)});
    }
    sensors.resize(static_cast<std::size_t>(model.sensor_value_count));
    fill(sensors);
}

FrameInput MadeFrame::input() const
{
    return {.time = state.time[0],
            .step = state.step[0],
            .world = state.world(0),
            .control = control.world(0),
            .report = report,
            .contacts = &contacts,
            .forces = &forces,
            .sensors = sensors};
}

namespace
{

template <class A, class B>
bool same_bits(const A& a, const B& b)
{
    return a.size() == b.size() && (a.size() == 0 || std::memcmp(a.data(), b.data(), a.size() * sizeof(a[0])) == 0);
}

bool same_contact(const RecordedContact& a, const Contact& b, const Wrench& force)
{
    return a.first_body == b.first_body.index && a.second_body == b.second_body.index &&
           a.first_shape == b.first_shape.index && a.second_shape == b.second_shape.index && a.point == b.point &&
           a.frame == b.frame && a.distance == b.distance && a.friction == b.friction &&
           a.restitution == b.restitution && a.feature == b.feature && a.force == force;
}

bool same_report(const StepReport& a, const StepReport& b)
{
    return a.status == b.status && a.iterations == b.iterations && a.residual == b.residual &&
           a.contact_count == b.contact_count && a.deepest_penetration == b.deepest_penetration &&
           a.culprit_dof == b.culprit_dof && a.culprit_body == b.culprit_body && a.culprit_shapes == b.culprit_shapes &&
           a.culprit_speed == b.culprit_speed && a.needed_capacity == b.needed_capacity && a.seconds == b.seconds;
}

}  // namespace

std::string find_difference(const Model& model, const RecordedFrame& frame, const MadeFrame& made, bool contacts)
{
    const State& state = made.state;
    const Control& control = made.control;
    if (frame.time != state.time[0] || frame.step != state.step[0]) return "time";
    if (!same_bits(frame.q, state.q) || !same_bits(frame.v, state.v) || !same_bits(frame.act, state.act)) return "q";
    if (!same_bits(frame.body_pose, state.body_pose)) return "body_pose";
    if (!same_bits(frame.body_velocity, state.body_velocity)) return "body_velocity";
    if (!same_bits(frame.control.input, control.input)) return "input";
    if (!same_bits(frame.control.target, control.target)) return "target";
    // Forces that are all zero may be left out.
    const auto zero = [](const auto& values)
    { return std::ranges::all_of(values, [](const auto& value) { return value == std::decay_t<decltype(value)>{}; }); };
    if (!same_bits(frame.control.joint_force, control.joint_force) &&
        !(frame.control.joint_force.empty() && zero(control.joint_force)))
        return "joint_force";
    if (!same_bits(frame.control.body_wrench, control.body_wrench) &&
        !(frame.control.body_wrench.empty() && zero(control.body_wrench)))
        return "body_wrench";
    const Energy energy = compute_energy(model, made.state.world(0));
    const Momentum momentum = compute_momentum(model, made.state.world(0));
    if (frame.energy.kinetic != energy.kinetic || frame.energy.potential != energy.potential) return "energy";
    if (frame.momentum.linear != momentum.linear || frame.momentum.angular != momentum.angular) return "momentum";
    if (!same_report(frame.report, made.report)) return "report";
    if (frame.contacts.size() != (contacts ? made.contacts.items.size() : 0)) return "number of contacts";
    for (std::size_t i = 0; i < frame.contacts.size(); ++i)
    {
        if (!same_contact(frame.contacts[i], made.contacts.items[i], made.forces.items[i])) return "contact";
    }
    if (!same_bits(frame.sensors, made.sensors)) return "sensors";
    return {};
}

std::filesystem::path temporary_path(const std::string& name)
{
    return std::filesystem::path(testing::TempDir()) / ("rattleback_" + std::to_string(::getpid()) + "_" + name);
}

void write_recording(const std::filesystem::path& path, const std::shared_ptr<const Model>& model, int count,
                     const RecorderOptions& options)
{
    Recorder recorder = Recorder::open(path, model, options).value();
    for (int i = 0; i < count; ++i)
    {
        const Status appended = recorder.append(MadeFrame(*model, i).input());
        ASSERT_TRUE(appended.ok()) << to_text(appended.errors());
    }
    const Status closed = recorder.close();
    ASSERT_TRUE(closed.ok()) << to_text(closed.errors());
}

std::vector<std::byte> read_bytes(const std::filesystem::path& path)
{
    std::ifstream file(path, std::ios::binary);
    std::vector<char> text{std::istreambuf_iterator<char>(file), {}};
    std::vector<std::byte> bytes(text.size());
    if (!text.empty()) std::memcpy(bytes.data(), text.data(), text.size());
    return bytes;
}

int run_in_child(const std::function<int()>& work)
{
    const pid_t child = ::fork();
    if (child == 0) ::_exit(work());
    int status = 0;
    ::waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

}  // namespace rattleback
