// The loops over particles: predict, apply corrections, match shapes, sum.
#include "solvers/particles/cloud.h"

#include "base/index.h"
#include "solvers/particles/lanes.h"

#include <algorithm>

namespace rattleback::particles
{

namespace
{

template <class V, class T>
Vector3<V> splat3(const Vector3<T>& a)
{
    return {splat<V>(a.x), splat<V>(a.y), splat<V>(a.z)};
}
template <class V, class T>
Vector3<V> load3(const std::array<std::vector<T>, 3>& lists, std::size_t i)
{
    return {load<V>(&lists[0][i]), load<V>(&lists[1][i]), load<V>(&lists[2][i])};
}
template <class V, class T>
void store3(const Vector3<V>& a, std::array<std::vector<T>, 3>& lists, std::size_t i)
{
    store(a.x, &lists[0][i]);
    store(a.y, &lists[1][i]);
    store(a.z, &lists[2][i]);
}
template <class V>
Vector3<V> scaled(const V& s, const Vector3<V>& a)
{
    return {s * a.x, s * a.y, s * a.z};
}

template <class Sum>
struct Sum3
{
    Sum x, y, z;
    template <class V>
    void add(const Vector3<V>& a)
    {
        x.add(a.x);
        y.add(a.y);
        z.add(a.z);
    }
    auto total() const
    {
        return Vector3<decltype(add_lanes(x.value()))>{add_lanes(x.value()), add_lanes(y.value()),
                                                       add_lanes(z.value())};
    }
};

/// GroupSums under way, in lanes.
template <class Sum>
struct Running
{
    Sum3<Sum> first, moved, linear, angular, row0, row1, row2, square, product;

    template <class V>
    void add_shape(const V& m, const Vector3<V>& arm, const Vector3<V>& rest)
    {
        const Vector3<V> weighed = scaled(m, arm);
        first.add(weighed);
        row0.add(scaled(weighed.x, rest));
        row1.add(scaled(weighed.y, rest));
        row2.add(scaled(weighed.z, rest));
    }
    template <class V>
    void add_motion(const V& m, const Vector3<V>& arm, const Vector3<V>& velocity)
    {
        const Vector3<V> momentum = scaled(m, velocity);
        linear.add(momentum);
        angular.add(cross(arm, momentum));
    }
    template <class V>
    void add_inertia(const V& m, const Vector3<V>& arm)
    {
        const Vector3<V> weighed = scaled(m, arm);
        square.add(Vector3<V>{weighed.x * arm.x, weighed.y * arm.y, weighed.z * arm.z});
        product.add(Vector3<V>{weighed.x * arm.y, weighed.x * arm.z, weighed.y * arm.z});
    }
    template <class T>
    void write(GroupSums<T>& sums) const
    {
        sums.first = first.total();
        sums.moved = moved.total();
        sums.linear = linear.total();
        sums.angular = angular.total();
        const Vector3<T> rows[3] = {row0.total(), row1.total(), row2.total()};
        for (int r = 0; r < 3; ++r)
            for (int c = 0; c < 3; ++c) sums.shape(r, c) = rows[r][c];
        const Vector3<T> s = square.total(), p = product.total();
        sums.second = {s.x, s.y, s.z, p.x, p.y, p.z};
    }
};

template <class T>
GroupSums<T> operator+(const GroupSums<T>& a, const GroupSums<T>& b)
{
    GroupSums<T> c;
    c.first = a.first + b.first;
    c.moved = a.moved + b.moved;
    c.linear = a.linear + b.linear;
    c.angular = a.angular + b.angular;
    for (int k = 0; k < 9; ++k) c.shape.m[k] = a.shape.m[k] + b.shape.m[k];
    for (std::size_t k = 0; k < 6; ++k) c.second[k] = a.second[k] + b.second[k];
    return c;
}

template <class T>
GroupSums<T> add_pairwise(std::span<const GroupSums<T>> parts)
{
    if (parts.size() == 1) return parts[0];
    const std::size_t half = (parts.size() + 1) / 2;
    return add_pairwise(parts.first(half)) + add_pairwise(parts.subspan(half));
}

template <class T, class V, class Sum>
class LanePasses final : public Passes<T>
{
public:
    LanePasses(const ParticleSet& set, int block, ThreadPool& pool) : pool_(pool)
    {
        for (int g = 0; g < static_cast<int>(set.groups.size()); ++g)
        {
            const Group& group = set.groups[at(g)];
            group_begin_.push_back(static_cast<int>(blocks_.size()));
            for (int begin = group.begin; begin < group.padded_end;)
            {
                const int end = block > 0 ? std::min(begin + block, group.padded_end) : group.padded_end;
                blocks_.push_back({g, begin, end});
                begin = end;
            }
        }
        group_begin_.push_back(static_cast<int>(blocks_.size()));
        parts_.resize(blocks_.size());
        this->frames.resize(set.groups.size());
        this->sums.resize(set.groups.size());
        mass_.reserve(set.spheres.size());
        for (auto& list : rest_) list.reserve(set.spheres.size());
        for (const PackedSphere& s : set.spheres)
        {
            mass_.push_back(static_cast<T>(s.mass));
            for (int k = 0; k < 3; ++k) rest_[at(k)].push_back(static_cast<T>(s.center[k]));
        }
    }

    void predict(const Cloud<T>& from, std::span<const Drive<T>> drives, T dt, Cloud<T>& to) override
    {
        each_block(
            [&](std::size_t b)
            {
                const Block& block = blocks_[b];
                const Drive<T>& drive = drives[at(block.group)];
                const Vector3<V> gain = splat3<V>(drive.gain), turn = splat3<V>(drive.turn);
                const Vector3<V> center = splat3<V>(drive.center);
                const V h = splat<V>(dt);
                for (int i = block.begin; i < block.end; i += kWidth<V, T>)
                {
                    const Vector3<V> x = load3<V>(from.x, at(i));
                    const Vector3<V> v = load3<V>(from.v, at(i)) + gain + cross(turn, x - center);
                    store3(v, to.v, at(i));
                    store3(x + scaled(h, v), to.x, at(i));
                }
            });
    }

    void apply_and_sum(std::span<const Touch<T>> touches, const Cloud<T>* start, T dt, Cloud<T>& cloud) override
    {
        each_block(
            [&](std::size_t b)
            {
                const Block& block = blocks_[b];
                correct(block, dt, cloud);
                Running<Sum> running;
                if (this->printed_order) sum_shape(block, cloud, running);
                const auto mine = find_touches(block, touches);
                const T rate = 1 / dt;
                for (const Touch<T>& touch : mine) move(touch, rate, cloud);
                if (start != nullptr) take_difference(block, *start, dt, cloud);
                if (this->printed_order)
                    sum_motion(block, cloud, running);
                else
                    sum_all(block, cloud, running);
                running.write(parts_[b]);
            });
        add_parts();
    }

    void match(std::span<const Touch<T>> touches, const Cloud<T>* start, T dt, bool sum, Cloud<T>& cloud) override
    {
        each_block(
            [&](std::size_t b)
            {
                const Block& block = blocks_[b];
                const bool printed = this->printed_order;
                const auto mine = printed ? find_touches(block, touches) : touches.first(0);
                for (const Touch<T>& touch : mine) shift(touch, T(-1), cloud);
                move_to_goals(block, dt, cloud);
                for (const Touch<T>& touch : mine) shift(touch, T(1), cloud);
                if (start != nullptr) take_difference(block, *start, dt, cloud);
                if (!sum) return;
                Running<Sum> running;
                sum_inertia(block, cloud, running);
                running.write(parts_[b]);
            });
        if (sum) add_parts();
    }

private:
    struct Block
    {
        int group, begin, end;
    };

    template <class Function>
    void each_block(Function function)
    {
        const int count = static_cast<int>(blocks_.size());
        constexpr int kWorthSharing = 4 * kBlock;  // waking the workers costs as much as this many particles
        if (pool_.worker_count() == 1 || static_cast<int>(mass_.size()) < kWorthSharing)
            for (int b = 0; b < count; ++b) function(at(b));
        else
            pool_.run(count, [&](int b, int) { function(at(b)); });
    }

    void add_parts()
    {
        for (std::size_t g = 0; g < this->sums.size(); ++g)
        {
            const auto begin = at(group_begin_[g]), end = at(group_begin_[g + 1]);
            this->sums[g] = add_pairwise(std::span<const GroupSums<T>>(parts_).subspan(begin, end - begin));
        }
    }

    void correct(const Block& block, T dt, Cloud<T>& cloud) const
    {
        const Correction<T>& pending = this->frames[at(block.group)].pending;
        const Vector3<V> center = splat3<V>(pending.center), velocity = splat3<V>(pending.velocity);
        const Vector3<V> spin = splat3<V>(pending.spin);
        const V h = splat<V>(dt);
        for (int i = block.begin; i < block.end; i += kWidth<V, T>)
        {
            const Vector3<V> x = load3<V>(cloud.x, at(i));
            const Vector3<V> change = velocity - cross(spin, x - center);
            store3(load3<V>(cloud.v, at(i)) + change, cloud.v, at(i));
            store3(x + scaled(h, change), cloud.x, at(i));
        }
    }

    void sum_shape(const Block& block, const Cloud<T>& cloud, Running<Sum>& running) const
    {
        const Vector3<V> reference = splat3<V>(this->frames[at(block.group)].reference);
        for (int i = block.begin; i < block.end; i += kWidth<V, T>)
            running.add_shape(load<V>(&mass_[at(i)]), load3<V>(cloud.x, at(i)) - reference, load3<V>(rest_, at(i)));
    }

    void sum_motion(const Block& block, const Cloud<T>& cloud, Running<Sum>& running) const
    {
        const Frame<T>& frame = this->frames[at(block.group)];
        const Vector3<V> reference = splat3<V>(frame.reference), moving = splat3<V>(frame.reference_velocity);
        for (int i = block.begin; i < block.end; i += kWidth<V, T>)
        {
            const V m = load<V>(&mass_[at(i)]);
            const Vector3<V> arm = load3<V>(cloud.x, at(i)) - reference;
            running.moved.add(scaled(m, arm));
            running.add_motion(m, arm, load3<V>(cloud.v, at(i)) - moving);
        }
    }

    void sum_all(const Block& block, const Cloud<T>& cloud, Running<Sum>& running) const
    {
        const Frame<T>& frame = this->frames[at(block.group)];
        const Vector3<V> reference = splat3<V>(frame.reference), moving = splat3<V>(frame.reference_velocity);
        for (int i = block.begin; i < block.end; i += kWidth<V, T>)
        {
            const V m = load<V>(&mass_[at(i)]);
            const Vector3<V> arm = load3<V>(cloud.x, at(i)) - reference;
            running.add_shape(m, arm, load3<V>(rest_, at(i)));
            running.add_motion(m, arm, load3<V>(cloud.v, at(i)) - moving);
        }
        running.moved = running.first;
    }

    void sum_inertia(const Block& block, const Cloud<T>& cloud, Running<Sum>& running) const
    {
        const Frame<T>& frame = this->frames[at(block.group)];
        const Vector3<V> center = splat3<V>(frame.fit.center), moving = splat3<V>(frame.reference_velocity);
        for (int i = block.begin; i < block.end; i += kWidth<V, T>)
        {
            const V m = load<V>(&mass_[at(i)]);
            const Vector3<V> arm = load3<V>(cloud.x, at(i)) - center;
            running.moved.add(scaled(m, arm));
            running.add_motion(m, arm, load3<V>(cloud.v, at(i)) - moving);
            running.add_inertia(m, arm);
        }
    }

    void move_to_goals(const Block& block, T dt, Cloud<T>& cloud) const
    {
        const Fit<T>& fit = this->frames[at(block.group)].fit;
        const Vector3<V> center = splat3<V>(fit.center);
        const Vector3<V> row0 = splat3<V>(Vector3<T>{fit.rotation(0, 0), fit.rotation(0, 1), fit.rotation(0, 2)});
        const Vector3<V> row1 = splat3<V>(Vector3<T>{fit.rotation(1, 0), fit.rotation(1, 1), fit.rotation(1, 2)});
        const Vector3<V> row2 = splat3<V>(Vector3<T>{fit.rotation(2, 0), fit.rotation(2, 1), fit.rotation(2, 2)});
        const V rate = splat<V>(1 / dt);
        for (int i = block.begin; i < block.end; i += kWidth<V, T>)
        {
            const Vector3<V> rest = load3<V>(rest_, at(i)), x = load3<V>(cloud.x, at(i));
            const Vector3<V> goal = Vector3<V>{dot(row0, rest), dot(row1, rest), dot(row2, rest)} + center;
            const Vector3<V> change = goal - x;
            store3(x + change, cloud.x, at(i));
            store3(load3<V>(cloud.v, at(i)) + scaled(rate, change), cloud.v, at(i));
        }
    }

    void take_difference(const Block& block, const Cloud<T>& start, T dt, Cloud<T>& cloud) const
    {
        const V h = splat<V>(dt);
        for (int i = block.begin; i < block.end; i += kWidth<V, T>)
        {
            const Vector3<V> change = load3<V>(cloud.x, at(i)) - load3<V>(start.x, at(i));
            store3(Vector3<V>{change.x / h, change.y / h, change.z / h}, cloud.v, at(i));
        }
    }

    static std::span<const Touch<T>> find_touches(const Block& block, std::span<const Touch<T>> touches)
    {
        const auto before = [](const Touch<T>& touch, int particle) { return touch.particle < particle; };
        const auto begin = std::lower_bound(touches.begin(), touches.end(), block.begin, before);
        const auto end = std::lower_bound(begin, touches.end(), block.end, before);
        return {begin, end};
    }

    static void move(const Touch<T>& touch, T rate, Cloud<T>& cloud)
    {
        shift(touch, T(1), cloud);
        for (int k = 0; k < 3; ++k) cloud.v[at(k)][at(touch.particle)] += touch.change[k] * rate;
    }
    static void shift(const Touch<T>& touch, T sign, Cloud<T>& cloud)
    {
        for (int k = 0; k < 3; ++k) cloud.x[at(k)][at(touch.particle)] += sign * touch.change[k];
    }

    ThreadPool& pool_;
    std::vector<Block> blocks_;
    std::vector<int> group_begin_;  ///< [group + 1] into blocks_
    std::vector<GroupSums<T>> parts_;
    std::vector<T> mass_;
    std::array<std::vector<T>, 3> rest_;
};

}  // namespace

template <class T>
void Cloud<T>::resize(std::size_t count)
{
    for (auto& list : x) list.resize(count);
    for (auto& list : v) list.resize(count);
}

template <class T>
std::unique_ptr<Passes<T>> make_passes(const ParticleSet& set, Summation summation, ThreadPool& pool)
{
    using V = Lanes<T>;
    switch (summation)
    {
        case Summation::sequential:
            return std::make_unique<LanePasses<T, T, PlainSum<T>>>(set, 0, pool);
        case Summation::tree:
            return std::make_unique<LanePasses<T, V, PlainSum<V>>>(set, kBlock, pool);
        case Summation::compensated:
            return std::make_unique<LanePasses<T, V, CompensatedSum<V>>>(set, kBlock, pool);
    }
    return nullptr;
}

template struct Cloud<float>;
template struct Cloud<double>;
template std::unique_ptr<Passes<float>> make_passes(const ParticleSet&, Summation, ThreadPool&);
template std::unique_ptr<Passes<double>> make_passes(const ParticleSet&, Summation, ThreadPool&);

}  // namespace rattleback::particles
