// Bullet's algorithms for triangle meshes and height fields, one pair at a time: a convex shape on a
// btBvhTriangleMeshShape or btHeightfieldTerrainShape, and GImpact for two meshes. Double precision.
#include "lab/peers/bullet/surfaces.h"
#include "lab/peers/pair_probe.h"

#include <BulletCollision/CollisionShapes/btTriangleIndexVertexArray.h>
#include <BulletCollision/Gimpact/btGImpactCollisionAlgorithm.h>
#include <btBulletCollisionCommon.h>

namespace rattleback::lab
{

namespace
{

class SurfaceProbe final : public PairProbe
{
public:
    SurfaceProbe(std::unique_ptr<BulletSurface> first, std::unique_ptr<BulletSurface> second, const char* method)
        : surfaces_{std::move(first), std::move(second)}, method_(method), dispatcher_(&configuration_)
    {
        btGImpactCollisionAlgorithm::registerAlgorithm(&dispatcher_);
        for (std::size_t i = 0; i < 2; ++i) objects_[i].setCollisionShape(surfaces_[i]->shape.get());
        const btCollisionObjectWrapper a = wrap(0), b = wrap(1);
        algorithm_ = dispatcher_.findAlgorithm(&a, &b, nullptr, BT_CONTACT_POINT_ALGORITHMS);
    }
    ~SurfaceProbe() override
    {
        algorithm_->~btCollisionAlgorithm();
        dispatcher_.freeCollisionAlgorithm(algorithm_);
    }

    std::string name() const override { return bullet_version() + " " + method_; }

    /// Bullet's own breaking threshold decides which points it keeps: a threshold of ours would make it ask for closest
    /// points, whose manifolds it throws away.
    int find_contacts(const PlacedShape& first, const PlacedShape& second, double /*margin*/) override
    {
        place(0, first);
        place(1, second);
        clear();
        const btCollisionObjectWrapper a = wrap(0), b = wrap(1);
        btManifoldResult result(&a, &b);
        algorithm_->processCollision(&a, &b, info_, &result);
        manifolds_.resizeNoInitialize(0);
        algorithm_->getAllContactManifolds(manifolds_);
        int count = 0;
        for (int i = 0; i < manifolds_.size(); ++i) count += manifolds_[i]->getNumContacts();
        return count;
    }

    void read_contacts(std::vector<ProbePoint>& points) const override
    {
        points.clear();
        for (int i = 0; i < manifolds_.size(); ++i)
        {
            const btPersistentManifold& manifold = *manifolds_[i];
            const bool swapped = manifold.getBody0() != &objects_[0];
            for (int k = 0; k < manifold.getNumContacts(); ++k)
            {
                const btManifoldPoint& point = manifold.getContactPoint(k);
                const Vec3 normal = from_bullet(point.m_normalWorldOnB);  // from its second body to its first
                points.push_back(
                    {0.5 * (from_bullet(point.getPositionWorldOnA()) + from_bullet(point.getPositionWorldOnB())),
                     swapped ? normal : -normal, point.getDistance()});
            }
        }
    }

private:
    void place(std::size_t i, const PlacedShape& shape)
    {
        PlacedShape moved = shape;
        moved.position += shape.rotation * surfaces_[i]->offset;
        objects_[i].setWorldTransform(to_bullet(moved));
    }
    btCollisionObjectWrapper wrap(std::size_t i)
    {
        return {nullptr, objects_[i].getCollisionShape(), &objects_[i], objects_[i].getWorldTransform(), -1, -1};
    }
    /// Bullet keeps points from query to query: here each pose is new.
    void clear()
    {
        manifolds_.resizeNoInitialize(0);
        algorithm_->getAllContactManifolds(manifolds_);
        for (int i = 0; i < manifolds_.size(); ++i) manifolds_[i]->clearManifold();
    }

    std::array<std::unique_ptr<BulletSurface>, 2> surfaces_;
    std::string method_;
    btDefaultCollisionConfiguration configuration_;
    btCollisionDispatcher dispatcher_;
    btDispatcherInfo info_;
    std::array<btCollisionObject, 2> objects_;
    btCollisionAlgorithm* algorithm_ = nullptr;
    btManifoldArray manifolds_;
};

}  // namespace

Result<std::unique_ptr<PairProbe>> make_bullet_surface_probe(const PlacedShape& first, const PlacedShape& second,
                                                             double margin)
{
    const bool both_meshes = first.mesh != nullptr && second.mesh != nullptr;
    auto a = make_bullet_surface(first, both_meshes, margin), b = make_bullet_surface(second, both_meshes, margin);
    if (!a->shape || !b->shape)
    {
        return Error{.code = ErrorCode::unsupported, .where = "bullet", .message = "has no shape for this pair"};
    }
    const char* method = both_meshes                                       ? "GImpact"
                         : first.grid != nullptr || second.grid != nullptr ? "height field"
                                                                           : "triangle mesh";
    return std::unique_ptr<PairProbe>(std::make_unique<SurfaceProbe>(std::move(a), std::move(b), method));
}

}  // namespace rattleback::lab
