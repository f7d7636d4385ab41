// Forward kinematics, parents first.
#include "dynamics/kinematics.h"

#include "dynamics/joint_frame.h"

namespace rattleback
{

namespace
{

/// Motions of the body's dofs about `reference`.
template <class T>
void compute_dofs(const TreeBody& body, const Vector3<T>& reference, Workspace<T>& w)
{
    for (int j = body.joint_begin; j < body.joint_end; ++j)
    {
        const TreeJoint& joint = w.tree->joints[j];
        Motion<T>* dof = &w.dof[joint.v];
        if (joint.type == JointType::slide)
        {
            dof[0] = {{}, w.axis[j]};
            continue;
        }
        const Vector3<T> arm = reference - w.anchor[j];
        if (joint.type == JointType::hinge)
        {
            dof[0] = {w.axis[j], cross(w.axis[j], arm)};
            continue;
        }
        if (joint.type == JointType::free)
        {
            for (int k = 0; k < 3; ++k)
            {
                dof[k] = {};
                dof[k].linear[k] = T(1.0);
            }
            dof += 3;
        }
        for (int k = 0; k < 3; ++k)
        {
            const Vector3<T> column = w.matrix[body.body].column(k);
            dof[k] = {column, cross(column, arm)};
        }
    }
}

}  // namespace

template <class T>
void compute_poses(Workspace<T>& w)
{
    // the turns of all hinges do not depend on each other: out of the chain of frames, the compiler may vectorise them
    const TreeJoint* joints = w.tree->joints.data();
    for (const int j : w.tree->hinges) w.turned[j] = hinge_turn(joints[j], w.q[joints[j].q]);
    for (const TreeBody& body : w.tree->bodies)
    {
        const int p = body.parent;
        JointFrame<T> frame{};
        frame.position = w.position[p] + w.matrix[p] * body.pose.position;
        frame.rotation = body.rotated ? w.rotation[p] * body.pose.rotation : w.rotation[p];
        for (int j = body.joint_begin; j < body.joint_end; ++j)
        {
            apply_joint(w.tree->joints[j], w.q.data(), w.turned[j], frame);
            w.anchor[j] = frame.anchor;
            w.axis[j] = frame.axis;
        }

        const int b = body.body;
        w.position[b] = frame.position;
        w.rotation[b] = frame.rotation;
        w.matrix[b] = to_matrix(frame.rotation);
        w.center[b] = frame.position + w.matrix[b] * body.center;
    }
}

template <class T>
void compute_dof_motions(Workspace<T>& w)
{
    for (const TreeBody& body : w.tree->bodies)
    {
        const int b = body.body;
        const Vector3<T>& reference = w.center[body.root];
        compute_dofs(body, reference, w);
        const Vector3<T> offset = w.center[b] - reference;
        if (body.axes_rotated)
        {
            w.inertia[b] = make_spatial_inertia(w.mass[b], w.moments[b], w.matrix[b] * body.axes, offset);
        }
        else
        {
            w.inertia[b] = make_spatial_inertia(w.mass[b], w.moments[b], w.matrix[b], offset);
        }
    }
}

template void compute_poses(Workspace<double>&);
template void compute_poses(Workspace<Pack4>&);
template void compute_poses(Workspace<DualPack>&);
template void compute_dof_motions(Workspace<double>&);
template void compute_dof_motions(Workspace<Pack4>&);
template void compute_dof_motions(Workspace<DualPack>&);

}  // namespace rattleback
