// Makes Bullet's shapes from ours.
#include "lab/peers/bullet/shapes.h"

#include <BulletCollision/CollisionShapes/btBoxShape.h>
#include <BulletCollision/CollisionShapes/btCapsuleShape.h>
#include <BulletCollision/CollisionShapes/btConvexHullShape.h>
#include <BulletCollision/CollisionShapes/btConvexInternalShape.h>
#include <BulletCollision/CollisionShapes/btCylinderShape.h>
#include <BulletCollision/CollisionShapes/btSphereShape.h>

namespace rattleback::lab
{

namespace
{

/// A ball stretched along three axes: Bullet has none, so its support function is given here.
class EllipsoidShape final : public btConvexInternalShape
{
public:
    explicit EllipsoidShape(const btVector3& radii) : radii_(radii)
    {
        m_shapeType = CUSTOM_CONVEX_SHAPE_TYPE;
        m_collisionMargin = 0;
    }

    btVector3 localGetSupportingVertexWithoutMargin(const btVector3& direction) const override
    {
        const btVector3 scaled = direction * radii_;
        const btScalar length = scaled.length();
        return length > 0 ? radii_ * scaled / length : btVector3(0, 0, 0);
    }
    void batchedUnitVectorGetSupportingVertexWithoutMargin(const btVector3* directions, btVector3* points,
                                                           int count) const override
    {
        for (int i = 0; i < count; ++i) points[i] = localGetSupportingVertexWithoutMargin(directions[i]);
    }
    void calculateLocalInertia(btScalar /*mass*/, btVector3& inertia) const override { inertia.setZero(); }
    const char* getName() const override { return "ellipsoid"; }

private:
    btVector3 radii_;
};

std::unique_ptr<btConvexShape> make_hull(const Polyhedron& hull)
{
    auto shape = std::make_unique<btConvexHullShape>();
    for (const Vec3& vertex : hull.vertices) shape->addPoint(to_bullet(vertex), false);
    shape->recalcLocalAabb();
    return shape;
}

}  // namespace

std::string bullet_version()
{
    return "bullet " + std::to_string(btGetVersion() / 100) + "." + std::to_string(btGetVersion() % 100);
}

std::unique_ptr<btConvexShape> make_bullet_shape(const PlacedShape& shape)
{
    std::unique_ptr<btConvexShape> made;
    const Vec3& size = shape.size;
    switch (shape.type)
    {
        case ShapeType::sphere:
            return std::make_unique<btSphereShape>(size.x);  // its margin is its radius
        case ShapeType::capsule:
            return std::make_unique<btCapsuleShapeZ>(size.x, 2 * size.y);
        case ShapeType::box:
            made = std::make_unique<btBoxShape>(to_bullet(size));
            break;
        case ShapeType::cylinder:
            made = std::make_unique<btCylinderShapeZ>(btVector3(size.x, size.x, size.y));
            break;
        case ShapeType::ellipsoid:
            return std::make_unique<EllipsoidShape>(to_bullet(size));
        case ShapeType::hull:
        case ShapeType::mesh:
            if (shape.hull == nullptr) return nullptr;
            made = make_hull(*shape.hull);
            break;
        default:
            return nullptr;
    }
    made->setMargin(0);
    return made;
}

}  // namespace rattleback::lab
