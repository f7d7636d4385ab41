// Adds geoms: shapes, contact materials, and primitives fitted to meshes.
#include <algorithm>
#include <cmath>

#include "import/mjcf/assembly.h"
#include "model/fields/shape_fields.h"

namespace rattleback::mjcf
{

namespace
{

/// Two shapes of MJCF are given by where they end: the axis runs from the second end to the first.
void apply_ends(const std::vector<double>& ends, const std::string& type, std::vector<double>& size, Pose& pose)
{
    const Vec3 from{ends[0], ends[1], ends[2]}, to{ends[3], ends[4], ends[5]};
    const double half = 0.5 * norm(from - to);
    const bool wide = type == "box" || type == "ellipsoid";
    if (wide) size[1] = size[0];
    size[wide ? 2 : 1] = half;
    pose = {0.5 * (from + to), turn_z_to(from - to)};
}

/// Sizes of the primitive that stands for a mesh, from the box of equal inertia or the bounds.
std::vector<double> fit(const std::string& type, const Vec3& box, bool bounds)
{
    const double wide = bounds ? std::max(box.x, box.y) : 0.5 * (box.x + box.y);
    if (type == "sphere")
    {
        const double radius = bounds ? std::max(wide, box.z) : (box.x + box.y + box.z) / 3;
        return {radius, 0, 0};
    }
    if (type == "capsule") return {wide, std::max(0.0, bounds ? box.z - wide : box.z - 0.5 * wide), 0};
    if (type == "cylinder") return {wide, box.z, 0};
    return {box.x, box.y, box.z};
}

Shape make_primitive(const std::string& type, const std::vector<double>& size)
{
    if (type == "sphere") return Sphere{size[0]};
    if (type == "capsule") return Capsule{size[0], size[1]};
    if (type == "cylinder") return Cylinder{size[0], size[1]};
    if (type == "ellipsoid") return Ellipsoid{{size[0], size[1], size[2]}};
    return Box{{size[0], size[1], size[2]}};
}

}  // namespace

MaterialId Assembly::find_material(const MaterialOptions& material, const Element& user)
{
    // MJCF writes friction at every geom; geoms that agree share a material.
    for (const auto& [known, id] : materials_)
    {
        if (have_same_options<MaterialRows>(known, material)) return id;
    }
    const MaterialId id = builder_.add_material(material);
    materials_.emplace_back(material, id);
    blamed_.emplace("material 'material " + std::to_string(id.index) + "'", &user);
    return id;
}

bool Assembly::is_discarded(const Element& geom) const
{
    return geom.context->discard_visual && geom.integer("contype") == 0 && geom.integer("conaffinity") == 0 &&
           !named_geoms_.contains(geom.name());
}

void Assembly::add_look(const Element& element, ShapeOptions& options)
{
    if (element.text("type") == "plane")
    {
        const std::vector<double> size = element.numbers("size");
        options.plane_size = {std::max(size[0], 0.0), std::max(size[1], 0.0)};
    }
    const Attribute* material = element.find("material");
    if (!material || element.context->discard_visual) return;
    const std::optional<int> found = find(*material, material->text, "material");
    if (!found) return;
    options.visual = VisualMaterialId{*found};
    // A colour of the geom's own goes before its material's, one from a default class behind it.
    if (!element.has("rgba") || element.find("rgba")->inherited)
        options.colour = authored_.visual_materials[static_cast<std::size_t>(*found)].colour;
}

std::optional<Shape> Assembly::find_mesh_shape(const Element& element, Pose& pose)
{
    const Attribute* name = element.find("mesh");
    const std::string type = element.text("type");
    if (!name)
    {
        log_.fail(element.location, "a geom of type 'mesh' needs the attribute 'mesh'");
        return std::nullopt;
    }
    if (!find(*name, name->text, "mesh")) return std::nullopt;
    const MeshAsset& mesh = meshes_.at(name->text);
    if (!mesh.good) return std::nullopt;  // reported with the mesh
    pose = pose * mesh.pose;
    if (type == "mesh") return Mesh{.mesh = mesh.id, .collide = MeshCollide::hull, .mass = mesh.rule};

    // A primitive in the place of a mesh: by the box of equal inertia, or by the bounding box.
    const bool bounds = element.context->fit_bounds;
    std::vector<double> size = fit(type, bounds ? mesh.bounds_half : mesh.inertia_box, bounds);
    for (double& length : size) length *= element.number("fitscale");
    if (bounds) pose = pose * Pose{mesh.bounds_center, {}};
    return make_primitive(type, size);
}

std::optional<Shape> Assembly::find_shape(const Element& element, Pose& pose)
{
    const std::string type = element.text("type");
    if (element.broken) return std::nullopt;
    if (type == "plane") return Plane{};
    if (type == "sdf")
    {
        log_.fail(element.location, "a geom of type 'sdf' is not supported", "use 'mesh'", ErrorCode::unsupported);
        return std::nullopt;
    }
    if (type == "hfield")
    {
        const Attribute* name = element.find("hfield");
        if (!name) log_.fail(element.location, "a geom of type 'hfield' needs the attribute 'hfield'");
        if (!name || !find(*name, name->text, "hfield")) return std::nullopt;
        const auto found = height_fields_.find(name->text);
        if (found == height_fields_.end()) return std::nullopt;
        return HeightField{found->second.id};
    }
    if (type == "mesh" || element.has("mesh")) return find_mesh_shape(element, pose);

    std::vector<double> size = element.numbers("size");
    if (const Attribute* ends = element.find("fromto"))
    {
        if (type == "sphere")
            log_.fail(ends->location, "'fromto' is not for spheres", "capsule, cylinder, box or ellipsoid");
        else if (norm(to_vector(ends->numbers) - Vec3{ends->numbers[3], ends->numbers[4], ends->numbers[5]}) < 1e-15)
            log_.fail(ends->location, "the two ends of 'fromto' are the same point", "", ErrorCode::invalid_value);
        else
            apply_ends(ends->numbers, type, size, pose);
    }
    // A list that is too short, or was inherited for another type.
    const std::size_t needed = type == "sphere" ? 1 : type == "capsule" || type == "cylinder" ? 2 : 3;
    for (std::size_t i = 0; i < needed; ++i)
    {
        if (size[i] > 0) continue;
        log_.fail(element.has("size") ? element.find("size")->location : element.location,
                  "a " + type + " needs " + std::to_string(needed) + " positive sizes", "", ErrorCode::invalid_value);
        return std::nullopt;
    }
    return make_primitive(type, size);
}

void Assembly::add_geom(const Element& element, const Pose& frame, BodyId body)
{
    Pose pose = read_pose(element, log_);
    const std::optional<Shape> shape = find_shape(element, pose);
    pose = frame * pose;
    ShapeOptions options{.name = element.name(), .position = pose.position, .rotation = pose.rotation};
    const std::vector<double> friction = read_friction(element);
    MaterialOptions material{
        .friction = friction[0], .spinning_friction = friction[1], .rolling_friction = friction[2]};
    AttributeReader(element, log_).read_all<MaterialRows>(material);
    options.material = find_material(material, element);
    AttributeReader(element, log_).read_all<ShapeRows>(options);
    // What the world is made of weighs nothing; elsewhere a density counts where no mass is given.
    if (const Attribute* mass = element.find("mass"))
    {
        options.mass = std::max(0.0, mass->numbers[0]);
        if (mass->numbers[0] < 0 && body != kWorld)
            log_.fail(mass->location, "'mass' of 'geom' is negative", "zero: the geom has no mass",
                      ErrorCode::invalid_value);
    }
    if (element.has("mass") || body == kWorld) options.density = std::max(0.0, options.density);
    const Context& context = *element.context;
    // Geoms outside of the compiler's inertiagrouprange weigh nothing.
    if (options.group < context.inertia_group_first || options.group > context.inertia_group_last) options.mass = 0;
    add_look(element, options);
    if (element.text("fluidshape") == "ellipsoid") add_fluid(element, options);
    if (element.has("surfacevel"))
    {
        const std::vector<double> numbers = element.numbers("surfacevel");
        // A field v + omega x (x - origin), written in the geom's own frame: of a mesh not that of its axes.
        const Vec3 velocity{numbers[0], numbers[1], numbers[2]}, spin{numbers[3], numbers[4], numbers[5]};
        const Pose axes = shape && element.has("mesh") ? meshes_.at(element.text("mesh")).pose : Pose{};
        const Quat back = conjugate(axes.rotation);
        options.surface_velocity = rotate(back, velocity + cross(spin, axes.position));
        options.surface_spin = rotate(back, spin);
    }
    if (shape) note_mass(element, *shape, options, body);
    if (is_discarded(element))
    {
        // It is gone, its mass is not.
        if (parts_.contains(body.index)) made_of_parts_.insert(body.index);
        return;
    }
    // A shape that could not be read leaves a sphere behind, so that the numbers of the others stay right.
    const ShapeId id = builder_.add_shape(body, shape.value_or(Sphere{1}), options);
    note(element, "shape", id.index);
}

}  // namespace rattleback::mjcf
