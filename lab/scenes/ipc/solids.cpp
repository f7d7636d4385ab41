// Meshes by formula.
#include "lab/scenes/ipc/solids.h"

#include "base/index.h"
#include "import/meshes/polygon.h"
#include "math/elementary.h"
#include "math/rotation.h"

namespace rattleback::lab
{

namespace
{

constexpr double kTau = 6.283185307179586;

/// Joins two rows of equal length, each closed to a circle, by triangles; counter-clockwise seen from the left of the
/// way from the first row to the second.
void join_rows(int first, int second, int count, MeshOptions& mesh)
{
    for (int i = 0; i < count; ++i)
    {
        const int next = (i + 1) % count;
        mesh.triangles.push_back({first + i, first + next, second + next});
        mesh.triangles.push_back({first + i, second + next, second + i});
    }
}

/// A point on the axis joined to a row; `up`: it closes the top.
void close_row(int row, int count, const Vec3& tip, bool up, MeshOptions& mesh)
{
    const int apex = static_cast<int>(mesh.vertices.size());
    mesh.vertices.push_back(tip);
    for (int i = 0; i < count; ++i)
    {
        const int a = row + i, b = row + (i + 1) % count;
        mesh.triangles.push_back(up ? std::array{a, b, apex} : std::array{b, a, apex});
    }
}

Vec3 on_circle(double radius, double fraction, double height)
{
    double s = 0, c = 0;
    sincos(kTau * fraction, s, c);
    return {radius * c, radius * s, height};
}

/// Rows of a surface given by its radius, from the lowest; the number of the first vertex.
int add_rows(const std::function<double(double, double)>& radius, const ShaftGrid& grid, MeshOptions& mesh)
{
    const int first = static_cast<int>(mesh.vertices.size());
    for (int j = 0; j <= grid.along; ++j)
    {
        const double z = grid.low + (grid.high - grid.low) * j / grid.along;
        for (int i = 0; i < grid.around; ++i)
        {
            const double turn = static_cast<double>(i) / grid.around;
            mesh.vertices.push_back(on_circle(radius(turn, z), turn, z));
        }
    }
    return first;
}

}  // namespace

std::vector<Corner> make_circle(double radius, int around, double angle)
{
    std::vector<Corner> corners;
    for (int i = 0; i < around; ++i)
    {
        const Vec3 v = on_circle(radius, angle / kTau + static_cast<double>(i) / around, 0);
        corners.push_back({v.x, v.y});
    }
    return corners;
}

MeshOptions make_prism(const std::vector<Corner>& polygon, double low, double high)
{
    MeshOptions mesh;
    std::vector<Vec3> flat;
    for (const auto& [x, y] : polygon) flat.push_back({x, y, 0});
    std::vector<std::array<int, 3>> cap;
    std::uint64_t work = 100'000'000;
    cut_polygon(flat, cap, work);
    const int count = static_cast<int>(polygon.size());
    for (const double z : {low, high})
        for (const auto& [x, y] : polygon) mesh.vertices.push_back({x, y, z});
    for (const auto& [a, b, c] : cap)
    {
        mesh.triangles.push_back({a, c, b});
        mesh.triangles.push_back({count + a, count + b, count + c});
    }
    join_rows(0, count, count, mesh);
    return mesh;
}

MeshOptions make_ring(double inner, double outer, int around, double low, double high)
{
    MeshOptions mesh;
    for (const auto& [radius, z] : {Corner{outer, low}, {outer, high}, {inner, high}, {inner, low}})
        for (int i = 0; i < around; ++i) mesh.vertices.push_back(on_circle(radius, static_cast<double>(i) / around, z));
    for (int row = 0; row < 4; ++row) join_rows(row * around, (row + 1) % 4 * around, around, mesh);
    return mesh;
}

MeshOptions make_loop(const std::function<Vec3(double)>& center, double radius, int along, int around)
{
    MeshOptions mesh;
    for (int j = 0; j < along; ++j)
    {
        const double s = static_cast<double>(j) / along, h = 1e-4;
        const Vec3 ahead = center(s + h), behind = center(s - h);
        const Vec3 along_curve = make_unit(ahead - behind);
        const Vec3 side{along_curve.y, -along_curve.x, 0};  // outward of a curve that turns left
        for (int i = 0; i < around; ++i)
        {
            const Vec3 v = on_circle(radius, (i + 0.5) / around, 0);
            mesh.vertices.push_back(center(s) + v.x * side + Vec3{0, 0, v.y});
        }
    }
    // Seen along the curve the section turns from outward to up, that is clockwise: rows are joined backwards.
    for (int j = 0; j < along; ++j) join_rows((j + 1) % along * around, j * around, around, mesh);
    return mesh;
}

MeshOptions make_link(double bend, double straight, double wire, int along, int around)
{
    const double arc = kTau / 2 * bend, length = 2 * (arc + straight);
    // The middle of either bend is the middle of a straight piece: what hangs there rests on it, not in a corner.
    const double middle = (straight + arc / 2) / length * along, shift = (middle - std::floor(middle) - 0.5) / along;
    const auto center = [=](double s)
    {
        double way = (s + shift - std::floor(s + shift)) * length;
        const double side = way < length / 2 ? 1 : -1;  // the second half is the first, turned by half a turn
        if (side < 0) way -= length / 2;
        Vec3 place;
        if (way < straight)
            place = {way - straight / 2, -bend, 0};
        else
            place = on_circle(bend, (way - straight) / arc / 2 - 0.25, 0) + Vec3{straight / 2, 0, 0};
        return side * place;
    };
    return make_loop(center, wire, along, around);
}

MeshOptions make_lathe(const std::vector<Corner>& profile, int around)
{
    MeshOptions mesh;
    int rows = 0;
    for (const auto& [radius, z] : profile)
    {
        if (radius == 0) continue;
        for (int i = 0; i < around; ++i) mesh.vertices.push_back(on_circle(radius, static_cast<double>(i) / around, z));
        if (rows++ > 0) join_rows((rows - 2) * around, (rows - 1) * around, around, mesh);
    }
    close_row(0, around, {0, 0, profile.front()[1]}, false, mesh);
    close_row((rows - 1) * around, around, {0, 0, profile.back()[1]}, true, mesh);
    return mesh;
}

MeshOptions make_shaft(const std::function<double(double, double)>& radius, const ShaftGrid& grid)
{
    MeshOptions mesh;
    add_rows(radius, grid, mesh);
    for (int j = 0; j < grid.along; ++j) join_rows(j * grid.around, (j + 1) * grid.around, grid.around, mesh);
    close_row(0, grid.around, {0, 0, grid.low}, false, mesh);
    close_row(grid.along * grid.around, grid.around, {0, 0, grid.high}, true, mesh);
    return mesh;
}

MeshOptions make_sleeve(const std::function<double(double, double)>& radius, double outer, const ShaftGrid& grid)
{
    MeshOptions mesh;
    add_rows(radius, grid, mesh);
    // The inside looks inward; its edges run as those of the shaft do.
    for (int j = 0; j < grid.along; ++j)
        for (int i = 0; i < grid.around; ++i)
        {
            const int next = (i + 1) % grid.around, low = j * grid.around, high = low + grid.around;
            mesh.triangles.push_back({low + i, high + next, low + next});
            mesh.triangles.push_back({low + i, high + i, high + next});
        }
    const int below = static_cast<int>(mesh.vertices.size());
    for (const double z : {grid.low, grid.high})
        for (int i = 0; i < grid.around; ++i)
            mesh.vertices.push_back(on_circle(outer, static_cast<double>(i) / grid.around, z));
    const int above = below + grid.around;
    join_rows(below, above, grid.around, mesh);
    join_rows(above, grid.along * grid.around, grid.around, mesh);
    join_rows(0, below, grid.around, mesh);
    return mesh;
}

MeshOptions make_spike(double half, double height)
{
    MeshOptions mesh;
    mesh.vertices = {
        {0, 0, 0}, {-half, -half, height}, {half, -half, height}, {half, half, height}, {-half, half, height}};
    mesh.triangles = {{0, 2, 1}, {0, 3, 2}, {0, 4, 3}, {0, 1, 4}, {1, 2, 3}, {1, 3, 4}};
    return mesh;
}

MeshOptions make_wedge(double half, double height, double length)
{
    MeshOptions mesh;
    const double y = length / 2;
    mesh.vertices = {{0, -y, 0},         {0, y, 0},         {-half, -y, height},
                     {half, -y, height}, {half, y, height}, {-half, y, height}};
    mesh.triangles = {{0, 3, 2}, {1, 5, 4}, {0, 1, 4}, {0, 4, 3}, {1, 0, 2}, {1, 2, 5}, {2, 3, 4}, {2, 4, 5}};
    return mesh;
}

MeshOptions make_point_cloud(double radius, int count)
{
    constexpr double kGolden = 0.6180339887498949;
    MeshOptions mesh;
    for (int i = 0; i < count; ++i)
    {
        const double z = 1 - (2 * i + 1.0) / count;
        mesh.vertices.push_back(
            on_circle(radius * std::sqrt(1 - z * z), kGolden * i - std::floor(kGolden * i), radius * z));
    }
    return mesh;
}

}  // namespace rattleback::lab
