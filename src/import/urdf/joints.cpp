// Adds joints: one of ours for most, several for a planar one and for one that floats in a moving frame.
#include <algorithm>
#include <cmath>

#include "base/index.h"
#include "base/nearest_match.h"
#include "import/urdf/assembly.h"

namespace rattleback::urdf
{

namespace
{

}  // namespace

JointId Assembly::note_joint(const Joint& joint, const JointOptions& options, BodyId body)
{
    blame("joint", options.name, joint.node);
    return builder_.add_joint(body, options);
}

void Assembly::add_joint(const Joint& joint, BodyId body)
{
    if (joint.type == "fixed") return;
    const JointOptions options = read_joint(joint);
    if (joint.type == "floating") return add_floating(joint, options, body);
    if (joint.type == "planar") return add_planar(joint, options, body);
    joint_ids_[joint.name] = note_joint(joint, options, body);
    joint_nodes_[joint.name] = joint.node;
}

JointOptions Assembly::read_joint(const Joint& joint)
{
    JointOptions options{.name = joint.name, .limit_softness = Impedance{}, .dry_friction_softness = Impedance{}};
    options.type = joint.type == "prismatic" ? JointType::slide : JointType::hinge;
    const Node axis = joint.node.child("axis"), dynamics = joint.node.child("dynamics");
    options.axis = axis.vector("xyz", {1, 0, 0});
    if (!(norm(options.axis) > 0))
    {
        if (joint.type != "floating") axis.fail_at("xyz", "the axis of joint '" + joint.name + "' is zero");
        options.axis = {1, 0, 0};
    }
    if (dynamics)
    {
        options.damping = dynamics.has("damping") ? dynamics.positive("damping", 0, true) : 0;
        options.dry_friction = dynamics.has("friction") ? dynamics.positive("friction", 0, true) : 0;
    }
    if (joint.node.child("limit") || joint.type == "revolute" || joint.type == "prismatic") add_limits(joint, options);
    return options;
}

void Assembly::add_limits(const Joint& joint, JointOptions& options)
{
    const Node limit = joint.node.child("limit");
    const bool bounded = joint.type == "revolute" || joint.type == "prismatic";
    if (!limit)
        return joint.node.warn("joint '" + joint.name + "' has no 'limit': nothing bounds it",
                               "type 'continuous' says so");
    const double lower = limit.number("lower", 0), upper = limit.number("upper", 0);
    if (bounded && lower > upper)
        limit.fail_at("lower", "'lower' is above 'upper'");
    else if (bounded && lower == upper)
        limit.warn("'lower' and 'upper' of joint '" + joint.name + "' are equal: nothing bounds it, as in MuJoCo");
    else if (bounded)
        options.range = {true, lower, upper};
    // Of actuators together; zero stands where the author knew none.
    const double effort = limit.has("effort") ? limit.positive("effort", 0, true) : 0;
    const bool one = bounded || joint.type == "continuous";
    if (effort > 0 && one) options.actuator_force_range = {true, -effort, effort};
    if (limit.number("velocity", 0) > 0) ++velocity_limits_;
}

void Assembly::add_planar(const Joint& joint, const JointOptions& options, BodyId body)
{
    // Two directions in the plane, from the coordinate axes that follow the one nearest to the normal.
    const Vec3 normal = (1 / norm(options.axis)) * options.axis;
    int nearest = 0;
    for (int k = 1; k < 3; ++k) nearest = std::abs(normal[k]) > std::abs(normal[nearest]) ? k : nearest;
    Vec3 first;
    first[(nearest + 1) % 3] = 1;
    first = first - dot(first, normal) * normal;
    first = (1 / norm(first)) * first;
    const Vec3 directions[] = {first, cross(normal, first)};
    for (int k = 0; k < 2; ++k)
    {
        JointOptions slide = options;
        slide.name = joint.name + (k == 0 ? "_TX" : "_TY");  // as MuJoCo calls them
        slide.type = JointType::slide;
        slide.axis = directions[k];
        note_joint(joint, slide, body);
    }
    JointOptions turn = options;
    turn.name = joint.name + "_RZ";
    turn.type = JointType::hinge;
    note_joint(joint, turn, body);
}

void Assembly::add_floating(const Joint& joint, JointOptions options, BodyId body)
{
    // Below the world, or what is fixed to it, it is a free joint of a child of the world.
    Pose pose = read_origin(joint.node);
    int link = joint.parent;
    while (robot_.links[at(link)].joint >= 0 && robot_.joints[at(robot_.links[at(link)].joint)].type == "fixed")
    {
        const Joint& above = robot_.joints[at(robot_.links[at(link)].joint)];
        pose = read_origin(above.node) * pose;
        link = above.parent;
    }
    const bool at_rest =
        robot_.links[at(link)].joint < 0 && (options_.base == RobotBase::fixed || body_of(link) == kWorld);
    options.range = options.actuator_force_range = {};
    if (at_rest)
    {
        BodyOptions& own = authored_.bodies[at(body.index)];
        own.parent = kWorld;
        own.position = pose.position;
        own.rotation = pose.rotation;
        options.type = JointType::free;
        note_joint(joint, options, body);
        return;
    }
    for (int k = 0; k < 3; ++k)
    {
        JointOptions slide = options;
        slide.name = joint.name + "_T" + "XYZ"[k];
        slide.type = JointType::slide;
        slide.axis = {};
        slide.axis[k] = 1;
        note_joint(joint, slide, body);
    }
    options.type = JointType::ball;
    note_joint(joint, options, body);
}

}  // namespace rattleback::urdf
