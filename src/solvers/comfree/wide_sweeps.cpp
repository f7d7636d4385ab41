// Sweeps in packs of 512 bits: eight doubles or sixteen floats. Compiled with instructions of its own, and asked for
// only where the processor has them: docs/decisions/038.
#include "solvers/comfree/sweep_pack.h"

#if defined(RATTLEBACK_WIDE)

#include "solvers/comfree/contact_slots_code.h"
#include "solvers/comfree/sweep_lanes.h"
#include "solvers/comfree/sweep_law_code.h"
#include "solvers/comfree/sweep_system_code.h"
#include "solvers/shared/discrete_code.h"
#include "solvers/shared/implicit_code.h"
#include "solvers/shared/integrators_code.h"
#include "solvers/shared/swept_contacts_code.h"

#include "collide/lane_contacts_code.h"
#include "dynamics/place_kinematic.h"
#include "dynamics/workspace_code.h"

#endif

namespace rattleback::comfree
{

#if defined(RATTLEBACK_WIDE)
std::unique_ptr<SweepPack> make_wide_pack(const Tree& tree, const Options& options)
{
    if (options.single_precision) return std::make_unique<SweepLanes<WidePack<float>>>(tree, options);
    return std::make_unique<SweepLanes<WidePack<double>>>(tree, options);
}
#else
std::unique_ptr<SweepPack> make_wide_pack(const Tree&, const Options&) { return nullptr; }
#endif

}  // namespace rattleback::comfree
