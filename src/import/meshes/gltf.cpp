// Reads the triangles of glTF 2.0: meshes where the nodes of the scene put them.
#include <cstring>

#include "import/meshes/gltf_document.h"
#include "import/meshes/placed_mesh.h"

namespace rattleback
{
namespace
{

using nlohmann::json;

constexpr std::uint32_t kMagic = 0x46546C67, kJsonChunk = 0x4E4F534A, kBinaryChunk = 0x004E4942;

/// The text and the binary part of a file, or what is wrong with them.
struct Chunks
{
    std::span<const std::byte> text, binary = {};
    std::string fault = {};
};

std::uint32_t read_word_at(std::span<const std::byte> bytes, std::size_t offset)
{
    std::uint32_t word = 0;
    if (offset + 4 <= bytes.size()) std::memcpy(&word, bytes.data() + offset, 4);
    return word;
}

/// GLB begins with a magic word, the version and the length; then come chunks, each with its length and type.
Chunks split_chunks(std::span<const std::byte> bytes)
{
    if (read_word_at(bytes, 0) != kMagic) return {bytes};
    Chunks chunks;
    if (bytes.size() < 20 || read_word_at(bytes, 4) != 2) chunks.fault = "not GLB of version 2";
    if (read_word_at(bytes, 8) > bytes.size())
        chunks.fault = "the file says " + std::to_string(read_word_at(bytes, 8)) + " bytes and has " +
                       std::to_string(bytes.size());
    for (std::size_t at = 12; at + 8 <= bytes.size() && chunks.fault.empty();)
    {
        const std::size_t length = read_word_at(bytes, at), type = read_word_at(bytes, at + 4),
                          left = bytes.size() - at - 8;
        if (length > left)
        {
            chunks.fault =
                "a chunk says " + std::to_string(length) + " bytes and the file has " + std::to_string(left) + " left";
            break;
        }
        if (type == kJsonChunk && at == 12) chunks.text = bytes.subspan(at + 8, length);
        if (type == kBinaryChunk && chunks.binary.empty()) chunks.binary = bytes.subspan(at + 8, length);
        at += 8 + length;
    }
    return chunks;
}

class GltfReader
{
public:
    GltfReader(GltfDocument& document, std::string_view name, const MeshLimits& limits)
        : document_(document), mesh_(name, limits)
    {
    }

    void read()
    {
        struct Open
        {
            std::uint64_t node;
            AffineMap place;
            int depth;
        };
        std::vector<Open> open;
        for (const std::uint64_t root : list_roots()) open.push_back({root, {kFromYUp, {}}, 1});
        for (int count = 0; !open.empty() && document_.good(); ++count)
        {
            const Open here = open.back();
            open.pop_back();
            if (count > kMaxSceneNodes || here.depth > kMaxSceneDepth || open.size() > kMaxSceneNodes)
                return document_.fail(ErrorCode::limit, "the scene has too many nodes, or nodes that hold themselves");
            const json& node = document_.find_item("nodes", here.node);
            const AffineMap place = here.place * read_place(node);
            if (node.contains("mesh"))
                read_mesh(document_.find_item("meshes", document_.read_count(node, "mesh")), place);
            for (const std::uint64_t child : document_.read_references(node, "children"))
            {
                if (open.size() <= kMaxSceneNodes) open.push_back({child, place, here.depth + 1});
            }
        }
        if (!mesh_.has_triangles()) document_.fail(ErrorCode::invalid_value, "the scene has no triangles");
    }
    MeshOptions take() { return mesh_.take(); }

private:
    /// A matrix by columns, or translation, rotation and scale.
    AffineMap read_place(const json& node)
    {
        if (node.contains("matrix"))
        {
            const std::vector<double> n = document_.read_numbers(node, "matrix", std::vector<double>(16));
            return {{{n[0], n[4], n[8], n[1], n[5], n[9], n[2], n[6], n[10]}}, {n[12], n[13], n[14]}};
        }
        const std::vector<double> t = document_.read_numbers(node, "translation", {0, 0, 0}),
                                  r = document_.read_numbers(node, "rotation", {0, 0, 0, 1}),
                                  s = document_.read_numbers(node, "scale", {1, 1, 1});
        const Quat turn{r[3], r[0], r[1], r[2]};
        const Mat3 stretch{{s[0], 0, 0, 0, s[1], 0, 0, 0, s[2]}};
        return {to_matrix(norm(turn) > 0 ? normalized(turn) : Quat{}) * stretch, {t[0], t[1], t[2]}};
    }

    /// Of the scene to show, or, without scenes, every node that no other holds.
    std::vector<std::uint64_t> list_roots()
    {
        const json& root = document_.root();
        if (root.contains("scenes"))
            return document_.read_references(document_.find_item("scenes", document_.read_count(root, "scene", 0)),
                                             "nodes");
        const auto nodes = root.find("nodes");
        const std::size_t count = nodes != root.end() && nodes->is_array() ? nodes->size() : 0;
        std::vector<char> held(count, 0);
        for (std::size_t i = 0; i < count; ++i)
        {
            for (const std::uint64_t child : document_.read_references(document_.find_item("nodes", i), "children"))
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
            return document_.fail(ErrorCode::syntax, "a mesh has no 'primitives'");
        for (const json& primitive : *primitives)
        {
            if (++primitive_count_ > kMaxSceneNodes) document_.fail(ErrorCode::limit, "the scene has too many parts");
            const std::uint64_t mode = document_.read_count(primitive, "mode", 4);
            if (!document_.good()) return;
            if (mode > 6) return document_.fail(ErrorCode::syntax, "there is no 'mode' " + std::to_string(mode));
            if (mode >= 4) read_primitive(primitive, mode, place);  // below: points and lines
        }
    }

    void read_primitive(const json& primitive, std::uint64_t mode, const AffineMap& place)
    {
        const auto attributes = primitive.find("attributes");
        if (attributes == primitive.end()) return document_.fail(ErrorCode::syntax, "a primitive has no 'attributes'");
        const std::vector<Vec3> points = document_.read_points(document_.read_count(*attributes, "POSITION"));
        if (!document_.good()) return;
        if (!mesh_.add_part(points, place)) return document_.fail(ErrorCode::limit, mesh_.fault());
        std::vector<std::uint32_t> corners;
        if (primitive.contains("indices"))
            corners = document_.read_indices(document_.read_count(primitive, "indices"));
        else
        {
            for (std::uint32_t i = 0; i < points.size(); ++i) corners.push_back(i);
        }
        for (const std::uint32_t corner : corners)
        {
            if (corner >= points.size())
                return document_.fail(ErrorCode::invalid_value, "index " + std::to_string(corner) + " names none of " +
                                                                    std::to_string(points.size()) + " vertices");
        }
        add_triangles(corners, mode);
    }

    void add_triangles(const std::vector<std::uint32_t>& corners, std::uint64_t mode)
    {
        const bool list = mode == 4, strip = mode == 5;
        const auto c = [&](std::size_t i) { return static_cast<int>(corners[i]); };
        if (list && corners.size() % 3 != 0)
            return document_.fail(ErrorCode::invalid_value, "the corners of triangles are no multiple of three");
        for (std::size_t i = 2; i < corners.size(); i += list ? 3 : 1)
        {
            // Strips turn every second triangle; fans share their first corner.
            const bool turned = strip && i % 2 == 1;
            const std::size_t first = list || strip ? i - 2 : 0;
            if (!mesh_.add_triangle({c(first), c(turned ? i : i - 1), c(turned ? i - 1 : i)}))
                return document_.fail(ErrorCode::limit, mesh_.fault());
        }
    }

    GltfDocument& document_;
    PlacedMesh mesh_;
    int primitive_count_ = 0;
};

}  // namespace

Result<MeshOptions> parse_gltf(std::span<const std::byte> bytes, std::string_view name,
                               const std::filesystem::path& folder, const MeshLimits& limits)
{
    const Chunks chunks = split_chunks(bytes);
    if (!chunks.fault.empty()) return Error{ErrorCode::invalid_value, std::string(name), chunks.fault, {}};
    GltfDocument document(chunks.text, chunks.binary, folder, limits);
    if (!document.good()) return document.take_fault(name);
    GltfReader reader(document, name, limits);
    reader.read();
    if (!document.good()) return document.take_fault(name);
    return reader.take();
}

}  // namespace rattleback
