// Kinematic bodies, and what they carry, placed in the lanes of a workspace, for any scalar.
#pragma once

#include "dynamics/integrate.h"

namespace rattleback
{

// A step's bases differ from world to world: one lane at a time.
template <class T>
void set_lane_pose(WorkspaceView<T>& w, int lane, int body, const Pose& pose)
{
    // Matrix and centre follow from the pose: workspaces keep all three.
    const Mat3 matrix = to_matrix(pose.rotation);
    const Vec3 center = center_of(*w.tree->model, body, pose);
    for (int k = 0; k < 3; ++k)
    {
        set_lane(w.position[body][k], lane, pose.position[k]);
        set_lane(w.center[body][k], lane, center[k]);
    }
    set_lane(w.rotation[body].w, lane, pose.rotation.w);
    set_lane(w.rotation[body].x, lane, pose.rotation.x);
    set_lane(w.rotation[body].y, lane, pose.rotation.y);
    set_lane(w.rotation[body].z, lane, pose.rotation.z);
    for (int k = 0; k < 9; ++k) set_lane(w.matrix[body].m[k], lane, matrix.m[k]);
}

template <class T>
Pose lane_pose(const WorkspaceView<T>& w, int lane_index, int body)
{
    const auto& x = w.position[body];
    const auto& r = w.rotation[body];
    return {{lane(x.x, lane_index), lane(x.y, lane_index), lane(x.z, lane_index)},
            {lane(r.w, lane_index), lane(r.x, lane_index), lane(r.y, lane_index), lane(r.z, lane_index)}};
}

template <class T>
void place_kinematic_bodies(WorkspaceView<T>& w, int lane, std::span<const KinematicMotion> motions, double fraction,
                            double dt)
{
    const TreeView& tree = *w.tree;
    // Acceleration is the change of velocity over the step, the same at all stages.
    for (std::size_t i = 0; i < motions.size(); ++i)
    {
        const int b = tree.kinematic_bodies[i];
        const KinematicMotion& motion = motions[i];
        // Pose and velocity at the stage's time; velocity grows linearly from the last step's to the mean of this one.
        set_lane_pose(w, lane, b, interpolate(motion, fraction));
        const Vec3 linear = motion.end_velocity.linear - motion.begin_velocity.linear;
        const Vec3 angular = motion.end_velocity.angular - motion.begin_velocity.angular;
        for (int k = 0; k < 3; ++k)
        {
            set_lane(w.base_velocity[b].linear[k], lane, motion.begin_velocity.linear[k] + fraction * linear[k]);
            set_lane(w.base_velocity[b].angular[k], lane, motion.begin_velocity.angular[k] + fraction * angular[k]);
            // Constant over the step: what dv / dt is for a velocity linear in time.
            set_lane(w.base_acceleration[b].linear[k], lane, linear[k] / dt);
            set_lane(w.base_acceleration[b].angular[k], lane, angular[k] / dt);
        }
    }
    // Parents before children: what is fixed on a kinematic body follows it.
    for (const int b : tree.fixed_on_base)
    {
        set_lane_pose(w, lane, b, lane_pose(w, lane, tree.model->bodies.parent[b]) * tree.model->bodies.pose[b]);
    }
}

}  // namespace rattleback
