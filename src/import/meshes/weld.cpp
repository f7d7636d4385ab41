// Merges the vertices of a mesh that stand at the same place.
#include "import/meshes/mesh_file.h"

#include <algorithm>
#include <numeric>

namespace rattleback
{
namespace
{

bool is_before(const Vec3& a, const Vec3& b)
{
    if (a.x != b.x) return a.x < b.x;
    if (a.y != b.y) return a.y < b.y;
    return a.z < b.z;
}

bool is_equal(const Vec3& a, const Vec3& b) { return a.x == b.x && a.y == b.y && a.z == b.z; }

}  // namespace

void weld_vertices(MeshOptions& mesh)
{
    // Sorting puts equal vertices side by side, the first of the file in front.
    std::vector<int> order(mesh.vertices.size());
    std::iota(order.begin(), order.end(), 0);
    const auto vertex = [&mesh](int i) -> const Vec3& { return mesh.vertices[static_cast<std::size_t>(i)]; };
    std::sort(order.begin(), order.end(),
              [&vertex](int a, int b)
              {
                  if (is_before(vertex(a), vertex(b))) return true;
                  return !is_before(vertex(b), vertex(a)) && a < b;
              });

    std::vector<int> first(mesh.vertices.size());  // of the vertices at the same place
    for (std::size_t i = 0; i < order.size(); ++i)
    {
        const bool repeated = i > 0 && is_equal(vertex(order[i]), vertex(order[i - 1]));
        first[static_cast<std::size_t>(order[i])] = repeated ? first[static_cast<std::size_t>(order[i - 1])] : order[i];
    }

    std::vector<int> renumbered(mesh.vertices.size());
    int count = 0;
    for (std::size_t i = 0; i < mesh.vertices.size(); ++i)
    {
        const auto origin = static_cast<std::size_t>(first[i]);
        if (origin != i)
        {
            renumbered[i] = renumbered[origin];  // it comes earlier, so it has its number
            continue;
        }
        mesh.vertices[static_cast<std::size_t>(count)] = mesh.vertices[i];
        renumbered[i] = count++;
    }
    mesh.vertices.resize(static_cast<std::size_t>(count));
    for (auto& triangle : mesh.triangles)
    {
        for (int& index : triangle) index = renumbered[static_cast<std::size_t>(index)];
    }
    for (auto& edge : mesh.edges)
    {
        for (int& index : edge) index = renumbered[static_cast<std::size_t>(index)];
    }
}

}  // namespace rattleback
