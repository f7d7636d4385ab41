// Nearest points of segments, triangles and tetrahedra to the origin.
#include "geometry/convex/simplex.h"

#include <limits>

namespace rattleback::cores
{
namespace
{

// A triangle or tetrahedron whose height is below this fraction of its size counts as flat: rounding makes its normal.
constexpr double kFlatTriangle = 1e-11, kFlatTetrahedron = 1e-13;

// Every candidate is compared by its distance, computed the same way: near degenerate simplices the regions of corners,
// edges and faces overlap by rounding, and the nearest of them is right in any case.

NearestPart on_vertex(const SupportPoint* p, int i)
{
    NearestPart best;
    best.kept[0] = i;
    best.weights[0] = 1;
    best.count = 1;
    best.point = p[i].w;
    best.square = dot(best.point, best.point);
    return best;
}

NearestPart on_segment(const SupportPoint* p, int i, int j)
{
    const Vec3 &a = p[i].w, &b = p[j].w;
    const Vec3 ab = b - a;
    // The foot of the origin on the line, as a share of its length; outside, an end.
    const double length = dot(ab, ab), along = -dot(a, ab);
    if (!(along > 0)) return on_vertex(p, i);
    if (!(along < length)) return on_vertex(p, j);
    NearestPart best;
    const double t = along / length;
    best.kept[0] = i;
    best.kept[1] = j;
    best.weights[0] = 1 - t;
    best.weights[1] = t;
    best.count = 2;
    // From the nearer end, which rounds less; then across the segment once more, for near the origin rounding turns it.
    best.point = t < 0.5 ? a + t * ab : b - (1 - t) * ab;
    best.point -= (dot(best.point, ab) / length) * ab;
    best.square = dot(best.point, best.point);
    return best;
}

/// Further than anything.
NearestPart nowhere()
{
    NearestPart none;
    none.count = 0;
    none.square = std::numeric_limits<double>::infinity();
    return none;
}

const NearestPart& nearer(const NearestPart& a, const NearestPart& b) { return b.square < a.square ? b : a; }

NearestPart on_triangle(const SupportPoint* p, int i, int j, int k)
{
    const Vec3 &a = p[i].w, &b = p[j].w, &c = p[k].w;
    const Vec3 ab = b - a, ac = c - a;
    const Vec3 n = cross(ab, ac);
    // Height times base: compared as squares, without a root.
    const double nn = dot(n, n);
    const double flat = kFlatTriangle * dot(ab, ab) * (kFlatTriangle * dot(ac, ac));
    // Without an area to speak of the sides are all there is.
    if (!(nn > flat)) return nearer(nearer(on_segment(p, i, j), on_segment(p, j, k)), on_segment(p, i, k));

    // Areas of the triangles that the origin's projection along the normal makes with the sides: barycentric weights.
    const double height = dot(n, a) / nn;
    // The foot of the origin on the plane, along the normal.
    const Vec3 origin = height * n;
    const Vec3 pa = a - origin, pb = b - origin, pc = c - origin;
    const double wa = dot(n, cross(pb, pc)), wb = dot(n, cross(pc, pa)), wc = dot(n, cross(pa, pb));
    // Inside: weights are the areas opposite to each corner.
    if (wa > 0 && wb > 0 && wc > 0)
    {
        NearestPart best;
        const double sum = 1 / (wa + wb + wc);
        best.kept[0] = i;
        best.kept[1] = j;
        best.kept[2] = k;
        best.weights[0] = wa * sum;
        best.weights[1] = wb * sum;
        best.weights[2] = wc * sum;
        best.count = 3;
        best.point = origin;
        best.square = dot(origin, origin);
        return best;
    }
    // Beside one or two sides: only these can hold the nearest point.
    NearestPart best = nowhere();
    if (!(wa > 0)) best = nearer(best, on_segment(p, j, k));
    if (!(wb > 0)) best = nearer(best, on_segment(p, i, k));
    if (!(wc > 0)) best = nearer(best, on_segment(p, i, j));
    return best;
}

NearestPart on_tetrahedron(const SupportPoint* p)
{
    const Vec3 &a = p[0].w, &b = p[1].w, &c = p[2].w, &d = p[3].w;
    const Vec3 n = cross(b - a, c - a), ad = d - a;
    const double volume = dot(n, ad);
    // Relative to base and height: at any scale.
    // Rounding decides the volume of a sliver: all four faces are asked then.
    const bool flat = !(volume * volume > kFlatTetrahedron * dot(n, n) * (kFlatTetrahedron * dot(ad, ad)));
    // Volumes with the origin in the place of each corner, positive where it is on the corner's side.
    const double sign = volume < 0 ? -1 : 1;
    const double la = sign * dot(cross(b, c), d), lb = -sign * dot(cross(c, d), a), lc = sign * dot(cross(a, b), d),
                 ld = -sign * dot(n, a);
    if (!flat && la > 0 && lb > 0 && lc > 0 && ld > 0)
    {
        NearestPart best;
        const double total = 1 / (la + lb + lc + ld);
        best.count = 4;
        for (int i = 0; i < 4; ++i) best.kept[i] = i;
        best.weights[0] = la * total;
        best.weights[1] = lb * total;
        best.weights[2] = lc * total;
        best.weights[3] = ld * total;
        best.point = {};
        best.square = 0;
        return best;
    }
    // Only faces that the origin is beyond.
    NearestPart best = nowhere();
    if (flat || !(la > 0)) best = nearer(best, on_triangle(p, 1, 2, 3));
    if (flat || !(lb > 0)) best = nearer(best, on_triangle(p, 0, 2, 3));
    if (flat || !(lc > 0)) best = nearer(best, on_triangle(p, 0, 1, 3));
    if (flat || !(ld > 0)) best = nearer(best, on_triangle(p, 0, 1, 2));
    return best;
}

}  // namespace

NearestPart find_nearest_part(const SupportPoint* points, int count)
{
    // A simplex of GJK has one to four points.
    if (count == 4) return on_tetrahedron(points);
    if (count == 3) return on_triangle(points, 0, 1, 2);
    if (count == 2) return on_segment(points, 0, 1);
    return on_vertex(points, 0);
}

Vec3 reduce_across(const Vec3& n, Simplex& simplex)
{
    SupportPoint seen[4];
    // Seen along n, all points lie in a plane: the same search in two dimensions.
    for (int i = 0; i < simplex.count; ++i) seen[i].w = simplex.points[i].w - dot(n, simplex.points[i].w) * n;
    // Witnesses of both shapes are mixed with the same weights.
    const NearestPart part = find_nearest_part(seen, simplex.count);
    keep(part, simplex);
    return part.point;
}

}  // namespace rattleback::cores
