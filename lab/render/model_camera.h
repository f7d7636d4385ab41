// Where the cameras and lights of a model are at a moment.
#pragma once

#include "lab/render/camera.h"
#include "lab/render/texture.h"

#include <rattleback/record.h>

namespace rattleback::lab
{

/// Centre of mass of a body and all that hangs on it [m]; its origin where they weigh nothing.
Vec3 find_subtree_center(const RecordedModel& model, int body, std::span<const Pose> poses);

/// The frame of a camera in the world, by its mode; it looks along -z. MuJoCo's rules: one that looks at a target has
/// its x axis level, or along the world's where it looks straight up or down.
Pose find_camera_pose(const RecordedModel& model, int camera, std::span<const Pose> poses);

/// A camera of the model, for a picture of that size. `extent`: size of what is shown [m]. An orthographic one is drawn
/// from a thousand times its height away.
Camera make_model_camera(const RecordedModel& model, int camera, std::span<const Pose> poses, int width, int height,
                         double extent);

/// A light of the model in the world.
struct PlacedLight
{
    LightType type = LightType::directional;
    bool cast_shadow = false;
    Vec3 position;   ///< [m]
    Vec3 direction;  ///< unit, where it shines to
    Vec3 ambient, diffuse, specular;
    std::array<double, 3> attenuation{1, 0, 0};
    double cutoff_cosine = -1;  ///< of a spot: no light where the cosine is smaller
    double exponent = 0;
};

/// The active lights, and the headlight at the eye of the camera first. None: the model says nothing about light.
std::vector<PlacedLight> place_lights(const RecordedModel& model, std::span<const Pose> poses, const Camera& camera);

}  // namespace rattleback::lab
