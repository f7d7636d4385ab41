// Fifteen axes in lanes: three at a time, and a branch only where the answer is known.
#include "collide/manifold/box_axes.h"

#include "math/lanes.h"

#include <bit>
#include <limits>

namespace rattleback
{
namespace
{

// Separating axes of two boxes: three face normals each, and nine products of edges. The separation along an axis is
// the distance of the centres less the half extents of both; the largest separation is the penetration depth where it
// is negative.

constexpr double kNever = -std::numeric_limits<double>::infinity();

Pack4 load_row(const double* from) { return Pack4(Pack4::Lanes{from[0], from[1], from[2], 0}); }
Pack4 load_vector(const Vec3& v) { return Pack4(Pack4::Lanes{v.x, v.y, v.z, 0}); }

Pack4 magnitude(const Pack4& a)
{
    constexpr long long kAllButSign = 0x7fffffffffffffff;
    return Pack4(reinterpret_cast<Pack4::Lanes>(reinterpret_cast<Mask4::Lanes>(a.lanes) & kAllButSign));
}

// Lane j takes what is in lane j + 1 or j + 2, of the first three in a ring.
Pack4 next(const Pack4& a) { return Pack4(__builtin_shufflevector(a.lanes, a.lanes, 1, 2, 0, 3)); }
Pack4 last(const Pack4& a) { return Pack4(__builtin_shufflevector(a.lanes, a.lanes, 2, 0, 1, 3)); }

/// -infinity in the lane that means nothing.
Pack4 three_of(const Pack4& a) { return Pack4(Pack4::Lanes{a.lanes[0], a.lanes[1], a.lanes[2], kNever}); }

unsigned find_at_least(const Pack4& a, double bar) { return static_cast<unsigned>(to_bits(a >= Pack4(bar))); }

struct Rows
{
    // A 3x3 matrix by rows, one row per pack; the fourth lane is zero.
    Pack4 row[3];
};

/// Lane i of row j from lane j of row i.
Rows transpose(const Rows& a)
{
    // A 3x3 transpose by shuffles: pairs first, then halves.
    const Pack4::Lanes &x = a.row[0].lanes, &y = a.row[1].lanes, &z = a.row[2].lanes, zero{};
    const auto xy = __builtin_shufflevector(x, y, 0, 4, 2, 6), xy_next = __builtin_shufflevector(x, y, 1, 5, 3, 7);
    const auto z_low = __builtin_shufflevector(z, zero, 0, 4, 2, 6);
    const auto z_next = __builtin_shufflevector(z, zero, 1, 5, 3, 7);
    return {Pack4(__builtin_shufflevector(xy, z_low, 0, 1, 4, 5)),
            Pack4(__builtin_shufflevector(xy_next, z_next, 0, 1, 4, 5)),
            Pack4(__builtin_shufflevector(xy, z_low, 2, 3, 6, 7))};
}

/// What all fifteen axes share.
struct Setting
{
    Rows turn, flat;           // flat: without signs
    Pack4 offset, back, a, b;  // a, b: half sizes

    // All three face normals of the first box at once, lane by lane.
    Pack4 find_first_faces() const
    {
        // Separating axes of Gottschalk et al.: |d . a_i| - a_i - sum of b_j |C_ij|, all i at once.
        const Rows columns = transpose(flat);
        const Pack4 extent = Pack4(b.lanes[0]) * columns.row[0] + Pack4(b.lanes[1]) * columns.row[1] +
                             Pack4(b.lanes[2]) * columns.row[2];
        return three_of(magnitude(offset) - a - extent);
    }
    // The same for the second box, whose extents need no transpose.
    Pack4 find_second_faces() const
    {
        const Pack4 extent =
            Pack4(a.lanes[0]) * flat.row[0] + Pack4(a.lanes[1]) * flat.row[1] + Pack4(a.lanes[2]) * flat.row[2];
        return three_of(magnitude(back) - b - extent);
    }
    /// Edges along axis I of the first box with those of the second.
    template <int I>
    Pack4 find_edges(Pack4& along) const
    {
        constexpr double kParallel = 1e-8;  // sine squared: then a face is as good
        constexpr int k = (I + 1) % 3, l = (I + 2) % 3;
        // e_I x c_j has the components -c_l at k and c_k at l.
        const Pack4 &ck = turn.row[k], &cl = turn.row[l];
        // Along a_I x b_j: the distance of the centres, then the half extents of both boxes on it.
        along = ck * Pack4(offset.lanes[l]) - cl * Pack4(offset.lanes[k]);
        // The product is not a unit vector: its square is 1 - C_Ij^2.
        const Pack4 square = ck * ck + cl * cl;
        const Pack4 separation = magnitude(along) - Pack4(a.lanes[k]) * flat.row[l] - Pack4(a.lanes[l]) * flat.row[k] -
                                 next(b) * last(flat.row[I]) - last(b) * next(flat.row[I]);
        const Mask4 is_clear = square >= Pack4(kParallel);
        return select(is_clear, separation / sqrt(select(is_clear, square, Pack4(1.0))), Pack4(kNever));
    }
};

void set_edges(const Setting& setting, double slack, BoxAxis& axis)
{
    Pack4 along[3];
    const Pack4 edges[3] = {setting.find_edges<0>(along[0]), setting.find_edges<1>(along[1]),
                            setting.find_edges<2>(along[2])};
    // One maximum over nine numbers decides whether edges matter at all.
    const double largest = find_largest(maximum(edges[0], maximum(edges[1], edges[2])));
    // Edges count only where they are clearly better: faces give more points and change less from step to step.
    if (!(largest > axis.separation + slack)) return;
    const double bar = largest - slack;
    const unsigned found =
        find_at_least(edges[0], bar) | (find_at_least(edges[1], bar) << 4) | (find_at_least(edges[2], bar) << 8);
    // Of those within the slack the first: bits are in the order of axes.
    const auto lane = static_cast<std::size_t>(std::countr_zero(found | (8U << 8)));  // padding ends it
    double separations[12], products[12];
    for (std::size_t i = 0; i < 3; ++i)
    {
        store_pack(edges[i], separations + 4 * i);
        store_pack(along[i], products + 4 * i);
    }
    axis = {separations[lane], static_cast<int>(lane / 4), static_cast<int>(lane % 4), products[lane] < 0};
}

}  // namespace

bool find_box_axis(double slack, double reach, BoxPair& pair, BoxAxis& axis)
{
    const double *m = pair.first.rotation.m, *o = pair.second.rotation.m;
    // Rows of both rotations: products of matrices are sums of scaled rows.
    const Pack4 first_rows[3] = {load_row(m), load_row(m + 3), load_row(m + 6)};
    const Pack4 second_rows[3] = {load_row(o), load_row(o + 3), load_row(o + 6)};
    const Vec3 between = pair.second.position - pair.first.position;
    Setting setting;
    for (int i = 0; i < 3; ++i)
    {
        // C = Aᵀ B and the offset in the axes of either box: all that the fifteen tests read.
        setting.turn.row[i] =
            Pack4(m[i]) * second_rows[0] + Pack4(m[3 + i]) * second_rows[1] + Pack4(m[6 + i]) * second_rows[2];
        setting.flat.row[i] = magnitude(setting.turn.row[i]);
        store_pack(setting.turn.row[i], pair.turn[i]);
    }
    const Pack4 offset =
        first_rows[0] * Pack4(between.x) + first_rows[1] * Pack4(between.y) + first_rows[2] * Pack4(between.z);
    setting.offset = offset;
    setting.back = setting.turn.row[0] * Pack4(offset.lanes[0]) + setting.turn.row[1] * Pack4(offset.lanes[1]) +
                   setting.turn.row[2] * Pack4(offset.lanes[2]);
    setting.a = load_vector(pair.first.size);
    setting.b = load_vector(pair.second.size);
    store_pack(setting.offset, pair.offset);
    store_pack(setting.back, pair.back);

    const Pack4 first_faces = setting.find_first_faces(), second_faces = setting.find_second_faces();
    const double largest = find_largest(maximum(first_faces, second_faces));
    // A face axis that separates by the reach already ends the search.
    if (largest >= reach) return false;
    // The first axis within the slack of the best, in a fixed order.
    const unsigned found =
        find_at_least(first_faces, largest - slack) | (find_at_least(second_faces, largest - slack) << 4);
    const int face = std::countr_zero(found | (8U << 4));
    double separations[8];
    store_pack(first_faces, separations);
    store_pack(second_faces, separations + 4);
    axis.separation = separations[face];
    (face < 4 ? axis.first : axis.second) = face % 4;
    axis.is_reversed = false;
    set_edges(setting, slack, axis);
    return axis.separation < reach;
}

}  // namespace rattleback
