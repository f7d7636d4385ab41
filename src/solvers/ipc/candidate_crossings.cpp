// Starts in which surfaces cross, or one lies inside the other, however far their vertices are from each other.
#include "base/index.h"
#include "solvers/ipc/candidates.h"

#include <algorithm>

namespace rattleback::ipc
{

namespace
{

/// The least distance of a segment's ends from a triangle, and of the segment from its sides.
double find_outline_distance(const Vec3& a, const Vec3& b, const std::array<Vec3, 3>& t)
{
    const Simplex face{t, 3}, segment{{a, b}, 2};
    double least = std::min(norm(find_nearest({{a}, 1}, face).between), norm(find_nearest({{b}, 1}, face).between));
    for (std::size_t i = 0; i < 3; ++i)
        least = std::min(least, norm(find_nearest(segment, {{t[i], t[(i + 1) % 3]}, 2}).between));
    return least;
}

/// Does the segment a b pass through the triangle? Touching counts as passing.
bool crosses(const Vec3& a, const Vec3& b, const std::array<Vec3, 3>& t)
{
    double size = 0;
    for (const Vec3& p : {b, t[0], t[1], t[2]})
        size = std::max({size, std::abs(p.x - a.x), std::abs(p.y - a.y), std::abs(p.z - a.z)});
    // The sign of the volume of p q r s; 0 where rounding may have made it.
    const auto find_side = [&](const Vec3& p, const Vec3& q, const Vec3& r, const Vec3& s)
    {
        const double volume = dot(cross(q - p, r - p), s - p), rounding = 1e-14 * size * size * size;
        return std::abs(volume) <= rounding ? 0 : volume > 0 ? 1 : -1;
    };
    const int above = find_side(t[0], t[1], t[2], a), below = find_side(t[0], t[1], t[2], b);
    if (above * below > 0) return false;
    const int u = find_side(a, b, t[0], t[1]), v = find_side(a, b, t[1], t[2]), w = find_side(a, b, t[2], t[0]);
    if (above * below * u * v * w != 0) return u == v && v == w;
    // In the plane of the triangle, or past one of its sides: signs say nothing, but then what meets meets at an end of
    // the segment or at a side.
    return find_outline_distance(a, b, t) <= 1e-12 * size;
}

}  // namespace

bool Candidates::is_crossed(const Piece& first, const Piece& second) const
{
    // Two surfaces cross where an edge of one passes through a face of the other.
    const auto crosses_faces = [&](const Piece& with_edges, const Piece& with_faces)
    {
        const Placement &pe = reference_[at(with_edges.group)], &pf = reference_[at(with_faces.group)];
        bool crossed = false;
        for (int e = 0; e < static_cast<int>(with_edges.edges.size()) && !crossed; ++e)
        {
            const Simplex edge = place(pe, with_edges.edge(e));
            const Vec3 a = transpose_times(pf.matrix, edge.corner[0] - pf.center);
            const Vec3 b = transpose_times(pf.matrix, edge.corner[1] - pf.center);
            // Faces in the plane of the edge have boxes without height there.
            const double margin = 2e-12 * (norm(a) + norm(b) + with_faces.radius);
            const Aabb box = merge({a, a}, {b, b});
            const Vec3 grow{margin, margin, margin};
            with_faces.face_tree.query({box.lower - grow, box.upper + grow},
                                       [&](int f) { crossed = crossed || crosses(a, b, with_faces.face(f).corner); });
        }
        return crossed;
    };
    return crosses_faces(first, second) || crosses_faces(second, first);
}

bool Candidates::is_held(const Piece& solid, const Piece& other) const
{
    // Where no surfaces meet, all of a connected part is inside or none of it.
    const Placement &ps = reference_[at(solid.group)], &po = reference_[at(other.group)];
    return std::any_of(
        other.parts.begin(), other.parts.end(), [&](int v)
        { return is_inside(solid, transpose_times(ps.matrix, po.place(other.vertices[at(v)]) - ps.center)); });
}

bool Candidates::are_crossed(int first, int second) const
{
    const Piece &one = layout_.pieces[at(first)], &other = layout_.pieces[at(second)];
    return is_crossed(one, other) || is_held(one, other) || is_held(other, one);
}

bool Candidates::find_crossing(int& first, int& second) const
{
    const auto found = std::find_if(near_.begin(), near_.end(), [&](const std::pair<int, int>& pair)
                                    { return are_crossed(pair.first, pair.second); });
    if (found == near_.end()) return false;
    first = layout_.pieces[at(found->first)].shape;
    second = layout_.pieces[at(found->second)].shape;
    return true;
}

}  // namespace rattleback::ipc
