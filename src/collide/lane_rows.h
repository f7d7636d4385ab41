// Pairs of shapes of one world, four at a time: each shape beside all those behind it that it may touch.
#pragma once

#include "collide/lane_boxes.h"
#include "math/pack.h"

#include <array>
#include <bit>
#include <span>
#include <vector>

namespace rattleback
{

class LaneRows
{
public:
    LaneRows() = default;
    /// `pairs` of these shapes by their numbers; {-1, -1}: looked at elsewhere. Empty where pairs are so few among the
    /// shapes that four at a time would be mostly none.
    LaneRows(std::span<const int> shapes, std::span<const std::array<int, 2>> pairs);

    bool empty() const { return rows_.empty(); }

    /// `bounds` [shape]
    void place(std::span<const LaneBounds<double>> bounds)
    {
        for (std::size_t i = 0; i < shapes_.size(); ++i)
        {
            const LaneBounds<double>& own = bounds[static_cast<std::size_t>(shapes_[i])];
            for (int k = 0; k < 3; ++k)
            {
                lower_[k][i] = own.lower[k];
                upper_[k][i] = own.upper[k];
            }
        }
    }

    /// visit(pair) for every pair whose bounds meet.
    template <class Visit>
    void visit(const Visit& use) const
    {
        for (const Row& row : rows_)
        {
            Pack4 lower[3], upper[3];
            for (int k = 0; k < 3; ++k)
            {
                lower[k] = Pack4(lower_[k][row.first]);
                upper[k] = Pack4(upper_[k][row.first]);
            }
            std::size_t entry = row.entries;
            for (std::size_t j = row.begin; j < row.end; j += 4, entry += 4)
            {
                Mask4 meet = lower[0] <= load_pack(&upper_[0][j]);
                for (int k = 1; k < 3; ++k) meet = both(meet, lower[k] <= load_pack(&upper_[k][j]));
                for (int k = 0; k < 3; ++k) meet = both(meet, load_pack(&lower_[k][j]) <= upper[k]);
                // Bits of lanes that hold a pair.
                for (unsigned near = static_cast<unsigned>(to_bits(meet)); near != 0; near &= near - 1)
                    if (const int pair = pair_[entry + static_cast<std::size_t>(std::countr_zero(near))]; pair >= 0)
                        use(pair);
            }
        }
    }

private:
    struct Row
    {
        std::size_t first = 0;           ///< place in shapes_
        std::size_t begin = 0, end = 0;  ///< places of the others, whole packs
        std::size_t entries = 0;         ///< in pair_
    };

    std::vector<int> shapes_;
    std::vector<Row> rows_;
    std::vector<int> pair_;                              ///< [entry] -1: none
    std::vector<double> lower_[3] = {}, upper_[3] = {};  ///< [axis][place]
};

}  // namespace rattleback
