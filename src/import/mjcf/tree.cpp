// Adds bodies, joints and sites, depth first in the order of the file, as MuJoCo numbers them.
#include <algorithm>
#include <limits>

#include "base/index.h"
#include "import/mjcf/assembly.h"
#include "model/fields/tree_fields.h"

namespace rattleback::mjcf
{

namespace
{

JointType find_type(const Element& joint)
{
    const std::string type = joint.is("freejoint") ? "free" : joint.text("type");
    if (type == "free") return JointType::free;
    if (type == "ball") return JointType::ball;
    return type == "slide" ? JointType::slide : JointType::hinge;
}

SleepPolicy find_policy(const std::string& word)
{
    if (word == "never") return SleepPolicy::never;
    return word == "allowed" ? SleepPolicy::allowed : word == "init" ? SleepPolicy::init : SleepPolicy::automatic;
}

}  // namespace

const Element* find_child(const Element& parent, std::string_view name)
{
    for (const Element& child : parent.children)
    {
        if (child.is(name)) return &child;
        // The inertial of a body that was fused is not its parent's.
        if (!child.is("frame") || (child.fused && name == "inertial")) continue;
        if (const Element* found = find_child(child, name)) return found;
    }
    return nullptr;
}

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
        // Frames are no bodies: their pose is applied to what they hold.
        if (child.is("body")) add_body(child, body, world, frame, body == kWorld);
    }
}

void Assembly::add_body(const Element& element, BodyId parent, const Pose& parent_world, const Pose& frame,
                        bool under_world)
{
    // MuJoCo's kinds: mocap bodies are moved by targets, those without joints are welded to their parent.
    const Pose pose = frame * read_pose(element, log_);
    const bool joints = find_child(element, "joint") || find_child(element, "freejoint");
    const bool mocap = element.flag("mocap");
    if (mocap && (!under_world || joints))
        log_.fail(element.location, "a mocap body must be a child of the world without joints", "",
                  ErrorCode::invalid_value);

    BodyOptions options{.name = element.name(), .parent = parent, .position = pose.position, .rotation = pose.rotation};
    AttributeReader(element, log_).read_all<BodyRows>(options);
    options.kind = mocap ? BodyKind::kinematic : joints ? BodyKind::dynamic : BodyKind::fixed;
    options.inertia = read_inertial(element);
    const bool policy = element.has("sleep") && element.text("sleep") != "auto";
    bool carried = false;  // by something that moves
    for (BodyId above = parent; above != kWorld; above = authored_.bodies[at(above.index)].parent)
        carried = carried || authored_.bodies[at(above.index)].kind == BodyKind::dynamic;
    if (policy && (carried || !joints))
        log_.fail(element.find("sleep")->location, "'sleep' is for bodies that move and that nothing moving carries",
                  "", ErrorCode::invalid_value);
    else if (policy)
        options.sleep = find_policy(element.text("sleep"));
    // A mass of zero is MuJoCo's way to say nothing; a negative one of what cannot move counts as that.
    if (options.inertia && (options.inertia->mass == 0 || (options.inertia->mass < 0 && !joints)))
        options.inertia.reset();
    const BodyId body = builder_.add_body(options);
    note(element, "body", body.index);
    world_.push_back(parent_world * pose);
    const Pose world = world_.back();
    body_elements_.push_back(&element);
    // Own parts first, then children: numbers of joints and geoms follow the bodies.
    if (options.inertia) note_inertial(*options.inertia, {}, body);
    geoms_weigh_ = !options.inertia;
    add_body_parts(element, {}, body);
    geoms_weigh_ = true;
    add_child_bodies(element, {}, body, world);
}

void Assembly::add_body_parts(const Element& element, const Pose& frame, BodyId body)
{
    for (const Element& child : element.children)
    {
        if (child.is("frame"))
        {
            const Pose inner = frame * read_pose(child, log_);
            if (child.fused)
                add_fused_parts(child, inner, body);
            else
                add_body_parts(child, inner, body);
        }
        if (child.is("geom")) add_geom(child, frame, body);
        if (child.is("site")) add_site(child, frame, body);
        if (child.is("camera")) add_camera(child, frame, body);
        if (child.is("light")) add_light(child, frame, body);
        if (child.rule->kind == "joint")
        {
            if (body == kWorld)
                log_.fail(child.location, "the world cannot have joints", "", ErrorCode::invalid_value);
            else
                add_joint(child, frame, body);
        }
    }
}

/// What MuJoCo takes, and is mostly a slip.
void Assembly::warn_of_negative(const Element& element)
{
    for (const char* name : {"stiffness", "damping", "armature", "frictionloss"})
    {
        const Attribute* attribute = element.find(name);
        if (attribute == nullptr || attribute->numbers.empty() || !(attribute->numbers[0] < 0)) continue;
        // With further coefficients it is a double well.
        const auto& all = attribute->numbers;
        if (std::any_of(all.begin() + 1, all.end(), [](double x) { return x != 0; })) continue;
        log_.warn(attribute->location, "'" + std::string(name) + "' of '" + element.name() + "' is negative",
                  "it is taken as MuJoCo takes it, and may drive the motion", ErrorCode::invalid_value);
    }
}

void Assembly::add_joint(const Element& element, const Pose& frame, BodyId body)
{
    const JointType type = find_type(element);
    JointOptions options{.name = element.name(), .type = type};
    const AttributeReader reader(element, log_);
    visit_options<JointRows>(
        [&](const auto& row)
        {
            // Nothing limits a free joint, nor the forces of actuators on one or on a ball, whatever the file says; a
            // ball without a range may not turn at all.
            const bool range = std::string_view(row.name) == "range";
            const bool scalar = type == JointType::hinge || type == JointType::slide;
            const bool limits_free =
                (type == JointType::free && range) || (!scalar && std::string_view(row.name) == "actuator_force_range");
            const bool stuck = type == JointType::ball && range && element.text("limited") == "true" &&
                               element.numbers("range") == std::vector<double>{0, 0};
            if (stuck) options.range = {.limited = true};
            if (!limits_free && !stuck) reader.read_row(row, options);
        });
    if (element.is("joint"))
    {
        // Joints of a frame are given in the frame.
        options.axis = rotate(frame.rotation, options.axis);
        options.position = frame.position + rotate(frame.rotation, options.position);
    }
    if ((type == JointType::hinge || type == JointType::ball) && element.context->degrees)
    {
        for (double* angle : {&options.range.lower, &options.range.upper, &options.reference, &options.spring_reference,
                              &options.spring_yield})
            *angle *= kDegree;
    }
    // A ball is limited by its angle alone; what the file says below is not read.
    if (type == JointType::ball && options.range.limited) options.range.lower = 0;
    options.stiffness_polynomial = reader.read_polynomial("stiffness");
    options.damping_polynomial = reader.read_polynomial("damping");
    // Armature and damping of the drives on this joint.
    if (const auto found = joint_extra_.find(options.name); found != joint_extra_.end() && !options.name.empty())
        found->second.add_to(options);
    leave_out(options);
    warn_of_negative(element);
    const JointId joint = builder_.add_joint(body, options);
    note(element, "joint", joint.index);
    joint_elements_.push_back(&element);

    // Time constant and damping ratio instead of stiffness and damping.
    const std::vector<double> wanted = element.numbers("springdamper");
    if (wanted.empty() || !(wanted[0] > 0 && wanted[1] > 0)) return;
    constexpr double kNone = std::numeric_limits<double>::infinity();
    const double time = wanted[0], ratio = wanted[1];
    authored_.joints.back().spring_damper = {springs_off_ ? kNone : time * time * ratio * ratio,
                                             dampers_off_ ? kNone : time};
}

void Assembly::add_site(const Element& element, const Pose& frame, BodyId body)
{
    Pose pose = read_pose(element, log_);
    SiteOptions options{.name = element.name(), .size = to_vector(element.numbers("size"))};
    const std::string type = element.text("type");
    if (type == "capsule") options.type = ShapeType::capsule;
    if (type == "cylinder") options.type = ShapeType::cylinder;
    if (type == "box") options.type = ShapeType::box;
    if (type == "ellipsoid") options.type = ShapeType::ellipsoid;
    if (const Attribute* fromto = element.find("fromto"))
    {
        const std::vector<double>& n = fromto->numbers;
        const Vec3 from{n[0], n[1], n[2]}, to{n[3], n[4], n[5]};
        if (norm(from - to) > 0) pose = {0.5 * (from + to), turn_z_to(from - to)};
        // The length is that of the segment, along z; what is round has it second.
        const double half = 0.5 * norm(from - to);
        if (options.type == ShapeType::box || options.type == ShapeType::ellipsoid)
            options.size = {options.size.x, options.size.x, half};
        else if (options.type != ShapeType::sphere)
            options.size.y = half;
    }
    pose = frame * pose;
    options.position = pose.position;
    options.rotation = pose.rotation;
    note(element, "site", builder_.add_site(body, options).index);
}

}  // namespace rattleback::mjcf
