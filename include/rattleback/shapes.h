// The shapes of the model, and the materials that cover them.
#pragma once

#include <rattleback/api.h>
#include <rattleback/ids.h>
#include <rattleback/math.h>

#include <array>
#include <string>
#include <variant>
#include <vector>

namespace rattleback RATTLEBACK_API
{

/// What happens to a mesh when bodies collide.
enum class MeshCollide
{
    hull,   ///< its convex hull collides
    exact,  ///< its triangles collide
};

/// How mass and inertia follow from a mesh (MuJoCo's four variants).
enum class MeshMass
{
    exact,   ///< signed volume; an error unless the mesh is closed and consistently oriented
    legacy,  ///< sum of absolute tetrahedra about the area centroid: counts concave parts twice
    convex,  ///< volume of the convex hull
    shell,   ///< surface density [kg/m^2] on the triangles
};

/// Half-space below z = 0 of its frame, normal +z. Infinite, without mass.
struct Plane
{
};
struct Sphere
{
    double radius = 0.5;  ///< [m]
};
/// Segment along z, swept by a sphere.
struct Capsule
{
    double radius = 0.1;       ///< [m]
    double half_length = 0.5;  ///< of the segment, without the caps [m]
};
struct Box
{
    Vec3 half_extents{0.5, 0.5, 0.5};  ///< [m]
};
/// Axis along z.
struct Cylinder
{
    double radius = 0.1;       ///< [m]
    double half_length = 0.5;  ///< [m]
};
struct Ellipsoid
{
    Vec3 radii{0.5, 0.5, 0.5};  ///< [m]
};
/// Convex hull of a mesh's vertices.
struct Hull
{
    MeshId mesh;
};
/// Solid bounded by a mesh's triangles.
struct Mesh
{
    MeshId mesh;
    MeshCollide collide = MeshCollide::hull;
    MeshMass mass = MeshMass::exact;
};
/// Terrain, see HeightFieldOptions. Without mass.
struct HeightField
{
    HeightFieldId field;
};
/// The vertices of a mesh, each a point. Without volume: `mass` is shared equally.
struct Points
{
    MeshId mesh;
};
/// The edges of a mesh. Without volume: `density` is [kg/m].
struct Segments
{
    MeshId mesh;
};
/// The triangles of a mesh, open or closed, with two sides. Without volume: `density` is [kg/m^2].
struct Surface
{
    MeshId mesh;
};

using Shape =
    std::variant<Plane, Sphere, Capsule, Box, Cylinder, Ellipsoid, Hull, Mesh, HeightField, Points, Segments, Surface>;

/// Kind of a shape; the order is that of the Shape variant.
enum class ShapeType
{
    plane,
    sphere,
    capsule,
    box,
    cylinder,
    ellipsoid,
    hull,
    mesh,
    height_field,
    points,
    segments,
    surface,
};
inline constexpr int kShapeTypeCount = 12;
const char* to_string(ShapeType type);

/// Vertices, edges and triangles shared by any number of shapes.
struct MeshOptions
{
    std::string name;
    std::vector<Vec3> vertices;                  ///< [m]
    std::vector<std::array<int, 3>> triangles;   ///< vertex indices, counter-clockwise from outside
    std::vector<std::array<int, 2>> edges = {};  ///< vertex indices; only for Segments
    /// Places in a texture, from 0 to 1 to the right and down, of the corners of the triangles: three for each, or
    /// none.
    std::vector<std::array<float, 2>> texcoords = {};
};

/// A grid of heights over the rectangle [-half_x, half_x] x [-half_y, half_y], on a solid base.
struct HeightFieldOptions
{
    std::string name;
    int rows = 0;                 ///< points along y, at least 2
    int columns = 0;              ///< points along x, at least 2
    double half_x = 1;            ///< [m]
    double half_y = 1;            ///< [m]
    double base = 0.1;            ///< thickness below height zero [m]
    std::vector<double> heights;  ///< [m], [row][column], not negative
};

/// No compliance: the solver makes the contact as hard as its method can.
struct Rigid
{
    friend bool operator==(const Rigid&, const Rigid&) = default;
};
/// A spring and damper in SI units, mass-dependent as in nature.
struct Spring
{
    double stiffness = 1e5;  ///< [N/m] (limits of hinges and balls: [N m/rad])
    double damping = 1e3;    ///< [N s/m]
    friend bool operator==(const Spring&, const Spring&) = default;
};
/// MuJoCo's solref and solimp, kept as authored.
struct Impedance
{
    std::array<double, 2> solref{0.02, 1};  ///< time constant [s], damping ratio; or -stiffness, -damping
    std::array<double, 5> solimp{0.9, 0.95, 0.001, 0.5, 2};  ///< dmin, dmax, width [m], midpoint, power
    friend bool operator==(const Impedance&, const Impedance&) = default;
};
/// How a contact, limit or equality gives way.
using Softness = std::variant<Rigid, Spring, Impedance>;

/// Surface properties. Pairs combine: higher priority wins; else friction, dimension and restitution by maximum,
/// impedances by solmix, springs in series, adhesion by sum.
struct MaterialOptions
{
    std::string name;
    double friction = 1;               ///< sliding (Coulomb) coefficient
    double spinning_friction = 0.005;  ///< [m], about the normal
    double rolling_friction = 0.0001;  ///< [m], about the tangents
    int dimension = 3;                 ///< 1 frictionless, 3 sliding, 4 with spinning, 6 with rolling
    double restitution = 0;            ///< 0..1
    Softness softness = Rigid{};
    double solmix = 1;  ///< weight of this impedance in a pair
    int priority = 0;
    double adhesion = 0;  ///< pull that each contact point bears before it lets go [N]; pairs add theirs
};

}  // namespace rattleback
