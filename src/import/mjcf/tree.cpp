// Adds bodies, joints and sites, depth first in the order of the file, as MuJoCo numbers them.
#include <algorithm>

#include "import/mjcf/assembly.h"

namespace rattleback::mjcf
{

namespace
{

/// The child of that name, also inside frames.
const Element* find_child(const Element& parent, std::string_view name)
{
    for (const Element& child : parent.children)
    {
        if (child.is(name)) return &child;
        if (!child.is("frame")) continue;
        if (const Element* found = find_child(child, name)) return found;
    }
    return nullptr;
}

JointType find_type(const Element& joint)
{
    const std::string type = joint.is("freejoint") ? "free" : joint.text("type");
    if (type == "free") return JointType::free;
    if (type == "ball") return JointType::ball;
    return type == "slide" ? JointType::slide : JointType::hinge;
}

}  // namespace

bool wants_alignment(const Element& body)
{
    const Element* joint = find_child(body, "freejoint");
    const Element* other = find_child(body, "joint");
    if (!joint && other && other->text("type") == "free") joint = other;
    if (!joint || find_child(body, "body")) return false;
    const std::string align = joint->is("freejoint") ? joint->text("align") : "auto";
    return align == "true" || (align == "auto" && joint->context->align_free);
}

void Assembly::add_tree()
{
    add_body_parts(spec_.world, {}, kWorld);
    add_child_bodies(spec_.world, {}, kWorld, {});
}

void Assembly::add_child_bodies(const Element& element, const Pose& frame, BodyId body, const Pose& world)
{
    for (const Element& child : element.children)
    {
        if (child.is("frame")) add_child_bodies(child, frame * read_pose(child, log_), body, world);
        if (child.is("body")) add_body(child, body, world, frame, body == kWorld);
    }
}

std::optional<Inertia> Assembly::read_inertial(const Element& body) const
{
    const Element* element = find_child(body, "inertial");
    if (!element || !element->has("mass") || body.context->inertia_from_geom == "true") return std::nullopt;
    Inertia inertia{.mass = element->number("mass"), .position = to_vector(element->numbers("pos"))};
    inertia.rotation = read_turn(*element, log_);
    const bool full = element->has("fullinertia");
    if (full == element->has("diaginertia") && inertia.mass > 0 && !element->broken)
        log_.fail(element->place, "'inertial' needs one of 'diaginertia' and 'fullinertia'");
    if (element->has("diaginertia")) inertia.diagonal = to_vector(element->numbers("diaginertia"));
    if (full)
    {
        const std::vector<double> m = element->numbers("fullinertia");
        inertia.diagonal = {m[0], m[1], m[2]};
        inertia.products = {m[3], m[4], m[5]};
        if (!(inertia.rotation == Quat{}))
            log_.fail(element->place, "'fullinertia' and an orientation are given", "give the one or the other");
    }
    return inertia;
}

void Assembly::add_body(const Element& element, BodyId parent, const Pose& parent_world, const Pose& frame,
                        bool under_world)
{
    const int index = static_cast<int>(bodies_.size());
    Pose pose = frame * read_pose(element, log_);
    const bool joints = find_child(element, "joint") || find_child(element, "freejoint");
    const bool mocap = element.flag("mocap");
    if (mocap && (!under_world || joints))
        log_.fail(element.place, "a mocap body must be a child of the world without joints", "",
                  ErrorCode::invalid_value);

    BodyOptions options{.name = element.name(), .parent = parent};
    options.kind = mocap ? BodyKind::kinematic : joints ? BodyKind::dynamic : BodyKind::fixed;
    options.gravity_compensation = element.number("gravcomp");
    options.inertia = read_inertial(element);
    if (options.inertia && options.inertia->mass == 0) options.inertia.reset();
    if (const auto found = refinement_.inertia.find(index); found != refinement_.inertia.end())
        options.inertia = found->second;
    Pose inner;  // of the file's body frame in ours
    if (const auto found = refinement_.shift.find(index); found != refinement_.shift.end())
    {
        pose = pose * found->second;
        inner = inverse(found->second);
        if (options.inertia)
        {
            const Pose moved = inner * Pose{options.inertia->position, options.inertia->rotation};
            options.inertia->position = moved.position;
            options.inertia->rotation = moved.rotation;
        }
    }
    options.position = pose.position;
    options.rotation = pose.rotation;
    const Context& context = *element.context;
    wants_refinement_ = wants_refinement_ || wants_alignment(element) || context.bound_mass > 0 ||
                        context.bound_inertia > 0 || context.balance_inertia || context.total_mass > 0;

    const BodyId body = builder_.add_body(options);
    note(element, "body", body.index);
    const Pose world = parent_world * pose;
    bodies_.push_back({body, world});
    body_elements_.push_back(&element);
    add_body_parts(element, inner, body);
    wants_refinement_ = wants_refinement_ || (has_mesh_.contains(body.index) && !options.inertia);
    add_child_bodies(element, inner, body, world);
}

void Assembly::add_body_parts(const Element& element, const Pose& frame, BodyId body)
{
    for (const Element& child : element.children)
    {
        if (child.is("frame")) add_body_parts(child, frame * read_pose(child, log_), body);
        if (child.is("geom")) add_geom(child, frame, body);
        if (child.is("site")) add_site(child, frame, body);
        if (child.rule->kind == "joint")
        {
            if (body == kWorld)
                log_.fail(child.place, "the world cannot have joints", "", ErrorCode::invalid_value);
            else
                add_joint(child, frame, body);
        }
    }
}

void Assembly::add_joint(const Element& element, const Pose& frame, BodyId body)
{
    const JointType type = find_type(element);
    JointOptions options{.name = element.name(), .type = type};
    const int index = static_cast<int>(joints_.size());
    if (element.is("joint"))
    {
        const bool degrees = is_angle(type) && element.context->degrees;
        const double unit = degrees ? kDegree : 1;
        options.axis = rotate(frame.rotation, to_vector(element.numbers("axis")));
        options.position = frame.position + rotate(frame.rotation, to_vector(element.numbers("pos")));
        if (type != JointType::free) options.range = read_range(element, "limited", "range", unit);
        if (type == JointType::hinge || type == JointType::slide)
        {
            options.reference = unit * element.number("ref");
            options.spring_reference = unit * element.number("springref");
        }
        if (type == JointType::ball && options.range.limited) options.range.lower = 0;
        options.margin = element.number("margin");
        options.limit_softness = read_impedance(element, "solreflimit", "solimplimit");
        options.dry_friction_softness = read_impedance(element, "solreffriction", "solimpfriction");
        options.stiffness = read_spring(element, "stiffness")[0];
        options.damping = read_spring(element, "damping")[0];
        options.armature = element.number("armature");
        options.dry_friction = element.number("frictionloss");
        options.actuator_force_range = read_range(element, "actuatorfrclimited", "actuatorfrcrange", 1);
        options.gravity_compensation_by_actuator = element.flag("actuatorgravcomp");
        const std::vector<double> wanted = element.numbers("springdamper");
        wants_refinement_ = wants_refinement_ || (wanted[0] > 0 && wanted[1] > 0);
    }
    if (const auto found = joint_extra_.find(options.name); found != joint_extra_.end() && !options.name.empty())
    {
        options.armature += found->second.first;
        options.damping += found->second.second;
    }
    if (const auto found = refinement_.spring.find(index); found != refinement_.spring.end())
    {
        options.stiffness = found->second.first;
        options.damping = found->second.second;
    }
    if (springs_off_) options.stiffness = 0;
    if (dampers_off_) options.damping = 0;
    const JointId joint = builder_.add_joint(body, options);
    note(element, "joint", joint.index);
    joints_.push_back({joint, type, options.range});
    joint_elements_.push_back(&element);
}

void Assembly::add_site(const Element& element, const Pose& frame, BodyId body)
{
    Pose pose = read_pose(element, log_);
    if (const Attribute* fromto = element.find("fromto"))
    {
        const std::vector<double>& n = fromto->numbers;
        const Vec3 from{n[0], n[1], n[2]}, to{n[3], n[4], n[5]};
        if (norm(from - to) > 0) pose = {0.5 * (from + to), turn_z_to(from - to)};
    }
    pose = frame * pose;
    const SiteId site =
        builder_.add_site(body, {.name = element.name(), .position = pose.position, .rotation = pose.rotation});
    note(element, "site", site.index);
    sites_.push_back({site, body.index, pose});
}

}  // namespace rattleback::mjcf
