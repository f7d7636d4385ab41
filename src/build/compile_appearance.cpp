// Compiles what is for the eye, and where tracking cameras and lights are at q0.
#include "build/compile.h"

#include "base/index.h"

#include <algorithm>
#include <cmath>

namespace rattleback
{

namespace
{

/// Poses of bodies and centres of mass of subtrees at q0, in the world.
struct RestPlaces
{
    explicit RestPlaces(const Model& model) : pose(find_reference_poses(model)), center(pose.size())
    {
        const Bodies& bodies = model.bodies;
        std::vector<double> mass(bodies.mass);
        for (std::size_t i = 0; i < pose.size(); ++i)
            center[i] = mass[i] * (pose[i] * bodies.inertial_pose[i]).position;
        // Children come behind their parents: backwards, each hands its sum on.
        for (std::size_t i = pose.size() - 1; i > 0; --i)
        {
            center[at(bodies.parent[i])] += center[i];
            mass[at(bodies.parent[i])] += mass[i];
        }
        for (std::size_t i = 0; i < pose.size(); ++i)
            center[i] = mass[i] > 0 ? 1 / mass[i] * center[i] : pose[i].position;
    }

    Pose find_reference(BodyId body, FollowMode mode, const Pose& local) const
    {
        const Pose world = pose[at(body.index)] * local;
        const Vec3& from = mode == FollowMode::track_com ? center[at(body.index)] : pose[at(body.index)].position;
        return {world.position - from, world.rotation};
    }

    std::vector<Pose> pose;
    std::vector<Vec3> center;
};

}  // namespace

void compile_appearance(const Authored& authored, const Names& names, Model& model)
{
    Appearance& appearance = model.appearance;
    appearance.cameras = authored.cameras;
    appearance.lights = authored.lights;
    appearance.headlight = authored.headlight;
    appearance.textures = authored.textures;
    appearance.materials = authored.visual_materials;
    for (std::size_t i = 0; i < appearance.textures.size(); ++i) appearance.textures[i].name = names.textures[i];
    for (std::size_t i = 0; i < appearance.materials.size(); ++i)
        appearance.materials[i].name = names.visual_materials[i];

    const auto has_look = [](const AuthoredShape& shape)
    { return shape.options.visual.valid() || shape.options.plane_size != std::array<double, 2>{}; };
    if (std::any_of(authored.shapes.begin(), authored.shapes.end(), has_look))
    {
        for (const AuthoredShape& shape : authored.shapes)
            appearance.shapes.push_back({shape.options.visual, shape.options.plane_size});
    }

    if (appearance.cameras.empty() && appearance.lights.empty()) return;
    const RestPlaces rest(model);
    for (std::size_t i = 0; i < appearance.cameras.size(); ++i)
    {
        CameraOptions& camera = appearance.cameras[i];
        camera.name = names.cameras[i];
        const Pose local = make_pose(camera.position, camera.rotation);
        camera.rotation = local.rotation;
        appearance.camera_reference.push_back(rest.find_reference(camera.body, camera.mode, local));
    }
    for (std::size_t i = 0; i < appearance.lights.size(); ++i)
    {
        LightOptions& light = appearance.lights[i];
        light.name = names.lights[i];
        // What is unit up to rounding stays as it is, so that writing and reading change no bit.
        const double length = norm(light.direction);
        if (std::abs(length - 1) > 1e-15) light.direction = 1 / length * light.direction;
        appearance.light_reference.push_back(rest.find_reference(light.body, light.mode, {light.position, {}}));
    }
}

}  // namespace rattleback
