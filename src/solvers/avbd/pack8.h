// Pack8: eight floats that act as one scalar, one body per lane; and rows of eight numbers turned into packs.
#pragma once

#include "math/pack.h"

namespace rattleback::avbd
{

/// Which lanes satisfy a comparison.
struct Mask8
{
    using Lanes = int __attribute__((vector_size(32)));
    Lanes lanes;
};

struct Pack8
{
    using Lanes = float __attribute__((vector_size(32)));
    Lanes lanes;

    Pack8() : lanes{0, 0, 0, 0, 0, 0, 0, 0} {}
    explicit(false) Pack8(double value) : lanes(Lanes{} + static_cast<float>(value)) {}
    explicit Pack8(Lanes value) : lanes(value) {}

    friend Pack8 operator+(const Pack8& a, const Pack8& b) { return Pack8(a.lanes + b.lanes); }
    friend Pack8 operator-(const Pack8& a, const Pack8& b) { return Pack8(a.lanes - b.lanes); }
    friend Pack8 operator*(const Pack8& a, const Pack8& b) { return Pack8(a.lanes * b.lanes); }
    friend Pack8 operator/(const Pack8& a, const Pack8& b) { return Pack8(a.lanes / b.lanes); }
    friend Pack8 operator-(const Pack8& a) { return Pack8(-a.lanes); }
    Pack8& operator+=(const Pack8& b) { return *this = *this + b; }
    Pack8& operator-=(const Pack8& b) { return *this = *this - b; }

    friend Mask8 operator<(const Pack8& a, const Pack8& b) { return {a.lanes < b.lanes}; }
    friend Mask8 operator>(const Pack8& a, const Pack8& b) { return {a.lanes > b.lanes}; }
};

inline Pack8 select(const Mask8& condition, const Pack8& a, const Pack8& b)
{
    return Pack8(condition.lanes ? a.lanes : b.lanes);
}
inline Mask8 either(const Mask8& a, const Mask8& b) { return {a.lanes | b.lanes}; }
inline Pack8 sqrt(const Pack8& a)
{
#if defined(__AVX__)
    return Pack8(__builtin_ia32_sqrtps256(a.lanes));
#else
    Pack8 root;
    for (int i = 0; i < 8; ++i) root.lanes[i] = std::sqrt(a.lanes[i]);
    return root;
#endif
}

/// The scalar of a pack, its width, and the lanes one by one.
template <class T>
struct PackTraits;
template <>
struct PackTraits<Pack8>
{
    using Scalar = float;
    static constexpr int kWidth = 8;
};
template <>
struct PackTraits<Pack4>
{
    using Scalar = double;
    static constexpr int kWidth = 4;
};
inline double get_lane(const Pack8& value, int i) { return static_cast<double>(value.lanes[i]); }
inline double get_lane(const Pack4& value, int i) { return value.lanes[i]; }
inline void put_lane(Pack8& value, int i, double x) { value.lanes[i] = static_cast<float>(x); }
inline void put_lane(Pack4& value, int i, double x) { value.lanes[i] = x; }

/// Eight numbers in memory, six used: the increments of one body.
template <class S>
struct alignas(8 * sizeof(S)) Row8
{
    S value[8]{};
};

/// The first columns of eight rows.
template <int Columns>
inline void load_rows(const Row8<float>* rows, const int* index, Pack8* columns)
{
    using V = Pack8::Lanes;
    using Loaded = float __attribute__((vector_size(32), may_alias));  // one load: g++ copies memory in two halves
    V r[8];
    for (int i = 0; i < 8; ++i) r[i] = *reinterpret_cast<const Loaded*>(rows[index[i]].value);
    V a[8], b[8];
    for (int i = 0; i < 4; ++i)
    {
        a[2 * i] = __builtin_shufflevector(r[2 * i], r[2 * i + 1], 0, 8, 1, 9, 4, 12, 5, 13);
        a[2 * i + 1] = __builtin_shufflevector(r[2 * i], r[2 * i + 1], 2, 10, 3, 11, 6, 14, 7, 15);
    }
    for (int i = 0; i < 2; ++i)
    {
        b[4 * i] = __builtin_shufflevector(a[4 * i], a[4 * i + 2], 0, 1, 8, 9, 4, 5, 12, 13);
        b[4 * i + 1] = __builtin_shufflevector(a[4 * i], a[4 * i + 2], 2, 3, 10, 11, 6, 7, 14, 15);
        b[4 * i + 2] = __builtin_shufflevector(a[4 * i + 1], a[4 * i + 3], 0, 1, 8, 9, 4, 5, 12, 13);
        b[4 * i + 3] = __builtin_shufflevector(a[4 * i + 1], a[4 * i + 3], 2, 3, 10, 11, 6, 7, 14, 15);
    }
    for (int i = 0; i < 4; ++i) columns[i] = Pack8(__builtin_shufflevector(b[i], b[4 + i], 0, 1, 2, 3, 8, 9, 10, 11));
    for (int i = 0; i < Columns - 4; ++i)
        columns[4 + i] = Pack8(__builtin_shufflevector(b[i], b[4 + i], 4, 5, 6, 7, 12, 13, 14, 15));
}
/// The first columns of four rows.
template <int Columns>
inline void load_rows(const Row8<double>* rows, const int* index, Pack4* columns)
{
    for (int c = 0; c < Columns; ++c)
    {
        for (int i = 0; i < 4; ++i) columns[c].lanes[i] = rows[index[i]].value[c];
    }
}

}  // namespace rattleback::avbd
