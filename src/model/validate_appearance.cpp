// Sizes and indices of a Model's appearance.
#include "model/validate.h"

#include <string>

namespace rattleback
{

void check_appearance_indices(const Model& model, Checker& checker)
{
    const Appearance& appearance = model.appearance;
    const auto size = [&](const char* array, std::size_t count, std::size_t wanted)
    {
        checker.enter(array);
        if (count != wanted)
            checker.fail("has " + std::to_string(count) + " elements instead of " + std::to_string(wanted));
    };
    // References may be missing, yet never beyond the end.
    const auto index = [&](const char* array, std::size_t element, int value, int lowest, std::size_t count)
    {
        checker.enter(array, element);
        if (value < lowest || value >= static_cast<int>(count))
            checker.fail("is " + std::to_string(value) + ", which is not in " + std::to_string(lowest) + " .. " +
                         std::to_string(static_cast<int>(count) - 1));
    };
    const std::size_t bodies = model.bodies.parent.size();
    size("appearance.camera_reference", appearance.camera_reference.size(), appearance.cameras.size());
    size("appearance.light_reference", appearance.light_reference.size(), appearance.lights.size());
    if (!appearance.shapes.empty()) size("appearance.shapes", appearance.shapes.size(), model.shapes.type.size());
    for (std::size_t i = 0; i < appearance.cameras.size(); ++i)
    {
        index("appearance.cameras.body", i, appearance.cameras[i].body.index, 0, bodies);
        index("appearance.cameras.target", i, appearance.cameras[i].target.index, -1, bodies);
    }
    for (std::size_t i = 0; i < appearance.lights.size(); ++i)
    {
        index("appearance.lights.body", i, appearance.lights[i].body.index, 0, bodies);
        index("appearance.lights.target", i, appearance.lights[i].target.index, -1, bodies);
    }
    for (std::size_t i = 0; i < appearance.materials.size(); ++i)
        index("appearance.materials.texture", i, appearance.materials[i].texture.index, -1, appearance.textures.size());
    for (std::size_t i = 0; i < appearance.shapes.size(); ++i)
        index("appearance.shapes.material", i, appearance.shapes[i].material.index, -1, appearance.materials.size());
    for (std::size_t i = 0; i < model.meshes.size(); ++i)
    {
        const MeshOptions& mesh = model.meshes[i];
        if (!mesh.texcoords.empty()) size("meshes.texcoords", mesh.texcoords.size(), 3 * mesh.triangles.size());
    }
}

}  // namespace rattleback
