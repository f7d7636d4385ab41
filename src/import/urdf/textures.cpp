// Textures of materials: PNG files, each read once. One that cannot be shown leaves the colour.
#include <algorithm>
#include <span>

#include "base/index.h"
#include "import/images/png.h"
#include "import/mjcf/files.h"
#include "import/urdf/assembly.h"
#include "model/texture_limits.h"

namespace rattleback::urdf
{

namespace
{

constexpr std::size_t kLargestFile = std::size_t{64} << 20;  // [bytes]

/// The file's bytes, at most `limit`.
Result<std::vector<std::byte>> read_png_file(const std::filesystem::path& path, std::size_t limit)
{
    const Result<std::string> text = mjcf::read_bytes(path, std::min(kLargestFile, limit));
    if (!text) return text.errors();
    const auto bytes = std::as_bytes(std::span(text.value()));
    const Result<PngSize> picture = read_png_size(bytes, path.generic_string());
    if (!picture) return picture.errors();
    if (std::uint64_t(picture->width) * std::uint64_t(picture->height) > kMostTexturePixels)
        return Error{ErrorCode::limit, path.generic_string(), "the picture has too many pixels",
                     "at most " + std::to_string(kMostTexturePixels)};
    return std::vector<std::byte>(bytes.begin(), bytes.end());
}

}  // namespace

Node Assembly::find_texture(const Node& visual)
{
    const Node material = visual.child("material");
    if (material && !material.child("texture") && material.has("name"))
    {
        // A material may be described at another place of the file, by its name.
        const auto found = textured_.find(material.text("name"));
        if (found != textured_.end()) return found->second.child("texture");
    }
    return material.child("texture");
}

VisualMaterialId Assembly::find_visual(const Node& visual)
{
    const Node texture = find_texture(visual);
    const std::string file = texture ? texture.text("filename") : std::string();
    if (file.empty()) return {};
    const Result<std::filesystem::path> path = find_mesh(file, places_);
    // One file is one texture, however its path is written; a file that was not found is blamed once.
    std::error_code code;
    const auto full = path ? std::filesystem::weakly_canonical(path.value(), code) : std::filesystem::path();
    const std::string key = path && !code ? full.generic_string() : "\n" + file;
    if (const auto known = visuals_.find(key); known != visuals_.end()) return known->second;
    const Result<std::vector<std::byte>> bytes =
        path ? read_png_file(path.value(), bytes_left_) : Result<std::vector<std::byte>>(path.errors());
    if (!bytes)
    {
        log_.warn(texture.location("filename"), "a texture is left out: " + bytes.errors().front().text(), "",
                  bytes.errors().front().code);
        return visuals_[key] = VisualMaterialId{};
    }
    bytes_left_ -= std::min(bytes_left_, bytes->size());
    TextureOptions options{.type = TextureType::flat};
    options.png.push_back(bytes.value());
    return visuals_[key] = builder_.add_visual_material({.texture = builder_.add_texture(std::move(options))});
}

void Assembly::drop_unused_places()
{
    std::vector<char> textured(authored_.meshes.size(), 0);
    for (const AuthoredShape& shape : authored_.shapes)
    {
        const auto* mesh = std::get_if<Mesh>(&shape.shape);
        if (mesh && shape.options.visual.valid()) textured[at(mesh->mesh.index)] = 1;
    }
    for (std::size_t i = 0; i < textured.size(); ++i)
    {
        if (!textured[i]) authored_.meshes[i].texcoords.clear();
    }
}

}  // namespace rattleback::urdf
