// Where a camera is, by its mode: what sensors, renderer and viewer share.
#pragma once

#include "base/index.h"
#include "math/rotation.h"

#include <rattleback/appearance.h>

#include <span>

namespace rattleback
{

/// `reference` is Appearance::camera_reference, `poses` those of the bodies, find_center(body) the centre of mass of a
/// body and all that it carries.
template <class FindCenter>
Pose find_camera_pose(const CameraOptions& camera, const Pose& reference, std::span<const Pose> poses,
                      const FindCenter& find_center)
{
    const auto unit_or = [](const Vec3& a, const Vec3& otherwise)
    {
        const double length = norm(a);
        return length > 1e-12 ? 1 / length * a : otherwise;
    };
    const auto find_point = [&](int body)
    {
        const bool center = camera.mode == FollowMode::track_com || camera.mode == FollowMode::target_body_com;
        return center ? find_center(body) : poses[at(body)].position;
    };
    // What tracks keeps its rotation and its distance to the body.
    if (camera.mode == FollowMode::track || camera.mode == FollowMode::track_com)
        return {find_point(camera.body.index) + reference.position, reference.rotation};
    Pose pose = poses[at(camera.body.index)] * Pose{camera.position, camera.rotation};
    if (camera.mode == FollowMode::fixed || !camera.target.valid()) return pose;
    // What looks has its place on the body, -z towards the target, and x level.
    const Vec3 back = pose.position - find_point(camera.target.index);
    if (!(norm(back) > 1e-12)) return pose;  // it stands where it looks at
    const Vec3 z = unit_or(back, {0, 0, 1}), x = unit_or(cross(Vec3{0, 0, 1}, z), {1, 0, 0});
    const Vec3 y = unit_or(cross(z, x), {0, 1, 0});
    pose.rotation = to_quaternion(Mat3{{x.x, y.x, z.x, x.y, y.y, z.y, x.z, y.z, z.z}});
    return pose;
}

}  // namespace rattleback
