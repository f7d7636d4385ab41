// Hands the block `mujoco` to the reader of MJCF, and does to masses what it asks for.
#include "import/urdf/extension.h"

#include <algorithm>

#include "build/body_mass.h"
#include "geometry/mass.h"
#include "import/mjcf/assembly.h"

namespace rattleback::urdf
{

namespace
{

/// The text of an element with as many lines and columns before it as in the file, so that places stay what they are.
std::string cut_out(const Node& block, const XmlText& file)
{
    const auto begin = static_cast<std::size_t>(block.xml().offset_debug() - 1);
    std::size_t end = file.text.find('>', begin);
    if (file.text[end - 1] != '/') end = file.text.find('>', file.text.find("</mujoco", begin));
    const SourceLocation place = block.location();
    std::string text(static_cast<std::size_t>(place.line - 1), '\n');
    text.append(static_cast<std::size_t>(place.column - 1), ' ');
    return text.append(file.text.substr(begin, std::min(end, file.text.size() - 1) + 1 - begin));
}

/// Three moments that no solid has?
bool is_unbalanced(const Vec3& m) { return m.x + m.y < m.z || m.y + m.z < m.x || m.z + m.x < m.y; }

}  // namespace

Extension read_extension(const Node& robot, const XmlText& file, const ImportOptions& options)
{
    Log& log = robot.log();
    const Node block = robot.child("mujoco");
    const std::string text = block ? cut_out(block, file) : "<mujoco/>";
    mjcf::Source source{.options = &options, .bytes_left = 0};
    std::optional<mjcf::Element> root = mjcf::read_text(text, *file.name, source, log);
    if (!root) root = mjcf::read_text("<mujoco/>", *file.name, source, log);

    Extension extension;
    auto& children = root->children;
    for (const mjcf::Element& child : children)
    {
        extension.infer_inertia = extension.infer_inertia || (child.is("compiler") && child.has("inertiafromgeom"));
        if (!child.is("compiler") && !child.is("option") && !child.is("size"))
            log.warn(child.location, "'" + child.rule->name + "' is ignored in URDF", "compiler, option or size");
    }
    std::erase_if(children, [](const mjcf::Element& child) { return !child.is("compiler") && !child.is("option"); });
    const mjcf::Spec spec = mjcf::make_spec(std::move(*root), source, log);
    if (spec.world.context) extension.compiler = *spec.world.context;
    extension.settings = mjcf::Assembly(spec, source, log).read().settings;
    return extension;
}

void apply_mass_settings(const mjcf::Context& compiler, Authored& authored)
{
    double total = 0;
    for (BodyOptions& body : authored.bodies)
    {
        if (!body.inertia) continue;
        Inertia& inertia = *body.inertia;
        inertia.mass = std::max(inertia.mass, compiler.bound_mass);
        total += inertia.mass;
        if (compiler.bound_inertia <= 0 && !compiler.balance_inertia) continue;
        const PrincipalAxes axes = find_principal_axes(to_matrix(inertia));
        Vec3 moments = axes.moments;
        for (int k = 0; k < 3; ++k) moments[k] = std::max(moments[k], compiler.bound_inertia);
        const double mean = (moments.x + moments.y + moments.z) / 3;
        if (compiler.balance_inertia && is_unbalanced(moments)) moments = {mean, mean, mean};
        inertia.rotation = inertia.rotation * axes.rotation;
        inertia.diagonal = moments;
        inertia.products = {};
    }
    if (!(compiler.total_mass > 0) || !(total > 0)) return;
    for (BodyOptions& body : authored.bodies)
    {
        if (!body.inertia) continue;
        body.inertia->mass *= compiler.total_mass / total;
        body.inertia->diagonal = (compiler.total_mass / total) * body.inertia->diagonal;
        body.inertia->products = (compiler.total_mass / total) * body.inertia->products;
    }
}

}  // namespace rattleback::urdf
