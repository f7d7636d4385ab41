// What the viewer's page needs to know of a model's cameras, lights, visual materials and textures.
#pragma once

#include "view_pack.h"

namespace rattleback::cli
{

/// Empty where the model has no appearance. Poses: x y z, then the quaternion x y z w.
nlohmann::json looks_json(const RecordedModel& model);

/// Sides of textures as PNG files, `texture<i>_<side>`; places of meshes' corners, `mesh<i>_places`.
void pack_looks(const RecordedModel& model, Pack& pack);

}  // namespace rattleback::cli
