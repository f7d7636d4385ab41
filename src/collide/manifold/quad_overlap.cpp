// Overlap of two quadrilaterals: four corners at a time, and branches only for points that exist.
#include "collide/manifold/overlap.h"
#include "math/pack.h"

#include <bit>

namespace rattleback
{
namespace
{

// find_overlap for two faces with four corners, which is what boxes on boxes need in every step: sixteen signed
// distances in four packs, then bit operations say which corners are inside and which sides cross.

constexpr std::size_t next(std::size_t i) { return (i + 1) % 4; }

/// Where the corners of one quadrilateral lie beside the sides of another. Sets of corners or sides are bits.
struct Beside
{
    unsigned inside = 0xF;  ///< corners that are inside all sides, or flush
    unsigned parted = 0;    ///< bit 4 i + j: the line of side i has the ends of the other's side j clear on both sides
    double across[4][4];    ///< [side][corner]: distance from the side's line times the side's length, left positive

    Beside(const FlatPart& sides, const FlatPart& corners, double tolerance)
    {
        const Pack4 u = load_pack(corners.u.data()), v = load_pack(corners.v.data());
        // Side by side: the line of each side against the four corners of the other.
        for (std::size_t i = 0; i < 4; ++i)
        {
            const double du = sides.u[next(i)] - sides.u[i], dv = sides.v[next(i)] - sides.v[i];
            const double clear = tolerance * sides.side[i];
            // Which side of the line all four corners lie on, in one pack.
            const Pack4 left = Pack4(du) * (v - Pack4(sides.v[i])) - Pack4(dv) * (u - Pack4(sides.u[i]));
            store_pack(left, across[i]);
            inside &= to_set(left >= Pack4(-clear));
            // Clear of the line on either side: where neighbours differ, the side between them crosses.
            const unsigned on_left = to_set(left > Pack4(clear)), on_right = to_set(left < Pack4(-clear));
            parted |= ((on_left & before(on_right)) | (on_right & before(on_left))) << (4 * i);
        }
    }

private:
    // Sets of corners are four bits.
    static unsigned to_set(const Mask4& mask) { return static_cast<unsigned>(to_bits(mask)); }
    /// The corners that come before those in a set.
    static unsigned before(unsigned set) { return (set >> 1) | ((set & 1) << 3); }
};

/// Bit 4 i + j to bit 4 j + i.
unsigned transpose_bits(unsigned bits)
{
    // Transposing a 4x4 bit matrix by two swaps.
    bits = (bits & 0xA5A5) | ((bits & 0x0A0A) << 3) | ((bits >> 3) & 0x0A0A);
    return (bits & 0xCC33) | ((bits & 0x00CC) << 6) | ((bits >> 6) & 0x00CC);
}

double find_plane_height(const FlatPart& part, double u, double v)
{
    return part.base + part.slope_u * u + part.slope_v * v;
}

double interpolate(const FlatPart::Numbers& numbers, std::size_t i, double share)
{
    return numbers[i] + share * (numbers[next(i)] - numbers[i]);
}

/// Calls f(i) for the bits of a set, lowest first.
template <class F>
void for_each_bit(unsigned set, const F& f)
{
    for (; set != 0; set &= set - 1) f(static_cast<std::size_t>(std::countr_zero(set)));
}

}  // namespace

void find_quad_overlap(const FlatPart& first, const FlatPart& second, double tolerance, Overlap& overlap)
{
    // As in find_overlap: corners of the second inside the first, then of the first inside the second, then crossings.
    const Beside beside_first(first, second, tolerance);
    for_each_bit(
        beside_first.inside,
        [&](std::size_t i)
        {
            overlap.add({second.u[i], second.v[i], find_plane_height(first, second.u[i], second.v[i]), second.h[i],
                         make_feature_key(first.kind, first.index, FeatureKind::vertex, second.corner[i])});
        });
    if (beside_first.inside == 0xF) return;

    // The other way round only where something of the second lies outside.
    const Beside beside_second(second, first, tolerance);
    for_each_bit(beside_second.inside,
                 [&](std::size_t i)
                 {
                     const double u = first.u[i], v = first.v[i];
                     if (overlap.has_point_near(u, v, tolerance)) return;
                     overlap.add({u, v, first.h[i], find_plane_height(second, u, v),
                                  make_feature_key(FeatureKind::vertex, first.corner[i], second.kind, second.index)});
                 });
    if (beside_second.inside == 0xF) return;

    // A crossing needs both: each side's ends clear on both sides of the other's line.
    for_each_bit(
        beside_first.parted & transpose_bits(beside_second.parted),
        [&](std::size_t pair)
        {
            const std::size_t i = pair / 4, j = pair % 4;
            const double begin = beside_second.across[j][i], end = beside_second.across[j][next(i)];
            // Signed distances are known already: the crossing is their ratio.
            const double from = beside_first.across[i][j], to = beside_first.across[i][next(j)];
            const double on_first = begin / (begin - end), on_second = from / (from - to);
            overlap.add({interpolate(second.u, j, on_second), interpolate(second.v, j, on_second),
                         interpolate(first.h, i, on_first), interpolate(second.h, j, on_second),
                         make_feature_key(FeatureKind::edge, first.edge[i], FeatureKind::edge, second.edge[j])});
        });
}

}  // namespace rattleback
