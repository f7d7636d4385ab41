// Two boxes: the separating axis decides which faces or edges meet (Gottschalk, Lin and Manocha 1996).
#include "collide/manifold/functions.h"
#include "collide/manifold/part_builder.h"
#include "collide/manifold/touching_pair.h"
#include "math/pack.h"

#include <algorithm>
#include <limits>

namespace rattleback
{
namespace
{

std::size_t at(int i) { return static_cast<std::size_t>(i); }

/// Two boxes, the second seen from the first.
struct Boxes
{
    const PlacedShape& first;
    const PlacedShape& second;
    Mat3 turn;    ///< axes of the second in those of the first, as columns
    Vec3 offset;  ///< from the first centre to the second, in the axes of the first [m]
    Vec3 back;    ///< the same in the axes of the second [m]
};

/// The axis along which the boxes are furthest apart.
struct BestAxis
{
    double separation = -std::numeric_limits<double>::infinity();  ///< [m]
    int first = -1, second = -1;  ///< axis of a face, with -1 for the other box; axes of two edges
    Vec3 edge_normal;             ///< of two edges: from first to second, unit, in the axes of the first
};

/// Of axes that are equal up to `slack` [m] the first: faces of the first box, faces of the second, edges.
void try_faces(const Boxes& boxes, double slack, BestAxis& best)
{
    const Vec3 &a = boxes.first.size, &b = boxes.second.size;
    const Mat3& c = boxes.turn;
    double separations[6];
    for (int i = 0; i < 3; ++i)
    {
        const double extent = b.x * std::abs(c(i, 0)) + b.y * std::abs(c(i, 1)) + b.z * std::abs(c(i, 2));
        separations[i] = std::abs(boxes.offset[i]) - a[i] - extent;
    }
    for (int j = 0; j < 3; ++j)
    {
        const double extent = a.x * std::abs(c(0, j)) + a.y * std::abs(c(1, j)) + a.z * std::abs(c(2, j));
        separations[3 + j] = std::abs(boxes.back[j]) - b[j] - extent;
    }
    int face = 0;
    best.separation = separations[0];
    for (int i = 1; i < 6; ++i)
    {
        const bool is_better = separations[i] > best.separation + slack;
        best.separation = is_better ? separations[i] : best.separation;
        face = is_better ? i : face;
    }
    best.first = face < 3 ? face : -1;
    best.second = face < 3 ? -1 : face - 3;
}

/// For all nine pairs of edges, without a branch.
struct EdgeAxes
{
    std::array<double, 12> separation, along;  ///< [m]; offset along e_i x c_j; padded to lanes of four

    explicit EdgeAxes(const Boxes& boxes)
    {
        constexpr double kParallel = 1e-8;  // sine squared: then a face is as good
        const Vec3 &a = boxes.first.size, &b = boxes.second.size, &offset = boxes.offset;
        const Mat3& c = boxes.turn;
        std::array<double, 12> square;
        for (int i = 0; i < 3; ++i)
        {
            const int k = (i + 1) % 3, l = (i + 2) % 3;
            for (int j = 0; j < 3; ++j)
            {
                const int p = (j + 1) % 3, q = (j + 2) % 3;
                const std::size_t pair = at(3 * i + j);
                // e_i x c_j has the components -c_l at k and c_k at l.
                square[pair] = c(k, j) * c(k, j) + c(l, j) * c(l, j);
                along[pair] = c(k, j) * offset[l] - c(l, j) * offset[k];
                separation[pair] = std::abs(along[pair]) - a[k] * std::abs(c(l, j)) - a[l] * std::abs(c(k, j)) -
                                   b[p] * std::abs(c(i, q)) - b[q] * std::abs(c(i, p));
            }
        }
        for (std::size_t pair = 9; pair < 12; ++pair) square[pair] = separation[pair] = 0;
        const Pack4 least(kParallel), never(-std::numeric_limits<double>::infinity());
        for (std::size_t pair = 0; pair < 12; pair += 4)
        {
            const Pack4 squares = load_pack(&square[pair]);
            const Mask4 is_clear = squares >= least;
            const Pack4 scaled = load_pack(&separation[pair]) / sqrt(select(is_clear, squares, least));
            store_pack(select(is_clear, scaled, never), &separation[pair]);
        }
    }
};

void try_edges(const Boxes& boxes, double slack, BestAxis& best)
{
    const EdgeAxes axes(boxes);
    int pair = -1;
    for (int candidate = 0; candidate < 9; ++candidate)
    {
        const double separation = axes.separation[at(candidate)];
        const bool is_better = separation > best.separation + slack;
        best.separation = is_better ? separation : best.separation;
        pair = is_better ? candidate : pair;
    }
    if (pair < 0) return;
    best.first = pair / 3;
    best.second = pair % 3;
    const int k = (best.first + 1) % 3, l = (best.first + 2) % 3;
    const double nk = -boxes.turn(l, best.second), nl = boxes.turn(k, best.second);
    const double sign = axes.along[at(pair)] < 0 ? -1 : 1;
    const double scale = sign / std::sqrt(nk * nk + nl * nl);
    best.edge_normal[k] = scale * nk;
    best.edge_normal[l] = scale * nl;
}

Face make_face(const PlacedShape& box, int axis, bool is_positive)
{
    const Vec3 column = box.rotation.column(axis), normal = is_positive ? column : -column;
    return {2 * axis + (is_positive ? 1 : 0), normal, box.position + box.size[axis] * normal, 1};
}

/// The edge of a box along an axis that is furthest out along a direction of its own axes.
struct BoxEdge
{
    Vec3 center, along;  ///< world [m], unit
    double half = 0;     ///< [m]
    int index = 0;

    BoxEdge(const PlacedShape& box, int axis, const Vec3& direction) : along(box.rotation.column(axis))
    {
        Vec3 middle;
        std::uint32_t corner = 0;
        for (int i = 0; i < 3; ++i)
        {
            if (i == axis) continue;
            middle[i] = direction[i] < 0 ? -box.size[i] : box.size[i];
            if (direction[i] >= 0) corner |= 1U << i;
        }
        center = box.position + box.rotation * middle;
        half = box.size[axis];
        index = static_cast<int>(find_box_edge(axis, corner));
    }
};

/// The point where two edges cross, if they do; overlapping boxes always have one.
bool add_crossing(const Boxes& boxes, const BestAxis& axis, const Vec3& normal, Manifold& manifold)
{
    const BoxEdge a(boxes.first, axis.first, axis.edge_normal);
    const BoxEdge b(boxes.second, axis.second, -transpose_times(boxes.turn, axis.edge_normal));
    const Vec3 between = b.center - a.center, across = cross(a.along, b.along);
    const double s = dot(cross(between, b.along), across) / dot(across, across);
    const double t = dot(a.along, b.along) * s - dot(between, b.along);
    if (axis.separation > 0 && (std::abs(s) > a.half || std::abs(t) > b.half)) return false;
    const Vec3 on_first = a.center + std::clamp(s, -a.half, a.half) * a.along;
    manifold.add({on_first + (0.5 * axis.separation) * normal, normal, axis.separation,
                  make_witness_key({FeatureKind::edge, a.index}, {FeatureKind::edge, b.index})});
    return true;
}

}  // namespace

void touch_box_box(const PlacedShape& first, const PlacedShape& second, double reach, Manifold& manifold)
{
    Boxes boxes{first, second, transpose(first.rotation) * second.rotation, {}, {}};
    boxes.offset = transpose_times(first.rotation, second.position - first.position);
    boxes.back = transpose_times(boxes.turn, boxes.offset);
    const double tolerance = kTolerance * std::min(find_width(first), find_width(second));
    BestAxis best;
    try_faces(boxes, tolerance, best);
    if (best.separation >= reach) return;
    try_edges(boxes, tolerance, best);
    if (best.separation >= reach) return;

    const bool of_first = best.second < 0, of_second = best.first < 0;
    Vec3 normal;
    TouchingPair pair{first, second, {}, {}, {}, reach, tolerance, kMaxManifold};
    if (of_first)
    {
        pair.first_face = make_face(first, best.first, boxes.offset[best.first] >= 0);
        normal = pair.first_face.normal;
    }
    else if (of_second)
    {
        pair.second_face = make_face(second, best.second, boxes.back[best.second] < 0);
        normal = -pair.second_face.normal;
    }
    else
        normal = first.rotation * best.edge_normal;
    if (!of_first) pair.first_face = find_face(first, normal);
    if (!of_second) pair.second_face = find_face(second, -normal);
    pair.found.distance = best.separation;
    pair.found.normal = normal;
    pair.found.on_first = pair.first_face.point;

    const bool has_face =
        of_first || of_second || std::max(pair.first_face.cosine, pair.second_face.cosine) > kFaceToFace;
    if (has_face && add_parts(pair, normal, false, manifold)) return;
    if (!of_first && !of_second && !has_face && add_crossing(boxes, best, normal, manifold)) return;
    pair.found = find_convex_distance(first, second, reach);
    if (is_in_reach(pair.found, reach)) touch_known(pair, manifold);
}

}  // namespace rattleback
