// Checks materials, meshes, height fields, shapes, sites, pairs and excludes.
#include "build/check.h"
#include "model/fields/check_value.h"
#include "model/fields/shape_fields.h"

#include <algorithm>
#include <map>

namespace rattleback
{

namespace
{

bool check_asset(const Authored& authored, const ShapeRow& row, const std::vector<char>& mesh_good,
                 const std::vector<char>& field_good, Checker& checker)
{
    if (row.type == ShapeType::height_field)
        return checker.id(row.asset, field_good.size(), "height field") && field_good[at(row.asset)];
    if (!checker.id(row.asset, mesh_good.size(), "mesh") || !mesh_good[at(row.asset)]) return false;
    const MeshOptions& mesh = authored.meshes[at(row.asset)];
    if (row.type == ShapeType::mesh || row.type == ShapeType::surface)
        return checker.require(!mesh.triangles.empty(), "its mesh has no triangles");
    if (row.type == ShapeType::segments) return checker.require(!mesh.edges.empty(), "its mesh has no edges");
    return true;
}

bool check_size(const Authored& authored, const ShapeRow& row, const std::vector<char>& mesh_good,
                const std::vector<char>& field_good, Checker& checker)
{
    if (row.type == ShapeType::height_field || uses_mesh(row.type))
        return check_asset(authored, row, mesh_good, field_good, checker);
    return check_primitive_size(row.type, row.size, checker);
}

}  // namespace

void check_shapes(const Authored& authored, const Names& names, std::vector<char>& shape_good, Checker& checker)
{
    for (std::size_t i = 0; i < authored.materials.size(); ++i)
    {
        checker.enter("material", names.materials[i]);
        check_material(authored.materials[i], checker);
    }
    // A mesh is judged once, however many shapes use it.
    std::vector<char> mesh_good, field_good;
    for (std::size_t i = 0; i < authored.meshes.size(); ++i)
    {
        checker.enter("mesh", names.meshes[i]);
        mesh_good.push_back(check_mesh(authored.meshes[i], checker));
    }
    for (std::size_t i = 0; i < authored.height_fields.size(); ++i)
    {
        checker.enter("height field", names.height_fields[i]);
        field_good.push_back(check_height_field(authored.height_fields[i], checker));
    }
    for (std::size_t i = 0; i < authored.shapes.size(); ++i)
    {
        const AuthoredShape& shape = authored.shapes[i];
        checker.enter("shape", names.shapes[i]);
        bool good = checker.id(shape.body.index, authored.bodies.size(), "body");
        good = checker.finite(shape.options.position, "position") && good;
        good = checker.rotation(shape.options.rotation, "rotation") && good;
        good = check_size(authored, to_row(shape.shape), mesh_good, field_good, checker) && good;
        if (shape.options.material.valid())
            checker.id(shape.options.material.index, authored.materials.size(), "material");
        check_options<ShapeRows>(shape.options, checker);
        shape_good[i] = good && shape.options.density >= 0 && std::isfinite(shape.options.density) &&
                        std::isfinite(shape.options.mass);
    }
}

void check_sites(const Authored& authored, const Names& names, Checker& checker)
{
    for (std::size_t i = 0; i < authored.sites.size(); ++i)
    {
        const AuthoredSite& site = authored.sites[i];
        checker.enter("site", names.sites[i]);
        checker.id(site.body.index, authored.bodies.size(), "body");
        check_options<SiteRows>(site.options, checker);
        const ShapeType type = site.options.type;
        checker.require(type == ShapeType::sphere || type == ShapeType::capsule || type == ShapeType::cylinder ||
                            type == ShapeType::box || type == ShapeType::ellipsoid,
                        "a site is a sphere, capsule, cylinder, box or ellipsoid");
    }
}

void check_pairs(const Authored& authored, const Names& names, Checker& checker)
{
    for (const auto& [first, second] : authored.excludes)
    {
        checker.enter("exclude");
        checker.id(first.index, authored.bodies.size(), "body");
        checker.id(second.index, authored.bodies.size(), "body");
    }

    // Given twice with the same options a pair is harmless, as files have it; with others nobody knows which counts.
    std::map<std::pair<int, int>, const PairOptions*> seen;
    for (const AuthoredPair& pair : authored.pairs)
    {
        const int first = pair.first.index, second = pair.second.index;
        checker.enter("pair");
        const bool good = checker.id(first, authored.shapes.size(), "shape");
        if (!checker.id(second, authored.shapes.size(), "shape") || !good) continue;
        const std::string where = names.shapes[at(first)] + "' and '" + names.shapes[at(second)];
        checker.enter("pair", where);
        checker.require(authored.shapes[at(first)].body != authored.shapes[at(second)].body,
                        "both shapes are on one body");
        if (pair.options.material.valid())
            checker.id(pair.options.material.index, authored.materials.size(), "material");
        check_options<PairRows>(pair.options, checker);
        const auto [it, fresh] = seen.emplace(std::minmax(first, second), &pair.options);
        const PairOptions& other = *it->second;
        if (!fresh && (other.material != pair.options.material || !have_same_options<PairRows>(other, pair.options)))
            checker.fail("the pair was added twice, with different options");
    }
    checker.enter("model");
}

}  // namespace rattleback
