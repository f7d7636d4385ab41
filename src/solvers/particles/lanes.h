// Lanes: several particles as one value, and sums over them in a stated order.
#pragma once

#include <cstddef>
#include <type_traits>

namespace rattleback::particles
{

template <class T>
struct VectorOf;
template <>
struct VectorOf<float>
{
    using Type = float __attribute__((vector_size(32)));
};
template <>
struct VectorOf<double>
{
    using Type = double __attribute__((vector_size(32)));
};
/// Eight floats or four doubles; + - * / act lane by lane.
template <class T>
using Lanes = typename VectorOf<T>::Type;

template <class V, class T>
constexpr int find_width()
{
    if constexpr (std::is_same_v<V, T>)
        return 1;
    else
        return static_cast<int>(sizeof(V) / sizeof(T));
}
template <class V, class T>
inline constexpr int kWidth = find_width<V, T>();

template <class V, class T>
V load(const T* from)
{
    // A copy of known size becomes one load without any demand on alignment.
    V value;
    __builtin_memcpy(&value, from, sizeof value);
    return value;
}
template <class V, class T>
void store(const V& value, T* to)
{
    __builtin_memcpy(to, &value, sizeof value);
}
/// The same number in all lanes.
template <class V, class T>
V splat(T value)
{
    if constexpr (std::is_same_v<V, T>)
        return value;
    else
        return V{} + value;
}

/// Sum of the lanes, halves first.
template <class T>
T add_lanes(T value)
{
    return value;
}
inline float add_lanes(const Lanes<float>& v)
{
    return ((v[0] + v[4]) + (v[2] + v[6])) + ((v[1] + v[5]) + (v[3] + v[7]));
}
inline double add_lanes(const Lanes<double>& v) { return (v[0] + v[2]) + (v[1] + v[3]); }

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
        const V y = x - error;
        const V next = sum + y;
        error = (next - sum) - y;
        sum = next;
    }
    V value() const { return sum; }
};

}  // namespace rattleback::particles
