// Computes the hull of each mesh once, if a shape that can collide needs it.
#include "build/mesh_hulls.h"

#include "build/body_mass.h"
#include "geometry/hull.h"
#include "geometry/polyhedron.h"

#include <map>

namespace rattleback
{

namespace
{

/// Shapes that the filters or an explicit pair let touch something.
std::vector<char> find_colliding(const Authored& authored)
{
    std::vector<char> colliding;
    // By masks, or by name in an explicit pair.
    for (const AuthoredShape& shape : authored.shapes)
        colliding.push_back((shape.options.category | shape.options.mask) != 0);
    for (const AuthoredPair& pair : authored.pairs)
    {
        for (const ShapeId shape : {pair.first, pair.second})
        {
            if (in_range(shape.index, authored.shapes)) colliding[at(shape.index)] = 1;
        }
    }
    return colliding;
}

bool collides_as_hull(const ShapeRow& row)
{
    return row.type == ShapeType::hull || (row.type == ShapeType::mesh && row.mesh_collide == MeshCollide::hull);
}

}  // namespace

std::vector<Polyhedron> find_mesh_hulls(const Authored& authored, const Names& names,
                                        const std::vector<char>& shape_good, Checker& checker)
{
    std::vector<Polyhedron> hulls(authored.meshes.size());
    const std::vector<char> colliding = find_colliding(authored);
    std::map<int, std::vector<Error>> failed;  // by mesh
    for (std::size_t i = 0; i < authored.shapes.size(); ++i)
    {
        const ShapeRow row = to_row(authored.shapes[i].shape);
        if (!shape_good[i] || !colliding[i] || !collides_as_hull(row)) continue;
        // Many shapes may share a mesh: one hull serves them all, and a failure is remembered likewise.
        if (!hulls[at(row.asset)].vertices.empty()) continue;
        if (failed.find(row.asset) == failed.end())
        {
            const Result<MeshOptions> hull = compute_hull(authored.meshes[at(row.asset)].vertices);
            if (hull)
            {
                hulls[at(row.asset)] = build_polyhedron(hull.value());
                continue;
            }
            failed[row.asset] = hull.errors();
        }
        checker.enter("shape", names.shapes[i]);
        if (checker.has_failed()) continue;  // for want of a volume, as a rule: once is enough
        for (const Error& error : failed[row.asset])
        {
            checker.fail("mesh '" + names.meshes[at(row.asset)] + "' cannot collide: " + error.message, error.hint,
                         error.code);
        }
    }
    return hulls;
}

}  // namespace rattleback
