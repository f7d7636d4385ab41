// The energy along one joint coordinate in a step: springs, dampers, armature, friction, drives and limits.
#pragma once

#include "solvers/ipc/slip_chord.h"

#include <algorithm>
#include <span>

namespace rattleback::ipc
{

/// Force of an actuator along a coordinate: a line in its value and rate, neither rising, between two bounds.
struct Drive
{
    double constant = 0, slope = 0, damping = 0;
    double lower = -HUGE_VAL, upper = HUGE_VAL;
};

/// A bound that a multiplier and a penalty keep, or a spring: energy of the way c >= 0 that is left to it.
struct Bound
{
    bool is_on = false;
    double weight = 0;      ///< h^2 times the penalty
    double multiplier = 0;  ///< h^2 times the force; 0 of springs
    bool is_soft = false;   ///< a spring
};
/// Of augmented Lagrangians: (max(0, m - w c)^2 - m^2) / (2 w).
inline Jet find_bound_energy(const Bound& bound, double c)
{
    if (!bound.is_on) return {};
    const double force = bound.multiplier - bound.weight * c, rest = 0.5 * bound.multiplier * bound.multiplier;
    if (!(force > 0)) return {-rest / bound.weight, 0, 0};
    return {(0.5 * force * force - rest) / bound.weight, -force, bound.weight};
}

/// What acts along a coordinate q in a step, all times h^2 as the incremental potential has it.
struct DofLaw
{
    double start = 0;     ///< q at the begin
    double expected = 0;  ///< q at the end if nothing acted
    double dt = 0;
    double force = 0;
    double spring = 0, rest = 0;
    double damper = 0;  ///< of (q - start)^2 / 2
    double armature = 0;
    double friction = 0, slow = 1;  ///< bound, and slip below which it is smooth
    double lower = 0, upper = 0;    ///< limits, margins taken off
    Bound low, high;
    double friction_curvature = 0;  ///< of the quadratic model
    bool is_bent = false;           ///< that is a chord's
};

/// - h^2 times the integral of a drive's force, from the start.
inline Jet find_drive_energy(const Drive& drive, const DofLaw& law, double q)
{
    const double scale = law.dt * law.dt, way = q - law.start;
    // f = a + s way, falling; flat beyond the ways at which it meets its bounds.
    const double a = drive.constant + drive.slope * law.start, s = drive.slope + drive.damping / law.dt;
    if (s == 0)
    {
        const double force = std::clamp(a, drive.lower, drive.upper);
        return {-scale * force * way, -scale * force, 0};
    }
    const auto find_work = [&](double x) { return (a + 0.5 * s * x) * x; };
    const double low = (drive.upper - a) / s, high = (drive.lower - a) / s;
    if (way < low) return {-scale * (find_work(low) + drive.upper * (way - low)), -scale * drive.upper, 0};
    if (way > high) return {-scale * (find_work(high) + drive.lower * (way - high)), -scale * drive.lower, 0};
    return {-scale * find_work(way), -scale * (a + s * way), -scale * s};
}

/// Value, slope and curvature at q; friction with the curvature of the quadratic model.
inline Jet find_dof_energy(const DofLaw& law, std::span<const Drive> drives, double q)
{
    const double way = q - law.start, off = q - law.rest, late = q - law.expected;
    Jet sum;
    // Spring energy from the start of the step: no digits are lost where it is large.
    sum.value = -law.force * way + 0.5 * law.spring * way * (q + law.start - 2 * law.rest) +
                0.5 * law.damper * way * way + 0.5 * law.armature * late * late;
    sum.slope = -law.force + law.spring * off + law.damper * way + law.armature * late;
    sum.curvature = law.spring + law.damper + law.armature;
    const auto add = [&](const Jet& jet, double sign)
    {
        sum.value += jet.value;
        sum.slope += sign * jet.slope;
        sum.curvature += jet.curvature;
    };
    if (law.friction > 0)
    {
        const Slip slip = find_slip(std::abs(way), law.slow);
        add({law.friction * slip.value, law.friction * slip.slope_ratio * way, law.friction_curvature}, 1);
    }
    add(find_bound_energy(law.low, q - law.lower), 1);
    add(find_bound_energy(law.high, law.upper - q), -1);
    for (const Drive& drive : drives) add(find_drive_energy(drive, law, q), 1);
    return sum;
}

}  // namespace rattleback::ipc
