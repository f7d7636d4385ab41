// How a row of the law `stable` answers: impedance Z and target velocity c of the impulse f = - Z (u + c).
#pragma once

#include "solvers/comfree/parameters.h"

#include "dynamics/impedance.h"
#include "math/pack.h"

#include <limits>

namespace rattleback::comfree
{

/// Z of what is rigid, times the row's inverse weight: of friction, and of normals, limits and ties. A body at rest
/// sinks no faster than g dt over the latter.
inline constexpr double kFrictionHardness = 1e4, kHardness = 1e5;
/// Sweeps factor nothing, so that friction of contacts may be as rigid as rounding allows. What they leave between
/// several contacts of one body, impulses that hold each other, then hardly moves it.
inline constexpr double kSweepFrictionHardness = 1e9;
/// What an overlap keeps to carry its load, so that a contact at rest stays one: that of a spring this hard.
inline constexpr double kRestHardness = 1e3;
/// Sweeps push out less evenly than corrections: they leave this much of every overlap [m].
inline constexpr double kSlop = 5e-6;

template <class T>
struct Answer
{
    T impedance{};  ///< Z [kg]
    T target{};     ///< c [m/s]
    /// Z that ends an overlapping row's approach: it answers with no more than - stop u, and with nothing above u = 0.
    /// 0: there is no overlap, or it is a spring's.
    T stop{};
};

/// Of a row that keeps a gap [m]: Eqs. 10 to 12, K dt + D = r / (1 - r) / (dt A), or those of a spring.
template <class T>
Answer<T> find_answer(const Options& options, const Softness& softness, const T& weight, const T& gap, double dt)
{
    const T inverse = T(1.0) / maximum(T(kTinyRow), weight);
    T z = T(kHardness) * inverse;
    double share = options.push_share(dt), fastest = options.push_speed, stops = 1;
    if (const Spring* spring = std::get_if<Spring>(&softness))
    {
        // f / dt = - k (gap + dt u) - c u at the end of the step; a spring pushes as deep as it is pressed.
        fastest = std::numeric_limits<double>::infinity();
        stops = 0;
        const double sum = spring->damping + dt * spring->stiffness;
        z = minimum(T(std::max(dt * sum, kTinyRow)), T(1e4 * kHardness) * inverse);
        share = sum > 0 ? dt * spring->stiffness / sum : 0;
    }
    if (const Impedance* impedance = std::get_if<Impedance>(&softness))
    {
        const Impedance safe = make_safe(*impedance, dt, false);
        T r{};
        for (int k = 0; k < kLaneCount<T>; ++k) set_lane(r, k, impedance_at(safe.solimp, lane(gap, k)));
        z = r / (T(1.0) - r) * inverse;
    }
    // Overlaps are taken back by parts and not too fast; gaps may be closed whole.
    const T pushed = maximum(T(share) * gap / T(dt), T(-fastest));
    const T stop = select(gap < T(0.0), T(stops * kHardness) * inverse, T(0.0));
    return {z, select(gap > T(0.0), gap / T(dt), pushed), stop};
}

/// 1 / Z of what an overlap keeps to carry its load.
template <class T>
T find_rest(const Answer<T>& answer, const T& weight)
{
    return maximum(T(1.0) / answer.impedance, T(1 / kRestHardness) * maximum(T(kTinyRow), weight));
}

}  // namespace rattleback::comfree
