// Pack: several numbers that act as one scalar, one world or body per lane. A plain double or float is a pack of width
// one, with the same functions: formulas templated on the scalar run in all widths, with the same bits in every lane.
#pragma once

#include <rattleback/error.h>

#include <cmath>
#include <type_traits>

namespace rattleback
{

/// a where the condition holds, b elsewhere; both are computed, neither is branched on.
RB_HD inline double select(bool condition, double a, double b) { return condition ? a : b; }
RB_HD inline float select(bool condition, float a, float b) { return condition ? a : b; }
RB_HD inline bool any(bool condition) { return condition; }
RB_HD inline bool both(bool a, bool b) { return a && b; }
RB_HD inline bool either(bool a, bool b) { return a || b; }

#if !defined(__CUDACC__)  // a device runs one world per thread: lanes are the CPU's

/// Which lanes of a Pack<S, N> satisfy a comparison.
template <class S, int N>
struct Mask
{
    // As wide as the numbers compared: all bits set where the comparison holds.
    using Integer = std::conditional_t<sizeof(S) == 8, long long, int>;
    typedef Integer Lanes __attribute__((vector_size(N * sizeof(S))));
    Lanes lanes;

    // Bits of masks: no lane is branched on.
    friend Mask both(const Mask& a, const Mask& b) { return {a.lanes & b.lanes}; }
    friend Mask either(const Mask& a, const Mask& b) { return {a.lanes | b.lanes}; }
    friend bool any(const Mask& a) { return to_bits(a) != 0; }
    /// Lane i as bit i.
    friend int to_bits(const Mask& a)
    {
#if defined(__AVX__)
        typedef S Signs __attribute__((vector_size(N * sizeof(S))));
        // The sign bits of all lanes in one instruction.
        if constexpr (sizeof(S) == 8 && N == 4) return __builtin_ia32_movmskpd256(reinterpret_cast<Signs>(a.lanes));
        if constexpr (sizeof(S) == 4 && N == 8) return __builtin_ia32_movmskps256(reinterpret_cast<Signs>(a.lanes));
#endif
#if defined(__AVX512DQ__) && !defined(__clang__)
        if constexpr (sizeof(S) == 8 && N == 8) return __builtin_ia32_cvtq2mask512(a.lanes);
        if constexpr (sizeof(S) == 4 && N == 16) return __builtin_ia32_cvtd2mask512(a.lanes);
#endif
        int bits = 0;
        for (int i = 0; i < N; ++i) bits |= a.lanes[i] != 0 ? 1 << i : 0;
        return bits;
    }
};

/// N numbers of type S (double or float).
template <class S, int N>
struct Pack
{
    using Scalar = S;
    static constexpr int kWidth = N;
    // The compiler's vector type: one register, operators lane by lane.
    typedef S Lanes __attribute__((vector_size(N * sizeof(S))));
    Lanes lanes;

    Pack() : lanes{} {}
    /// The same number in every lane.
    explicit(false) Pack(double value) : lanes(static_cast<S>(value) - Lanes{}) {}  // keeps the sign of 0
    explicit Pack(Lanes value) : lanes(value) {}

    friend Pack operator+(const Pack& a, const Pack& b) { return Pack(a.lanes + b.lanes); }
    friend Pack operator-(const Pack& a, const Pack& b) { return Pack(a.lanes - b.lanes); }
    friend Pack operator*(const Pack& a, const Pack& b) { return Pack(a.lanes * b.lanes); }
    friend Pack operator/(const Pack& a, const Pack& b) { return Pack(a.lanes / b.lanes); }
    friend Pack operator-(const Pack& a) { return Pack(-a.lanes); }
    Pack& operator+=(const Pack& b) { return *this = *this + b; }
    Pack& operator-=(const Pack& b) { return *this = *this - b; }
    Pack& operator*=(const Pack& b) { return *this = *this * b; }

    friend Mask<S, N> operator<(const Pack& a, const Pack& b) { return {a.lanes < b.lanes}; }
    friend Mask<S, N> operator>(const Pack& a, const Pack& b) { return {a.lanes > b.lanes}; }
    friend Mask<S, N> operator<=(const Pack& a, const Pack& b) { return {a.lanes <= b.lanes}; }
    friend Mask<S, N> operator>=(const Pack& a, const Pack& b) { return {a.lanes >= b.lanes}; }

    friend Pack select(const Mask<S, N>& condition, const Pack& a, const Pack& b)
    {
        // A mask has all bits of a lane set or none: exactly what a blend wants.
        // GCC's vector conditional: a blend, no branch.
        return Pack(condition.lanes ? a.lanes : b.lanes);
    }
    friend Pack sqrt(const Pack& a)
    {
#if defined(__AVX__)
        // std::sqrt in a loop would leave the vector unit; roots are exact to rounding either way.
        // The intrinsic where there is one; else a loop that compilers vectorise.
        if constexpr (sizeof(S) == 8 && N == 4) return Pack(__builtin_ia32_sqrtpd256(a.lanes));
        if constexpr (sizeof(S) == 4 && N == 8) return Pack(__builtin_ia32_sqrtps256(a.lanes));
#endif
#if defined(__AVX512F__) && !defined(__clang__)
        // All lanes, rounded as everything else.
        if constexpr (sizeof(S) == 8 && N == 8)
            return Pack(__builtin_ia32_sqrtpd512_mask(a.lanes, a.lanes, static_cast<unsigned char>(0xff), 4));
        if constexpr (sizeof(S) == 4 && N == 16)
            return Pack(__builtin_ia32_sqrtps512_mask(a.lanes, a.lanes, static_cast<unsigned short>(0xffff), 4));
#endif
        Pack root;
        for (int i = 0; i < N; ++i) root.lanes[i] = std::sqrt(a.lanes[i]);
        return root;
    }
};

using Pack4 = Pack<double, 4>;  ///< fills a register of 256 bits
using Mask4 = Mask<double, 4>;
using Pack8 = Pack<float, 8>;  ///< the same in single precision
using Mask8 = Mask<float, 8>;
/// Fills a register of 512 bits; for files compiled for processors that have them (docs/decisions/038).
template <class S>
using WidePack = Pack<S, static_cast<int>(64 / sizeof(S))>;

/// Lanes from and to memory that need not be aligned.
inline Pack4 load_pack(const double* from)
{
    Pack4::Lanes lanes;
    // memcpy is the portable form of an unaligned load.
    __builtin_memcpy(&lanes, from, sizeof lanes);
    return Pack4(lanes);
}
inline Pack8 load_pack(const float* from)
{
    Pack8::Lanes lanes;
    __builtin_memcpy(&lanes, from, sizeof lanes);
    return Pack8(lanes);
}
template <class S, int N>
void store_pack(const Pack<S, N>& value, S* to)
{
    // The compiler makes one unaligned store of it.
    __builtin_memcpy(to, &value.lanes, sizeof value.lanes);
}

#endif

template <class T>
RB_HD T absolute(const T& a)
{
    // Both signs are computed, one is kept: no branch on values.
    // The sign of zero may differ from that of std::abs; no formula looks at it.
    return select(a < T(0.0), -a, a);
}
template <class T>
RB_HD T minimum(const T& a, const T& b)
{
    // Of equal numbers, and beside a NaN, the first: packs and scalars agree.
    return select(b < a, b, a);
}
template <class T>
RB_HD T maximum(const T& a, const T& b)
{
    return select(a < b, b, a);
}
template <class T>
RB_HD T clamp(const T& value, double lower, double upper)
{
    // A NaN stays one.
    return minimum(maximum(value, T(lower)), T(upper));
}

// Lanes one by one, for moving worlds in and out of packs.
template <class T>
inline constexpr int kLaneCount = 1;
RB_HD inline double lane(double value, int) { return value; }
RB_HD inline void set_lane(double& value, int, double x) { value = x; }
RB_HD inline double lane(float value, int) { return static_cast<double>(value); }
RB_HD inline void set_lane(float& value, int, double x) { value = static_cast<float>(x); }
/// Lanes are floats.
template <class T>
// Chosen when compiled: constants of series and shifts depend on the width.
inline constexpr bool kIsSingle = std::is_same_v<T, float>;

#if !defined(__CUDACC__)
template <class S, int N>
inline constexpr int kLaneCount<Pack<S, N>> = N;
template <class S, int N>
inline constexpr bool kIsSingle<Pack<S, N>> = kIsSingle<S>;
template <class S, int N>
double lane(const Pack<S, N>& value, int i)
{
    // Moving worlds in and out is done in doubles.
    return static_cast<double>(value.lanes[i]);
}
template <class S, int N>
void set_lane(Pack<S, N>& value, int i, double x)
{
    value.lanes[i] = static_cast<S>(x);
}
#endif

}  // namespace rattleback
