// SweepLaw: impulses of the law `stable` by a fixed number of block Gauss-Seidel sweeps, for one world or a pack.
#pragma once

#include "solvers/comfree/sweep_system.h"

#include "base/disjoint_sets.h"

namespace rattleback::comfree
{

template <class T>
class SweepLaw
{
public:
    SweepLaw(const Tree& tree, const Options& options);
    SweepLaw(const SweepLaw&) = delete;
    SweepLaw& operator=(const SweepLaw&) = delete;

    /// Impulses of all rows in a step of `dt` [s], by so many sweeps. The workspace has the acceleration without
    /// constraints and the factor of M; its acceleration becomes that with them. `shares`: of k and d of each lane.
    void solve(Workspace<T>& w, std::span<const ContactSlot<T>> slots, const LaneShares<T>& shares, double dt,
               int sweeps);

    /// [dof] Joint forces of the impulses, Jᵀ f / dt.
    std::span<const T> joint_force() const { return force_; }
    /// Largest velocity that the last sweep gave a row by its own impulse [m/s, rad/s].
    const T& residual() const { return residual_; }
    const SweepSystem<T>& system() const { return system_; }
    /// Moves the poses, and them alone, out of what is left of overlaps.
    void push_out(Workspace<T>& w, double dt);

private:
    template <bool kMeasured>
    void step_block(const Block& block, BlockNumbers<T>& numbers);
    void limit_energy(std::span<const ContactSlot<T>> slots);
    void sum_energy();
    void join_trees(std::span<const ContactSlot<T>> slots);
    void use_impulses(Workspace<T>& w, double dt);
    void find_push(const T& kept);
    template <int R>
    void find_left(const Block& block, const T& kept, BlockNumbers<T>& numbers);
    template <int R>
    void step_push_out(const Block& block, BlockNumbers<T>& numbers);
    void unfold(const Workspace<T>& w, std::span<T> z) const;

    const Options& options_;
    std::vector<int> tree_of_dof_;
    SweepSystem<T> system_;
    std::vector<T> z_, force_;           ///< [dof] D^-1/2 L^-T Jᵀ f; joint forces
    std::vector<T> work_, square_;       ///< [tree] of limit_energy
    std::vector<DisjointSets> islands_;  ///< [lane] trees that touch; empty where there is one tree
    std::vector<T> push_, start_;        ///< [dof] velocity out of overlaps; [q] before it
    std::vector<std::size_t> pushing_;   ///< blocks that have overlaps left in some lane
    T pushes_;                           ///< 1 in lanes that have overlaps left, else 0
    T residual_;
};

}  // namespace rattleback::comfree
