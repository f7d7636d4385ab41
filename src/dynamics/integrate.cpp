// Coordinates moving along velocities, and bodies that follow tracks.
#include "dynamics/integrate.h"

#include "dynamics/place_kinematic.h"

#include <algorithm>

namespace rattleback
{

namespace
{

// Kinematic bodies are moved by their track or target and not by forces; what they carry feels them as a base that
// moves. Velocity within a step is linear in time, so that its mean is what the poses say.

Pose mix(const Pose& a, const Pose& b, double fraction)
{
    // Along the geodesic: the rotation vector between both poses, taken in part.
    const Vec3 turned = fraction * logarithm(conjugate(a.rotation) * b.rotation);
    return {a.position + fraction * (b.position - a.position), normalized(a.rotation * exponential(turned))};
}

}  // namespace

Vec3 center_of(const Model& model, int body, const Pose& pose)
{
    // Position of the centre of mass in the world.
    return pose.position + rotate(pose.rotation, model.bodies.inertial_pose[body].position);
}

Pose track_pose(const Track& track, double time)
{
    // Before the first and after the last key the track stands still.
    const auto next = std::upper_bound(track.times.begin(), track.times.end(), time);
    if (next == track.times.begin()) return track.poses.front();
    // The key before is at i - 1.
    if (next == track.times.end()) return track.poses.back();
    const auto i = static_cast<std::size_t>(next - track.times.begin());
    const double fraction = (time - track.times[i - 1]) / (track.times[i] - track.times[i - 1]);
    return mix(track.poses[i - 1], track.poses[i], fraction);
}

KinematicMotion find_kinematic_motion(const Model& model, int body, const ConstWorldView& world,
                                      const ControlView& control, double time, double dt)
{
    KinematicMotion motion;
    const int track = model.bodies.track[body];
    motion.begin = world.body_pose[body];
    motion.begin_velocity = world.body_velocity[body];
    // Tracks are functions of time, targets inputs of the caller; either way only the end of the step matters.
    if (track >= 0)
    {
        motion.end = track_pose(model.tracks[track], time + dt);
    }
    else
    {
        motion.end = control.target[model.bodies.kinematic_index[body]];
        // Targets come from the caller: any length.
        motion.end.rotation = normalized(motion.end.rotation);
    }
    // The mean velocity over the step, which is what carries the body from begin to end.
    const Vec3 moved = center_of(model, body, motion.end) - center_of(model, body, motion.begin);
    // Rotation vector in world axes, from begin to end.
    const Vec3 turned = logarithm(motion.end.rotation * conjugate(motion.begin.rotation));
    motion.end_velocity = {(1 / dt) * moved, (1 / dt) * turned};
    return motion;
}

Pose interpolate(const KinematicMotion& motion, double fraction)
{
    // Both ends exactly: no rounding at whole steps.
    if (fraction <= 0) return motion.begin;
    if (fraction >= 1) return motion.end;
    return mix(motion.begin, motion.end, fraction);
}

template void advance_positions(const TreeView&, std::span<const double>, double, std::span<double>);
template void advance_positions(const TreeView&, std::span<const Pack4>, double, std::span<Pack4>);
template void displace_positions(const TreeView&, std::span<const double>, std::span<const double>, std::span<double>);
template void displace_positions(const TreeView&, std::span<const Pack4>, std::span<const Pack4>, std::span<Pack4>);
template void advance_activations(WorkspaceView<double>&, double);
template void advance_activations(WorkspaceView<Pack4>&, double);
template void place_kinematic_bodies(WorkspaceView<double>&, int, std::span<const KinematicMotion>, double, double);
template void place_kinematic_bodies(WorkspaceView<Pack4>&, int, std::span<const KinematicMotion>, double, double);
template void place_kinematic_bodies(WorkspaceView<Pack8>&, int, std::span<const KinematicMotion>, double, double);

}  // namespace rattleback
