// Springs and dampers that are no straight lines, and springs whose rests move where they yield.
#pragma once

#include "base/index.h"
#include "dynamics/spring_law.h"
#include "solvers/avbd/blocks.h"

#include <rattleback/solver.h>

#include <algorithm>
#include <cmath>

namespace rattleback::avbd
{

/// A spring at one displacement: f = - secant x, and the slope of the force.
struct SpringGain
{
    double secant = 0;
    double slope = 0;  ///< not negative: one that pushes away stays out of H, which would lose its definiteness
};
inline SpringGain find_spring_gain(double first, const std::array<double, 2>& others, double x)
{
    return {find_secant(first, others, x), std::max(0.0, find_tangent(first, others, x))};
}
inline SpringGain find_spring_gain(const Model& model, std::size_t joint, double x)
{
    return find_spring_gain(model.joints.stiffness[joint], model.joints.stiffness_polynomial[joint], x);
}

/// Of a spring along a vector of this size (balls, free joints): across it the force turns with the secant.
inline SpringGain find_vector_gain(const Model& model, std::size_t joint, double size)
{
    const SpringGain gain = find_spring_gain(model, joint, size);
    return {gain.secant, std::max(gain.secant, gain.slope)};
}

/// A damper at one velocity: f = - secant v, and the slope of the force [N s/m], [N m s/rad].
inline SpringGain find_damper_gain(double first, const std::array<double, 2>& others, double velocity)
{
    return find_spring_gain(first, others, std::abs(velocity));
}
inline SpringGain find_damper_gain(const Model& model, std::size_t dof, double velocity)
{
    return find_damper_gain(model.dofs.damping[dof], model.dofs.damping_polynomial[dof], velocity);
}

inline bool has_spring(const Joints& joints, std::size_t joint)
{
    return joints.stiffness[joint] != 0 || joints.stiffness_polynomial[joint] != std::array<double, 2>{};
}

/// The ends of a tendon's spring as far as they have yielded.
inline SpringBand<double> find_band(const Layout& layout, int tendon, const TendonState& state)
{
    const auto& [lower, upper] = layout.model->tendons.spring_length[at(tendon)];
    return {lower + state.yielded[0], upper + state.yielded[1]};
}

/// By how much the rests of all tendons' springs have moved, from State::act.
void load_tendon_yields(const Model& model, std::span<const double> act, BlockWork& work);

/// After the step: moves the rests of springs in world.act that are displaced by more than their yield.
void yield_springs(const Layout& layout, BlockWork& work, const WorldView& world);

/// True if some spring of the model yields.
bool has_yield(const Model& model);

}  // namespace rattleback::avbd
