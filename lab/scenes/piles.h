// Big piles and mechanisms for the bench `piles`: what every engine there can express.
#pragma once

#include <rattleback/builder.h>

namespace rattleback::lab
{

struct FlatPyramidOptions
{
    int base = 100;   ///< boxes of the lowest row
    double size = 1;  ///< edge of a box [m]
};
/// One box deep, each box on two others, neighbours touching: 5,050 boxes (Box2D's and Box3D's large pyramid).
Result<Model> build_flat_pyramid(const FlatPyramidOptions& options = {});

struct MixedBinOptions
{
    int count = 1000;
    std::uint64_t seed = 1;
};
/// Boxes, spheres, capsules, cylinders and hulls, dropped into a bin between four walls; nothing touches at first.
Result<Model> build_mixed_bin(const MixedBinOptions& options = {});

struct RagdollsOptions
{
    int count = 100;
    std::uint64_t seed = 1;
};
/// Persons of eleven limbs, ball joints and hinges with limits, each turned another way, in layers above the floor.
Result<Model> build_ragdolls(const RagdollsOptions& options = {});

struct JointGridOptions
{
    int side = 100;
};
/// Balls one metre apart, each connected to its four neighbours half way; seven of the first row are fixed and the
/// grid hangs from them (Box2D's joint grid). Nothing collides.
Result<Model> build_joint_grid(const JointGridOptions& options = {});

struct TumblerOptions
{
    int count = 2000;          ///< boxes
    double size = 0.2;         ///< edge of a box [m]
    double speed = 25;         ///< [degrees/s]
    double duration = 60;      ///< of the track [s]
    double radius = 2.2;       ///< of the circle inside the drum [m]
    double half_length = 1.1;  ///< inside the drum [m]
};
/// A kinematic drum of eight walls and two ends, turning about the y axis through the origin, filled with boxes.
Result<Model> build_tumbler(const TumblerOptions& options = {});

struct HeapsOptions
{
    int count = 10000;  ///< boxes, in heaps of a hundred
    double size = 0.2;  ///< edge of a box [m]
    std::uint64_t seed = 1;
};
/// Boxes of random rotation, dropped in separate loose heaps: the work grows with their number and nothing else does.
Result<Model> build_heaps(const HeapsOptions& options = {});

}  // namespace rattleback::lab
