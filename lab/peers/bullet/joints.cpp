// Joints and equality constraints as Bullet's constraints.
#include "base/index.h"
#include "lab/peers/bullet/dynamics.h"
#include "lab/scenes/parts.h"

namespace rattleback::lab
{

namespace
{

btTransform local(const Pose& body, const Pose& frame) { return to_bullet(inverse(body) * frame); }

std::unique_ptr<btTypedConstraint> make_ball(const Vec3& first, const Vec3& second, const BulletPair& pair)
{
    const auto in = [](const Pose& body, const Vec3& point)
    { return to_bullet(rotate(conjugate(body.rotation), point - body.position)); };
    return std::make_unique<btPoint2PointConstraint>(pair.first, pair.second, in(pair.first_frame, first),
                                                     in(pair.second_frame, second));
}

/// Turns about the z axis of the frame; the angle is 0 at the start and grows with the child's turn.
std::unique_ptr<btTypedConstraint> make_hinge(const Pose& frame, const Range& range, double start,
                                              const BulletPair& pair)
{
    auto hinge = std::make_unique<btHingeConstraint>(pair.first, pair.second, local(pair.first_frame, frame),
                                                     local(pair.second_frame, frame), true);
    if (range.limited) hinge->setLimit(range.lower - start, range.upper - start);
    return hinge;
}

/// Slides along the x axis of the frame.
std::unique_ptr<btTypedConstraint> make_slide(const Pose& frame, const Range& range, double start,
                                              const BulletPair& pair)
{
    auto slide = std::make_unique<btSliderConstraint>(pair.first, pair.second, local(pair.first_frame, frame),
                                                      local(pair.second_frame, frame), true);
    slide->setLowerAngLimit(0);
    slide->setUpperAngLimit(0);
    slide->setLowerLinLimit(range.limited ? range.lower - start : 1);  // the lower above the upper: free
    slide->setUpperLinLimit(range.limited ? range.upper - start : -1);
    return slide;
}

}  // namespace

std::unique_ptr<btTypedConstraint> make_bullet_joint(const Model& model, int joint, const Pose& child,
                                                     const BulletPair& pair)
{
    const std::size_t j = at(joint);
    const Vec3 anchor = child.position + rotate(child.rotation, model.joints.position[j]);
    const Vec3 axis = rotate(child.rotation, model.joints.axis[j]);
    const double start = model.initial_q[at(model.joints.q_begin[j])];
    const Quat along_z = turn_z_to(axis);
    switch (model.joints.type[j])
    {
        case JointType::ball:
            return make_ball(anchor, anchor, pair);
        case JointType::hinge:
            return make_hinge({anchor, along_z}, model.joints.range[j], start, pair);
        case JointType::slide:
        {
            const Quat z_to_x = from_axis_angle({0, 1, 0}, -kPi / 2);  // its x axis is the z axis of the frame before
            return make_slide({anchor, along_z * z_to_x}, model.joints.range[j], start, pair);
        }
        case JointType::fixed:
            return make_bullet_equality(EqualityType::weld, child, child, pair);
        case JointType::free:
            break;
    }
    return nullptr;
}

std::unique_ptr<btTypedConstraint> make_bullet_equality(EqualityType type, const Pose& first, const Pose& second,
                                                        const BulletPair& pair)
{
    if (type == EqualityType::connect) return make_ball(first.position, second.position, pair);
    return std::make_unique<btFixedConstraint>(pair.first, pair.second, local(pair.first_frame, first),
                                               local(pair.second_frame, second));
}

}  // namespace rattleback::lab
