// What solver `ipc` says of starts that touch or overlap.
#pragma once

#include "solvers/ipc/own_insets.h"

namespace rattleback::ipc
{

/// How far two shapes lie in each other [m]; 0 where that is not known.
double find_depth(const Model& model, const ConstWorldView& world, int first, int second);

/// Refusals, one for each pair; at most ten are named, the rest is counted.
std::vector<Error> describe_overlaps(const Model& model, const ConstWorldView& world,
                                     std::span<const DeepOverlap> deep);

/// One warning that names the shape with the largest inset of `where` ("the start"), or none.
std::vector<Error> describe_insets(const Model& model, const Layout& layout, std::span<const OwnInset> insets,
                                   const std::string& where);

/// One warning that names the first of the pairs for which no step is taken from a keyframe.
std::vector<Error> describe_refused_keyframe(const Model& model, const ConstWorldView& world,
                                             std::span<const DeepOverlap> deep, const std::string& where);

}  // namespace rattleback::ipc
