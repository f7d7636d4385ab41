// Joint coordinates, allowed and forbidden motions of links at the present poses.
#include "solvers/avbd/link_rows.h"

#include "base/index.h"
#include "dynamics/joint_frame.h"
#include "dynamics/tree.h"
#include "math/rotation.h"

#include <algorithm>

namespace rattleback::avbd
{

namespace
{

constexpr double kNear = 1e-5;  // corrections of q below this leave errors of its square

/// Frame of a group at its present pose.
Pose frame_of(const Layout& layout, const std::vector<Body>& bodies, int group)
{
    // the frame's origin is the centre of mass less its place in the frame
    const Body& body = bodies[at(group)];
    // rotation_now, not exp(delta) of the start: a tree keeps it up to date as it moves
    return {body.center_now() - rotate(body.rotation_now, layout.groups[at(group)].center), body.rotation_now};
}

/// Walks through the joints of a link: pose of the child that q predicts, and the dofs' motions at `anchor`.
struct Walk
{
    JointFrame<double> frame;
    Vec3 local;  ///< anchor of the last joint, in the child's frame
    int count = 0;
    std::array<Vec3, kMaxDofs> turn{}, slide{}, pivot{};
};

void add_column(Walk& walk, const Vec3& angular, const Vec3& linear, const Vec3& pivot)
{
    // Turn, slide and pivot of one dof in world axes; a column of S follows from them at any anchor.
    if (walk.count >= kMaxDofs) return;
    const auto i = at(walk.count++);
    walk.turn[i] = angular;
    walk.slide[i] = linear;
    walk.pivot[i] = pivot;
}

Walk walk_joints(const Layout& layout, const Link& link, const Pose& parent, const std::array<double, 12>& q)
{
    const Model& model = *layout.model;
    // joints act one after the other, each in the frame that those before it leave
    const Pose start = parent * link.start;
    Walk walk;
    // the frame starts where the parent has the child at q0, and every joint moves it on
    walk.frame = {start.position, start.rotation, start.position, {}};
    int taken = 0;
    for (const int j : layout.joints(link))
    {
        TreeJoint joint = make_tree_joint(model, j);
        joint.q = taken;
        const bool hinge = joint.type == JointType::hinge;
        if (joint.type == JointType::fixed) continue;
        apply_joint(joint, q.data(), hinge ? hinge_turn(joint, q[at(taken)]) : Quat{}, walk.frame);
        taken += q_count(joint.type);
        walk.local = joint.type == JointType::free ? Vec3{} : joint.position;
        // columns of S: hinge, slide, then the three translations of a free joint and the three turns of a ball
        // a free joint's and a ball's turns are about the axes of the frame that they have turned already
        const Mat3 axes = to_matrix(walk.frame.rotation);
        if (hinge) add_column(walk, walk.frame.axis, {}, walk.frame.anchor);
        if (joint.type == JointType::slide) add_column(walk, {}, walk.frame.axis, {});
        for (int k = 0; k < 3 && joint.type == JointType::free; ++k)
            add_column(walk, {}, {k == 0 ? 1.0 : 0.0, k == 1 ? 1.0 : 0.0, k == 2 ? 1.0 : 0.0}, {});
        for (int k = 0; k < 3 && (joint.type == JointType::ball || joint.type == JointType::free); ++k)
            add_column(walk, axes.column(k), {}, walk.frame.anchor);
    }
    return walk;
}

/// q (+) dq over the joints of a link.
void displace(const Layout& layout, const Link& link, const Vector6& dq, std::array<double, 12>& q)
{
    // numbers add up; quaternions turn in the body's axes
    std::size_t k = 0, i = 0;
    for (const int j : layout.joints(link))
    {
        const JointType type = layout.model->joints.type[at(j)];
        if (type == JointType::fixed) continue;
        if (type == JointType::hinge || type == JointType::slide)
        {
            q[i++] += dq[k++];
            continue;
        }
        for (int c = 0; c < 3 && type == JointType::free; ++c) q[i++] += dq[k++];
        // exponential map: q (+) dq stays a unit quaternion
        const Quat turned = normalized(unit_quaternion(&q[i]) * exponential(Vec3{dq[k], dq[k + 1], dq[k + 2]}));
        q[i] = turned.w;
        q[i + 1] = turned.x;
        q[i + 2] = turned.y;
        q[i + 3] = turned.z;
        i += 4;
        k += 3;
    }
}

Vector6 weigh(const LinkState& state, const Vector6& motion)
{
    // K of the forbidden motions: one stiffness for translations, one for rotations.
    Vector6 weighed;
    // the ratio of the two is an arm squared, so that metres and radians can be added up
    for (std::size_t c = 0; c < 6; ++c) weighed[c] = (c < 3 ? state.linear_penalty : state.angular_penalty) * motion[c];
    return weighed;
}

/// moment = K S (SᵀKS)^-1.
template <std::size_t N>
void find_moments(LinkState& state)
{
    // a = SᵀKS
    // SᵀD = 1: a unit force on one dof does no work on the others
    std::array<Vector6, N> weighed;
    std::array<double, N * N> a;
    double trace = 0;
    for (std::size_t i = 0; i < N; ++i)
    {
        weighed[i] = weigh(state, state.axis[i]);
        for (std::size_t j = 0; j <= i; ++j) a[N * i + j] = dot6(weighed[i], state.axis[j]);
        trace += a[N * i + i];
    }
    // parallel axes (gimbal lock) share their motion instead of dividing by nothing
    for (std::size_t i = 0; i < N && N > 1; ++i) a[N * i + i] += 1e-12 * trace;
    // the rows of K S a^-1, one component at a time
    factor_symmetric<N>(a.data());
    for (std::size_t c = 0; c < 6; ++c)
    {
        std::array<double, N> row;
        for (std::size_t i = 0; i < N; ++i) row[i] = weighed[i][c];
        rattleback::solve_factored<N>(a.data(), row.data());
        for (std::size_t i = 0; i < N; ++i) state.moment[i][c] = row[i];
    }
}

void find_moments(int count, LinkState& state)
{
    // Sizes known to the compiler: loops over a few dofs unroll.
    switch (count)
    {
        case 1:
            return find_moments<1>(state);
        case 2:
            return find_moments<2>(state);
        case 3:
            return find_moments<3>(state);
        case 4:
            return find_moments<4>(state);
        case 5:
            return find_moments<5>(state);
        default:
            return find_moments<6>(state);
    }
}

/// How far the groups came along the dofs of the start. It is what a wrench along `start_moment` at the anchor does
/// work on, exactly.
void find_advance(const Link& link, const std::vector<Body>& bodies, LinkState& state)
{
    // relative motion since x_t at the present anchor
    // the wrench acts at the present anchor, hence the increments are taken there and not at the old one
    const Body &child = bodies[at(link.child)], &parent = bodies[at(link.parent)];
    const Vector6 motion = motion_between(child.delta, state.anchor - child.center_now(), parent.delta,
                                          state.anchor - parent.center_now());
    for (std::size_t i = 0; i < at(link.dof_count); ++i) state.dofs[i].advance = dot6(state.start_moment[i], motion);
}

/// Axes, moments and arms half way from the start. The same for a step taken backwards: the midpoint rule is
/// reversible, and forces at the mean arms keep angular momentum exactly.
void take_means(const Link& link, LinkState& state)
{
    state.child_arm = 0.5 * (state.child_arm + state.start_child_arm);
    state.parent_arm = 0.5 * (state.parent_arm + state.start_parent_arm);
    for (std::size_t i = 0; i < at(link.dof_count); ++i)
    {
        for (std::size_t c = 0; c < 6; ++c) state.axis[i][c] = 0.5 * (state.axis[i][c] + state.start_axis[i][c]);
    }
    if (link.dof_count > 0) find_moments(link.dof_count, state);
}

/// Coordinates of the dofs; balls: what they turned since the start.
void read_coordinates(const Layout& layout, const Link& link, LinkState& state)
{
    std::size_t k = 0, i = 0;
    for (const int j : layout.joints(link))
    {
        const JointType type = layout.model->joints.type[at(j)];
        if (type == JointType::fixed) continue;
        if (type == JointType::hinge || type == JointType::slide)
        {
            state.dofs[k++].q = state.q[i++];
            continue;
        }
        for (int c = 0; c < 3 && type == JointType::free; ++c, ++i, ++k) state.dofs[k].q = state.q[i];
        // a ball's coordinates are measured from the start of the substep: near zero a rotation vector adds up like any
        // number
        const Vec3 turned = logarithm(conjugate(unit_quaternion(&state.start_q[i])) * unit_quaternion(&state.q[i]));
        for (int c = 0; c < 3; ++c) state.dofs[k++].q = turned[c];
        i += 4;
    }
}

}  // namespace

void place_link(const Layout& layout, const Link& link, const std::vector<Body>& bodies, LinkState& state)
{
    const Pose group = frame_of(layout, bodies, link.child);
    const Pose parent = frame_of(layout, bodies, link.parent);
    // a link is placed once per pose of its two groups
    if (state.placed && group == state.child_pose && parent == state.parent_pose) return;
    state.placed = true;
    state.child_pose = group;
    state.parent_pose = parent;
    // What was open at x_t turns with the parent, so that a link which swings does not feel it as a new error.
    state.start_error_now = make_vector6(rotate(parent.rotation, linear_of(state.start_error)),
                                         rotate(parent.rotation, angular_of(state.start_error)));
    // q nearest to the poses, by Gauss and Newton: dq = (SᵀKS)^-1 SᵀK error, the rest of the error is what is forbidden
    for (int pass = 0; pass < 4; ++pass)
    {
        // error of the pose that q predicts, at the last joint's anchor
        const Walk walk = walk_joints(layout, link, parent, state.q);
        state.anchor = group.position + rotate(group.rotation, walk.local);
        const Vec3 predicted = walk.frame.position + rotate(walk.frame.rotation, walk.local);
        state.error =
            // a rotation vector is the error of a rotation at any size below pi
            make_vector6(state.anchor - predicted, logarithm(group.rotation * conjugate(walk.frame.rotation)));
        // S at the anchor: a turn w about a pivot moves it by w x r
        for (std::size_t i = 0; i < at(walk.count); ++i)
        {
            const Vec3& w = walk.turn[i];
            // velocity of the point that q predicts, not of the anchor: q is what changes
            state.axis[i] = make_vector6(walk.slide[i] + cross(w, predicted - walk.pivot[i]), w);
            if (dot(w, w) == 0) state.axis[i] = make_vector6(walk.slide[i], {});
        }
        state.child_arm = state.anchor - bodies[at(link.child)].center_now();
        state.parent_arm = state.anchor - bodies[at(link.parent)].center_now();
        // a link without dofs forbids everything: the whole error is its constraint
        if (walk.count == 0) break;
        find_moments(walk.count, state);
        // dq = Dᵀ error
        Vector6 dq{};
        double largest = 0;
        for (std::size_t i = 0; i < at(walk.count); ++i)
        {
            // DᵀS = 1, so a motion along the dofs is found exactly and a forbidden one not at all
            dq[i] = dot6(state.moment[i], state.error);
            largest = std::max(largest, std::abs(dq[i]));
        }
        displace(layout, link, dq, state.q);
        if (largest > kNear && pass < 3) continue;
        // the last dq is small: its share of the error is taken off by the derivative
        for (std::size_t i = 0; i < at(walk.count); ++i)
        {
            // to first order in dq: what the walk would find at the new q
            for (std::size_t c = 0; c < 6; ++c) state.error[c] -= dq[i] * state.axis[i][c];
        }
        break;
    }
    find_advance(link, bodies, state);
    read_coordinates(layout, link, state);
    if (state.swings) take_means(link, state);
}

void start_link(const Layout& layout, const Link& link, const std::vector<Body>& bodies, std::span<const double> q,
                double dt, double scale, LinkState& state, std::span<const double> act)
{
    const Model& model = *layout.model;
    // k of the forbidden motions in units of the mass they support over h^2
    // a turn is weighed at the length of the arm, as a mass there
    state.linear_penalty = scale * link.supported_mass / (dt * dt);
    state.angular_penalty = state.linear_penalty * link.arm * link.arm;
    // q of the world, and the dofs with their own penalties: inertia / h^2
    std::size_t taken = 0;
    int dof = link.v_begin;
    std::size_t k = 0;
    for (const int j : layout.joints(link))
    {
        const JointType type = model.joints.type[at(j)];
        const auto begin = at(model.joints.q_begin[at(j)]);
        for (int c = 0; c < q_count(type); ++c) state.q[taken++] = q[begin + at(c)];
        for (int c = 0; c < v_count(type); ++c, ++dof, ++k)
        {
            state.dofs[k] = {.dof = dof, .joint = j, .scalar = type == JointType::hinge || type == JointType::slide};
            state.dofs[k].inertia = layout.dof_inertia[at(dof)];
            // a dof without inertia still has a penalty
            state.dofs[k].penalty = std::max(1e-12, layout.dof_inertia[at(dof)]) / (dt * dt);
            state.dofs[k].spring_penalty = scale * state.dofs[k].penalty;
            const int yield = model.joints.plastic_begin[at(j)];
            state.dofs[k].yielded = yield < 0 ? 0 : act[at(yield + c)];
        }
    }
    restart_link(layout, link, bodies, state);
}

void restart_link(const Layout& layout, const Link& link, const std::vector<Body>& bodies, LinkState& state)
{
    const Model& model = *layout.model;
    // q, axes and moments at x_t
    state.placed = false;
    state.swings = false;
    place_link(layout, link, bodies, state);
    state.start_q = state.q;
    state.start_moment = state.moment;
    state.start_axis = state.axis;
    state.start_child_arm = state.child_arm;
    state.start_parent_arm = state.parent_arm;
    const Body& child = bodies[at(link.child)];
    const Body& parent = bodies[at(link.parent)];
    // rates q' = Dᵀ v, D = K S (SᵀKS)^-1
    const Vector6 motion =
        motion_between(child.velocity, state.anchor - child.center, parent.velocity, state.anchor - parent.center);
    for (std::size_t i = 0; i < at(link.dof_count); ++i)
    {
        state.dofs[i].rate = dot6(state.moment[i], motion);
        state.dofs[i].advance = 0;
        const JointType type = model.joints.type[at(state.dofs[i].joint)];
        const bool turns = !state.dofs[i].scalar && !(type == JointType::free && i < 3);
        state.dofs[i].start = turns ? 0 : state.dofs[i].q;
        if (turns) state.dofs[i].q = 0;
    }
    // what is open at x_t, in the parent's axes
    const Quat back = conjugate(frame_of(layout, bodies, link.parent).rotation);
    state.start_error = make_vector6(rotate(back, linear_of(state.error)), rotate(back, angular_of(state.error)));
    state.start_error_now = state.error;
}

Vector6 constraint_wrench(const LinkState& state, const Link& link, const Vector6& lambda, double error_fraction)
{
    // C(x) - alpha C(x_t) ([AVBD] Eq. 18)
    Vector6 error;
    for (std::size_t c = 0; c < 6; ++c) error[c] = state.error[c] - (1 - error_fraction) * state.start_error_now[c];
    // lambda+ = lambda + k C ([AVBD] Eq. 11)
    Vector6 wrench = lambda;
    // the sign is that of a wrench on the parent: it pulls the parent after the child
    for (std::size_t c = 0; c < 6; ++c) wrench[c] += (c < 3 ? state.linear_penalty : state.angular_penalty) * error[c];
    // less D Sᵀ of it: no force along the dofs
    for (std::size_t i = 0; i < at(link.dof_count); ++i)
    {
        // SᵀD = 1: this leaves nothing along the dofs
        const double along = dot6(state.axis[i], wrench);
        for (std::size_t c = 0; c < 6; ++c) wrench[c] -= along * state.moment[i][c];
    }
    return wrench;
}

Matrix6 constraint_stiffness(const LinkState& state, const Link& link)
{
    // projection of K on the motions that the dofs cannot make; positive semidefinite, of rank 6 - dofs
    // K - K S (SᵀKS)^-1 SᵀK
    Matrix6 q;
    for (std::size_t c = 0; c < 6; ++c) q(c, c) = c < 3 ? state.linear_penalty : state.angular_penalty;
    for (std::size_t i = 0; i < at(link.dof_count); ++i) q.add_outer(-1, weigh(state, state.axis[i]), state.moment[i]);
    return q;
}

}  // namespace rattleback::avbd
