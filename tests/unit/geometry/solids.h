// Meshes, random poses and brute-force integrals that the geometry tests share.
#pragma once

#include <rattleback/shapes.h>

#include <random>

#include "geometry/mass.h"

namespace rattleback::testing_geometry
{

/// The same numbers on every machine, unlike the standard library's distributions.
class ShapeRandom
{
public:
    explicit ShapeRandom(unsigned seed) : engine_(seed) {}

    /// In [low, high).
    double uniform(double low = 0, double high = 1);
    /// In the cube [-1, 1)^3.
    Vec3 vector();
    /// Uniform on the unit sphere.
    Vec3 direction();
    Quat rotation();
    Pose pose() { return {vector(), rotation()}; }

private:
    std::mt19937 engine_;
};

MeshOptions make_box_mesh(const Vec3& half);
/// Corners at the origin and the ends of the unit axes.
MeshOptions make_corner_tetrahedron();
/// Icosahedron with its triangles split in four `levels` times, vertices on the sphere.
MeshOptions make_icosphere(double radius, int levels);
/// Concave: the union of the boxes [0,3]x[0,1] and [0,1]x[1,2.5], both with z in [0,0.75]; moved by `offset`.
MeshOptions make_angle_bracket(const Vec3& offset);
/// Every vertex v becomes m v + t; triangles are turned where m mirrors.
MeshOptions mapped(MeshOptions mesh, const Mat3& m, const Vec3& t);
/// All triangles seen from the other side.
MeshOptions turned_inside_out(MeshOptions mesh);

/// Whether a point of the shape's frame lies in a primitive grown by `slack`.
bool is_inside(ShapeType type, const Vec3& size, const Vec3& point, double slack = 0);
/// A random point of a primitive.
Vec3 sample_inside(ShapeType type, const Vec3& size, ShapeRandom& random);

/// Mass properties at unit density of a primitive by one random sample in each of cells^3 cells of a box around it.
MassProperties integrate_by_samples(ShapeType type, const Vec3& size, int cells, ShapeRandom& random);

double determinant(const Mat3& m);
/// Largest absolute difference of the entries.
double find_difference(const Mat3& a, const Mat3& b);
double find_difference(const Vec3& a, const Vec3& b);

}  // namespace rattleback::testing_geometry
