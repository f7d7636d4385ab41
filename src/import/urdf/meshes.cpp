// Reads the meshes of a robot, each file and scale once.
#include <cmath>

#include "geometry/hull.h"
#include "import/meshes/mesh_file.h"
#include "import/urdf/assembly.h"

namespace rattleback::urdf
{

std::optional<MeshOptions> Assembly::read_mesh_file(const Node& mesh, bool visual)
{
    // Robots without a picture of a part still move: what is only to look at may be missing.
    const auto refuse = [&](const std::vector<Error>& errors)
    {
        if (!visual) log_.append(mesh.location("filename"), errors);
        if (visual)
            log_.warn(mesh.location("filename"), "a mesh to look at is left out: " + errors.front().text(), "",
                      errors.front().code);
        return std::nullopt;
    };
    const Result<std::filesystem::path> path = find_mesh(mesh.text("filename"), places_);
    if (!path) return refuse(path.errors());
    const MeshLimits limits = make_mesh_limits(bytes_left_, options_, places_.folder);
    Result<MeshOptions> read = load_mesh_file(path.value(), limits, {.groups = ObjGroups::all});
    if (!read) return refuse(read.errors());
    std::error_code code;
    const auto size = std::filesystem::file_size(path.value(), code);
    bytes_left_ -= std::min(bytes_left_, std::max<std::size_t>(code ? 0 : size, count_bytes(*read)));
    if (!read->triangles.empty()) return std::move(read).value();
    // Points alone stand for their hull, as in MJCF.
    Result<MeshOptions> hull = compute_hull(read->vertices);
    if (!hull) return refuse(hull.errors());
    hull->name = read->name;
    return std::move(hull).value();
}

std::optional<MeshId> Assembly::find_mesh_asset(const Node& mesh, bool visual)
{
    if (!mesh.required("filename")) return std::nullopt;
    const Vec3 scale = mesh.vector("scale", {1, 1, 1});
    if (scale.x * scale.y * scale.z == 0 || !std::isfinite(norm(scale)))
    {
        mesh.fail_at("scale", "'scale' of 'mesh' has a zero", "three numbers, negative ones mirror");
        return std::nullopt;
    }
    const std::string key = mesh.text("filename") + "\n" + mesh.text("scale") + (visual ? "\nvisual" : "");
    if (const auto found = meshes_.find(key); found != meshes_.end()) return found->second;
    std::optional<MeshOptions> read = read_mesh_file(mesh, visual);
    if (!read) return meshes_[key] = std::nullopt;
    for (Vec3& v : read->vertices) v = {scale.x * v.x, scale.y * v.y, scale.z * v.z};
    if (scale.x * scale.y * scale.z < 0)
    {
        for (auto& triangle : read->triangles) std::swap(triangle[1], triangle[2]);
        for (std::size_t i = 0; i + 2 < read->texcoords.size(); i += 3)
            std::swap(read->texcoords[i + 1], read->texcoords[i + 2]);
    }
    // Names of files repeat; a later one gets a number.
    const std::string stem = read->name;
    for (int i = 2; make_unique("mesh", read->name).empty(); ++i) read->name = stem + " " + std::to_string(i);
    blame("mesh", read->name, mesh);
    return meshes_[key] = builder_.add_mesh(std::move(*read));
}

}  // namespace rattleback::urdf
