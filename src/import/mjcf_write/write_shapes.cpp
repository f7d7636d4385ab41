// Meshes, height fields, geoms and contact pairs.
#include "base/index.h"
#include "import/mjcf_write/writer.h"
#include "model/fields/shape_fields.h"

#include <algorithm>
#include <cmath>

namespace rattleback
{

namespace
{

const char* rule_word(MeshMass rule)
{
    switch (rule)
    {
        case MeshMass::exact:
            return "exact";
        case MeshMass::convex:
            return "convex";
        case MeshMass::shell:
            return "shell";
        case MeshMass::legacy:
            break;
    }
    return "legacy";
}

const char* type_word(ShapeType type)
{
    switch (type)
    {
        case ShapeType::plane:
            return "plane";
        case ShapeType::capsule:
            return "capsule";
        case ShapeType::box:
            return "box";
        case ShapeType::cylinder:
            return "cylinder";
        case ShapeType::ellipsoid:
            return "ellipsoid";
        case ShapeType::height_field:
            return "hfield";
        case ShapeType::hull:
        case ShapeType::mesh:
            return "mesh";
        default:
            return "sphere";
    }
}

/// MuJoCo's heights start at zero: the lowest one, by which the geom is raised instead.
double find_lowest(const HeightFieldOptions& field)
{
    return *std::min_element(field.heights.begin(), field.heights.end());
}

}  // namespace

void MjcfWriter::write_mesh(std::size_t mesh)
{
    const MeshOptions& options = model_.meshes[mesh];
    std::vector<double> numbers;
    for (const Vec3& vertex : options.vertices) numbers.insert(numbers.end(), {vertex.x, vertex.y, vertex.z});
    xml_.open("mesh");
    xml_.attribute("name", options.name);
    for (std::size_t shape = 0; shape < model_.shapes.type.size(); ++shape)
    {
        if (!is_written(shape) || model_.shapes.asset[shape] != static_cast<int>(mesh)) continue;
        if (model_.shapes.type[shape] == ShapeType::height_field) continue;
        const bool hull = model_.shapes.type[shape] == ShapeType::hull;
        xml_.attribute("inertia", rule_word(hull ? MeshMass::convex : model_.shapes.mesh_mass[shape]));
        break;
    }
    xml_.attribute("vertex", numbers);
    numbers.clear();
    for (const auto& triangle : options.triangles) numbers.insert(numbers.end(), triangle.begin(), triangle.end());
    if (!numbers.empty()) xml_.attribute("face", numbers);
    write_texcoords(options);
    xml_.close();
}

void MjcfWriter::write_texcoords(const MeshOptions& mesh)
{
    // MJCF has one place for each vertex; where triangles disagree about it there is no word for theirs.
    if (mesh.texcoords.empty()) return;
    std::vector<double> places(2 * mesh.vertices.size(), 0);
    std::vector<char> known(mesh.vertices.size(), 0);
    for (std::size_t i = 0; i < mesh.texcoords.size(); ++i)
    {
        const std::size_t vertex = at(mesh.triangles[i / 3][i % 3]);
        const std::array<double, 2> place{mesh.texcoords[i][0], mesh.texcoords[i][1]};
        if (known[vertex] && (places[2 * vertex] != place[0] || places[2 * vertex + 1] != place[1])) return;
        known[vertex] = 1;
        std::copy(place.begin(), place.end(), places.begin() + static_cast<std::ptrdiff_t>(2 * vertex));
    }
    xml_.attribute("texcoord", places);
}

void MjcfWriter::write_height_field(std::size_t field)
{
    const HeightFieldOptions& options = model_.height_fields[field];
    const double lowest = find_lowest(options);
    const double span = *std::max_element(options.heights.begin(), options.heights.end()) - lowest;
    const double base = options.base + lowest;
    xml_.open("hfield");
    xml_.attribute("name", options.name);
    xml_.attribute("nrow", options.rows);
    xml_.attribute("ncol", options.columns);
    xml_.attribute("size", std::array{options.half_x, options.half_y, span > 0 ? span : 1, base > 0 ? base : 0.001});
    std::vector<double> heights;
    for (int row = options.rows - 1; row >= 0; --row)  // the text begins with the largest y
    {
        const auto begin = options.heights.begin() + row * options.columns;
        heights.insert(heights.end(), begin, begin + options.columns);
    }
    xml_.attribute("elevation", heights);
    xml_.close();
}

void MjcfWriter::write_assets()
{
    const Appearance& appearance = model_.appearance;
    const bool bare = appearance.textures.empty() && appearance.materials.empty();
    if (bare && model_.meshes.empty() && model_.height_fields.empty()) return;
    xml_.open("asset");
    for (const TextureOptions& texture : appearance.textures) write_texture(texture);
    for (const VisualMaterialOptions& material : appearance.materials) write_visual_material(material);
    for (std::size_t i = 0; i < model_.meshes.size(); ++i)
    {
        if (mesh_used_[i]) write_mesh(i);
    }
    for (std::size_t i = 0; i < model_.height_fields.size(); ++i) write_height_field(i);
    xml_.close();
}

void MjcfWriter::write_geom_size(std::size_t shape)
{
    const Vec3& size = model_.shapes.size[shape];
    switch (model_.shapes.type[shape])
    {
        case ShapeType::plane:
        {
            const auto& [x, y] = authored_.shapes[shape].options.plane_size;
            return xml_.attribute("size", Vec3{x, y, 1});
        }
        case ShapeType::sphere:
            return xml_.attribute("size", size.x);
        case ShapeType::capsule:
        case ShapeType::cylinder:
            return xml_.attribute("size", std::array{size.x, size.y});
        case ShapeType::box:
        case ShapeType::ellipsoid:
            return xml_.attribute("size", size);
        case ShapeType::height_field:
            return xml_.attribute("hfield", model_.height_fields[at(model_.shapes.asset[shape])].name);
        default:
            return xml_.attribute("mesh", model_.meshes[at(model_.shapes.asset[shape])].name);
    }
}

void MjcfWriter::write_geom(std::size_t shape)
{
    const Shapes& shapes = model_.shapes;
    const MaterialOptions& material = model_.materials[at(shapes.material[shape])];
    const MaterialOptions standard;
    Pose pose = shapes.pose[shape];
    if (shapes.type[shape] == ShapeType::height_field)
    {
        const double lowest = find_lowest(model_.height_fields[at(shapes.asset[shape])]);
        if (lowest > 0) pose = pose * Pose{{0, 0, lowest}, {}};
    }
    xml_.open("geom");
    xml_.attribute("name", shapes.name[shape]);
    xml_.attribute("type", type_word(shapes.type[shape]));
    write_geom_size(shape);
    if (const VisualMaterialId visual = authored_.shapes[shape].options.visual; visual.valid())
        xml_.attribute("material", model_.appearance.materials[at(visual.index)].name);
    write_pose(pose);
    ShapeOptions options = authored_.shapes[shape].options;
    if (options.mass < 0) options.mass = ShapeOptions().mass;  // from the density
    const mjcf::ElementRule& geom = *mjcf::find_element("body", "geom");
    write_fields<ShapeRows>(geom, options);
    write_fields<MaterialRows>(geom, material, mass_of_body(shapes.body[shape]));
    const std::array friction{material.friction, material.spinning_friction, material.rolling_friction};
    if (friction != std::array{standard.friction, standard.spinning_friction, standard.rolling_friction})
        xml_.attribute("friction", friction);
    const Vec3 &velocity = shapes.surface_velocity[shape], &spin = shapes.surface_spin[shape];
    if (!(velocity == Vec3{}) || !(spin == Vec3{}))
        xml_.attribute("surfacevel", std::array<double, 6>{velocity.x, velocity.y, velocity.z, spin.x, spin.y, spin.z});
    if (shapes.fluid[shape])
    {
        xml_.attribute("fluidshape", "ellipsoid");
        xml_.attribute("fluidcoef", shapes.fluid_coefficients[shape]);
    }
    xml_.close();
}

void MjcfWriter::write_contacts()
{
    if (model_.pairs.empty() && model_.excluded_bodies.empty()) return;
    xml_.open("contact");
    const mjcf::ElementRule& rule = *mjcf::find_element("contact", "pair");
    for (const AuthoredPair& pair : authored_.pairs)
    {
        const std::size_t first = at(pair.first.index), second = at(pair.second.index);
        if (!is_written(first) || !is_written(second)) continue;
        const PairOptions& options = pair.options;
        xml_.open("pair");
        xml_.attribute("geom1", model_.shapes.name[first]);
        xml_.attribute("geom2", model_.shapes.name[second]);
        if (options.material.valid())
        {
            const MaterialOptions& material = model_.materials[at(options.material.index)];
            const double slide = material.friction, roll = material.rolling_friction;
            const auto& [second_slide, second_roll] = options.second_friction;
            xml_.attribute("friction",
                           std::array{slide, second_slide >= 0 ? second_slide : slide, material.spinning_friction, roll,
                                      second_roll >= 0 ? second_roll : roll});
            const double mass =
                std::min(mass_of_body(model_.shapes.body[first]), mass_of_body(model_.shapes.body[second]));
            write_fields<MaterialRows>(rule, material, mass);
        }
        write_fields<PairRows>(rule, options);
        xml_.close();
    }
    for (const auto& [first, second] : model_.excluded_bodies)
    {
        xml_.open("exclude");
        xml_.attribute("body1", model_.bodies.name[at(first)]);
        xml_.attribute("body2", model_.bodies.name[at(second)]);
        xml_.close();
    }
    xml_.close();
}

}  // namespace rattleback
