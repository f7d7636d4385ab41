// Anchors: where contacts stick, for the variant of `stable` that remembers.
#pragma once

#include <rattleback/contacts.h>

#include <tuple>

namespace rattleback::comfree
{

/// Tangential displacement of one contact since it began to stick, of the second body against the first; world axes.
struct Anchor
{
    int first_shape = -1, second_shape = -1;
    std::uint64_t feature = 0;
    Vec3 slide;  ///< in the tangent plane [m]
};

inline auto key(const Anchor& a) { return std::tuple(a.first_shape, a.second_shape, a.feature); }
inline auto key(const Contact& c) { return std::tuple(c.first_shape.index, c.second_shape.index, c.feature); }

/// The displacement along the two tangents of the contact.
inline std::array<double, 2> along_tangents(const Contact& contact, const Anchor& anchor)
{
    return {dot(anchor.slide, contact.frame.column(1)), dot(anchor.slide, contact.frame.column(2))};
}

}  // namespace rattleback::comfree
