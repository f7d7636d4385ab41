// Compiles bodies, joints, degrees of freedom and their coordinates.
#include "build/build.h"
#include "build/compile.h"

#include <algorithm>

#include "math/rotation.h"
#include "model/fields/tree_fields.h"
#include "model/tree.h"

namespace rattleback
{

namespace
{

void append(Joints& joints, std::string name, int body, const JointOptions& options)
{
    // Plain fields go by the table of joint fields; the axis is made a unit vector, and z where there is none.
    const bool has_axis = options.type == JointType::hinge || options.type == JointType::slide;
    joints.name.push_back(std::move(name));
    joints.body.push_back(body);
    append_fields<JointRows>(options, joints);
    joints.axis.back() = has_axis ? make_unit(options.axis) : Vec3{0, 0, 1};
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
        append_fields<BodyRows>(options, bodies);
        bodies.pose.push_back(make_pose(options.position, options.rotation));
        bodies.mass.push_back(masses[body].mass);
        bodies.inertia.push_back(masses[body].inertia);
        bodies.inertial_pose.push_back(masses[body].inertial_pose);
        bodies.kinematic_index.push_back(options.kind == BodyKind::kinematic ? model.kinematic_count++ : -1);
    }
    // Children come after their parents: one walk backwards adds up whole subtrees.
    bodies.subtree_mass = bodies.mass;
    for (std::size_t body = count - 1; body > 0; --body)
        bodies.subtree_mass[at(bodies.parent[body])] += bodies.subtree_mass[body];
}

void compile_joints(const Authored& authored, const Names& names, const Layout& layout, Model& model)
{
    Joints& joints = model.joints;
    const std::vector<std::string> free_names = make_free_joint_names(names, layout.free_bodies);
    for (std::size_t i = 0; i < authored.joints.size(); ++i)
        append(joints, names.joints[i], authored.joints[i].body.index, authored.joints[i].options);
    // Free joints that nobody wrote down, with the defaults of a joint.
    const JointOptions free{.type = JointType::free};
    for (std::size_t i = 0; i < free_names.size(); ++i) append(joints, free_names[i], layout.free_bodies[i], free);
    derive_tree(model);
}

void compile_dofs(const Authored& authored, Model& model)
{
    Dofs& dofs = model.dofs;
    // Damping, armature and dry friction of a joint, for each of its dofs.
    reserve_fields<JointRows>(dofs.joint.size(), dofs);
    for (const int joint : dofs.joint) append_fields<JointRows>(joint_options(authored, joint), dofs);
    dofs.inertia.assign(dofs.body.size(), 0);
    dofs.inverse_weight.assign(dofs.body.size(), 0);
}

std::vector<double> find_q0(const Authored& authored)
{
    const Layout layout = find_layout(authored);
    std::vector<double> q0(at(layout.q_count), 0);
    // Coordinates of the authored poses: free joints stand where their body was put, balls are not turned, hinges and
    // slides are at their reference.
    double* q = q0.data();
    for (std::size_t body = 1; body < authored.bodies.size(); ++body)
    {
        for (const int joint : layout.joints(static_cast<int>(body)))
        {
            const JointOptions& options = joint_options(authored, joint);
            const BodyOptions& on = authored.bodies[body];
            if (options.type == JointType::free) write_pose(make_pose(on.position, on.rotation), q);
            if (options.type == JointType::ball) write_quaternion(Quat{}, q);
            if (options.type == JointType::hinge || options.type == JointType::slide) *q = options.reference;
            q += q_count(options.type);
        }
    }
    return q0;
}

void compile_coordinates(const Authored& authored, const Layout& layout, Model& model)
{
    // q0 is where constants are taken, initial_q where a simulation begins, spring_q where springs rest.
    model.q0 = find_q0(authored);
    model.initial_v.assign(at(layout.v_count), 0);
    model.initial_q = model.q0;
    model.spring_q = model.q0;
    for (const int joint : layout.joints_of_body)
    {
        const JointOptions& options = joint_options(authored, joint);
        double* v = model.initial_v.data() + model.joints.v_begin[at(joint)];
        if (options.type == JointType::free)
        {
            const BodyOptions& body = authored.bodies[at(model.joints.body[at(joint)])];
            // Authored in world axes; v of a free joint has angular velocity in the body's own.
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
    for (std::size_t i = 0; i < authored.joints.size(); ++i)
    {
        // Files may give coordinates of free and ball joints as such.
        const AuthoredJoint& joint = authored.joints[i];
        std::copy(joint.start_q.begin(), joint.start_q.end(), model.initial_q.begin() + model.joints.q_begin[i]);
        std::copy(joint.start_v.begin(), joint.start_v.end(), model.initial_v.begin() + model.joints.v_begin[i]);
    }
}

std::vector<Pose> find_reference_poses(const Model& model)
{
    // Parents first; rotations are normalised at every body, so that errors do not add up along a chain.
    std::vector<Pose> poses(model.bodies.pose.size());
    for (std::size_t body = 1; body < poses.size(); ++body)
    {
        const Pose pose = poses[at(model.bodies.parent[body])] * model.bodies.pose[body];
        poses[body] = make_pose(pose.position, pose.rotation);
    }
    return poses;
}

}  // namespace rattleback
