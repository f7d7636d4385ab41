// The parts of bench `collision`.
#pragma once

#include "lab/bench/bench.h"

namespace rattleback::lab
{

/// Nanoseconds per query of every pair of shapes, beside MuJoCo's and Bullet's for the same poses.
Status measure_pairs(const BenchOptions& options, BenchReport& report);
/// The same for shapes on meshes and height fields, and a robot standing on a large one.
Status measure_surfaces(const BenchOptions& options, BenchReport& report);
/// Milliseconds per step of meshes that move in a bowl, beside Bullet's GImpact; and who left it.
Status measure_bowl(const BenchOptions& options, BenchReport& report);
/// Candidate pairs of boxes that move or rest: milliseconds, and how they grow.
Status measure_broad_phase(const BenchOptions& options, BenchReport& report);
/// Milliseconds per step for all contacts of whole scenes, beside Bullet's.
Status measure_scenes(const BenchOptions& options, BenchReport& report);

}  // namespace rattleback::lab
