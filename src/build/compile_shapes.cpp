// Compiles materials, meshes, height fields, shapes, sites, pairs and excludes.
#include "build/compile.h"
#include "geometry/bounds.h"
#include "model/fields/shape_fields.h"
#include "model/tree.h"

#include <algorithm>
#include <map>

namespace rattleback
{

namespace
{

/// Bounding radii; a mesh or field that many shapes share is measured once.
class BoundingRadii
{
public:
    explicit BoundingRadii(const Model& model) : model_(model) {}

    double compute(const ShapeRow& row)
    {
        // Primitives by formula; assets once each.
        if (row.asset < 0) return compute_bounding_radius(row.type, row.size, nullptr, nullptr);
        const auto [it, fresh] = radii_.try_emplace({row.type, row.asset}, 0);
        if (!fresh) return it->second;
        const bool field = row.type == ShapeType::height_field;
        it->second = compute_bounding_radius(row.type, row.size, field ? nullptr : &model_.meshes[at(row.asset)],
                                             field ? &model_.height_fields[at(row.asset)] : nullptr);
        return it->second;
    }

private:
    const Model& model_;
    std::map<std::pair<ShapeType, int>, double> radii_;
};

template <class T>
std::vector<T> with_names(std::vector<T> items, const std::vector<std::string>& names)
{
    for (std::size_t i = 0; i < items.size(); ++i) items[i].name = names[i];
    return items;
}

void compile_sites(const Authored& authored, const Names& names, Model& model)
{
    model.sites.name = names.sites;
    for (const AuthoredSite& site : authored.sites)
    {
        model.sites.body.push_back(site.body.index);
        model.sites.pose.push_back(make_pose(site.options.position, site.options.rotation));
        append_fields<SiteRows>(site.options, model.sites);
    }
}

/// Sorted, the smaller index first, each pair once.
void compile_pairs(const Authored& authored, Model& model)
{
    for (const AuthoredPair& pair : authored.pairs)
    {
        const auto [first, second] = std::minmax(pair.first.index, pair.second.index);
        const PairOptions& options = pair.options;
        model.pairs.push_back({first, second, std::max(options.material.index, -1), options.margin, options.gap,
                               options.second_friction, options.friction_solref});
    }
    // Sorted, so that the collider and rows find a pair by search. Of equal ones the first stays.
    const auto key = [](const ShapePair& pair) { return std::pair(pair.first, pair.second); };
    std::stable_sort(model.pairs.begin(), model.pairs.end(),
                     [&](const ShapePair& a, const ShapePair& b) { return key(a) < key(b); });
    const auto same = [&](const ShapePair& a, const ShapePair& b) { return key(a) == key(b); };
    model.pairs.erase(std::unique(model.pairs.begin(), model.pairs.end(), same), model.pairs.end());

    // Bodies whose shapes never touch, likewise.
    auto& excluded = model.excluded_bodies;
    for (const auto& [first, second] : authored.excludes)
    {
        if (first != second) excluded.emplace_back(std::minmax(first.index, second.index));
    }
    std::sort(excluded.begin(), excluded.end());
    excluded.erase(std::unique(excluded.begin(), excluded.end()), excluded.end());
}

}  // namespace

void compile_shapes(const Authored& authored, const Names& names, Model& model)
{
    // Assets are taken over as they are, shapes become rows of the table: one list per field.
    model.materials = with_names(authored.materials, names.materials);
    model.meshes = with_names(authored.meshes, names.meshes);
    model.height_fields = with_names(authored.height_fields, names.height_fields);

    Shapes& shapes = model.shapes;
    shapes.name = names.shapes;
    BoundingRadii radii(model);
    for (const AuthoredShape& shape : authored.shapes)
    {
        const ShapeRow row = to_row(shape.shape);
        const ShapeOptions& options = shape.options;
        shapes.type.push_back(row.type);
        shapes.body.push_back(shape.body.index);
        shapes.pose.push_back(make_pose(options.position, options.rotation));
        shapes.size.push_back(row.size);
        shapes.asset.push_back(row.asset);
        shapes.mesh_collide.push_back(row.mesh_collide);
        shapes.mesh_mass.push_back(row.mesh_mass);
        shapes.material.push_back(std::max(options.material.index, 0));
        append_fields<ShapeRows>(options, shapes);
        shapes.bounding_radius.push_back(radii.compute(row));
        shapes.fluid.push_back(options.fluid.has_value());
        shapes.fluid_coefficients.push_back(options.fluid.value_or(std::array<double, 5>{}));
    }
    // Which shapes each body has, as ranges of one list.
    derive_shapes_of_body(model);
    compile_sites(authored, names, model);
    compile_pairs(authored, model);
}

}  // namespace rattleback
