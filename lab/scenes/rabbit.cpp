// The lopsided solid: rings of ellipses along a leaning axis.
#include "lab/scenes/rabbit.h"

#include "base/index.h"
#include "geometry/mass.h"
#include "geometry/mesh_mass.h"
#include "import/meshes/mesh_file.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace rattleback::lab
{

namespace
{

/// Cross-sections at some heights; in between they blend smoothly. Lengths are scaled to the cube afterwards.
struct Section
{
    double height, radius, x, y, aspect;
};
// Found by a random search for volume, centre and inertia.
constexpr std::array kSections = {
    Section{0, 0.784, 0.201, 0.345, 1.012},    Section{0.075, 0.431, 0.289, 0.14, 1.251},
    Section{0.25, 0.905, 0.179, 0.076, 0.81},  Section{0.45, 0.671, 0.222, 0.258, 1.253},
    Section{0.6, 0.479, -0.085, 0.443, 1.241}, Section{0.75, 0.418, -0.3, 0.479, 0.829},
    Section{0.9, 0.252, -0.37, 0.483, 0.75},   Section{1, 0.163, -0.318, 0.458, 1.306},
};
constexpr int kRings = 24, kSides = 32;

Section blend(double height)
{
    std::size_t i = 0;
    while (i + 2 < kSections.size() && kSections[i + 1].height <= height) ++i;
    const Section &a = kSections[i], &b = kSections[i + 1];
    double t = (height - a.height) / (b.height - a.height);
    t = t * t * (3 - 2 * t);
    const auto mix = [&](double from, double to) { return from + (to - from) * t; };
    return {height, mix(a.radius, b.radius), mix(a.x, b.x), mix(a.y, b.y), mix(a.aspect, b.aspect)};
}

void scale_to_cube(std::vector<Vec3>& vertices, double size)
{
    Vec3 lower = vertices.front(), upper = lower;
    for (const Vec3& v : vertices)
    {
        for (int k = 0; k < 3; ++k)
        {
            lower[k] = std::min(lower[k], v[k]);
            upper[k] = std::max(upper[k], v[k]);
        }
    }
    for (Vec3& v : vertices)
    {
        for (int k = 0; k < 3; ++k) v[k] = size * (v[k] - lower[k]) / (upper[k] - lower[k]);
    }
}

Status move_center_to_origin(MeshOptions& mesh)
{
    const Result<MassProperties> mass = compute_mass(ShapeType::mesh, {}, &mesh, MeshMass::exact, 1);
    if (!mass.ok()) return mass.errors();
    for (Vec3& v : mesh.vertices) v -= mass.value().center;
    return {};
}

/// Vertices within 2 % of the lower end of an axis: what the mesh would stand on.
template <class Axis>
std::ptrdiff_t count_foot(const MeshOptions& mesh, Axis axis)
{
    const auto [low, high] = std::minmax_element(mesh.vertices.begin(), mesh.vertices.end(),
                                                 [&](const Vec3& a, const Vec3& b) { return axis(a) < axis(b); });
    const double bar = axis(*low) + 0.02 * (axis(*high) - axis(*low));
    return std::count_if(mesh.vertices.begin(), mesh.vertices.end(), [&](const Vec3& v) { return axis(v) <= bar; });
}

/// Many files have y up. True when the mesh had a foot below y and none below z, and was turned.
bool stand_up(MeshOptions& mesh)
{
    const auto foot_z = count_foot(mesh, [](const Vec3& v) { return v.z; });
    const auto foot_y = count_foot(mesh, [](const Vec3& v) { return v.y; });
    if (foot_z > 2 || foot_y <= 2) return false;
    for (Vec3& v : mesh.vertices) v = {v.x, -v.z, v.y};
    return true;
}

/// Takes away triangles that hang on an edge of others and end in the open; their number.
std::size_t drop_flaps(MeshOptions& mesh)
{
    std::map<std::pair<int, int>, int> users;
    const auto edge = [](const auto& t, std::size_t k)
    { return std::pair<int, int>(std::minmax(t[k], t[(k + 1) % 3])); };
    for (const auto& t : mesh.triangles)
        for (std::size_t k = 0; k < 3; ++k) ++users[edge(t, k)];
    return std::erase_if(mesh.triangles,
                         [&](const auto& t)
                         {
                             bool hangs = false, ends = false;
                             for (std::size_t k = 0; k < 3; ++k)
                             {
                                 hangs = hangs || users[edge(t, k)] > 2;
                                 ends = ends || users[edge(t, k)] == 1;
                             }
                             return hangs && ends;
                         });
}

/// Directed edges whose opposite no triangle has; where each leads from.
std::map<int, int> find_rims(const MeshOptions& mesh)
{
    std::map<std::pair<int, int>, int> edges;
    for (const auto& t : mesh.triangles)
    {
        for (std::size_t k = 0; k < 3; ++k)
        {
            const int a = t[k], b = t[(k + 1) % 3];
            ++edges[{a, b}];
        }
    }
    std::map<int, int> rims;
    for (const auto& [edge, count] : edges)
    {
        if (!edges.contains({edge.second, edge.first})) rims[edge.second] = edge.first;
    }
    return rims;
}

/// Closes every hole by a fan about the mean of its rim; the number of holes.
int close_holes(MeshOptions& mesh)
{
    std::map<int, int> rims = find_rims(mesh);
    int holes = 0;
    while (!rims.empty())
    {
        std::vector<int> rim;
        int v = rims.begin()->first;
        while (rims.contains(v))
        {
            rim.push_back(v);
            const int next = rims[v];
            rims.erase(v);
            v = next;
        }
        Vec3 middle;
        for (const int i : rim) middle += (1 / static_cast<double>(rim.size())) * mesh.vertices[at(i)];
        const int tip = static_cast<int>(mesh.vertices.size());
        mesh.vertices.push_back(middle);
        for (std::size_t k = 0; k < rim.size(); ++k) mesh.triangles.push_back({rim[k], rim[(k + 1) % rim.size()], tip});
        ++holes;
    }
    return holes;
}

}  // namespace

MeshOptions make_rabbit()
{
    MeshOptions mesh{.name = "rabbit"};
    for (int ring = 0; ring <= kRings; ++ring)
    {
        const Section s = blend(static_cast<double>(ring) / kRings);
        for (int side = 0; side < kSides; ++side)
        {
            const double angle = 2 * kPi * side / kSides;
            mesh.vertices.push_back(
                {s.x + s.radius * s.aspect * std::cos(angle), s.y + s.radius / s.aspect * std::sin(angle), s.height});
        }
    }
    const auto corner = [](int ring, int side) { return ring * kSides + side % kSides; };
    for (int ring = 0; ring < kRings; ++ring)
    {
        for (int side = 0; side < kSides; ++side)
        {
            const int a = corner(ring, side), b = corner(ring, side + 1);
            const int c = corner(ring + 1, side + 1), d = corner(ring + 1, side);
            mesh.triangles.push_back({a, b, c});
            mesh.triangles.push_back({a, c, d});
        }
    }
    for (int side = 1; side + 1 < kSides; ++side)
    {
        mesh.triangles.push_back({corner(0, 0), corner(0, side + 1), corner(0, side)});
        mesh.triangles.push_back({corner(kRings, 0), corner(kRings, side), corner(kRings, side + 1)});
    }
    scale_to_cube(mesh.vertices, 0.2);
    const Status moved = move_center_to_origin(mesh);
    RB_CHECK(moved.ok(), "the rabbit is closed");
    return mesh;
}

void close_mesh(MeshOptions& mesh, std::vector<std::string>& notes)
{
    weld_vertices(mesh);
    if (const std::size_t flaps = drop_flaps(mesh); flaps > 0)
        notes.push_back("took away " + std::to_string(flaps) + " loose triangle(s) of '" + mesh.name + "'");
    if (const int holes = close_holes(mesh); holes > 0)
        notes.push_back("closed " + std::to_string(holes) + " hole(s) of '" + mesh.name + "' by fans");
}

Result<MeshOptions> make_fit(MeshOptions mesh, double size, std::vector<std::string>& notes)
{
    if (mesh.vertices.empty() || mesh.triangles.empty())
        return Error{ErrorCode::invalid_value, mesh.name, "the mesh has no triangles", "choose another file"};
    close_mesh(mesh, notes);
    if (stand_up(mesh)) notes.push_back("turned '" + mesh.name + "' from y up to z up");
    scale_to_cube(mesh.vertices, size);
    notes.push_back("scaled '" + mesh.name + "' to a cube of " + std::to_string(size) + " m");
    if (auto error = find_open_edge(mesh)) return *error;
    const Status moved = move_center_to_origin(mesh);
    if (!moved.ok()) return moved.errors();
    return mesh;
}

}  // namespace rattleback::lab
