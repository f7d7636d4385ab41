// Where this solver leaves [RigidIPC], each with a switch of its own: parameter `method`.
#pragma once

#include <rattleback/error.h>

#include <span>
#include <string_view>

namespace rattleback::ipc
{

/// true: ours; false: the paper's (all_deviations() says what that is).
struct Deviations
{
    bool model = true, chords = true, turns = true, bends = true;
    bool directions = true, approach = true, path = true, way = true;
    bool rotation = true, drive = true, anchors = true, energy = true, arms = true;
    bool rims = true, flats = true, stiffness = true;
    bool islands = true, guess = true, finer = true, doubt = true;
};

struct DeviationInfo
{
    std::string_view name;  ///< as in `method = paper+NAME`, `method = revised-NAME`
    bool Deviations::* is_on = nullptr;
    std::string_view summary;  ///< ours; the paper's
};

/// In the order of README, "Deviations".
std::span<const DeviationInfo> all_deviations();

/// "revised" (all of them) or "paper" (none), then any number of +NAME and -NAME from left to right.
Result<Deviations> read_method(std::string_view text);

}  // namespace rattleback::ipc
