// A bumpy closed solid with two ears, made by a formula with as many triangles as wanted.
#pragma once

#include <rattleback/builder.h>
#include <rattleback/error.h>

namespace rattleback::lab
{

/// 12 cells^2 triangles around the origin, about `size` [m] in radius with ears half as long again; 9 cells make 972
/// triangles, 91 make 99,372. One cell makes a cube.
MeshOptions make_eared(int cells, double size);

/// A bowl: the lower half of a ball of `radius` [m] around the origin, less its pole, with a wall as thick as `wall`.
MeshOptions make_bowl(double radius, double wall, int around, int up);

struct EaredBowlOptions
{
    int count = 100;
    int cells = 9;      ///< triangles of each: 12 cells^2
    double size = 0.1;  ///< of each [m]
    double radius = 0;  ///< of the bowl [m]; 0: so that it holds them
    std::uint64_t seed = 1;
};

/// Eared solids dropped into a bowl of triangles, all colliding exactly.
Result<Model> build_eared_bowl(const EaredBowlOptions& options = {});
/// The radius [m] of the bowl that these options give.
double find_bowl_radius(const EaredBowlOptions& options);

}  // namespace rattleback::lab
