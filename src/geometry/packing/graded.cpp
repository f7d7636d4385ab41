// Merges the cells of a grid into few cubes, small ones at the surface and large ones inside.
#include "geometry/packing/packing.h"

#include <algorithm>

namespace rattleback
{

namespace
{

// Contact happens at the surface, inertia comes from everywhere: cells at the surface stay as they are, further in a
// cube of eight becomes one. The rule looks at the depth of a cell alone, so that the cubes are the same for any order.

/// [cell] how many cells the nearest outside is away, along the longest axis; 0 outside. Two sweeps of 13 neighbours
/// (Rosenfeld and Pfaltz 1966).
class DepthMap
{
public:
    explicit DepthMap(const CellGrid& grid) : grid_(grid), depth_(grid.inside.size(), 0)
    {
        const auto& [nx, ny, nz] = grid.counts;
        for (int i = 0; i < nx; ++i)
            for (int j = 0; j < ny; ++j)
                for (int k = 0; k < nz; ++k) lower(i, j, k, -1);
        for (int i = nx - 1; i >= 0; --i)
            for (int j = ny - 1; j >= 0; --j)
                for (int k = nz - 1; k >= 0; --k) lower(i, j, k, 1);
    }

    /// 0 beyond the grid too.
    int at(int i, int j, int k) const
    {
        const auto& [nx, ny, nz] = grid_.counts;
        if (i < 0 || j < 0 || k < 0 || i >= nx || j >= ny || k >= nz) return 0;
        return depth_[grid_.index(i, j, k)];
    }

private:
    /// One more than the least of the neighbours that a sweep in direction -side has passed.
    void lower(int i, int j, int k, int side)
    {
        int& own = depth_[grid_.index(i, j, k)];
        if (grid_.inside[grid_.index(i, j, k)] == 0) return;
        int least = side < 0 ? 1 << 28 : own - 1;
        for (int n = 0; n < 13; ++n)
        {
            // The first 13 of the 27 offsets in the order of the sweep, mirrored on the way back.
            const int dx = side * -(n / 9 - 1), dy = side * -(n / 3 % 3 - 1), dz = side * -(n % 3 - 1);
            least = std::min(least, at(i + dx, j + dy, k + dz));
        }
        own = least + 1;
    }

    const CellGrid& grid_;
    std::vector<int> depth_;
};

class CellMerger
{
public:
    explicit CellMerger(const CellGrid& grid) : grid_(grid), depth_(grid) {}

    std::vector<MergedCells> merge()
    {
        const int longest = *std::max_element(grid_.counts.begin(), grid_.counts.end());
        int level = 0;
        while ((1 << level) < longest) ++level;
        visit({{0, 0, 0}, level});
        return std::move(cubes_);
    }

private:
    void visit(const MergedCells& cube)
    {
        const auto& [i, j, k] = cube.first;
        if (i >= grid_.counts[0] || j >= grid_.counts[1] || k >= grid_.counts[2]) return;
        const bool single = cube.level == 0;
        if (single ? depth_.at(i, j, k) > 0 : is_deep(cube))
        {
            cubes_.push_back(cube);
            return;
        }
        if (single) return;
        const int half = 1 << (cube.level - 1);
        for (int n = 0; n < 8; ++n)
            visit({{i + half * (n >> 2), j + half * (n >> 1 & 1), k + half * (n & 1)}, cube.level - 1});
    }

    /// Corners first: of most cubes that are refused, one of them is too shallow.
    bool is_deep(const MergedCells& cube) const
    {
        const int last = (1 << cube.level) - 1, wanted = 1 + (1 << (cube.level - 1));
        const auto& [i, j, k] = cube.first;
        for (int n = 0; n < 8; ++n)
            if (depth_.at(i + last * (n >> 2), j + last * (n >> 1 & 1), k + last * (n & 1)) < wanted) return false;
        for (int x = 0; x <= last; ++x)
            for (int y = 0; y <= last; ++y)
                for (int z = 0; z <= last; ++z)
                    if (depth_.at(i + x, j + y, k + z) < wanted) return false;
        return true;
    }

    const CellGrid& grid_;
    DepthMap depth_;
    std::vector<MergedCells> cubes_;
};

}  // namespace

std::vector<MergedCells> merge_cells(const CellGrid& grid) { return CellMerger(grid).merge(); }

}  // namespace rattleback
