// Cable: how stiffly two frames are tied to each other, along and about the axis that runs through both.
#pragma once

#include <rattleback/api.h>
#include <rattleback/shapes.h>

#include <limits>

namespace rattleback RATTLEBACK_API
{

inline constexpr double kRigidStiffness = std::numeric_limits<double>::infinity();

/// Springs and dampers of a cable joint. The z axes of both frames run along the cable. The second frame's origin, in
/// the first frame's axes, stretches (z) and shears (x, y); the rotation vector from the first frame to the second, in
/// the first's axes and shorter than pi, bends (x, y) and twists (z). The energy is half of stiffness times square.
/// An infinite stiffness is rigid (its damping means nothing), zero is free.
struct Cable
{
    Spring stretch{.stiffness = kRigidStiffness, .damping = 0};  ///< [N/m], [N s/m]
    Spring shear{.stiffness = kRigidStiffness, .damping = 0};    ///< [N/m], [N s/m]
    Spring bend{.stiffness = 0, .damping = 0};                   ///< [N m/rad], [N m s/rad]
    Spring twist{.stiffness = 0, .damping = 0};                  ///< [N m/rad], [N m s/rad]

    friend bool operator==(const Cable&, const Cable&) = default;
};

}  // namespace rattleback
