// The integrators of solver `smooth`, for benches that compare them.
#pragma once

#include <rattleback/solver.h>

#include <array>

namespace rattleback::lab
{

inline constexpr std::array kIntegrators = {Integrator::euler, Integrator::implicitfast, Integrator::rk4,
                                            Integrator::lie_rk4, Integrator::midpoint};

/// Parameters of solver `smooth`.
inline Parameters smooth_parameters(Integrator integrator, std::string_view ignore)
{
    return {{"integrator", std::string(to_string(integrator))}, {"ignore", std::string(ignore)}};
}

}  // namespace rattleback::lab
