// Moving along a velocity: joint coordinates on their manifold, activations, kinematic bodies.
#pragma once

#include "dynamics/workspace.h"

namespace rattleback
{

/// q <- q (+) dt * v: quaternions turn by the exponential of the body rate and stay unit vectors.
template <class T>
void advance_positions(const Tree& tree, std::span<const T> v, double dt, std::span<T> q);

/// q = start (+) displacement, with rotation vectors in body axes for balls and free joints.
template <class T>
void displace_positions(const Tree& tree, std::span<const T> start, std::span<const T> displacement, std::span<T> q);

/// act <- act after dt at w.act_rate.
template <class T>
void advance_activations(Workspace<T>& w, double dt);

/// Where a track is at `time` [s].
Pose track_pose(const Track& track, double time);

/// Motion of one kinematic body over a step: from its pose and velocity in `world` to the track or target at the end.
struct KinematicMotion
{
    Pose begin, end;
    Velocity begin_velocity;  ///< at the centre of mass
    Velocity end_velocity;    ///< mean over the step
};
KinematicMotion find_kinematic_motion(const Model& model, int body, const ConstWorldView& world,
                                      const ControlView& control, double time, double dt);

/// Pose at a fraction of the motion.
Pose interpolate(const KinematicMotion& motion, double fraction);

/// Places kinematic bodies (and what is fixed on them) of one lane at `fraction` of their motion; base velocity and
/// acceleration likewise. `motions` in the order of Tree::kinematic_bodies.
template <class T>
void place_kinematic_bodies(Workspace<T>& w, int lane, std::span<const KinematicMotion> motions, double fraction,
                            double dt);

}  // namespace rattleback
