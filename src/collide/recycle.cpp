// Points of a manifold in the frames of its shapes, and back in the world.
#include "collide/recycle.h"

#include "base/index.h"

#include <algorithm>
#include <cmath>

namespace rattleback
{

namespace
{

constexpr double kLimit = 1e-3;   // of the smaller bounding radius; what is neglected is the square of it
constexpr double kWide = 4;       // of the limit: width of the region where two shapes meet, so that its normal stays
constexpr double kSlight = 1e-3;  // of the limit: for regions without width, an error as small as that of the others

// A manifold that was found exactly is good to first order while the shapes hardly move against each other: its points
// travel with their shapes, distances follow the poses, and the neglected part is of the square of the motion. The
// motion is measured from where the points were found, so that creeping adds up until they are found anew.

bool is_flat(ShapeType type)
{
    return type == ShapeType::plane || type == ShapeType::box || type == ShapeType::hull || type == ShapeType::mesh;
}

/// No point of the second shape moved further than this against the first [m]: a turn by an angle changes a rotation by
/// sqrt(8) sin(angle / 2) in the Frobenius norm, and moves a point at distance r by 2 r sin(angle / 2).
double find_motion(const KeptManifold& kept, const PlacedShape& first, const PlacedShape& second, double radius)
{
    // Both poses are those of the second shape seen from the first: a motion of the pair as a whole does not count.
    const Vec3 shift = transpose_times(first.rotation, second.position - first.position) - kept.offset;
    // Row by row, so that no matrix passes through memory.
    double square = 0;
    for (int i = 0; i < 3; ++i)
    {
        const Vec3 row = transpose_times(second.rotation, first.rotation.column(i));
        const double x = row.x - kept.turn.m[3 * i], y = row.y - kept.turn.m[3 * i + 1];
        const double z = row.z - kept.turn.m[3 * i + 2];
        square += x * x + y * y + z * z;
    }
    return norm(shift) + radius * std::sqrt(0.5 * square);
}

/// How far the points are spread across the line through two that are far apart [m].
double find_width(const Manifold& manifold)
{
    const Vec3& origin = manifold.points[0].point;
    // The point furthest from the first one, then the largest distance of any other from the line through both.
    Vec3 longest;
    for (int i = 1; i < manifold.count; ++i)
    {
        const Vec3 side = manifold.points[at(i)].point - origin;
        if (dot(side, side) > dot(longest, longest)) longest = side;
    }
    double area = 0;
    for (int i = 1; i < manifold.count; ++i)
        area = std::max(area, norm(cross(longest, manifold.points[at(i)].point - origin)));
    return area > 0 ? area / norm(longest) : 0;
}

}  // namespace

void KeptManifolds::clear()
{
    manifolds.clear();
    points.clear();
}

bool KeptManifolds::is_sound() const
{
    // Bytes may come from a file: indices must lie inside the list before anything is read, and features increase.
    const auto count = static_cast<std::int64_t>(points.size());
    const auto lies_inside = [&](const KeptManifold& kept)
    {
        return kept.count >= 0 && kept.count <= kMaxManifold && kept.begin >= 0 &&
               std::int64_t{kept.begin} + kept.count <= count;
    };
    const auto increases = [&](const KeptManifold& kept)
    {
        for (int i = kept.begin + 1; i < kept.begin + kept.count; ++i)
            if (points[at(i - 1)].feature >= points[at(i)].feature) return false;
        return true;
    };
    return std::all_of(manifolds.begin(), manifolds.end(),
                       [&](const KeptManifold& kept) { return lies_inside(kept) && increases(kept); });
}

double find_recycling_limit(double first_radius, double second_radius)
{
    return kLimit * std::min(first_radius, second_radius);
}

bool may_recycle(ShapeType first, ShapeType second) { return is_flat(first) && is_flat(second); }

bool replay(const KeptManifold& kept, const std::vector<KeptPoint>& points, const PlacedShape& first,
            const PlacedShape& second, double radius, double reach, Manifold& manifold)
{
    const double motion = find_motion(kept, first, second, radius);
    // Two bounds: points must not have moved far, and nothing may have come within reach unseen.
    if (!(motion <= kept.limit) || !(reach + motion <= kept.reach)) return false;
    // Normal and tangent turn with the first shape.
    const Vec3 normal = first.rotation * kept.normal, tangent = first.rotation * kept.tangent;
    manifold.count = 0;
    for (int i = kept.begin; i < kept.begin + kept.count; ++i)
    {
        // Both points move with their own shapes; the distance follows from them, and is exact to first order.
        const Vec3 a = first.position + first.rotation * points[at(i)].on_first;
        const Vec3 b = second.position + second.rotation * points[at(i)].on_second;
        manifold.add({0.5 * (a + b), normal, dot(b - a, normal), points[at(i)].feature, tangent});
    }
    return true;
}

void keep_manifold(const PairCandidate& pair, const PlacedShape& first, const PlacedShape& second, double reach,
                   double limit, const Manifold& manifold, KeptManifolds& next)
{
    const ManifoldPoint& front = manifold.points[0];
    for (int i = 1; i < manifold.count; ++i)
    {
        const ManifoldPoint& point = manifold.points[at(i)];
        // Points of several normals (edges of a step) are found anew every time.
        if (!(point.normal == front.normal) || !(point.tangent == front.tangent)) return;
    }
    // Relative pose and points in both frames: all that replay() needs.
    KeptManifold kept;
    kept.first = pair.first;
    kept.second = pair.second;
    kept.begin = static_cast<int>(next.points.size());
    kept.count = manifold.count;
    kept.reach = reach;
    // Narrow regions (a box on its edge) turn their normal with little motion: they last less long.
    kept.limit = std::clamp(find_width(manifold) / kWide, kSlight * limit, limit);
    kept.turn = transpose(first.rotation) * second.rotation;
    kept.offset = transpose_times(first.rotation, second.position - first.position);
    kept.normal = transpose_times(first.rotation, front.normal);
    kept.tangent = transpose_times(first.rotation, front.tangent);
    next.manifolds.push_back(kept);
    for (int i = 0; i < manifold.count; ++i)
    {
        const ManifoldPoint& point = manifold.points[at(i)];
        // From half-way between the surfaces to the point on either.
        const Vec3 half = (0.5 * point.distance) * point.normal;
        next.points.push_back({transpose_times(first.rotation, point.point - half - first.position),
                               transpose_times(second.rotation, point.point + half - second.position), point.feature});
    }
}

void keep_again(const KeptManifold& kept, const std::vector<KeptPoint>& points, KeptManifolds& next)
{
    // Found once, replayed many times: the reference pose stays the first one, so that small motions add up to a large
    // one.
    next.manifolds.push_back(kept);
    next.manifolds.back().begin = static_cast<int>(next.points.size());
    const auto begin = points.begin() + kept.begin;
    next.points.insert(next.points.end(), begin, begin + kept.count);
}

}  // namespace rattleback
