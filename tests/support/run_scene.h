// Runs a scene with every solver there is: what must hold for any input whatsoever.
#pragma once

#include <rattleback/rattleback.h>

namespace rattleback
{

struct SceneRun
{
    bool built = false;
    int made = 0;       ///< simulations that a solver accepted
    int committed = 0;  ///< steps
    std::string fault;  ///< the first claim that does not hold; empty: none
};

/// Builds the scene, writes and reads it back as MJCF, and steps it with each solver. The claims: a refusal comes with
/// errors that say something; what was refused or not committed changes nothing; what was committed is finite. Failed
/// checks go to the check handler.
SceneRun run_scene(const ModelBuilder& builder, int steps = 3);

}  // namespace rattleback
