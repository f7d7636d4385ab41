// Smooth motion in packs of 512 bits: eight doubles. Compiled with instructions of its own, and asked for only where
// the processor has them: docs/decisions/038.
#include "solvers/smooth/smooth_lanes.h"

#if defined(RATTLEBACK_WIDE)

#include "dynamics/place_kinematic.h"
#include "dynamics/workspace_code.h"
#include "solvers/shared/discrete_code.h"
#include "solvers/shared/implicit_code.h"
#include "solvers/shared/integrators_code.h"

#endif

namespace rattleback::smooth
{

#if defined(RATTLEBACK_WIDE)
std::unique_ptr<SmoothPack> make_wide_pack(const Tree& tree, Integrator integrator)
{
    return std::make_unique<SmoothLanes<WidePack<double>>>(tree, integrator);
}
#else
std::unique_ptr<SmoothPack> make_wide_pack(const Tree&, Integrator) { return nullptr; }
#endif

}  // namespace rattleback::smooth
