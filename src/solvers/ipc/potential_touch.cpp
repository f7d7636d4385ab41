// From candidates to touches: nearest points, mollifiers, flat sides and rims.
#include "base/index.h"
#include "solvers/ipc/potential.h"
#include "solvers/ipc/rims.h"

#include <algorithm>

namespace rattleback::ipc
{

namespace
{

/// The part of a simplex on which a nearest point lies: how many corners have a weight, and the first of them.
struct Part
{
    int count = 0, vertex = -1;
};
Part find_part(const Piece& piece, int size, int index, const std::array<double, 3>& weights)
{
    Part part;
    for (std::size_t i = 0; i < 3; ++i)
    {
        if (weights[i] == 0) continue;
        if (part.count++ > 0) continue;
        part.vertex = size == 1 ? index : size == 2 ? piece.edges[at(index)][i] : piece.faces[at(index)][i];
    }
    return part;
}

}  // namespace

void Potential::touch(const CandidateSet& set, int index, std::span<const Placement> placements,
                      const PlacedVertices& placed, std::vector<Touch>& out) const
{
    const Candidate& candidate = candidates_.candidates(set)[at(index)];
    if (set.is_plane) return touch_plane(set, index, placed.of(set.first)[at(candidate.first)], out);
    if (is_within_flat(set, candidate)) return;
    touch_simplices(set, index, candidates_.first_simplex(set, candidate, placed.of(set.first)),
                    candidates_.second_simplex(set, candidate, placed.of(set.second)), placements, out);
}

void Potential::touch_on_way(const CandidateSet& set, int index, std::span<const Placement> placements,
                             std::vector<Touch>& out) const
{
    const Candidate& candidate = candidates_.candidates(set)[at(index)];
    const Simplex first =
        place(placements[at(candidates_.first_group(set))], candidates_.first_simplex(set, candidate));
    if (set.is_plane)
        touch_plane(set, index, first.corner[0], out);
    else if (!is_within_flat(set, candidate))
        touch_simplices(
            set, index, first,
            place(placements[at(candidates_.second_group(set))], candidates_.second_simplex(set, candidate)), {}, out);
}

void Potential::touch_plane(const CandidateSet& set, int index, const Vec3& vertex, std::vector<Touch>& out) const
{
    const HalfSpace& space = layout_.planes[at(set.second)].space;
    Touch touch;
    touch.first = candidates_.first_group(set);
    touch.second = 0;
    touch.on_first = vertex;
    touch.distance = dot(space.normal, touch.on_first) - space.offset - set.round;
    if (touch.distance >= reach_ + separation_) return;
    // Distance to a half-space is linear: its normal never turns.
    touch.normal = space.normal;
    touch.first_round = set.round;
    touch.on_first -= set.round * space.normal;
    touch.on_second = touch.on_first - touch.distance * space.normal;
    touch.set = static_cast<int>(&set - candidates_.sets().data());
    touch.candidate = index;
    touch.first_weights = {1, 0, 0};
    if (touch.distance > separation_) touch.barrier = find_barrier(touch.distance, reach_, separation_);
    out.push_back(touch);
}

bool Potential::is_within_flat(const CandidateSet& set, const Candidate& candidate) const
{
    // A flat side is near something by its outline, or by what the other has there: the places where two flats lie
    // nearest are bounded by corners of one over the other and by crossing outlines. Edges and vertices within a side
    // would count the same load again, and push against whatever slides over them.
    const Piece &a = layout_.pieces[at(set.first)], &b = layout_.pieces[at(set.second)];
    switch (candidate.kind)
    {
        case PairKind::edge_edge:
            return a.is_inner[at(candidate.first)] != 0 || b.is_inner[at(candidate.second)] != 0;
        case PairKind::vertex_face:
            return a.is_inside[at(candidate.first)] != 0;
        case PairKind::face_vertex:
            return b.is_inside[at(candidate.second)] != 0;
        default:
            return false;
    }
}

void Potential::touch_simplices(const CandidateSet& set, int index, const Simplex& a, const Simplex& b,
                                std::span<const Placement> placements, std::vector<Touch>& out) const
{
    const bool turned = a.count > b.count;
    NearestSimplices nearest = turned ? find_nearest(b, a) : find_nearest(a, b);
    if (turned)
    {
        std::swap(nearest.first, nearest.second);
        nearest.between = -nearest.between;
    }
    const double distance = norm(nearest.between);
    if (distance - set.round >= candidates_.reach()) return;
    Touch touch;
    touch.first = candidates_.first_group(set);
    touch.second = candidates_.second_group(set);
    touch.distance = distance - set.round;
    // ∇d: the unit vector between the nearest points, whatever parts of the simplices they lie on.
    touch.normal = (1 / distance) * nearest.between;
    touch.first_round = layout_.pieces[at(set.first)].round;
    touch.second_round = layout_.pieces[at(set.second)].round;
    const auto find_mean = [](const Simplex& s, const std::array<double, 3>& w)
    {
        Vec3 mean = s.corner[0];
        for (std::size_t i = 1; i < 3; ++i)
        {
            if (w[i] != 0) mean += w[i] * (s.corner[i] - s.corner[0]);
        }
        return mean;
    };
    touch.on_second = find_mean(b, nearest.second);
    touch.on_first = touch.on_second + nearest.between - touch.first_round * touch.normal;
    touch.on_second += touch.second_round * touch.normal;
    touch.first_weights = nearest.first;
    touch.second_weights = nearest.second;
    if (candidates_.candidates(set)[at(index)].kind == PairKind::edge_edge)
    {
        // c = |u x v|^2 changes by -2 (u . v) (u x v) when the first edge turns, and by the opposite for the second.
        const Vec3 u = a.corner[1] - a.corner[0], v = b.corner[1] - b.corner[0], across = cross(u, v);
        const double limit = find_parallel_limit(dot(u, u), dot(v, v));
        const Jet mollifier = find_edge_mollifier(dot(across, across), limit);
        if (!(mollifier.value > 0)) return;
        touch.mollifier = mollifier.value;
        touch.parallel_gradient = (-2 * mollifier.slope * dot(u, v)) * across;
    }
    touch.set = static_cast<int>(&set - candidates_.sets().data());
    touch.candidate = index;
    // What is round leaves a side where its centre does.
    if (layout_.has_rims && set.round == 0 && !placements.empty()) take_rim(set, placements, touch);
    if (touch.distance >= reach_ + separation_) return;
    if (touch.distance > separation_) touch.barrier = find_barrier(touch.distance, reach_, separation_);
    out.push_back(touch);
}

void Potential::take_rim(const CandidateSet& set, std::span<const Placement> placements, Touch& touch) const
{
    // A corner, and an edge or a corner of the other.
    const Piece* const pieces[2] = {&layout_.pieces[at(set.first)], &layout_.pieces[at(set.second)]};
    const Candidate& candidate = candidates_.candidates(set)[at(touch.candidate)];
    const auto [first_size, second_size] = find_sizes(candidate.kind);
    const Part parts[2] = {find_part(*pieces[0], first_size, candidate.first, touch.first_weights),
                           find_part(*pieces[1], second_size, candidate.second, touch.second_weights)};
    for (int k = 1; k >= 0; --k)
    {
        const Piece& piece = *pieces[k];
        if (parts[1 - k].count != 1 || parts[k].count > 2 || piece.rims.empty()) continue;
        const Mat3& axes = placements[at(piece.group)].matrix;
        const double sign = k == 1 ? 1 : -1;  // the normal leads to the first
        const Vec3 way = sign * transpose_times(axes, touch.normal);
        for (int i = piece.rim_begin[at(parts[k].vertex)]; i < piece.rim_begin[at(parts[k].vertex) + 1]; ++i)
        {
            const RimDistance rim = find_rim_distance(touch.distance * dot(piece.rims[at(i)], way), touch.distance);
            if (!rim.is_near || !is_faced(set, k, i, parts[1 - k].vertex, placements)) continue;
            // Its gradient goes through the corner, as both of its parts do.
            const Vec3 gradient = (sign * rim.by_height) * (axes * piece.rims[at(i)]) + rim.by_distance * touch.normal;
            touch.rim_of = k;
            touch.slope = norm(gradient);
            touch.normal = (1 / touch.slope) * gradient;
            touch.distance = rim.value;
            if (k == 1)
                touch.on_second = touch.on_first - rim.value * touch.normal;
            else
                touch.on_first = touch.on_second + rim.value * touch.normal;
            return;
        }
    }
}

bool Potential::is_faced(const CandidateSet& set, int k, int rim, int corner,
                         std::span<const Placement> placements) const
{
    const Piece &mine = layout_.pieces[at(k == 0 ? set.first : set.second)],
                &other = layout_.pieces[at(k == 0 ? set.second : set.first)];
    if (other.rims.empty()) return false;
    const auto find_axes = [&](const Piece& piece) -> const Mat3&
    { return start_axes_.empty() ? placements[at(piece.group)].matrix : start_axes_[at(piece.group)]; };
    const Vec3 inward = transpose_times(find_axes(other), -(find_axes(mine) * mine.rims[at(rim)]));
    const auto begin = other.rims.begin();
    return std::any_of(begin + other.rim_begin[at(corner)], begin + other.rim_begin[at(corner) + 1],
                       [&](const Vec3& side) { return dot(side, inward) >= kFacing; });
}

}  // namespace rattleback::ipc
