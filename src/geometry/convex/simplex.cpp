// Nearest points of segments, triangles and tetrahedra to the origin.
#include "geometry/convex/simplex.h"

#include <limits>

namespace rattleback::convex
{
namespace
{

// A triangle or tetrahedron whose height is below this fraction of its size counts as flat: rounding makes its normal.
constexpr double kFlatTriangle = 1e-11, kFlatTetrahedron = 1e-13;

/// Points kept, by number, their weights, and the point they make.
struct Nearest
{
    int kept[4] = {0, 0, 0, 0};
    double weights[4] = {1, 0, 0, 0};
    int count = 1;
    Vec3 point;
    double square = std::numeric_limits<double>::infinity();
};

Nearest on_vertex(const SupportPoint* p, int i)
{
    Nearest best;
    best.kept[0] = i;
    best.point = p[i].w;
    best.square = dot(best.point, best.point);
    return best;
}

Nearest on_segment(const SupportPoint* p, int i, int j)
{
    const Vec3 &a = p[i].w, &b = p[j].w;
    const Vec3 ab = b - a;
    const double length = dot(ab, ab), along = -dot(a, ab);
    if (!(along > 0)) return on_vertex(p, i);
    if (!(along < length)) return on_vertex(p, j);
    Nearest best;
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

const Nearest& nearer(const Nearest& a, const Nearest& b) { return b.square < a.square ? b : a; }

Nearest on_triangle(const SupportPoint* p, int i, int j, int k)
{
    const Vec3 &a = p[i].w, &b = p[j].w, &c = p[k].w;
    const Vec3 ab = b - a, ac = c - a;
    const Vec3 n = cross(ab, ac);
    const double nn = dot(n, n);
    const double flat = kFlatTriangle * dot(ab, ab) * (kFlatTriangle * dot(ac, ac));
    if (!(nn > flat)) return nearer(nearer(on_segment(p, i, j), on_segment(p, j, k)), on_segment(p, i, k));

    // Areas of the triangles that the origin's projection makes with the sides, over the axis where they are largest.
    const double height = dot(n, a) / nn;
    const Vec3 origin = height * n;
    const Vec3 pa = a - origin, pb = b - origin, pc = c - origin;
    const double wa = dot(n, cross(pb, pc)), wb = dot(n, cross(pc, pa)), wc = dot(n, cross(pa, pb));
    if (wa > 0 && wb > 0 && wc > 0)
    {
        Nearest best;
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
    Nearest best;
    if (!(wa > 0)) best = nearer(best, on_segment(p, j, k));
    if (!(wb > 0)) best = nearer(best, on_segment(p, i, k));
    if (!(wc > 0)) best = nearer(best, on_segment(p, i, j));
    return best;
}

Nearest on_tetrahedron(const SupportPoint* p)
{
    const Vec3 &a = p[0].w, &b = p[1].w, &c = p[2].w, &d = p[3].w;
    const Vec3 n = cross(b - a, c - a), ad = d - a;
    const double volume = dot(n, ad);
    const bool flat = !(volume * volume > kFlatTetrahedron * dot(n, n) * (kFlatTetrahedron * dot(ad, ad)));
    // Volumes with the origin in the place of each corner, positive where it is on the corner's side.
    const double sign = volume < 0 ? -1 : 1;
    const double la = sign * dot(cross(b, c), d), lb = -sign * dot(cross(c, d), a), lc = sign * dot(cross(a, b), d),
                 ld = -sign * dot(n, a);
    Nearest best;
    if (!flat && la > 0 && lb > 0 && lc > 0 && ld > 0)
    {
        const double total = 1 / (la + lb + lc + ld);
        best.count = 4;
        for (int i = 0; i < 4; ++i) best.kept[i] = i;
        best.weights[0] = la * total;
        best.weights[1] = lb * total;
        best.weights[2] = lc * total;
        best.weights[3] = ld * total;
        best.square = 0;
        return best;
    }
    if (flat || !(la > 0)) best = nearer(best, on_triangle(p, 1, 2, 3));
    if (flat || !(lb > 0)) best = nearer(best, on_triangle(p, 0, 2, 3));
    if (flat || !(lc > 0)) best = nearer(best, on_triangle(p, 0, 1, 3));
    if (flat || !(ld > 0)) best = nearer(best, on_triangle(p, 0, 1, 2));
    return best;
}

Nearest find_nearest(const Simplex& simplex)
{
    const SupportPoint* p = simplex.points;
    if (simplex.count == 4) return on_tetrahedron(p);
    if (simplex.count == 3) return on_triangle(p, 0, 1, 2);
    if (simplex.count == 2) return on_segment(p, 0, 1);
    return on_vertex(p, 0);
}

/// reduce() for two points, the most frequent case.
Vec3 reduce_segment(Simplex& simplex)
{
    const Vec3 &a = simplex.points[0].w, &b = simplex.points[1].w;
    const Vec3 ab = b - a;
    const double length = dot(ab, ab), along = -dot(a, ab);
    if (along > 0 && along < length)
    {
        const double t = along / length;
        simplex.weights[0] = 1 - t;
        simplex.weights[1] = t;
        const Vec3 point = t < 0.5 ? a + t * ab : b - (1 - t) * ab;
        return point - (dot(point, ab) / length) * ab;
    }
    if (along > 0) simplex.points[0] = simplex.points[1];
    simplex.weights[0] = 1;
    simplex.count = 1;
    return simplex.points[0].w;
}

}  // namespace

Vec3 reduce(Simplex& simplex)
{
    if (simplex.count == 2) return reduce_segment(simplex);
    const Nearest best = find_nearest(simplex);
    // The points kept are in increasing order, so that none is overwritten before it moves.
    for (int i = 0; i < best.count; ++i)
    {
        if (best.kept[i] != i) simplex.points[i] = simplex.points[best.kept[i]];
        simplex.weights[i] = best.weights[i];
    }
    simplex.count = best.count;
    return best.point;
}

Vec3 reduce_across(const Vec3& n, Simplex& simplex)
{
    Simplex seen = simplex;
    for (int i = 0; i < simplex.count; ++i)
    {
        seen.points[i].w -= dot(n, seen.points[i].w) * n;
        seen.points[i].first = i;
    }
    const Vec3 off = reduce(seen);
    for (int i = 0; i < seen.count; ++i)
    {
        const int from = seen.points[i].first;
        if (from != i) simplex.points[i] = simplex.points[from];
        simplex.weights[i] = seen.weights[i];
    }
    simplex.count = seen.count;
    return off;
}

}  // namespace rattleback::convex
