// Batches of bodies, slots of contacts, and the two passes over them: primal and dual.
#include "solvers/avbd/packs.h"

#include "base/thread_pool.h"
#include "solvers/avbd/body_solve.h"
#include "solvers/avbd/contact_sum.h"

#include <algorithm>

namespace rattleback::avbd
{

namespace
{

constexpr int kBatchesPerTask = 4;

/// A copy by components: g++ copies the whole in pieces of half a pack, which later loads have to wait for.
template <class T>
[[gnu::always_inline]] inline Vector3<T> copy(const Vector3<T>& from)
{
    return {from.x, from.y, from.z};
}

}  // namespace

template <class T>
template <class Function>
void PackSweep<T>::for_each_batch(ThreadPool& pool, int begin, int end, Function function)
{
    // One thread, or too little work to share.
    const int tasks = (end - begin + kBatchesPerTask - 1) / kBatchesPerTask;
    if (pool.worker_count() == 1 || tasks < 2)
    {
        for (int b = begin; b < end; ++b) function(b);
        return;
    }
    // large batches come first: every task takes some of them
    pool.run(tasks,
             [&](int task, int /*worker*/)
             {
                 for (int b = begin + task; b < end; b += tasks) function(b);
             });
}

template <class T>
template <class Function>
void PackSweep<T>::for_all_batches(ThreadPool& pool, Function function) const
{
    for_each_batch(pool, 0, static_cast<int>(plan_.batches.size()), function);
}

/// Calls `function` with two constants: whether slips count, and whether any row is compliant.
template <class T>
template <class Function>
void PackSweep<T>::choose_rows(Function function) const
{
    // with post-stabilisation 1 - alpha = 0 in the sweeps: slips are not even loaded
    // four texts from one: what does not count is not even read
    if (error_fraction_ != 0 && soft_)
        function(std::true_type{}, std::true_type{});
    else if (error_fraction_ != 0)
        function(std::true_type{}, std::false_type{});
    else if (soft_)
        function(std::false_type{}, std::true_type{});
    else
        function(std::false_type{}, std::false_type{});
}

template <class T>
void PackSweep<T>::start(const Layout& layout, const Settings& settings, const Colouring& colouring,
                         const std::vector<char>& packed, const std::vector<Manifold>& manifolds, const BlockWork& work,
                         ThreadPool& pool)
{
    // first guesses of all groups
    // 1 / h^2 scales M once per substep instead of once per sweep
    inverse_h2_ = 1 / (work.dt * work.dt);
    deltas_.resize(layout.groups.size());
    for (int g = 0; g < static_cast<int>(layout.groups.size()); ++g) load_delta(g, work);
    // who moves side by side, and where their contacts lie
    plan_.make(layout, colouring, packed, manifolds, kWidth);
    // sizes change with the contacts; the memory stays
    inertias_.resize(plan_.batches.size());
    manifolds_.resize(plan_.slots.size());
    points_.resize(at(plan_.point_count));
    extras_.resize(at(plan_.point_count));
    // C(x_t), lambda and k of every contact into its slots
    error_fraction_ = work.error_fraction;
    soft_ = std::any_of(manifolds.begin(), manifolds.end(), [](const Manifold& manifold) { return manifold.soft; });
    for_all_batches(pool, [&](int b) { fill_batch(b, settings, manifolds, work); });
}

template <class T>
void PackSweep<T>::fill_batch(int b, const Settings& settings, const std::vector<Manifold>& manifolds,
                              const BlockWork& work)
{
    // M / h^2 and y of the batch's bodies
    const PackBatch& batch = plan_.batches[at(b)];
    for (int lane = 0; lane < kWidth; ++lane)
    {
        const int group = batch.group[at(lane)];
        // an empty lane has unit mass and no target: it stays where it is
        set_body(group < 0 ? nullptr : &work.bodies[at(group)], inverse_h2_, lane, inertias_[at(b)]);
    }
    for (int m = batch.begin; m < batch.end; ++m)
    {
        // one manifold per lane: normal, friction, beta
        const ManifoldSlot& slot = plan_.slots[at(m)];
        // the side decides on signs of normal and tangential force, and on which arm is whose
        T second;  // in lanes whose body is the second one of the rows
        int begin[kWidth], count[kWidth];
        for (int lane = 0; lane < kWidth; ++lane)
        {
            const int side = slot.side[at(lane)];
            const Manifold* manifold = side < 0 ? nullptr : &manifolds[at(PackPlan::manifold_of(side))];
            const bool is_second = side >= 0 && PackPlan::is_second(side);
            set_manifold(manifold, is_second, settings.ramp, inverse_h2_, lane, manifolds_[at(m)]);
            set_lane(second, lane, is_second ? 1 : 0);
            begin[lane] = manifold == nullptr ? 0 : ContactRecords<T>::record_of(manifold->begin);
            count[lane] = manifold == nullptr ? 0 : manifold->end - manifold->begin;
        }
        // its points; lanes that have fewer take the record that pushes nothing
        for (int p = slot.begin; p < slot.end; ++p)
        {
            int records[kWidth];
            for (int lane = 0; lane < kWidth; ++lane)
                records[lane] = p - slot.begin < count[lane] ? begin[lane] + p - slot.begin : 0;
            records_.set_point(records, second, points_[at(p)], extras_[at(p)]);
        }
    }
}

template <class T>
void PackSweep<T>::load_delta(int group, const BlockWork& work)
{
    // x - x_t alone is rounded to the precision of the sweep: poses stay in double
    // a float keeps increments of a step to 1e-7 of them, which a position in metres would not have
    const Increment<double>& from = work.bodies[at(group)].delta;
    for (int c = 0; c < 3; ++c)
    {
        deltas_[at(group)].value[c] = static_cast<Scalar>(from.linear[c]);
        deltas_[at(group)].value[3 + c] = static_cast<Scalar>(from.angular[c]);
    }
}

template <class T>
Increment<T> PackSweep<T>::load_deltas(const int* groups) const
{
    // rows of bodies become packs of components: transposed loads instead of gathers
    T columns[6];
    load_rows<6>(deltas_.data(), groups, columns);
    return {{columns[0], columns[1], columns[2]}, {columns[3], columns[4], columns[5]}};
}

template <class T>
Increment<T> PackSweep<T>::load_own(const PackBatch& batch) const
{
    // an empty lane reads the world, which does not move
    int groups[kWidth];
    for (int lane = 0; lane < kWidth; ++lane) groups[lane] = std::max(0, batch.group[at(lane)]);
    return load_deltas(groups);
}

template <class T>
template <bool Slips, bool Soft>
[[gnu::always_inline]] inline HalfContact<T> PackSweep<T>::make_half(const ManifoldLanes<T>& manifold, int p) const
{
    // C(x_t), lambda and k of the slot, with what its manifold shares
    const PointLanes<T>& point = points_[at(p)];
    HalfContact<T> half;
    half.normal = copy(manifold.normal);
    half.arm = copy(point.arm);
    half.other_arm = copy(point.other_arm);
    half.gap = point.gap;
    if constexpr (Slips) half.slip = T(error_fraction_) * extras_[at(p)].slip;
    half.normal_penalty = half.tangent_penalty = point.penalty;
    half.normal_lambda = point.normal_lambda;
    half.tangent_lambda = copy(point.tangent_lambda);
    half.friction = manifold.friction;
    // without compliance s = 1 in evaluate(), and one division per point less
    if constexpr (Soft) half.compliance = extras_[at(p)].compliance;
    half.active = point.active;
    return half;
}

template <class T>
void PackSweep<T>::solve_colour(int colour, ThreadPool& pool, BlockWork& work)
{
    // bodies of one colour share no contact, so batches may be solved side by side; those that found no colour in turn
    const int begin = plan_.batch_begin[at(colour)], end = plan_.batch_begin[at(colour) + 1];
    choose_rows(
        [&](auto slips, auto soft)
        {
            // the text that is right for all points of the step, chosen once per colour
            const auto solve_one = [&](int b) { solve_batch<slips, soft>(b, work); };
            if (colour != plan_.serial)
                for_each_batch(pool, begin, end, solve_one);
            else
                for (int b = begin; b < end; ++b) solve_one(b);
        });
}

/// Primal update of the bodies of one batch.
template <class T>
template <bool Slips, bool Soft>
void PackSweep<T>::solve_batch(int b, BlockWork& work)
{
    // H = M / h^2, f = M / h^2 (y - x) ([AVBD] Eqs. 5, 6)
    const PackBatch& batch = plan_.batches[at(b)];
    const InertiaLanes<T>& inertia = inertias_[at(b)];
    // x - x_t of eight or four bodies at once
    const Increment<T> own = load_own(batch);
    BodySystem<T> system =
        make_inertial_system(inertia.mass, inertia.inertia, inertia.target - own.linear,
                             inertia.momentum - spin_momentum(inertia.inertia, own.angular, inertia.pivot));
    // f += Jᵀ lambda+, H += Jᵀ k J over the body's contacts ([AVBD] Eqs. 13, 17)
    ContactSum<T> sum;
    for (int m = batch.begin; m < batch.end; ++m)
    {
        const ManifoldLanes<T>& manifold = manifolds_[at(m)];
        // the other body rests where it is (Gauss and Seidel)
        // those of earlier colours have moved in this sweep already
        const Increment<T> other = load_deltas(manifold.other);
        const int end = plan_.slots[at(m)].end;
        for (int p = plan_.slots[at(m)].begin; p < end; ++p)
        {
            const HalfContact<T> half = make_half<Slips, Soft>(manifold, p);
            sum.add(half, evaluate<Soft>(half, own, other));
        }
        sum.close(manifold.normal, system);
    }
    sum.finish(system);
    // x <- x + H^-1 f ([AVBD] Eq. 4)
    // two 3x3 factorisations ([VBD-R]), lane by lane the same operations as in a single body's
    const Increment<T> step = solve(system);
    const Vector3<T> linear = own.linear + step.linear, angular = own.angular + step.angular;
    // packs of components become rows of bodies again; later colours of the same sweep see them
    for (int lane = 0; lane < kWidth; ++lane)
    {
        if (batch.group[at(lane)] < 0) continue;
        Scalar* to = deltas_[at(batch.group[at(lane)])].value;
        // lanes without a body are not written
        to[0] = linear.x.lanes[lane];
        to[1] = linear.y.lanes[lane];
        to[2] = linear.z.lanes[lane];
        to[3] = angular.x.lanes[lane];
        to[4] = angular.y.lanes[lane];
        to[5] = angular.z.lanes[lane];
    }
    // blocks outside of packs look at the bodies themselves
    if (batch.watched) store_deltas(batch, work);
}

template <class T>
void PackSweep<T>::update_duals(ThreadPool& pool)
{
    // all x are final for this iteration: batches need no colours
    choose_rows([&](auto slips, auto soft) { for_all_batches(pool, [&](int b) { update_batch<slips, soft>(b); }); });
}

/// Dual update of the contacts of one batch.
template <class T>
template <bool Slips, bool Soft>
void PackSweep<T>::update_batch(int b)
{
    // both sides of a contact are updated, each by its own body, and agree bit for bit
    const PackBatch& batch = plan_.batches[at(b)];
    // x is final: both sides read the same numbers whatever the order of the batches
    const Increment<T> own = load_own(batch);
    for (int m = batch.begin; m < batch.end; ++m)
    {
        const ManifoldLanes<T>& manifold = manifolds_[at(m)];
        // lambda+ at the x of both bodies after the sweep
        const Increment<T> other = load_deltas(manifold.other);
        const int end = plan_.slots[at(m)].end;
        for (int p = plan_.slots[at(m)].begin; p < end; ++p)
        {
            // lambda <- lambda+ (Eq. 11), k <- k + beta |C| (Eq. 16)
            HalfContact<T> half = make_half<Slips, Soft>(manifold, p);
            update_dual(evaluate<Soft>(half, own, other), manifold.beta, manifold.max_penalty, half);
            PointLanes<T>& point = points_[at(p)];
            point.penalty = half.normal_penalty;
            point.normal_lambda = half.normal_lambda;
            point.tangent_lambda = copy(half.tangent_lambda);
        }
    }
}

template <class T>
void PackSweep<T>::start_correction(const Settings& settings, ThreadPool& pool)
{
    // C(x) with alpha = 1 - correction, at firmer penalties; the multipliers stay
    error_fraction_ = settings.correction;
    const auto correct = [&](int b)
    {
        const PackBatch& batch = plan_.batches[at(b)];
        if (batch.begin == batch.end) return;
        // the slots of a batch stand one after the other
        const int end = plan_.slots[at(batch.end - 1)].end;
        for (int p = plan_.slots[at(batch.begin)].begin; p < end; ++p)
        {
            points_[at(p)].gap = extras_[at(p)].correction_gap;
            // firmer penalties close more of the gap in the one sweep that there is
            points_[at(p)].penalty = T(settings.firmness) * points_[at(p)].penalty;
        }
    };
    for_all_batches(pool, correct);
}

template <class T>
void PackSweep<T>::store_duals(const std::vector<Manifold>& manifolds, ThreadPool& pool,
                               std::vector<ContactRow>& rows) const
{
    const auto store_lane = [&](const ManifoldSlot& slot, int index)
    {
        // one side of every manifold owns it; the first body's side holds tangential forces with the other sign
        const int side = slot.side[at(index)];
        // a row has two sides in packs, or one where the other body is given or moves by itself
        if (side < 0 || !PackPlan::owns(side)) return;
        const Manifold& manifold = manifolds[at(PackPlan::manifold_of(side))];
        const double sign = PackPlan::is_second(side) ? 1 : -1;
        // rows of a manifold and points of its slot have the same order
        for (int r = manifold.begin, p = slot.begin; r < manifold.end; ++r, ++p)
        {
            const PointLanes<T>& point = points_[at(p)];
            ContactRow& row = rows[at(r)];
            row.normal_lambda = lane(point.normal_lambda, index);
            row.tangent_lambda = sign * lane(point.tangent_lambda, index);
            row.penalty = lane(point.penalty, index);
        }
    };
    for_all_batches(pool,
                    [&](int b)
                    {
                        const PackBatch& batch = plan_.batches[at(b)];
                        for (int m = batch.begin; m < batch.end; ++m)
                        {
                            for (int lane = 0; lane < kWidth; ++lane) store_lane(plan_.slots[at(m)], lane);
                        }
                    });
}

template <class T>
void PackSweep<T>::store_deltas(const PackBatch& batch, BlockWork& work) const
{
    // x - x_t of each lane in double, for what looks at the bodies themselves
    for (int lane = 0; lane < kWidth; ++lane)
    {
        const int group = batch.group[at(lane)];
        if (group < 0) continue;
        const Scalar* from = deltas_[at(group)].value;
        Increment<double>& to = work.bodies[at(group)].delta;
        for (int c = 0; c < 3; ++c)
        {
            to.linear[c] = static_cast<double>(from[c]);
            to.angular[c] = static_cast<double>(from[3 + c]);
        }
    }
}

template <class T>
void PackSweep<T>::store_deltas(BlockWork& work) const
{
    for (const PackBatch& batch : plan_.batches) store_deltas(batch, work);
}

template class PackSweep<Pack4>;
template class PackSweep<Pack8>;

}  // namespace rattleback::avbd
