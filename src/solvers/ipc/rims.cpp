// Which sides of a piece have rims.
#include "base/index.h"
#include "solvers/ipc/layout.h"

#include <algorithm>

namespace rattleback::ipc
{

void find_rims(Piece& piece)
{
    piece.rim_begin.assign(piece.vertices.size() + 1, 0);
    if (!piece.is_solid || piece.round > 0) return;
    // Normals further apart than this: twice the angle of kRoundRim, and more.
    constexpr double kSharp = 0.17;  // cosine of 80 degrees
    const auto count = piece.faces.size();
    std::vector<Vec3> normals(count);
    double volume = 0;
    for (std::size_t f = 0; f < count; ++f)
    {
        const Simplex face = piece.face(static_cast<int>(f));
        const Vec3 across = cross(face.corner[1] - face.corner[0], face.corner[2] - face.corner[0]);
        normals[f] = (1 / std::max(norm(across), 1e-300)) * across;
        volume += dot(face.corner[0], across);
    }
    // Faces may be seen from inside all over.
    if (volume < 0)
        for (Vec3& n : normals) n = -n;
    // A side: the first face of its flat, or a face by itself.
    const auto side_of = [&](std::size_t f)
    { return piece.flat_of_face[f] >= 0 ? piece.flat_of_face[f] : static_cast<int>(f); };
    std::vector<std::pair<int, int>> sides_at;  // vertex and side
    for (std::size_t f = 0; f < count; ++f)
        for (const int v : piece.faces[f]) sides_at.emplace_back(v, side_of(f));
    std::sort(sides_at.begin(), sides_at.end());
    sides_at.erase(std::unique(sides_at.begin(), sides_at.end()), sides_at.end());
    // A side has rims where all others at its corners turn away sharply, to the back.
    std::vector<char> has_rim(count, 1);
    for (std::size_t i = 0, end = 0; i < sides_at.size(); i = end)
    {
        for (end = i; end < sides_at.size() && sides_at[end].first == sides_at[i].first;) ++end;
        for (std::size_t j = i; j < end; ++j)
            for (std::size_t k = i; k < end; ++k)
                if (j != k && dot(normals[at(sides_at[j].second)], normals[at(sides_at[k].second)]) > kSharp)
                    has_rim[at(sides_at[j].second)] = 0;
    }
    for (const FacePair& pair : pair_faces(piece.faces))
    {
        // A corner of the other face in front of this one: a hollow edge.
        const auto is_hollow = [&](int f, int other)
        {
            const Vec3& place = piece.vertices[at(piece.faces[at(f)][0])];
            const auto& corners = piece.faces[at(other)];
            return std::any_of(corners.begin(), corners.end(), [&](int v)
                               { return dot(normals[at(f)], piece.vertices[at(v)] - place) > 1e-9 * piece.radius; });
        };
        if (is_hollow(pair.first, pair.second) || is_hollow(pair.second, pair.first))
            has_rim[at(side_of(at(pair.first)))] = has_rim[at(side_of(at(pair.second)))] = 0;
    }
    for (const auto& [vertex, side] : sides_at)
    {
        if (has_rim[at(side)] == 0) continue;
        piece.rims.push_back(normals[at(side)]);
        ++piece.rim_begin[at(vertex) + 1];
    }
    for (std::size_t v = 0; v < piece.vertices.size(); ++v) piece.rim_begin[v + 1] += piece.rim_begin[v];
}

}  // namespace rattleback::ipc
