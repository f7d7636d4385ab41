// Triangles as they lie in memory, and four of them in the lanes of packs.
#pragma once

#include "math/pack.h"
#include "math/rotation.h"

#include <array>

namespace rattleback
{

/// Corners, counter-clockwise from outside [m], and the outward unit normal: twelve numbers in a row.
struct Facet
{
    std::array<Vec3, 3> corner;
    Vec3 normal;
};

/// The same number in every lane.
inline Vector3<Pack4> spread(const Vec3& a) { return {Pack4(a.x), Pack4(a.y), Pack4(a.z)}; }

struct FacetFour
{
    std::array<Vector3<Pack4>, 3> corner;
    Vector3<Pack4> normal;
};

/// Turns four rows of four numbers into columns.
inline std::array<Pack4, 4> transpose(const Pack4& a, const Pack4& b, const Pack4& c, const Pack4& d)
{
    const auto low = __builtin_shufflevector(a.lanes, b.lanes, 0, 4, 2, 6);
    const auto high = __builtin_shufflevector(a.lanes, b.lanes, 1, 5, 3, 7);
    const auto low2 = __builtin_shufflevector(c.lanes, d.lanes, 0, 4, 2, 6);
    const auto high2 = __builtin_shufflevector(c.lanes, d.lanes, 1, 5, 3, 7);
    return {
        Pack4(__builtin_shufflevector(low, low2, 0, 1, 4, 5)), Pack4(__builtin_shufflevector(high, high2, 0, 1, 4, 5)),
        Pack4(__builtin_shufflevector(low, low2, 2, 3, 6, 7)), Pack4(__builtin_shufflevector(high, high2, 2, 3, 6, 7))};
}

inline FacetFour load_facets(const Facet& a, const Facet& b, const Facet& c, const Facet& d)
{
    static_assert(sizeof(Facet) == 12 * sizeof(double));
    std::array<Pack4, 12> numbers;
    for (int i = 0; i < 3; ++i)
    {
        const auto row = [&](const Facet& facet) { return load_pack(reinterpret_cast<const double*>(&facet) + 4 * i); };
        const auto columns = transpose(row(a), row(b), row(c), row(d));
        for (std::size_t k = 0; k < 4; ++k) numbers[4 * static_cast<std::size_t>(i) + k] = columns[k];
    }
    const auto& n = numbers;
    return {.corner = {{{n[0], n[1], n[2]}, {n[3], n[4], n[5]}, {n[6], n[7], n[8]}}}, .normal = {n[9], n[10], n[11]}};
}

}  // namespace rattleback
