// Textures of materials: PNG files, each read once. One that cannot be shown leaves the colour.
#include <algorithm>
#include <fstream>
#include <iterator>
#include <span>

#include "base/index.h"
#include "import/images/png.h"
#include "import/urdf/assembly.h"

namespace rattleback::urdf
{

namespace
{

constexpr std::uint64_t kLargestFile = std::uint64_t{64} << 20;    // [bytes]
constexpr std::uint64_t kMostPixels = std::uint64_t{8192} * 8192;  // of a texture

Result<std::vector<std::byte>> read_png_file(const std::filesystem::path& path)
{
    const auto refuse = [&](const char* why) { return Error{ErrorCode::io, path.generic_string(), why, "a PNG file"}; };
    std::error_code code;
    const auto size = std::filesystem::file_size(path, code);
    if (code || !std::filesystem::is_regular_file(path, code)) return refuse("not a file");
    if (size > kLargestFile) return refuse("the file is too large for a texture");
    std::ifstream stream(path, std::ios::binary);
    const std::string text{std::istreambuf_iterator<char>(stream), {}};
    const auto bytes = std::as_bytes(std::span(text));
    const Result<PngSize> picture = read_png_size(bytes, path.generic_string());
    if (!picture) return picture.errors();
    if (std::uint64_t(picture->width) * std::uint64_t(picture->height) > kMostPixels)
        return refuse("the picture has too many pixels");
    return std::vector<std::byte>(bytes.begin(), bytes.end());
}

}  // namespace

VisualMaterialId Assembly::find_visual(const Node& visual)
{
    Node material = visual.child("material");
    // A material may be described at another place of the file, by its name.
    for (const Node& other : robot_.node.children("material"))
    {
        const bool named = material && !material.child("texture") && material.has("name");
        if (named && other.text("name") == material.text("name") && other.child("texture")) material = other;
    }
    const Node texture = material.child("texture");
    const std::string file = texture ? texture.text("filename") : std::string();
    if (file.empty()) return {};
    if (const auto known = visuals_.find(file); known != visuals_.end()) return known->second;
    const Result<std::filesystem::path> path = find_mesh(file, places_);
    const Result<std::vector<std::byte>> bytes =
        path ? read_png_file(path.value()) : Result<std::vector<std::byte>>(path.errors());
    if (!bytes)
    {
        log_.warn(texture.location("filename"), "a texture is left out: " + bytes.errors().front().text(), "",
                  bytes.errors().front().code);
        return visuals_[file] = VisualMaterialId{};
    }
    TextureOptions options{.type = TextureType::flat};
    options.png.push_back(bytes.value());
    return visuals_[file] = builder_.add_visual_material({.texture = builder_.add_texture(std::move(options))});
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
