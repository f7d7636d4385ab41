// Vertices behind sides: the nearest point of a polyhedron, by the few sides that bind there.
#include "solvers/ipc/inset.h"

#include "base/index.h"
#include "math/elementary.h"

#include <algorithm>
#include <array>

namespace rattleback::ipc
{

namespace
{

/// Up to four sides, of which some may bind.
using FewSides = std::array<Side, 4>;

double det(const Vec3& a, const Vec3& b, const Vec3& c) { return dot(a, cross(b, c)); }

/// The point of the planes `bound` (numbers in `sides`, already moved by the inset) nearest to `point`: multipliers
/// from normals times normals; false where they are not all positive, or the planes have no such point.
bool project(const Vec3& point, const FewSides& sides, std::span<const int> bound, Vec3& x)
{
    constexpr double kParallel = 1e-12;
    const auto n = [&](std::size_t i) -> const Vec3& { return sides[at(bound[i])].normal; };
    const auto excess = [&](std::size_t i) { return dot(n(i), point) - sides[at(bound[i])].offset; };
    std::array<double, 3> weight{};
    if (bound.size() == 1) weight[0] = excess(0);
    if (bound.size() == 2)
    {
        const double c = dot(n(0), n(1)), square = 1 - c * c;
        if (!(square > kParallel)) return false;
        weight[0] = (excess(0) - c * excess(1)) / square;
        weight[1] = (excess(1) - c * excess(0)) / square;
    }
    if (bound.size() == 3)
    {
        const double c01 = dot(n(0), n(1)), c02 = dot(n(0), n(2)), c12 = dot(n(1), n(2));
        const Vec3 a{1, c01, c02}, b{c01, 1, c12}, c{c02, c12, 1}, e{excess(0), excess(1), excess(2)};
        const double whole = det(a, b, c);
        if (!(whole > kParallel)) return false;
        weight = {det(e, b, c) / whole, det(a, e, c) / whole, det(a, b, e) / whole};
    }
    x = point;
    for (std::size_t i = 0; i < bound.size(); ++i)
    {
        if (!(weight[i] > 0)) return false;
        x -= weight[i] * n(i);
    }
    return true;
}

/// Some of the first `count` sides, the last among them, that hold the point nearest to `point` which is behind all;
/// their number, 0 where there is none.
int choose_bound(const Vec3& point, FewSides& sides, int count, double rounding, Vec3& x)
{
    const int last = count - 1;
    for (unsigned set = 0; set < (1U << static_cast<unsigned>(last)); ++set)
    {
        std::array<int, 4> bound{};
        std::size_t size = 0;
        for (int i = 0; i < last; ++i)
            if ((set >> static_cast<unsigned>(i) & 1U) != 0) bound[size++] = i;
        bound[size++] = last;
        Vec3 trial;
        if (size > 3 || !project(point, sides, std::span<const int>(bound.data(), size), trial)) continue;
        const bool is_behind = std::all_of(sides.begin(), sides.begin() + count, [&](const Side& side)
                                           { return dot(side.normal, trial) <= side.offset + rounding; });
        if (!is_behind) continue;
        FewSides kept;
        for (std::size_t i = 0; i < size; ++i) kept[i] = sides[at(bound[i])];
        sides = kept;
        x = trial;
        return static_cast<int>(size);
    }
    return 0;
}

}  // namespace

Vec3 find_inset_point(const Vec3& point, std::span<const Side> sides, double inset)
{
    // min |x - p|^2 with n_i . x <= o_i - inset: three sides at most bind. The side that is furthest in front of x
    // joins them, until there is none.
    constexpr int kMostRounds = 100;
    constexpr double kExact = 1e-9;
    Vec3 x = point;
    FewSides bound;
    int count = 0;
    for (int round = 0; round < kMostRounds; ++round)
    {
        double most = kExact * inset;
        const Side* worst = nullptr;
        for (const Side& side : sides)
        {
            const double excess = dot(side.normal, x) - (side.offset - inset);
            if (!(excess > most)) continue;
            most = excess;
            worst = &side;
        }
        if (worst == nullptr) break;
        bound[at(count)] = {worst->normal, worst->offset - inset};
        count = choose_bound(point, bound, count + 1, 0.1 * kExact * inset, x);
        if (count == 0) break;
    }
    const double way = norm(x - point), most = kFarthestInset * inset;
    return way > most ? point + (most / way) * (x - point) : x;
}

void inset_mesh(const std::vector<std::array<int, 3>>& faces, double inset, std::vector<Vec3>& vertices)
{
    std::vector<std::vector<Side>> sides(vertices.size());
    double volume = 0;
    for (const auto& face : faces)
    {
        const Vec3 &a = vertices[at(face[0])], &b = vertices[at(face[1])], &c = vertices[at(face[2])];
        const Vec3 across = cross(b - a, c - a);
        volume += dot(a, across);
        if (!(norm(across) > 0)) continue;
        const Vec3 normal = (1 / norm(across)) * across;
        for (const int v : face) sides[at(v)].push_back({normal, dot(normal, a)});
    }
    // Faces may be seen from inside all over.
    double farthest = 0;
    for (std::size_t v = 0; v < vertices.size(); ++v)
    {
        farthest = std::max(farthest, norm(vertices[v]));
        for (Side& side : sides[v])
            if (volume < 0) side = {-side.normal, -side.offset};
    }
    for (std::size_t v = 0; v < vertices.size(); ++v)
    {
        // Nothing leaves the ball that held it: ways of bodies are bounded by it.
        const Vec3 moved = find_inset_point(vertices[v], sides[v], inset);
        if (norm(moved) <= farthest) vertices[v] = moved;
    }
}

}  // namespace rattleback::ipc
