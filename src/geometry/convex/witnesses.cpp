// GJK in the plane across a normal.
#include "geometry/convex/witnesses.h"

#include <algorithm>

namespace rattleback::cores
{
namespace
{

// Relative to the size of the cores: as good as it gets, and how far out of the plane its points are looked for.
constexpr double kWitnessGap = 1e-12, kTilt = 1e-11;
constexpr double kMaxTilt = 1e-3;  // [rad]
constexpr double kNearer = 0.999;  // a step to a point close by has to come this much nearer: no creeping along rims
constexpr int kMaxSteps = 48;

// The normal and the depth are known; where many points of both surfaces lie in the plane across the normal (face on
// face), the witness is some point of their overlap. It is found by GJK in that plane: supports of a normal tilted a
// little towards where the overlap is missing.

/// A point further from those of a simplex than `distance` [m] is another corner of a long face, however little it
/// helps.
bool is_far_from(const Simplex& simplex, const SupportPoint& point, double distance)
{
    bool is_far = true;
    for (int i = 0; i < simplex.count; ++i) is_far = is_far && norm(point.w - simplex.points[i].w) > distance;
    return is_far;
}

}  // namespace

double find_witnesses(const DifferenceView& view, const Vec3& n, double height, Simplex& simplex)
{
    const double enough = kWitnessGap * view.size;
    // The weighted point should be at `height` straight along n.
    const auto find_error = [&](const Simplex& s) { return norm(find_point(s) - height * n); };
    // First with the points at hand.
    Simplex trial = simplex;
    Vec3 off = reduce_across(n, trial);
    simplex = trial;
    double error = find_error(trial);
    if (error <= enough) return error;
    // Points that are not at the height of the normal's plane belong to another face.
    bool level = true;
    for (int i = 0; i < trial.count; ++i) level = level && dot(n, trial.points[i].w) - height <= kTilt * view.size;
    if (!level)
    {
        // One point at the right height to start from.
        trial.points[0] = view.support(view.difference, n);
        trial.count = 1;
        off = reduce_across(n, trial);
    }
    // A tilt of the normal towards where points are missing shows corners beyond; small at first.
    double rise = kTilt * view.size;
    for (int i = 0; i < kMaxSteps; ++i)
    {
        const double away = find_error(trial);
        if (away < error)
        {
            simplex = trial;
            error = away;
        }
        // How far the weighted point is from the line along n.
        const double distance = norm(off);
        if (error <= enough || !(distance > 0) || rise > kMaxTilt * distance) break;
        // One more point of the difference, seen with the tilted normal.
        Simplex next = trial;
        next.points[next.count++] = view.support(view.difference, n + (rise / (distance * distance)) * off);
        const bool is_far = is_far_from(trial, next.points[trial.count], distance);
        const Vec3 reached = reduce_across(n, next);
        if (!(norm(reached) < (is_far ? 1 : kNearer) * distance))
        {
            // Nothing new within this tilt: a larger one, up to a milliradian.
            rise *= 8;
            continue;
        }
        trial = next;
        off = reached;
    }
    return error;
}

}  // namespace rattleback::cores
