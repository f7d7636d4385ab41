// Row8: the increments of one body in memory; several of them turned into packs, one body per lane.
#pragma once

#include "math/pack.h"

namespace rattleback::avbd
{

/// Eight numbers in memory, six used: the increments of one body.
template <class S>
struct alignas(8 * sizeof(S)) Row8
{
    S value[8]{};
};

/// The first columns of eight rows.
template <int Columns>
inline void load_rows(const Row8<float>* rows, const int* index, Pack8* columns)
{
    using V = Pack8::Lanes;
    using Loaded = float __attribute__((vector_size(32), may_alias));  // one load: g++ copies memory in two halves
    V r[8];
    for (int i = 0; i < 8; ++i) r[i] = *reinterpret_cast<const Loaded*>(rows[index[i]].value);
    // an 8 x 8 transposition: pairs of rows, then pairs of pairs, then halves
    V a[8], b[8];
    for (int i = 0; i < 4; ++i)
    {
        a[2 * i] = __builtin_shufflevector(r[2 * i], r[2 * i + 1], 0, 8, 1, 9, 4, 12, 5, 13);
        a[2 * i + 1] = __builtin_shufflevector(r[2 * i], r[2 * i + 1], 2, 10, 3, 11, 6, 14, 7, 15);
    }
    for (int i = 0; i < 2; ++i)
    {
        b[4 * i] = __builtin_shufflevector(a[4 * i], a[4 * i + 2], 0, 1, 8, 9, 4, 5, 12, 13);
        b[4 * i + 1] = __builtin_shufflevector(a[4 * i], a[4 * i + 2], 2, 3, 10, 11, 6, 7, 14, 15);
        b[4 * i + 2] = __builtin_shufflevector(a[4 * i + 1], a[4 * i + 3], 0, 1, 8, 9, 4, 5, 12, 13);
        b[4 * i + 3] = __builtin_shufflevector(a[4 * i + 1], a[4 * i + 3], 2, 3, 10, 11, 6, 7, 14, 15);
    }
    for (int i = 0; i < 4; ++i) columns[i] = Pack8(__builtin_shufflevector(b[i], b[4 + i], 0, 1, 2, 3, 8, 9, 10, 11));
    for (int i = 0; i < Columns - 4; ++i)
        columns[4 + i] = Pack8(__builtin_shufflevector(b[i], b[4 + i], 4, 5, 6, 7, 12, 13, 14, 15));
}
/// The first columns of four rows.
template <int Columns>
inline void load_rows(const Row8<double>* rows, const int* index, Pack4* columns)
{
    for (int c = 0; c < Columns; ++c)
    {
        for (int i = 0; i < 4; ++i) columns[c].lanes[i] = rows[index[i]].value[c];
    }
}

}  // namespace rattleback::avbd
