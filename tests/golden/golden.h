// Golden hashes: what a solver makes of the laboratory's scenes, to the last bit, against lines of hashes.txt.
#pragma once

#include <rattleback/rattleback.h>

#include <algorithm>
#include <string_view>
#include <vector>

namespace rattleback::golden
{

/// One way to run a solver, and on what.
struct Variant
{
    std::string_view name;
    Parameters parameters;
    std::vector<std::string_view> scenes = {};  ///< empty: all that the solver runs

    bool includes(std::string_view scene) const
    {
        return scenes.empty() || std::find(scenes.begin(), scenes.end(), scene) != scenes.end();
    }
};

/// One test's lines "scene label variant state memory" of hashes.txt.
struct Family
{
    std::string_view label;
    std::string_view solver;
    int last_world = 1;  ///< of a batch; this one and world 0 are hashed
    int steps = 100;     ///< per run
    double dt = 0;       ///< [s]; 0: the model's
    std::vector<Variant> variants;
};

/// Runs every variant on 1, 2 and 3 threads, of a Batch and, where the solver has threads of its own, within one world.
/// Expects equal bits and those of hashes.txt; with RATTLEBACK_UPDATE_GOLDEN=1 also writes them there.
void expect_golden(const Family& family);

}  // namespace rattleback::golden
