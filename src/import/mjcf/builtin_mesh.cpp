// Icospheres, hemispheres, cones, superquadrics and sensor wedges, as MuJoCo makes them, and the list of all.
#include "import/mjcf/builtin_mesh.h"

#include "base/single.h"
#include "import/mjcf/builtin_grid.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

namespace rattleback::mjcf
{

namespace
{

using Numbers = std::vector<double>;

double raise(double base, double exponent) { return std::copysign(std::pow(std::abs(base), exponent), base); }

int whole(double number) { return static_cast<int>(number); }

/// The middle of two points, pushed out to the unit sphere: all in single precision, as MuJoCo does it.
Vec3 find_middle_on_sphere(const Vec3& a, const Vec3& b)
{
    const auto middle = [](double x, double y) { return (static_cast<float>(x) + static_cast<float>(y)) / 2.0F; };
    const float x = middle(a.x, b.x), y = middle(a.y, b.y), z = middle(a.z, b.z);
    const float length = std::sqrt(x * x + y * y + z * z);
    return {x / length, y / length, z / length};
}

/// An icosahedron whose triangles are cut into four, again and again, and pushed out to the unit sphere.
MeshOptions make_sphere(const Numbers& p)
{
    const double g = round_to_single((1 + std::sqrt(5.0)) / 2);
    MeshOptions mesh;
    for (const Vec3& v : {Vec3{-1, g, 0},
                          {1, g, 0},
                          {-1, -g, 0},
                          {1, -g, 0},
                          {0, -1, g},
                          {0, 1, g},
                          {0, -1, -g},
                          {0, 1, -g},
                          {g, 0, -1},
                          {g, 0, 1},
                          {-g, 0, -1},
                          {-g, 0, 1}})
    {
        const double length = std::sqrt(1 + round_to_single(g * g));
        mesh.vertices.push_back(
            {round_to_single(v.x / length), round_to_single(v.y / length), round_to_single(v.z / length)});
    }
    mesh.triangles = {{0, 11, 5},  {0, 5, 1},  {0, 1, 7},  {0, 7, 10}, {0, 10, 11}, {1, 5, 9}, {5, 11, 4},
                      {11, 10, 2}, {10, 7, 6}, {7, 1, 8},  {3, 9, 4},  {3, 4, 2},   {3, 2, 6}, {3, 6, 8},
                      {3, 8, 9},   {4, 9, 5},  {2, 4, 11}, {6, 2, 10}, {8, 6, 7},   {9, 8, 1}};
    for (int level = 0; level < whole(p[0]); ++level)
    {
        std::map<std::pair<int, int>, int> middles;  // of edges that were cut
        const auto cut = [&](int a, int b)
        {
            const auto [found, added] = middles.try_emplace(std::minmax(a, b), static_cast<int>(mesh.vertices.size()));
            if (added)
                mesh.vertices.push_back(find_middle_on_sphere(mesh.vertices[static_cast<std::size_t>(a)],
                                                              mesh.vertices[static_cast<std::size_t>(b)]));
            return found->second;
        };
        const auto old = std::move(mesh.triangles);
        mesh.triangles.clear();
        for (const auto& [a, b, c] : old)
        {
            const int ab = cut(a, b), bc = cut(b, c), ca = cut(c, a);
            for (const std::array<int, 3>& t : {std::array{a, ab, ca}, {b, bc, ab}, {c, ca, bc}, {ab, bc, ca}})
                mesh.triangles.push_back(t);
        }
    }
    return mesh;
}

/// The upper half of an octahedron of rings, pushed out to the unit sphere, closed by a disc.
MeshOptions make_hemisphere(const Numbers& p)
{
    const int rings = whole(p[0]) + 1;
    MeshOptions mesh;
    mesh.vertices.push_back({0, 0, 1});
    const auto first = [](int ring) { return ring == 0 ? 0 : 1 + 2 * ring * (ring - 1); };
    for (int ring = 1; ring <= rings; ++ring)
    {
        for (int i = 0; i < 4 * ring; ++i)
        {
            // Along a quarter the sum of the coordinates is the number of rings.
            const int quarter = i / ring, step = i % ring;
            const double along = ring - step, across = step;
            const Vec3 v = quarter == 0   ? Vec3{along, across, 0}
                           : quarter == 1 ? Vec3{-across, along, 0}
                           : quarter == 2 ? Vec3{-along, -across, 0}
                                          : Vec3{across, -along, 0};
            const Vec3 raised{v.x, v.y, static_cast<double>(rings - ring)};
            mesh.vertices.push_back((1 / norm(raised)) * raised);
        }
        for (int quarter = 0; quarter < 4; ++quarter)
        {
            const auto outer = [&](int step) { return first(ring) + (quarter * ring + step) % (4 * ring); };
            const auto inner = [&](int step)
            { return ring == 1 ? 0 : first(ring - 1) + (quarter * (ring - 1) + step) % (4 * (ring - 1)); };
            for (int step = 0; step < ring; ++step)
            {
                mesh.triangles.push_back({inner(step), outer(step), outer(step + 1)});
                if (step + 1 < ring) mesh.triangles.push_back({inner(step), outer(step + 1), inner(step + 1)});
            }
        }
    }
    const int centre = static_cast<int>(mesh.vertices.size());
    mesh.vertices.push_back({});
    for (int i = 0; i < 4 * rings; ++i)
        mesh.triangles.push_back({first(rings) + i, centre, first(rings) + (i + 1) % (4 * rings)});
    return mesh;
}

MeshOptions make_cone(const Numbers& p)
{
    const int count = whole(p[0]);
    const double top = p[1];
    MeshOptions mesh;
    const auto add_ring = [&](double radius, double z)
    {
        for (int i = 0; i < count; ++i)
        {
            const double angle = 2 * kPi * i / count;
            mesh.vertices.push_back({radius * std::cos(angle), radius * std::sin(angle), z});
        }
    };
    add_ring(1, -1);
    if (top > 0)
        add_ring(top, 1);
    else
        mesh.vertices.push_back({0, 0, 1});
    return mesh;
}

MeshOptions make_supersphere(const Numbers& p)
{
    const int n = whole(p[0]);
    const double east = p[1], north = p[2];
    MeshOptions mesh;
    mesh.vertices.push_back({0, 0, -1});
    for (int row = 1; row < n; ++row)
    {
        const double latitude = -kPi / 2 + kPi * row / n;
        const double radius = raise(std::cos(latitude), north), height = raise(std::sin(latitude), north);
        for (int i = 0; i < n; ++i)
        {
            const double longitude = -kPi + 2 * kPi * i / n;
            mesh.vertices.push_back(
                {radius * raise(std::cos(longitude), east), radius * raise(std::sin(longitude), east), height});
        }
    }
    const int top = static_cast<int>(mesh.vertices.size());
    mesh.vertices.push_back({0, 0, 1});
    const auto index = [&](int row, int i) { return 1 + (row - 1) * n + i % n; };
    for (int i = 0; i < n; ++i) mesh.triangles.push_back({0, index(1, i + 1), index(1, i)});
    for (int row = 1; row + 1 < n; ++row)
    {
        for (int i = 0; i < n; ++i)
        {
            mesh.triangles.push_back({index(row, i), index(row, i + 1), index(row + 1, i)});
            mesh.triangles.push_back({index(row, i + 1), index(row + 1, i + 1), index(row + 1, i)});
        }
    }
    for (int i = 0; i < n; ++i) mesh.triangles.push_back({index(n - 1, i), index(n - 1, i + 1), top});
    return mesh;
}

MeshOptions make_supertorus(const Numbers& p)
{
    const int n = whole(p[0]);
    MeshOptions mesh;
    for (int i = 0; i < n; ++i)
    {
        const double around = 2 * kPi * i / n;
        for (int j = 0; j < n; ++j)
        {
            const double along = 2 * kPi * j / n;
            const double radius = 1 + p[1] * raise(std::cos(along), p[2]);
            mesh.vertices.push_back({radius * raise(std::cos(around), p[3]), radius * raise(std::sin(around), p[3]),
                                     p[1] * raise(std::sin(along), p[2])});
        }
    }
    const auto index = [&](int i, int j) { return (i % n) * n + j % n; };
    for (int i = 0; i < n; ++i)
    {
        for (int j = 0; j < n; ++j)
        {
            mesh.triangles.push_back({index(i, j), index(i + 1, j), index(i, j + 1)});
            mesh.triangles.push_back({index(i + 1, j), index(i + 1, j + 1), index(i, j + 1)});
        }
    }
    return mesh;
}

MeshOptions make_wedge(const Numbers& p)
{
    MeshOptions mesh;
    for (int i = 0; i < whole(p[0]); ++i)
    {
        const double phi = find_cell_middle(i, whole(p[0]), p[4]) * p[2] * kDegree;
        for (int j = 0; j < whole(p[1]); ++j)
        {
            const double theta = find_cell_middle(j, whole(p[1]), p[4]) * p[3] * kDegree;
            mesh.vertices.push_back(
                {std::sin(phi) * std::cos(theta), std::sin(theta), -std::cos(phi) * std::cos(theta)});
        }
    }
    return mesh;
}

/// Is it a surface that bounds nothing?
bool is_sheet(std::string_view word, const Numbers& params)
{
    return word == "plate" || word == "square" || word == "disc" || (params.size() == 7 && params[6] == 2);
}

/// What a word takes: how many numbers, the bounds of each, and how many points come out at most.
struct Builtin
{
    const char* name;
    std::size_t least, most;                    ///< numbers
    std::vector<std::array<double, 2>> bounds;  ///< of the first of them
    std::size_t whole;                          ///< the first so many are whole numbers
    MeshOptions (*make)(const Numbers& params);
};

const std::vector<Builtin>& list_builtins()
{
    constexpr double kMost = 1000;  // points along one direction
    constexpr double kFar = 1e10;
    static const std::vector<Builtin> kList = {
        {"sphere", 1, 1, {{0, 4}}, 1, &make_sphere},
        {"hemisphere", 1, 1, {{0, 10}}, 1, &make_hemisphere},
        {"cone", 2, 2, {{3, kMost}, {0, 1}}, 1, &make_cone},
        {"supersphere", 3, 3, {{3, kMost}, {0, kFar}, {0, kFar}}, 1, &make_supersphere},
        {"supertorus", 4, 4, {{3, kMost}, {1e-9, 1}, {1e-9, kFar}, {1e-9, kFar}}, 1, &make_supertorus},
        {"wedge", 5, 5, {{1, kMost}, {1, kMost}, {1e-9, 180}, {1e-9, 90}, {0, 1}}, 2, &make_wedge},
        {"plate", 2, 2, {{2, kMost}, {2, kMost}}, 2, &make_plate},
        {"grid", 6, 7, {{1, 200}, {1, 200}, {1, 200}}, 3, &make_grid},
        {"square", 6, 6, {{2, 200}, {2, 200}, {1, 1}}, 3, [](const Numbers& p) { return make_flat_grid(p, false); }},
        {"disc", 6, 6, {{2, 200}, {2, 200}, {1, 1}}, 3, [](const Numbers& p) { return make_flat_grid(p, true); }},
        {"box", 6, 7, {{2, 200}, {2, 200}, {2, 200}}, 3, [](const Numbers& p) { return make_grid_skin(p, 0); }},
        {"cylinder", 6, 7, {{2, 200}, {2, 200}, {2, 200}}, 3, [](const Numbers& p) { return make_grid_skin(p, 2); }},
        {"ellipsoid", 6, 7, {{2, 200}, {2, 200}, {2, 200}}, 3, [](const Numbers& p) { return make_grid_skin(p, 3); }},
    };
    return kList;
}

/// What is wrong with the numbers; empty: nothing.
std::string find_fault(const Builtin& kind, const Numbers& params)
{
    if (params.size() < kind.least || params.size() > kind.most)
        return "takes " + std::to_string(kind.least) + " numbers in 'params'";
    for (std::size_t i = 0; i < kind.bounds.size(); ++i)
    {
        const bool good = params[i] >= kind.bounds[i][0] && params[i] <= kind.bounds[i][1];
        if (!good || (i < kind.whole && std::floor(params[i]) != params[i]))
            return "cannot have " + std::to_string(params[i]) + " as number " + std::to_string(i + 1) + " of 'params'";
    }
    if (params.size() == 7 && params[6] != 2 && params[6] != 3) return "is a surface (2) or a solid (3) by number 7";
    const bool flat = is_sheet(kind.name, params) && std::string_view(kind.name) == "grid";
    if (flat && (params[0] < 2 || params[1] < 2 || params[2] != 1)) return "that is flat has one layer of points";
    return {};
}

}  // namespace

std::optional<MeshOptions> make_builtin_mesh(const Element& asset, Log& log)
{
    const std::string word = asset.text("builtin");
    const std::vector<Builtin>& kinds = list_builtins();
    const auto kind = std::find_if(kinds.begin(), kinds.end(), [&](const Builtin& k) { return word == k.name; });
    if (kind == kinds.end())
    {
        log.fail(
            asset.find("builtin")->location, "there is no built-in mesh '" + word + "'",
            "sphere, hemisphere, cone, supersphere, supertorus, wedge, plate, grid, square, disc, box, cylinder or "
            "ellipsoid",
            ErrorCode::invalid_value);
        return std::nullopt;
    }
    const Numbers params = asset.numbers("params");
    if (const std::string fault = find_fault(*kind, params); !fault.empty())
    {
        log.fail(asset.find("builtin")->location, "the built-in mesh '" + word + "' " + fault, "",
                 ErrorCode::invalid_value);
        return std::nullopt;
    }
    MeshOptions mesh = kind->make(params);
    // Vertices are 32-bit numbers to MuJoCo.
    for (Vec3& v : mesh.vertices)
    {
        for (int k = 0; k < 3; ++k) v[k] = round_to_single(v[k]);
    }
    return mesh;
}

MeshMass find_builtin_rule(const Element& asset, MeshMass written)
{
    const std::string word = asset.text("builtin");
    if (word == "plate") return MeshMass::shell;  // whatever is written
    return written == MeshMass::legacy && is_sheet(word, asset.numbers("params")) ? MeshMass::shell : written;
}

}  // namespace rattleback::mjcf
