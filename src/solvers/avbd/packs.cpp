// Batches of bodies, slots of contacts, and the two passes over them.
#include "solvers/avbd/packs.h"

#include "base/thread_pool.h"
#include "solvers/avbd/body_solve.h"
#include "solvers/avbd/pack8.h"

#include <algorithm>

namespace rattleback::avbd
{

namespace
{

constexpr int kBatchesPerTask = 8;

std::size_t at(int index) { return static_cast<std::size_t>(index); }

template <class T>
class Packs final : public PackSweep
{
    using Scalar = typename PackTraits<T>::Scalar;
    static constexpr int kWidth = PackTraits<T>::kWidth;

    /// One contact of each body of a batch; lanes without one push nothing.
    struct Slot
    {
        HalfContact<T> half;
        T ramp, most;
        int other[kWidth];
        int row[kWidth];  ///< -1: none
    };
    struct Batch
    {
        int part[kWidth];  ///< -1: none
        int slot_begin = 0, slot_end = 0;
        bool watched = false;  ///< by parts outside
        T mass;                ///< over h^2
        Symmetric3<T> inertia;
        Increment<T> target;
        Vector3<T> momentum;
    };

public:
    void start(const Layout& layout, const Settings& settings, const Colouring& colouring,
               const std::vector<char>& packed, const std::vector<ContactRow>& rows, const BlockWork& work) override
    {
        inverse_ = 1 / (work.dt * work.dt);
        moved_.resize(layout.parts.size());
        for (int p = 0; p < static_cast<int>(layout.parts.size()); ++p) take(p, work);
        index_contacts(packed, rows);
        make_batches(layout, colouring, packed, work);
        fill_slots(settings, packed, rows, work);
    }

    void move(int colour, ThreadPool& pool, BlockWork& work) override
    {
        const int begin = batch_begin_[at(colour)], count = batch_begin_[at(colour) + 1] - begin;
        for_each_batch(pool, begin, count, [&](Batch& batch) { move_batch(batch, work); });
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
        for_each_batch(pool, 0, static_cast<int>(batches_.size()), [&](Batch& batch) { raise_batch(batch); });
    }

    void count_errors(const std::vector<ContactRow>& rows, double fraction, double firmness) override
    {
        for (Slot& slot : slots_)
        {
            for (int lane = 0; lane < kWidth; ++lane)
            {
                if (slot.row[lane] < 0) continue;
                const ContactRow& row = rows[at(slot.row[lane])];
                put_lane(slot.half.gap, lane, counted_gap(row, fraction));
                put(slot.half.slip, lane, (row.first == slot.other[lane] ? fraction : -fraction) * row.slip);
                put_lane(slot.half.stiffness, lane, firmness * row.stiffness);
                put_lane(slot.half.shear, lane, firmness * row.stiffness);
            }
        }
    }

    void scatter(std::vector<ContactRow>& rows) const override
    {
        for (const Slot& slot : slots_)
        {
            for (int lane = 0; lane < kWidth; ++lane)
            {
                if (slot.row[lane] < 0) continue;
                ContactRow& row = rows[at(slot.row[lane])];
                const double side = row.first == slot.other[lane] ? 1 : -1;
                row.pressure = get_lane(slot.half.pressure, lane);
                row.drag = side * get(slot.half.drag, lane);
                row.stiffness = get_lane(slot.half.stiffness, lane);
            }
        }
    }

    void finish(ThreadPool& pool, BlockWork& work) const override
    {
        (void)pool;
        for (const Batch& batch : batches_) give(batch, work);
    }

private:
    static void put(Vector3<T>& to, int lane, const Vec3& from)
    {
        put_lane(to.x, lane, from.x);
        put_lane(to.y, lane, from.y);
        put_lane(to.z, lane, from.z);
    }
    static Vec3 get(const Vector3<T>& from, int lane)
    {
        return {get_lane(from.x, lane), get_lane(from.y, lane), get_lane(from.z, lane)};
    }

    template <class Function>
    void for_each_batch(ThreadPool& pool, int begin, int count, Function function)
    {
        const int tasks = (count + kBatchesPerTask - 1) / kBatchesPerTask;
        if (pool.worker_count() == 1 || tasks < 2)
        {
            for (int b = begin; b < begin + count; ++b) function(batches_[at(b)]);
            return;
        }
        pool.run(tasks,
                 [&](int task, int)
                 {
                     const int from = begin + task * kBatchesPerTask;
                     const int to = std::min(from + kBatchesPerTask, begin + count);
                     for (int b = from; b < to; ++b) function(batches_[at(b)]);
                 });
    }

    /// Rows of each packed part, in the order of the rows; the sign is in the lowest bit.
    void index_contacts(const std::vector<char>& packed, const std::vector<ContactRow>& rows)
    {
        side_begin_.assign(moved_.size() + 1, 0);
        watched_.assign(moved_.size(), 0);
        for (const ContactRow& row : rows)
        {
            const bool first = packed[at(row.first)] != 0, second = packed[at(row.second)] != 0;
            side_begin_[at(row.first) + 1] += first ? 1 : 0;
            side_begin_[at(row.second) + 1] += second ? 1 : 0;
            if (first && !second) watched_[at(row.first)] = 1;
            if (second && !first) watched_[at(row.second)] = 1;
        }
        for (std::size_t p = 1; p < side_begin_.size(); ++p) side_begin_[p] += side_begin_[p - 1];
        fill_.assign(side_begin_.begin(), side_begin_.end());
        sides_.resize(at(side_begin_.back()));
        for (std::size_t r = 0; r < rows.size(); ++r)
        {
            const int index = static_cast<int>(r);
            if (packed[at(rows[r].first)] != 0) sides_[at(fill_[at(rows[r].first)]++)] = index;
            if (packed[at(rows[r].second)] != 0) sides_[at(fill_[at(rows[r].second)]++)] = index;
        }
    }

    int contact_count(int part) const { return side_begin_[at(part) + 1] - side_begin_[at(part)]; }

    void make_batches(const Layout& layout, const Colouring& colouring, const std::vector<char>& packed,
                      const BlockWork& work)
    {
        batches_.clear();
        batch_begin_.assign(1, 0);
        int slots = 0;
        for (std::size_t colour = 0; colour + 1 < colouring.begin.size(); ++colour)
        {
            members_.clear();
            for (int k = colouring.begin[colour]; k < colouring.begin[colour + 1]; ++k)
            {
                const int part = layout.order[at(layout.blocks[at(colouring.blocks[at(k)])].begin)];
                if (packed[at(part)] != 0) members_.push_back(part);
            }
            std::sort(members_.begin(), members_.end(),
                      [&](int a, int b)
                      {
                          const int na = contact_count(a), nb = contact_count(b);
                          return na != nb ? na > nb : a < b;
                      });
            for (std::size_t i = 0; i < members_.size(); i += at(kWidth))
            {
                Batch batch;
                batch.slot_begin = slots;
                for (int lane = 0; lane < kWidth; ++lane)
                {
                    const bool used = i + at(lane) < members_.size();
                    const int part = used ? members_[i + at(lane)] : -1;
                    batch.part[lane] = part;
                    set_body(batch, lane, used ? &work.bodies[at(part)] : nullptr);
                    batch.watched = batch.watched || (used && watched_[at(part)] != 0);
                }
                slots += contact_count(members_[i]);
                batch.slot_end = slots;
                batches_.push_back(batch);
            }
            batch_begin_.push_back(static_cast<int>(batches_.size()));
        }
        slots_.resize(at(slots));
    }

    void set_body(Batch& batch, int lane, const Body* body) const
    {
        if (body == nullptr)
        {
            put_lane(batch.mass, lane, 1);
            for (const int i : {0, 2, 5}) put_lane(batch.inertia.m[i], lane, 1);
            return;
        }
        put_lane(batch.mass, lane, inverse_ * body->mass);
        const Symmetric3<double> inertia = to_symmetric(body->inertia);
        for (int i = 0; i < 6; ++i) put_lane(batch.inertia.m[i], lane, inverse_ * inertia.m[i]);
        put(batch.target.linear, lane, body->target.linear);
        put(batch.target.angular, lane, body->target.angular);
        put(batch.momentum, lane, inverse_ * body->momentum);
    }

    void fill_slots(const Settings& settings, const std::vector<char>& packed, const std::vector<ContactRow>& rows,
                    const BlockWork& work)
    {
        (void)packed;
        for (const Batch& batch : batches_)
        {
            for (int s = batch.slot_begin; s < batch.slot_end; ++s)
            {
                Slot& slot = slots_[at(s)];
                const int k = s - batch.slot_begin;
                for (int lane = 0; lane < kWidth; ++lane)
                {
                    const int part = batch.part[lane];
                    const bool used = part >= 0 && k < contact_count(part);
                    const int row = used ? sides_[at(side_begin_[at(part)] + k)] : -1;
                    slot.row[lane] = row;
                    slot.other[lane] = 0;
                    if (used)
                        set_contact(slot, lane, part, rows[at(row)], settings, work);
                    else
                        clear_contact(slot, lane);
                }
            }
        }
    }

    static void clear_contact(Slot& slot, int lane)
    {
        HalfContact<T>& half = slot.half;
        for (T* value : {&half.gap, &half.stiffness, &half.shear, &half.pressure, &half.friction, &half.compliance,
                         &half.live, &slot.ramp, &slot.most})
            put_lane(*value, lane, 0);
        for (Vector3<T>* value : {&half.normal, &half.arm, &half.other_arm, &half.slip, &half.drag})
            put(*value, lane, {});
    }

    static void set_contact(Slot& slot, int lane, int part, const ContactRow& row, const Settings& settings,
                            const BlockWork& work)
    {
        const double side = part == row.second ? 1 : -1;
        const Body& first = work.bodies[at(row.first)];
        const Body& second = work.bodies[at(row.second)];
        const Vec3 first_arm = rotate(first.rotation, row.first_point);
        const Vec3 second_arm = rotate(second.rotation, row.second_point);
        HalfContact<T>& half = slot.half;
        slot.other[lane] = side > 0 ? row.first : row.second;
        put(half.normal, lane, side * row.normal);
        put(half.arm, lane, side > 0 ? second_arm : first_arm);
        put(half.other_arm, lane, side > 0 ? first_arm : second_arm);
        put_lane(half.gap, lane, counted_gap(row, work.counted));
        put(half.slip, lane, (side * work.counted) * row.slip);
        put_lane(half.stiffness, lane, row.stiffness);
        put_lane(half.shear, lane, row.stiffness);
        put_lane(half.pressure, lane, row.pressure);
        put(half.drag, lane, side * row.drag);
        put_lane(half.friction, lane, row.friction);
        put_lane(half.compliance, lane, row.compliance);
        put_lane(half.live, lane, row.live ? 1 : 0);
        const double unit = row.mass / (work.dt * work.dt);
        put_lane(slot.ramp, lane, settings.ramp * unit / row.size);
        put_lane(slot.most, lane, kMostPenalty * unit);
    }

    Increment<T> load(const int* parts) const
    {
        T columns[6];
        load_rows(moved_.data(), parts, columns);
        return {{columns[0], columns[1], columns[2]}, {columns[3], columns[4], columns[5]}};
    }
    Increment<T> load_own(const Batch& batch) const
    {
        int parts[kWidth];
        for (int lane = 0; lane < kWidth; ++lane) parts[lane] = std::max(0, batch.part[lane]);
        return load(parts);
    }

    void move_batch(Batch& batch, BlockWork& work)
    {
        const Increment<T> own = load_own(batch);
        BodySystem<T> system;
        add_diagonal(system.linear, batch.mass);
        system.angular = batch.inertia;
        system.force = batch.mass * (batch.target.linear - own.linear);
        system.torque = batch.momentum - spin_momentum(batch.inertia, own.angular);
        for (int s = batch.slot_begin; s < batch.slot_end; ++s)
        {
            const Slot& slot = slots_[at(s)];
            add_contact(slot.half, evaluate(slot.half, own, load(slot.other)), system);
        }
        const Increment<T> step = solve(system);
        const Vector3<T> linear = own.linear + step.linear, angular = own.angular + step.angular;
        for (int lane = 0; lane < kWidth; ++lane)
        {
            if (batch.part[lane] < 0) continue;
            Scalar* to = moved_[at(batch.part[lane])].value;
            to[0] = linear.x.lanes[lane];
            to[1] = linear.y.lanes[lane];
            to[2] = linear.z.lanes[lane];
            to[3] = angular.x.lanes[lane];
            to[4] = angular.y.lanes[lane];
            to[5] = angular.z.lanes[lane];
        }
        if (batch.watched) give(batch, work);
    }

    void give(const Batch& batch, BlockWork& work) const
    {
        for (int lane = 0; lane < kWidth; ++lane)
        {
            if (batch.part[lane] < 0) continue;
            const Scalar* from = moved_[at(batch.part[lane])].value;
            Increment<double>& to = work.bodies[at(batch.part[lane])].moved;
            for (int c = 0; c < 3; ++c)
            {
                to.linear[c] = static_cast<double>(from[c]);
                to.angular[c] = static_cast<double>(from[3 + c]);
            }
        }
    }

    void raise_batch(Batch& batch)
    {
        const Increment<T> own = load_own(batch);
        for (int s = batch.slot_begin; s < batch.slot_end; ++s)
        {
            Slot& slot = slots_[at(s)];
            avbd::raise(evaluate(slot.half, own, load(slot.other)), slot.ramp, slot.most, slot.half);
        }
    }

    std::vector<Row8<Scalar>> moved_;  ///< [part]
    std::vector<Batch> batches_;       ///< colour by colour
    std::vector<int> batch_begin_;     ///< [colours + 1]
    std::vector<Slot> slots_;
    std::vector<int> side_begin_, sides_, fill_, members_;
    std::vector<char> watched_;
    double inverse_ = 0;  ///< 1 / h^2
};

}  // namespace

std::unique_ptr<PackSweep> make_pack_sweep(bool single_precision)
{
    if (single_precision) return std::make_unique<Packs<Pack8>>();
    return std::make_unique<Packs<Pack4>>();
}

}  // namespace rattleback::avbd
