// Makes a Tree from a Model.
#include "dynamics/tree.h"

#include "dynamics/fluid.h"
#include "dynamics/tree_factor.h"

#include <algorithm>

namespace rattleback
{

/// What the spans of a Tree look at.
struct TreeLists
{
    struct Pattern
    {
        std::vector<int> begin{0}, dof;
    };

    std::vector<TreeBody> bodies;
    std::vector<TreeJoint> joints;
    std::vector<int> hinges, bodies_with_compensation, sprung_joints, kinematic_bodies, lone_bodies, fixed_on_base;
    std::vector<int> yielding_joints, yielding_tendons, special_actuators;
    std::vector<int> factor_begin;
    Pattern tendon, moment;
    std::vector<int> segment_begin{0};
    std::vector<TreeSegment> segments;
    std::vector<FluidPart> fluid_parts;
};

namespace
{

// What the loops of a step read is laid out here once in the order in which they read it; a step then follows no
// indirection but the tree's own.

/// The kinematic body above `body`, itself included; -1: none.
int find_base(const Model& model, int body)
{
    // The nearest kinematic body above: what it does moves the whole tree.
    for (int b = body; b > 0; b = model.bodies.parent[b])
    {
        if (model.bodies.kind[b] == BodyKind::kinematic) return b;
    }
    return -1;
}

TreeBody make_body(const Model& model, int b)
{
    const Bodies& bodies = model.bodies;
    // Everything that the loops ask of a body, side by side in memory.
    TreeBody body;
    body.body = b;
    body.parent = bodies.parent[b];
    body.root = bodies.root[b];
    body.on_base = body.root == b;
    // Only roots look at their base: below them everything is relative.
    if (body.on_base) body.base = find_base(model, body.parent);
    body.v_begin = bodies.v_begin[b];
    body.v_end = body.v_begin + bodies.v_count[b];
    body.pose = bodies.pose[b];
    // Most bodies stand unrotated in their parent; the loops then skip a product.
    body.rotated = !(body.pose.rotation == Quat{});
    body.center = bodies.inertial_pose[b].position;
    body.axes = to_matrix(bodies.inertial_pose[b].rotation);
    body.axes_rotated = !(bodies.inertial_pose[b].rotation == Quat{});
    return body;
}

void add_dofs_of(const Model& model, int body, std::vector<int>& dofs)
{
    // Dofs that move a body: its own and those of its ancestors.
    // last_dof is the nearest dof above, or the body's own last.
    for (int d = model.bodies.last_dof[body]; d >= 0; d = model.dofs.parent[d]) dofs.push_back(d);
}

void close_row(std::vector<int>& dofs, TreeLists::Pattern& pattern)
{
    // Sorted and once each: rows are merged with others column by column.
    std::sort(dofs.begin(), dofs.end());
    dofs.erase(std::unique(dofs.begin(), dofs.end()), dofs.end());
    pattern.dof.insert(pattern.dof.end(), dofs.begin(), dofs.end());
    pattern.begin.push_back(static_cast<int>(pattern.dof.size()));
    dofs.clear();
}

/// Dofs that move one body against another: those above either, not those above both.
void add_dofs_between(const Model& model, int first, int second, std::vector<int>& dofs)
{
    int a = model.bodies.last_dof[first], b = model.bodies.last_dof[second];
    // The larger number is never an ancestor of the smaller: it goes up.
    while (a != b)
    {
        int& later = a > b ? a : b;
        dofs.push_back(later);
        later = model.dofs.parent[later];
    }
}

TreeSegment make_segment(const Model& model, int first, const TendonItem* wrap, int second, double divisor)
{
    // A site on either end; a shape between them if the segment wraps.
    const std::vector<int>& weld = model.bodies.weld;
    TreeSegment segment{.first_site = first, .second_site = second};
    segment.first_body = model.sites.body[first];
    segment.second_body = model.sites.body[second];
    // A pulley's divisor scales length and force alike.
    segment.scale = 1 / divisor;
    // Ends on one rigid group keep their distance: no dof changes the length.
    segment.rigid = weld[segment.first_body] == weld[segment.second_body];
    if (!wrap) return segment;
    segment.shape = wrap->shape;
    segment.shape_body = model.shapes.body[wrap->shape];
    segment.side_site = wrap->side_site;
    segment.cylinder = model.shapes.type[wrap->shape] == ShapeType::cylinder;
    segment.radius = model.shapes.size[wrap->shape].x;
    // Wrapping happens in the shape's own frame.
    segment.axes = to_matrix(model.shapes.pose[wrap->shape].rotation);
    segment.center = model.shapes.pose[wrap->shape].position;
    segment.rigid = segment.rigid && weld[segment.shape_body] == weld[segment.first_body];
    return segment;
}

void add_tendons(const Model& model, TreeLists& tree)
{
    // Dofs of every tendon, found once: its Jacobian has this pattern for ever.
    std::vector<int> dofs;
    for (int t = 0; t < model.tendon_count(); ++t)
    {
        double divisor = 1;
        int previous = -1;
        const TendonItem* wrap = nullptr;
        // Items in order: joints with coefficients, or sites with shapes and pulleys between them.
        for (int k = model.tendons.item_begin[t]; k < model.tendons.item_begin[t + 1]; ++k)
        {
            const TendonItem& item = model.tendons.items[k];
            if (model.tendons.type[t] == TendonType::fixed)
            {
                dofs.push_back(model.joints.v_begin[item.joint]);
                continue;
            }
            if (item.shape >= 0)
            {
                wrap = &item;
                continue;
            }
            // A pulley: the next site begins a new path.
            if (item.site < 0) divisor = item.value;
            if (item.site >= 0 && previous >= 0)
            {
                // A segment of each pair of neighbouring sites; its columns are all dofs that move either end or the
                // shape.
                const TreeSegment segment = make_segment(model, previous, wrap, item.site, divisor);
                tree.segments.push_back(segment);
                if (!segment.rigid)
                {
                    add_dofs_of(model, segment.first_body, dofs);
                    add_dofs_of(model, segment.second_body, dofs);
                    // The shape may hang on other dofs than the sites.
                    if (wrap) add_dofs_of(model, segment.shape_body, dofs);
                }
            }
            previous = item.site;
            wrap = nullptr;
        }
        close_row(dofs, tree.tendon);
        tree.segment_begin.push_back(static_cast<int>(tree.segments.size()));
    }
}

void add_actuators(const Model& model, TreeLists& tree)
{
    const Actuators& actuators = model.actuators;
    // Columns of the moment arms, by transmission.
    std::vector<int> dofs;
    for (int a = 0; a < model.actuator_count(); ++a)
    {
        const int target = actuators.target[a];
        switch (actuators.transmission[a])
        {
            // The moment arm of a joint transmission has the joint's own dofs as columns.
            case TransmissionType::joint:
            case TransmissionType::joint_in_parent:
                // A joint's actuator reaches no other dof.
                for (int k = 0; k < v_count(model.joints.type[target]); ++k)
                {
                    dofs.push_back(model.joints.v_begin[target] + k);
                }
                break;
            case TransmissionType::tendon:
                // As the tendon's own row.
                dofs.assign(tree.tendon.dof.begin() + tree.tendon.begin[target],
                            tree.tendon.dof.begin() + tree.tendon.begin[target + 1]);
                break;
            case TransmissionType::site:
            case TransmissionType::slider_crank:
                if (actuators.reference[a] < 0)
                    // Every dof above the site.
                    add_dofs_of(model, model.sites.body[target], dofs);
                else
                    add_dofs_between(model, model.sites.body[target], model.sites.body[actuators.reference[a]], dofs);
                break;
            case TransmissionType::body:
                // whatever it touches
                for (int d = 0; d < model.v_count(); ++d) dofs.push_back(d);
                break;
        }
        close_row(dofs, tree.moment);
        // Plain actuators go through one quick loop, all others through this list.
        const bool affine =
            actuators.gain_law[a] == ActuatorLaw::affine && actuators.bias_law[a] == ActuatorLaw::affine;
        if (!affine || actuators.period[a] > 0 || actuators.history_begin[a] >= 0 ||
            actuators.dynamics[a] == ActuatorDynamics::muscle)
            tree.special_actuators.push_back(a);
    }
}

/// Free bodies whose tree has no other dofs.
void add_lone_bodies(const Model& model, TreeLists& tree)
{
    // A tree of six dofs that begins with a free joint is nothing but that body.
    std::vector<int> dofs(static_cast<std::size_t>(model.body_count()));  // of the tree under each root
    // Dofs per tree, counted at its root.
    for (const int body : model.dofs.body) ++dofs[model.bodies.root[body]];
    for (const TreeBody& body : tree.bodies)
    {
        const int b = body.body;
        const bool free = body.joint_end > body.joint_begin && tree.joints[body.joint_begin].type == JointType::free;
        if (free && dofs[b] == 6) tree.lone_bodies.push_back(b);
    }
    std::sort(tree.lone_bodies.begin(), tree.lone_bodies.end());
}

/// Bodies and joints with their lists.
void add_bodies(const Model& model, TreeLists& tree)
{
    // In the order of the Model: parents first.
    const Bodies& b = model.bodies;
    for (int i = 1; i < model.body_count(); ++i)
    {
        // Lists by what the loops need: most bodies are in none of them.
        if (b.kind[i] == BodyKind::kinematic) tree.kinematic_bodies.push_back(i);
        if (b.gravity_compensation[i] != 0 && b.last_dof[i] >= 0) tree.bodies_with_compensation.push_back(i);
        // Bodies without dofs on their path need no dynamics: static ones never move, others follow a kinematic base.
        if (b.last_dof[i] < 0)
        {
            if (b.kind[i] != BodyKind::kinematic && find_base(model, i) > 0) tree.fixed_on_base.push_back(i);
            continue;
        }
        TreeBody body = make_body(model, i);
        body.joint_begin = static_cast<int>(tree.joints.size());
        for (int k = b.joint_begin[i]; k < b.joint_begin[i + 1]; ++k)
        {
            const int j = b.joints_of_body[k];
            // A fixed joint has no coordinates: the pose of its body says all.
            if (model.joints.type[j] == JointType::fixed) continue;
            // Joints of one body stand side by side.
            const int place = static_cast<int>(tree.joints.size());
            const bool curved = model.joints.stiffness_polynomial[j] != std::array<double, 2>{};
            if (model.joints.stiffness[j] != 0 || curved) tree.sprung_joints.push_back(place);
            if (model.joints.plastic_begin[j] >= 0) tree.yielding_joints.push_back(place);
            if (model.joints.type[j] == JointType::hinge) tree.hinges.push_back(place);
            tree.joints.push_back(make_tree_joint(model, j));
        }
        body.joint_end = static_cast<int>(tree.joints.size());
        tree.bodies.push_back(body);
    }
}

/// Any force of an actuator or a tendon that depends on velocity.
bool depends_on_velocity(const Model& model)
{
    // Such forces enter the matrices of implicit integrators.
    const auto damps = [](double d) { return d != 0; };
    const auto bows = [](const std::array<double, 2>& terms) { return terms != std::array<double, 2>{}; };
    const auto feels = [](const std::array<double, 3>& law) { return law[2] != 0; };
    const auto bends = [](ActuatorLaw law) { return law != ActuatorLaw::affine; };
    // Laws that bend may depend on the velocity in any way.
    if (std::any_of(model.actuators.gain_law.begin(), model.actuators.gain_law.end(), bends)) return true;
    const auto& polynomials = model.tendons.damping_polynomial;
    return std::any_of(model.tendons.damping.begin(), model.tendons.damping.end(), damps) ||
           std::any_of(polynomials.begin(), polynomials.end(), bows) ||
           std::any_of(model.actuators.gain.begin(), model.actuators.gain.end(), feels) ||
           std::any_of(model.actuators.bias.begin(), model.actuators.bias.end(), feels);
}

}  // namespace

TreeJoint make_tree_joint(const Model& model, int j)
{
    const Joints& joints = model.joints;
    TreeJoint joint;
    joint.type = joints.type[j];
    joint.joint = j;
    joint.q = joints.q_begin[j];
    joint.v = joints.v_begin[j];
    joint.axis = joints.axis[j];
    joint.position = joints.position[j];
    // A joint at the origin needs no anchor: one product less.
    joint.at_origin = joint.position == Vec3{};
    if (joint.type == JointType::hinge || joint.type == JointType::slide) joint.q0 = model.q0[joint.q];
    return joint;
}

Tree::Tree(const Model& source)
{
    const auto lists = std::make_shared<TreeLists>();
    add_bodies(source, *lists);
    // The factor's rows begin at multiples of four.
    pad_rows(source.dofs.row_begin, lists->factor_begin);
    // Tendons before actuators: moment arms along a tendon copy its row.
    add_tendons(source, *lists);
    add_actuators(source, *lists);
    lists->fluid_parts = make_fluid_parts(source);
    add_lone_bodies(source, *lists);
    for (int t = 0; t < source.tendon_count(); ++t)
    {
        if (source.tendons.plastic_begin[t] >= 0) lists->yielding_tendons.push_back(t);
    }

    // The spans look into the lists, which live as long as any copy of the tree.
    model = &source;
    arrays = source;
    bodies = lists->bodies;
    joints = lists->joints;
    hinges = lists->hinges;
    bodies_with_compensation = lists->bodies_with_compensation;
    sprung_joints = lists->sprung_joints;
    yielding_joints = lists->yielding_joints;
    yielding_tendons = lists->yielding_tendons;
    kinematic_bodies = lists->kinematic_bodies;
    lone_bodies = lists->lone_bodies;
    fixed_on_base = lists->fixed_on_base;
    factor_begin = lists->factor_begin;
    tendon = {lists->tendon.begin, lists->tendon.dof};
    segment_begin = lists->segment_begin;
    segments = lists->segments;
    fluid_parts = lists->fluid_parts;
    moment = {lists->moment.begin, lists->moment.dof};
    special_actuators = lists->special_actuators;
    // As MuJoCo's Euler, which is implicit where some joint damps.
    for (const double d : source.dofs.damping) damped = damped || d > 0;
    for (const auto& terms : source.dofs.damping_polynomial) curved = curved || terms != std::array<double, 2>{};
    damped = damped || curved;
    for (const double d : source.dofs.damping) velocity_forces = velocity_forces || d != 0;
    velocity_forces = velocity_forces || damped || depends_on_velocity(source);
    lists_ = lists;
}

}  // namespace rattleback
