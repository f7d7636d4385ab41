// Joints, loops and cables of solver `avbd` against finite differences of the energies that they come from.
#include "base/index.h"
#include "solvers/avbd/actuator_drives.h"
#include "solvers/avbd/loops.h"
#include "solvers/avbd/penalty.h"
#include "unit/solvers/avbd/block_scene.h"

#include <functional>

namespace rattleback::avbd
{
namespace
{

constexpr double kStep = 0.01;

/// A model, its layout with one block per group, and the work on it with all groups at random places.
struct Scene
{
    Model model;
    Layout layout;
    BlockWork work;

    Scene(const ModelBuilder& builder, std::uint64_t seed, double size)
        : model(builder.build().value()), layout(model, false), work(layout)
    {
        work.drives = make_drives(model);
        work.dt = kStep;
        work.error_fraction = 1;
        State state(model);
        load_bodies(layout, state.world(), {0, static_cast<int>(work.bodies.size())}, work.bodies);
        for (std::size_t l = 0; l < layout.links.size(); ++l)
            start_link(layout, layout.links[l], work.bodies, state.q, kStep, 1, work.links[l]);
        start_loops(layout, 1, work);
        Random random(seed);
        for (std::size_t p = 1; p < layout.groups.size(); ++p)
        {
            Body& body = work.bodies[p];
            body.delta.linear = size * random.in_box(1);
            body.rotation_now = exponential(size * random.in_box(1)) * body.rotation;
            body.delta.angular = logarithm(body.rotation_now * conjugate(body.rotation));
        }
    }

    /// Force and torque on a group, by its joints.
    Vector6 find_force(int group)
    {
        work.diagonal[at(group)] = {};
        work.right[at(group)] = {};
        add_joints(layout, group, work.scratch[0], work);
        return work.right[at(group)];
    }
    /// The same with the group displaced.
    Vector6 find_force(int group, int direction, double by)
    {
        const Body kept = work.bodies[at(group)];
        work.bodies[at(group)] = displaced(kept, direction, by);
        const Vector6 force = find_force(group);
        work.bodies[at(group)] = kept;
        return force;
    }
};

/// Are the forces on all groups minus the slopes of the energy?
void expect_slopes(Scene& scene, const std::function<double(Scene&)>& energy, double tolerance)
{
    for (int group = 1; group < static_cast<int>(scene.layout.groups.size()); ++group)
    {
        const Vector6 force = scene.find_force(group);
        for (int d = 0; d < 6; ++d)
        {
            const double slope = slope_of(
                [&](double by)
                {
                    const Body kept = scene.work.bodies[at(group)];
                    scene.work.bodies[at(group)] = displaced(kept, d, by);
                    const double value = energy(scene);
                    scene.work.bodies[at(group)] = kept;
                    return value;
                });
            EXPECT_NEAR(force[at(d)], -slope, tolerance) << "group " << group << ", direction " << d;
        }
    }
}

/// Is the block of each group minus the slope of its force?
void expect_stiffness(Scene& scene, double tolerance)
{
    for (int group = 1; group < static_cast<int>(scene.layout.groups.size()); ++group)
    {
        scene.find_force(group);
        const Matrix6 block = scene.work.diagonal[at(group)];
        for (int d = 0; d < 6; ++d)
        {
            const Vector6 up = scene.find_force(group, d, 1e-6), down = scene.find_force(group, d, -1e-6);
            for (std::size_t c = 0; c < 6; ++c)
                EXPECT_NEAR(block(c, at(d)), -(up[c] - down[c]) / 2e-6, tolerance)
                    << "group " << group << ", entry " << c << ' ' << d;
        }
    }
}

BodyId add_bar(ModelBuilder& builder, BodyId parent, const Vec3& position)
{
    return builder.add_body(
        {.parent = parent, .position = position, .inertia = Inertia{.mass = 1, .diagonal = {0.1, 0.2, 0.25}}});
}

ModelBuilder make_joints(JointType type)
{
    ModelBuilder builder;
    const BodyId first = add_bar(builder, kWorld, {0.1, 0, 0});
    builder.add_joint(first, {.type = type, .axis = {1, 2, 0}, .position = {0.1, 0.2, 0}});
    const BodyId second = add_bar(builder, first, {0.5, 0, 0});
    builder.add_joint(second, {.type = type, .axis = {0, 1, 1}, .position = {-0.2, 0, 0.1}});
    return builder;
}

double energy_of_links(Scene& scene)
{
    double sum = 0;
    for (std::size_t l = 0; l < scene.layout.links.size(); ++l)
    {
        LinkState& state = scene.work.links[l];
        place_link(scene.layout, scene.layout.links[l], scene.work.bodies, state);
        for (std::size_t c = 0; c < 6; ++c)
            sum += 0.5 * (c < 3 ? state.linear_penalty : state.angular_penalty) * state.error[c] * state.error[c];
    }
    return sum;
}

TEST(AvbdJointBlocks, joints_hold_with_minus_the_slope_of_their_energy)
{
    for (const JointType type : {JointType::hinge, JointType::slide, JointType::ball})
    {
        for (const std::uint64_t seed : {1, 2, 3})
        {
            Scene scene(make_joints(type), seed, 0.1);
            const double largest = scene.work.links[0].linear_penalty;
            expect_slopes(scene, energy_of_links, 1e-6 * largest);
        }
    }
}

TEST(AvbdJointBlocks, joints_that_are_closed_are_as_stiff_as_their_block)
{
    for (const JointType type : {JointType::hinge, JointType::slide, JointType::ball})
    {
        Scene scene(make_joints(type), 1, 0);
        expect_stiffness(scene, 1e-4 * scene.work.links[0].linear_penalty);
    }
}

TEST(AvbdJointBlocks, springs_and_dampers_of_joints_are_minus_the_slope_of_their_energy)
{
    ModelBuilder builder;
    const BodyId first = add_bar(builder, kWorld, {0.1, 0, 0});
    builder.add_joint(first, {.axis = {1, 2, 0}, .stiffness = 700, .spring_reference = 0.2, .damping = 3});
    // turned about its axis alone: the rows of a spring are exact where the joint is closed
    Scene scene(builder, 4, 0);
    Body& body = scene.work.bodies[1];
    body.rotation_now = from_axis_angle({1, 2, 0}, 0.5) * body.rotation;
    body.delta.angular = logarithm(body.rotation_now * conjugate(body.rotation));
    const auto energy = [](Scene& s)
    {
        const double links = energy_of_links(s);
        const LinkDof& dof = s.work.links[0].dofs[0];
        return links + 0.5 * 700 * (dof.q - 0.2) * (dof.q - 0.2) + 0.5 * 3 / kStep * dof.q * dof.q;
    };
    expect_slopes(scene, energy, 1e-6 * scene.work.links[0].linear_penalty);
}

struct LoopCase
{
    const char* name;
    EqualityType type;
    Cable cable{};
};

ModelBuilder make_loop(const LoopCase& options)
{
    ModelBuilder builder;
    const BodyId first = add_bar(builder, kWorld, {0.1, 0, 0}), second = add_bar(builder, kWorld, {0.4, 0.1, 0});
    const Pose here{.position = {0.2, 0.05, 0}, .rotation = from_axis_angle({1, 2, 3}, 0.7)};
    const EqualityOptions soft{.softness = Spring{.stiffness = 400, .damping = 0}};
    if (options.type == EqualityType::connect) builder.add_connect(first, second, here.position, soft);
    if (options.type == EqualityType::weld) builder.add_weld_frames(first, here, second, {}, {});
    if (options.type == EqualityType::cable)
        builder.add_cable(first, second, {.first_frame = here, .cable = options.cable});
    return builder;
}

/// Half of stiffness times square of each row's error, worked out here once more.
double energy_of_loop(const Scene& scene)
{
    const Loop& loop = scene.layout.loops[0];
    const LoopState& state = scene.work.loops[0];
    const auto frame_of = [&](int group, const Pose& frame)
    {
        const Body& body = scene.work.bodies[at(group)];
        return Pose{body.center_now() - rotate(body.rotation_now, scene.layout.groups[at(group)].center),
                    body.rotation_now} *
               frame;
    };
    const Pose first = frame_of(loop.first, loop.first_frame), second = frame_of(loop.second, loop.second_frame);
    const Vec3 apart = rotate(conjugate(first.rotation), second.position - first.position);
    const Vec3 turned = logarithm(conjugate(first.rotation) * second.rotation);
    double sum = 0;
    for (int r = 0; r < loop.rows(); ++r)
    {
        const double error = r < 3 ? apart[r] : turned[r - 3];
        // what start errors hide: e - (1 - error_fraction) e0 is e with error_fraction = 1
        sum += 0.5 * state.row[at(r)].share * state.row[at(r)].penalty * error * error;
    }
    return sum;
}

const LoopCase kLoops[] = {
    {"connect", EqualityType::connect},
    {"weld", EqualityType::weld},
    {"cable", EqualityType::cable, {.bend = {30, 0}, .twist = {90, 0}}},
    {"soft cable", EqualityType::cable, {.stretch = {500, 0}, .shear = {200, 0}, .bend = {70, 0}, .twist = {20, 0}}},
    {"universal", EqualityType::cable, {.twist = {kRigidStiffness, 0}}},
};

TEST(AvbdJointBlocks, loops_and_cables_pull_with_minus_the_slope_of_their_energy_at_any_turn)
{
    for (const LoopCase& options : kLoops)
    {
        for (const double size : {0.1, 0.6, 1.1})
        {
            for (const std::uint64_t seed : {1, 2, 3})
            {
                SCOPED_TRACE(std::string(options.name) + ' ' + std::to_string(size));
                Scene scene(make_loop(options), seed, size);
                const double stiffest = scene.work.loops[0].row[0].penalty + scene.work.loops[0].row[5].penalty;
                expect_slopes(scene, [](Scene& s) { return energy_of_loop(s); }, 1e-7 * (100 + stiffest));
            }
        }
    }
}

TEST(AvbdJointBlocks, closed_loops_and_cables_are_as_stiff_as_their_block)
{
    for (const LoopCase& options : kLoops)
    {
        if (options.type == EqualityType::weld) continue;  // open at first
        SCOPED_TRACE(options.name);
        Scene scene(make_loop(options), 1, 0);
        expect_stiffness(scene, 1e-4 * (1 + scene.work.loops[0].row[0].penalty));
    }
}

TEST(AvbdJointBlocks, the_system_of_mode_penalty_has_joints_cables_and_inertia)
{
    ModelBuilder builder = make_joints(JointType::hinge);
    builder.add_cable(BodyId{1}, BodyId{2}, {.cable = {.bend = {30, 0}, .twist = {90, 0}}});
    Scene scene(builder, 2, 0.3);
    const Settings settings;
    for (std::size_t l = 0; l < scene.layout.links.size(); ++l)
        scene.work.links[l].linear_penalty = scene.work.links[l].angular_penalty = 5000;
    scene.work.loop_memory[0].penalty = 2000;
    scene.work.loop_ramps = {500};
    set_loop_penalty(scene.layout, 0, scene.work);
    for (const int group : {1, 2})
    {
        Body& body = scene.work.bodies[at(group)];
        body.mass = scene.layout.groups[at(group)].mass;
        body.target = {{0.02, 0.01, -0.03}, {0.05, 0.1, -0.02}};
        const auto energy = [&](const Body& moved)
        {
            const Body kept = scene.work.bodies[at(group)];
            scene.work.bodies[at(group)] = moved;
            double sum = energy_of_links(scene) + energy_of_loop(scene);
            scene.work.bodies[at(group)] = kept;
            const Vec3 off = moved.target.linear - moved.delta.linear;
            return sum + 0.5 * moved.mass / (kStep * kStep) * dot(off, off);
        };
        scene.work.contact_begin.assign(scene.layout.groups.size() + 1, 0);
        const BodySystem<double> system =
            assemble_penalty(scene.layout, settings, {}, group, scene.work.scratch[0], scene.work);
        // the torque of inertia is I log(target / now), as in [VBD-R]: not a gradient, so it is told apart
        const Mat3 axes = to_matrix(body.rotation_now);
        const Mat3 inertia = axes * scene.layout.groups[at(group)].inertia * transpose(axes);
        const Quat target = exponential(body.target.angular) * body.rotation;
        const Vec3 spin = (1 / (kStep * kStep)) * (inertia * logarithm(target * conjugate(body.rotation_now)));
        const Body now = body;
        for (int d = 0; d < 6; ++d)
        {
            const double slope = slope_of([&](double by) { return energy(displaced(now, d, by)); });
            const double force = d < 3 ? system.force[d] : system.torque[d - 3] - spin[d - 3];
            EXPECT_NEAR(force, -slope, 2e-2) << group << ' ' << d;
        }
    }
}

TEST(AvbdLinks, joint_coordinates_come_back_from_poses_for_any_sequence_of_joints)
{
    ModelBuilder builder;
    builder.settings().gravity = {};
    const BodyId first = add_bar(builder, kWorld, {0.1, 0, 0});
    builder.add_joint(first, {.type = JointType::slide, .axis = {1, 0, 0}});
    builder.add_joint(first, {.type = JointType::hinge, .axis = {0, 1, 1}, .position = {0.1, 0, 0}});
    const BodyId second = add_bar(builder, first, {0.5, 0, 0});
    builder.add_joint(second, {.type = JointType::hinge, .axis = {1, 0, 0}});
    builder.add_joint(second, {.type = JointType::hinge, .axis = {0, 0, 1}, .position = {0, 0.2, 0}});
    builder.add_joint(second, {.type = JointType::hinge, .axis = {0, 1, 0}});
    const BodyId third = add_bar(builder, second, {0.5, 0, 0});
    builder.add_joint(third, {.type = JointType::ball});
    const Model model = builder.build().value();
    const Layout layout(model, true);
    State state(model);
    Random random(5);
    std::vector<double> q(state.q.size());
    for (double& value : q) value = 0.5 * random.uniform(-1, 1);
    std::copy(q.begin(), q.end(), state.q.begin());
    refresh_bodies(model, state.world());
    std::vector<Body> bodies(layout.groups.size());
    load_bodies(layout, state.world(), {0, static_cast<int>(bodies.size())}, bodies);
    for (const Link& link : layout.links)
    {
        LinkState link_state;
        start_link(layout, link, bodies, model.initial_q, 0.01, 100, link_state);
        for (std::size_t c = 0; c < 6; ++c) EXPECT_NEAR(link_state.error[c], 0, 1e-8) << link.child;
        const auto begin = at(model.joints.q_begin[at(layout.joints(link).front())]);
        if (link.child == 3)  // a ball: as a rotation
        {
            double along = 0, length = 0;
            for (std::size_t c = 0; c < 4; ++c)
            {
                along += q[begin + c] * link_state.q[c];
                length += q[begin + c] * q[begin + c];
            }
            EXPECT_NEAR(std::abs(along) / std::sqrt(length), 1, 1e-9);
            continue;
        }
        for (int c = 0; c < link.dof_count; ++c) EXPECT_NEAR(link_state.q[at(c)], q[begin + at(c)], 1e-8);
    }
}

}  // namespace
}  // namespace rattleback::avbd
