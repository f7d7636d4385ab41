// What one joint does to the frame of its body.
#pragma once

#include "dynamics/tree_view.h"
#include "math/broadcast.h"
#include "math/rotation.h"

namespace rattleback
{

/// A body frame on its way through the body's joints, with the last joint's anchor and axis, world axes.
template <class T>
struct JointFrame
{
    Vector3<T> position;
    Quaternion<T> rotation;
    Vector3<T> anchor;
    Vector3<T> axis;  ///< hinge and slide
};

template <class T>
RB_HD Quaternion<T> unit_quaternion(const T* q)
{
    return normalized(Quaternion<T>{q[0], q[1], q[2], q[3]});
}

/// The turn of a hinge at angle q.
template <class T>
RB_HD Quaternion<T> hinge_turn(const TreeJoint& joint, const T& q)
{
    // Angles are measured from q0, at which the bodies are placed as authored.
    // About a fixed unit axis: half-angle formulas, no matrix.
    return turn(joint.axis, q - T(joint.q0));
}

/// Applies one joint to the frame that earlier joints have reached. `q` are the coordinates of the whole world,
/// `turned` is hinge_turn() of a hinge and not looked at otherwise.
template <class T>
RB_HD void apply_joint(const TreeJoint& joint, const T* q, const Quaternion<T>& turned, JointFrame<T>& frame)
{
    if (joint.type == JointType::fixed) return;  // it has no coordinates
    q += joint.q;
    // The coordinates of a free joint are the pose itself; what came before does not count.
    if (joint.type == JointType::free)
    {
        frame.position = {q[0], q[1], q[2]};
        frame.rotation = unit_quaternion(q + 3);
        frame.anchor = frame.position;
        return;
    }
    // Anchor and axis belong to the frame that earlier joints of the same body have reached.
    frame.anchor =
        joint.at_origin ? frame.position : frame.position + rotate(frame.rotation, broadcast<T>(joint.position));
    if (joint.type == JointType::slide)
    {
        // The axis moves with the frame: a slide after a hinge turns with it.
        frame.axis = rotate(frame.rotation, broadcast<T>(joint.axis));
        frame.position += (q[0] - T(joint.q0)) * frame.axis;
        return;
    }
    const bool hinge = joint.type == JointType::hinge;
    if (hinge) frame.axis = rotate(frame.rotation, broadcast<T>(joint.axis));  // a turn leaves its own axis alone
    frame.rotation = frame.rotation * (hinge ? turned : unit_quaternion(q));
    // Turning about an anchor beside the origin carries the origin along: the anchor stays.
    if (!joint.at_origin) frame.position = frame.anchor - rotate(frame.rotation, broadcast<T>(joint.position));
}

}  // namespace rattleback
