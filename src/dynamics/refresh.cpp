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

/// Velocity of a frame's origin and of its rotation, world axes.
struct FrameVelocity
{
    Vec3 linear, angular;

    Vec3 at(const Vec3& arm) const { return linear + cross(angular, arm); }
};

/// Carries pose and velocity of the body frame through one joint; `turned` as in apply_joint().
void pass_joint(const TreeJoint& joint, const Quat& turned, const WorldView& world, JointFrame<double>& frame,
                FrameVelocity& velocity)
{
    // Joints act on the frame; the velocity is carried to where the frame moves.
    // Where the origin was before the joint moved it.
    const Vec3 before = frame.position;
    // The pose first: axes and anchors of the velocity are those after it.
    apply_joint(joint, world.q.data(), turned, frame);
    const double* v = world.v.data() + joint.v;
    switch (joint.type)
    {
        case JointType::free:
            // A free joint says it all: velocities in world axes, spin in body axes.
            velocity = {{v[0], v[1], v[2]}, rotate(frame.rotation, Vec3{v[3], v[4], v[5]})};
            break;
        case JointType::slide:
            // The axis is fixed in the frame before the joint, which may turn.
            velocity.linear = velocity.at(frame.position - before) + v[0] * frame.axis;
            break;
        case JointType::hinge:
        case JointType::ball:
        {
            // The anchor moves with what came before; the body turns about it by the joint's own spin.
            const Vec3 anchor = velocity.at(frame.anchor - before);
            velocity.angular +=
                joint.type == JointType::hinge ? v[0] * frame.axis : rotate(frame.rotation, Vec3{v[0], v[1], v[2]});
            velocity.linear = anchor + cross(velocity.angular, frame.position - frame.anchor);
            break;
        }
        case JointType::fixed:
            break;
    }
}

/// `each_joint` calls its argument with each of the body's joints in turn, and what a hinge turns by.
template <class EachJoint>
void refresh_body(const Model& model, int body, EachJoint each_joint, WorldView& world)
{
    // The parent is up to date: bodies stand behind their parents.
    const Bodies& bodies = model.bodies;
    const int p = bodies.parent[body];
    const Pose& parent = world.body_pose[p];
    // Joints start from where the parent has the body at q0.
    const Pose start = parent * bodies.pose[body];
    JointFrame<double> frame{start.position, start.rotation, {}, {}};
    FrameVelocity velocity{world.body_velocity[p].linear, world.body_velocity[p].angular};
    // Velocities of bodies are at centres of mass; joints work on frames.
    // From the parent's centre of mass to the frame's origin.
    velocity.linear = velocity.at(start.position - center_of(model, p, parent));
    each_joint([&](const TreeJoint& joint, const Quat& turned) { pass_joint(joint, turned, world, frame, velocity); });
    world.body_pose[body] = {frame.position, frame.rotation};
    const Vec3 center = center_of(model, body, world.body_pose[body]);
    // And back to a centre of mass, the body's own.
    world.body_velocity[body] = {velocity.at(center - frame.position), velocity.angular};
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
        refresh_body(model, b, each_joint, world);
    }
}

RB_FLATTEN void refresh_bodies(const Tree& tree, WorldView world)
{
    const Model& model = *tree.model;
    // Static bodies were placed once; only those on kinematic bases move.
    // Parents first, as the list is.
    for (const int b : tree.fixed_on_base) refresh_body(model, b, [](const auto&) {}, world);
    HingeTurns turns(tree, world.q.data());
    for (const TreeBody& body : tree.bodies)
    {
        const auto each_joint = [&](const auto& pass)
        {
            for (int j = body.joint_begin; j < body.joint_end; ++j)
                pass(tree.joints[j], tree.joints[j].type == JointType::hinge ? turns.take() : Quat{});
        };
        refresh_body(model, body.body, each_joint, world);
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
