// Numbers for the parts of two shapes that meet at a contact point.
#pragma once

#include "geometry/distance.h"

namespace rattleback
{

/// One number for a part of the first shape and a part of the second; numbers of different parts differ as long as the
/// indices stay below 2^30.
constexpr std::uint64_t make_feature_key(FeatureKind first_kind, std::uint32_t first, FeatureKind second_kind,
                                         std::uint32_t second)
{
    const auto pack = [](FeatureKind kind, std::uint32_t index)
    { return (static_cast<std::uint64_t>(kind) << 30) | index; };
    return (pack(first_kind, first) << 32) | pack(second_kind, second);
}

/// The number of a contact that comes from the distance of the two shapes, not from one part laid over another: it
/// differs from all numbers above.
constexpr std::uint64_t make_witness_key(const ShapeFeature& first, const ShapeFeature& second)
{
    constexpr std::uint64_t kWitness = std::uint64_t{3} << 62;
    return kWitness | make_feature_key(first.kind, static_cast<std::uint32_t>(first.index), second.kind,
                                       static_cast<std::uint32_t>(second.index));
}

}  // namespace rattleback
