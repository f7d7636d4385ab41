// Lengths of tendons and their derivatives by the poses of the groups.
#include "solvers/avbd/tendon_place.h"

#include "base/index.h"
#include "dynamics/wrap.h"
#include "math/rotation.h"

#include <algorithm>

namespace rattleback::avbd
{

namespace
{

/// A point of a group's frame, from its centre of mass, in world axes.
Vec3 arm_of(const Layout& layout, int group, const Vec3& local, const BlockWork& work)
{
    // the present rotation: paths are placed anew in every sweep
    return rotate(work.bodies[at(group)].rotation_now, local - layout.groups[at(group)].center);
}

/// The place of a group in the list of a row; -1: not there.
int find_group(const Layout& layout, const TendonRow& row, int group)
{
    const std::span<const int> groups = layout.groups_of(row);
    // bisection: the groups of a row are sorted
    const auto found = std::lower_bound(groups.begin(), groups.end(), group);
    if (found == groups.end() || *found != group) return -1;
    return row.group_begin + static_cast<int>(found - groups.begin());
}

/// The ends of the straight parts of one path.
struct PathWriter
{
    // a path as it is laid: its length so far, its ends, and its gradient by group
    const Layout& layout;
    const TendonRow& row;
    TendonState& state;
    BlockWork& work;

    /// The path ends at `point` of a group, coming along `unit` over a straight part of length `free`; `other` is the
    /// group at its other end. dL/dx = unit, dL/dtheta = r x unit.
    void add_end(int group, int other, const Vec3& point, const Vec3& unit, double free) const
    {
        const int k = find_group(layout, row, group);
        if (k < 0) return;
        // a turn w of the group moves its end by w x r
        const Vec3 arm = point - work.bodies[at(group)].center_now();
        work.tendon_ends[at(state.end_begin + state.end_count++)] = {group, other, arm, unit, free};
        add(work.tendon_gradient[at(k)], make_vector6(unit, cross(arm, unit)));
    }
    /// A straight part between two points.
    void add_straight(int first_group, int second_group, const Vec3& first, const Vec3& second,
                      const Vec3& direction) const
    {
        // both ends of a straight part are pulled towards each other: opposite directions, one free length
        const double free = norm(second - first);
        add_end(second_group, first_group, second, direction, free);
        add_end(first_group, second_group, first, -direction, free);
    }
};

/// Around or through a shape: the part on the shape moves with it and keeps its length to first order.
void add_wrapped(const TendonSegment& segment, const Vec3& first, const Vec3& second, const PathWriter& writer)
{
    // the path slides on the shape without friction
    const Layout& layout = writer.layout;
    const Body& carrier = writer.work.bodies[at(segment.shape_group)];
    // the sites in the frame of the shape, where the path has a closed form
    const Vec3 center = carrier.center_now() + arm_of(layout, segment.shape_group, segment.shape.position, writer.work);
    const Quat axes = carrier.rotation_now * segment.shape.rotation;
    const auto local = [&](const Vec3& point) { return rotate(conjugate(axes), point - center); };
    Vec3 side;
    // the side site decides on which side of the shape the path passes (MuJoCo's sidesite)
    if (segment.sided)
        side = local(writer.work.bodies[at(segment.side_group)].center_now() +
                     arm_of(layout, segment.side_group, segment.side, writer.work));
    const WrappedPath<double> path = find_wrapped_path<double>(segment.cylinder, segment.radius, local(first),
                                                               local(second), segment.sided ? &side : nullptr);
    writer.state.length += segment.scale * path.length;
    // all on one group: the length is constant, and no force of it moves anything
    if (segment.rigid) return;
    const Vec3 first_direction = rotate(axes, segment.scale * path.first_unit);
    const Vec3 second_direction = rotate(axes, segment.scale * path.second_unit);
    // the straight way misses the shape
    if (path.touches < 0.5)
    {
        writer.add_straight(segment.first_group, segment.second_group, first, second, second_direction);
        return;
    }
    // two straight parts, each between a site and the place where the path leaves the shape
    // the curved part exerts no force along itself; at the tangent points it pushes the shape by the two straight ends
    const Vec3 leave = center + rotate(axes, path.first_contact), meet = center + rotate(axes, path.second_contact);
    writer.add_straight(segment.shape_group, segment.second_group, meet, second, second_direction);
    writer.add_straight(segment.first_group, segment.shape_group, first, leave, first_direction);
}

/// L = sum of the parts over the divisors of their pulleys.
void place_spatial(const Layout& layout, int tendon, const PathWriter& writer)
{
    for (int s = layout.segment_begin[at(tendon)]; s < layout.segment_begin[at(tendon) + 1]; ++s)
    {
        // parts behind a pulley count by 1 / divisor, lengths and forces alike
        const TendonSegment& segment = layout.segments[at(s)];
        const Vec3 first = writer.work.bodies[at(segment.first_group)].center_now() +
                           arm_of(layout, segment.first_group, segment.first, writer.work);
        const Vec3 second = writer.work.bodies[at(segment.second_group)].center_now() +
                            arm_of(layout, segment.second_group, segment.second, writer.work);
        if (segment.wraps)
        {
            add_wrapped(segment, first, second, writer);
            continue;
        }
        // a straight line between two sites
        const Vec3 between = second - first;
        const double distance = norm(between);
        writer.state.length += segment.scale * distance;
        // its direction jumps: a smooth force does not exist there
        // coincident ends have no direction, hence no force
        if (segment.rigid || distance <= 1e-12) continue;
        writer.add_straight(segment.first_group, segment.second_group, first, second,
                            (segment.scale / distance) * between);
    }
}

/// L = sum of c q: a wrench along each joint's dof, on child and parent with opposite signs.
void place_fixed(const Layout& layout, int tendon, const TendonRow& row, TendonState& state, BlockWork& work)
{
    const Model& model = *layout.model;
    for (int i = model.tendons.item_begin[at(tendon)]; i < model.tendons.item_begin[at(tendon) + 1]; ++i)
    {
        const TendonItem& item = model.tendons.items[at(i)];
        const int l = layout.groups[at(layout.group_of_body[at(model.joints.body[at(item.joint)])])].link;
        const Link& link = layout.links[at(l)];
        LinkState& joint = work.links[at(l)];
        // q and the moment D of the dof, as the rows of the joint have them
        place_link(layout, link, work.bodies, joint);
        const auto dof = at(model.joints.v_begin[at(item.joint)] - link.v_begin);
        // the same coordinate that limits and springs of the joint look at
        state.length += item.value * joint.dofs[dof].q;
        for (const int group : {link.child, link.parent})
        {
            const int k = find_group(layout, row, group);
            if (k < 0) continue;
            // D of the dof, moved to the centre of mass of each side
            const Vec3& arm = group == link.child ? joint.child_arm : joint.parent_arm;
            add(work.tendon_gradient[at(k)], shift_wrench(joint.moment[dof], arm),
                group == link.child ? item.value : -item.value);
        }
    }
}

}  // namespace

void place_tendon(const Layout& layout, int tendon, BlockWork& work)
{
    const TendonRow& row = layout.tendon_rows[at(tendon)];
    TendonState& state = work.tendons[at(tendon)];
    // everything anew: the poses have changed since the last sweep
    state.length = 0;
    state.end_count = 0;
    for (int k = row.group_begin; k < row.group_end; ++k) work.tendon_gradient[at(k)] = {};
    if (layout.model->tendons.type[at(tendon)] == TendonType::fixed)
        place_fixed(layout, tendon, row, state, work);
    else
        place_spatial(layout, tendon, {layout, row, state, work});
}

void place_tendon_row(const Layout& layout, int index, BlockWork& work)
{
    const TendonRow& row = layout.tendon_rows[at(index)];
    // couplings read the tendons they name, which are placed first
    place_tendon(layout, row.first, work);
    if (row.equality < 0) return;
    // what is missing of the first: p(L_2 - L_2(q0)) - (L_1 - L_1(q0)), and p'
    const std::vector<double>& rest = layout.model->tendons.length;
    const std::array<double, 5>& p = layout.model->equalities.polynomial[at(row.equality)];
    double d = 0;
    if (row.second >= 0)
    {
        place_tendon(layout, row.second, work);
        d = work.tendons[at(row.second)].length - rest[at(row.second)];
    }
    // C of the coupling; its value is also what the row calls its length
    TendonState& state = work.tendons[at(index)];
    state.length = p[0] + d * (p[1] + d * (p[2] + d * (p[3] + d * p[4]))) -
                   (work.tendons[at(row.first)].length - rest[at(row.first)]);
    state.slope = row.second < 0 ? 0 : p[1] + d * (2 * p[2] + d * (3 * p[3] + d * 4 * p[4]));
    // J_1 - p' J_2
    // the direction of the force of the row, over the groups of both tendons
    for (int k = row.group_begin; k < row.group_end; ++k)
    {
        Vector6& gradient = work.tendon_gradient[at(k)] = {};
        const auto add_of = [&](int tendon, double scale)
        {
            const int own = find_group(layout, layout.tendon_rows[at(tendon)], layout.tendon_groups[at(k)]);
            if (own >= 0) add(gradient, work.tendon_gradient[at(own)], scale);
        };
        add_of(row.first, 1);
        if (row.second >= 0) add_of(row.second, -state.slope);
    }
}

}  // namespace rattleback::avbd
