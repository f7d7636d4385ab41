// PBD-R on one box, written in the plainest way: the yardstick for the speed of the solver.
#pragma once

namespace rattleback::lab
{

/// Runs `frames` of test 1 with n^3 spheres (float, one thread, arrays of structures, sums one after the other, a
/// Jacobi decomposition from scratch for every fit) and returns how far the box went [m].
double run_naive_box(int n, int frames);

/// The same with the given spheres: centres about their middle, all of radius r; the total mass [kg] is shared equally.
double run_naive(const float (*centers)[3], int count, float radius, float mass, float force, int frames);

}  // namespace rattleback::lab
