// A btDiscreteDynamicsWorld filled from a Model: sequential impulses. In the program in double precision, in a module
// of its own in single (lab/peers/body_peers.cpp opens it).
#include "lab/peers/bullet/dynamics.h"

#include "base/index.h"
#include "collide/model_shape.h"
#include "dynamics/integrate.h"
#include "lab/measure/measure.h"
#include "lab/peers/bullet/filter.h"
#include "lab/peers/bullet/surfaces.h"

#include <rattleback/query.h>

#include <BulletCollision/CollisionDispatch/btManifoldResult.h>
#include <BulletCollision/CollisionShapes/btStaticPlaneShape.h>
#include <BulletCollision/Gimpact/btGImpactCollisionAlgorithm.h>

#include <algorithm>

namespace rattleback::lab
{

namespace
{

/// The name in the table of body peers.
constexpr const char* kEngine = sizeof(btScalar) == sizeof(float) ? "bullet_single" : "bullet";

/// Half the edge of the box that stands for a plane where things have corners [m], as in Bullet's own examples: its
/// plane finds one point per step, and small boxes that land fast sink into it for seconds. For spheres and capsules
/// the plane is exact and quicker.
constexpr double kGround = 1000;
bool has_corners(const Model& model)
{
    for (int shape = 0; shape < model.shape_count(); ++shape)
    {
        const ShapeType type = model.shapes.type[at(shape)];
        const bool moves = find_motion(model, model.shapes.body[at(shape)]) == PeerMotion::forces;
        if (moves && type != ShapeType::sphere && type != ShapeType::capsule) return true;
    }
    return false;
}

/// Our rule; Bullet's own is the product.
btScalar combine_friction(const btCollisionObject* first, const btCollisionObject* second)
{
    return std::max(first->getFriction(), second->getFriction());
}

/// Hands a kinematic body its pose at the end of the step.
class GivenMotion final : public btMotionState
{
public:
    explicit GivenMotion(const btTransform& start) : pose(start) {}
    void getWorldTransform(btTransform& transform) const override { transform = pose; }
    void setWorldTransform(const btTransform& /*transform*/) override {}

    btTransform pose;
};

class BulletPeer final : public BodyPeer
{
public:
    BulletPeer(const Model& model, const BodyPeerOptions& options)
        : model_(model),
          options_(options),
          dispatcher_(&configuration_),
          world_(&dispatcher_, &broad_phase_, &solver_, &configuration_),
          filter_(model),
          corners_(has_corners(model)),
          start_(model),
          control_(model),
          bodies_(at(model.body_count())),
          ground_(btRigidBody::btRigidBodyConstructionInfo(0, nullptr, &nothing_))
    {
        gCalculateCombinedFrictionCallback = &combine_friction;
        btGImpactCollisionAlgorithm::registerAlgorithm(&dispatcher_);
        broad_phase_.getOverlappingPairCache()->setOverlapFilterCallback(&filter_);
        world_.setGravity(to_bullet(model.settings.gravity));
        if (options.iterations > 0) world_.getSolverInfo().m_numIterations = options.iterations;
    }
    ~BulletPeer() override
    {
        for (const auto& joint : joints_) world_.removeConstraint(joint.get());
        for (const auto& rigid : rigids_) world_.removeRigidBody(rigid.get());
    }

    std::string name() const override
    {
        return bullet_version() + (sizeof(btScalar) == sizeof(float) ? " (single)" : "");
    }
    int iterations() const override { return world_.getSolverInfo().m_numIterations; }
    void step(int count) override
    {
        for (int i = 0; i < count; ++i)
        {
            move_kinematic_bodies();
            world_.stepSimulation(options_.dt, 0);
            time_ += options_.dt;
        }
    }
    int contact_count() const override
    {
        int count = 0;
        for (int i = 0; i < dispatcher_.getNumManifolds(); ++i)
            count += dispatcher_.getManifoldByIndexInternal(i)->getNumContacts();
        return count;
    }
    BodyPeerTimes times() const override { return world_.times(); }
    void read(State& state) const override
    {
        for (std::size_t b = 1; b < bodies_.size(); ++b)
        {
            const BulletBody& body = bodies_[b];
            if (body.rigid == nullptr) continue;
            state.body_pose[b] = lab::from_bullet(body.rigid->getWorldTransform()) * inverse(body.in_body);
            state.body_velocity[b] = {lab::from_bullet(body.rigid->getLinearVelocity()),
                                      lab::from_bullet(body.rigid->getAngularVelocity())};
        }
        state.time[0] = time_;
    }

    Status add_body(int body);
    void add_joints();

private:
    Result<btCollisionShape*> make_shape(int shape);
    void add_still(int body, int shape, btCollisionShape* made);
    btRigidBody& add_rigid(int body, double mass, const Vec3& moments, btCollisionShape* shape, btMotionState* motion,
                           const Pose& pose);
    void move_kinematic_bodies();
    BulletPair pair_of(int first, int second);
    /// The frame that Bullet keeps a body in, at the start.
    Pose frame_of(int body) const
    {
        return bodies_[at(body)].rigid == nullptr ? Pose{} : start_.body_pose[at(body)] * bodies_[at(body)].in_body;
    }
    btRigidBody& rigid_of(int body) { return bodies_[at(body)].rigid == nullptr ? ground_ : *bodies_[at(body)].rigid; }

    const Model& model_;
    BodyPeerOptions options_;
    btDefaultCollisionConfiguration configuration_;
    btCollisionDispatcher dispatcher_;
    btDbvtBroadphase broad_phase_;
    btSequentialImpulseConstraintSolver solver_;
    TimedBulletWorld world_;
    BulletFilter filter_;
    bool corners_;  ///< something that moves has them
    State start_;
    Control control_;
    std::vector<BulletBody> bodies_;  ///< [body]
    btEmptyShape nothing_;
    btRigidBody ground_;  ///< what joints to the world hold on to
    std::vector<std::unique_ptr<btCollisionShape>> shapes_;
    std::vector<std::unique_ptr<BulletSurface>> surfaces_;  ///< of meshes that collide exactly
    std::vector<std::unique_ptr<GivenMotion>> motions_;     ///< [kinematic body, in order]
    std::vector<int> kinematic_;
    std::vector<std::unique_ptr<btRigidBody>> rigids_;
    std::vector<std::unique_ptr<btTypedConstraint>> joints_;
    double time_ = 0;
};

Result<btCollisionShape*> BulletPeer::make_shape(int shape)
{
    const std::size_t s = at(shape);
    const ShapeType type = model_.shapes.type[s];
    if (type == ShapeType::plane && !corners_)
        return shapes_.emplace_back(std::make_unique<btStaticPlaneShape>(btVector3(0, 0, 1), 0)).get();
    if (type == ShapeType::plane)
        return shapes_.emplace_back(std::make_unique<btBoxShape>(btVector3(kGround, kGround, kGround))).get();
    const PlacedShape exact = make_unplaced(model_, shape);
    if (exact.mesh != nullptr)
    {
        const bool moves = find_motion(model_, model_.shapes.body[s]) == PeerMotion::forces;
        return surfaces_.emplace_back(make_bullet_surface(exact, moves))->shape.get();
    }
    const bool hull = type == ShapeType::hull || type == ShapeType::mesh;
    std::unique_ptr<btCollisionShape> made =
        make_bullet_shape({.type = type,
                           .size = model_.shapes.size[s],
                           .hull = hull ? &model_.hulls[at(model_.shapes.asset[s])] : nullptr},
                          BulletMargin::inner);
    if (!made)
    {
        return Error{.code = ErrorCode::unsupported,
                     .where = kEngine,
                     .message = "shape '" + model_.shapes.name[s] + "' is a " + to_string(type),
                     .hint = ""};
    }
    return shapes_.emplace_back(std::move(made)).get();
}

btRigidBody& BulletPeer::add_rigid(int body, double mass, const Vec3& moments, btCollisionShape* shape,
                                   btMotionState* motion, const Pose& pose)
{
    btRigidBody::btRigidBodyConstructionInfo info(mass, motion, shape, to_bullet(moments));
    info.m_startWorldTransform = to_bullet(pose);
    btRigidBody& rigid = *rigids_.emplace_back(std::make_unique<btRigidBody>(info));
    rigid.setActivationState(DISABLE_DEACTIVATION);
    const std::span<const int> shapes = shapes_of(model_, body);
    if (!shapes.empty())
    {
        rigid.setUserIndex(shapes[0]);
        rigid.setFriction(model_.materials[at(model_.shapes.material[at(shapes[0])])].friction);
    }
    return rigid;
}

/// A shape of a body that stands still is a body of its own.
void BulletPeer::add_still(int body, int shape, btCollisionShape* made)
{
    Pose pose = start_.body_pose[at(body)] * model_.shapes.pose[at(shape)];
    if (model_.shapes.type[at(shape)] == ShapeType::plane && corners_) pose = pose * Pose{{0, 0, -kGround}, {}};
    btRigidBody& rigid = add_rigid(body, 0, {}, made, nullptr, pose);
    rigid.setUserIndex(shape);
    rigid.setFriction(model_.materials[at(model_.shapes.material[at(shape)])].friction);
    world_.addRigidBody(&rigid);
}

Status BulletPeer::add_body(int body)
{
    const std::size_t b = at(body);
    const PeerMotion motion = find_motion(model_, body);
    const PeerFrame frame = find_peer_frame(model_, body);
    btCollisionShape* whole = &nothing_;
    std::unique_ptr<btCompoundShape> compound;
    for (const int shape : shapes_of(model_, body))
    {
        if ((model_.shapes.category[at(shape)] | model_.shapes.mask[at(shape)]) == 0) continue;
        const Result<btCollisionShape*> made = make_shape(shape);
        if (!made.ok()) return made.errors();
        if (motion == PeerMotion::none)
        {
            add_still(body, shape, made.value());
            continue;
        }
        whole = made.value();
        if (frame.of_shape) break;
        if (!compound) compound = std::make_unique<btCompoundShape>();
        compound->addChildShape(to_bullet(inverse(frame.in_body) * model_.shapes.pose[at(shape)]), made.value());
    }
    if (motion == PeerMotion::none) return {};
    if (compound) whole = shapes_.emplace_back(std::move(compound)).get();
    const Pose pose = start_.body_pose[b] * frame.in_body;
    if (motion == PeerMotion::given)
    {
        kinematic_.push_back(body);
        motions_.push_back(std::make_unique<GivenMotion>(to_bullet(pose)));
    }
    const bool dynamic = motion == PeerMotion::forces;
    btRigidBody& rigid = add_rigid(body, dynamic ? model_.bodies.mass[b] : 0, dynamic ? frame.moments : Vec3{}, whole,
                                   dynamic ? nullptr : motions_.back().get(), pose);
    if (dynamic)
    {
        rigid.setLinearVelocity(to_bullet(start_.body_velocity[b].linear));
        rigid.setAngularVelocity(to_bullet(start_.body_velocity[b].angular));
    }
    else
    {
        rigid.setCollisionFlags(rigid.getCollisionFlags() | btCollisionObject::CF_KINEMATIC_OBJECT);
    }
    bodies_[b] = {&rigid, frame.in_body};
    world_.addRigidBody(&rigid);
    return {};
}

BulletPair BulletPeer::pair_of(int first, int second)
{
    return {rigid_of(first), rigid_of(second), frame_of(first), frame_of(second)};
}

void BulletPeer::add_joints()
{
    const auto add = [&](std::unique_ptr<btTypedConstraint> joint)
    {
        if (!joint) return;
        world_.addConstraint(joint.get(), false);  // our filter says what collides
        joints_.push_back(std::move(joint));
    };
    for (int joint = 0; joint < model_.joint_count(); ++joint)
    {
        const int child = model_.joints.body[at(joint)];
        add(make_bullet_joint(model_, joint, start_.body_pose[at(child)],
                              pair_of(model_.bodies.parent[at(child)], child)));
    }
    const Equalities& equalities = model_.equalities;
    for (int equality = 0; equality < model_.equality_count(); ++equality)
    {
        const std::size_t e = at(equality);
        if (equalities.active[e] == 0) continue;
        const int first = equalities.first[e], second = equalities.second[e];
        add(make_bullet_equality(equalities.type[e], start_.body_pose[at(first)] * equalities.first_frame[e],
                                 start_.body_pose[at(second)] * equalities.second_frame[e], pair_of(first, second)));
    }
}

void BulletPeer::move_kinematic_bodies()
{
    for (std::size_t k = 0; k < kinematic_.size(); ++k)
    {
        const int body = kinematic_[k];
        const KinematicMotion motion =
            find_kinematic_motion(model_, body, start_.world(), control_.world(), time_, options_.dt);
        motions_[k]->pose = to_bullet(motion.end * bodies_[at(body)].in_body);
    }
}

}  // namespace

void TimedBulletWorld::performDiscreteCollisionDetection()
{
    const double begin = thread_seconds(), broad = times_.broad;
    btDiscreteDynamicsWorld::performDiscreteCollisionDetection();
    times_.narrow += thread_seconds() - begin - (times_.broad - broad);
}

void TimedBulletWorld::computeOverlappingPairs()
{
    const double begin = thread_seconds();
    btDiscreteDynamicsWorld::computeOverlappingPairs();
    times_.broad += thread_seconds() - begin;
}

void TimedBulletWorld::updateAabbs()
{
    const double begin = thread_seconds();
    btDiscreteDynamicsWorld::updateAabbs();
    times_.broad += thread_seconds() - begin;
}

void TimedBulletWorld::solveConstraints(btContactSolverInfo& info)
{
    const double begin = thread_seconds();
    btDiscreteDynamicsWorld::solveConstraints(info);
    times_.solve += thread_seconds() - begin;
}

Result<std::unique_ptr<BodyPeer>> make_bullet_peer(const Model& model, const BodyPeerOptions& options)
{
    if (std::vector<Error> errors = find_inexpressible(model, kEngine, true); !errors.empty()) return errors;
    auto peer = std::make_unique<BulletPeer>(model, options);
    for (int body = 0; body < model.body_count(); ++body)
    {
        if (const Status added = peer->add_body(body); !added.ok()) return added.errors();
    }
    peer->add_joints();
    return std::unique_ptr<BodyPeer>(std::move(peer));
}

}  // namespace rattleback::lab

/// What the module of the single-precision build exports.
extern "C" [[gnu::visibility("default")]] void rattleback_make_bullet_peer(
    const rattleback::Model& model, const rattleback::lab::BodyPeerOptions& options,
    rattleback::Result<std::unique_ptr<rattleback::lab::BodyPeer>>& peer)
{
    peer = rattleback::lab::make_bullet_peer(model, options);
}
