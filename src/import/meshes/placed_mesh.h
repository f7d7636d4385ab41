// PlacedMesh: collects the parts of a scene, each moved to its place, into one mesh.
#pragma once

#include <rattleback/math.h>

#include "import/meshes/mesh_file.h"

namespace rattleback
{

/// x -> linear x + shift.
struct AffineMap
{
    Mat3 linear{{1, 0, 0, 0, 1, 0, 0, 0, 1}};
    Vec3 shift;

    Vec3 operator()(const Vec3& x) const { return linear * x + shift; }
};
/// y up to z up, as a turn about x.
inline constexpr Mat3 kFromYUp{{1, 0, 0, 0, 0, -1, 0, 1, 0}};

/// First `second`, then `first`.
inline AffineMap operator*(const AffineMap& first, const AffineMap& second)
{
    return {first.linear * second.linear, first(second.shift)};
}

/// What bounds a scene besides the limits of a mesh: nodes that instances may multiply, and their nesting.
inline constexpr int kMaxSceneNodes = 100'000;
inline constexpr int kMaxSceneDepth = 64;

class PlacedMesh
{
public:
    PlacedMesh(std::string_view file, const MeshLimits& limits) : limits_(limits)
    {
        mesh_.name = std::filesystem::path(file).stem().string();
    }

    /// Adds the vertices of a part, rounded to 32 bits in their place; false: too many, or not finite there.
    bool add_part(std::span<const Vec3> vertices, const AffineMap& place);
    /// A triangle of the part added last; mirrored parts are turned right side out. False: too many.
    bool add_triangle(std::array<int, 3> corners);
    /// Why something was not added.
    const std::string& fault() const { return fault_; }

    /// The mesh with equal vertices merged.
    MeshOptions take()
    {
        weld_vertices(mesh_);
        return std::move(mesh_);
    }
    bool has_triangles() const { return !mesh_.triangles.empty(); }

private:
    const MeshLimits& limits_;
    MeshOptions mesh_;
    int first_ = 0;
    bool mirrored_ = false;
    std::string fault_;
};

}  // namespace rattleback
