// Vertex clustering: cells that hold vertices become vertices.
#include "lab/render/simplify.h"

#include "base/index.h"

#include <algorithm>
#include <unordered_map>

namespace rattleback::lab
{

namespace
{

/// The box around all vertices.
std::array<Vec3, 2> find_box(const Drawing& drawing)
{
    if (drawing.vertices.empty()) return {};
    Vec3 low = drawing.vertices[0], high = low;
    for (const Vec3& v : drawing.vertices)
    {
        low = {std::min(low.x, v.x), std::min(low.y, v.y), std::min(low.z, v.z)};
        high = {std::max(high.x, v.x), std::max(high.y, v.y), std::max(high.z, v.z)};
    }
    return {low, high};
}

/// Sums of the vectors that share a key, made means by `divide`; keys get numbers in order of appearance.
struct Clusters
{
    std::unordered_map<std::uint64_t, std::uint32_t> numbers;
    std::vector<Vec3> sum;
    std::vector<double> count;

    std::uint32_t add(std::uint64_t key, const Vec3& vector)
    {
        const auto [entry, is_new] = numbers.try_emplace(key, static_cast<std::uint32_t>(sum.size()));
        if (is_new)
        {
            sum.push_back({});
            count.push_back(0);
        }
        sum[entry->second] += vector;
        count[entry->second] += 1;
        return entry->second;
    }
    Vec3 mean(std::uint32_t number) const { return 1 / count[number] * sum[number]; }
};

/// The octant of a direction as three bits.
std::uint64_t find_octant(const Vec3& n) { return (n.x < 0 ? 1U : 0U) | (n.y < 0 ? 2U : 0U) | (n.z < 0 ? 4U : 0U); }

}  // namespace

double find_diagonal(const Drawing& drawing)
{
    const auto [low, high] = find_box(drawing);
    return norm(high - low);
}

Drawing cluster(const Drawing& drawing, double cell)
{
    constexpr double kMaxCells = 1 << 20;  // along an axis: three numbers of 20 bits and an octant make a key
    const Vec3 low = find_box(drawing)[0];
    const auto number = [&](double x) { return static_cast<std::uint64_t>(std::min(x / cell, kMaxCells - 1)); };
    Clusters places, normals;  // one place per cell, and in it one normal per octant
    std::vector<std::uint32_t> place_of, normal_of;
    for (std::size_t i = 0; i < drawing.vertices.size(); ++i)
    {
        const Vec3 d = drawing.vertices[i] - low;
        const std::uint64_t key = number(d.x) << 43U | number(d.y) << 23U | number(d.z) << 3U;
        place_of.push_back(places.add(key, drawing.vertices[i]));
        normal_of.push_back(normals.add(key | find_octant(drawing.normals[i]), drawing.normals[i]));
    }

    Drawing coarse;
    coarse.two_sided = drawing.two_sided;
    coarse.vertices.resize(normals.sum.size());
    coarse.normals.resize(normals.sum.size());
    for (std::size_t i = 0; i < place_of.size(); ++i)
    {
        const Vec3& normal = normals.sum[normal_of[i]];
        coarse.vertices[normal_of[i]] = places.mean(place_of[i]);
        coarse.normals[normal_of[i]] = norm(normal) > 0 ? 1 / norm(normal) * normal : drawing.normals[i];
    }
    for (std::size_t i = 0; i + 2 < drawing.indices.size(); i += 3)
    {
        const std::uint32_t a = drawing.indices[i], b = drawing.indices[i + 1], c = drawing.indices[i + 2];
        if (place_of[a] == place_of[b] || place_of[b] == place_of[c] || place_of[c] == place_of[a]) continue;
        coarse.indices.insert(coarse.indices.end(), {normal_of[a], normal_of[b], normal_of[c]});
    }
    return coarse;
}

}  // namespace rattleback::lab
