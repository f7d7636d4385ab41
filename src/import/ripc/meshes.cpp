// Finds, reads and sorts the meshes of a scene.
#include "import/ripc/meshes.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "base/disjoint_sets.h"
#include "base/file.h"
#include "base/index.h"
#include "geometry/mesh_mass.h"
#include "import/meshes/mesh_file.h"
#include "import/mjcf/check_attribute.h"
#include "import/mjcf/files.h"

namespace rattleback::ripc
{

namespace
{

constexpr int kMostAncestors = 16;         // folders above a scene in which `meshes` is looked for
constexpr double kLargestExtent = 1e9;     // [m]
constexpr std::size_t kCopies = 4;         // scaled meshes may take so many times the bytes of all files
constexpr const char* kFolder = "meshes";  // where the reference keeps them

/// Triangles that name a vertex twice bound nothing.
int drop_degenerate(MeshOptions& mesh)
{
    const auto is_degenerate = [](const std::array<int, 3>& t) { return t[0] == t[1] || t[1] == t[2] || t[2] == t[0]; };
    const auto count = std::erase_if(mesh.triangles, is_degenerate) +
                       std::erase_if(mesh.edges, [](const std::array<int, 2>& e) { return e[0] == e[1]; });
    return static_cast<int>(count);
}

/// Triangles whose three corners lie on one line, to rounding. They bound nothing either, but their neighbours meet in
/// them: left out they would open the mesh.
int count_flat(const MeshOptions& mesh)
{
    int count = 0;
    for (const auto& [a, b, c] : mesh.triangles)
    {
        const Vec3 u = mesh.vertices[at(b)] - mesh.vertices[at(a)], v = mesh.vertices[at(c)] - mesh.vertices[at(a)];
        const double longest = std::max({dot(u, u), dot(v, v), dot(u - v, u - v)});
        if (norm(cross(u, v)) <= 1e-14 * longest) ++count;
    }
    return count;
}

/// Edges in more than two triangles: a surface that branches bounds no solid.
int count_branches(const MeshOptions& mesh)
{
    std::vector<std::array<int, 2>> sides;
    for (const auto& t : mesh.triangles)
        for (int k = 0; k < 3; ++k)
            sides.push_back({std::min(t[at(k)], t[at((k + 1) % 3)]), std::max(t[at(k)], t[at((k + 1) % 3)])});
    std::sort(sides.begin(), sides.end());
    int count = 0;
    for (std::size_t i = 0; i + 2 < sides.size(); ++i)
        if (sides[i] == sides[i + 2] && (i == 0 || sides[i - 1] != sides[i])) ++count;
    return count;
}

void scale_mesh(const Body& body, MeshOptions& mesh)
{
    Vec3 factor = body.scale;
    if (body.dimensions)
    {
        Vec3 lower = mesh.vertices.front(), upper = lower;
        for (const Vec3& v : mesh.vertices)
        {
            for (int i = 0; i < 3; ++i)
            {
                lower[i] = std::min(lower[i], v[i]);
                upper[i] = std::max(upper[i], v[i]);
            }
        }
        // What has no extent in a direction gets none, whatever is asked for.
        for (int i = 0; i < 3; ++i)
            factor[i] = (*body.dimensions)[i] / (upper[i] == lower[i] ? 1 : upper[i] - lower[i]);
    }
    for (Vec3& v : mesh.vertices) v = {factor.x * v.x, factor.y * v.y, factor.z * v.z};
    if (factor.x * factor.y * factor.z < 0)
        for (auto& triangle : mesh.triangles) std::swap(triangle[1], triangle[2]);
}

/// The same elements with only the vertices that they use.
MeshOptions keep_used(const MeshOptions& mesh, std::vector<std::array<int, 3>> triangles,
                      std::vector<std::array<int, 2>> edges, const std::vector<int>& points)
{
    MeshOptions part;
    std::vector<int> place(mesh.vertices.size(), -1);
    const auto visit = [&](auto&& use)
    {
        for (auto& triangle : triangles)
            for (int& vertex : triangle) use(vertex);
        for (auto& edge : edges)
            for (int& vertex : edge) use(vertex);
    };
    visit([&](int vertex) { place[at(vertex)] = 0; });
    for (const int vertex : points) place[at(vertex)] = 0;
    for (std::size_t i = 0; i < place.size(); ++i)
    {
        if (place[i] < 0) continue;
        place[i] = static_cast<int>(part.vertices.size());
        part.vertices.push_back(mesh.vertices[i]);
    }
    visit([&](int& vertex) { vertex = place[at(vertex)]; });
    part.triangles = std::move(triangles);
    part.edges = std::move(edges);
    part.name = mesh.name;
    return part;
}

/// Edges of no triangle, each once.
std::vector<std::array<int, 2>> find_loose_edges(const MeshOptions& mesh)
{
    std::vector<std::array<int, 2>> sides, loose;
    for (const auto& t : mesh.triangles)
        for (std::size_t k = 0; k < 3; ++k)
            sides.push_back({std::min(t[k], t[(k + 1) % 3]), std::max(t[k], t[(k + 1) % 3])});
    std::sort(sides.begin(), sides.end());
    for (const auto& [a, b] : mesh.edges)
    {
        const std::array<int, 2> edge{std::min(a, b), std::max(a, b)};
        if (!std::binary_search(sides.begin(), sides.end(), edge)) loose.push_back(edge);
    }
    std::sort(loose.begin(), loose.end());
    loose.erase(std::unique(loose.begin(), loose.end()), loose.end());
    return loose;
}

std::vector<int> find_loose_points(const MeshOptions& mesh)
{
    std::vector<char> used(mesh.vertices.size(), 0);
    for (const auto& triangle : mesh.triangles)
        for (const int vertex : triangle) used[at(vertex)] = 1;
    for (const auto& edge : mesh.edges)
        for (const int vertex : edge) used[at(vertex)] = 1;
    std::vector<int> loose;
    for (std::size_t i = 0; i < used.size(); ++i)
        if (used[i] == 0) loose.push_back(static_cast<int>(i));
    return loose;
}

/// Triangles that hang together by their corners, as meshes of their own, in the order of their first triangle.
std::vector<MeshOptions> split_mesh(const MeshOptions& mesh)
{
    DisjointSets sets(mesh.vertices.size());
    for (const auto& [a, b, c] : mesh.triangles)
    {
        sets.join(a, b);
        sets.join(b, c);
    }
    std::map<int, std::size_t> index;
    std::vector<std::vector<std::array<int, 3>>> groups;
    for (const auto& triangle : mesh.triangles)
    {
        const auto [entry, is_new] = index.try_emplace(sets.find(triangle[0]), groups.size());
        if (is_new) groups.emplace_back();
        groups[entry->second].push_back(triangle);
    }
    std::vector<MeshOptions> parts;
    for (auto& group : groups) parts.push_back(keep_used(mesh, std::move(group), {}, {}));
    return parts;
}

/// A key that differs where the numbers do.
std::string make_key(const Body& body)
{
    const Vec3 size = body.dimensions.value_or(body.scale);
    std::string key(sizeof size, '\0');
    std::memcpy(key.data(), &size, sizeof size);
    return body.mesh + (body.dimensions ? "\nd" : "\ns") + (body.split ? "p" : "w") + key;
}

}  // namespace

Meshes::Meshes(ModelBuilder& builder, std::filesystem::path folder, const ImportOptions& options, Log& log)
    : builder_(builder),
      folder_(std::move(folder)),
      options_(options),
      log_(log),
      bytes_left_(options.limits.bytes),
      copy_bytes_left_(kCopies * options.limits.bytes)
{
}

std::optional<std::filesystem::path> Meshes::find_path(const Body& body)
{
    const std::filesystem::path name(body.mesh);
    std::error_code code;
    bool outside = false;
    const auto exists = [&](const std::filesystem::path& path)
    {
        const bool allowed = !options_.strict || lies_in(path, folder_);
        const bool found = std::filesystem::is_regular_file(path, code);
        outside = outside || (found && !allowed);
        return found && allowed;
    };
    if (exists(folder_ / name)) return folder_ / name;
    for (const std::filesystem::path& package : options_.package_path)
        if (exists(package / name)) return package / name;
    // The reference keeps scenes below `fixtures` and meshes in `meshes` beside it.
    std::filesystem::path above = std::filesystem::absolute(folder_, code).lexically_normal();
    for (int i = 0; i < kMostAncestors && above.has_relative_path(); ++i, above = above.parent_path())
        if (exists(above / kFolder / name)) return above / kFolder / name;
    if (outside)
        log_.fail(body.mesh_location, "the mesh " + mjcf::in_quotes(body.mesh) + " is outside the scene's folder",
                  mjcf::kStrictHint, ErrorCode::io);
    if (outside) return std::nullopt;
    log_.fail(body.mesh_location, "there is no mesh " + mjcf::in_quotes(body.mesh),
              "looked for beside the scene and in folders 'meshes' around it; --packages names others", ErrorCode::io);
    return std::nullopt;
}

std::optional<MeshOptions> Meshes::load(const Body& body)
{
    if (body.mesh.empty()) return body.drawn;
    const std::optional<std::filesystem::path> path = find_path(body);
    if (!path) return std::nullopt;
    const MeshLimits limits = make_mesh_limits(bytes_left_, options_, folder_);
    Result<MeshOptions> read = load_mesh_file(*path, limits, {.groups = ObjGroups::all, .digits = Digits::all});
    if (!read)
    {
        log_.append(body.mesh_location, read.errors());
        return std::nullopt;
    }
    std::error_code code;
    const auto size = std::filesystem::file_size(*path, code);
    bytes_left_ -= std::min(bytes_left_, std::max<std::size_t>(code ? 0 : size, count_bytes(*read)));
    return std::move(read).value();
}

std::shared_ptr<const MeshOptions> Meshes::find_file(const Body& body)
{
    const auto found = body.mesh.empty() ? files_.end() : files_.find(body.mesh);
    if (found != files_.end()) return found->second;
    std::optional<MeshOptions> mesh = load(body);
    std::shared_ptr<const MeshOptions> result;
    if (mesh && !mesh->vertices.empty())
    {
        mesh->name = body.name;
        mesh->texcoords.clear();
        const std::size_t before = mesh->vertices.size();
        weld_vertices(*mesh);
        if (mesh->vertices.size() < before)
            log_.warn(body.mesh_location, "the mesh " + mjcf::in_quotes(body.name) + " repeats " +
                                              std::to_string(before - mesh->vertices.size()) +
                                              " vertices: they are merged");
        if (const int dropped = drop_degenerate(*mesh); dropped > 0)
            log_.warn(body.mesh_location, "the mesh " + mjcf::in_quotes(body.name) + " has " + std::to_string(dropped) +
                                              " triangles or edges that name a vertex twice: they are left out");
        if (const int flat = count_flat(*mesh); flat > 0)
            log_.warn(body.mesh_location, "the mesh " + mjcf::in_quotes(body.name) + " has " + std::to_string(flat) +
                                              " triangles without area: they are kept as the edges they are");
        if (const int branches = count_branches(*mesh); branches > 0)
            log_.warn(body.mesh_location, "the mesh " + mjcf::in_quotes(body.name) + " has " +
                                              std::to_string(branches) +
                                              " edges in more than two triangles: it bounds no solid");
        result = std::make_shared<const MeshOptions>(*std::move(mesh));
    }
    if (!body.mesh.empty()) files_[body.mesh] = result;
    return result;
}

Shape Meshes::add_part(MeshOptions mesh, ShapeType type)
{
    const int count = ++names_[mesh.name];
    if (count > 1) mesh.name += " " + std::to_string(count);
    const MeshId id = builder_.add_mesh(std::move(mesh));
    if (type == ShapeType::mesh) return Mesh{id, MeshCollide::exact, MeshMass::exact};
    if (type == ShapeType::surface) return Surface{id};
    if (type == ShapeType::segments) return Segments{id};
    return Points{id};
}

std::shared_ptr<const Geometry> Meshes::make_geometry(MeshOptions mesh, const Body& body)
{
    auto geometry = std::make_shared<Geometry>();
    for (const Vec3& v : mesh.vertices) geometry->extent = std::max(geometry->extent, norm(v));
    if (!(geometry->extent <= kLargestExtent))
    {
        log_.fail(body.mesh_location, "the mesh " + mjcf::in_quotes(body.name) + " is absurdly large once scaled",
                  "at most 1e9 m");
        return nullptr;
    }
    const std::size_t bytes = mesh.vertices.size() * sizeof(Vec3) + mesh.triangles.size() * sizeof(std::array<int, 3>);
    if (bytes > copy_bytes_left_)
    {
        log_.fail(body.mesh_location, "the scaled meshes of the scene take too much memory", "", ErrorCode::limit);
        return nullptr;
    }
    copy_bytes_left_ -= bytes;
    const auto add = [&](MeshOptions part, ShapeType type, const Result<MassProperties>& mass)
    {
        if (part.vertices.empty()) return;
        const bool heavy = geometry->parts.empty();
        if (heavy && mass.ok()) geometry->mass = mass.value();
        geometry->parts.push_back({add_part(std::move(part), type), heavy});
    };
    if (!mesh.triangles.empty())
    {
        const MeshOptions part = keep_used(mesh, mesh.triangles, {}, {});
        const Result<MassProperties> solid = compute_mesh_mass(ShapeType::mesh, part, MeshMass::exact);
        const ShapeType type = solid.ok() ? ShapeType::mesh : ShapeType::surface;
        const bool moves = body.motion != Motion::fixed;
        if (!solid.ok() && moves)
            log_.warn(body.mesh_location, "the mesh " + mjcf::in_quotes(body.name) +
                                              " bounds no solid: it is a surface, and its density is per area (" +
                                              solid.errors().front().message + ")");
        add(part, type, solid.ok() ? solid : compute_mesh_mass(type, part, MeshMass::exact));
    }
    const auto edges = find_loose_edges(mesh);
    const MeshOptions wires = keep_used(mesh, {}, edges, {});
    if (!edges.empty()) add(wires, ShapeType::segments, compute_mesh_mass(ShapeType::segments, wires, MeshMass::exact));
    const MeshOptions cloud = keep_used(mesh, {}, {}, find_loose_points(mesh));
    if (!cloud.vertices.empty())
        add(cloud, ShapeType::points, compute_mesh_mass(ShapeType::points, cloud, MeshMass::exact));
    return geometry;
}

std::vector<std::shared_ptr<const Geometry>> Meshes::find(const Body& body)
{
    const std::string key = make_key(body);
    if (!body.mesh.empty())
        if (const auto found = made_.find(key); found != made_.end()) return found->second;
    std::vector<std::shared_ptr<const Geometry>> result;
    if (const std::shared_ptr<const MeshOptions> file = find_file(body))
    {
        MeshOptions mesh = *file;
        scale_mesh(body, mesh);
        const bool split = body.split && !mesh.triangles.empty();
        for (MeshOptions& part : split ? split_mesh(mesh) : std::vector{std::move(mesh)})
            if (auto geometry = make_geometry(std::move(part), body)) result.push_back(std::move(geometry));
    }
    if (!body.mesh.empty()) made_[key] = result;
    return result;
}

}  // namespace rattleback::ripc
