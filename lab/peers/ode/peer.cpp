// An ODE world filled from a Model, stepped by QuickStep; double precision, as the distribution builds it.
#include "base/index.h"
#include "dynamics/integrate.h"
#include "lab/measure/measure.h"
#include "lab/peers/body_peer.h"
#include "lab/peers/ode/joints.h"
#include "lab/peers/ode/shapes.h"

#include <rattleback/contacts.h>
#include <rattleback/query.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <mutex>
#include <numeric>

namespace rattleback::lab
{

namespace
{

constexpr int kMostContacts = 8;  ///< of two geometries

/// ODE keeps tables for the process and scratch for the thread.
void start_ode()
{
    static std::once_flag once;
    std::call_once(once, [] { dInitODE2(0); });
    dAllocateODEDataForThread(dAllocateMaskAll);
}

int shape_of(dGeomID geometry) { return *static_cast<const int*>(dGeomGetData(geometry)); }

/// Whether any two shapes of different bodies may collide, so that no pair need be asked for.
bool all_collide(const Model& model)
{
    if (!model.excluded_bodies.empty() || !model.pairs.empty()) return false;
    for (const int parent : model.bodies.parent)
    {
        if (parent > 0) return false;
    }
    for (std::size_t s = 0; s < model.shapes.category.size(); ++s)
    {
        if ((model.shapes.category[s] & model.shapes.mask[0]) == 0 ||
            (model.shapes.category[0] & model.shapes.mask[s]) == 0)
            return false;
        if (model.shapes.category[s] != model.shapes.category[0]) return false;
    }
    return true;
}

class OdePeer final : public BodyPeer
{
public:
    OdePeer(const Model& model, const BodyPeerOptions& options)
        : model_(model),
          options_(options),
          state_(model),
          control_(model),
          bodies_(at(model.body_count())),
          in_body_(at(model.body_count())),
          convex_(model.hulls.size()),
          numbers_(at(model.shape_count())),
          unfiltered_(all_collide(model))
    {
        std::iota(numbers_.begin(), numbers_.end(), 0);
        start_ode();
        dRandSetSeed(0);  // QuickStep shuffles its rows; the seed is the process's
        world_ = dWorldCreate();
        space_ = dHashSpaceCreate(nullptr);
        contacts_ = dJointGroupCreate(0);
        const Vec3& g = model.settings.gravity;
        dWorldSetGravity(world_, g.x, g.y, g.z);
        dWorldSetAutoDisableFlag(world_, 0);
        if (options.iterations > 0) dWorldSetQuickStepNumIterations(world_, options.iterations);
        fit_cells();
    }
    ~OdePeer() override
    {
        dJointGroupDestroy(contacts_);
        dSpaceDestroy(space_);
        dWorldDestroy(world_);
    }
    OdePeer(const OdePeer&) = delete;
    OdePeer& operator=(const OdePeer&) = delete;

    std::string name() const override { return "ode quickstep"; }
    int iterations() const override { return dWorldGetQuickStepNumIterations(world_); }
    int contact_count() const override { return contact_count_; }
    BodyPeerTimes times() const override { return times_; }
    void step(int count) override
    {
        for (int i = 0; i < count; ++i)
        {
            move_kinematic_bodies();
            collide();
            const double begin = thread_seconds();
            dWorldQuickStep(world_, options_.dt);
            times_.solve += thread_seconds() - begin;
            dJointGroupEmpty(contacts_);
            state_.time[0] += options_.dt;
        }
    }
    void read(State& state) const override
    {
        for (std::size_t b = 1; b < bodies_.size(); ++b)
        {
            if (bodies_[b] == nullptr) continue;
            const dReal* q = dBodyGetQuaternion(bodies_[b]);
            const Pose pose{from_ode(dBodyGetPosition(bodies_[b])), {q[0], q[1], q[2], q[3]}};
            state.body_pose[b] = pose * inverse(in_body_[b]);
            state.body_velocity[b] = {from_ode(dBodyGetLinearVel(bodies_[b])),
                                      from_ode(dBodyGetAngularVel(bodies_[b]))};
        }
        state.time[0] = state_.time[0];
    }

    Status add_body(int body);
    void add_joints();

private:
    void fit_cells();
    Result<dGeomID> make_shape(int shape, const Pose& place);
    void place(dGeomID geometry, const Pose& pose);
    void move_kinematic_bodies();
    void collide();
    void collide_pair(dGeomID first, dGeomID second);

    const Model& model_;
    BodyPeerOptions options_;
    State state_;  ///< the start; kinematic bodies where they are
    Control control_;
    dWorldID world_ = nullptr;
    dSpaceID space_ = nullptr;
    dJointGroupID contacts_ = nullptr;
    std::vector<dBodyID> bodies_;  ///< [body] null: nothing moves it
    std::vector<Pose> in_body_;    ///< [body] ODE's frame in ours
    std::vector<OdeConvex> convex_;
    std::vector<int> numbers_;  ///< [shape] its own index, for geometries to point to
    bool unfiltered_;
    std::vector<std::array<dGeomID, 2>> pairs_;
    int contact_count_ = 0;
    BodyPeerTimes times_;
};

/// Cells of the hash from the size of the smallest to that of the largest finite shape.
void OdePeer::fit_cells()
{
    int low = 10, high = -10;
    for (const double radius : model_.shapes.bounding_radius)
    {
        if (!std::isfinite(radius) || radius <= 0) continue;
        const int level = static_cast<int>(std::lround(std::log2(2 * radius)));
        low = std::min(low, level);
        high = std::max(high, level);
    }
    if (low <= high) dHashSpaceSetLevels(space_, low, high);
}

Result<dGeomID> OdePeer::make_shape(int shape, const Pose& place)
{
    const std::size_t s = at(shape);
    const ShapeType type = model_.shapes.type[s];
    const OdeConvex* convex = nullptr;
    if (type == ShapeType::hull || type == ShapeType::mesh)
    {
        const std::size_t asset = at(model_.shapes.asset[s]);
        if (convex_[asset].point_count == 0) convex_[asset] = make_ode_convex(model_.hulls[asset]);
        convex = &convex_[asset];
    }
    auto* const geometry = make_ode_shape(model_, shape, place, convex);
    if (geometry == nullptr)
    {
        return Error{.code = ErrorCode::unsupported,
                     .where = "ode",
                     .message = "shape '" + model_.shapes.name[s] + "' is a " + to_string(type),
                     .hint = ""};
    }
    dGeomSetData(geometry, &numbers_[s]);
    dSpaceAdd(space_, geometry);
    return geometry;
}

void OdePeer::place(dGeomID geometry, const Pose& pose)
{
    dQuaternion q;
    to_ode(pose.rotation, q);
    dGeomSetPosition(geometry, pose.position.x, pose.position.y, pose.position.z);
    dGeomSetQuaternion(geometry, q);
}

Status OdePeer::add_body(int body)
{
    const std::size_t b = at(body);
    const PeerMotion motion = find_motion(model_, body);
    const PeerFrame frame = find_peer_frame(model_, body);
    if (motion != PeerMotion::none)
    {
        bodies_[b] = dBodyCreate(world_);
        in_body_[b] = frame.in_body;
        const Pose pose = state_.body_pose[b] * frame.in_body;
        dQuaternion q;
        to_ode(pose.rotation, q);
        dBodySetPosition(bodies_[b], pose.position.x, pose.position.y, pose.position.z);
        dBodySetQuaternion(bodies_[b], q);
    }
    if (motion == PeerMotion::given) dBodySetKinematic(bodies_[b]);
    if (motion == PeerMotion::forces)
    {
        dMass mass;
        const Vec3& moments = frame.moments;
        dMassSetParameters(&mass, model_.bodies.mass[b], 0, 0, 0, moments.x, moments.y, moments.z, 0, 0, 0);
        dBodySetMass(bodies_[b], &mass);
        const Velocity& v = state_.body_velocity[b];
        dBodySetLinearVel(bodies_[b], v.linear.x, v.linear.y, v.linear.z);
        dBodySetAngularVel(bodies_[b], v.angular.x, v.angular.y, v.angular.z);
    }
    for (const int shape : shapes_of(model_, body))
    {
        if ((model_.shapes.category[at(shape)] | model_.shapes.mask[at(shape)]) == 0) continue;
        const Pose& pose = model_.shapes.pose[at(shape)];
        const Result<dGeomID> made = make_shape(shape, state_.body_pose[b] * pose);
        if (!made.ok()) return made.errors();
        if (motion == PeerMotion::none)
        {
            if (model_.shapes.type[at(shape)] != ShapeType::plane) place(made.value(), state_.body_pose[b] * pose);
            continue;
        }
        dGeomSetBody(made.value(), bodies_[b]);
        if (frame.of_shape) continue;
        const Pose offset = inverse(frame.in_body) * pose;
        dQuaternion q;
        to_ode(offset.rotation, q);
        dGeomSetOffsetPosition(made.value(), offset.position.x, offset.position.y, offset.position.z);
        dGeomSetOffsetQuaternion(made.value(), q);
    }
    return {};
}

void OdePeer::add_joints()
{
    for (int joint = 0; joint < model_.joint_count(); ++joint)
    {
        const std::size_t child = at(model_.joints.body[at(joint)]);
        make_ode_joint(model_, joint, state_.body_pose[child], world_, bodies_[child],
                       bodies_[at(model_.bodies.parent[child])]);
    }
    const Equalities& equalities = model_.equalities;
    for (int equality = 0; equality < model_.equality_count(); ++equality)
    {
        const std::size_t e = at(equality), first = at(equalities.first[e]), second = at(equalities.second[e]);
        if (equalities.active[e] == 0 || (bodies_[first] == nullptr && bodies_[second] == nullptr)) continue;
        make_ode_equality(equalities.type[e], (state_.body_pose[first] * equalities.first_frame[e]).position,
                          (state_.body_pose[second] * equalities.second_frame[e]).position, world_, bodies_[first],
                          bodies_[second]);
    }
}

void OdePeer::move_kinematic_bodies()
{
    for (int body = 1; body < model_.body_count() && model_.kinematic_count > 0; ++body)
    {
        const std::size_t b = at(body);
        if (find_motion(model_, body) != PeerMotion::given) continue;
        const KinematicMotion motion =
            find_kinematic_motion(model_, body, state_.world(), control_.world(), state_.time[0], options_.dt);
        const Pose pose = motion.begin * in_body_[b];
        dQuaternion q;
        to_ode(pose.rotation, q);
        dBodySetPosition(bodies_[b], pose.position.x, pose.position.y, pose.position.z);
        dBodySetQuaternion(bodies_[b], q);
        const Velocity& v = motion.end_velocity;
        dBodySetLinearVel(bodies_[b], v.linear.x, v.linear.y, v.linear.z);
        dBodySetAngularVel(bodies_[b], v.angular.x, v.angular.y, v.angular.z);
        state_.body_pose[b] = motion.end;
    }
}

void OdePeer::collide()
{
    const double begin = thread_seconds();
    pairs_.clear();
    dSpaceCollide(space_, this, [](void* peer, dGeomID first, dGeomID second)
                  { static_cast<OdePeer*>(peer)->pairs_.push_back({first, second}); });
    const double found = thread_seconds();
    contact_count_ = 0;
    for (const auto& pair : pairs_) collide_pair(pair[0], pair[1]);
    times_.broad += found - begin;
    times_.narrow += thread_seconds() - found;
}

void OdePeer::collide_pair(dGeomID first, dGeomID second)
{
    auto* const a = dGeomGetBody(first);
    auto* const b = dGeomGetBody(second);
    if (a == b || !((a != nullptr && dBodyIsKinematic(a) == 0) || (b != nullptr && dBodyIsKinematic(b) == 0))) return;
    const int i = shape_of(first), j = shape_of(second);
    if (!unfiltered_ && !may_collide(model_, ShapeId{i}, ShapeId{j})) return;
    std::array<dContact, kMostContacts> found;
    const int count = dCollide(first, second, kMostContacts, &found[0].geom, sizeof(dContact));
    if (count == 0) return;
    const double friction = std::max(model_.materials[at(model_.shapes.material[at(i)])].friction,
                                     model_.materials[at(model_.shapes.material[at(j)])].friction);
    for (int k = 0; k < count; ++k)
    {
        dContact& contact = found[at(k)];
        contact.surface = {};
        contact.surface.mode = dContactApprox1;  // friction in proportion to the normal force, a pyramid
        contact.surface.mu = friction;
        dJointAttach(dJointCreateContact(world_, contacts_, &contact), a, b);
    }
    contact_count_ += count;
}

}  // namespace

Result<std::unique_ptr<BodyPeer>> make_ode_peer(const Model& model, const BodyPeerOptions& options)
{
    if (std::vector<Error> errors = find_inexpressible(model, "ode"); !errors.empty()) return errors;
    auto peer = std::make_unique<OdePeer>(model, options);
    for (int body = 0; body < model.body_count(); ++body)
    {
        if (const Status added = peer->add_body(body); !added.ok()) return added.errors();
    }
    peer->add_joints();
    return std::unique_ptr<BodyPeer>(std::move(peer));
}

}  // namespace rattleback::lab
