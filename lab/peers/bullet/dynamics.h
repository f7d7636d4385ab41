// The parts of Bullet's dynamics for a Model: its world with clocks, its bodies, its joints.
#pragma once

#include "lab/peers/body_peer.h"
#include "lab/peers/bullet/shapes.h"

#include <btBulletDynamicsCommon.h>

namespace rattleback::lab
{

/// Bullet's world, with clocks around its stages.
class TimedBulletWorld final : public btDiscreteDynamicsWorld
{
public:
    using btDiscreteDynamicsWorld::btDiscreteDynamicsWorld;

    void performDiscreteCollisionDetection() override;
    void computeOverlappingPairs() override;
    void updateAabbs() override;
    const BodyPeerTimes& times() const { return times_; }

protected:
    void solveConstraints(btContactSolverInfo& info) override;

private:
    BodyPeerTimes times_;
};

/// A body in Bullet, with where its frame is in ours.
struct BulletBody
{
    btRigidBody* rigid = nullptr;  ///< null: nothing moves it
    Pose in_body;
};

/// Two bodies that a joint holds together, Bullet's frames at their initial poses.
struct BulletPair
{
    btRigidBody &first, &second;
    Pose first_frame, second_frame;  ///< of the bodies, as Bullet keeps them; world
};

/// The constraint of a joint between a parent (first) and its child; hinges and slides with their limits.
std::unique_ptr<btTypedConstraint> make_bullet_joint(const Model& model, int joint, const Pose& child,
                                                     const BulletPair& pair);
/// A ball between points, or a weld of frames, all in the world at the start.
std::unique_ptr<btTypedConstraint> make_bullet_equality(EqualityType type, const Pose& first, const Pose& second,
                                                        const BulletPair& pair);

}  // namespace rattleback::lab
