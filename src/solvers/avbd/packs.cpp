// Batches of bodies, slots of contacts, and the two passes over them.
#include "solvers/avbd/packs.h"

#include "base/index.h"
#include "base/thread_pool.h"
#include "solvers/avbd/body_solve.h"
#include "solvers/avbd/contact_sum.h"
#include "solvers/avbd/pack8.h"
#include "solvers/avbd/pack_plan.h"

#include <algorithm>

namespace rattleback::avbd
{

namespace
{

constexpr int kBatchesPerTask = 4;

template <class T>
class Packs final : public PackSweep
{
    using Scalar = typename PackTraits<T>::Scalar;
    static constexpr int kWidth = PackTraits<T>::kWidth;

    /// What the points of a manifold share; lanes without one push nothing.
    struct Manifold
    {
        Vector3<T> normal;
        T friction, ramp, most;
        int other[kWidth];
    };
    /// One contact of each body of a batch, see HalfContact. Its shear is its stiffness, as raise() leaves it.
    struct Point
    {
        Vector3<T> arm, other_arm;
        T gap, stiffness, pressure, live;
        Vector3<T> drag;
    };
    /// What only some sweeps look at.
    struct Rest
    {
        T later_gap;      ///< that counts in the sweep of positions alone
        Vector3<T> slip;  ///< all of it
        T compliance;
    };
    struct Inertia
    {
        T mass;  ///< over h^2
        Symmetric3<T> inertia;
        Increment<T> target;
        Vector3<T> momentum;
    };

public:
    void resize(std::size_t row_count) override
    {
        records_.resize(2 * row_count + 2);
        compliances_.resize(row_count + 1);
        for (std::size_t k : {0, 1}) records_[k] = {};  // of lanes without a contact
        compliances_[0] = 0;
    }

    void take_rows(const Settings& settings, const std::vector<ContactRow>& rows, Piece range,
                   const BlockWork& work) override
    {
        for (int r = range.begin; r < range.end; ++r)
        {
            const ContactRow& row = rows[at(r)];
            Scalar* to = records_[2 * at(r) + 2].value;
            const auto put_vector = [&](int k, const Vec3& from)
            {
                for (int c = 0; c < 3; ++c) to[k + c] = static_cast<Scalar>(from[c]);
            };
            put_vector(0, row.first_arm);
            to[3] = static_cast<Scalar>(counted_gap(row, work.counted));
            put_vector(4, row.second_arm);
            to[7] = static_cast<Scalar>(counted_gap(row, settings.correction));
            put_vector(8, row.drag);
            to[11] = static_cast<Scalar>(row.live ? row.stiffness : -row.stiffness);
            put_vector(12, row.slip);
            to[15] = static_cast<Scalar>(row.pressure);
            compliances_[at(r) + 1] = static_cast<Scalar>(row.compliance);
        }
    }

    void start(const Layout& layout, const Settings& settings, const Colouring& colouring,
               const std::vector<char>& packed, const std::vector<RowGroup>& groups, const BlockWork& work,
               ThreadPool& pool) override
    {
        inverse_ = 1 / (work.dt * work.dt);
        moved_.resize(layout.parts.size());
        for (int p = 0; p < static_cast<int>(layout.parts.size()); ++p) take(p, work);
        plan_.make(layout, colouring, packed, groups, kWidth);
        inertias_.resize(plan_.batches.size());
        manifolds_.resize(plan_.manifolds.size());
        points_.resize(at(plan_.point_count));
        rest_.resize(at(plan_.point_count));
        slips_ = work.counted;
        soft_ = std::any_of(groups.begin(), groups.end(), [](const RowGroup& group) { return group.soft; });
        for_all_batches(pool, [&](int b) { fill(b, settings, groups, work); });
    }

    void move(int colour, ThreadPool& pool, BlockWork& work) override
    {
        const int begin = plan_.batch_begin[at(colour)], end = plan_.batch_begin[at(colour) + 1];
        choose(
            [&](auto slips, auto soft)
            {
                const auto move_one = [&](int b) { move_batch<slips, soft>(b, work); };
                if (colour != plan_.serial)
                    for_each_batch(pool, begin, end, move_one);
                else
                    for (int b = begin; b < end; ++b) move_one(b);
            });
    }

    void take(int part, const BlockWork& work) override
    {
        const Increment<double>& from = work.bodies[at(part)].moved;
        for (int c = 0; c < 3; ++c)
        {
            moved_[at(part)].value[c] = static_cast<Scalar>(from.linear[c]);
            moved_[at(part)].value[3 + c] = static_cast<Scalar>(from.angular[c]);
        }
    }

    void raise(ThreadPool& pool) override
    {
        choose([&](auto slips, auto soft) { for_all_batches(pool, [&](int b) { raise_batch<slips, soft>(b); }); });
    }

    void count_errors(double correction, double firmness, ThreadPool& pool) override
    {
        slips_ = correction;
        const auto count = [&](int b)
        {
            const PackBatch& batch = plan_.batches[at(b)];
            if (batch.begin == batch.end) return;
            const int end = plan_.manifolds[at(batch.end - 1)].end;
            for (int p = plan_.manifolds[at(batch.begin)].begin; p < end; ++p)
            {
                points_[at(p)].gap = rest_[at(p)].later_gap;
                points_[at(p)].stiffness = T(firmness) * points_[at(p)].stiffness;
            }
        };
        for_all_batches(pool, count);
    }

    void scatter(const std::vector<RowGroup>& groups, ThreadPool& pool, std::vector<ContactRow>& rows) const override
    {
        for_all_batches(pool,
                        [&](int b)
                        {
                            const PackBatch& batch = plan_.batches[at(b)];
                            for (int m = batch.begin; m < batch.end; ++m) scatter(plan_.manifolds[at(m)], groups, rows);
                        });
    }

    void finish(BlockWork& work) const override
    {
        for (const PackBatch& batch : plan_.batches) give(batch, work);
    }

private:
    static void put(Vector3<T>& to, int lane, const Vec3& from)
    {
        put_lane(to.x, lane, from.x);
        put_lane(to.y, lane, from.y);
        put_lane(to.z, lane, from.z);
    }
    /// A copy by components: g++ copies the whole in pieces of half a pack, which later loads have to wait for.
    [[gnu::always_inline]] static Vector3<T> copy(const Vector3<T>& from) { return {from.x, from.y, from.z}; }
    static Vec3 get(const Vector3<T>& from, int lane)
    {
        return {get_lane(from.x, lane), get_lane(from.y, lane), get_lane(from.z, lane)};
    }

    template <class Function>
    static void for_each_batch(ThreadPool& pool, int begin, int end, Function function)
    {
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
    template <class Function>
    void for_all_batches(ThreadPool& pool, Function function) const
    {
        for_each_batch(pool, 0, static_cast<int>(plan_.batches.size()), function);
    }

    /// Calls `function` with two constants: whether slips count, and whether any row is compliant.
    template <class Function>
    void choose(Function function) const
    {
        if (slips_ != 0 && soft_)
            function(std::true_type{}, std::true_type{});
        else if (slips_ != 0)
            function(std::true_type{}, std::false_type{});
        else if (soft_)
            function(std::false_type{}, std::true_type{});
        else
            function(std::false_type{}, std::false_type{});
    }

    void fill(int b, const Settings& settings, const std::vector<RowGroup>& groups, const BlockWork& work)
    {
        const PackBatch& batch = plan_.batches[at(b)];
        for (int lane = 0; lane < kWidth; ++lane)
        {
            const int part = batch.part[at(lane)];
            set_body(inertias_[at(b)], lane, part < 0 ? nullptr : &work.bodies[at(part)]);
        }
        for (int m = batch.begin; m < batch.end; ++m)
        {
            const PackManifold& plan = plan_.manifolds[at(m)];
            Manifold& manifold = manifolds_[at(m)];
            T second;  // in lanes whose body is the second one of the rows
            int begin[kWidth], count[kWidth];
            for (int lane = 0; lane < kWidth; ++lane)
            {
                const int side = plan.side[at(lane)];
                const RowGroup* group = side < 0 ? nullptr : &groups[at(PackPlan::group_of(side))];
                set_manifold(manifold, lane, side, group, settings);
                put_lane(second, lane, side >= 0 && PackPlan::is_second(side) ? 1 : 0);
                begin[lane] = group == nullptr ? 0 : group->begin + 1;
                count[lane] = group == nullptr ? 0 : group->end - group->begin;
            }
            for (int p = plan.begin; p < plan.end; ++p)
            {
                int records[kWidth];
                for (int lane = 0; lane < kWidth; ++lane)
                    records[lane] = p - plan.begin < count[lane] ? begin[lane] + p - plan.begin : 0;
                set_point(p, records, second);
            }
        }
    }

    void set_body(Inertia& to, int lane, const Body* body) const
    {
        if (body == nullptr)
        {
            put_lane(to.mass, lane, 1);
            for (int i = 0; i < 6; ++i) put_lane(to.inertia.m[i], lane, i == 0 || i == 2 || i == 5 ? 1 : 0);
            for (Vector3<T>* value : {&to.target.linear, &to.target.angular, &to.momentum}) put(*value, lane, {});
            return;
        }
        put_lane(to.mass, lane, inverse_ * body->mass);
        const Symmetric3<double> inertia = to_symmetric(body->inertia);
        for (int i = 0; i < 6; ++i) put_lane(to.inertia.m[i], lane, inverse_ * inertia.m[i]);
        put(to.target.linear, lane, body->target.linear);
        put(to.target.angular, lane, body->target.angular);
        put(to.momentum, lane, inverse_ * body->momentum);
    }

    void set_manifold(Manifold& manifold, int lane, int side, const RowGroup* group, const Settings& settings) const
    {
        const bool second = side >= 0 && PackPlan::is_second(side);
        const double sign = second ? 1 : -1, unit = group == nullptr ? 0 : group->mass * inverse_;
        put(manifold.normal, lane, group == nullptr ? Vec3{} : sign * group->normal);
        put_lane(manifold.friction, lane, group == nullptr ? 0 : group->friction);
        put_lane(manifold.ramp, lane, group == nullptr ? 0 : settings.ramp * unit / group->size);
        put_lane(manifold.most, lane, kMostPenalty * unit);
        manifold.other[lane] = group == nullptr ? 0 : second ? group->first : group->second;
    }

    /// Takes the records of one row per lane; the first body's lanes see them from the other side.
    void set_point(int p, const int* records, const T& second)
    {
        Point& point = points_[at(p)];
        Rest& rest = rest_[at(p)];
        int front[kWidth], back[kWidth];
        for (int lane = 0; lane < kWidth; ++lane)
        {
            front[lane] = 2 * records[lane];
            back[lane] = 2 * records[lane] + 1;
            put_lane(rest.compliance, lane, static_cast<double>(compliances_[at(records[lane])]));
        }
        T a[8], b[8];
        load_rows<8>(records_.data(), front, a);
        load_rows<8>(records_.data(), back, b);
        const auto is_second = second > T(0.0);
        const T sign = select(is_second, T(1.0), T(-1.0));
        point.arm = {select(is_second, a[4], a[0]), select(is_second, a[5], a[1]), select(is_second, a[6], a[2])};
        point.other_arm = {select(is_second, a[0], a[4]), select(is_second, a[1], a[5]), select(is_second, a[2], a[6])};
        point.gap = a[3];
        rest.later_gap = a[7];
        point.drag = {sign * b[0], sign * b[1], sign * b[2]};
        point.stiffness = absolute(b[3]);
        point.live = select(b[3] > T(0.0), T(1.0), T(0.0));
        rest.slip = {sign * b[4], sign * b[5], sign * b[6]};
        point.pressure = b[7];
    }

    void scatter(const PackManifold& plan, const std::vector<RowGroup>& groups, std::vector<ContactRow>& rows) const
    {
        for (int lane = 0; lane < kWidth; ++lane)
        {
            const int side = plan.side[at(lane)];
            if (side < 0 || !PackPlan::owns(side)) continue;
            const RowGroup& group = groups[at(PackPlan::group_of(side))];
            const double sign = PackPlan::is_second(side) ? 1 : -1;
            for (int r = group.begin, p = plan.begin; r < group.end; ++r, ++p)
            {
                const Point& point = points_[at(p)];
                ContactRow& row = rows[at(r)];
                row.pressure = get_lane(point.pressure, lane);
                row.drag = sign * get(point.drag, lane);
                row.stiffness = get_lane(point.stiffness, lane);
            }
        }
    }

    Increment<T> load(const int* parts) const
    {
        T columns[6];
        load_rows<6>(moved_.data(), parts, columns);
        return {{columns[0], columns[1], columns[2]}, {columns[3], columns[4], columns[5]}};
    }
    Increment<T> load_own(const PackBatch& batch) const
    {
        int parts[kWidth];
        for (int lane = 0; lane < kWidth; ++lane) parts[lane] = std::max(0, batch.part[at(lane)]);
        return load(parts);
    }

    template <bool Slips, bool Soft>
    [[gnu::always_inline]] HalfContact<T> make_half(const Manifold& manifold, int p) const
    {
        const Point& point = points_[at(p)];
        HalfContact<T> half;
        half.normal = copy(manifold.normal);
        half.arm = copy(point.arm);
        half.other_arm = copy(point.other_arm);
        half.gap = point.gap;
        if constexpr (Slips) half.slip = T(slips_) * rest_[at(p)].slip;
        half.stiffness = half.shear = point.stiffness;
        half.pressure = point.pressure;
        half.drag = copy(point.drag);
        half.friction = manifold.friction;
        if constexpr (Soft) half.compliance = rest_[at(p)].compliance;
        half.live = point.live;
        return half;
    }

    template <bool Slips, bool Soft>
    void move_batch(int b, BlockWork& work)
    {
        const PackBatch& batch = plan_.batches[at(b)];
        const Inertia& inertia = inertias_[at(b)];
        const Increment<T> own = load_own(batch);
        BodySystem<T> system;
        add_diagonal(system.linear, inertia.mass);
        system.angular = inertia.inertia;
        system.force = inertia.mass * (inertia.target.linear - own.linear);
        system.torque = inertia.momentum - spin_momentum(inertia.inertia, own.angular);
        ContactSum<T> sum;
        for (int m = batch.begin; m < batch.end; ++m)
        {
            const Manifold& manifold = manifolds_[at(m)];
            const Increment<T> other = load(manifold.other);
            const int end = plan_.manifolds[at(m)].end;
            for (int p = plan_.manifolds[at(m)].begin; p < end; ++p)
            {
                const HalfContact<T> half = make_half<Slips, Soft>(manifold, p);
                sum.add(half, evaluate<Soft>(half, own, other));
            }
            sum.close(manifold.normal, system);
        }
        sum.finish(system);
        const Increment<T> step = solve(system);
        const Vector3<T> linear = own.linear + step.linear, angular = own.angular + step.angular;
        for (int lane = 0; lane < kWidth; ++lane)
        {
            if (batch.part[at(lane)] < 0) continue;
            Scalar* to = moved_[at(batch.part[at(lane)])].value;
            to[0] = linear.x.lanes[lane];
            to[1] = linear.y.lanes[lane];
            to[2] = linear.z.lanes[lane];
            to[3] = angular.x.lanes[lane];
            to[4] = angular.y.lanes[lane];
            to[5] = angular.z.lanes[lane];
        }
        if (batch.watched) give(batch, work);
    }

    void give(const PackBatch& batch, BlockWork& work) const
    {
        for (int lane = 0; lane < kWidth; ++lane)
        {
            const int part = batch.part[at(lane)];
            if (part < 0) continue;
            const Scalar* from = moved_[at(part)].value;
            Increment<double>& to = work.bodies[at(part)].moved;
            for (int c = 0; c < 3; ++c)
            {
                to.linear[c] = static_cast<double>(from[c]);
                to.angular[c] = static_cast<double>(from[3 + c]);
            }
        }
    }

    template <bool Slips, bool Soft>
    void raise_batch(int b)
    {
        const PackBatch& batch = plan_.batches[at(b)];
        const Increment<T> own = load_own(batch);
        for (int m = batch.begin; m < batch.end; ++m)
        {
            const Manifold& manifold = manifolds_[at(m)];
            const Increment<T> other = load(manifold.other);
            const int end = plan_.manifolds[at(m)].end;
            for (int p = plan_.manifolds[at(m)].begin; p < end; ++p)
            {
                HalfContact<T> half = make_half<Slips, Soft>(manifold, p);
                avbd::raise(evaluate<Soft>(half, own, other), manifold.ramp, manifold.most, half);
                Point& point = points_[at(p)];
                point.stiffness = half.stiffness;
                point.pressure = half.pressure;
                point.drag = copy(half.drag);
            }
        }
    }

    PackPlan plan_;
    std::vector<Row8<Scalar>> moved_;    ///< [part]
    std::vector<Row8<Scalar>> records_;  ///< [row + 1] two each, see take_rows
    std::vector<Scalar> compliances_;    ///< [row + 1]
    std::vector<Inertia> inertias_;      ///< [batch]
    std::vector<Manifold> manifolds_;
    std::vector<Point> points_;
    std::vector<Rest> rest_;  ///< [point]
    double inverse_ = 0;      ///< 1 / h^2
    double slips_ = 0;        ///< fraction of the slips that counts
    bool soft_ = false;       ///< some row is compliant
};

}  // namespace

std::unique_ptr<PackSweep> make_pack_sweep(bool single_precision)
{
    if (single_precision) return std::make_unique<Packs<Pack8>>();
    return std::make_unique<Packs<Pack4>>();
}

}  // namespace rattleback::avbd
