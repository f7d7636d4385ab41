// Chains: the planar one whose invariants are known, and a hanging one of any length.
#pragma once

#include <rattleback/builder.h>

namespace rattleback::lab
{

struct Chain5Options
{
    int link_count = 5;
    double length = 0.4;  ///< of each link [m]
    double speed = 1;     ///< scale of the joint velocities at the start [rad/s]
};
/// Links in the xy plane on parallel hinges along z, the first on the world, each shifted along the axis so that none
/// touches another; no gravity. Invariants: kinetic energy, and angular momentum about the z axis.
Result<Model> build_chain5(const Chain5Options& options = {});

struct ChainOptions
{
    int link_count = 20;
    double length = 0.1;    ///< of each link [m]
    double radius = 0.012;  ///< [m]
    double angle = 0.9;     ///< from hanging, at the start [rad]
};
/// Links on ball joints, hung up at one end and held out straight, to the side, at the start.
Result<Model> build_chain(const ChainOptions& options = {});

}  // namespace rattleback::lab
