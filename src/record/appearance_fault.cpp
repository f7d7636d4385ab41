// Checks what a file says about cameras, lights, textures and visual materials.
#include "base/all_of.h"
#include "math/finite.h"
#include "model/texture_limits.h"
#include "record/appearance_fields.h"

#include <cmath>

namespace rattleback
{

namespace
{

bool is_reference(int index, int lowest, std::size_t count)
{
    return index >= lowest && index < static_cast<int>(count);
}
template <std::size_t N>
bool are_finite(const std::array<double, N>& numbers)
{
    return all_of(numbers, [](double x) { return std::isfinite(x); });
}

bool is_good(const CameraOptions& camera, std::size_t bodies)
{
    return is_reference(camera.body.index, 0, bodies) && is_reference(camera.target.index, -1, bodies) &&
           is_finite(camera.position) && is_finite(camera.rotation) && std::isfinite(camera.field_of_view) &&
           camera.field_of_view > 0 && (camera.orthographic || camera.field_of_view < 180) &&
           are_finite(camera.sensor_size) && are_finite(camera.focal) && are_finite(camera.principal) &&
           camera.resolution[0] > 0 && camera.resolution[1] > 0;
}
bool is_good(const LightOptions& light, std::size_t bodies)
{
    return is_reference(light.body.index, 0, bodies) && is_reference(light.target.index, -1, bodies) &&
           is_finite(light.position) && is_finite(light.direction) && norm(light.direction) > 0 &&
           are_finite(light.ambient) && are_finite(light.diffuse) && are_finite(light.specular) &&
           are_finite(light.attenuation) && std::isfinite(light.cutoff) && std::isfinite(light.exponent);
}
bool is_good(const TextureOptions& texture)
{
    const auto in_range = [](int side) { return side >= 1 && side <= kLargestTextureSide; };
    const bool colours = are_finite(texture.first) && are_finite(texture.second) && are_finite(texture.mark_colour);
    if (texture.pattern != TexturePattern::none)
        return colours && in_range(texture.width) && (texture.type != TextureType::flat || in_range(texture.height));
    const auto& [rows, columns] = texture.grid_size;
    return colours && (texture.png.size() == 1 || texture.png.size() == 6) && rows >= 1 && columns >= 1 && rows <= 12 &&
           columns <= 12;
}
bool is_good(const VisualMaterialOptions& material, std::size_t textures)
{
    return is_reference(material.texture.index, -1, textures) && are_finite(material.repeat) &&
           std::isfinite(material.emission) && std::isfinite(material.specular) && std::isfinite(material.shininess) &&
           all_of(material.colour, [](float part) { return std::isfinite(part); });
}

}  // namespace

std::string find_appearance_fault(const RecordedModel& model)
{
    const Appearance& x = model.appearance;
    const std::size_t bodies = model.bodies.size();
    if (!all_of(x.cameras, [&](const auto& camera) { return is_good(camera, bodies); })) return "a bad camera";
    if (!all_of(x.lights, [&](const auto& light) { return is_good(light, bodies); })) return "a bad light";
    if (!all_of(x.textures, [](const auto& texture) { return is_good(texture); })) return "a bad texture";
    if (!all_of(x.materials, [&](const auto& material) { return is_good(material, x.textures.size()); }))
        return "a bad visual material";
    const auto fits = [&](const ShapeLook& look)
    { return is_reference(look.material.index, -1, x.materials.size()) && are_finite(look.plane_size); };
    if (!(x.shapes.empty() || x.shapes.size() == model.shapes.size()) || !all_of(x.shapes, fits))
        return "looks of shapes that do not fit";
    const auto finite = [](const Pose& pose) { return is_finite(pose); };
    if (x.camera_reference.size() != x.cameras.size() || x.light_reference.size() != x.lights.size() ||
        !all_of(x.camera_reference, finite) || !all_of(x.light_reference, finite))
        return "places of cameras or lights that do not fit";
    return {};
}

}  // namespace rattleback
