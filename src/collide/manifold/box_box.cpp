// Two boxes: the axis that separates them best says which faces or edges meet.
#include "collide/manifold/box_axes.h"
#include "collide/manifold/box_face.h"
#include "collide/manifold/functions.h"
#include "collide/manifold/hull_scan.h"
#include "collide/manifold/touching_pair.h"

#include <algorithm>

namespace rattleback
{
namespace
{

// Faces: the reference face is that of the best axis, the incident face the one that looks against it most; they are
// laid over each other. Edges: one point, where the two cross. Only boxes apart whose nearest parts are others go
// through the general search.

/// The box whose face carries the other, and the other as it sees it.
struct FacePair
{
    const PlacedShape& box;
    const PlacedShape& other;
    double turn[3][3];  ///< [i][j]: axis j of the other along axis i of this one
    double center[3];   ///< of the other [m]
    int axis = 0;       ///< of the face
    bool is_first = true, is_positive = true;

    FacePair(const BoxPair& pair, const BoxAxis& best)
        : box(best.second < 0 ? pair.first : pair.second),
          other(best.second < 0 ? pair.second : pair.first),
          axis(std::max(best.first, best.second)),
          is_first(best.second < 0)
    {
        for (int i = 0; i < 3; ++i)
        {
            // Seen from the other box the offset turns round and C is transposed.
            center[i] = is_first ? pair.offset[i] : -pair.back[i];
            for (int j = 0; j < 3; ++j) turn[i][j] = is_first ? pair.turn[i][j] : pair.turn[j][i];
        }
        // Which of the two faces along the axis: the one towards the other box.
        is_positive = is_first ? pair.offset[axis] >= 0 : pair.back[axis] < 0;
    }
};

/// A face of a box: an axis and one of its ends.
struct BoxSide
{
    int axis = 0;
    bool is_positive = true;

    int index() const { return 2 * axis + (is_positive ? 1 : 0); }
};

/// The face that looks most along a direction of the box's own axes; see find_face.
BoxSide find_side(const double (&direction)[3])
{
    int axis = 0;
    double best = std::abs(direction[0]);
    for (int i = 1; i < 3; ++i)
    {
        const double cosine = std::abs(direction[i]);
        // Of nearly equal faces the first: a box that lies at 45 degrees must not flicker.
        const bool is_better = cosine > best + find_cosine_slack(best);
        axis = is_better ? i : axis;
        best = is_better ? cosine : best;
    }
    return {axis, direction[axis] >= 0};
}

/// Lays the other box's face on that of the faces. False where no point is as deep as the boxes are.
bool add_faces(const FacePair& faces, double separation, double tolerance, double reach, Manifold& manifold)
{
    const PlacedShape &box = faces.box, &other = faces.other;
    const double size[3] = {box.size.x, box.size.y, box.size.z};
    const double other_size[3] = {other.size.x, other.size.y, other.size.z};
    // Axis of the reference face and the two along it.
    const int r = faces.axis, j = (r + 1) % 3, k = (r + 2) % 3;
    const double out = faces.is_positive ? 1 : -1, along = faces.is_first ? out : -out;
    const auto& turn = faces.turn;
    // The incident face: the one of the other box that looks most against the reference face.
    const BoxSide side = find_side({-out * turn[r][0], -out * turn[r][1], -out * turn[r][2]});
    const int t = side.axis, p = (t + 1) % 3, q = (t + 2) % 3;

    // The frame lies on the faces's face, along its sides, the normal from the first box to the second.
    // Left- or right-handed, so that u, v and the normal are right-handed for either sign.
    const int x = along > 0 ? j : k, y = along > 0 ? k : j;
    const auto column = [&](int i) { return box.rotation.column(i); };
    const Vec3 normal = along * column(r);
    const NormalFrame frame{box.position + (out * size[r]) * column(r), column(x), column(y), normal};
    // A length along axis i of the other box, in the coordinates of the reference face.
    const auto see = [&](double length, int i)
    { return Seen{length * turn[x][i], length * turn[y][i], length * along * turn[r][i]}; };

    // The reference face lies in the plane h = 0; only the incident one is tilted.
    FlatPart lower, upper;
    const Seen a{x == j ? size[j] : 0, x == j ? 0 : size[j], 0}, b{x == j ? 0 : size[k], x == j ? size[k] : 0, 0};
    set_box_corners(2 * r + (faces.is_positive ? 1 : 0), along > 0, {}, a, b, size[j], size[k], lower);

    const Seen to_face = see(side.is_positive ? other_size[t] : -other_size[t], t), axis = see(1, t);
    // The incident face's middle over the reference face.
    const Seen center{faces.center[x] + to_face.u, faces.center[y] + to_face.v,
                      along * (faces.center[r] - out * size[r]) + to_face.h};
    set_box_corners(side.index(), axis.h > 0, center, see(other_size[p], p), see(other_size[q], q), other_size[p],
                    other_size[q], upper);
    // h of the incident plane as a linear function of u and v.
    const double steep = -1 / axis.h;
    upper.slope_u = steep * axis.u;
    upper.slope_v = steep * axis.v;
    upper.base = center.h - upper.slope_u * center.u - upper.slope_v * center.v;

    Overlap overlap;
    // The first box's part is the lower one, whichever box has the reference face.
    find_quad_overlap(faces.is_first ? lower : upper, faces.is_first ? upper : lower, tolerance, overlap);
    // Faces that miss the deepest point are the wrong parts: the distance decides instead.
    if (overlap.count == 0 || overlap.find_deepest() > separation + tolerance) return false;
    overlap.drop_above(reach);
    reduce_overlap(overlap, kMaxManifold, tolerance);
    add_overlap(overlap, frame, manifold);
    return true;
}

/// Two edges, the first box's along axis i, the second's along axis j, in the axes of the first box.
struct EdgePair
{
    Vec3 normal;              ///< from the first box to the second, unit
    double first_middle[3];   ///< of the first edge [m]
    double s = 0, t = 0;      ///< where they cross, from their middles [m]
    double flattest = 0;      ///< cosine of the face nearest to the normal
    bool is_crossing = true;  ///< whether both reach that far
    int first_index = 0, second_index = 0;

    EdgePair(const BoxPair& pair, const BoxAxis& best)
    {
        // Edge i of the first box against edge j of the second.
        const int i = best.first, k = (i + 1) % 3, l = (i + 2) % 3, j = best.second;
        const double size[3] = {pair.first.size.x, pair.first.size.y, pair.first.size.z};
        const double other_size[3] = {pair.second.size.x, pair.second.size.y, pair.second.size.z};
        const double ci = pair.turn[i][j], ck = pair.turn[k][j], cl = pair.turn[l][j], square = ck * ck + cl * cl;
        const double scale = (best.is_reversed ? -1 : 1) / std::sqrt(square);
        // e_i x c_j over its length, the axis that separates.
        double n[3] = {0, 0, 0};
        n[k] = -scale * cl;
        n[l] = scale * ck;
        normal = {n[0], n[1], n[2]};
        flattest = std::max(std::abs(n[k]), std::abs(n[l]));

        // The edge of the first box that is furthest along the normal; of the second the one furthest against it.
        std::uint32_t corner = (n[k] >= 0 ? 1U << k : 0U) | (n[l] >= 0 ? 1U << l : 0U);
        first_index = static_cast<int>(find_box_edge(i, corner));
        first_middle[i] = 0;
        first_middle[k] = n[k] < 0 ? -size[k] : size[k];
        first_middle[l] = n[l] < 0 ? -size[l] : size[l];
        double d[3];  // from middle to middle
        for (int m = 0; m < 3; ++m) d[m] = pair.offset[m] - first_middle[m];
        corner = 0;
        for (const int q : {(j + 1) % 3, (j + 2) % 3})
        {
            // Which end of each axis the second edge lies at: the one that faces back along the normal.
            const double cosine = n[k] * pair.turn[k][q] + n[l] * pair.turn[l][q];
            const double y = cosine > 0 ? -other_size[q] : other_size[q];
            if (!(cosine > 0)) corner |= 1U << q;
            for (int m = 0; m < 3; ++m) d[m] += y * pair.turn[m][q];
            flattest = std::max(flattest, std::abs(cosine));
        }
        second_index = static_cast<int>(find_box_edge(j, corner));
        // Nearest points of the lines s e_i and d + t c: s = d_i - c_i (c_k d_k + c_l d_l) / (c_k² + c_l²).
        const double aside = ck * d[k] + cl * d[l];
        s = d[i] - ci * aside / square;
        t = ci * (s - d[i]) - aside;
        is_crossing = std::abs(s) <= size[i] && std::abs(t) <= other_size[j];
        first_middle[i] = std::clamp(s, -size[i], size[i]);
    }
};

/// Boxes that are nearest elsewhere than at the parts which the best axis names.
void touch_nearest(TouchingPair& pair, Manifold& manifold)
{
    pair.found = find_convex_distance(pair.first, pair.second, pair.reach);
    if (is_in_reach(pair.found, pair.reach)) touch_known(pair, manifold);
}

/// A face that is nearly across the normal of two edges may lie on the other box's.
bool add_parts_along(const Vec3& normal, double separation, TouchingPair& pair, Manifold& manifold)
{
    pair.first_face = find_face(pair.first, normal);
    pair.second_face = find_face(pair.second, -normal);
    pair.found.distance = separation;
    pair.found.normal = normal;
    pair.found.on_first = pair.first_face.point;
    return add_parts(pair, normal, false, manifold);
}

}  // namespace

void touch_box_box(const PlacedShape& first, const PlacedShape& second, double reach, Manifold& manifold)
{
    const double tolerance = kTolerance * std::min(find_width(first), find_width(second));
    BoxPair boxes(first, second);
    BoxAxis best;
    // Faces first; where edges separate more, one point where they cross.
    if (!find_box_axis(tolerance, reach, boxes, best)) return;
    if (best.first < 0 || best.second < 0)
    {
        if (add_faces(FacePair(boxes, best), best.separation, tolerance, reach, manifold)) return;
    }
    else
    {
        const EdgePair edges(boxes, best);
        const Vec3 normal = first.rotation * edges.normal;
        // An edge axis nearly across a face: the boxes rock from face to edge, and parts are laid over each other as
        // usual.
        if (edges.flattest > kFaceToFace)
        {
            TouchingPair pair{first, second, {}, {}, {}, reach, tolerance, kMaxManifold};
            if (add_parts_along(normal, best.separation, pair, manifold)) return;
        }
        else if (edges.is_crossing || best.separation <= 0)
        {
            const double* p = edges.first_middle;
            const Vec3 on_first = first.position + first.rotation * Vec3{p[0], p[1], p[2]};
            manifold.add(
                {on_first + (0.5 * best.separation) * normal, normal, best.separation,
                 make_witness_key({FeatureKind::edge, edges.first_index}, {FeatureKind::edge, edges.second_index})});
            return;
        }
    }
    // The best axis named the wrong parts, or boxes that are apart are nearest at a vertex.
    TouchingPair pair{first, second, {}, {}, {}, reach, tolerance, kMaxManifold};
    touch_nearest(pair, manifold);
}

}  // namespace rattleback
