// Steps of many worlds with inputs for each step; see Batch::rollout.
#pragma once

#include "engine/worlds.h"

#include <rattleback/batch.h>

namespace rattleback
{

/// See Batch::rollout.
Status run_rollout(Worlds& worlds, std::int64_t steps, std::span<const double> controls, const RolloutOptions& options,
                   Rollout& kept);

}  // namespace rattleback
