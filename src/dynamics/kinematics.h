// Forward kinematics, parents first: from q to poses, joint axes as motions, and inertias about each tree's reference
// point.
#pragma once

#include "dynamics/joint_frame.h"
#include "dynamics/workspace.h"

namespace rattleback
{

/// Motions of the body's dofs about `reference`: the columns of its motion subspace S (Featherstone 2008, ch. 3.5).
template <class T>
RB_HD void compute_dofs(const TreeBody& body, const Vector3<T>& reference, WorkspaceView<T>& w)
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

/// q -> position, rotation, matrix, center, anchor, axis. Quaternions of q are normalised on use.
template <class T>
RB_HD void compute_poses(WorkspaceView<T>& w)
{
    // the turns of all hinges do not depend on each other: out of the chain of frames, the compiler may vectorise them
    const TreeJoint* joints = w.tree->joints.data();
    for (const int j : w.tree->hinges) w.turned[j] = hinge_turn(joints[j], w.q[joints[j].q]);
    for (const TreeBody& body : w.tree->bodies)
    {
        const int p = body.parent;
        JointFrame<T> frame{};
        frame.position = w.position[p] + w.matrix[p] * broadcast<T>(body.pose.position);
        frame.rotation = body.rotated ? w.rotation[p] * broadcast<T>(body.pose.rotation) : w.rotation[p];
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
        w.center[b] = frame.position + w.matrix[b] * broadcast<T>(body.center);
    }
}

/// Poses -> dof, inertia: the axes of all joints as spatial motions S_i, and the inertias I_i, all about the reference
/// point of the tree.
template <class T>
RB_HD void compute_dof_motions(WorkspaceView<T>& w)
{
    for (const TreeBody& body : w.tree->bodies)
    {
        const int b = body.body;
        const Vector3<T>& reference = w.center[body.root];
        compute_dofs(body, reference, w);
        const Vector3<T> offset = w.center[b] - reference;
        if (body.axes_rotated)
        {
            w.inertia[b] = make_spatial_inertia(w.mass[b], w.moments[b], w.matrix[b] * broadcast<T>(body.axes), offset);
        }
        else
        {
            w.inertia[b] = make_spatial_inertia(w.mass[b], w.moments[b], w.matrix[b], offset);
        }
    }
}

#if !defined(__CUDACC__)  // compiled once, in kinematics.cpp
extern template void compute_poses(WorkspaceView<double>&);
extern template void compute_poses(WorkspaceView<Pack4>&);
extern template void compute_poses(WorkspaceView<DualPack>&);
extern template void compute_dof_motions(WorkspaceView<double>&);
extern template void compute_dof_motions(WorkspaceView<Pack4>&);
extern template void compute_dof_motions(WorkspaceView<DualPack>&);
#endif

}  // namespace rattleback
