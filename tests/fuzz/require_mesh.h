// What holds for every mesh that a reader lets through.
#pragma once

#include <rattleback/shapes.h>

#include <cmath>

#include "fuzz/fuzz.h"

namespace rattleback
{

inline void require_sound(const MeshOptions& mesh)
{
    const int count = static_cast<int>(mesh.vertices.size());
    require(count > 0, "a mesh has vertices");
    for (const Vec3& v : mesh.vertices)
    {
        for (int i = 0; i < 3; ++i)
        {
            require(std::isfinite(v[i]), "coordinates are finite");
            require(static_cast<double>(static_cast<float>(v[i])) == v[i], "coordinates have single precision");
        }
    }
    for (const auto& triangle : mesh.triangles)
    {
        for (const int index : triangle) require(index >= 0 && index < count, "triangles name vertices");
    }
    for (const auto& edge : mesh.edges)
    {
        for (const int index : edge) require(index >= 0 && index < count, "edges name vertices");
    }
}

}  // namespace rattleback
