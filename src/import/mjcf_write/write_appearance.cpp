// Cameras, lights, textures, visual materials and the headlight.
#include "base/index.h"
#include "import/images/png.h"
#include "import/mjcf_write/writer.h"
#include "model/texture_limits.h"

#include <algorithm>

namespace rattleback
{

namespace
{

/// The mean colour of a picture: MJCF names files, and a text has none beside it.
std::array<double, 3> find_mean(const TextureOptions& texture)
{
    std::array<double, 3> sum{};
    double count = 0;
    for (const std::vector<std::byte>& file : texture.png)
    {
        const Result<ColourImage> image = parse_png_colours(file, texture.name, kMostTexturePixels);
        if (!image) continue;
        for (const auto& pixel : image->pixels)
        {
            for (std::size_t k = 0; k < 3; ++k) sum[k] += pixel[k];
        }
        count += static_cast<double>(image->pixels.size());
    }
    for (double& part : sum) part = count > 0 ? part / (255 * count) : 0.8;
    return sum;
}

}  // namespace

template <std::size_t N>
void MjcfWriter::write_unless(const char* name, const std::array<double, N>& value, const std::array<double, N>& usual)
{
    if (value != usual) xml_.attribute(name, value);
}

void MjcfWriter::write_unless(const char* name, double value, double usual)
{
    if (value != usual) xml_.attribute(name, value);
}

void MjcfWriter::write_texture(const TextureOptions& texture)
{
    const TextureOptions usual;
    xml_.open("texture");
    xml_.attribute("name", texture.name);
    xml_.attribute("type", to_string(texture.type));
    const bool pattern = texture.pattern != TexturePattern::none;
    xml_.attribute("builtin", to_string(pattern ? texture.pattern : TexturePattern::flat));
    xml_.attribute("width", pattern ? texture.width : 1);
    if (!pattern || texture.height > 0) xml_.attribute("height", pattern ? texture.height : 1);
    const std::array<double, 3> mean = pattern ? texture.first : find_mean(texture);
    write_unless("rgb1", mean, usual.first);
    write_unless("rgb2", pattern ? texture.second : mean, usual.second);
    if (texture.mark != TextureMark::none) xml_.attribute("mark", to_string(texture.mark));
    write_unless("markrgb", texture.mark_colour, usual.mark_colour);
    write_unless("random", texture.random, usual.random);
    xml_.close();
}

void MjcfWriter::write_visual_material(const VisualMaterialOptions& material)
{
    const VisualMaterialOptions usual;
    xml_.open("material");
    xml_.attribute("name", material.name);
    if (material.texture.valid())
        xml_.attribute("texture", model_.appearance.textures[at(material.texture.index)].name);
    write_unless("texrepeat", material.repeat, usual.repeat);
    if (material.uniform) xml_.attribute("texuniform", true);
    write_unless("emission", material.emission, usual.emission);
    write_unless("specular", material.specular, usual.specular);
    write_unless("shininess", material.shininess, usual.shininess);
    write_unless("reflectance", material.reflectance, usual.reflectance);
    write_unless("metallic", material.metallic, usual.metallic);
    write_unless("roughness", material.roughness, usual.roughness);
    std::array<double, 4> colour{};
    std::copy(material.colour.begin(), material.colour.end(), colour.begin());
    write_unless("rgba", colour, {1, 1, 1, 1});
    xml_.close();
}

void MjcfWriter::write_follow(FollowMode mode, BodyId target)
{
    if (mode != FollowMode::fixed) xml_.attribute("mode", to_string(mode));
    if (target.valid()) xml_.attribute("target", model_.bodies.name[at(target.index)]);
}

void MjcfWriter::write_camera(const CameraOptions& camera)
{
    const CameraOptions usual;
    xml_.open("camera");
    xml_.attribute("name", camera.name);
    write_pose({camera.position, camera.rotation});
    write_follow(camera.mode, camera.target);
    if (camera.orthographic) xml_.attribute("projection", "orthographic");
    write_unless("ipd", camera.eye_distance, usual.eye_distance);
    const auto& [width, height] = camera.resolution;
    if (camera.resolution != usual.resolution)
        xml_.attribute("resolution", std::array<double, 2>{static_cast<double>(width), static_cast<double>(height)});
    // The field of view follows from a lens.
    if (camera.sensor_size[0] > 0)
    {
        xml_.attribute("sensorsize", camera.sensor_size);
        xml_.attribute("focal", camera.focal);
        write_unless("principal", camera.principal, usual.principal);
    }
    else
        write_unless("fovy", camera.field_of_view, usual.field_of_view);
    xml_.close();
}

void MjcfWriter::write_light(const LightOptions& light)
{
    const LightOptions usual;
    xml_.open("light");
    xml_.attribute("name", light.name);
    xml_.position("pos", light.position);
    xml_.attribute("dir", light.direction);
    write_follow(light.mode, light.target);
    if (light.type != usual.type) xml_.attribute("type", to_string(light.type));
    if (!light.active) xml_.attribute("active", false);
    if (!light.cast_shadow) xml_.attribute("castshadow", false);
    write_unless("ambient", light.ambient, usual.ambient);
    write_unless("diffuse", light.diffuse, usual.diffuse);
    write_unless("specular", light.specular, usual.specular);
    write_unless("attenuation", light.attenuation, usual.attenuation);
    write_unless("cutoff", light.cutoff, usual.cutoff);
    write_unless("exponent", light.exponent, usual.exponent);
    write_unless("softness", light.softness, usual.softness);
    write_unless("bulbradius", light.bulb_radius, usual.bulb_radius);
    write_unless("intensity", light.intensity, usual.intensity);
    write_unless("range", light.range, usual.range);
    xml_.close();
}

void MjcfWriter::write_headlight()
{
    if (!model_.appearance.headlight) return;
    const HeadlightOptions& headlight = *model_.appearance.headlight;
    xml_.open("visual");
    xml_.open("headlight");
    xml_.attribute("active", headlight.active ? 1 : 0);
    xml_.attribute("ambient", headlight.ambient);
    xml_.attribute("diffuse", headlight.diffuse);
    xml_.attribute("specular", headlight.specular);
    xml_.close();
    xml_.close();
}

void MjcfWriter::write_eyes_and_lights(int body)
{
    for (const CameraOptions& camera : model_.appearance.cameras)
    {
        if (camera.body.index == body) write_camera(camera);
    }
    for (const LightOptions& light : model_.appearance.lights)
    {
        if (light.body.index == body) write_light(light);
    }
}

}  // namespace rattleback
