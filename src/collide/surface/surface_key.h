// Numbers for contact points on surfaces: the part of the surface, and the part of what touches it.
#pragma once

#include <cstdint>

namespace rattleback
{

enum class SurfacePart : std::uint8_t
{
    face,    ///< a flat patch, and a corner (or the like) of the other shape
    edge,    ///< an edge that sticks out
    vertex,  ///< a corner
    inside,  ///< one shape has gone into the other
};

/// Patches, edges and vertices below 2^32, parts of the other shape by their lower 30 bits: where two points get one
/// number, the deeper stays.
constexpr std::uint64_t make_surface_key(SurfacePart part, std::uint64_t other, int number)
{
    constexpr std::uint64_t kOther = (std::uint64_t{1} << 30) - 1;
    return (static_cast<std::uint64_t>(part) << 62) | ((other & kOther) << 32) | static_cast<std::uint32_t>(number);
}

/// One half of a key of convex shapes (see feature_key.h) in 30 bits.
constexpr std::uint64_t fold_key(std::uint64_t half)
{
    return (((half >> 30) & 3) << 28) | (half & ((std::uint64_t{1} << 28) - 1));
}

}  // namespace rattleback
