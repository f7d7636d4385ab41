// The modes of cameras and lights, and lenses.
#include "lab/render/model_camera.h"

#include "base/index.h"
#include "math/elementary.h"
#include "math/rotation.h"
#include "model/camera_pose.h"

#include <algorithm>

namespace rattleback::lab
{

namespace
{

Vec3 unit_or(const Vec3& a, const Vec3& otherwise)
{
    const double length = norm(a);
    return length > 1e-12 ? 1 / length * a : otherwise;
}

bool is_tracking(FollowMode mode) { return mode == FollowMode::track || mode == FollowMode::track_com; }
bool is_looking(FollowMode mode) { return mode == FollowMode::target_body || mode == FollowMode::target_body_com; }

/// What a tracking camera or light keeps its distance to, or what a looking one looks at.
Vec3 find_point(const RecordedModel& model, FollowMode mode, int body, std::span<const Pose> poses)
{
    const bool center = mode == FollowMode::track_com || mode == FollowMode::target_body_com;
    return center ? find_subtree_center(model, body, poses) : poses[at(body)].position;
}

Vec3 to_vector(const std::array<double, 3>& a) { return {a[0], a[1], a[2]}; }

}  // namespace

Vec3 find_subtree_center(const RecordedModel& model, int body, std::span<const Pose> poses)
{
    Vec3 sum;
    double mass = 0;
    std::vector<char> inside(model.bodies.size(), 0);
    for (std::size_t i = at(body); i < model.bodies.size(); ++i)
    {
        const RecordedBody& part = model.bodies[i];
        inside[i] = i == at(body) || (part.parent >= 0 && inside[at(part.parent)]) ? 1 : 0;
        if (!inside[i]) continue;
        sum += part.mass * (poses[i].position + rotate(poses[i].rotation, part.center));
        mass += part.mass;
    }
    return mass > 0 ? 1 / mass * sum : poses[at(body)].position;
}

Pose find_camera_pose(const RecordedModel& model, int camera, std::span<const Pose> poses)
{
    return rattleback::find_camera_pose(model.appearance.cameras[at(camera)],
                                        model.appearance.camera_reference[at(camera)], poses,
                                        [&](int body) { return find_subtree_center(model, body, poses); });
}

Camera make_model_camera(const RecordedModel& model, int camera, std::span<const Pose> poses, int width, int height,
                         double extent)
{
    constexpr double kFarAway = 1000;  // in heights of an orthographic picture
    const CameraOptions& options = model.appearance.cameras[at(camera)];
    const Pose pose = find_camera_pose(model, camera, poses);
    Camera made{.eye = pose.position,
                .right = rotate(pose.rotation, Vec3{1, 0, 0}),
                .up = rotate(pose.rotation, Vec3{0, 1, 0}),
                .forward = rotate(pose.rotation, Vec3{0, 0, -1}),
                .width = width,
                .height = height,
                .near = 0.005 * extent};
    if (options.orthographic)
    {
        const double distance = kFarAway * options.field_of_view;
        made.eye -= distance * made.forward;
        made.setback = distance;
        made.near = 0.5 * distance;
        made.focal = height * kFarAway;
        return made;
    }
    double sine = 0, cosine = 1;
    sincos(0.5 * options.field_of_view * kDegree, sine, cosine);
    made.focal = 0.5 * height * cosine / sine;
    const auto& [sensor_x, sensor_y] = options.sensor_size;
    if (!(sensor_x > 0 && sensor_y > 0 && options.focal[0] > 0 && options.focal[1] > 0)) return made;
    // The sensor fills the picture, whatever its proportions. MuJoCo takes the principal point off the axis: positive
    // values show more to the right and less above.
    const double pixels_x = width / sensor_x, pixels_y = height / sensor_y;
    made.focal = options.focal[1] * pixels_y;
    made.stretch = options.focal[0] * pixels_x / made.focal;
    made.shift_x = -options.principal[0] * pixels_x;
    made.shift_y = -options.principal[1] * pixels_y;
    return made;
}

std::vector<PlacedLight> place_lights(const RecordedModel& model, std::span<const Pose> poses, const Camera& camera)
{
    const Appearance& appearance = model.appearance;
    std::vector<PlacedLight> placed;
    const auto shines = [](const LightOptions& light) { return light.active; };
    if (!appearance.headlight && std::none_of(appearance.lights.begin(), appearance.lights.end(), shines))
        return placed;
    const HeadlightOptions head = appearance.headlight.value_or(HeadlightOptions{});
    if (head.active)
        placed.push_back({.position = camera.eye,
                          .direction = camera.forward,
                          .ambient = to_vector(head.ambient),
                          .diffuse = to_vector(head.diffuse),
                          .specular = to_vector(head.specular)});
    for (std::size_t i = 0; i < appearance.lights.size(); ++i)
    {
        const LightOptions& light = appearance.lights[i];
        if (!light.active) continue;
        const Pose &body = poses[at(light.body.index)], &reference = appearance.light_reference[i];
        PlacedLight made{.type = light.type,
                         .cast_shadow = light.cast_shadow,
                         .position = body.position + rotate(body.rotation, light.position),
                         .direction = rotate(body.rotation, light.direction),
                         .ambient = to_vector(light.ambient),
                         .diffuse = to_vector(light.diffuse),
                         .specular = to_vector(light.specular)};
        if (is_tracking(light.mode))
        {
            made.position = find_point(model, light.mode, light.body.index, poses) + reference.position;
            made.direction = rotate(reference.rotation, light.direction);
        }
        else if (is_looking(light.mode) && light.target.valid())
            made.direction = find_point(model, light.mode, light.target.index, poses) - made.position;
        made.direction = unit_or(made.direction, {0, 0, -1});
        if (light.type != LightType::directional) made.attenuation = light.attenuation;
        if (light.type == LightType::spot)
        {
            double sine = 0;
            sincos(keep_within(light.cutoff, 0, 180) * kDegree, sine, made.cutoff_cosine);
            made.exponent = std::max(0.0, light.exponent);
        }
        placed.push_back(made);
    }
    return placed;
}

}  // namespace rattleback::lab
