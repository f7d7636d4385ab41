// The fields of an appearance in the model chunk, for writing and reading alike, and what may be wrong with them.
#pragma once

#include <rattleback/record.h>

#include <concepts>

namespace rattleback
{

/// T or const T.
template <class T, class Plain>
concept PartOfAppearance = std::same_as<std::remove_const_t<T>, Plain>;

template <class Archive, PartOfAppearance<CameraOptions> T>
bool visit_fields(Archive& archive, T& x)
{
    return archive(x.name, x.body, x.position, x.rotation, x.mode, x.target, x.orthographic, x.field_of_view,
                   x.eye_distance, x.resolution, x.sensor_size, x.focal, x.principal);
}
template <class Archive, PartOfAppearance<LightOptions> T>
bool visit_fields(Archive& archive, T& x)
{
    return archive(x.name, x.body, x.position, x.direction, x.mode, x.target, x.type, x.active, x.cast_shadow,
                   x.ambient, x.diffuse, x.specular, x.attenuation, x.cutoff, x.exponent, x.softness, x.bulb_radius,
                   x.intensity, x.range);
}
template <class Archive, PartOfAppearance<HeadlightOptions> T>
bool visit_fields(Archive& archive, T& x)
{
    return archive(x.active, x.ambient, x.diffuse, x.specular);
}
template <class Archive, PartOfAppearance<TextureOptions> T>
bool visit_fields(Archive& archive, T& x)
{
    return archive(x.name, x.type, x.pattern, x.first, x.second, x.mark, x.mark_colour, x.random, x.width, x.height,
                   x.png, x.grid_size, x.grid_layout, x.horizontal_flip, x.vertical_flip);
}
template <class Archive, PartOfAppearance<VisualMaterialOptions> T>
bool visit_fields(Archive& archive, T& x)
{
    return archive(x.name, x.texture, x.repeat, x.uniform, x.emission, x.specular, x.shininess, x.reflectance,
                   x.metallic, x.roughness, x.colour);
}
template <class Archive, PartOfAppearance<ShapeLook> T>
bool visit_fields(Archive& archive, T& x)
{
    return archive(x.material, x.plane_size);
}
/// The headlight is a list of none or one.
template <class Archive, PartOfAppearance<Appearance> T>
bool visit_fields(Archive& archive, T& x)
{
    std::vector<HeadlightOptions> headlight;
    if (x.headlight) headlight.push_back(*x.headlight);
    const bool good = archive(x.cameras, x.lights, headlight, x.textures, x.materials, x.shapes, x.camera_reference,
                              x.light_reference);
    if constexpr (!std::is_const_v<T>)
    {
        if (!headlight.empty()) x.headlight = headlight.front();
    }
    return good;
}

/// What is wrong with the appearance of a recorded model, "" if nothing: every index points at something, every number
/// that a picture depends on is finite.
std::string find_appearance_fault(const RecordedModel& model);

}  // namespace rattleback
