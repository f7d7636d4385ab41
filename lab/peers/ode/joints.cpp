// Makes ODE's joints from ours.
#include "lab/peers/ode/joints.h"

#include "base/index.h"

namespace rattleback::lab
{

namespace
{

dJointID make_weld(dWorldID world, dBodyID first, dBodyID second)
{
    auto* const weld = dJointCreateFixed(world, nullptr);
    dJointAttach(weld, first, second);
    dJointSetFixed(weld);
    return weld;
}

}  // namespace

dJointID make_ode_joint(const Model& model, int joint, const Pose& pose, dWorldID world, dBodyID child, dBodyID parent)
{
    const std::size_t j = at(joint);
    const Vec3 anchor = pose.position + rotate(pose.rotation, model.joints.position[j]);
    const Vec3 axis = rotate(pose.rotation, model.joints.axis[j]);
    const Range& range = model.joints.range[j];
    const double start = model.initial_q[at(model.joints.q_begin[j])];
    // ODE measures the first body against the second; the coordinate is zero as they stand now.
    const auto set_stops = [&](auto set, dJointID made)
    {
        if (!range.limited) return;
        // The lower stop is set twice: ODE refuses one above the upper stop, which is 0 at first.
        set(made, dParamLoStop, range.lower - start);
        set(made, dParamHiStop, range.upper - start);
        set(made, dParamLoStop, range.lower - start);
    };
    switch (model.joints.type[j])
    {
        case JointType::ball:
            return make_ode_equality(EqualityType::connect, anchor, anchor, world, child, parent);
        case JointType::hinge:
        {
            auto* const hinge = dJointCreateHinge(world, nullptr);
            dJointAttach(hinge, child, parent);
            dJointSetHingeAnchor(hinge, anchor.x, anchor.y, anchor.z);
            dJointSetHingeAxis(hinge, axis.x, axis.y, axis.z);
            set_stops(dJointSetHingeParam, hinge);
            return hinge;
        }
        case JointType::slide:
        {
            auto* const slide = dJointCreateSlider(world, nullptr);
            dJointAttach(slide, child, parent);
            dJointSetSliderAxis(slide, axis.x, axis.y, axis.z);
            set_stops(dJointSetSliderParam, slide);
            return slide;
        }
        case JointType::fixed:
            return make_weld(world, child, parent);
        case JointType::free:
            break;
    }
    return nullptr;
}

dJointID make_ode_equality(EqualityType type, const Vec3& first_point, const Vec3& second_point, dWorldID world,
                           dBodyID first, dBodyID second)
{
    if (first == nullptr) return make_ode_equality(type, second_point, first_point, world, second, first);
    if (type == EqualityType::weld) return make_weld(world, first, second);
    auto* const ball = dJointCreateBall(world, nullptr);
    dJointAttach(ball, first, second);
    dJointSetBallAnchor(ball, first_point.x, first_point.y, first_point.z);
    dVector3 local{second_point.x, second_point.y, second_point.z};
    if (second != nullptr) dBodyGetPosRelPoint(second, second_point.x, second_point.y, second_point.z, local);
    dJointSetBallAnchor2(ball, local[0], local[1], local[2]);  // in the second body's frame
    return ball;
}

}  // namespace rattleback::lab
