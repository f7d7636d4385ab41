// Textures are made here, so that the page only has to show pictures.
#include "view_looks.h"

#include "lab/render/looks.h"
#include "lab/render/png.h"

#include <fmt/format.h>

#include <algorithm>

namespace rattleback::cli
{

namespace
{

nlohmann::json pose_json(const Vec3& position, const Quat& rotation)
{
    return {position.x, position.y, position.z, rotation.x, rotation.y, rotation.z, rotation.w};
}

nlohmann::json cameras_json(const Appearance& appearance)
{
    nlohmann::json list = nlohmann::json::array();
    for (std::size_t i = 0; i < appearance.cameras.size(); ++i)
    {
        const CameraOptions& camera = appearance.cameras[i];
        const Pose& reference = appearance.camera_reference[i];
        list.push_back({{"name", camera.name},
                        {"body", camera.body.index},
                        {"pose", pose_json(camera.position, camera.rotation)},
                        {"reference", pose_json(reference.position, reference.rotation)},
                        {"mode", to_string(camera.mode)},
                        {"target", camera.target.index},
                        {"orthographic", camera.orthographic},
                        {"field_of_view", camera.field_of_view}});
    }
    return list;
}

nlohmann::json lights_json(const Appearance& appearance)
{
    nlohmann::json list = nlohmann::json::array();
    for (std::size_t i = 0; i < appearance.lights.size(); ++i)
    {
        const LightOptions& light = appearance.lights[i];
        const Pose& reference = appearance.light_reference[i];
        if (!light.active) continue;
        list.push_back({{"body", light.body.index},
                        {"pose", pose_json(light.position, {})},
                        {"direction", {light.direction.x, light.direction.y, light.direction.z}},
                        {"reference", pose_json(reference.position, reference.rotation)},
                        {"mode", to_string(light.mode)},
                        {"target", light.target.index},
                        {"type", to_string(light.type)},
                        {"cast_shadow", light.cast_shadow},
                        {"ambient", light.ambient},
                        {"diffuse", light.diffuse},
                        {"cutoff", light.cutoff},
                        {"exponent", light.exponent}});
    }
    return list;
}

/// Only what shapes or the sky show is made and sent.
std::vector<bool> find_used_textures(const Appearance& appearance)
{
    std::vector<bool> used(appearance.textures.size());
    for (const ShapeLook& look : appearance.shapes)
    {
        if (!look.material.valid()) continue;
        const int texture = appearance.materials[static_cast<std::size_t>(look.material.index)].texture.index;
        if (texture >= 0) used[static_cast<std::size_t>(texture)] = true;
    }
    for (std::size_t i = 0; i < used.size(); ++i)
    {
        if (appearance.textures[i].type != TextureType::skybox) continue;
        used[i] = true;
        break;
    }
    return used;
}

std::vector<std::uint8_t> make_file(const lab::Pyramid& picture)
{
    lab::Image image(picture.width(), picture.height());
    for (int y = 0; y < picture.height(); ++y)
    {
        for (int x = 0; x < picture.width(); ++x) std::copy_n(picture.pixel(x, y).data(), 3, image.pixel(x, y));
    }
    std::vector<std::uint8_t> bytes;
    for (const std::byte byte : lab::to_png(image)) bytes.push_back(std::to_integer<std::uint8_t>(byte));
    return bytes;
}

}  // namespace

nlohmann::json looks_json(const RecordedModel& model)
{
    const Appearance& appearance = model.appearance;
    if (appearance.empty()) return nullptr;
    nlohmann::json textures = nlohmann::json::array(), materials = nlohmann::json::array(),
                   shapes = nlohmann::json::array();
    for (const TextureOptions& texture : appearance.textures) textures.push_back({{"type", to_string(texture.type)}});
    for (const VisualMaterialOptions& material : appearance.materials)
    {
        materials.push_back({{"texture", material.texture.index},
                             {"repeat", material.repeat},
                             {"uniform", material.uniform},
                             {"emission", material.emission},
                             {"specular", material.specular},
                             {"shininess", material.shininess}});
    }
    for (const ShapeLook& look : appearance.shapes)
        shapes.push_back({look.material.index, look.plane_size[0], look.plane_size[1]});
    nlohmann::json about{{"cameras", cameras_json(appearance)},
                         {"lights", lights_json(appearance)},
                         {"textures", std::move(textures)},
                         {"materials", std::move(materials)},
                         {"shapes", std::move(shapes)}};
    const HeadlightOptions head = appearance.headlight.value_or(HeadlightOptions{});
    if (appearance.headlight || !appearance.lights.empty())
        about["headlight"] = {{"active", head.active}, {"ambient", head.ambient}, {"diffuse", head.diffuse}};
    return about;
}

void pack_looks(const RecordedModel& model, Pack& pack)
{
    const std::vector<bool> used = find_used_textures(model.appearance);
    for (std::size_t i = 0; i < used.size(); ++i)
    {
        const TextureOptions& options = model.appearance.textures[i];
        if (!used[i]) continue;
        // A file of one picture goes as it came, if it is not turned over.
        const bool plain = options.type == TextureType::flat && options.png.size() == 1 && !options.horizontal_flip &&
                           !options.vertical_flip;
        if (plain)
        {
            std::vector<std::uint8_t> bytes;
            for (const std::byte byte : options.png[0]) bytes.push_back(std::to_integer<std::uint8_t>(byte));
            pack.add(fmt::format("texture{}_0", i), bytes);
            continue;
        }
        const Result<lab::TextureImage> made = lab::TextureImage::make(options);
        if (!made) continue;  // the page shows the colour alone
        for (int side = 0; side < (made->is_cube() ? 6 : 1); ++side)
            pack.add(fmt::format("texture{}_{}", i, side), make_file(made->side(side)));
    }
    for (std::size_t i = 0; i < model.meshes.size(); ++i)
    {
        std::vector<float> places;
        for (const auto& [u, v] : model.meshes[i].texcoords) places.insert(places.end(), {u, v});
        if (!places.empty()) pack.add(fmt::format("mesh{}_places", i), places);
    }
}

}  // namespace rattleback::cli
