// How large the pictures of textures may be.
#pragma once

#include <cstdint>

namespace rattleback
{

inline constexpr int kLargestTextureSide = 8192;  ///< of a pattern [pixels]
inline constexpr std::uint64_t kMostTexturePixels = std::uint64_t{kLargestTextureSide} * kLargestTextureSide;
/// Of all patterns and pictures of one model together.
inline constexpr std::uint64_t kMostModelPixels = 4 * kMostTexturePixels;

}  // namespace rattleback
