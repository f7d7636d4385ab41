// One world of the engine's arrays with a leading world dimension: slices, copies and what was written.
#pragma once

#include "base/index.h"

#include <rattleback/control.h>
#include <rattleback/state.h>

#include <algorithm>

namespace rattleback
{

// Sizes are ints in the public arrays; products of two may exceed one.
inline std::size_t product(int a, int b) { return at(a) * at(b); }

/// The `count` items of one world.
template <class T>
auto slice(T& items, int world, int count)
{
    return std::span(items).subspan(product(world, count), at(count));
}

/// Everything of one world of a state, in place.
void copy_world(const State& from, int from_world, State& to, int to_world);
void copy_world(const Control& from, int from_world, Control& to, int to_world);

/// Whether views that were taken before still show the arrays: assigning a vector by move, or a larger one, gives them
/// other storage.
bool is_there(const ControlView& taken, const ControlView& now);
bool is_there(const ConstWorldView& taken, const ConstWorldView& now);

/// What was written to a world since `left`.
enum class Written
{
    nothing,
    motion,  ///< velocities or activations: the world goes on from where it is
    place,   ///< coordinates, poses or the time: it is elsewhere now
};
Written find_written(const State& state, const State& left, int world);

}  // namespace rattleback
