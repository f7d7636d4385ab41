// What lies inside what: solids, and one vertex of each part of a piece.
#include "base/disjoint_sets.h"
#include "base/index.h"
#include "math/elementary.h"
#include "solvers/ipc/layout.h"

#include <algorithm>

namespace rattleback::ipc
{

namespace
{

/// Every edge is walked as often one way as the other: the faces bound a volume.
bool is_closed(const std::vector<std::array<int, 3>>& faces)
{
    std::vector<std::pair<std::array<int, 2>, int>> sides;
    for (const auto& face : faces)
    {
        for (std::size_t i = 0; i < 3; ++i)
        {
            const int a = face[i], b = face[(i + 1) % 3];
            sides.push_back({{std::min(a, b), std::max(a, b)}, a < b ? 1 : -1});
        }
    }
    std::sort(sides.begin(), sides.end());
    for (std::size_t i = 0, end = 0; i < sides.size(); i = end)
    {
        int balance = 0;
        for (end = i; end < sides.size() && sides[end].first == sides[i].first; ++end) balance += sides[end].second;
        if (balance != 0) return false;
    }
    return !faces.empty();
}

/// How often the faces go round a point: 1 inside, 0 outside. The sum of their solid angles (van Oosterom and Strackee
/// 1983): tan(omega / 2) = a . (b x c) / (|a| |b| |c| + (a . b) |c| + (b . c) |a| + (c . a) |b|).
double find_winding(const Piece& solid, const Vec3& point)
{
    double angle = 0;
    for (int f = 0; f < static_cast<int>(solid.faces.size()); ++f)
    {
        const Simplex face = solid.face(f);
        const Vec3 a = face.corner[0] - point, b = face.corner[1] - point, c = face.corner[2] - point;
        const double la = norm(a), lb = norm(b), lc = norm(c);
        const double volume = dot(a, cross(b, c));
        const double half = angle_of(std::abs(volume), la * lb * lc + dot(a, b) * lc + dot(b, c) * la + dot(c, a) * lb);
        angle += volume > 0 ? 2 * half : -2 * half;
    }
    return angle / (4 * kPi);
}

}  // namespace

void find_parts(Piece& piece, bool is_sheet)
{
    piece.is_solid = !is_sheet && is_closed(piece.faces);
    DisjointSets sets(piece.vertices.size());
    for (const auto& edge : piece.edges) sets.join(edge[0], edge[1]);
    for (const auto& face : piece.faces)
    {
        sets.join(face[0], face[1]);
        sets.join(face[1], face[2]);
    }
    for (int v = 0; v < static_cast<int>(piece.vertices.size()); ++v)
    {
        if (sets.find(v) == v) piece.parts.push_back(v);
    }
}

bool is_inside(const Piece& solid, const Vec3& point)
{
    // 0 or 1 but for rounding: it jumps at the surface alone, and the point is not on it.
    return solid.is_solid && overlaps(solid.bounds, {point, point}) && std::abs(find_winding(solid, point)) > 0.5;
}

}  // namespace rattleback::ipc
