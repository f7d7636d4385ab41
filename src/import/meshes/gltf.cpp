// Reads the triangles of glTF 2.0: meshes where the nodes of the scene put them.
#include <cmath>
#include <cstring>

#include "import/meshes/gltf_buffers.h"
#include "import/meshes/placed_mesh.h"
#include "import/meshes/text_cursor.h"

namespace rattleback
{
namespace
{

using nlohmann::json;

constexpr std::size_t kMaxJson = std::size_t{64} << 20;  // of its text [bytes]; as a tree it takes some ten times that
constexpr std::uint32_t kMagic = 0x46546C67, kJsonChunk = 0x4E4F534A, kBinaryChunk = 0x004E4942;

/// The text and the binary part of a file; GLB begins with a magic word.
struct Chunks
{
    std::span<const std::byte> text, binary = {};
};

std::uint32_t read_word_at(std::span<const std::byte> bytes, std::size_t offset)
{
    std::uint32_t word = 0;
    if (offset + 4 <= bytes.size()) std::memcpy(&word, bytes.data() + offset, 4);
    return word;
}

Chunks split_chunks(std::span<const std::byte> bytes)
{
    if (bytes.size() < 4 || read_word_at(bytes, 0) != kMagic) return {bytes};
    if (bytes.size() < 20 || read_word_at(bytes, 4) != 2)
        throw GltfFault{ErrorCode::unsupported, "not GLB of version 2"};
    if (read_word_at(bytes, 8) > bytes.size())
        throw GltfFault{ErrorCode::invalid_value, "the file says " + std::to_string(read_word_at(bytes, 8)) +
                                                      " bytes and has " + std::to_string(bytes.size())};
    Chunks chunks;
    for (std::size_t at = 12; at + 8 <= bytes.size();)
    {
        const std::size_t length = read_word_at(bytes, at), type = read_word_at(bytes, at + 4);
        if (length > bytes.size() - at - 8)
            throw GltfFault{ErrorCode::invalid_value,
                            "a chunk says " + std::to_string(length) + " bytes, more than the file has left"};
        if (type == kJsonChunk && at == 12) chunks.text = bytes.subspan(at + 8, length);
        if (type == kBinaryChunk && chunks.binary.empty()) chunks.binary = bytes.subspan(at + 8, length);
        at += 8 + length;
    }
    return chunks;
}

json parse_text(std::span<const std::byte> text)
{
    if (text.size() > kMaxJson)
        throw GltfFault{ErrorCode::limit, "the JSON part is longer than " + std::to_string(kMaxJson) + " bytes"};
    const auto* const begin = reinterpret_cast<const char*>(text.data());
    json document = json::parse(begin, begin + text.size(), nullptr, false);
    if (document.is_discarded() || !document.is_object())
        throw GltfFault{ErrorCode::syntax, "not glTF: the text is no JSON object"};
    // Extensions about looks change no vertex.
    const auto required = document.find("extensionsRequired");
    if (required == document.end()) return document;
    for (const json& word : *required)
    {
        const std::string name = word.is_string() ? word.get<std::string>() : "";
        if (!name.starts_with("KHR_materials_") && !name.starts_with("KHR_texture_") &&
            !name.starts_with("KHR_lights_"))
            throw GltfFault{ErrorCode::unsupported,
                            "the extension " + quoted(std::string_view(name)) + " is not supported"};
    }
    return document;
}

/// So many numbers; missing: the default.
std::vector<double> read_list(const json& object, const char* member, const std::vector<double>& missing)
{
    const auto found = object.find(member);
    if (found == object.end()) return missing;
    std::vector<double> numbers;
    const bool fits = found->is_array() && found->size() == missing.size();
    for (std::size_t i = 0; fits && i < missing.size(); ++i)
    {
        if ((*found)[i].is_number()) numbers.push_back((*found)[i].get<double>());
    }
    if (numbers.size() != missing.size())
        throw GltfFault{ErrorCode::syntax, std::string("'") + member + "' of a node must be " +
                                               std::to_string(missing.size()) + " numbers"};
    return numbers;
}

/// A matrix by columns, or translation, rotation and scale.
AffineMap read_place(const json& node)
{
    if (node.contains("matrix"))
    {
        const std::vector<double> n = read_list(node, "matrix", std::vector<double>(16));
        return {{{n[0], n[4], n[8], n[1], n[5], n[9], n[2], n[6], n[10]}}, {n[12], n[13], n[14]}};
    }
    const std::vector<double> t = read_list(node, "translation", {0, 0, 0}),
                              r = read_list(node, "rotation", {0, 0, 0, 1}), s = read_list(node, "scale", {1, 1, 1});
    const Quat turn{r[3], r[0], r[1], r[2]};
    const Mat3 stretch{{s[0], 0, 0, 0, s[1], 0, 0, 0, s[2]}};
    return {to_matrix(norm(turn) > 0 ? normalized(turn) : Quat{}) * stretch, {t[0], t[1], t[2]}};
}

/// Indices in a list of the document or of a node; missing: none.
std::vector<std::uint64_t> read_references(const json& object, const char* member)
{
    std::vector<std::uint64_t> indices;
    const auto found = object.find(member);
    if (found == object.end()) return indices;
    for (const json& index : *found)
    {
        if (!index.is_number_unsigned())
            throw GltfFault{ErrorCode::syntax, std::string("'") + member + "' must be a list of whole numbers"};
        indices.push_back(index.get<std::uint64_t>());
    }
    return indices;
}

class GltfReader
{
public:
    GltfReader(const json& document, GltfBuffers buffers, std::string_view name, const MeshLimits& limits)
        : document_(document), buffers_(std::move(buffers)), limits_(limits), mesh_(name, limits)
    {
    }

    MeshOptions read()
    {
        struct Open
        {
            std::uint64_t node;
            AffineMap place;
            int depth;
        };
        std::vector<Open> open;
        for (const std::uint64_t root : list_roots()) open.push_back({root, {kFromYUp, {}}, 1});
        for (int count = 0; !open.empty(); ++count)
        {
            const Open here = open.back();
            open.pop_back();
            if (count > kMaxSceneNodes || here.depth > kMaxSceneDepth)
                throw GltfFault{ErrorCode::limit, "the scene has too many nodes, or nodes that hold themselves"};
            const json& node = find_item(document_, "nodes", here.node);
            const AffineMap place = here.place * read_place(node);
            if (node.contains("mesh")) read_mesh(find_item(document_, "meshes", read_count(node, "mesh")), place);
            for (const std::uint64_t child : read_references(node, "children"))
                open.push_back({child, place, here.depth + 1});
        }
        if (!mesh_.has_triangles()) throw GltfFault{ErrorCode::invalid_value, "the scene has no triangles"};
        return mesh_.take();
    }

private:
    /// Of the scene to show, or, without scenes, every node that no other holds.
    std::vector<std::uint64_t> list_roots() const
    {
        if (document_.contains("scenes"))
            return read_references(find_item(document_, "scenes", read_count(document_, "scene", 0)), "nodes");
        const auto nodes = document_.find("nodes");
        const std::size_t count = nodes != document_.end() && nodes->is_array() ? nodes->size() : 0;
        std::vector<char> held(count, 0);
        for (std::size_t i = 0; i < count; ++i)
        {
            for (const std::uint64_t child : read_references(find_item(document_, "nodes", i), "children"))
            {
                if (child < count) held[static_cast<std::size_t>(child)] = 1;
            }
        }
        std::vector<std::uint64_t> roots;
        for (std::size_t i = 0; i < count; ++i)
        {
            if (!held[i]) roots.push_back(i);
        }
        return roots;
    }

    void read_mesh(const json& mesh, const AffineMap& place)
    {
        const auto primitives = mesh.find("primitives");
        if (primitives == mesh.end() || !primitives->is_array())
            throw GltfFault{ErrorCode::syntax, "a mesh has no 'primitives'"};
        for (const json& primitive : *primitives)
        {
            if (++primitive_count_ > kMaxSceneNodes) throw GltfFault{ErrorCode::limit, "the scene has too many parts"};
            const std::uint64_t mode = read_count(primitive, "mode", 4);
            const auto attributes = primitive.find("attributes");
            if (mode < 4) continue;  // points and lines
            if (mode > 6) throw GltfFault{ErrorCode::syntax, "there is no 'mode' " + std::to_string(mode)};
            if (attributes == primitive.end() || !attributes->is_object())
                throw GltfFault{ErrorCode::syntax, "a primitive has no 'attributes'"};
            const std::vector<Vec3> points =
                buffers_.read_points(read_count(*attributes, "POSITION"), limits_.vertices);
            if (!mesh_.add_part(points, place)) throw GltfFault{ErrorCode::limit, mesh_.fault()};
            add_triangles(list_corners(primitive, points.size()), mode);
        }
    }

    std::vector<int> list_corners(const json& primitive, std::size_t point_count)
    {
        std::vector<int> corners;
        if (!primitive.contains("indices"))
        {
            for (std::size_t i = 0; i < point_count; ++i) corners.push_back(static_cast<int>(i));
            return corners;
        }
        for (const std::uint32_t index : buffers_.read_indices(read_count(primitive, "indices"), 3 * limits_.triangles))
        {
            if (index >= point_count)
                throw GltfFault{ErrorCode::invalid_value, "index " + std::to_string(index) + " names none of " +
                                                              std::to_string(point_count) + " vertices"};
            corners.push_back(static_cast<int>(index));
        }
        return corners;
    }

    void add_triangles(const std::vector<int>& c, std::uint64_t mode)
    {
        const bool list = mode == 4, strip = mode == 5;
        if (list && c.size() % 3 != 0)
            throw GltfFault{ErrorCode::invalid_value, "the corners of triangles are no multiple of three"};
        for (std::size_t i = 2; i < c.size(); i += list ? 3 : 1)
        {
            // Strips turn every second triangle; fans share their first corner.
            const bool turned = strip && i % 2 == 1;
            const std::size_t first = list || strip ? i - 2 : 0;
            if (!mesh_.add_triangle({c[first], c[turned ? i : i - 1], c[turned ? i - 1 : i]}))
                throw GltfFault{ErrorCode::limit, mesh_.fault()};
        }
    }

    const json& document_;
    GltfBuffers buffers_;
    const MeshLimits& limits_;
    PlacedMesh mesh_;
    int primitive_count_ = 0;
};

}  // namespace

Result<MeshOptions> parse_gltf(std::span<const std::byte> bytes, std::string_view name,
                               const std::filesystem::path& folder, const MeshLimits& limits)
{
    try
    {
        const Chunks chunks = split_chunks(bytes);
        const json document = parse_text(chunks.text);
        return GltfReader(document, GltfBuffers(document, chunks.binary, folder, limits.bytes), name, limits).read();
    }
    catch (const GltfFault& fault)
    {
        return Error{fault.code, std::string(name), fault.message, fault.hint};
    }
}

}  // namespace rattleback
