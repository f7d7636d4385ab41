// Checks cameras, lights, textures and visual materials: references, and numbers that a picture can be made of.
#include "build/check.h"

#include "base/index.h"
#include "model/texture_limits.h"

namespace rattleback
{

namespace
{

void check_follow(const Authored& authored, BodyId body, FollowMode mode, BodyId target, Checker& checker)
{
    checker.id(body.index, authored.bodies.size(), "body");
    const bool looks = mode == FollowMode::target_body || mode == FollowMode::target_body_com;
    if (looks && !target.valid())
        checker.fail("it looks at a target, and there is none", "set `target`");
    else if (target.valid())
        checker.id(target.index, authored.bodies.size(), "target");
}

void check_camera(const Authored& authored, const CameraOptions& camera, Checker& checker)
{
    check_follow(authored, camera.body, camera.mode, camera.target, checker);
    checker.finite(camera.position, "position");
    checker.rotation(camera.rotation, "rotation");
    checker.finite(camera.eye_distance, "eye distance");
    checker.finite(camera.sensor_size, "sensor size");
    checker.finite(camera.focal, "focal length");
    checker.finite(camera.principal, "principal point");
    if (checker.positive(camera.field_of_view, "field of view") && !camera.orthographic && camera.field_of_view >= 180)
        checker.fail("field of view is " + number(camera.field_of_view) + " degrees", "below 180");
    checker.require(camera.resolution[0] > 0 && camera.resolution[1] > 0, "resolution is not positive");
    const bool sensor = camera.sensor_size[0] > 0 && camera.sensor_size[1] > 0;
    checker.require(!sensor || (camera.focal[0] > 0 && camera.focal[1] > 0), "a lens needs a positive focal length");
}

void check_light(const Authored& authored, const LightOptions& light, Checker& checker)
{
    check_follow(authored, light.body, light.mode, light.target, checker);
    checker.finite(light.position, "position");
    if (checker.finite(light.direction, "direction"))
        checker.require(norm(light.direction) > 0, "direction is zero", "where the light shines to");
    checker.finite(light.ambient, "ambient");
    checker.finite(light.diffuse, "diffuse");
    checker.finite(light.specular, "specular");
    checker.finite(light.attenuation, "attenuation");
    for (const double value : {light.cutoff, light.exponent, light.softness, light.bulb_radius, light.intensity})
        checker.finite(value, "a number of the light");
    checker.finite(light.range, "range");
}

void check_texture(const TextureOptions& texture, Checker& checker)
{
    checker.finite(texture.first, "first colour");
    checker.finite(texture.second, "second colour");
    checker.finite(texture.mark_colour, "mark colour");
    checker.finite(texture.random, "random");
    if (texture.pattern == TexturePattern::none)
    {
        const std::size_t files = texture.png.size();
        checker.require(files == 1 || (files == 6 && texture.type != TextureType::flat),
                        "it has neither a pattern nor a picture", "one PNG file, or six for a cube");
        const auto& [rows, columns] = texture.grid_size;
        const bool grid = rows >= 1 && columns >= 1 && rows <= 12 && columns <= 12 && rows * columns <= 12;
        checker.require(grid, "grid size is out of range", "1 to 12 squares");
        checker.require(!grid || texture.grid_layout.empty() ||
                            texture.grid_layout.size() == static_cast<std::size_t>(rows * columns),
                        "grid layout does not have a letter for each square");
        checker.require(texture.grid_layout.find_first_not_of("RLUDFB.") == std::string::npos,
                        "grid layout has other letters than RLUDFB and '.'");
        return;
    }
    checker.require(texture.png.empty(), "it has both a pattern and a picture");
    const bool wide = texture.width >= 1 && texture.width <= kLargestTextureSide;
    const bool high =
        texture.type != TextureType::flat || (texture.height >= 1 && texture.height <= kLargestTextureSide);
    if (!wide || !high)
        checker.fail("width or height is out of range", "1 to " + std::to_string(kLargestTextureSide) + " pixels");
}

void check_material(const Authored& authored, const VisualMaterialOptions& material, Checker& checker)
{
    if (material.texture.valid()) checker.id(material.texture.index, authored.textures.size(), "texture");
    for (const double repeat : material.repeat) checker.positive(repeat, "repeat");
    for (const double value : {material.emission, material.specular, material.shininess, material.reflectance,
                               material.metallic, material.roughness})
        checker.finite(value, "a number of the material");
    for (const float part : material.colour) checker.finite(static_cast<double>(part), "colour");
}

}  // namespace

void check_appearance(const Authored& authored, const Names& names, Checker& checker)
{
    for (std::size_t i = 0; i < authored.cameras.size(); ++i)
    {
        checker.enter("camera", names.cameras[i]);
        check_camera(authored, authored.cameras[i], checker);
    }
    for (std::size_t i = 0; i < authored.lights.size(); ++i)
    {
        checker.enter("light", names.lights[i]);
        check_light(authored, authored.lights[i], checker);
    }
    for (std::size_t i = 0; i < authored.textures.size(); ++i)
    {
        checker.enter("texture", names.textures[i]);
        check_texture(authored.textures[i], checker);
    }
    for (std::size_t i = 0; i < authored.visual_materials.size(); ++i)
    {
        checker.enter("visual material", names.visual_materials[i]);
        check_material(authored, authored.visual_materials[i], checker);
    }
    for (std::size_t i = 0; i < authored.shapes.size(); ++i)
    {
        const ShapeOptions& options = authored.shapes[i].options;
        checker.enter("shape", names.shapes[i]);
        if (options.visual.valid()) checker.id(options.visual.index, authored.visual_materials.size(), "visual");
        for (const double half : options.plane_size) checker.not_negative(half, "plane size");
    }
    // Corners of meshes: three for each triangle, or none.
    for (std::size_t i = 0; i < authored.meshes.size(); ++i)
    {
        const MeshOptions& mesh = authored.meshes[i];
        checker.enter("mesh", names.meshes[i]);
        checker.require(mesh.texcoords.empty() || mesh.texcoords.size() == 3 * mesh.triangles.size(),
                        "texcoords do not have three for each triangle");
        for (const auto& [u, v] : mesh.texcoords)
        {
            if (!checker.finite(static_cast<double>(u) + static_cast<double>(v), "texcoords")) break;
        }
    }
    checker.enter("headlight");
    if (!authored.headlight) return;
    checker.finite(authored.headlight->ambient, "ambient");
    checker.finite(authored.headlight->diffuse, "diffuse");
    checker.finite(authored.headlight->specular, "specular");
}

}  // namespace rattleback
