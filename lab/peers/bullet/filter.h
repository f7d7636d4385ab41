// BulletFilter: which pairs of shapes Bullet may look at.
#pragma once

#include <rattleback/query.h>

#include <BulletCollision/BroadphaseCollision/btOverlappingPairCache.h>
#include <BulletCollision/CollisionDispatch/btCollisionObject.h>

namespace rattleback::lab
{

/// The model's own filters: Bullet's masks know nothing of welds, parents and exclusions. A collision object has the
/// number of its shape as user index.
class BulletFilter final : public btOverlapFilterCallback
{
public:
    explicit BulletFilter(const Model& model) : model_(model) {}

    bool needBroadphaseCollision(btBroadphaseProxy* a, btBroadphaseProxy* b) const override
    {
        return may_collide(model_, ShapeId{shape_of(a)}, ShapeId{shape_of(b)});
    }

private:
    static int shape_of(const btBroadphaseProxy* proxy)
    {
        return static_cast<const btCollisionObject*>(proxy->m_clientObject)->getUserIndex();
    }

    const Model& model_;
};

}  // namespace rattleback::lab
