// Opens a mesh file and hands it to the reader of its format.
#include "import/meshes/mesh_file.h"

#include <algorithm>
#include <string>

#include "base/within_memory.h"
#include "import/meshes/read_file.h"

namespace rattleback
{

MeshLimits make_mesh_limits(std::size_t bytes_left, const ImportOptions& options, const std::filesystem::path& root)
{
    MeshLimits limits;
    limits.bytes = bytes_left;
    // A part that a scene of glTF or COLLADA places many times stands in the file once.
    limits.vertices = std::min<std::uint64_t>(limits.vertices, bytes_left / sizeof(Vec3));
    limits.triangles = std::min<std::uint64_t>(limits.triangles, bytes_left / sizeof(std::array<int, 3>));
    if (options.strict) limits.root = root;
    return limits;
}

std::size_t count_bytes(const MeshOptions& mesh)
{
    return mesh.vertices.size() * sizeof(Vec3) + mesh.triangles.size() * sizeof(std::array<int, 3>);
}

namespace
{

Result<MeshOptions> load(const std::filesystem::path& path, const MeshLimits& limits, const ObjRules& rules)
{
    std::string extension = path.extension().string();
    std::transform(extension.begin(), extension.end(), extension.begin(),
                   [](char c) { return static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c); });
    const bool gltf = extension == ".gltf" || extension == ".glb";
    if (extension != ".obj" && extension != ".stl" && extension != ".msh" && extension != ".dae" &&
        extension != ".off" && !gltf)
    {
        return Error{.code = ErrorCode::unsupported,
                     .where = path.string(),
                     .message = extension.empty() ? "a mesh file without an extension"
                                                  : "meshes of type '" + extension + "' are not read",
                     .hint = "use .obj, .stl, .off, .msh, .dae, .gltf or .glb"};
    }
    const Result<std::vector<std::byte>> bytes = read_regular_file(path, limits.bytes);
    if (!bytes) return bytes.errors();
    if (extension == ".stl") return parse_stl(bytes.value(), path.string(), limits, rules.digits);
    if (extension == ".msh") return parse_msh(bytes.value(), path.string(), limits);
    if (gltf) return parse_gltf(bytes.value(), path.string(), path.parent_path(), limits);
    const auto* const text = reinterpret_cast<const char*>(bytes.value().data());
    if (extension == ".dae") return parse_collada({text, bytes.value().size()}, path.string(), limits);
    if (extension == ".off") return parse_off({text, bytes.value().size()}, path.string(), limits, rules.digits);
    return parse_obj({text, bytes.value().size()}, path.string(), limits, rules);
}

}  // namespace

Result<MeshOptions> load_mesh_file(const std::filesystem::path& path, const MeshLimits& limits, const ObjRules& rules)
{
    return within_memory(path, [&] { return load(path, limits, rules); });
}

}  // namespace rattleback
