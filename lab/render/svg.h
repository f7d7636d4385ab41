// Pictures of moments as small vector drawings, text that can live in a repository.
#pragma once

#include "lab/render/picture.h"

namespace rattleback::lab
{

/// The scene as SVG: flat faces as polygons, round shapes as outlines with a gradient, painted from back to front with
/// plain shadows on the ground. Small for scenes of some hundred simple shapes; meshes become a polygon per triangle.
/// `title` may hold anything.
std::string draw_svg(const DrawnScene& scene, const RecordedModel& model, const Camera& camera,
                     const PictureOptions& options);

}  // namespace rattleback::lab
