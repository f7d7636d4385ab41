// Sums over the particles of a group, in lanes and in one of three orders.
#pragma once

#include "solvers/particles/lanes.h"
#include "solvers/particles/shape_matching.h"

#include <span>

namespace rattleback::particles
{

/// One particle after the other; the lanes of a value are one.
template <class T>
struct SequentialOrder
{
    using Scalar = T;
    using Lane = T;
    using Sum = PlainSum<Lane>;
    static constexpr int kBlockSize = 0;  ///< particles that are summed together; 0: all of a group
};

/// Lane by lane within a block, then the lanes, then the blocks pairwise.
template <class T>
struct TreeOrder
{
    using Scalar = T;
    using Lane = Lanes<T>;
    using Sum = PlainSum<Lane>;
    static constexpr int kBlockSize = kBlock;
};

/// As TreeOrder, with the rounding error of every addition carried along.
template <class T>
struct CompensatedOrder
{
    using Scalar = T;
    using Lane = Lanes<T>;
    using Sum = CompensatedSum<Lane>;
    static constexpr int kBlockSize = kBlock;
};

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
/// s a, lane by lane.
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
struct RunningSums
{
    Sum3<Sum> first, moved, linear, angular, row0, row1, row2, square, product;

    /// m (x - reference) and A = m (x - reference) rest^T.
    template <class V>
    void add_shape(const V& m, const Vector3<V>& arm, const Vector3<V>& rest)
    {
        const Vector3<V> weighed = scaled(m, arm);
        first.add(weighed);
        row0.add(scaled(weighed.x, rest));
        row1.add(scaled(weighed.y, rest));
        row2.add(scaled(weighed.z, rest));
    }
    /// P and L.
    template <class V>
    void add_momentum(const V& m, const Vector3<V>& arm, const Vector3<V>& velocity)
    {
        const Vector3<V> momentum = scaled(m, velocity);
        linear.add(momentum);
        angular.add(cross(arm, momentum));
    }
    /// Second moments, from which the inertia follows.
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

/// The sums of blocks as a balanced tree: the same bits whoever summed the blocks.
template <class T>
GroupSums<T> add_pairwise(std::span<const GroupSums<T>> parts)
{
    if (parts.size() == 1) return parts[0];
    const std::size_t half = (parts.size() + 1) / 2;
    return add_pairwise(parts.first(half)) + add_pairwise(parts.subspan(half));
}

}  // namespace rattleback::particles
