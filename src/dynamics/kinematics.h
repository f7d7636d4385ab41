// Forward kinematics, parents first: from q to poses, joint axes as motions, and inertias about each tree's reference
// point.
#pragma once

#include "base/flatten.h"
#include "dynamics/hinge_turns.h"
#include "dynamics/workspace.h"

namespace rattleback
{

// Poses parents first, then every axis and inertia moved to the tree's reference point: what follows (bias, mass
// matrix, Jacobians) adds spatial vectors without transforming any.

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
            // Translation along the axis: the same velocity at every point.
            dof[0] = {{}, w.axis[j]};
            continue;
        }
        // Rotation about the anchor: the velocity of the tree's reference point is axis x arm.
        const Vector3<T> arm = reference - w.anchor[j];
        if (joint.type == JointType::hinge)
        {
            // Plücker coordinates of a line: direction, and moment about the reference.
            dof[0] = {w.axis[j], cross(w.axis[j], arm)};
            continue;
        }
        if (joint.type == JointType::free)
        {
            for (int k = 0; k < 3; ++k)
            {
                // World axes: translations of a free joint do not turn with it.
                dof[k] = {};
                dof[k].linear[k] = T(1.0);
            }
            dof += 3;
        }
        for (int k = 0; k < 3; ++k)
        {
            // Ball and free joints turn about the body's own axes, the columns of its rotation.
            const Vector3<T> column = w.matrix[body.body].column(k);
            dof[k] = {column, cross(column, arm)};
        }
    }
}

/// q -> position, rotation, matrix, center, anchor, axis. Quaternions of q are normalised on use.
template <class T>
RB_FLATTEN RB_HD void compute_poses(WorkspaceView<T>& w)
{
    // The turns of all hinges do not depend on each other: out of the chain of frames.
    turn_hinges<T>(*w.tree, w.q.data(), w.turned.data());
    for (const TreeBody& body : w.tree->bodies)
    {
        // The parent's pose is final: bodies stand behind their parents.
        const int p = body.parent;
        JointFrame<T> frame{};
        // Where the body would be without joints, then joint after joint.
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
RB_FLATTEN RB_HD void compute_dof_motions(WorkspaceView<T>& w)
{
    for (const TreeBody& body : w.tree->bodies)
    {
        const int b = body.body;
        // One reference point per tree, and near it: inertias and motions then add without transforms and without
        // losing digits far from the origin.
        const Vector3<T>& reference = w.center[body.root];
        compute_dofs(body, reference, w);
        const Vector3<T> offset = w.center[b] - reference;
        // Principal axes that coincide with the body's axes save a product of matrices.
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
