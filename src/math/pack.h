// Pack4: four doubles that act as one scalar, one world per lane. Same operations, same bits as one world at a time.
#pragma once

#include <cmath>

namespace rattleback
{

/// Which lanes satisfy a comparison.
struct Mask4
{
    using Lanes = long long __attribute__((vector_size(32)));
    Lanes lanes;
};

/// Four doubles.
struct Pack4
{
    using Lanes = double __attribute__((vector_size(32)));
    Lanes lanes;

    Pack4() : lanes{0, 0, 0, 0} {}
    Pack4(double value) : lanes{value, value, value, value} {}
    explicit Pack4(Lanes value) : lanes(value) {}

    friend Pack4 operator+(const Pack4& a, const Pack4& b) { return Pack4(a.lanes + b.lanes); }
    friend Pack4 operator-(const Pack4& a, const Pack4& b) { return Pack4(a.lanes - b.lanes); }
    friend Pack4 operator*(const Pack4& a, const Pack4& b) { return Pack4(a.lanes * b.lanes); }
    friend Pack4 operator/(const Pack4& a, const Pack4& b) { return Pack4(a.lanes / b.lanes); }
    friend Pack4 operator-(const Pack4& a) { return Pack4(-a.lanes); }
    Pack4& operator+=(const Pack4& b) { return *this = *this + b; }
    Pack4& operator-=(const Pack4& b) { return *this = *this - b; }
    Pack4& operator*=(const Pack4& b) { return *this = *this * b; }

    friend Mask4 operator<(const Pack4& a, const Pack4& b) { return {a.lanes < b.lanes}; }
    friend Mask4 operator>(const Pack4& a, const Pack4& b) { return {a.lanes > b.lanes}; }
    friend Mask4 operator<=(const Pack4& a, const Pack4& b) { return {a.lanes <= b.lanes}; }
    friend Mask4 operator>=(const Pack4& a, const Pack4& b) { return {a.lanes >= b.lanes}; }
};

/// Four numbers from and to memory that need not be aligned.
inline Pack4 load_pack(const double* from)
{
    Pack4::Lanes lanes;
    __builtin_memcpy(&lanes, from, sizeof lanes);
    return Pack4(lanes);
}
inline void store_pack(const Pack4& value, double* to) { __builtin_memcpy(to, &value.lanes, sizeof value.lanes); }

inline Pack4 sqrt(const Pack4& a)
{
    return Pack4(
        Pack4::Lanes{std::sqrt(a.lanes[0]), std::sqrt(a.lanes[1]), std::sqrt(a.lanes[2]), std::sqrt(a.lanes[3])});
}

/// a where the condition holds, b elsewhere; both are computed, neither is branched on.
inline double select(bool condition, double a, double b) { return condition ? a : b; }
inline Pack4 select(const Mask4& condition, const Pack4& a, const Pack4& b)
{
    return Pack4(condition.lanes ? a.lanes : b.lanes);
}
inline bool any(bool condition) { return condition; }
inline bool any(const Mask4& m) { return (m.lanes[0] | m.lanes[1] | m.lanes[2] | m.lanes[3]) != 0; }
/// Lane i as bit i.
inline int to_bits(const Mask4& m)
{
#if defined(__AVX__)
    return __builtin_ia32_movmskpd256(reinterpret_cast<Pack4::Lanes>(m.lanes));
#else
    return static_cast<int>((m.lanes[0] & 1) | (m.lanes[1] & 2) | (m.lanes[2] & 4) | (m.lanes[3] & 8));
#endif
}
inline bool both(bool a, bool b) { return a && b; }
inline Mask4 both(const Mask4& a, const Mask4& b) { return {a.lanes & b.lanes}; }
inline bool either(bool a, bool b) { return a || b; }
inline Mask4 either(const Mask4& a, const Mask4& b) { return {a.lanes | b.lanes}; }

template <class T>
T absolute(const T& a)
{
    return select(a < T(0.0), -a, a);
}
template <class T>
T minimum(const T& a, const T& b)
{
    return select(b < a, b, a);
}
template <class T>
T maximum(const T& a, const T& b)
{
    return select(a < b, b, a);
}
template <class T>
T clamp(const T& value, double lower, double upper)
{
    return minimum(maximum(value, T(lower)), T(upper));
}

// Lanes one by one, for moving worlds in and out of packs.
template <class T>
inline constexpr int kLaneCount = 1;
template <>
inline constexpr int kLaneCount<Pack4> = 4;

inline double lane(double value, int) { return value; }
inline double lane(const Pack4& value, int i) { return value.lanes[i]; }
inline void set_lane(double& value, int, double x) { value = x; }
inline void set_lane(Pack4& value, int i, double x) { value.lanes[i] = x; }

}  // namespace rattleback
