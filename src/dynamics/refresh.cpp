// Body poses and velocities from joint coordinates, and the first State of a Model.
#include "dynamics/refresh.h"

#include "base/flatten.h"
#include "dynamics/hinge_turns.h"
#include "dynamics/integrate.h"

namespace rattleback
{

namespace
{

// Poses and velocities of all bodies from q and v, in doubles and without a workspace: what users and sensors see after
// a step. Joints act on the body frame one after the other, as in the dynamics.

/// Velocity of a point of a body that is passed from joint to joint, and of its rotation; world axes.
struct FrameVelocity
{
    Vec3 point, linear, angular;

    void move_to(const Vec3& other)
    {
        linear += cross(angular, other - point);
        point = other;
    }
};

/// Carries pose and velocity of the body frame through one joint; `turned` as in apply_joint().
void pass_joint(const TreeJoint& joint, const Quat& turned, const WorldView& world, JointFrame<double>& frame,
                FrameVelocity& velocity)
{
    // The pose first: axes and anchors of the velocity are those after it.
    apply_joint(joint, world.q.data(), turned, frame);
    const double* v = world.v.data() + joint.v;
    switch (joint.type)
    {
        case JointType::free:
            // A free joint says it all: velocities in world axes, spin in body axes.
            velocity = {frame.position, {v[0], v[1], v[2]}, rotate(frame.rotation, Vec3{v[3], v[4], v[5]})};
            break;
        case JointType::slide:
            // Every point of the body alike.
            velocity.linear += v[0] * frame.axis;
            break;
        case JointType::hinge:
            // The anchor moves with what came before; the body turns about it by the joint's own spin.
            velocity.move_to(frame.anchor);
            velocity.angular += v[0] * frame.axis;
            break;
        case JointType::ball:
            velocity.move_to(frame.anchor);
            velocity.angular += rotate(frame.rotation, Vec3{v[0], v[1], v[2]});
            break;
        case JointType::fixed:
            break;
    }
}

/// Matrix and centre of mass of a body, for those that it carries.
struct BodyFrame
{
    Mat3 matrix;
    Vec3 center;
};

BodyFrame find_body_frame(const Model& model, int body, const Pose& pose)
{
    const Mat3 matrix = to_matrix(pose.rotation);
    return {matrix, pose.position + matrix * model.bodies.inertial_pose[body].position};
}

/// `parent`: frame of the body's parent, which is up to date; `each_joint` calls its argument with each of the body's
/// joints in turn, and what a hinge turns by. Poses have the bits of compute_poses().
template <class EachJoint>
BodyFrame refresh_body(const Model& model, int body, const BodyFrame& parent, EachJoint each_joint, WorldView& world)
{
    const Bodies& bodies = model.bodies;
    const int p = bodies.parent[body];
    const Pose& pose = bodies.pose[body];
    // Joints start from where the parent has the body at q0. What never moves is placed once, by the whole product.
    const bool rotated = bodies.last_dof[body] < 0 || !(pose.rotation == Quat{});
    JointFrame<double> frame{};
    frame.position = world.body_pose[p].position + parent.matrix * pose.position;
    frame.rotation = rotated ? world.body_pose[p].rotation * pose.rotation : world.body_pose[p].rotation;
    // Velocities of bodies are at centres of mass: from the parent's to the body's own.
    FrameVelocity velocity{parent.center, world.body_velocity[p].linear, world.body_velocity[p].angular};
    each_joint(
        [&](const TreeJoint& joint, const Quat& turned) -> const JointFrame<double>&
        {
            pass_joint(joint, turned, world, frame, velocity);
            return frame;
        });
    world.body_pose[body] = {frame.position, frame.rotation};
    const BodyFrame own = find_body_frame(model, body, world.body_pose[body]);
    velocity.move_to(own.center);
    world.body_velocity[body] = {velocity.linear, velocity.angular};
    return own;
}

/// Kinematic bodies start on their track, moving along its first stretch, or at rest at the authored pose.
void start_kinematic_body(const Model& model, int body, WorldView& world)
{
    const int t = model.bodies.track[body];
    // Where the author put it, unless a track says otherwise.
    world.body_pose[body] = model.bodies.pose[body];
    world.body_velocity[body] = {};
    if (t < 0) return;
    const Track& track = model.tracks[t];
    // A track is followed from time zero.
    world.body_pose[body] = track_pose(track, 0);
    // The stretch in which time zero lies gives the velocity to begin with.
    for (std::size_t i = 1; i < track.times.size(); ++i)
    {
        if (track.times[i - 1] > 0 || track.times[i] <= 0) continue;
        const double span = track.times[i] - track.times[i - 1];
        const Vec3 turned = logarithm(track.poses[i].rotation * conjugate(track.poses[i - 1].rotation));
        const Vec3 moved = center_of(model, body, track.poses[i]) - center_of(model, body, track.poses[i - 1]);
        // As find_kinematic_motion() does over a step.
        world.body_velocity[body] = {(1 / span) * moved, (1 / span) * turned};
    }
}

}  // namespace

void refresh_bodies(const Model& model, WorldView world)
{
    const Bodies& bodies = model.bodies;
    for (int b = 1; b < model.body_count(); ++b)
    {
        // Kinematic bodies are told where they are.
        if (bodies.kind[b] == BodyKind::kinematic) continue;
        const auto each_joint = [&](const auto& pass)
        {
            for (int k = bodies.joint_begin[b]; k < bodies.joint_begin[b + 1]; ++k)
            {
                const TreeJoint joint = make_tree_joint(model, bodies.joints_of_body[k]);
                pass(joint, joint.type == JointType::hinge ? hinge_turn(joint, world.q[joint.q]) : Quat{});
            }
        };
        const int p = bodies.parent[b];
        refresh_body(model, b, find_body_frame(model, p, world.body_pose[p]), each_joint, world);
    }
}

RB_FLATTEN void refresh_bodies(const Tree& tree, WorldView world)
{
    const Model& model = *tree.model;
    // Static bodies were placed once; only those on kinematic bases move.
    // Parents first, as the list is.
    for (const int b : tree.fixed_on_base)
    {
        const int p = model.bodies.parent[b];
        refresh_body(model, b, find_body_frame(model, p, world.body_pose[p]), [](const auto&) {}, world);
    }
    HingeTurns turns(tree, world.q.data());
    // Most bodies hang on the one before them.
    int last = -1;
    BodyFrame frame;
    for (const TreeBody& body : tree.bodies)
    {
        const auto each_joint = [&](const auto& pass)
        {
            for (int j = body.joint_begin; j < body.joint_end; ++j)
                pass(tree.joints[j], tree.joints[j].type == JointType::hinge ? turns.take() : Quat{});
        };
        if (body.parent != last) frame = find_body_frame(model, body.parent, world.body_pose[body.parent]);
        frame = refresh_body(model, body.body, frame, each_joint, world);
        last = body.body;
    }
}

RB_FLATTEN void refresh_bodies(WorkspaceView<double>& w, WorldView world)
{
    const TreeView& tree = *w.tree;
    turn_hinges<double>(tree, w.q.data(), w.turned.data());
    for (const TreeBody& body : tree.bodies)
    {
        const auto each_joint = [&](const auto& pass)
        {
            for (int j = body.joint_begin; j < body.joint_end; ++j)
            {
                const JointFrame<double>& frame = pass(tree.joints[j], w.turned[j]);
                w.anchor[j] = frame.anchor;
                w.axis[j] = frame.axis;
            }
        };
        const BodyFrame frame =
            refresh_body(*tree.model, body.body, {w.matrix[body.parent], w.center[body.parent]}, each_joint, world);
        const Pose& pose = world.body_pose[body.body];
        w.position[body.body] = pose.position;
        w.rotation[body.body] = pose.rotation;
        w.matrix[body.body] = frame.matrix;
        w.center[body.body] = frame.center;
    }
}

State::State(const Model& model, int worlds)
    : world_count(worlds),
      q_count(model.q_count()),
      v_count(model.v_count()),
      act_count(model.act_count),
      body_count(model.body_count())
{
    RB_CHECK(worlds >= 0, "State: the number of worlds is negative");
    const auto count = static_cast<std::size_t>(worlds);
    time.resize(count);
    step.resize(count);
    // One block per world: q of all worlds lie one after the other.
    q.reserve(count * model.initial_q.size());
    v.reserve(count * model.initial_v.size());
    act.resize(count * static_cast<std::size_t>(act_count));
    body_pose.resize(count * static_cast<std::size_t>(body_count));
    body_velocity.resize(body_pose.size());
    for (int w = 0; w < worlds; ++w)
    {
        q.insert(q.end(), model.initial_q.begin(), model.initial_q.end());
        v.insert(v.end(), model.initial_v.begin(), model.initial_v.end());
    }
    // Kinematic bodies first: what they carry is placed relative to them.
    for (int w = 0; w < worlds; ++w)
    {
        WorldView view = world(w);
        for (int b = 1; b < body_count; ++b)
        {
            if (model.bodies.kind[b] == BodyKind::kinematic) start_kinematic_body(model, b, view);
        }
        refresh_bodies(model, view);
    }
}

}  // namespace rattleback
