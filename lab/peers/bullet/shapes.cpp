// Makes Bullet's shapes from ours.
#include "lab/peers/bullet/shapes.h"

#include <BulletCollision/CollisionShapes/btBoxShape.h>
#include <BulletCollision/CollisionShapes/btCapsuleShape.h>
#include <BulletCollision/CollisionShapes/btConvexHullShape.h>
#include <BulletCollision/CollisionShapes/btConvexInternalShape.h>
#include <BulletCollision/CollisionShapes/btCylinderShape.h>
#include <BulletCollision/CollisionShapes/btSphereShape.h>
#include <LinearMath/btConvexHullComputer.h>

#include <algorithm>
#include <limits>
#include <vector>

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
    shape->setMargin(0);
    return shape;
}

/// With its faces moved inward by the margin, which brings them back.
std::unique_ptr<btConvexShape> make_rounded_hull(const Polyhedron& hull)
{
    double inner = std::numeric_limits<double>::infinity();  // radius of a ball inside, about the centre
    for (int f = 0; f < hull.face_count(); ++f)
    {
        const auto face = static_cast<std::size_t>(f);
        inner = std::min(inner, hull.face_offset[face] - dot(hull.face_normal[face], hull.center));
    }
    const double margin =
        std::min<double>(CONVEX_DISTANCE_MARGIN, 0.2 * inner);  // as Bullet's for a box of that half size
    std::vector<btVector3> points;
    for (const Vec3& vertex : hull.vertices) points.push_back(to_bullet(vertex));
    btConvexHullComputer computer;
    computer.compute(&points[0].x(), sizeof(btVector3), static_cast<int>(points.size()), margin, 0);
    if (computer.vertices.size() < 4) return make_hull(hull);
    auto shape = std::make_unique<btConvexHullShape>();
    for (int i = 0; i < computer.vertices.size(); ++i) shape->addPoint(computer.vertices[i], false);
    shape->setMargin(margin);
    shape->recalcLocalAabb();
    return shape;
}

}  // namespace

std::string bullet_version()
{
    return "bullet " + std::to_string(btGetVersion() / 100) + "." + std::to_string(btGetVersion() % 100);
}

std::unique_ptr<btConvexShape> make_bullet_shape(const PlacedShape& shape, BulletMargin margin)
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
            return margin == BulletMargin::none ? make_hull(*shape.hull) : make_rounded_hull(*shape.hull);
        default:
            return nullptr;
    }
    if (margin == BulletMargin::none) made->setMargin(0);
    return made;
}

}  // namespace rattleback::lab
