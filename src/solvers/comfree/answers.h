// How a row of the law `stable` answers: impedance Z and target velocity c of the impulse f = - Z (u + c).
#pragma once

#include "solvers/comfree/parameters.h"

#include "dynamics/impedance.h"
#include "math/dual.h"

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

/// What k and d of each world of a pack come to in a step.
template <class T>
struct LaneShares
{
    T push{};  ///< part of an overlap that the step takes back: GainsOf::push_share
    T kept{};  ///< that part of kSlop, over dt [m/s]

    void set(int lane, const Gains& gains, double dt)
    {
        const double share = gains.push_share(dt);
        set_lane(push, lane, share);
        set_lane(kept, lane, share * kSlop / dt);
    }
};

template <class T>
struct Answer
{
    T impedance{};  ///< Z [kg]
    T target{};     ///< c [m/s]
    /// Z that ends an overlapping row's approach: it answers with no more than - stop u, and with nothing above u = 0.
    /// 0: there is no overlap, or it is a spring's.
    T stop{};
};

/// r(|gap|) of an impedance.
template <class T>
T find_impedance(const std::array<double, 5>& solimp, const T& gap)
{
    T r{};
    for (int k = 0; k < kLaneCount<T>; ++k) set_lane(r, k, impedance_at(solimp, lane(gap, k)));
    return r;
}
/// The same with derivatives; all lanes have one value.
template <class T, int N>
Dual<T, N> find_impedance(const std::array<double, 5>& solimp, const Dual<T, N>& gap)
{
    Dual<T, N> r = gap;
    r.value = T(impedance_at(solimp, value_of(gap)));
    for (T& rate : r.rate) rate = rate * T(impedance_slope(solimp, value_of(gap)));
    return r;
}

/// Of a row that keeps a gap [m]: Eqs. 10 to 12, K dt + D = r / (1 - r) / (dt A), or those of a spring. `push_share`:
/// GainsOf.
template <class T>
Answer<T> find_answer(const Options& options, const Softness& softness, const T& weight, const T& gap, double dt,
                      const T& push_share)
{
    const T inverse = T(1.0) / maximum(T(kTinyRow), weight);
    T z = T(kHardness) * inverse, share = push_share;
    double fastest = options.push_speed, stops = 1;
    if (const Spring* spring = std::get_if<Spring>(&softness))
    {
        // f / dt = - k (gap + dt u) - c u at the end of the step; a spring pushes as deep as it is pressed.
        fastest = std::numeric_limits<double>::infinity();
        stops = 0;
        // Z = h (c_s + h k_s), share = h k_s / (c_s + h k_s): a spring and damper at the end of the step.
        const double sum = spring->damping + dt * spring->stiffness;
        z = minimum(T(std::max(dt * sum, kTinyRow)), T(1e4 * kHardness) * inverse);
        share = T(sum > 0 ? dt * spring->stiffness / sum : 0);
    }
    if (const Impedance* impedance = std::get_if<Impedance>(&softness))
    {
        // Eq. 12: Z = R / w with R = r / (1 - r), r of Eq. 13.
        const Impedance safe = make_safe(*impedance, dt, false);
        const T r = find_impedance(safe.solimp, gap);
        z = r / (T(1.0) - r) * inverse;
    }
    // Overlaps are taken back by parts and not too fast; gaps may be closed whole.
    const T pushed = maximum(share * gap / T(dt), T(-fastest));
    const T stop = select(gap < T(0.0), T(stops * kHardness) * inverse, T(0.0));
    return {z, select(gap > T(0.0), gap / T(dt), pushed), stop};
}

/// Of an equality, which takes back what is missing on either side: there is nothing to stop.
template <class T>
Answer<T> find_tie_answer(const Options& options, const Softness& softness, const T& weight, const T& residual,
                          double dt, const T& push_share)
{
    // Residuals of both signs: the law of the lower side, mirrored.
    const bool above = value_of(residual) > 0;
    Answer<T> answer = find_answer(options, softness, weight, above ? -residual : residual, dt, push_share);
    if (above) answer.target = -answer.target;
    answer.stop = T(0.0);
    return answer;
}

/// 1 / Z of what an overlap keeps to carry its load.
template <class T>
T find_rest(const Answer<T>& answer, const T& weight)
{
    return maximum(T(1.0) / answer.impedance, T(1 / kRestHardness) * maximum(T(kTinyRow), weight));
}

}  // namespace rattleback::comfree
