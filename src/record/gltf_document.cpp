// glTF's JSON, written by hand: the format is small, and the core has no JSON library.
#include "record/gltf_document.h"

#include "base/all_of.h"
#include "base/bytes.h"
#include "base/text.h"

#include <algorithm>
#include <cmath>

namespace rattleback
{

namespace
{

constexpr int kVertexData = 34962, kIndexData = 34963;
constexpr const char* kFloat = "5126";
constexpr const char* kUnsignedInt = "5125";

std::string join(const std::vector<std::string>& items)
{
    std::string text = "[";
    for (const std::string& item : items) text += (text.size() > 1 ? "," : "") + item;
    return text + "]";
}

template <class Numbers>
std::string to_list(const Numbers& numbers)
{
    std::vector<std::string> items;
    for (const auto number : numbers)
    {
        if constexpr (std::is_integral_v<typename Numbers::value_type>)
            items.push_back(std::to_string(number));
        else
            append_number(items.emplace_back(), static_cast<double>(number));
    }
    return join(items);
}

/// Colours are given as on a screen; glTF wants amounts of light.
float to_linear(float value)
{
    const double c = std::clamp(static_cast<double>(value), 0.0, 1.0);
    return static_cast<float>(c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4));
}

/// "first" and "last" of every column of rows.
std::string make_bounds(const std::vector<float>& values, std::size_t width)
{
    std::vector<float> lower(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(width));
    std::vector<float> upper = lower;
    for (std::size_t i = width; i < values.size(); ++i)
    {
        lower[i % width] = std::min(lower[i % width], values[i]);
        upper[i % width] = std::max(upper[i % width], values[i]);
    }
    return ",\"min\":" + to_list(lower) + ",\"max\":" + to_list(upper);
}

}  // namespace

GltfDocument::Index GltfDocument::add_view(std::span<const std::byte> bytes, int target)
{
    const std::string place = std::to_string(buffer_.size());
    buffer_.insert(buffer_.end(), bytes.begin(), bytes.end());
    views_.push_back("{\"buffer\":0,\"byteOffset\":" + place + ",\"byteLength\":" + std::to_string(bytes.size()) +
                     (target != 0 ? ",\"target\":" + std::to_string(target) : "") + "}");
    return views_.size() - 1;
}

GltfDocument::Index GltfDocument::add_floats(const std::vector<float>& values, const View& view)
{
    if (!all_of(values, [](float value) { return std::isfinite(value); })) finite_ = false;
    const Index index = add_view(std::as_bytes(std::span(values)), view.target);
    accessors_.push_back("{\"bufferView\":" + std::to_string(index) + ",\"componentType\":" + kFloat +
                         ",\"count\":" + std::to_string(values.size() / view.width) + ",\"type\":\"" + view.type +
                         "\"" + (view.with_bounds ? make_bounds(values, view.width) : "") + "}");
    return accessors_.size() - 1;
}

GltfDocument::Index GltfDocument::add_indices(const std::vector<std::uint32_t>& indices)
{
    const Index index = add_view(std::as_bytes(std::span(indices)), kIndexData);
    accessors_.push_back("{\"bufferView\":" + std::to_string(index) + ",\"componentType\":" + kUnsignedInt +
                         ",\"count\":" + std::to_string(indices.size()) + ",\"type\":\"SCALAR\"}");
    return accessors_.size() - 1;
}

std::vector<float> GltfDocument::to_floats(const std::vector<Vec3>& vectors)
{
    std::vector<float> values;
    values.reserve(3 * vectors.size());
    for (const Vec3& v : vectors)
    {
        for (const double entry : {v.x, v.y, v.z}) values.push_back(static_cast<float>(entry));
    }
    return values;
}

GltfDocument::Index GltfDocument::add_material(const std::array<float, 4>& colour, bool two_sided)
{
    const float opacity = std::clamp(colour[3], 0.0F, 1.0F);
    const std::array<float, 4> factor{to_linear(colour[0]), to_linear(colour[1]), to_linear(colour[2]), opacity};
    materials_.push_back("{\"pbrMetallicRoughness\":{\"baseColorFactor\":" + to_list(factor) +
                         ",\"metallicFactor\":0,\"roughnessFactor\":0.6}" +
                         (opacity < 1 ? ",\"alphaMode\":\"BLEND\"" : "") + (two_sided ? ",\"doubleSided\":true" : "") +
                         "}");
    return materials_.size() - 1;
}

std::optional<GltfDocument::Index> GltfDocument::add_mesh(const Drawing& drawing, Index material)
{
    if (drawing.vertices.empty() || drawing.indices.empty()) return std::nullopt;
    const View view{.target = kVertexData, .type = "VEC3", .width = 3, .with_bounds = true};
    std::string attributes = "\"POSITION\":" + std::to_string(add_floats(to_floats(drawing.vertices), view));
    if (!drawing.normals.empty())
    {
        const View normals{.target = kVertexData, .type = "VEC3", .width = 3};
        attributes += ",\"NORMAL\":" + std::to_string(add_floats(to_floats(drawing.normals), normals));
    }
    constexpr std::array<int, 3> kModes{0, 1, 4};  // points, lines, triangles
    const std::string indices = std::to_string(add_indices(drawing.indices));
    meshes_.push_back("{\"primitives\":[{\"attributes\":{" + attributes + "},\"indices\":" + indices +
                      ",\"material\":" + std::to_string(material) +
                      ",\"mode\":" + std::to_string(kModes[static_cast<std::size_t>(drawing.mode)]) + "}]}");
    return meshes_.size() - 1;
}

GltfDocument::Index GltfDocument::add_node(std::string_view name, const Pose& pose, const std::vector<Index>& children,
                                           const std::string& more)
{
    const auto& [p, r] = pose;
    const std::array<float, 3> position{static_cast<float>(p.x), static_cast<float>(p.y), static_cast<float>(p.z)};
    const std::array<double, 4> rotation{r.x, r.y, r.z, r.w};
    const auto is_finite = [](auto value) { return std::isfinite(value); };
    if (!all_of(position, is_finite) || !all_of(rotation, is_finite)) finite_ = false;
    nodes_.push_back("{\"name\":" + to_json_string(name) + ",\"translation\":" + to_list(position) + ",\"rotation\":" +
                     to_list(rotation) + (children.empty() ? "" : ",\"children\":" + to_list(children)) + more + "}");
    return nodes_.size() - 1;
}

GltfDocument::Index GltfDocument::add_track(const std::vector<float>& values, std::size_t width)
{
    return add_floats(values, {.target = 0,
                               .type = width == 1   ? "SCALAR"
                                       : width == 3 ? "VEC3"
                                                    : "VEC4",
                               .width = width,
                               .with_bounds = width == 1});
}

void GltfDocument::add_channel(Index node, const char* path, Index times, Index values)
{
    samplers_.push_back("{\"input\":" + std::to_string(times) + ",\"output\":" + std::to_string(values) + "}");
    channels_.push_back("{\"sampler\":" + std::to_string(samplers_.size() - 1) +
                        ",\"target\":{\"node\":" + std::to_string(node) + ",\"path\":\"" + path + "\"}}");
}

std::string GltfDocument::json(std::string_view scene_name, Index root, const std::string& uri) const
{
    std::string text =
        "{\"asset\":{\"version\":\"2.0\",\"generator\":\"Rattleback\"},\"scene\":0,\"scenes\":[{\"name\":" +
        to_json_string(scene_name) + ",\"nodes\":[" + std::to_string(root) + "]}]";
    // glTF forbids empty lists.
    const auto add = [&](const char* name, const std::vector<std::string>& items)
    {
        if (!items.empty()) text += std::string(",\"") + name + "\":" + join(items);
    };
    add("nodes", nodes_);
    add("materials", materials_);
    add("meshes", meshes_);
    add("accessors", accessors_);
    add("bufferViews", views_);
    if (!channels_.empty())
        text += ",\"animations\":[{\"samplers\":" + join(samplers_) + ",\"channels\":" + join(channels_) + "}]";
    if (!buffer_.empty()) text += ",\"buffers\":[{\"byteLength\":" + std::to_string(buffer_.size()) + uri + "}]";
    return text + "}";
}

std::string GltfDocument::text(std::string_view scene_name, Index root) const
{
    return json(scene_name, root, ",\"uri\":\"data:application/octet-stream;base64," + to_base64(buffer_) + "\"");
}

std::vector<std::byte> GltfDocument::binary(std::string_view scene_name, Index root) const
{
    std::string description = json(scene_name, root, "");
    description.resize((description.size() + 3) / 4 * 4, ' ');
    const auto size = [](std::size_t bytes) { return static_cast<std::uint32_t>(bytes); };
    const std::size_t buffer_chunk = buffer_.empty() ? 0 : 8 + buffer_.size();  // values have 4 bytes: no padding
    std::vector<std::byte> bytes;
    append(bytes, std::uint32_t{0x46546C67});  // "glTF"
    append(bytes, std::uint32_t{2});
    append(bytes, size(12 + 8 + description.size() + buffer_chunk));
    append(bytes, size(description.size()));
    append(bytes, std::uint32_t{0x4E4F534A});  // "JSON"
    const auto raw = std::as_bytes(std::span(description));
    bytes.insert(bytes.end(), raw.begin(), raw.end());
    if (buffer_.empty()) return bytes;
    append(bytes, size(buffer_.size()));
    append(bytes, std::uint32_t{0x004E4942});  // "BIN"
    bytes.insert(bytes.end(), buffer_.begin(), buffer_.end());
    return bytes;
}

}  // namespace rattleback
