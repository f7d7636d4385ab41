// Fuses static bodies with their parents (`fusestatic`): each becomes a frame, and its mass adds to the parent's.
#include "import/mjcf/fuse.h"

#include <algorithm>
#include <array>
#include <set>

#include "import/mjcf/assembly.h"

namespace rattleback::mjcf
{

namespace
{

/// What elements outside of the tree, cameras and lights name, by which a body is kept.
struct Named
{
    std::set<std::string> bodies, force_sites;
};

void collect_targets(const Element& element, Named& named)
{
    constexpr std::array<std::string_view, 5> kBodies{"body", "body1", "body2", "subtree1", "subtree2"};
    for (const Attribute& attribute : element.attributes)
    {
        const std::string& name = attribute.rule->name;
        const std::string type = element.text(name == "refname" ? "reftype" : "objtype");
        const bool frame = name == "objname" || name == "refname";
        if (std::find(kBodies.begin(), kBodies.end(), name) != kBodies.end() ||
            (frame && (type == "body" || type == "xbody")) || (name == "target" && !element.is("spatial")))
            named.bodies.insert(attribute.text);
    }
    if (element.is("force") || element.is("torque")) named.force_sites.insert(element.text("site"));
    for (const Element& child : element.children) collect_targets(child, named);
}

/// Makes frames of bodies, from the leaves' parents down to the leaves.
class Fuser
{
public:
    Fuser(Spec& spec, const Named& named) : spec_(spec), named_(named)
    {
        for (const Element& option : spec.options)
        {
            if (option.has("density")) density_ = option.number("density");
            if (option.has("viscosity")) viscosity_ = option.number("viscosity");
        }
    }

    void fuse() { fuse_children(spec_.world, 0); }

private:
    void fuse_children(Element& parent, double compensation)
    {
        for (Element& child : parent.children)
        {
            const double own = child.is("body") ? child.number("gravcomp") : compensation;
            if (child.is("body") && may_fuse(child, compensation)) make_frame(child);
            // Below a fused body the parent is the body that took it in.
            if (child.is("body") || child.is("frame")) fuse_children(child, child.is("body") ? own : compensation);
        }
    }

    bool may_fuse(const Element& body, double compensation) const
    {
        if (find_child(body, "joint") || find_child(body, "freejoint") || body.flag("mocap")) return false;
        if (body.text("fuse") == "false" || body.text("sleep") != "auto") return false;
        if (named_.bodies.contains(body.name()) || has_force_site(body)) return false;
        const bool fluid = density_ > 0 || viscosity_ > 0;
        return !(has_mass(body) && (fluid || body.number("gravcomp") != compensation));
    }

    bool has_force_site(const Element& parent) const
    {
        return std::any_of(parent.children.begin(), parent.children.end(),
                           [&](const Element& child)
                           {
                               if (child.is("frame")) return has_force_site(child);
                               return child.is("site") && named_.force_sites.contains(child.name());
                           });
    }

    static bool has_mass(const Element& body)
    {
        const Element* inertial = find_child(body, "inertial");
        if (inertial && body.context->inertia_from_geom != "true") return inertial->number("mass") > 0;
        return has_heavy_geom(body);
    }

    static bool has_heavy_geom(const Element& parent)
    {
        const Context& context = *parent.context;
        return std::any_of(parent.children.begin(), parent.children.end(),
                           [&](const Element& child)
                           {
                               if (child.is("frame")) return has_heavy_geom(child);
                               if (!child.is("geom") || child.text("type") == "plane" || child.text("type") == "hfield")
                                   return false;
                               const int group = child.integer("group");
                               if (group < context.inertia_group_first || group > context.inertia_group_last)
                                   return false;
                               return child.has("mass") ? child.number("mass") > 0 : child.number("density") > 0;
                           });
    }

    /// The body's place and contents remain, its name goes.
    static void make_frame(Element& body)
    {
        const ElementRule* rule = find_element("body", "frame");
        std::vector<Attribute> kept;
        for (Attribute& attribute : body.attributes)
        {
            const AttributeRule* known = rule->find(attribute.rule->name);
            if (!known || known->type == Type::name || known->type == Type::reference) continue;
            attribute.rule = known;
            kept.push_back(std::move(attribute));
        }
        body.attributes = std::move(kept);
        body.rule = rule;
        body.fused = true;
    }

    Spec& spec_;
    const Named& named_;
    double density_ = 0, viscosity_ = 0;
};

}  // namespace

void fuse_static(Spec& spec)
{
    Named named;
    for (const std::vector<Element>* list : spec.lists())
    {
        for (const Element& user : *list) collect_targets(user, named);
    }
    for (const Element& custom : spec.custom) collect_targets(custom, named);
    collect_targets(spec.world, named);
    Fuser(spec, named).fuse();
}

}  // namespace rattleback::mjcf
