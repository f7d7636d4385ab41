// Compiles bodies, joints, degrees of freedom and their coordinates.
#include "build/compile.h"

#include <algorithm>

#include "math/rotation.h"

namespace rattleback
{

namespace
{

/// Bodies by depth below the world, in increasing order within a level.
void compile_levels(Model& model)
{
    const std::size_t count = model.bodies.parent.size();
    std::vector<int> depth(count, 0);
    for (std::size_t body = 1; body < count; ++body) depth[body] = depth[at(model.bodies.parent[body])] + 1;
    const int levels = *std::max_element(depth.begin(), depth.end()) + 1;
    model.level_begin.assign(at(levels) + 1, 0);
    for (const int level : depth) ++model.level_begin[at(level) + 1];
    for (std::size_t level = 0; level < at(levels); ++level) model.level_begin[level + 1] += model.level_begin[level];
    model.level_bodies.resize(count);
    std::vector<int> next(model.level_begin.begin(), model.level_begin.end() - 1);
    for (std::size_t body = 0; body < count; ++body)
        model.level_bodies[at(next[at(depth[body])]++)] = static_cast<int>(body);
}

/// Where each body's own dofs stand, and what moves it.
void compile_motion(const Authored& authored, const Layout& layout, Bodies& bodies)
{
    const std::size_t count = bodies.parent.size();
    bodies.v_begin.assign(count, 0);
    bodies.v_count.assign(count, 0);
    bodies.last_dof.assign(count, -1);
    bodies.root.assign(count, 0);
    bodies.weld.assign(count, 0);
    int next = 0;
    for (std::size_t body = 1; body < count; ++body)
    {
        int dofs = 0;
        for (const int joint : layout.joints(static_cast<int>(body)))
            dofs += v_count(joint_options(authored, joint).type);
        const std::size_t parent = at(bodies.parent[body]);
        bodies.v_begin[body] = next;
        bodies.v_count[body] = dofs;
        next += dofs;
        bodies.last_dof[body] = dofs > 0 ? next - 1 : bodies.last_dof[parent];
        const bool first = bodies.last_dof[parent] < 0;
        bodies.root[body] = !first ? bodies.root[parent] : dofs > 0 ? static_cast<int>(body) : 0;
        const bool welded = dofs == 0 && bodies.kind[body] != BodyKind::kinematic;
        bodies.weld[body] = welded ? bodies.weld[parent] : static_cast<int>(body);
    }
}

void append(Joints& joints, std::string name, int body, const JointOptions& options)
{
    const bool has_axis = options.type == JointType::hinge || options.type == JointType::slide;
    joints.name.push_back(std::move(name));
    joints.type.push_back(options.type);
    joints.body.push_back(body);
    joints.position.push_back(options.position);
    joints.axis.push_back(has_axis ? make_unit(options.axis) : Vec3{0, 0, 1});
    joints.range.push_back(options.range);
    joints.margin.push_back(options.margin);
    joints.limit_softness.push_back(options.limit_softness);
    joints.stiffness.push_back(options.stiffness);
    joints.actuator_force_range.push_back(options.actuator_force_range);
    joints.gravity_compensation_by_actuator.push_back(options.gravity_compensation_by_actuator);
    joints.break_force.push_back(options.break_force);
    joints.break_torque.push_back(options.break_torque);
}

/// Row i of M's lower triangle: the row of its parent, then i.
void compile_rows(Dofs& dofs)
{
    const std::size_t count = dofs.parent.size();
    dofs.row_begin.assign(count + 1, 0);
    for (std::size_t i = 0; i < count; ++i)
    {
        const int parent = dofs.parent[i];
        const int above = parent < 0 ? 0 : dofs.row_begin[at(parent) + 1] - dofs.row_begin[at(parent)];
        dofs.row_begin[i + 1] = dofs.row_begin[i] + above + 1;
    }
    dofs.row_column.resize(at(dofs.row_begin.back()));
    for (std::size_t i = 0; i < count; ++i)
    {
        auto out = dofs.row_column.begin() + dofs.row_begin[i];
        if (const int parent = dofs.parent[i]; parent >= 0)
        {
            const auto begin = dofs.row_column.begin();
            out = std::copy(begin + dofs.row_begin[at(parent)], begin + dofs.row_begin[at(parent) + 1], out);
        }
        *out = static_cast<int>(i);
    }
}

void write_quaternion(const Quat& rotation, double* q)
{
    q[0] = rotation.w;
    q[1] = rotation.x;
    q[2] = rotation.y;
    q[3] = rotation.z;
}

void write_pose(const Pose& pose, double* q)
{
    for (int i = 0; i < 3; ++i) q[i] = pose.position[i];
    write_quaternion(pose.rotation, q + 3);
}

}  // namespace

void compile_bodies(const Authored& authored, const Names& names, const Layout& layout,
                    const std::vector<BodyMass>& masses, Model& model)
{
    Bodies& bodies = model.bodies;
    const std::size_t count = authored.bodies.size();
    bodies.name = names.bodies;
    bodies.joint_begin = layout.joint_begin;
    bodies.joints_of_body = layout.joints_of_body;
    bodies.track.assign(count, -1);
    bodies.inverse_weight.assign(count, {0, 0});
    for (std::size_t body = 0; body < count; ++body)
    {
        const BodyOptions& options = authored.bodies[body];
        bodies.parent.push_back(options.parent.index);
        bodies.kind.push_back(options.kind);
        bodies.pose.push_back(make_pose(options.position, options.rotation));
        bodies.mass.push_back(masses[body].mass);
        bodies.inertia.push_back(masses[body].inertia);
        bodies.inertial_pose.push_back(masses[body].inertial_pose);
        bodies.gravity_compensation.push_back(options.gravity_compensation);
        bodies.kinematic_index.push_back(options.kind == BodyKind::kinematic ? model.kinematic_count++ : -1);
    }
    bodies.subtree_mass = bodies.mass;
    for (std::size_t body = count - 1; body > 0; --body)
        bodies.subtree_mass[at(bodies.parent[body])] += bodies.subtree_mass[body];
    compile_motion(authored, layout, bodies);
    compile_levels(model);
}

void compile_joints(const Authored& authored, const Names& names, const Layout& layout, Model& model)
{
    Joints& joints = model.joints;
    const std::vector<std::string> free_names = make_free_joint_names(names, layout.free_bodies);
    for (std::size_t i = 0; i < authored.joints.size(); ++i)
        append(joints, names.joints[i], authored.joints[i].body.index, authored.joints[i].options);
    const JointOptions free{.type = JointType::free};
    for (std::size_t i = 0; i < free_names.size(); ++i) append(joints, free_names[i], layout.free_bodies[i], free);

    // As in MuJoCo, coordinates follow the bodies, not the order in which joints were added.
    joints.q_begin.assign(joints.type.size(), 0);
    joints.v_begin.assign(joints.type.size(), 0);
    int q = 0, v = 0;
    for (const int joint : layout.joints_of_body)
    {
        joints.q_begin[at(joint)] = q;
        joints.v_begin[at(joint)] = v;
        q += q_count(joints.type[at(joint)]);
        v += v_count(joints.type[at(joint)]);
    }
}

void compile_dofs(const Authored& authored, const Layout& layout, Model& model)
{
    Dofs& dofs = model.dofs;
    const Bodies& bodies = model.bodies;
    dofs.dry_friction_softness.reserve(at(layout.v_count));  // by far the largest of these lists
    for (const int joint : layout.joints_of_body)
    {
        const JointOptions& options = joint_options(authored, joint);
        const int body = model.joints.body[at(joint)];
        for (int k = 0; k < v_count(options.type); ++k)
        {
            const int dof = static_cast<int>(dofs.body.size());
            const bool first = dof == bodies.v_begin[at(body)];
            dofs.body.push_back(body);
            dofs.joint.push_back(joint);
            dofs.parent.push_back(first ? bodies.last_dof[at(bodies.parent[at(body)])] : dof - 1);
            dofs.armature.push_back(options.armature);
            dofs.damping.push_back(options.damping);
            dofs.dry_friction.push_back(options.dry_friction);
            dofs.dry_friction_softness.push_back(options.dry_friction_softness);
        }
    }
    dofs.inertia.assign(dofs.body.size(), 0);
    dofs.inverse_weight.assign(dofs.body.size(), 0);
    compile_rows(dofs);
}

void compile_coordinates(const Authored& authored, const Layout& layout, Model& model)
{
    model.q0.assign(at(layout.q_count), 0);
    model.initial_v.assign(at(layout.v_count), 0);
    for (const int joint : layout.joints_of_body)
    {
        const JointType type = model.joints.type[at(joint)];
        double* q0 = model.q0.data() + model.joints.q_begin[at(joint)];
        if (type == JointType::free) write_pose(model.bodies.pose[at(model.joints.body[at(joint)])], q0);
        if (type == JointType::ball) write_quaternion(Quat{}, q0);
        if (type == JointType::hinge || type == JointType::slide) *q0 = joint_options(authored, joint).reference;
    }
    model.initial_q = model.q0;
    model.spring_q = model.q0;
    for (const int joint : layout.joints_of_body)
    {
        const JointOptions& options = joint_options(authored, joint);
        double* v = model.initial_v.data() + model.joints.v_begin[at(joint)];
        if (options.type == JointType::free)
        {
            const BodyOptions& body = authored.bodies[at(model.joints.body[at(joint)])];
            const Vec3 turn = rotate(conjugate(normalized(body.rotation)), body.angular_velocity);
            for (int i = 0; i < 3; ++i) v[i] = body.linear_velocity[i];
            for (int i = 0; i < 3; ++i) v[3 + i] = turn[i];
        }
        if (options.type != JointType::hinge && options.type != JointType::slide) continue;
        const std::size_t q = at(model.joints.q_begin[at(joint)]);
        model.initial_q[q] = options.initial_position.value_or(options.reference);
        model.spring_q[q] = options.spring_reference;
        *v = options.initial_velocity;
    }
}

std::vector<Pose> find_reference_poses(const Model& model)
{
    std::vector<Pose> poses(model.bodies.pose.size());
    for (std::size_t body = 1; body < poses.size(); ++body)
    {
        const Pose pose = poses[at(model.bodies.parent[body])] * model.bodies.pose[body];
        poses[body] = make_pose(pose.position, pose.rotation);
    }
    return poses;
}

}  // namespace rattleback
