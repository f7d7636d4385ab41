// Errors and directions of connects, welds, cables and joint couplings.
#include "solvers/avbd/loop_place.h"

#include "base/index.h"
#include "math/rotation.h"

namespace rattleback::avbd
{

namespace
{

/// Frame of a loop on one of its groups, world.
Pose frame_on(const Layout& layout, int group, const Pose& frame, const BlockWork& work)
{
    const Body& body = work.bodies[at(group)];
    // the poses of the sweep: a loop is linearised anew for every Newton step, unlike a contact
    const Pose own{body.center_now() - rotate(body.rotation_now, layout.groups[at(group)].center), body.rotation_now};
    return own * frame;
}

/// What the second joint of a coupling asks of the first, and the slope.
std::array<double, 2> evaluate_polynomial(const std::array<double, 5>& p, double d)
{
    // p(d) and p'(d) by Horner's rule
    const double value = p[0] + d * (p[1] + d * (p[2] + d * (p[3] + d * p[4])));
    const double slope = p[1] + d * (2 * p[2] + d * (3 * p[3] + d * 4 * p[4]));
    return {value, slope};
}

double from_reference(const Layout& layout, const BlockWork& work, int link, int dof)
{
    const LinkDof& own = work.links[at(link)].dofs[at(dof)];
    return own.q - layout.model->q0[at(layout.model->joints.q_begin[at(own.joint)])];
}

std::array<double, 2> evaluate_coupling(const Layout& layout, const Loop& loop, const BlockWork& work)
{
    // without a second joint the first is held at p(0)
    const double d = loop.second_link < 0 ? 0 : from_reference(layout, work, loop.second_link, loop.second_dof);
    return evaluate_polynomial(layout.model->equalities.polynomial[at(loop.equality)], d);
}

/// The dof rows of up to two links.
Vector6 coupling_direction(const Layout& layout, const Loop& loop, int group, const BlockWork& work)
{
    Vector6 direction{};
    const auto add_dof = [&](int l, int d, double scale)
    {
        const Link& link = layout.links[at(l)];
        const LinkState& state = work.links[at(l)];
        // the direction of the force: along q_1, against p' q_2
        // A coupling acts along the dofs of its links, on child and parent with opposite signs.
        const double sign = link.child == group ? 1 : link.parent == group ? -1 : 0;
        if (sign == 0) return;
        // D moves from the anchor of the link to the centre of mass of the group
        const Vector6 moment = shift_wrench(state.moment[at(d)], state.anchor - work.bodies[at(group)].center_now());
        for (std::size_t c = 0; c < 6; ++c) direction[c] += sign * scale * moment[c];
    };
    add_dof(loop.first_link, loop.first_dof, 1);
    if (loop.second_link >= 0) add_dof(loop.second_link, loop.second_dof, -evaluate_coupling(layout, loop, work)[1]);
    return direction;
}

constexpr std::array<Vec3, 3> kUnits{Vec3{1, 0, 0}, Vec3{0, 1, 0}, Vec3{0, 0, 1}};

/// In the first frame's axes: what is open at the start of a step and stays so turns with the first group.
LoopPlace place_frames(const Pose& first, const Pose& second)
{
    // C = (R_aᵀ (x_b - x_a), log R_aᵀ R_b)
    // seen from the first frame: turning both groups together changes nothing
    const Quat back = conjugate(first.rotation);
    const Vec3 apart = rotate(back, second.position - first.position);
    const Vec3 turned = logarithm(back * second.rotation);
    LoopPlace place{.error = make_vector6(apart, turned), .point = second.position};
    for (std::size_t i = 0; i < 3; ++i)
    {
        place.axis[i] = rotate(first.rotation, kUnits[i]);
        // d(turned) = J^-1 w, w the relative turn in the first frame's axes: row i of it is J^-T of the i-th unit
        place.axis[i + 3] = rotate(first.rotation, logarithm_rate(-turned, kUnits[i]));
    }
    return place;
}

}  // namespace

LoopPlace place_loop(const Layout& layout, int index, BlockWork& work)
{
    const Loop& loop = layout.loops[at(index)];
    if (loop.type == EqualityType::joint)
    {
        // Coordinates of both joints at the present poses.
        for (const int l : {loop.first_link, loop.second_link})
        {
            if (l >= 0) place_link(layout, layout.links[at(l)], work.bodies, work.links[at(l)]);
        }
        // C = p(q_2) - q_1, both from their reference
        const double wanted = evaluate_coupling(layout, loop, work)[0];
        return {.error = {wanted - from_reference(layout, work, loop.first_link, loop.first_dof), 0, 0, 0, 0, 0}};
    }
    // both frames at the present poses of their groups
    const Pose first = frame_on(layout, loop.first, loop.first_frame, work);
    const Pose second = frame_on(layout, loop.second, loop.second_frame, work);
    return place_frames(first, second);
}

Vector6 row_direction(const Layout& layout, const Loop& loop, const LoopPlace& place, int row, int group,
                      const BlockWork& work)
{
    if (loop.type == EqualityType::joint) return coupling_direction(layout, loop, group, work);
    // equal and opposite on both groups: linear and angular momentum are kept, since both arms end at one point
    const Vec3 axis = group == loop.first ? place.axis[at(row)] : -place.axis[at(row)];
    // J of a row with respect to one group: a turn about the axis, or a push along it at the point with its moment.
    if (row >= 3) return make_vector6({}, axis);
    return make_vector6(axis, cross(place.point - work.bodies[at(group)].center_now(), axis));
}

}  // namespace rattleback::avbd
