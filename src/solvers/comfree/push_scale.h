// How far the poses of an island leave its overlaps in one step (README, "Energy").
#pragma once

#include "dynamics/impedance.h"
#include "dynamics/spring_law.h"
#include "dynamics/workspace.h"
#include "math/pack.h"

#include <algorithm>
#include <span>
#include <vector>

namespace rattleback::comfree
{

/// Overlaps deeper than those that gravity makes in some steps are not of this run's making: they are left in any
/// case.
inline double find_unpaid_depth(double gravity, double dt) { return std::min(8 * gravity * dt * dt, 0.01); }

/// Whether a push moves a row beyond the `left` part of its overlap (negative), so that the row holds it back.
inline bool pulls_back(double left, double moved) { return left + moved > -1e-7 * left; }
/// Whether it leaves more of that part than rows as hard as these do, so that the row must push.
inline bool lacks_push(double left, double moved) { return left + moved < 1e-3 * left; }

/// Part of a row's impulse that carries a load; the rest ends an approach, and is not there in the next step. `before`:
/// velocity of the row before the step, `predicted`: without constraints (negative: nearer).
template <class T>
T find_load_share(const T& before, const T& predicted)
{
    // An approach no faster than forces make in this very step is a load: what rests or sinks keeps all of its overlap.
    const T forced = maximum(T(0.0), before - predicted), approach = -before;
    return select(approach > forced, forced / select(approach > forced, approach, T(1.0)), T(1.0));
}

/// Of an island's overlaps.
template <class T>
struct Push
{
    T taken{};          ///< energy that the step has taken [J]
    T cost{};           ///< energy that it takes to lift the bodies out by one share [J]
    T sprung{};         ///< part of it that joint springs take, at the end of the step [J]
    T stiff{};          ///< what they take in addition, which grows with the square of the shares [J]
    T held{};           ///< work of overlaps by one share if they were springs (find_overlap_force) [J]
    T fastest{};        ///< speed of the deepest, by one share [m/s]
    bool deep = false;  ///< some overlap is deeper than find_unpaid_depth
};

/// Force [N] of an overlap whose row has this inverse weight [1/kg], if it was a spring that takes back a 36th of the
/// overlap per step: so hard are `rigid` rows at most (solvers/shared, "Softness").
template <class T>
T find_overlap_force(const T& gap, double weight, double dt)
{
    return -gap / T(36 * dt * dt * std::max(kTinyRow, weight));
}

/// What joint springs take of a push by one share.
template <class T, class IslandOf>
void add_spring_costs(const WorkspaceView<T>& w, std::span<const T> push, double dt, const IslandOf& island_of_dof,
                      std::vector<Push<T>>& islands)
{
    const JointsView& joints = w.tree->arrays.joints;
    for (const int j : w.tree->sprung_joints)
    {
        const TreeJoint& joint = w.tree->joints[j];
        const auto add = [&](int v, int count, const Vector3<T>& displacement, const T& size)
        {
            const int i = island_of_dof(v);
            if (i < 0) return;
            Push<T>& island = islands[static_cast<std::size_t>(i)];
            const T k = find_secant(joints.stiffness[joint.joint], joints.stiffness_polynomial[joint.joint], size);
            for (int d = 0; d < count; ++d)
            {
                // From where the step itself leaves the joint.
                const T way = T(dt) * push[static_cast<std::size_t>(v + d)];
                const T after = displacement[d] + T(dt) * (w.v[v + d] + T(dt) * w.qacc[v + d]);
                island.sprung += k * after * way;
                island.stiff += T(0.5) * k * way * way;
            }
        };
        visit_springs(w, joint, add);
    }
}

/// As far as springs get no more by a lift than the step has taken from the bodies and than overlaps would give that
/// are springs themselves: a limit does not press a joint into a spring that is far stiffer.
template <class T>
T find_spring_scale(const Push<T>& push, const T& scale)
{
    // stiff s² + (sprung - held) s <= taken
    const T b = push.sprung - push.held, spare = maximum(T(0.0), push.taken);
    const T root = sqrt(b * b + T(4.0) * push.stiff * spare);
    const auto falls = b < T(0.0);
    const T limit =
        select(falls, root - b, T(2.0) * spare) / maximum(select(falls, T(2.0) * push.stiff, b + root), T(1e-300));
    return select(push.stiff > T(0.0), minimum(scale, limit), scale);
}

/// By how much a push by one share of the overlaps is scaled: up to the whole, as far as the energy pays for the lift
/// that this very step has taken from the bodies; unpaid lifts of deep overlaps, and what costs nothing, no faster than
/// `speed`.
template <class T>
T find_push_scale(const Push<T>& push, const T& share, double speed)
{
    // One share is what a step asks for; the whole overlap is 1 / share of them.
    const T whole = T(1.0) / share, slow = T(speed) / maximum(push.fastest, T(1e-15));
    const T least = push.deep ? minimum(T(1.0), slow) : T(0.0);
    // What lifts nothing is free, and only as fast as allowed.
    const auto costs = push.cost > T(0.0);
    const T paid = push.taken / select(costs, push.cost, T(1.0));
    return find_spring_scale(push, select(costs, maximum(least, minimum(whole, paid)), minimum(whole, slow)));
}

}  // namespace rattleback::comfree
