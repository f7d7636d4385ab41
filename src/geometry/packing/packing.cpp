// Packings of primitives and points, and of everything that can say whether a point is inside.
#include "geometry/packing/packing.h"

#include "geometry/bounds.h"
#include "geometry/mesh_mass.h"
#include "math/elementary.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace rattleback
{

namespace
{

using Spheres = std::vector<PackedSphere>;

std::string millimetres(double metres)
{
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), "%.4g mm", 1000 * metres);
    return text.data();
}

Error make_error(ErrorCode code, std::string message, std::string hint)
{
    return {.code = code, .where = "", .message = std::move(message), .hint = std::move(hint)};
}

// [PBD-R] section IV-B: boxes and rods have packings of their own, everything else keeps the centres of a grid that lie
// inside. Spheres of one shape do not overlap, so that their number says something about its volume.

/// Positions of `count` spheres between two faces, the outer ones touching them.
std::vector<double> spread(double half, double radius, int count)
{
    std::vector<double> places;
    // The outer ones touch the faces, the others are spread evenly.
    for (int i = 0; i < count; ++i)
        // One alone stands in the middle.
        places.push_back(count == 1 ? 0.0 : -(half - radius) + 2 * (half - radius) * i / (count - 1));
    return places;
}

std::optional<Error> check_count(double count, double radius, const PackOptions& options)
{
    // Counted as a double before anything is allocated: a tiny radius would ask for more than memory.
    if (count <= static_cast<double>(options.most)) return std::nullopt;
    std::array<char, 160> text{};
    std::snprintf(text.data(), text.size(), "spheres of radius %.4g mm would be %.3g, more than %lld", 1000 * radius,
                  count, static_cast<long long>(options.most));
    // The number falls with the cube of the radius.
    // A hint that would have worked, not only that it did not.
    const double wanted = radius * power(count / static_cast<double>(options.most), 1.0 / 3);
    return make_error(ErrorCode::limit, text.data(),
                      "use a radius of " + millimetres(wanted) + " or more, or fewer spheres across");
}

/// One sphere for every cube of cells, at the mean of their centres and with their share of the mass.
template <class Center>
Spheres merge_spheres(const CellGrid& grid, double radius, Center center)
{
    Spheres spheres;
    for (const MergedCells& cube : merge_cells(grid))
    {
        const int last = (1 << cube.level) - 1;
        const auto& [i, j, k] = cube.first;
        // Cells stand in rows: the mean of a cube's centres is that of two opposite corners.
        const Vec3 middle = 0.5 * (center(i, j, k) + center(i + last, j + last, k + last));
        const double side = last + 1;
        spheres.push_back({middle, side * radius, side * side * side});
    }
    return spheres;
}

Result<Spheres> pack_box(const Vec3& half, const PackOptions& options)
{
    const double thinnest = std::min({half.x, half.y, half.z});
    // The radius of spheres that stand side by side across the thinnest side.
    const double radius = options.radius > 0 ? options.radius : thinnest / options.across;
    // A little more than half the side is rounding of the user's numbers.
    if (radius > thinnest * (1 + 1e-9))
        return make_error(
            ErrorCode::invalid_value,
            "a box " + millimetres(2 * thinnest) + " thin holds no sphere of radius " + millimetres(radius),
            "use a radius of at most " + millimetres(thinnest));
    std::array<double, 3> counts{};
    // As many as fit along each side; what is left over is shared out between them.
    for (int k = 0; k < 3; ++k) counts[static_cast<std::size_t>(k)] = std::floor(half[k] / radius * (1 + 1e-9));
    if (auto error = check_count(counts[0] * counts[1] * counts[2], radius, options)) return *error;
    std::array<std::vector<double>, 3> places;
    for (int k = 0; k < 3; ++k)
    {
        // Places along each axis; the grid is their product.
        const auto i = static_cast<std::size_t>(k);
        places[i] = spread(half[k], radius, static_cast<int>(counts[i]));
    }
    if (options.graded)
    {
        const auto count = [&](std::size_t k) { return static_cast<int>(places[k].size()); };
        CellGrid grid{{count(0), count(1), count(2)}, {}};
        grid.inside.assign(places[0].size() * places[1].size() * places[2].size(), 1);
        return merge_spheres(grid, radius,
                             [&](int i, int j, int k)
                             {
                                 const auto at = [&](std::size_t axis, int n)
                                 { return places[axis][static_cast<std::size_t>(n)]; };
                                 return Vec3{at(0, i), at(1, j), at(2, k)};
                             });
    }
    Spheres spheres;
    spheres.reserve(places[0].size() * places[1].size() * places[2].size());
    // A cubic lattice over the whole box.
    for (const double x : places[0])
        for (const double y : places[1])
            for (const double z : places[2]) spheres.push_back({{x, y, z}, radius, 1});
    return spheres;
}

/// A row along z from end to end, one sphere wide ([PBD-R] section IV-B): floor(length / diameter) spheres.
Result<Spheres> pack_chain(double radius, double half_length, const PackOptions& options)
{
    // A rod shorter than one diameter still has one sphere.
    const double count = std::max(1.0, std::floor(half_length / radius * (1 + 1e-9)));
    if (auto error = check_count(count, radius, options)) return *error;
    Spheres spheres;
    for (const double z : spread(half_length, radius, static_cast<int>(count)))
        spheres.push_back({{0, 0, z}, radius, 1});
    return spheres;
}

/// Grid of centres over a box: the first at r from the lower corner, spacing 2r.
struct CenterGrid
{
    Vec3 lower;
    double radius;
    std::array<int, 3> counts{};
};

Result<CenterGrid> make_center_grid(const Aabb& bounds, const PackOptions& options)
{
    const Vec3 extent = bounds.upper - bounds.lower;
    // The thinnest side holds `across` diameters.
    const double thinnest = std::min({extent.x, extent.y, extent.z});
    CenterGrid grid{.lower = {}, .radius = options.radius > 0 ? options.radius : 0.5 * thinnest / options.across};
    const double r = grid.radius;
    // The first centre at one radius from the corner, spacing one diameter.
    grid.lower = bounds.lower + Vec3{r, r, r};
    double count = 1;
    std::array<double, 3> counts{};
    // Rounded up: centres beyond the far side are tested and left out.
    // Counts as doubles until they are known to be few.
    for (int k = 0; k < 3; ++k) count *= counts[static_cast<std::size_t>(k)] = std::ceil(extent[k] / (2 * r));
    if (auto error = check_count(count, r, options)) return *error;
    for (std::size_t k = 0; k < 3; ++k) grid.counts[k] = static_cast<int>(counts[k]);
    return grid;
}

Error make_thin_error(double radius, const Vec3& extent)
{
    return make_error(ErrorCode::invalid_value,
                      "no sphere of radius " + millimetres(radius) + " has its centre inside (" +
                          millimetres(extent.x) + " x " + millimetres(extent.y) + " x " + millimetres(extent.z) + ")",
                      "use a smaller radius, or more spheres across");
}

template <class Inside>
Result<Spheres> pack_inside(const Aabb& bounds, const PackOptions& options, Inside inside)
{
    const Result<CenterGrid> made = make_center_grid(bounds, options);
    if (!made.ok()) return made.errors();
    const CenterGrid& grid = made.value();
    const double r = grid.radius;
    const auto place = [&](int i, int j, int k) { return grid.lower + Vec3{2 * r * i, 2 * r * j, 2 * r * k}; };
    Spheres spheres;
    CellGrid cells{grid.counts, {}};
    for (int i = 0; i < grid.counts[0]; ++i)
        for (int j = 0; j < grid.counts[1]; ++j)
            for (int k = 0; k < grid.counts[2]; ++k)
            {
                const Vec3 center = place(i, j, k);
                const bool in = inside(center);
                if (options.graded) cells.inside.push_back(in ? 1 : 0);
                if (in && !options.graded) spheres.push_back({center, r, 1});
            }
    if (options.graded) spheres = merge_spheres(cells, r, place);
    // A plate thinner than the grid's spacing may pass between all centres.
    if (spheres.empty()) return make_thin_error(r, bounds.upper - bounds.lower);
    return spheres;
}

bool is_inside_primitive(ShapeType type, const Vec3& size, const Vec3& p)
{
    const double aside = p.x * p.x + p.y * p.y;
    // [PBD-R] keeps the candidates whose centres are inside, also where their spheres stick out.
    if (type == ShapeType::cylinder) return aside <= size.x * size.x && std::abs(p.z) <= size.y;
    if (type == ShapeType::capsule)
    {
        // Distance from the segment: aside, and beyond its ends.
        const double beyond = std::max(0.0, std::abs(p.z) - size.y);
        return aside + beyond * beyond <= size.x * size.x;
    }
    // In coordinates divided by the radii.
    const Vec3 scaled{p.x / size.x, p.y / size.y, p.z / size.z};
    return dot(scaled, scaled) <= 1;
}

bool is_inside_hull(const Polyhedron& hull, const Vec3& p)
{
    // Below every face.
    for (std::size_t f = 0; f < hull.face_normal.size(); ++f)
    {
        if (dot(hull.face_normal[f], p) > hull.face_offset[f]) return false;
    }
    return true;
}

/// A round primitive as a grid of spheres. Those that would stick out are drawn towards its middle until they touch the
/// surface from inside; spheres of one body may overlap.
Result<Spheres> pack_drawn_in(ShapeType type, const Vec3& size, const PackOptions& options)
{
    const bool ball = type == ShapeType::sphere;
    const double half = ball ? 0 : size.y;  // of the straight part, along z
    const double end = type == ShapeType::cylinder ? 0 : size.x;
    const Vec3 corner{size.x, size.x, half + end};
    const Vec3 as_capsule{size.x, half, 0};
    const ShapeType solid = ball ? ShapeType::capsule : type;
    Result<Spheres> packed = pack_inside({-corner, corner}, options,
                                         [&](const Vec3& p) { return is_inside_primitive(solid, as_capsule, p); });
    if (!packed.ok()) return packed;
    for (PackedSphere& s : packed.value())
    {
        // A capsule is what lies within its radius of a segment, a cylinder what lies within it of an axis.
        const double reach = half + (type == ShapeType::cylinder ? -s.radius : 0.0);
        const double limit = std::max(0.0, reach);
        const Vec3 on_axis{0, 0, std::clamp(s.center.z, -limit, limit)};
        Vec3 away = s.center - on_axis;
        if (type == ShapeType::cylinder) away.z = 0;
        const double distance = norm(away), room = std::max(0.0, size.x - s.radius);
        s.center = on_axis + (distance > room ? room / distance : 1.0) * away;
    }
    return packed;
}

Aabb find_vertex_bounds(const std::vector<Vec3>& vertices)
{
    Aabb bounds = kEmptyBox;
    for (const Vec3& v : vertices) bounds = merge(bounds, {v, v});
    return bounds;
}

Result<Spheres> pack_mesh(const MeshOptions& mesh, const PackOptions& options)
{
    // Winding numbers need a closed mesh.
    if (auto error = find_mesh_error(mesh)) return *error;
    // An open mesh has no inside.
    if (auto error = find_open_edge(mesh)) return *error;
    const Aabb bounds = find_vertex_bounds(mesh.vertices);
    const Result<CenterGrid> made = make_center_grid(bounds, options);
    if (!made.ok()) return made.errors();
    const CenterGrid& grid = made.value();
    Spheres spheres;
    CellGrid cells{grid.counts, {}};
    if (options.graded)
    {
        const auto size = [&](std::size_t k) { return static_cast<std::size_t>(grid.counts[k]); };
        cells.inside.assign(size(0) * size(1) * size(2), 0);
    }
    for (const Vec3& center : find_centers_inside(mesh, grid.lower, 2 * grid.radius, grid.counts))
    {
        if (!options.graded)
        {
            spheres.push_back({center, grid.radius, 1});
            continue;
        }
        const Vec3 steps = (0.5 / grid.radius) * (center - grid.lower);
        const auto step = [&](int k) { return static_cast<int>(std::lround(steps[k])); };
        cells.inside[cells.index(step(0), step(1), step(2))] = 1;
    }
    if (options.graded)
    {
        const double d = 2 * grid.radius;
        spheres = merge_spheres(cells, grid.radius,
                                [&](int i, int j, int k) { return grid.lower + Vec3{d * i, d * j, d * k}; });
    }
    if (spheres.empty()) return make_thin_error(grid.radius, bounds.upper - bounds.lower);
    return spheres;
}

/// One sphere for every occupied cell, at the mean of its points.
Result<Spheres> pack_points(const MeshOptions& mesh, const PackOptions& options)
{
    if (auto error = find_mesh_error(mesh)) return *error;
    if (mesh.vertices.empty())
        return make_error(ErrorCode::invalid_value, "a point cloud without points", "add vertices");
    const Aabb bounds = find_vertex_bounds(mesh.vertices);
    const Vec3 extent = bounds.upper - bounds.lower;
    const double r =
        options.radius > 0 ? options.radius : 0.5 * std::min({extent.x, extent.y, extent.z}) / options.across;
    // A flat cloud has no thinnest side to divide.
    if (!(r > 0))
        return make_error(ErrorCode::invalid_value, "the point cloud is flat, so that `across` gives no radius",
                          "set radius");
    struct Cell
    {
        std::array<std::int64_t, 3> index;
        Vec3 point;
    };
    // Cells of one diameter, sorted: points of one cell follow each other.
    std::vector<Cell> cells;
    for (const Vec3& p : mesh.vertices)
    {
        Cell cell{{}, p};
        for (int k = 0; k < 3; ++k)
            cell.index[static_cast<std::size_t>(k)] =
                // Cells by integer division from the lower corner; huge quotients are cut, not wrapped.
                static_cast<std::int64_t>(std::floor(std::min((p[k] - bounds.lower[k]) / (2 * r), 1e15)));
        cells.push_back(cell);
    }
    std::stable_sort(cells.begin(), cells.end(), [](const Cell& a, const Cell& b) { return a.index < b.index; });
    Spheres spheres;
    // One sphere per cell, at the mean of its points: noise averages out.
    for (std::size_t begin = 0; begin < cells.size();)
    {
        std::size_t end = begin;
        Vec3 sum;
        for (; end < cells.size() && cells[end].index == cells[begin].index; ++end) sum += cells[end].point;
        spheres.push_back({(1 / static_cast<double>(end - begin)) * sum, r, 1});
        begin = end;
    }
    if (auto error = check_count(static_cast<double>(spheres.size()), r, options)) return *error;
    return spheres;
}

}  // namespace

Result<std::vector<PackedSphere>> pack_shape(const PackedShape& shape, const PackOptions& options)
{
    const Vec3& size = shape.size;
    // Radius and across cannot both be missing.
    const bool bad_radius = !std::isfinite(options.radius) || options.radius < 0;
    if (bad_radius || options.across < 1 || (options.radius == 0 && options.across == 0))
        return make_error(ErrorCode::invalid_value, "a packing needs a positive radius or at least one sphere across",
                          "set radius [m], or across");
    switch (shape.type)
    {
        case ShapeType::sphere:
            if (options.grids) return pack_drawn_in(shape.type, size, options);
            return Spheres{{{}, size.x, 1}};
        case ShapeType::box:
            return pack_box(size, options);
        case ShapeType::capsule:
        case ShapeType::cylinder:
        {
            if (options.grids) return pack_drawn_in(shape.type, size, options);
            // A capsule's chain reaches to the tips of its caps.
            const double end = shape.type == ShapeType::capsule ? size.x : 0;
            // Long ones become a chain; short ones are filled by a grid.
            if (options.chains && size.y + end >= 2 * size.x) return pack_chain(size.x, size.y + end, options);
            const Vec3 corner{size.x, size.x, size.y + end};
            return pack_inside({-corner, corner}, options,
                               [&](const Vec3& p) { return is_inside_primitive(shape.type, size, p); });
        }
        case ShapeType::ellipsoid:
            return pack_inside({-size, size}, options,
                               [&](const Vec3& p) { return is_inside_primitive(shape.type, size, p); });
        case ShapeType::hull:
            if (shape.hull->vertices.empty()) break;  // it collides with nothing, so nobody made its hull
            return pack_inside(find_vertex_bounds(shape.hull->vertices), options,
                               [&](const Vec3& p) { return is_inside_hull(*shape.hull, p); });
        case ShapeType::mesh:
            // Meshes have winding numbers, which concave solids need.
            return pack_mesh(*shape.mesh, options);
        case ShapeType::points:
            return pack_points(*shape.mesh, options);
        case ShapeType::plane:
        case ShapeType::height_field:
        case ShapeType::segments:
        case ShapeType::surface:
            break;
    }
    return make_error(ErrorCode::unsupported, std::string("a ") + to_string(shape.type) + " has no inside to pack",
                      "give the body solids, or make it fixed or kinematic");
}

MassProperties point_mass_properties(const std::vector<PackedSphere>& spheres)
{
    // First the centre, then moments about it.
    MassProperties sum;
    for (const PackedSphere& s : spheres)
    {
        sum.mass += s.mass;
        // Mass-weighted mean.
        sum.center += s.mass * s.center;
    }
    sum.center = (1 / sum.mass) * sum.center;
    // Inertia of points about their centre: the spheres' own is left out.
    for (const PackedSphere& s : spheres)
    {
        const Vec3 r = s.center - sum.center;
        const double squared = dot(r, r);
        for (int i = 0; i < 3; ++i)
            for (int j = 0; j < 3; ++j) sum.inertia(i, j) += s.mass * ((i == j ? squared : 0) - r[i] * r[j]);
    }
    return sum;
}

}  // namespace rattleback
