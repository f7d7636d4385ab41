// Sorts points into cells, finds what they enclose, and weighs it on several grids.
#include "geometry/packing/cloud_solid.h"

#include "geometry/bounds.h"

#include <algorithm>
#include <cmath>

namespace rattleback
{

namespace
{

Error make_cloud_error(std::string message, std::string hint)
{
    return {.code = ErrorCode::invalid_value, .where = "", .message = std::move(message), .hint = std::move(hint)};
}

Aabb find_point_bounds(std::span<const Vec3> points)
{
    Aabb bounds = kEmptyBox;
    for (const Vec3& p : points) bounds = merge(bounds, {p, p});
    return bounds;
}

double find_thinnest(const Aabb& bounds)
{
    const Vec3 extent = bounds.upper - bounds.lower;
    return std::min({extent.x, extent.y, extent.z});
}

/// What a cell of the grid is.
enum class Place : char
{
    unknown,
    outside,
    surface,
    inside,
};

/// A cloud on one grid: cells with points are the surface, what cannot be reached from the rim of the grid is inside.
class CloudGrid
{
public:
    /// `shift`: of the grid, in parts of a cell. Every `stride`-th point from `first` on.
    CloudGrid(std::span<const Vec3> points, double cell, const Vec3& shift, std::size_t first, std::size_t stride)
        : cell_(cell)
    {
        // Three empty cells around everything, so that the flood runs around it after widening by one.
        const Aabb bounds = find_point_bounds(points);
        lower_ = bounds.lower - cell * (Vec3{3, 3, 3} + shift);
        const Vec3 extent = bounds.upper - lower_;
        std::size_t count = 1;
        for (int k = 0; k < 3; ++k)
        {
            grid_.counts[static_cast<std::size_t>(k)] = static_cast<int>(extent[k] / cell) + 4;
            count *= static_cast<std::size_t>(grid_.counts[static_cast<std::size_t>(k)]);
        }
        place_.assign(count, Place::unknown);
        hits_.assign(count, 0);
        sum_.assign(count, {});
        for (std::size_t i = first; i < points.size(); i += stride) enter(points[i]);
        drop_stray_points();
        flood();
    }

    const CellGrid& cells() const { return grid_; }
    double inside_count() const { return static_cast<double>(std::count(place_.begin(), place_.end(), Place::inside)); }
    /// Pockets between the cells of an open surface are not an inside.
    bool encloses() const
    {
        const auto surface = static_cast<double>(std::count(place_.begin(), place_.end(), Place::surface));
        return inside_count() > 0.2 * surface;
    }
    Vec3 center_of(int i, int j, int k) const { return lower_ + cell_ * Vec3{i + 0.5, j + 0.5, k + 0.5}; }

    /// Mass, centre and inertia; a cell of the surface counts by the part of it that lies behind its points.
    MassProperties weigh(double density) const;
    /// Cells that are inside, or of the surface by more than half.
    CellGrid find_solid_cells() const;

private:
    /// The part of a surface cell that is solid, and where its middle is.
    struct Part
    {
        double fraction = 0;
        Vec3 middle;
    };

    void enter(const Vec3& p)
    {
        const Vec3 cells = (1 / cell_) * (p - lower_);
        const std::size_t n =
            grid_.index(static_cast<int>(cells.x), static_cast<int>(cells.y), static_cast<int>(cells.z));
        ++hits_[n];
        sum_[n] += p;
        place_[n] = Place::surface;
    }

    /// Cells with far fewer points than usual hold noise or the corner of what the next cell has.
    void drop_stray_points()
    {
        double total = 0, occupied = 0;
        for (const int n : hits_)
        {
            total += n;
            occupied += n > 0 ? 1 : 0;
        }
        const double least = 0.1 * total / std::max(1.0, occupied);
        for (std::size_t n = 0; n < hits_.size(); ++n)
            if (hits_[n] > 0 && hits_[n] < least) place_[n] = Place::unknown;
    }

    template <class Function>
    void each_neighbour(int i, int j, int k, Function function) const
    {
        for (int n = 0; n < 27; ++n)
        {
            const int x = i + n / 9 - 1, y = j + n / 3 % 3 - 1, z = k + n % 3 - 1;
            if (n == 13 || x < 0 || y < 0 || z < 0 || x >= grid_.counts[0] || y >= grid_.counts[1] ||
                z >= grid_.counts[2])
                continue;
            function(grid_.index(x, y, z), Vec3{1.0 * (x - i), 1.0 * (y - j), 1.0 * (z - k)});
        }
    }

    template <class Function>
    void each_cell(Function function) const
    {
        for (int i = 0; i < grid_.counts[0]; ++i)
            for (int j = 0; j < grid_.counts[1]; ++j)
                for (int k = 0; k < grid_.counts[2]; ++k) function(i, j, k, grid_.index(i, j, k));
    }

    void flood();
    Part find_part(int i, int j, int k) const;

    double cell_;
    Vec3 lower_;
    CellGrid grid_;  ///< counts alone
    std::vector<Place> place_;
    std::vector<int> hits_;  ///< [cell] points
    std::vector<Vec3> sum_;  ///< [cell] of its points
};

/// From the rim through everything that is at least one cell from the surface, then that one cell on: holes of two
/// cells do not let it in.
void CloudGrid::flood()
{
    std::vector<char> wall(place_.size(), 0);
    each_cell(
        [&](int i, int j, int k, std::size_t n)
        {
            if (place_[n] != Place::surface) return;
            wall[n] = 1;
            each_neighbour(i, j, k, [&](std::size_t m, const Vec3&) { wall[m] = 1; });
        });
    std::vector<std::array<int, 3>> front{{0, 0, 0}};
    place_[0] = Place::outside;
    while (!front.empty())
    {
        const auto [i, j, k] = front.back();
        front.pop_back();
        for (int d = 0; d < 6; ++d)
        {
            std::array<int, 3> next{i, j, k};
            const auto axis = static_cast<std::size_t>(d / 2);
            next[axis] += d % 2 == 0 ? 1 : -1;
            if (next[axis] < 0 || next[axis] >= grid_.counts[axis]) continue;
            const std::size_t n = grid_.index(next[0], next[1], next[2]);
            if (wall[n] != 0 || place_[n] != Place::unknown) continue;
            place_[n] = Place::outside;
            front.push_back(next);
        }
    }
    // The layer beside the surface: outside where it touches what was flooded.
    std::vector<std::size_t> layer;
    each_cell(
        [&](int i, int j, int k, std::size_t n)
        {
            if (place_[n] != Place::unknown) return;
            bool touches = false;
            each_neighbour(i, j, k,
                           [&](std::size_t m, const Vec3&) { touches = touches || place_[m] == Place::outside; });
            if (touches) layer.push_back(n);
        });
    for (const std::size_t n : layer) place_[n] = Place::outside;
    for (Place& place : place_)
        if (place == Place::unknown) place = Place::inside;
}

CloudGrid::Part CloudGrid::find_part(int i, int j, int k) const
{
    // Which way is in: from outside cells to inside ones around it.
    Vec3 inwards;
    each_neighbour(i, j, k,
                   [&](std::size_t m, const Vec3& away)
                   {
                       if (place_[m] == Place::inside) inwards += away;
                       if (place_[m] == Place::outside) inwards -= away;
                   });
    const std::size_t n = grid_.index(i, j, k);
    const Vec3 middle = center_of(i, j, k);
    int axis = 0;
    for (int a = 1; a < 3; ++a)
        if (std::abs(inwards[a]) > std::abs(inwards[axis])) axis = a;
    if (inwards[axis] == 0) return {0.5, middle};
    // The surface crosses the cell where its points are in the mean; noise averages out.
    const double mean = sum_[n][axis] / hits_[n];
    const double below = std::clamp((mean - middle[axis]) / cell_ + 0.5, 0.0, 1.0);
    Part part{inwards[axis] > 0 ? 1 - below : below, middle};
    part.middle[axis] += (inwards[axis] > 0 ? 0.5 : -0.5) * cell_ * (1 - part.fraction);
    return part;
}

MassProperties CloudGrid::weigh(double density) const
{
    std::vector<PackedSphere> cubes;
    each_cell(
        [&](int i, int j, int k, std::size_t n)
        {
            if (place_[n] == Place::inside) cubes.push_back({center_of(i, j, k), 0, 1});
            if (place_[n] != Place::surface) return;
            const Part part = find_part(i, j, k);
            if (part.fraction > 0) cubes.push_back({part.middle, 0, part.fraction});
        });
    MassProperties solid = point_mass_properties(cubes);
    // A cube's own moment is s^2 / 6 of its mass about any axis.
    for (int k = 0; k < 3; ++k) solid.inertia(k, k) += solid.mass * cell_ * cell_ / 6;
    const double scale = density * cell_ * cell_ * cell_;
    solid.mass *= scale;
    for (double& entry : solid.inertia.m) entry *= scale;
    return solid;
}

CellGrid CloudGrid::find_solid_cells() const
{
    CellGrid solid{grid_.counts, std::vector<char>(place_.size(), 0)};
    each_cell(
        [&](int i, int j, int k, std::size_t n)
        {
            const bool behind = place_[n] == Place::surface && find_part(i, j, k).fraction > 0.5;
            if (place_[n] == Place::inside || behind) solid.inside[n] = 1;
        });
    return solid;
}

/// Differences of two solids in the measures of CloudErrors.
CloudErrors find_difference(const MassProperties& a, const MassProperties& b)
{
    CloudErrors difference{std::abs(a.mass - b.mass), norm(a.center - b.center), 0};
    for (int k = 0; k < 9; ++k)
        difference.moment = std::max(difference.moment, std::abs(a.inertia.m[k] - b.inertia.m[k]));
    return difference;
}

CloudErrors find_largest(const CloudErrors& a, const CloudErrors& b)
{
    return {std::max(a.mass, b.mass), std::max(a.center, b.center), std::max(a.moment, b.moment)};
}

/// Standard deviation of points from the surface: their spread along the thinnest direction within cells of some size,
/// in the median over the cells.
double find_noise(std::span<const Vec3> points, const Aabb& bounds, double cell)
{
    using Index = std::array<std::int64_t, 3>;
    std::vector<std::pair<Index, std::size_t>> sorted;
    for (std::size_t i = 0; i < points.size(); ++i)
    {
        const Vec3 place = (1 / cell) * (points[i] - bounds.lower);
        sorted.push_back({{static_cast<std::int64_t>(place.x), static_cast<std::int64_t>(place.y),
                           static_cast<std::int64_t>(place.z)},
                          i});
    }
    std::sort(sorted.begin(), sorted.end());
    std::vector<double> spreads;
    std::vector<PackedSphere> own;
    for (std::size_t begin = 0; begin < sorted.size();)
    {
        own.clear();
        std::size_t end = begin;
        for (; end < sorted.size() && sorted[end].first == sorted[begin].first; ++end)
            own.push_back({points[sorted[end].second], 0, 1});
        begin = end;
        constexpr std::size_t kEnough = 8;
        if (own.size() < kEnough) continue;
        // Mean square along an axis: half the trace of the inertia less the moment about it.
        const MassProperties mass = point_mass_properties(own);
        const Vec3 moments = find_principal_axes(mass.inertia).moments;
        const double largest = std::max({moments.x, moments.y, moments.z});
        const double least = 0.5 * (moments.x + moments.y + moments.z) - largest;
        spreads.push_back(std::sqrt(std::max(0.0, least / mass.mass)));
    }
    if (spreads.empty()) return 0;
    std::nth_element(spreads.begin(), spreads.begin() + static_cast<std::ptrdiff_t>(spreads.size() / 2), spreads.end());
    return spreads[spreads.size() / 2];
}

/// Finest cell that still encloses a volume with half of the points and is four times as wide as the noise; 0: none.
double choose_cell(std::span<const Vec3> points, const Aabb& bounds, double noise)
{
    const double thinnest = find_thinnest(bounds);
    if (!(thinnest > 0)) return 0;
    double enclosed = 0, chosen = 0;
    for (double parts = 6; parts < 49; parts *= 1.25)
    {
        const double cell = thinnest / parts;
        if (chosen > 0 && cell < 4 * noise) break;
        const CloudGrid grid(points, cell, {}, 0, 2);
        // What leaks encloses far less than the coarser grid did.
        const double volume = grid.inside_count() * cell * cell * cell;
        if (!grid.encloses() || volume < 0.7 * enclosed) break;
        enclosed = volume;
        chosen = cell;
    }
    return chosen;
}

/// Four grids of all points, and two of every other point each.
CloudSolid measure_on_grids(std::span<const Vec3> points, double cell, double density)
{
    const std::array<Vec3, 4> shifts{{{0, 0, 0}, {0.5, 0.25, 0.75}, {0.25, 0.75, 0.5}, {0.75, 0.5, 0.25}}};
    std::vector<MassProperties> whole;
    for (const Vec3& shift : shifts) whole.push_back(CloudGrid(points, cell, shift, 0, 1).weigh(density));
    CloudSolid solid{.cell = cell};
    const double part = 1.0 / static_cast<double>(whole.size());
    for (const MassProperties& one : whole)
    {
        solid.mass.mass += part * one.mass;
        solid.mass.center += part * one.center;
        for (int k = 0; k < 9; ++k) solid.mass.inertia.m[k] += part * one.inertia.m[k];
    }
    for (const MassProperties& one : whole) solid.error = find_largest(solid.error, find_difference(one, solid.mass));
    for (const std::size_t first : {0U, 1U})
    {
        const MassProperties half = CloudGrid(points, cell, {}, first, 2).weigh(density);
        solid.error = find_largest(solid.error, find_difference(half, whole[0]));
    }
    return solid;
}

}  // namespace

Result<CloudSolid> measure_cloud(std::span<const Vec3> points, const CloudOptions& options)
{
    constexpr std::size_t kFewest = 100;
    if (points.size() < kFewest)
        return make_cloud_error("a cloud of " + std::to_string(points.size()) + " points is no surface",
                                "use at least " + std::to_string(kFewest));
    for (const Vec3& p : points)
        if (!std::isfinite(p.x) || !std::isfinite(p.y) || !std::isfinite(p.z))
            return make_cloud_error("a point that is not finite", "remove it");
    std::vector<Vec3> all(points.begin(), points.end());
    double depth_error = 0;
    if (options.view)
    {
        Result<std::vector<Vec3>> completed = complete_cloud(points, *options.view, &depth_error);
        if (!completed.ok()) return completed.errors();
        all = std::move(completed).value();
    }
    const Aabb bounds = find_point_bounds(all);
    const Vec3 extent = bounds.upper - bounds.lower;
    const double size = find_thinnest(bounds);
    const double noise = size > 0 ? find_noise(all, bounds, size / 12) : 0;
    const double cell = options.cell > 0 ? options.cell : choose_cell(all, bounds, noise);
    const auto make_open_error = [&]
    {
        return make_cloud_error("the points do not enclose anything",
                                options.view ? "use larger cells, or more points"
                                             : "use larger cells or more points, or say from where they were seen");
    };
    if (!(cell > 0)) return make_open_error();
    if (extent.x / cell * (extent.y / cell) * (extent.z / cell) > static_cast<double>(options.most_cells))
        return Error{ErrorCode::limit, "", "cells so small are too many", "use larger cells"};
    const CloudGrid grid(all, cell, {}, 0, 1);
    if (!grid.encloses()) return make_open_error();

    CloudSolid solid = measure_on_grids(all, cell, options.density);
    // What no other grid would say: edges and curves within a cell, a part (s / L)^2 of everything; a surface that
    // noise of standard deviation n has moved by as much (n A / V, 6 n / L for a cube); the depth of the middle in
    // which a one-sided cloud was mirrored.
    const double blur = cell / size * (cell / size) + (6 * noise + 2 * depth_error) / size;
    double largest = 0;
    for (const double entry : solid.mass.inertia.m) largest = std::max(largest, std::abs(entry));
    solid.error.mass = 2 * solid.error.mass + blur * solid.mass.mass;
    solid.error.center = 2 * solid.error.center + cell * cell / size + noise + depth_error;
    solid.error.moment = 2 * solid.error.moment + 2 * blur * largest;

    for (const MergedCells& cube : merge_cells(grid.find_solid_cells()))
    {
        const int last = (1 << cube.level) - 1;
        const auto& [i, j, k] = cube.first;
        const double side = last + 1;
        const Vec3 middle = 0.5 * (grid.center_of(i, j, k) + grid.center_of(i + last, j + last, k + last));
        solid.spheres.push_back({middle, 0.5 * side * cell, side * side * side});
    }
    const Status weighed = weigh_exactly(solid.mass, solid.spheres);
    if (!weighed.ok()) return weighed.errors();
    return solid;
}

}  // namespace rattleback
