// From a Model to rigid groups and links.
#include "solvers/avbd/layout.h"

#include "base/index.h"
#include "math/matrix3.h"
#include "solvers/avbd/layout_blocks.h"
#include "solvers/avbd/medium.h"
#include "solvers/avbd/springs.h"
#include "solvers/shared/rigid_groups.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace rattleback::avbd
{

namespace
{

/// True for a body that floats without springs, dampers, armature or friction on its free joint: it needs no link.
bool is_free(const Model& model, int body)
{
    // its first joint is free, and nothing acts on the six dofs
    const int k = model.bodies.joint_begin[at(body)];
    if (k == model.bodies.joint_begin[at(body) + 1]) return false;
    const int joint = model.bodies.joints_of_body[at(k)];
    if (model.joints.type[at(joint)] != JointType::free || has_spring(model.joints, at(joint))) return false;
    for (int dof = model.joints.v_begin[at(joint)]; dof < model.joints.v_begin[at(joint)] + 6; ++dof)
    {
        // springs, dampers, armature and dry friction act on dofs: their rows belong to a link
        const Dofs& dofs = model.dofs;
        if (dofs.damping[at(dof)] != 0 || dofs.damping_polynomial[at(dof)] != std::array<double, 2>{}) return false;
        if (dofs.armature[at(dof)] != 0 || dofs.dry_friction[at(dof)] != 0) return false;
    }
    return true;
}

/// Inertia of a point mass at `arm`.
Mat3 point_inertia(double mass, const Vec3& arm)
{
    // m (r^2 1 - r rᵀ)
    const double squared = dot(arm, arm);
    Mat3 inertia;
    for (int i = 0; i < 3; ++i)
    {
        for (int j = 0; j < 3; ++j) inertia(i, j) = mass * ((i == j ? squared : 0) - arm[i] * arm[j]);
    }
    return inertia;
}

void add_inertia(Mat3& sum, const Mat3& term)
{
    for (int i = 0; i < 9; ++i) sum.m[i] += term.m[i];
}

/// Mass, centre and inertia of all bodies of each group.
void add_masses(const Model& model, Layout& layout)
{
    const Bodies& bodies = model.bodies;
    std::vector<double> compensated(layout.groups.size(), 0);
    const auto center_of = [&](int b)
    {
        // centre of mass of a body in the frame of its group
        return layout.in_group[at(b)].position +
               rotate(layout.in_group[at(b)].rotation, bodies.inertial_pose[at(b)].position);
    };
    // total mass, centre of mass, share of the weight that is compensated
    for (int b = 0; b < model.body_count(); ++b)
    {
        RigidGroup& group = layout.groups[at(layout.group_of_body[at(b)])];
        group.mass += bodies.mass[at(b)];
        group.center += bodies.mass[at(b)] * center_of(b);
        compensated[at(layout.group_of_body[at(b)])] += bodies.mass[at(b)] * bodies.gravity_compensation[at(b)];
    }
    for (std::size_t g = 0; g < layout.groups.size(); ++g)
    {
        RigidGroup& group = layout.groups[g];
        if (group.mass <= 0) continue;
        group.center = (1 / group.mass) * group.center;
        group.gravity_compensation = compensated[g] / group.mass;
    }
    // inertia about that centre (Steiner)
    for (int b = 0; b < model.body_count(); ++b)
    {
        RigidGroup& group = layout.groups[at(layout.group_of_body[at(b)])];
        if (!group.dynamic) continue;
        const Vec3& moments = bodies.inertia[at(b)];
        const Mat3 diagonal{{moments.x, 0, 0, 0, moments.y, 0, 0, 0, moments.z}};
        add_inertia(group.inertia,
                    turn_tensor(layout.in_group[at(b)].rotation * bodies.inertial_pose[at(b)].rotation, diagonal));
        add_inertia(group.inertia, point_inertia(bodies.mass[at(b)], center_of(b) - group.center));
    }
    // A body that cannot turn about an axis of its own (a rod, a point) still needs a positive block: every moment
    // gains a billionth of their sum and that of the mass at a micrometre.
    // The motion of ordinary bodies does not notice.
    for (RigidGroup& group : layout.groups)
    {
        const double trace = group.inertia(0, 0) + group.inertia(1, 1) + group.inertia(2, 2);
        for (int i = 0; i < 3 && group.dynamic; ++i) group.inertia(i, i) += 1e-9 * trace + 1e-12 * group.mass;
    }
}

void add_extents(const Model& model, Layout& layout)
{
    const Shapes& shapes = model.shapes;
    std::vector<double> smallest(layout.groups.size(), std::numeric_limits<double>::infinity());
    for (int s = 0; s < model.shape_count(); ++s)
    {
        // planes reach everywhere and say nothing about the size
        const double radius = shapes.bounding_radius[at(s)];
        if (!std::isfinite(radius)) continue;
        const int b = shapes.body[at(s)], g = layout.group_of_body[at(b)];
        const Pose pose = layout.in_group[at(b)] * shapes.pose[at(s)];
        // `extent` is the smallest shape, by which gaps and slips are judged; `reach` bounds what any point can do
        smallest[at(g)] = std::min(smallest[at(g)], radius);
        layout.groups[at(g)].reach =
            std::max(layout.groups[at(g)].reach, norm(pose.position - layout.groups[at(g)].center) + radius);
    }
    // without shapes: the radius of gyration
    for (std::size_t g = 0; g < layout.groups.size(); ++g)
    {
        RigidGroup& group = layout.groups[g];
        const double trace = group.inertia(0, 0) + group.inertia(1, 1) + group.inertia(2, 2);
        group.extent = std::isfinite(smallest[g]) ? smallest[g] : group.mass > 0 ? std::sqrt(trace / group.mass) : 1;
    }
}

Link make_link(const Model& model, const Layout& layout, int body)
{
    const Bodies& bodies = model.bodies;
    // child and parent are the groups on either side of the joints
    Link link;
    link.body = body;
    link.child = layout.group_of_body[at(body)];
    link.parent = layout.group_of_body[at(bodies.parent[at(body)])];
    // the pose that the child has when all coordinates are at their reference, seen from the parent
    link.start = layout.in_group[at(bodies.parent[at(body)])] * bodies.pose[at(body)];
    link.joint_begin = bodies.joint_begin[at(body)];
    link.joint_end = bodies.joint_begin[at(body) + 1];
    link.v_begin = bodies.v_begin[at(body)];
    link.dof_count = bodies.v_count[at(body)];
    link.break_force = link.break_torque = std::numeric_limits<double>::infinity();
    // the weakest joint breaks the whole link
    for (const int joint : layout.joints(link))
    {
        link.breakable = link.breakable || is_breakable(model, joint);
        link.break_force = std::min(link.break_force, model.joints.break_force[at(joint)]);
        link.break_torque = std::min(link.break_torque, model.joints.break_torque[at(joint)]);
    }
    return link;
}

}  // namespace

Layout::Layout(const Model& source, bool tree_blocks) : model(&source)
{
    // what depends on masses alone is copied from a world's own layout later (masses.h)
    dof_inertia = source.dofs.inertia;
    // bodies that move as one
    RigidGroups rigid = find_rigid_groups(source);
    for (const int root : rigid.root) groups.push_back({.body = root, .dynamic = is_dynamic(source, root)});
    for (const int body : rigid.kinematic_bodies) kinematic.push_back(rigid.group_of_body[at(body)]);
    kinematic_bodies = std::move(rigid.kinematic_bodies);
    group_of_body = std::move(rigid.group_of_body);
    in_group = std::move(rigid.in_group);
    add_masses(source, *this);
    add_extents(source, *this);
    add_medium_parts(source, *this);
    // the joints of every group that does not float freely are a link
    for (std::size_t g = 0; g < groups.size(); ++g)
    {
        // a free body has no constraint: its q and v are written from the pose
        if (!groups[g].dynamic || is_free(source, groups[g].body)) continue;
        groups[g].link = static_cast<int>(links.size());
        links.push_back(make_link(source, *this, groups[g].body));
    }
    // equalities, tendons, and what is solved together
    add_loops(source, *this);
    add_tendons(source, *this);
    add_supported_masses(*this);
    index_joints(*this);
    add_blocks(*this, tree_blocks);
}

}  // namespace rattleback::avbd
