// Moves the parts of a scene to their places.
#include "import/meshes/placed_mesh.h"

#include "base/single.h"

#include <cmath>
#include <limits>

namespace rattleback
{

namespace
{

constexpr double kLargest = std::numeric_limits<float>::max();

}  // namespace

bool PlacedMesh::add_part(std::span<const Vec3> vertices, const AffineMap& place)
{
    if (mesh_.vertices.size() + vertices.size() > limits_.vertices)
    {
        fault_ = "more than " + std::to_string(limits_.vertices) + " vertices";
        return false;
    }
    first_ = static_cast<int>(mesh_.vertices.size());
    const Mat3& m = place.linear;
    mirrored_ = dot(m.column(0), cross(m.column(1), m.column(2))) < 0;
    for (const Vec3& vertex : vertices)
    {
        Vec3 moved = place(vertex);
        for (int k = 0; k < 3; ++k)
        {
            if (!(std::abs(moved[k]) <= kLargest))
            {
                fault_ = "a vertex is not finite where its node puts it";
                return false;
            }
            moved[k] = round_to_single(moved[k]);
        }
        mesh_.vertices.push_back(moved);
    }
    return true;
}

bool PlacedMesh::add_triangle(std::array<int, 3> corners)
{
    if (mesh_.triangles.size() >= limits_.triangles)
    {
        fault_ = "more than " + std::to_string(limits_.triangles) + " triangles";
        return false;
    }
    if (mirrored_) std::swap(corners[1], corners[2]);
    for (int& corner : corners) corner += first_;
    mesh_.triangles.push_back(corners);
    return true;
}

}  // namespace rattleback
