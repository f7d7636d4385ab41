// Says which meshes collide as something much larger than they are.
#include "base/decimal.h"
#include "base/index.h"
#include "geometry/mesh_mass.h"
#include "geometry/polyhedron.h"

#include <rattleback/builder.h>

#include <algorithm>

namespace rattleback
{

namespace
{

constexpr double kNotable = 1.05;       // of the volume; below it nobody would see the difference
constexpr double kNotableDepth = 0.05;  // of the hull's radius, where there is no volume to compare
constexpr std::size_t kNamed = 5;       // meshes that are named one by one

/// A mesh and its hull.
struct Gain
{
    int mesh = -1;
    double ratio = 0;  ///< of volumes, hull to mesh; 0: the mesh has none
};

double find_volume(const Polyhedron& hull)
{
    // Six times the volume: tetrahedra from the centre to the triangles of each face.
    double six = 0;
    for (std::size_t f = 0; f + 1 < hull.face_begin.size(); ++f)
    {
        const auto corner = [&](int k) { return hull.vertices[at(hull.face_vertices[at(k)])] - hull.center; };
        const int begin = hull.face_begin[f];
        for (int k = begin + 1; k + 1 < hull.face_begin[f + 1]; ++k)
            six += dot(corner(begin), cross(corner(k), corner(k + 1)));
    }
    return six / 6;
}

/// How far the middle of the mesh's deepest triangle lies inside its hull [m].
double find_depth(const MeshOptions& mesh, const Polyhedron& hull)
{
    constexpr std::size_t kMostProducts = 20'000'000;  // big meshes are looked at in places
    // Depth of a point in a convex body: the least distance to the planes of its faces. Once it is below the deepest so
    // far the rest need not be looked at.
    const std::size_t faces = hull.face_normal.size();
    const std::size_t stride = 1 + mesh.triangles.size() * faces / kMostProducts;
    double deepest = 0;
    for (std::size_t i = 0; i < mesh.triangles.size(); i += stride)
    {
        const auto& [a, b, c] = mesh.triangles[i];
        const Vec3 middle = 1.0 / 3 * (mesh.vertices[at(a)] + mesh.vertices[at(b)] + mesh.vertices[at(c)]);
        double depth = hull.face_offset.front() - dot(hull.face_normal.front(), middle);
        for (std::size_t f = 1; f < faces && depth > deepest; ++f)
            depth = std::min(depth, hull.face_offset[f] - dot(hull.face_normal[f], middle));
        deepest = std::max(deepest, depth);
    }
    return deepest;
}

/// Meshes of shapes that can touch something and do so as hulls because that is what meshes do unless told otherwise.
std::vector<char> find_replaced(const Model& model)
{
    // Who asked for a hull knows; only those are named that got one without asking.
    const Shapes& shapes = model.shapes;
    std::vector<char> colliding(shapes.type.size());
    for (std::size_t s = 0; s < shapes.type.size(); ++s) colliding[s] = (shapes.category[s] | shapes.mask[s]) != 0;
    // An explicit pair touches whatever the filters say.
    for (const ShapePair& pair : model.pairs) colliding[at(pair.first)] = colliding[at(pair.second)] = 1;
    std::vector<char> replaced(model.meshes.size());
    for (std::size_t s = 0; s < shapes.type.size(); ++s)
    {
        if (colliding[s] && shapes.type[s] == ShapeType::mesh && shapes.mesh_collide[s] == MeshCollide::hull)
            replaced[at(shapes.asset[s])] = 1;
    }
    return replaced;
}

std::string times(double ratio) { return to_digits(ratio, ratio < 1.1 ? 3 : 2); }

Error make_warning(const std::string& name, double ratio)
{
    return {.code = ErrorCode::unsupported,
            .where = "mesh '" + name + "'",
            .message = ratio > 0 ? "collides as its convex hull, " + times(ratio) + " times its volume"
                                 : "collides as its convex hull, which fills what the mesh leaves open",
            .hint = "hollows are closed: what should lie in one needs convex parts, each a shape of its own"};
}

}  // namespace

std::vector<Error> find_hull_warnings(const Model& model)
{
    std::vector<Gain> gains;
    const std::vector<char> replaced = find_replaced(model);
    for (std::size_t m = 0; m < replaced.size(); ++m)
    {
        const Polyhedron& hull = model.hulls[m];
        if (!replaced[m] || hull.face_normal.empty() || model.meshes[m].triangles.empty()) continue;
        // Closed meshes are compared by volume; of open ones the depth of their triangles in the hull tells.
        const Result<MassProperties> solid = compute_mesh_mass(ShapeType::mesh, model.meshes[m], MeshMass::exact);
        const bool closed = solid.ok() && solid.value().mass > 0;
        const double ratio = closed ? find_volume(hull) / solid.value().mass : 0;
        const bool notable =
            closed ? ratio > kNotable : find_depth(model.meshes[m], hull) > kNotableDepth * hull.radius;
        if (notable) gains.push_back({static_cast<int>(m), ratio});
    }
    // The largest first; those without a volume before all.
    std::stable_sort(gains.begin(), gains.end(), [](const Gain& a, const Gain& b)
                     { return (a.ratio > 0 ? a.ratio : 1e300) > (b.ratio > 0 ? b.ratio : 1e300); });
    std::vector<Error> warnings;
    const std::size_t named = gains.size() > kNamed + 1 ? kNamed : gains.size();
    for (std::size_t i = 0; i < named; ++i)
        warnings.push_back(make_warning(model.meshes[at(gains[i].mesh)].name, gains[i].ratio));
    if (named < gains.size())
    {
        const Gain& next = gains[named];
        warnings.push_back({.code = ErrorCode::unsupported,
                            .where = std::to_string(gains.size() - named) + " more meshes",
                            .message = "collide as their convex hulls" +
                                       (next.ratio > 0 ? ", up to " + times(next.ratio) + " times their volumes" : ""),
                            .hint = {}});
    }
    return warnings;
}

}  // namespace rattleback
