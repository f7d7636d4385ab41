// Rows of the factor, and the factorisation for the scalars in use.
#include "dynamics/tree_factor.h"

namespace rattleback
{

void pad_rows(std::span<const int> row_begin, std::vector<int>& factor_begin)
{
    factor_begin.assign(1, 0);
    for (std::size_t d = 0; d + 1 < row_begin.size(); ++d)
    {
        // Length with the diagonal, rounded up to whole packs.
        const int length = row_begin[d + 1] - row_begin[d];
        factor_begin.push_back(factor_begin.back() + (length + 3) / 4 * 4);
    }
}

template void factor_tree(const TreePattern&, std::span<const double>, std::span<double>, std::span<double>);
template void factor_tree(const TreePattern&, std::span<const Pack4>, std::span<Pack4>, std::span<Pack4>);

}  // namespace rattleback
