// Small models, cameras and recordings for tests of the renderer.
#pragma once

#include "lab/render/framing.h"
#include "lab/render/scene.h"

#include <functional>

namespace rattleback::lab
{

/// A model of fixed bodies, one per shape, at the poses of the shapes.
RecordedModel make_model(const std::vector<RecordedShape>& shapes);
/// Every body at the origin.
Moment make_moment(const RecordedModel& model);

/// A plane, and one of each shape that casts a shadow, in a row along x.
RecordedModel make_parade();

/// Looks from -y along +y at the origin from `distance`, `pitch` degrees down.
Camera make_camera(double distance, double pitch = 0, int width = 160, int height = 120);

/// Calls visit(x, y, sample, id, inverse depth) for every sample of the picture; places in pixels.
void for_samples(const DrawnScene& scene, const Camera& camera,
                 const std::function<void(double x, double y, std::uint32_t id, double inverse_depth)>& visit);

/// A fresh folder for temporary files.
std::filesystem::path make_folder(const std::string& name);

/// A recording of `count` frames, a tenth of a second apart, with a ball of radius 0.2 that moves along x by 1 m/s,
/// turns by 1 rad/s about z and has the name "ball"; below it a ground. `spoil` may change a frame's state.
std::filesystem::path record_ball(const std::filesystem::path& folder, int count,
                                  const std::function<void(int frame, State& state)>& spoil = {});

}  // namespace rattleback::lab
