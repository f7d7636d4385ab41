// Bullet's btCollisionWorld with a dynamic tree as broad phase, filled from a Model.
#include "lab/peers/bullet/world.h"

#include "base/index.h"
#include "lab/peers/bullet/filter.h"
#include "lab/peers/bullet/shapes.h"

#include <rattleback/query.h>

#include <BulletCollision/CollisionShapes/btStaticPlaneShape.h>
#include <btBulletCollisionCommon.h>

namespace rattleback::lab
{

namespace
{

/// One collision object per shape.
class World final : public BulletWorld
{
public:
    explicit World(const Model& model)
        : model_(model),
          dispatcher_(&configuration_),
          world_(&dispatcher_, &broad_phase_, &configuration_),
          filter_(model)
    {
        broad_phase_.getOverlappingPairCache()->setOverlapFilterCallback(&filter_);
    }
    ~World() override
    {
        for (const auto& object : objects_) world_.removeCollisionObject(object.get());
    }

    std::string name() const override { return bullet_version(); }

    void add(int shape, std::unique_ptr<btCollisionShape> made)
    {
        auto object = std::make_unique<btCollisionObject>();
        object->setCollisionShape(made.get());
        object->setUserIndex(shape);
        const bool moves = model_.bodies.last_dof[at(model_.shapes.body[at(shape)])] >= 0;
        if (!moves) object->setCollisionFlags(btCollisionObject::CF_STATIC_OBJECT);
        if (moves) object->setCollisionFlags(0);
        world_.addCollisionObject(object.get());
        shapes_.push_back(std::move(made));
        objects_.push_back(std::move(object));
    }

    int find_contacts(const ConstWorldView& world) override
    {
        for (const auto& object : objects_)
        {
            const std::size_t shape = at(object->getUserIndex());
            const Pose pose = world.body_pose[at(model_.shapes.body[shape])] * model_.shapes.pose[shape];
            const PlacedShape placed{.position = pose.position, .rotation = to_matrix(pose.rotation)};
            object->setWorldTransform(to_bullet(placed));
        }
        world_.performDiscreteCollisionDetection();
        int count = 0;
        for (int i = 0; i < dispatcher_.getNumManifolds(); ++i)
            count += dispatcher_.getManifoldByIndexInternal(i)->getNumContacts();
        return count;
    }
    int manifold_count() const override { return dispatcher_.getNumManifolds(); }

private:
    const Model& model_;
    btDefaultCollisionConfiguration configuration_;
    btCollisionDispatcher dispatcher_;
    btDbvtBroadphase broad_phase_;
    btCollisionWorld world_;
    BulletFilter filter_;
    std::vector<std::unique_ptr<btCollisionShape>> shapes_;
    std::vector<std::unique_ptr<btCollisionObject>> objects_;
};

}  // namespace

Result<std::unique_ptr<BulletWorld>> make_bullet_world(const Model& model)
{
    auto world = std::make_unique<World>(model);
    for (int shape = 0; shape < model.shape_count(); ++shape)
    {
        const std::size_t s = at(shape);
        if ((model.shapes.category[s] | model.shapes.mask[s]) == 0) continue;
        const bool hull = model.shapes.type[s] == ShapeType::hull || model.shapes.type[s] == ShapeType::mesh;
        const PlacedShape placed{.type = model.shapes.type[s],
                                 .size = model.shapes.size[s],
                                 .hull = hull ? &model.hulls[at(model.shapes.asset[s])] : nullptr};
        std::unique_ptr<btCollisionShape> made = make_bullet_shape(placed);
        if (placed.type == ShapeType::plane) made = std::make_unique<btStaticPlaneShape>(btVector3(0, 0, 1), 0);
        if (!made)
        {
            return Error{.code = ErrorCode::unsupported,
                         .where = "bullet",
                         .message = std::string("has no shape like ") + to_string(placed.type)};
        }
        world->add(shape, std::move(made));
    }
    return std::unique_ptr<BulletWorld>(std::move(world));
}

}  // namespace rattleback::lab
