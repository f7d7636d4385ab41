// Makes ODE's geometries from our shapes.
#include "lab/peers/ode/shapes.h"

#include "base/index.h"

namespace rattleback::lab
{

OdeConvex make_ode_convex(const Polyhedron& hull)
{
    OdeConvex convex;
    for (const Vec3& p : hull.vertices)
    {
        for (const double coordinate : {p.x, p.y, p.z}) convex.points.push_back(coordinate);
    }
    for (int face = 0; face < hull.face_count(); ++face)
    {
        const std::size_t f = at(face);
        const Vec3& n = hull.face_normal[f];
        for (const double number : {n.x, n.y, n.z, hull.face_offset[f]}) convex.planes.push_back(number);
        convex.polygons.push_back(static_cast<unsigned>(hull.face_begin[f + 1] - hull.face_begin[f]));
        for (int k = hull.face_begin[f]; k < hull.face_begin[f + 1]; ++k)
            convex.polygons.push_back(static_cast<unsigned>(hull.face_vertices[at(k)]));
    }
    convex.plane_count = static_cast<unsigned>(hull.face_count());
    convex.point_count = static_cast<unsigned>(hull.vertex_count());
    return convex;
}

dGeomID make_ode_shape(const Model& model, int shape, const Pose& place, const OdeConvex* convex)
{
    const Vec3& size = model.shapes.size[at(shape)];
    switch (model.shapes.type[at(shape)])
    {
        case ShapeType::plane:
        {
            const Vec3 normal = rotate(place.rotation, Vec3{0, 0, 1});
            return dCreatePlane(nullptr, normal.x, normal.y, normal.z, dot(normal, place.position));
        }
        case ShapeType::sphere:
            return dCreateSphere(nullptr, size.x);
        case ShapeType::capsule:
            return dCreateCapsule(nullptr, size.x, 2 * size.y);
        case ShapeType::box:
            return dCreateBox(nullptr, 2 * size.x, 2 * size.y, 2 * size.z);
        case ShapeType::cylinder:
            return dCreateCylinder(nullptr, size.x, 2 * size.y);
        case ShapeType::hull:
        case ShapeType::mesh:
            if (convex == nullptr) return nullptr;
            return dCreateConvex(nullptr, convex->planes.data(), convex->plane_count, convex->points.data(),
                                 convex->point_count, convex->polygons.data());
        default:
            return nullptr;
    }
}

}  // namespace rattleback::lab
