// Places of the groups between two joints of one body at the start of a step.
#include "solvers/ipc/bodies.h"

#include "base/index.h"
#include "dynamics/joint_frame.h"
#include "math/rotation.h"

namespace rattleback::ipc
{

void place_middles(const Layout& layout, const ConstWorldView& world, std::vector<Body>& bodies)
{
    for (const Middle& middle : layout.joints.middles)
    {
        // The parent's frame, then joint after joint; velocities are those of the frame's origin.
        const Body& parent = bodies[at(middle.parent)];
        const Vec3 origin = parent.start.center - parent.start.matrix * layout.groups[at(middle.parent)].center;
        const Pose start = Pose{origin, parent.start.rotation} * middle.start;
        JointFrame<double> frame{start.position, start.rotation, start.position, {}};
        Velocity velocity{parent.velocity + cross(parent.angular, start.position - parent.start.center),
                          parent.angular};
        for (int k = middle.joint_begin; k < middle.joint_end; ++k)
        {
            const TreeJoint& joint = layout.joints.middle_joints[at(k)];
            const Vec3 before = frame.position;
            const bool is_hinge = joint.type == JointType::hinge;
            apply_joint(joint, world.q.data(), is_hinge ? hinge_turn(joint, world.q[at(joint.q)]) : Quat{}, frame);
            const double* rate = &world.v[at(joint.v)];
            if (joint.type == JointType::slide)
            {
                velocity.linear += cross(velocity.angular, frame.position - before) + rate[0] * frame.axis;
                continue;
            }
            velocity.linear += cross(velocity.angular, frame.anchor - before);
            velocity.angular +=
                is_hinge ? rate[0] * frame.axis : rotate(frame.rotation, Vec3{rate[0], rate[1], rate[2]});
            velocity.linear += cross(velocity.angular, frame.position - frame.anchor);
        }
        Body& body = bodies[at(middle.group)];
        const Vec3 arm = rotate(frame.rotation, middle.center);
        body.start = make_placement(frame.position + arm, make_unit(frame.rotation));
        body.target = body.start;
        body.velocity = velocity.linear + cross(velocity.angular, arm);
        body.angular = velocity.angular;
    }
}

}  // namespace rattleback::ipc
