// Adds links: bodies with their inertia, shapes that collide and shapes to look at.
#include <algorithm>

#include "base/index.h"
#include "base/nearest_match.h"
#include "import/urdf/assembly.h"

namespace rattleback::urdf
{

namespace
{

constexpr int kVisualGroup = 1, kHiddenGroup = 3;  // where MuJoCo's models have them

}  // namespace

void Assembly::add_link(const Link& link)
{
    const bool is_root = link.joint < 0;
    BodyId& body = bodies_[static_cast<std::size_t>(&link - robot_.links.data())];
    // ROS calls the world a link where a robot is bolted to it.
    if (is_root && link.name == "world")
    {
        body = kWorld;
        if (options_.base == RobotBase::free)
            link.node.warn("the root is the world itself, which cannot float",
                           "give its child a joint of type 'floating'");
        return add_shapes(link, body);
    }
    BodyOptions options{.name = link.name, .kind = BodyKind::fixed, .inertia = read_inertial(link)};
    const Joint* const joint = is_root ? nullptr : &robot_.joints[at(link.joint)];
    if (joint)
    {
        const Pose pose = read_origin(joint->node);
        options.parent = body_of(joint->parent);
        options.position = pose.position;
        options.rotation = pose.rotation;
    }
    const bool moves = joint ? joint->type != "fixed" : options_.base == RobotBase::free;
    if (moves) options.kind = BodyKind::dynamic;
    body = builder_.add_body(options);
    blame("body", link.name, link.node);
    if (link.name == "world")
        link.node.fail_at("name", "only the root may be called 'world'", "", ErrorCode::duplicate_name);
    if (joint) add_joint(*joint, body);
    if (is_root && moves)
    {
        builder_.add_joint(body, {.name = "root_joint", .type = JointType::free});
        blame("joint", "root_joint", link.node);
    }
    add_shapes(link, body);
}

std::optional<Inertia> Assembly::read_inertial(const Link& link) const
{
    const Node inertial = link.node.child("inertial");
    if (!inertial) return std::nullopt;
    const Node mass = inertial.child("mass"), inertia = inertial.child("inertia");
    if (!mass)
    {
        inertial.fail("'inertial' needs the element 'mass'", "", ErrorCode::syntax);
        return std::nullopt;
    }
    Inertia read{.mass = mass.has("value") ? mass.positive("value", 0, true) : mass.positive("value", 0)};
    const Pose frame = read_origin(inertial);
    read.position = frame.position;
    read.rotation = frame.rotation;
    read.diagonal = {inertia.number("ixx", 0), inertia.number("iyy", 0), inertia.number("izz", 0)};
    read.products = {inertia.number("ixy", 0), inertia.number("ixz", 0), inertia.number("iyz", 0)};
    const bool weighs = read.mass > 0 || extension_.compiler.bound_mass > 0;
    if (!weighs && norm(read.diagonal) > 0)
        inertial.warn("link '" + link.name + "' has an inertia and no mass: it weighs nothing");
    return weighs ? std::optional(read) : std::nullopt;
}

void Assembly::read_colours()
{
    const auto note = [&](const Node& material)
    {
        const Node colour = material.child("color");
        if (!colour || !material.has("name")) return;
        const std::vector<double> rgba = colour.numbers("rgba", {0.6, 0.65, 0.7, 1});
        std::array<float, 4> numbers{};
        std::transform(rgba.begin(), rgba.end(), numbers.begin(),
                       [](double x) { return static_cast<float>(std::clamp(x, 0.0, 1.0)); });
        colours_.emplace(material.text("name"), numbers);
    };
    for (const Node& material : robot_.node.children("material"))
    {
        note(material);
        if (material.child("texture") && material.has("name")) textured_.emplace(material.text("name"), material);
    }
    for (const Link& link : robot_.links)
    {
        for (const Node& visual : link.node.children("visual")) note(visual.child("material"));
    }
}

std::array<float, 4> Assembly::find_colour(const Node& visual) const
{
    const Node material = visual.child("material");
    if (const Node colour = material.child("color"); colour && !material.has("name"))
    {
        const std::vector<double> rgba = colour.numbers("rgba", {0.6, 0.65, 0.7, 1});
        return {static_cast<float>(rgba[0]), static_cast<float>(rgba[1]), static_cast<float>(rgba[2]),
                static_cast<float>(rgba[3])};
    }
    const auto found = colours_.find(material.text("name"));
    if (found != colours_.end()) return found->second;
    if (material && !material.child("texture") && !material.text("name").empty())
    {
        std::vector<std::string_view> known;
        for (const auto& [name, colour] : colours_)
        {
            if (log_.takes_hint()) known.push_back(name);
        }
        material.warn("there is no material '" + material.text("name") + "'",
                      log_.name_hint(material.text("name"), known));
    }
    return ShapeOptions{}.colour;
}

std::optional<Shape> Assembly::read_geometry(const Node& owner, bool visual)
{
    const Node geometry = owner.child("geometry");
    const std::vector<Node> shapes = geometry.children();
    if (shapes.size() != 1)
    {
        owner.fail("'" + owner.name() + "' needs one shape in 'geometry'", "box, sphere, cylinder, capsule or mesh",
                   ErrorCode::syntax);
        return std::nullopt;
    }
    const Node& shape = shapes[0];
    if (shape.is("sphere")) return Sphere{shape.positive("radius", 0)};
    if (shape.is("cylinder")) return Cylinder{shape.positive("radius", 0), 0.5 * shape.positive("length", 0)};
    if (shape.is("capsule")) return Capsule{shape.positive("radius", 0), 0.5 * shape.positive("length", 0)};
    if (shape.is("box"))
    {
        const Vec3 size = shape.vector("size", {});
        if (size.x > 0 && size.y > 0 && size.z > 0) return Box{0.5 * size};
        if (shape.required("size")) shape.fail_at("size", "the size of a box must be positive");
        return std::nullopt;
    }
    if (!shape.is("mesh"))
    {
        shape.fail("there is no shape '" + shape.name() + "'", "box, sphere, cylinder, capsule or mesh",
                   ErrorCode::unsupported);
        return std::nullopt;
    }
    const std::optional<MeshId> mesh = find_mesh_asset(shape, visual);
    if (!mesh) return std::nullopt;
    return Mesh{.mesh = *mesh, .collide = MeshCollide::hull, .mass = MeshMass::convex};
}

void Assembly::add_shapes(const Link& link, BodyId body)
{
    const std::vector<Node> visuals = link.node.children("visual");
    const bool drawn = !visuals.empty() && !extension_.compiler.discard_visual;
    const auto add = [&](const Node& node, bool visual)
    {
        const std::optional<Shape> shape = read_geometry(node, visual);
        if (!shape) return;
        const Pose pose = read_origin(node);
        ShapeOptions options{.position = pose.position, .rotation = pose.rotation, .material = material_, .mass = 0};
        options.name = make_unique("shape", node.text("name"));
        if (visual)
        {
            options.category = options.mask = 0;
            options.visual = find_visual(node);
            options.colour = find_colour(node);
            const bool bare = options.visual.valid() && options.colour == ShapeOptions{}.colour;
            if (bare) options.colour = {1, 1, 1, 1};  // the texture's own
        }
        options.group = visual ? kVisualGroup : drawn ? kHiddenGroup : 0;
        const ShapeId id = builder_.add_shape(body, *shape, options);
        collision_link_.push_back(visual ? -1 : static_cast<int>(&link - robot_.links.data()));
        blame("shape", options.name.empty() ? "shape " + std::to_string(id.index) : options.name, node);
    };
    for (const Node& collision : link.node.children("collision")) add(collision, false);
    if (!drawn) return;
    for (const Node& visual : visuals) add(visual, true);
}

void Assembly::weigh_shapes()
{
    // Does a link, or what is fixed to it, have mass? Children come after their parents.
    std::vector<char> weighs(robot_.links.size(), 0);
    for (auto link = robot_.order.rbegin(); link != robot_.order.rend(); ++link)
    {
        const BodyId body = body_of(*link);
        if (authored_.bodies[at(body.index)].inertia) weighs[at(*link)] = 1;
        const int joint = robot_.links[at(*link)].joint;
        if (joint >= 0 && robot_.joints[at(joint)].type == "fixed" && weighs[at(*link)])
            weighs[at(robot_.joints[at(joint)].parent)] = 1;
    }
    std::set<int> said;
    for (std::size_t i = 0; i < collision_link_.size(); ++i)
    {
        const int link = collision_link_[i];
        if (link < 0 || body_of(link) == kWorld) continue;
        const BodyOptions& body = authored_.bodies[at(body_of(link).index)];
        const bool always = extension_.infer_inertia && extension_.compiler.inertia_from_geom != "false";
        const bool needed = body.kind == BodyKind::dynamic && !weighs[at(link)];
        if (body.inertia || !(always || needed)) continue;
        authored_.shapes[i].options.mass = -1;
        if (!always && said.insert(link).second)
            robot_.links[at(link)].node.warn(
                "link '" + body.name + "' moves and has no mass: it weighs what its collision shapes do at 1000 kg/m^3",
                "write 'inertial'");
    }
}

}  // namespace rattleback::urdf
