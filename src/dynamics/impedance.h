// From the softness of a contact, limit, dry friction or equality to the spring, damper and regulariser of its rows.
#pragma once

#include "math/elementary.h"

#include <rattleback/shapes.h>

#include <algorithm>
#include <cmath>

namespace rattleback
{

inline constexpr double kTinyRow = 1e-15;  ///< least regulariser, least divisor (MuJoCo's mjMINVAL)
inline constexpr double kMinImpedance = 1e-4, kMaxImpedance = 0.9999;

/// How a row answers its residual: aref = -damping velocity - stiffness (position - margin), and what R is.
struct RowResponse
{
    double stiffness = 0;     ///< [1/s^2]
    double damping = 0;       ///< [1/s]
    double impedance = 0.5;   ///< d, in (0, 1): R = (1 - d) / d times the diagonal of J M^-1 Jᵀ
    double compliance = 0;    ///< R itself where not zero [1/kg, ...]: springs, whatever the mass
    double slip_damping = 0;  ///< of the friction of a contact, as authored [1/s]
    double fold = 1;          ///< that stiffness and damping at the end of the step divide aref and R by
    double step = 0;          ///< to that end [s]; 0: they act at its begin
};

/// Stiffness and damping at the end of the step: with v' = v + h a and r' = r + h v',
/// aref - a becomes aref - h k v - (1 + h b + h^2 k) a.
inline void fold_response(double dt, RowResponse& response)
{
    response.step = dt;
    response.fold = 1 + dt * response.damping + dt * dt * response.stiffness;
}

/// aref of a row from that of the begin of the step.
inline double fold_reference(const RowResponse& response, double reference, double velocity)
{
    if (response.step == 0) return reference;
    return (reference - response.step * response.stiffness * velocity) / response.fold;
}

/// R of a row whose diagonal is `diagonal`.
inline double regulariser(const RowResponse& response, double diagonal)
{
    if (response.step > 0)
    {
        // The impedance that the folded row has must not come closer to one than an authored one may.
        const double least = (1 - kMaxImpedance) / kMaxImpedance * diagonal;
        const double folded = (1 - response.impedance) * diagonal / response.impedance / response.fold;
        return std::max({kTinyRow, least, folded});
    }
    // beyond 1e8 times the stiffness that moves the masses at once, a spring only spoils the numbers
    if (response.compliance > 0) return std::max({kTinyRow, response.compliance, 1e-8 * diagonal});
    return std::max(kTinyRow, (1 - response.impedance) * diagonal / response.impedance);
}

/// Bounds that MuJoCo puts on solref and solimp: signs of solref alike (else its default), time constants of at least
/// two steps with `refsafe`, impedances and the midpoint inside [1e-4, 0.9999], width >= 0, power >= 1.
inline Impedance make_safe(Impedance impedance, double dt, bool refsafe)
{
    // Signs tell the two meanings of solref apart: (time constant, damping ratio) or (-stiffness, -damping).
    auto& [time, ratio] = impedance.solref;
    if ((time > 0) != (ratio > 0)) impedance.solref = {0.02, 1};
    // A spring whose period is near the step is unstable under Euler's method, whatever its impedance.
    if (refsafe && time > 0) time = std::max(time, 2 * dt);
    auto& [least, most, width, midpoint, exponent] = impedance.solimp;
    for (double* d : {&least, &most, &midpoint}) *d = std::clamp(*d, kMinImpedance, kMaxImpedance);
    width = std::max(0.0, width);
    exponent = std::max(1.0, exponent);
    return impedance;
}

/// d at a violation of the constraint: from solimp[0] to solimp[1] over the width, by two arcs x^p that meet at the
/// midpoint (MuJoCo's manual, "Solver parameters"). `solimp` is safe.
inline double impedance_at(const std::array<double, 5>& solimp, double violation)
{
    const auto [least, most, width, midpoint, exponent] = solimp;
    // A constant impedance, or a step of no width, which MuJoCo also reads as the mean of both ends.
    if (least == most || width <= kTinyRow) return 0.5 * (least + most);
    // y(x) rises from 0 to 1 over the width, with slope p at the midpoint from both sides.
    const double x = std::abs(violation) / width;
    if (x >= 1) return most;
    if (exponent == 1) return least + x * (most - least);
    const double y = x <= midpoint ? power(x, exponent) / power(midpoint, exponent - 1)
                                   : 1 - power(1 - x, exponent) / power(1 - midpoint, exponent - 1);
    return least + y * (most - least);
}

/// Its derivative by the violation [1/m].
inline double impedance_slope(const std::array<double, 5>& solimp, double violation)
{
    const auto [least, most, width, midpoint, exponent] = solimp;
    const double x = width > kTinyRow ? std::abs(violation) / width : 1;
    if (least == most || x >= 1) return 0;
    const double rise = (violation < 0 ? -1 : 1) * (most - least) / width;
    if (exponent == 1) return rise;
    return rise * exponent * power(x <= midpoint ? x / midpoint : (1 - x) / (1 - midpoint), exponent - 1);
}

/// The damper of solref, for rows with the greatest impedance `most`.
inline double damping_of(const std::array<double, 2>& solref, double most)
{
    // b = 2 / (d_max time), or the damping itself over d_max ([MuJoCo], "Solver parameters").
    const auto [time, ratio] = solref;
    return ratio > 0 ? 2 / std::max(kTinyRow, most * time) : -ratio / std::max(kTinyRow, most);
}

/// The same for the friction of a contact pair that has a solref of its own; zero when it has none.
inline double friction_damping_of(std::array<double, 2> solref, double most, double dt, bool refsafe)
{
    // Mixed signs or zeros say that the pair has no friction solref; make_safe would put a default there.
    if ((solref[0] > 0) != (solref[1] > 0)) return 0;
    if (solref[0] == 0 && solref[1] == 0) return 0;
    if (refsafe && solref[0] > 0) solref[0] = std::max(solref[0], 2 * dt);
    return damping_of(solref, most);
}

inline RowResponse respond(const Impedance& authored, double violation, double dt, bool refsafe)
{
    const Impedance safe = make_safe(authored, dt, refsafe);
    const auto [time, ratio] = safe.solref;
    const double most = safe.solimp[1];
    RowResponse response;
    response.impedance = impedance_at(safe.solimp, violation);
    // k = 1 / (d_max time ratio)^2 and b = 2 / (d_max time): critically damped at ratio 1 where d = d_max; negative
    // solref are k and b themselves, over d_max^2 and d_max ([MuJoCo], "Solver parameters").
    const double period = most * time * ratio;
    const double k = time > 0 ? 1 / std::max(kTinyRow, period * period) : -time / std::max(kTinyRow, most * most);
    // One factor d of the impedance belongs to the stiffness and none to the damping, so that the damping ratio stays
    // as authored while d varies.
    response.stiffness = k * response.impedance;
    response.damping = damping_of(safe.solref, most);
    response.slip_damping = response.damping;
    return response;
}

/// The answer of a row whose spring and damper act at the end of the step ([MuJoCo], integrator `discrete`). Of a row
/// that only pushes, `refsafe` takes the stiffest spring that does not rebound, k h^2 = 1, where the authored one is
/// stiffer, with its damping ratio.
inline RowResponse respond_at_end(const Impedance& authored, double violation, double dt, bool refsafe)
{
    RowResponse response = respond(authored, violation, dt, false);
    const auto [time, ratio] = make_safe(authored, dt, false).solref;
    if (refsafe && time > 0 && response.stiffness * dt * dt > 1)
    {
        response.stiffness = 1 / (dt * dt);
        response.damping = 2 * ratio * std::sqrt(response.stiffness / response.impedance);
    }
    fold_response(dt, response);
    return response;
}

/// A spring and damper between the bodies, taken at the end of the step: f = -k r' - c v' with v' = v + dt a and
/// r' = r + dt v'. That is f = (aref - a) / R with R = 1 / (dt (c + dt k)) and aref = -v / dt - k R r: stable for every
/// k and c, and at rest f = -k r exactly.
inline RowResponse respond(const Spring& spring, double /*violation*/, double dt, bool /*refsafe*/)
{
    // Backward Euler of one spring: stiffness and damping both act at the end of the step.
    const double step = std::max(kTinyRow, dt);
    RowResponse response;
    response.compliance = 1 / std::max(kTinyRow, step * (spring.damping + step * spring.stiffness));
    response.damping = 1 / step;
    response.stiffness = spring.stiffness * response.compliance;
    return response;
}

/// As hard as the step allows: the greatest impedance, and a damper that ends the relative velocity in one step. Of the
/// violation a part goes with each step: of ties (which also pull) a half; of what only pushes a 36th, because bodies
/// leave with the speed at which they are pushed out, here less than 1/36 of what drove them in.
inline RowResponse respond_rigid(double dt, double damping_ratio)
{
    // solimp without width: the impedance is d wherever the violation is.
    const double d = kMaxImpedance;
    return respond(Impedance{{2 * std::max(kTinyRow, dt), damping_ratio}, {d, d, 0, 0.5, 1}}, 0, dt, true);
}
inline RowResponse respond(const Rigid& /*rigid*/, double /*violation*/, double dt, bool /*refsafe*/)
{
    return respond_rigid(dt, 3);
}

/// The answer of any softness to a violation (position - margin).
inline RowResponse respond(const Softness& softness, double violation, double dt, bool refsafe)
{
    return std::visit([&](const auto& kind) { return respond(kind, violation, dt, refsafe); }, softness);
}

/// The same for equalities, which push and pull; `violation` of connects and welds: the norm.
inline RowResponse respond_tie(const Softness& softness, double violation, double dt, bool refsafe)
{
    if (std::holds_alternative<Rigid>(softness)) return respond_rigid(dt, std::sqrt(0.5));
    return respond(softness, violation, dt, refsafe);
}

}  // namespace rattleback
