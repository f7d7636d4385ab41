// A btDiscreteDynamicsWorld filled from a Model of free bodies.
#include "lab/peers/bullet/dynamics.h"

#include "lab/peers/bullet/shapes.h"

#include <BulletCollision/CollisionShapes/btStaticPlaneShape.h>
#include <btBulletDynamicsCommon.h>

namespace rattleback::lab
{

namespace
{

std::size_t at(int index) { return static_cast<std::size_t>(index); }

btTransform to_bullet(const Pose& pose)
{
    const Quat& q = pose.rotation;
    return {btQuaternion(q.x, q.y, q.z, q.w), to_bullet(pose.position)};
}
Pose from_bullet(const btTransform& transform)
{
    const btQuaternion q = transform.getRotation();
    return {from_bullet(transform.getOrigin()), {q.w(), q.x(), q.y(), q.z()}};
}

class World final : public BulletDynamics
{
public:
    World(const Model& model, const BulletOptions& options)
        : model_(model),
          options_(options),
          dispatcher_(&configuration_),
          world_(&dispatcher_, &broad_phase_, &solver_, &configuration_)
    {
        world_.setGravity(to_bullet(model.settings.gravity));
        world_.getSolverInfo().m_numIterations = options.iterations;
    }
    ~World() override
    {
        for (const auto& body : bodies_) world_.removeRigidBody(body.get());
    }

    std::string name() const override { return bullet_version(); }
    void step(int count) override
    {
        for (int i = 0; i < count; ++i) world_.stepSimulation(options_.dt, 0);
    }
    int contact_count() const override
    {
        int count = 0;
        for (int i = 0; i < dispatcher_.getNumManifolds(); ++i)
            count += dispatcher_.getManifoldByIndexInternal(i)->getNumContacts();
        return count;
    }
    void read(State& state) const override
    {
        for (const auto& body : bodies_)
        {
            const std::size_t b = at(body->getUserIndex());
            if (body->isStaticObject()) continue;
            const Pose inertial = from_bullet(body->getWorldTransform());
            state.body_pose[b] = inertial * inverse(model_.bodies.inertial_pose[b]);
            state.body_velocity[b] = {rattleback::lab::from_bullet(body->getLinearVelocity()),
                                      rattleback::lab::from_bullet(body->getAngularVelocity())};
        }
    }

    /// All shapes of a body as one compound, about its inertial frame.
    Result<bool> add(int body)
    {
        const std::size_t b = at(body);
        const bool fixed = model_.bodies.last_dof[b] < 0;
        const Pose inertial = fixed ? Pose{} : model_.bodies.inertial_pose[b];
        auto compound = std::make_unique<btCompoundShape>();
        MaterialOptions material;
        for (int k = model_.bodies.shape_begin[b]; k < model_.bodies.shape_begin[b + 1]; ++k)
        {
            const std::size_t s = at(model_.bodies.shapes_of_body[at(k)]);
            const ShapeType type = model_.shapes.type[s];
            const bool hull = type == ShapeType::hull || type == ShapeType::mesh;
            std::unique_ptr<btCollisionShape> shape =
                make_bullet_shape({.type = type,
                                   .size = model_.shapes.size[s],
                                   .hull = hull ? &model_.hulls[at(model_.shapes.asset[s])] : nullptr});
            material = model_.materials[at(model_.shapes.material[s])];
            if (type == ShapeType::plane) shape = std::make_unique<btStaticPlaneShape>(btVector3(0, 0, 1), 0);
            if (!shape)
                return Error{.code = ErrorCode::unsupported,
                             .where = "bullet",
                             .message = std::string("has no shape like ") + to_string(type)};
            const Pose pose = inverse(inertial) * model_.shapes.pose[s];
            if (fixed || model_.bodies.shape_begin[b + 1] - model_.bodies.shape_begin[b] == 1)
            {
                // one rigid body per shape of what never moves (a plane cannot stand in a compound), or the only shape
                add_rigid(body, shape.get(), (fixed ? place_of(body) : place_of(body) * inertial) * pose, material,
                          fixed ? 0 : model_.bodies.mass[b]);
                shapes_.push_back(std::move(shape));
                continue;
            }
            compound->addChildShape(to_bullet(pose), shape.get());
            shapes_.push_back(std::move(shape));
        }
        if (compound->getNumChildShapes() > 0)
        {
            add_rigid(body, compound.get(), place_of(body) * inertial, material, model_.bodies.mass[b]);
            shapes_.push_back(std::move(compound));
        }
        return true;
    }

private:
    Pose place_of(int body) const
    {
        Pose pose = model_.bodies.pose[at(body)];
        for (int p = model_.bodies.parent[at(body)]; p > 0; p = model_.bodies.parent[at(p)])
            pose = model_.bodies.pose[at(p)] * pose;
        return body == 0 ? Pose{} : pose;
    }

    void add_rigid(int body, btCollisionShape* shape, const Pose& pose, const MaterialOptions& material, double mass)
    {
        const Vec3& moments = model_.bodies.inertia[at(body)];
        btRigidBody::btRigidBodyConstructionInfo info(mass, nullptr, shape,
                                                      mass > 0 ? to_bullet(moments) : btVector3(0, 0, 0));
        info.m_startWorldTransform = to_bullet(pose);
        info.m_friction = std::sqrt(material.friction);  // Bullet multiplies the two
        auto rigid = std::make_unique<btRigidBody>(info);
        rigid->setUserIndex(body);
        rigid->setActivationState(DISABLE_DEACTIVATION);
        const int v = model_.bodies.v_begin[at(body)];
        if (mass > 0)
            rigid->setLinearVelocity(
                {model_.initial_v[at(v)], model_.initial_v[at(v) + 1], model_.initial_v[at(v) + 2]});
        world_.addRigidBody(rigid.get());
        bodies_.push_back(std::move(rigid));
    }

    const Model& model_;
    BulletOptions options_;
    btDefaultCollisionConfiguration configuration_;
    btCollisionDispatcher dispatcher_;
    btDbvtBroadphase broad_phase_;
    btSequentialImpulseConstraintSolver solver_;
    btDiscreteDynamicsWorld world_;
    std::vector<std::unique_ptr<btCollisionShape>> shapes_;
    std::vector<std::unique_ptr<btRigidBody>> bodies_;
};

}  // namespace

Result<std::unique_ptr<BulletDynamics>> make_bullet_dynamics(const Model& model, const BulletOptions& options)
{
    for (int j = 0; j < model.joint_count(); ++j)
    {
        if (model.joints.type[at(j)] == JointType::free) continue;
        return Error{.code = ErrorCode::unsupported,
                     .where = "bullet",
                     .message = "joint '" + model.joints.name[at(j)] + "' is not taken over"};
    }
    auto world = std::make_unique<World>(model, options);
    for (int b = 0; b < model.body_count(); ++b)
    {
        if (const Result<bool> added = world->add(b); !added.ok()) return added.errors();
    }
    return std::unique_ptr<BulletDynamics>(std::move(world));
}

}  // namespace rattleback::lab
