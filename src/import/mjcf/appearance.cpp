// Adds cameras, lights, textures and visual materials. What is wrong with them does not keep a model from running.
#include <algorithm>
#include <cmath>
#include <span>

#include "base/index.h"
#include "import/images/png.h"
#include "import/mjcf/assembly.h"
#include "math/elementary.h"
#include "model/texture_limits.h"

namespace rattleback::mjcf
{

namespace
{

constexpr std::size_t kLargestFile = std::size_t{64} << 20;  // of a texture [bytes]
constexpr std::array kSides{"fileright", "fileleft", "fileup", "filedown", "filefront", "fileback"};

template <class T = double, std::size_t N>
void read_numbers(const Element& element, const char* name, std::array<T, N>& values)
{
    const std::vector<double> numbers = element.numbers(name);
    for (std::size_t i = 0; i < N; ++i) values[i] = static_cast<T>(numbers[i]);
}

/// The enumerator that files spell like this.
template <class Enum>
Enum find_word(const std::string& word, std::initializer_list<Enum> values)
{
    for (const Enum value : values)
    {
        if (word == to_string(value)) return value;
    }
    return *values.begin();
}

FollowMode find_mode(const Element& element)
{
    return find_word(element.text("mode"), {FollowMode::fixed, FollowMode::track, FollowMode::track_com,
                                            FollowMode::target_body, FollowMode::target_body_com});
}

/// The bytes of a texture's PNG file; none, and a warning, where it cannot be used.
std::vector<std::byte> read_texture(const Element& asset, const char* attribute, Source& source, Log& log)
{
    const Attribute& written = *asset.find(attribute);
    const auto refuse = [&](const std::string& why)
    {
        log.warn(written.location, "the texture is left out: " + why, "a PNG file", ErrorCode::io);
        return std::vector<std::byte>();
    };
    Log quiet;  // a texture is no reason to refuse a model
    const auto path = find_asset_path(asset, written, asset.context->texture_folder, source, quiet);
    if (!path) return refuse("the file '" + written.text + "' is outside the model's folder");
    std::error_code code;
    if (!std::filesystem::exists(*path, code)) return refuse("there is no texture file '" + written.text + "'");
    const Result<std::string> bytes = read_bytes(*path, std::min(kLargestFile, source.bytes_left));
    if (!bytes) return refuse(bytes.errors().front().message);
    const Result<PngSize> size = read_png_size(std::as_bytes(std::span(bytes.value())), written.text);
    if (!size) return refuse(size.errors().front().message);
    if (std::uint64_t(size->width) * std::uint64_t(size->height) > kMostTexturePixels)
        return refuse("'" + written.text + "' has " + std::to_string(size->width) + " x " +
                      std::to_string(size->height) + " pixels");
    if (!take(static_cast<std::size_t>(size->width) * static_cast<std::size_t>(size->height), source.pixels_left))
        return refuse("the textures of the model have too many pixels together");
    const auto data = std::as_bytes(std::span(bytes.value()));
    source.bytes_left -= data.size();
    return {data.begin(), data.end()};
}

/// Lengths and pixels of a lens: pixels count where both are given, and the field of view follows.
void read_lens(const Element& element, CameraOptions& camera, Log& log)
{
    read_numbers(element, "sensorsize", camera.sensor_size);
    const bool sensor = camera.sensor_size[0] > 0 && camera.sensor_size[1] > 0;
    if (!sensor)
    {
        camera.sensor_size = {0, 0};
        return;
    }
    read_numbers(element, "focal", camera.focal);
    read_numbers(element, "principal", camera.principal);
    const std::vector<double> focal = element.numbers("focalpixel"), principal = element.numbers("principalpixel");
    for (std::size_t k = 0; k < 2; ++k)
    {
        const double pixel = camera.sensor_size[k] / camera.resolution[k];
        if (focal[k] != 0) camera.focal[k] = focal[k] * pixel;
        if (principal[k] != 0) camera.principal[k] = principal[k] * pixel;
    }
    if (camera.focal[0] > 0 && camera.focal[1] > 0)
    {
        camera.field_of_view = 2 / kDegree * angle_of(0.5 * camera.sensor_size[1], camera.focal[1]);
        return;
    }
    log.warn(element.location, "a camera with 'sensorsize' needs 'focal'", "its field of view counts instead",
             ErrorCode::invalid_value);
    camera.sensor_size = camera.focal = camera.principal = {0, 0};
}

}  // namespace

void Assembly::add_texture(const Element& asset)
{
    TextureOptions texture{.name = asset.name()};
    texture.type = find_word(asset.text("type"), {TextureType::cube, TextureType::flat, TextureType::skybox});
    texture.pattern = find_word(asset.text("builtin"), {TexturePattern::none, TexturePattern::gradient,
                                                        TexturePattern::checker, TexturePattern::flat});
    texture.mark =
        find_word(asset.text("mark"), {TextureMark::none, TextureMark::edge, TextureMark::cross, TextureMark::random});
    read_numbers(asset, "rgb1", texture.first);
    read_numbers(asset, "rgb2", texture.second);
    read_numbers(asset, "markrgb", texture.mark_colour);
    texture.random = asset.number("random");
    bool good = true;
    if (texture.pattern != TexturePattern::none)
    {
        texture.width = asset.integer("width");
        texture.height = asset.integer("height");
        const auto in_range = [](int side) { return side >= 1 && side <= kLargestTextureSide; };
        good = in_range(texture.width) && (texture.type != TextureType::flat || in_range(texture.height));
        if (!good)
            log_.warn(asset.location, "the texture is left out: its width or height is out of range",
                      "1 to " + std::to_string(kLargestTextureSide) + " pixels", ErrorCode::invalid_value);
        // Cubes have six sides as wide as they are high.
        const auto width = static_cast<std::size_t>(texture.width), height = static_cast<std::size_t>(texture.height);
        if (good && !take(texture.type == TextureType::flat ? width * height : 6 * width * width, source_.pixels_left))
        {
            good = false;
            log_.warn(asset.location,
                      "the texture is left out: the textures of the model have too many pixels together",
                      "at most " + std::to_string(kMostModelPixels), ErrorCode::limit);
        }
    }
    else
    {
        texture.horizontal_flip = asset.flag("hflip");
        texture.vertical_flip = asset.flag("vflip");
        if (asset.has("file"))
        {
            texture.png.push_back(read_texture(asset, "file", source_, log_));
            read_numbers(asset, "gridsize", texture.grid_size);
            texture.grid_layout = asset.text("gridlayout");
        }
        else if (texture.type != TextureType::flat)
        {
            for (const char* side : kSides)
                texture.png.push_back(asset.has(side) ? read_texture(asset, side, source_, log_)
                                                      : std::vector<std::byte>());
        }
        good = std::any_of(texture.png.begin(), texture.png.end(), [](const auto& file) { return !file.empty(); });
        if (texture.png.empty())
            log_.warn(asset.location, "a texture needs 'builtin' or a file", "", ErrorCode::invalid_value);
    }
    // One that cannot be shown leaves its name behind, so that materials may speak of it.
    const int index = good ? builder_.add_texture(std::move(texture)).index : -1;
    note(asset, "texture", index);
}

void Assembly::add_visual_material(const Element& asset)
{
    VisualMaterialOptions material{.name = asset.name()};
    read_numbers(asset, "texrepeat", material.repeat);
    for (double& repeat : material.repeat)
    {
        if (repeat > 0) continue;
        if (repeat < 0) log_.warn(asset.location, "'texrepeat' is negative", "1 is taken", ErrorCode::invalid_value);
        repeat = 1;
    }
    material.uniform = asset.flag("texuniform");
    material.emission = asset.number("emission");
    material.specular = asset.number("specular");
    material.shininess = asset.number("shininess");
    material.reflectance = asset.number("reflectance");
    material.metallic = asset.number("metallic");
    material.roughness = asset.number("roughness");
    read_numbers<float>(asset, "rgba", material.colour);
    if (asset.has("texture")) material.texture.index = find(asset, "texture", "texture").value_or(-1);
    for (const Element& layer : asset.children)
    {
        if (!layer.is("layer") || !layer.has("texture")) continue;
        const int texture = find(layer, "texture", "texture").value_or(-1);
        const std::string role = layer.text("role");
        if (role == "rgb" || role == "rgba")
            material.texture.index = texture;
        else
            log_.warn(layer.location, "the layer '" + role + "' is ignored", "'rgb' and 'rgba' are drawn");
    }
    const VisualMaterialId id = builder_.add_visual_material(material);
    note(asset, "visual material", id.index);
}

void Assembly::add_camera(const Element& element, const Pose& frame, BodyId body)
{
    const Pose pose = frame * read_pose(element, log_);
    CameraOptions camera{.name = element.name(), .body = body, .position = pose.position, .rotation = pose.rotation};
    camera.mode = find_mode(element);
    camera.orthographic = element.text("projection") == "orthographic";
    camera.field_of_view = element.number("fovy");
    camera.eye_distance = element.number("ipd");
    read_numbers<int>(element, "resolution", camera.resolution);
    for (int& side : camera.resolution) side = std::max(side, 1);
    read_lens(element, camera, log_);
    // MuJoCo refuses 180 degrees and more.
    const bool wide = !camera.orthographic && camera.field_of_view >= 180;
    if (wide || !(camera.field_of_view > 0))
    {
        log_.warn(element.has("fovy") ? element.find("fovy")->location : element.location,
                  "'fovy' of a camera is out of range", "above 0 and below 180; 45 is taken", ErrorCode::invalid_value);
        camera.field_of_view = 45;
    }
    const CameraId id = builder_.add_camera(camera);
    camera_elements_.push_back(&element);
    note(element, "camera", id.index);
}

void Assembly::add_light(const Element& element, const Pose& frame, BodyId body)
{
    LightOptions light{.name = element.name(), .body = body};
    light.position = frame.position + rotate(frame.rotation, to_vector(element.numbers("pos")));
    light.direction = rotate(frame.rotation, to_vector(element.numbers("dir")));
    if (!(norm(light.direction) > 0))
    {
        log_.warn(element.location, "'dir' of a light is zero", "0 0 -1 is taken", ErrorCode::invalid_value);
        light.direction = {0, 0, -1};
    }
    light.mode = find_mode(element);
    light.type = find_word(element.text("type"), {LightType::spot, LightType::directional, LightType::point});
    if (element.text("type") == "image")
    {
        log_.warn(element.location, "a light of type 'image' is ignored", "spot, directional and point are drawn");
        light.active = false;
    }
    if (!element.has("type") && element.flag("directional")) light.type = LightType::directional;
    light.active = light.active && element.flag("active");
    light.cast_shadow = element.flag("castshadow");
    read_numbers(element, "ambient", light.ambient);
    read_numbers(element, "diffuse", light.diffuse);
    read_numbers(element, "specular", light.specular);
    read_numbers(element, "attenuation", light.attenuation);
    light.cutoff = element.number("cutoff");
    light.exponent = element.number("exponent");
    light.softness = element.number("softness");
    light.bulb_radius = element.number("bulbradius");
    light.intensity = element.number("intensity");
    light.range = element.number("range");
    const LightId id = builder_.add_light(light);
    light_elements_.push_back(&element);
    note(element, "light", id.index);
}

void Assembly::add_headlight()
{
    for (const Element& element : spec_.visual)
    {
        if (!element.is("headlight")) continue;
        HeadlightOptions headlight{.active = element.integer("active") != 0};
        read_numbers(element, "ambient", headlight.ambient);
        read_numbers(element, "diffuse", headlight.diffuse);
        read_numbers(element, "specular", headlight.specular);
        builder_.set_headlight(headlight);
    }
}

BodyId Assembly::find_looked_at(const Element& element, FollowMode& mode) const
{
    const auto bodies = names_.find("body");
    const Attribute* target = element.find("target");
    const bool looks = mode == FollowMode::target_body || mode == FollowMode::target_body_com;
    if (target && bodies != names_.end())
    {
        const auto found = bodies->second.find(target->text);
        if (found != bodies->second.end()) return BodyId{found->second};
    }
    if (!looks && !target) return {};
    const std::string what = "this " + element.rule->name;
    if (looks)
        log_.warn(element.location, what + (target ? " looks at a body that is not there" : " looks at no body"),
                  "'target' is the name of a body; it keeps its own direction", ErrorCode::unknown_name);
    if (looks) mode = FollowMode::fixed;
    return {};
}

void Assembly::settle_appearance()
{
    for (std::size_t i = 0; i < authored_.cameras.size(); ++i)
    {
        CameraOptions& camera = authored_.cameras[i];
        camera.target = find_looked_at(*camera_elements_[i], camera.mode);
        if (camera.target.valid() && camera.target == camera.body && norm(camera.position) == 0 &&
            camera.mode == FollowMode::target_body)
            log_.warn(camera_elements_[i]->location, "this camera looks at the place where it stands",
                      "it keeps its own direction", ErrorCode::invalid_value);
    }
    for (std::size_t i = 0; i < authored_.lights.size(); ++i)
        authored_.lights[i].target = find_looked_at(*light_elements_[i], authored_.lights[i].mode);

    // Places in a texture are kept where there is one to find them in.
    std::vector<char> textured(authored_.meshes.size(), 0);
    for (const AuthoredShape& shape : authored_.shapes)
    {
        const auto* mesh = std::get_if<Mesh>(&shape.shape);
        if (!mesh || !mesh->mesh.valid() || !shape.options.visual.valid()) continue;
        if (authored_.visual_materials[at(shape.options.visual.index)].texture.valid())
            textured[at(mesh->mesh.index)] = 1;
    }
    for (std::size_t i = 0; i < textured.size(); ++i)
    {
        if (!textured[i]) authored_.meshes[i].texcoords.clear();
    }
}

}  // namespace rattleback::mjcf
