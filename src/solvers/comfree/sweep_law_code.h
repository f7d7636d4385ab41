// The law `stable` by sweeps: rows, a fixed number of block Gauss-Seidel sweeps, the energy bound, the velocity after.
#pragma once

#include "solvers/comfree/sweep_law.h"

#include "solvers/comfree/sweep_steps.h"

#include "solvers/shared/tree_of_dof.h"

#include "base/flatten.h"
#include "dynamics/integrate.h"

#include <algorithm>

namespace rattleback::comfree
{

// The impulses minimise phi(f) = 1/2 fᵀ(A + 1/Z) f + fᵀ(u_s + c) with f_n >= 0, |f_t| <= mu f_n, |f| <= loss dt: the
// same answers f = P(-Z (u + c)) that the corrections look for (README, "Sweeps"). Every step is cold: f = 0 at first.

template <class T>
SweepLaw<T>::SweepLaw(const Tree& tree, const Options& options)
    : options_(options), tree_of_dof_(find_tree_of_dof(*tree.model)), system_(tree, options, tree_of_dof_)
{
    for (auto* list : {&z_, &force_, &push_}) list->resize(tree_of_dof_.size());
    start_.resize(at(tree.model->q_count()));
    const int trees = tree_of_dof_.empty() ? 0 : *std::max_element(tree_of_dof_.begin(), tree_of_dof_.end()) + 1;
    for (auto* list : {&work_, &square_}) list->resize(at(trees));
    islands_.resize(trees > 1 ? at(kLaneCount<T>) : 0);
}

template <class T>
void SweepLaw<T>::solve(Workspace<T>& w, std::span<const ContactSlot<T>> slots, const LaneShares<T>& shares, double dt,
                        int sweeps)
{
    // Rows y = D^-1/2 L^-T Jᵀ, their diagonal blocks of A, and u_s + c of each.
    system_.build(w, slots, shares.push, dt);
    // z = D^-1/2 L^-T Jᵀf stands for all impulses so far: a row's velocity is y . z, whatever the number of rows.
    std::fill(z_.begin(), z_.end(), T(0.0));
    const std::size_t count = system_.blocks.size();
    for (int k = 0; k + 1 < sweeps; ++k)
        for (std::size_t b = 0; b < count; ++b) step_block<false>(system_.blocks[b], system_.numbers[b]);
    // The residual is that of the last sweep: the largest change of a velocity.
    residual_ = T(0.0);
    for (std::size_t b = 0; b < count; ++b) step_block<true>(system_.blocks[b], system_.numbers[b]);
    // What a finite number of sweeps leaves must not feed the motion; then what is left of overlaps.
    limit_energy(slots);
    find_push(shares.kept);
    use_impulses(w, dt);
    // The poses' own velocity w (README, `stable`), for push_out().
    if (any(pushes_ > T(0.0))) unfold(w, push_);
}

/// New impulses of one block, and what they add to z; the residual where it is measured.
template <class T>
template <bool kMeasured>
RB_FLATTEN void SweepLaw<T>::step_block(const Block& block, BlockNumbers<T>& n)
{
    const auto take = [&]<int R>(const auto& step)
    {
        const T* y = system_.rows.data() + block.begin;
        // A f at this block: what all others and itself do now.
        T u[R], f[R];
        multiply_block<R>(block.paths, y, z_.data(), u);
        step(u, f);
        // The others see the difference at once (Gauss and Seidel).
        T change[R];
        for (int r = 0; r < R; ++r)
        {
            change[r] = f[r] - n.impulse[r];
            n.impulse[r] = f[r];
            if constexpr (kMeasured) residual_ = maximum(residual_, absolute(change[r]) * n.mobility);
        }
        add_block<R>(block.paths, y, change, z_.data());
    };
    // Discs of spin and rolling have the radius that the normal impulse of this sweep leaves them.
    const T bound = block.normal < 0 ? n.bound : n.bound * system_.numbers[at(block.normal)].impulse[0];
    switch (block.kind)
    {
        case BlockKind::push:
            return take.template operator()<1>([&](const T* u, T* f) { f[0] = step_push(n, u[0]); });
        case BlockKind::bounded:
            return take.template operator()<1>([&](const T* u, T* f) { f[0] = step_bounded(n, u[0], bound); });
        case BlockKind::contact:
            return take.template operator()<3>([&](const T* u, T* f) { step_contact(n, u, f); });
        case BlockKind::disc:
            return take.template operator()<2>([&](const T* u, T* f) { step_roll(n, u, bound, f); });
    }
}

/// [lane] Which trees touch each other.
template <class T>
void SweepLaw<T>::join_trees(std::span<const ContactSlot<T>> slots)
{
    // Worlds of a pack differ in what touches: each lane has islands of its own.
    for (DisjointSets& sets : islands_) sets.reset(work_.size());
    for (const Block& block : system_.blocks)
    {
        const DofPaths& paths = block.paths;
        // Rows within a tree, and those against the world, join nothing.
        if (paths.common > 0 || paths.first_count == 0 || paths.second_count == 0) continue;
        const int first = tree_of_dof_[at(paths.first[0])], second = tree_of_dof_[at(paths.second[0])];
        const auto& contact = slots[at(block.element)].contact;
        for (std::size_t k = 0; k < contact.size(); ++k)
            if (contact[k] >= 0) islands_[k].join(first, second);
    }
}

/// [tree] fᵀ (u_s + c) and fᵀ (A + 1/Z) f, the second as |z|^2 + fᵀ f / Z.
template <class T>
void SweepLaw<T>::sum_energy()
{
    for (auto* list : {&work_, &square_}) std::fill(list->begin(), list->end(), T(0.0));
    for (std::size_t b = 0; b < system_.blocks.size(); ++b)
    {
        const BlockNumbers<T>& n = system_.numbers[b];
        T& work = work_[at(system_.blocks[b].tree)];
        T& square = square_[at(system_.blocks[b].tree)];
        const BlockKind kind = system_.blocks[b].kind;
        const bool pushes = kind == BlockKind::push || kind == BlockKind::contact;
        for (int r = 0; r < row_count(kind); ++r)
        {
            // Overlaps that stop have nothing to give.
            const bool first = r == 0 && pushes;
            work += n.impulse[r] * (first ? n.stop_base : n.base[r]);
            square += n.impulse[r] * n.impulse[r] *
                      (first ? n.stop_compliance : n.compliance[r > 0 || kind == BlockKind::disc ? 1 : 0]);
        }
    }
    // fᵀ A f = |z|^2, since z is Jᵀf in the metric of M^-1.
    for (std::size_t d = 0; d < z_.size(); ++d) square_[at(tree_of_dof_[d])] += z_[d] * z_[d];
}

/// Scales the impulses of an island back to where they do no more work than its overlaps have stored: README, "Energy".
template <class T>
void SweepLaw<T>::limit_energy(std::span<const ContactSlot<T>> slots)
{
    // phi(s f) = s fᵀ(u_s + c) + s^2 / 2 fᵀ(A + 1/Z) f is least where the two sums cancel: further on it only grows.
    sum_energy();
    // Trees that touch in a lane share a scale there: sums go to the first of them, the scale comes back.
    if (!islands_.empty()) join_trees(slots);
    const auto each_joined = [&](const auto& visit)
    {
        for (int k = 0; k < static_cast<int>(islands_.size()); ++k)
            for (int t = 1; t < static_cast<int>(work_.size()); ++t)
                if (const int first = islands_[at(k)].find(t); first != t) visit(k, at(t), at(first));
    };
    each_joined(
        [&](int k, std::size_t t, std::size_t first)
        {
            set_lane(work_[first], k, lane(work_[first], k) + lane(work_[t], k));
            set_lane(square_[first], k, lane(square_[first], k) + lane(square_[t], k));
        });
    for (std::size_t t = 0; t < work_.size(); ++t)
    {
        // Sweeps that have converged have s = 1; rounding must not scale them.
        const auto enough = -work_[t] >= square_[t] * T(1 - 1e-12);
        work_[t] = select(enough, T(1.0), maximum(T(0.0), -work_[t] / square_[t]));
    }
    each_joined([&](int k, std::size_t t, std::size_t first) { set_lane(work_[t], k, lane(work_[first], k)); });
    // Adding zero turns -0 into 0.
    for (std::size_t b = 0; b < system_.blocks.size(); ++b)
        for (T& impulse : system_.numbers[b].impulse) impulse = impulse * work_[at(system_.blocks[b].tree)] + T(0.0);
    for (std::size_t d = 0; d < z_.size(); ++d) z_[d] *= work_[at(tree_of_dof_[d])];
}

/// v+ = v_s + M^-1 Jᵀf (Eq. 9), as an acceleration: M^-1 Jᵀf = L^-1 D^-1/2 z and Jᵀf = Lᵀ D^1/2 z.
template <class T>
void SweepLaw<T>::use_impulses(Workspace<T>& w, double dt)
{
    const TreePattern pattern = pattern_of(*w.tree);
    const int count = pattern.dof_count();
    const T rate(1 / dt);
    // Jᵀf, from the leaves to the roots: what sensors and reports call the force of constraints.
    std::fill(force_.begin(), force_.end(), T(0.0));
    for (int d = 0; d < count; ++d)
    {
        const T* row = w.factor.data() + pattern.factor_begin[at(d)];
        const int* ancestor = pattern.ancestors(d);
        const T scaled = rate * (z_[at(d)] / system_.root[at(d)]);
        force_[at(d)] += scaled;
        for (int k = 0; k < pattern.ancestor_count(d); ++k) force_[at(ancestor[k])] += row[k] * scaled;
    }
    // M^-1 Jᵀf, and from a velocity to an acceleration over the step.
    unfold(w, z_);
    for (int d = 0; d < count; ++d) w.qacc[at(d)] += rate * z_[at(d)];
}

/// z becomes L^-1 D^-1/2 z: the velocity that it stands for.
template <class T>
void SweepLaw<T>::unfold(const Workspace<T>& w, std::span<T> z) const
{
    const TreePattern pattern = pattern_of(*w.tree);
    for (int d = 0; d < pattern.dof_count(); ++d)
    {
        const T* row = w.factor.data() + pattern.factor_begin[at(d)];
        const int* ancestor = pattern.ancestors(d);
        // Forward substitution with unit L: ancestors are known before their descendants.
        T change = z[at(d)] * system_.root[at(d)];
        for (int k = 0; k < pattern.ancestor_count(d); ++k) change -= row[k] * z[at(ancestor[k])];
        z[at(d)] = change;
    }
}

/// What a step leaves of an overlap, u + c + f / Z < 0 of the row that pushes.
template <class T>
template <int R>
RB_FLATTEN void SweepLaw<T>::find_left(const Block& block, const T& kept, BlockNumbers<T>& n)
{
    // The normal's velocity after the step; lanes without overlaps have nothing to push, and say so.
    const T u = multiply_first<R>(block.paths, system_.rows.data() + block.begin, z_.data());
    const T left = minimum(T(0.0), n.stop_base + u + n.overlap + n.rest * n.impulse[0] + kept);
    n.left = select(n.overlap < T(0.0), left, T(0.0));
    n.push = T(0.0);
    pushes_ = select(n.left < T(0.0), T(1.0), pushes_);
}

/// A step of the same sweeps for (A + 1/Z) p = -left with p >= 0, without friction.
template <class T>
template <int R>
RB_FLATTEN void SweepLaw<T>::step_push_out(const Block& block, BlockNumbers<T>& n)
{
    const T* y = system_.rows.data() + block.begin;
    const T u = multiply_first<R>(block.paths, y, push_.data());
    const T step = (n.left + u + n.stop_compliance * n.push) * n.stop_inverse;
    const T next = select(n.left < T(0.0), maximum(T(0.0), n.push - step), T(0.0));
    const T change = next - n.push;
    n.push = next;
    add_first<R>(block.paths, y, change, push_.data());
}

/// Impulses that would take what is left of overlaps after the step by as many sweeps over the normals and limits
/// alone. push_ is their z. A slop is kept, as contacts at rest need one: the share of it that this step would take.
template <class T>
void SweepLaw<T>::find_push(const T& kept)
{
    pushes_ = T(0.0);
    pushing_.clear();
    for (std::size_t b = 0; b < system_.blocks.size(); ++b)
    {
        const Block& block = system_.blocks[b];
        BlockNumbers<T>& n = system_.numbers[b];
        if (block.kind != BlockKind::push && block.kind != BlockKind::contact) continue;
        n.left = T(0.0);
        if (!any(n.overlap < T(0.0))) continue;
        block.kind == BlockKind::push ? find_left<1>(block, kept, n) : find_left<3>(block, kept, n);
        if (any(n.left < T(0.0))) pushing_.push_back(b);
    }
    if (pushing_.empty()) return;
    std::fill(push_.begin(), push_.end(), T(0.0));
    for (int k = 0; k < options_.sweeps; ++k)
    {
        for (const std::size_t b : pushing_)
        {
            const Block& block = system_.blocks[b];
            BlockNumbers<T>& n = system_.numbers[b];
            block.kind == BlockKind::push ? step_push_out<1>(block, n) : step_push_out<3>(block, n);
        }
    }
}

template <class T>
void SweepLaw<T>::push_out(Workspace<T>& w, double dt)
{
    if (!any(pushes_ > T(0.0))) return;
    // q+ = q (+) h v+ (+) h w: positions alone, no velocity is left over.
    std::copy(w.q.begin(), w.q.end(), start_.begin());
    advance_positions<T>(*w.tree, push_, dt, w.q);
    // Lanes without overlaps keep every bit.
    for (std::size_t i = 0; i < start_.size(); ++i) w.q[i] = select(pushes_ > T(0.0), w.q[i], start_[i]);
}

}  // namespace rattleback::comfree
