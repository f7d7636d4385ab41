// Boxes on boxes: stacks, a wall, a pyramid, a heavy box on a light one; random piles and a full bin.
#pragma once

#include <rattleback/builder.h>

namespace rattleback::lab
{

struct BoxStackOptions
{
    int box_count = 10;
    double size = 0.2;  ///< edge of a box [m]
};
Result<Model> build_box_stack(const BoxStackOptions& options = {});

struct MassRatioOptions
{
    double light = 1;     ///< mass of the box below [kg]
    double ratio = 1000;  ///< how many times heavier the box on top is
};
Result<Model> build_mass_ratio(const MassRatioOptions& options = {});

struct WallOptions
{
    int rows = 8;
    int columns = 5;
    double ball_speed = 0;     ///< of a ball that flies at the middle of the wall [m/s]; 0: there is none
    double ball_radius = 0.5;  ///< [m]
    double ball_mass = 2000;   ///< [kg]
    double ball_distance = 2;  ///< from the wall at first [m]
};
/// Bricks in running bond, odd rows shifted by half a brick.
Result<Model> build_wall(const WallOptions& options = {});

struct PileOptions
{
    int count = 100;
    std::uint64_t seed = 1;
};
/// Boxes, spheres and capsules of random size and rotation on a loose grid above the floor; nothing touches at first.
Result<Model> build_pile(const PileOptions& options = {});

struct CapsulesOptions
{
    int count = 27;
    double radius = 0.2;  ///< [m]; a capsule is six times as long
    int layers = 3;       ///< square ones, on top of each other
    std::uint64_t seed = 1;
    bool soft = true;  ///< with MuJoCo's softness; false: rigid
};
/// Equal capsules of random rotation in layers above the floor; nothing touches at first (the
/// 27 capsules of Erez, Tassa and Todorov 2015, and their larger kin).
Result<Model> build_capsules(const CapsulesOptions& options = {});

struct RocksOptions
{
    int count = 125;
    std::uint64_t seed = 1;
};
/// Convex hulls of random points in layers of five by five, dropped into a narrow bin, with MuJoCo's softness.
Result<Model> build_rocks(const RocksOptions& options = {});

struct PyramidOptions
{
    int layers = 15;  ///< the lowest has layers x layers boxes
    double size = 2;  ///< edge of a box [m]
    double gap = 0;   ///< between the layers at first [m]
};
/// Square layers of boxes, each box on four others; the scene of Jolt's performance test with gap 0.5.
Result<Model> build_pyramid(const PyramidOptions& options = {});

struct BinOptions
{
    int count = 1000;
    std::uint64_t seed = 1;
};
/// Boxes, spheres, capsules, cylinders, ellipsoids and hulls crowded together between four walls: neighbours touch.
Result<Model> build_bin(const BinOptions& options = {});

}  // namespace rattleback::lab
