// The four corners of a box's face, as a flat part lists them.
#pragma once

#include "collide/manifold/part_builder.h"
#include "math/pack.h"

namespace rattleback
{

/// Corners of a face, counter-clockwise, and the sides after them, which run along the two axes after the face's own in
/// turn.
struct BoxCorners
{
    std::array<double, 4> j{}, k{};  ///< ends of the two axes where the corners are, as signs
    std::array<std::uint32_t, 4> corner{}, edge{};
};

using BoxFaces = std::array<std::array<BoxCorners, 2>, 6>;

constexpr BoxFaces make_box_faces()
{
    // Counter-clockwise from (+, +) in the plane of the two axes after the face's own.
    constexpr bool kSigns[4][2] = {{true, true}, {false, true}, {false, false}, {true, false}};
    BoxFaces faces{};
    for (std::size_t face = 0; face < 6; ++face)
    {
        const int axis = static_cast<int>(face / 2), j = (axis + 1) % 3, k = (axis + 2) % 3;
        for (std::size_t i = 0; i < 4; ++i)
        {
            const bool plus_j = kSigns[i][0], plus_k = kSigns[i][1];
            // Bits of a corner: the signs of x, y, z.
            const std::uint32_t corner = (static_cast<std::uint32_t>(face & 1) << axis) |
                                         (static_cast<std::uint32_t>(plus_j) << j) |
                                         (static_cast<std::uint32_t>(plus_k) << k);
            for (const std::size_t turn : {0, 1})
            {
                // Seen from behind, the same corners run the other way round.
                const std::size_t slot = turn == 0 ? i : 3 - i;
                BoxCorners& corners = faces[face][turn];
                corners.j[slot] = plus_j ? 1 : -1;
                corners.k[slot] = plus_k ? 1 : -1;
                corners.corner[slot] = corner;
                corners.edge[slot] = find_box_edge(slot % 2 == 0 ? j : k, corner);
            }
        }
    }
    return faces;
}

/// [face][0: counter-clockwise about the positive axis, 1: about the negative].
inline constexpr BoxFaces kBoxFaces = make_box_faces();

/// A vector in the coordinates of a NormalFrame.
struct Seen
{
    double u = 0, v = 0, h = 0;
};

/// The face of a box around `center`, with half sides `a` and `b` along the two axes after its own, of these lengths;
/// `is_positive`: the frame's normal points along its axis, not against it. The plane is left to the caller.
inline void set_box_corners(int face, bool is_positive, const Seen& center, const Seen& a, const Seen& b,
                            double a_length, double b_length, FlatPart& part)
{
    const BoxCorners& corners = kBoxFaces[static_cast<std::size_t>(face)][is_positive ? 0 : 1];
    // Four corners in the lanes of a pack.
    const Pack4 j = load_pack(corners.j.data()), k = load_pack(corners.k.data());
    store_pack(Pack4(center.u) + j * Pack4(a.u) + k * Pack4(b.u), part.u.data());
    store_pack(Pack4(center.v) + j * Pack4(a.v) + k * Pack4(b.v), part.v.data());
    store_pack(Pack4(center.h) + j * Pack4(a.h) + k * Pack4(b.h), part.h.data());
    for (std::size_t i = 0; i < 4; ++i)
    {
        part.side[i] = 2 * (i % 2 == 0 ? a_length : b_length);
        part.corner[i] = corners.corner[i];
        part.edge[i] = corners.edge[i];
    }
    part.count = 4;
    part.kind = FeatureKind::face;
    part.index = static_cast<std::uint32_t>(face);
}

}  // namespace rattleback
