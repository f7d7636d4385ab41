// Sums over the particles of a group, in lanes and in one of three orders.
#pragma once

#include "math/lanes.h"
#include "solvers/particles/shape_matching.h"

#include <span>

namespace rattleback::particles
{

// Sums over particles decide how much momentum drifts in single precision, so that their order is a type and can be
// chosen: one by one as in plain code, pairwise by lanes and blocks, or with the errors carried along.

/// A running sum.
template <class V>
struct PlainSum
{
    V sum{};
    void add(const V& x) { sum = sum + x; }
    V value() const { return sum; }
};

/// The same with the rounding error of every addition carried to the next (Kahan 1965).
template <class V>
struct CompensatedSum
{
    V sum{}, error{};
    void add(const V& x)
    {
        // What the addition loses of y is (next - sum) - y, exactly.
        // y is what there is to add, with what the last addition lost given back first.
        const V y = x - error;
        const V next = sum + y;
        error = (next - sum) - y;
        sum = next;
    }
    V value() const { return sum; }
};

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
    using Lane = FullPack<T>;
    using Sum = PlainSum<Lane>;
    static constexpr int kBlockSize = kBlock;
};

/// As TreeOrder, with the rounding error of every addition carried along.
template <class T>
struct CompensatedOrder
{
    using Scalar = T;
    using Lane = FullPack<T>;
    using Sum = CompensatedSum<Lane>;
    static constexpr int kBlockSize = kBlock;
};

/// The same vector in all lanes.
template <class V, class T>
Vector3<V> splat3(const Vector3<T>& a)
{
    return {V(a.x), V(a.y), V(a.z)};
}
template <class V, class T>
Matrix3<V> splat9(const Matrix3<T>& a)
{
    Matrix3<V> b;
    for (int k = 0; k < 9; ++k) b.m[k] = V(a.m[k]);
    return b;
}
template <class V, class T>
Vector3<V> load3(const VectorList<T>& list, std::size_t i)
{
    return {load_lanes<V>(list.at(i, 0)), load_lanes<V>(list.at(i, 1)), load_lanes<V>(list.at(i, 2))};
}
template <class V, class T>
void store3(const Vector3<V>& a, VectorList<T>& list, std::size_t i)
{
    store_lanes(a.x, list.at(i, 0));
    store_lanes(a.y, list.at(i, 1));
    store_lanes(a.z, list.at(i, 2));
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
        using Total = decltype(sum_halves(x.value()));
        return Vector3<Total>{sum_halves(x.value()), sum_halves(y.value()), sum_halves(z.value())};
    }
};

/// GroupSums under way, in lanes.
template <class Sum>
struct RunningSums
{
    // A by its rows; second moments by their diagonal (square) and their products xy, xz, yz (product).
    Sum3<Sum> first, moved, linear, angular, row0, row1, row2, square, product, place;

    /// m (x - reference) and A = m (x - reference) rest^T.
    template <class V>
    void add_shape(const V& m, const Vector3<V>& arm, const Vector3<V>& rest)
    {
        // m r (rest)^T, row by row: one product per entry and no matrix in the loop.
        const Vector3<V> weighed = m * arm;
        first.add(weighed);
        row0.add(weighed.x * rest);
        row1.add(weighed.y * rest);
        row2.add(weighed.z * rest);
    }
    /// P and L.
    template <class V>
    void add_momentum(const V& m, const Vector3<V>& arm, const Vector3<V>& velocity)
    {
        // Both are taken of v - reference velocity: what is summed is small even where the body is fast.
        const Vector3<V> momentum = m * velocity;
        linear.add(momentum);
        angular.add(cross(arm, momentum));
    }
    /// Second moments, from which the inertia follows.
    template <class V>
    void add_inertia(const V& m, const Vector3<V>& arm)
    {
        const Vector3<V> weighed = m * arm;
        square.add(Vector3<V>{weighed.x * arm.x, weighed.y * arm.y, weighed.z * arm.z});
        product.add(Vector3<V>{weighed.x * arm.y, weighed.x * arm.z, weighed.y * arm.z});
    }
    template <class T>
    void write(GroupSums<T>& sums) const
    {
        // Lanes are added in a fixed order, so that the total does not depend on how the block was reached.
        sums.first = first.total();
        sums.moved = moved.total();
        sums.linear = linear.total();
        sums.angular = angular.total();
        const Vector3<T> rows[3] = {row0.total(), row1.total(), row2.total()};
        for (int r = 0; r < 3; ++r)
            for (int c = 0; c < 3; ++c) sums.shape(r, c) = rows[r][c];
        const Vector3<T> s = square.total(), p = product.total();
        // Lower triangle of the symmetric matrix: xx, xy, yy, xz, yz, zz.
        sums.second = {{s.x, p.x, s.y, p.y, p.z, s.z}};
        sums.place = place.total();
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
    c.second = a.second;
    c.second += b.second;
    c.place = a.place + b.place;
    return c;
}

/// The sums of blocks as a balanced tree: the same bits whoever summed the blocks.
template <class T>
GroupSums<T> add_pairwise(std::span<const GroupSums<T>> parts)
{
    // Pairwise: the rounding error grows with the logarithm of the number of blocks, not with the number.
    if (parts.size() == 1) return parts[0];
    const std::size_t half = (parts.size() + 1) / 2;
    return add_pairwise(parts.first(half)) + add_pairwise(parts.subspan(half));
}

}  // namespace rattleback::particles
