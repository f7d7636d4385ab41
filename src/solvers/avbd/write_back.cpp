// From groups back to the State: body poses and velocities, and the joint coordinates nearest to them.
#include "solvers/avbd/write_back.h"

#include "base/index.h"
#include "math/rotation.h"
#include "solvers/avbd/body_solve.h"
#include "solvers/avbd/loop_place.h"
#include "solvers/shared/divergence.h"
#include "solvers/shared/free_joint.h"

#include <algorithm>
#include <cmath>

namespace rattleback::avbd
{

namespace
{

/// 1 / mass of a group at a point along n, and the change of velocity per unit impulse.
double inverse_mass(const Layout& layout, const Body& body, int group, const Vec3& arm, const Vec3& n, Velocity& change)
{
    if (!layout.groups[at(group)].dynamic) return 0;
    // M^-1 Jᵀ of one side
    // a unit impulse at the arm turns the body by I^-1 (r x n)
    change.linear = (1 / body.mass) * n;
    change.angular = Cholesky3<double>(to_symmetric(body.inertia)).solve(cross(arm, n));
    return 1 / body.mass + dot(cross(arm, n), change.angular);
}

void write_free(const Layout& layout, const RigidGroup& group, const Pose& pose, const Body& body,
                const WorldView& world)
{
    // the free joint is the first of its body
    const Model& model = *layout.model;
    const int joint = model.bodies.joints_of_body[at(model.bodies.joint_begin[at(group.body)])];
    // velocity of the frame's origin, where a free joint has its own
    const Vec3 linear = body.velocity.linear - cross(body.velocity.angular, body.center - pose.position);
    write_free_joint(pose, linear, body.velocity.angular, &world.q[at(model.joints.q_begin[at(joint)])],
                     &world.v[at(model.joints.v_begin[at(joint)])]);
}

void write_link(const Layout& layout, const Link& link, BlockWork& work, LinkState& state, const WorldView& world)
{
    const Model& model = *layout.model;
    // q nearest to the poses
    // Gauss and Newton from the last q: joints that opened have the q with the smallest error
    place_link(layout, link, work.bodies, state);
    std::size_t taken = 0;
    for (const int j : layout.joints(link))
    {
        for (int c = 0; c < q_count(model.joints.type[at(j)]); ++c)
            world.q[at(model.joints.q_begin[at(j)] + c)] = state.q[taken++];
    }
    const Body& child = work.bodies[at(link.child)];
    const Body& parent = work.bodies[at(link.parent)];
    // v = Dᵀ of the relative motion at the anchor
    // velocities of the two groups at one point, the anchor
    const Vector6 motion =
        motion_between(child.velocity, state.anchor - child.center, parent.velocity, state.anchor - parent.center);
    for (int i = 0; i < link.dof_count; ++i) world.v[at(link.v_begin + i)] = dot6(state.moment[at(i)], motion);
}

void bounce_row(const Layout& layout, const ContactRow& row, std::vector<Body>& bodies)
{
    Body& first = bodies[at(row.first)];
    Body& second = bodies[at(row.second)];
    // arms at the end of the substep, where the impulse acts
    const Vec3 first_arm = rotate(first.rotation, row.first_point);
    const Vec3 second_arm = rotate(second.rotation, row.second_point);
    // 1 / m + (r x n) I^-1 (r x n) of both bodies
    Velocity first_change, second_change;
    const double inverse = inverse_mass(layout, first, row.first, first_arm, row.normal, first_change) +
                           inverse_mass(layout, second, row.second, second_arm, row.normal, second_change);
    // after the sweeps: implicit Euler has stopped the approach
    const Vec3 velocity = second.velocity.linear + cross(second.velocity.angular, second_arm) - first.velocity.linear -
                          cross(first.velocity.angular, first_arm);
    // Newton's restitution: one impulse along the normal, if the points part slower than e times their approach
    const double wanted = -row.restitution * row.approach;
    const double impulse = std::max(0.0, (wanted - dot(velocity, row.normal)) / inverse);
    // the impulse acts on both with opposite signs: linear momentum is kept
    first.velocity.linear -= impulse * first_change.linear;
    first.velocity.angular -= impulse * first_change.angular;
    second.velocity.linear += impulse * second_change.linear;
    second.velocity.angular += impulse * second_change.angular;
}

}  // namespace

void bounce(const Layout& layout, double least_speed, const std::vector<ContactRow>& rows,
            const std::vector<Manifold>& manifolds, std::vector<Body>& bodies)
{
    for (const Manifold& manifold : manifolds)
    {
        for (int r = manifold.begin; manifold.bounces && r < manifold.end; ++r)
        {
            // one after the other (Gauss and Seidel): the second point of a face sees what the first has done
            const ContactRow& row = rows[at(r)];
            // only what pressed, and came fast enough
            if (row.restitution <= 0 || row.normal_lambda <= 0 || row.approach > -least_speed) continue;
            bounce_row(layout, row, bodies);
        }
    }
}

int find_bad_group(const Layout& layout, const std::vector<Body>& bodies)
{
    for (std::size_t g = 0; g < layout.groups.size(); ++g)
    {
        // the first one is named in the report
        const Body& body = bodies[g];
        if (!is_sound_body({body.center, body.rotation}, body.velocity)) return static_cast<int>(g);
    }
    return -1;
}

JointErrors find_joint_errors(const Layout& layout, BlockWork& work)
{
    // opening of a joint as a length, turns counted at its arm
    JointErrors errors;
    const auto note = [&](const Vector6& now, const Vector6& start, double arm, int group)
    {
        const auto size = [&](const Vector6& error) { return norm(linear_of(error)) + arm * norm(angular_of(error)); };
        errors.largest = std::max(errors.largest, size(now));
        // opened by more than its arm within the step: no rounding, the sweeps lost it
        if (errors.parted < 0 && size(now) > size(start) + arm) errors.parted = layout.groups[at(group)].body;
    };
    for (std::size_t l = 0; l < layout.links.size(); ++l)
    {
        const Link& link = layout.links[l];
        const LinkState& state = work.links[l];
        if (work.link_memory[l].broken == 0) note(state.error, state.start_error, link.arm, link.child);
    }
    for (std::size_t l = 0; l < layout.loops.size(); ++l)
    {
        const Loop& loop = layout.loops[l];
        const LoopState& state = work.loops[l];
        if (!work.loop_memory[l].holds() || loop.type == EqualityType::joint) continue;
        // soft rows are no errors: they are where their springs are
        Vector6 now = place_loop(layout, static_cast<int>(l), work).error, start = state.start_error;
        for (int r = 0; r < 6; ++r)
        {
            if (r >= loop.rows() || state.row[at(r)].is_soft()) now[at(r)] = start[at(r)] = 0;
        }
        note(now, start, loop.arm, layout.groups[at(loop.first)].dynamic ? loop.first : loop.second);
    }
    return errors;
}

void write_limit_forces(const Layout& layout, const BlockWork& work, ConstraintForces& forces)
{
    const Model& model = *layout.model;
    forces.joint_limit.assign(model.joints.type.size(), 0);
    forces.tendon_limit.assign(model.tendons.type.size(), 0);
    // multipliers of bounds are signed by the side on which they act; sensors tell how hard they push
    for (std::size_t k = 0; k < layout.links.size(); ++k)
    {
        const LinkMemory& memory = work.link_memory[k];
        for (std::size_t i = 0; i < at(layout.links[k].dof_count) && memory.broken == 0; ++i)
            forces.joint_limit[at(work.links[k].dofs[i].joint)] += std::abs(memory.limit[i]);
    }
    for (std::size_t r = 0; r < layout.tendon_rows.size(); ++r)
        if (layout.tendon_rows[r].equality < 0)
            forces.tendon_limit[at(layout.tendon_rows[r].first)] = std::abs(work.tendon_memory[r].limit);
}

void write_links(const Layout& layout, const Sleep* sleep, BlockWork& work, const WorldView& world)
{
    for (std::size_t l = 0; l < layout.links.size(); ++l)
    {
        // sleepers keep the coordinates that they have
        const bool sleeps = sleep != nullptr && sleep->is_asleep(layout.links[l].child);
        if (!sleeps) write_link(layout, layout.links[l], work, work.links[l], world);
    }
}

void write_bodies(const Layout& layout, const Sleep* sleep, Piece range, const std::vector<Body>& bodies,
                  const WorldView& world)
{
    const Model& model = *layout.model;
    for (int b = range.begin; b < range.end; ++b)
    {
        const int g = layout.group_of_body[at(b)];
        const RigidGroup& group = layout.groups[at(g)];
        const Body& body = bodies[at(g)];
        if (g == 0 || (sleep != nullptr && sleep->is_asleep(g))) continue;
        // frame of the group, then of the body in it
        const Pose frame{body.center - rotate(body.rotation, group.center), body.rotation};
        const Pose pose = b == group.body ? frame : frame * layout.in_group[at(b)];
        const Vec3 center = pose.position + rotate(pose.rotation, model.bodies.inertial_pose[at(b)].position);
        world.body_pose[at(b)] = pose;
        // velocity of the body's own centre of mass, which is what the State has
        world.body_velocity[at(b)] = {body.velocity.linear + cross(body.velocity.angular, center - body.center),
                                      body.velocity.angular};
        if (b == group.body && group.dynamic && group.link < 0) write_free(layout, group, frame, body, world);
    }
}

}  // namespace rattleback::avbd
