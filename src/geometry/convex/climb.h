// The way to the nearest normal of least depth, from anywhere: for valleys that hardly rise along their floor.
#pragma once

#include "geometry/convex/difference.h"

namespace rattleback::cores
{

/// For overlapping cores: the height of the difference along a normal, dot(n, support(n)), is negative, and the depth
/// is least where it is a maximum. Newton's method with the curvatures made positive goes up, each step no longer than
/// the last ones were good for. Where the surface has an edge or a corner the height has a ridge or a peak: the points
/// seen on its sides are kept, and the climb goes on across their straight directions. Slower than Difference::slide.
template <class A, class B>
class Climb
{
public:
    using D = Difference<A, B>;

    Climb(const D& difference, Simplex& simplex, Vec3& n) : difference_(difference), simplex_(simplex), n_(n)
    {
        // As little as rounding makes of the height.
        slack_ = 1e-15 * difference.radius();
    }

    /// Ends with a normal whose depth is not greater, and returns what Difference::slide does.
    double run()
    {
        // One support point at a time: the others of an edge or a face are found on the way.
        drop_to(difference_.support(n_));
        height_ = dot(n_, simplex_.points[0].w);
        double error = D::kNowhere;
        for (int i = 0; i < kSteps && trust_ > kLeast; ++i)
        {
            // Points on both sides of an edge are kept: on the edge itself the normal must be across their direction.
            if (!get_on_edge()) continue;
            Simplex slid = simplex_;
            double level = 0;
            // How far the weighted point is from the line along n, and how high: both vanish at a stationary normal.
            const Vec3 off = difference_.find_offset(n_, slid, level);
            error = norm(off);
            if (error <= D::kSettled * difference_.radius())
            {
                simplex_ = slid;
                if (level - height_ <= kLevel * difference_.radius()) return error;
                // Straight above points that others are below: these are no edge of the surface here.
                error = D::kNowhere;
                drop_to(difference_.support(n_));
                trust_ *= 0.25;
                continue;
            }
            if (go_up(off)) continue;
            // The edge goes no higher: it is left where the origin is not straight above it.
            if (slid.count == simplex_.count || !is_top_) continue;
            simplex_ = slid;
            trust_ = kFarthest;
        }
        return error;
    }

private:
    static constexpr int kSteps = 400;
    static constexpr double kFarthest = 0.25, kShort = 1e-8, kLeast = 1e-12;  // [rad] that one step goes
    static constexpr double kLevel = 1e-11;                                   // of the radius

    void drop_to(const SupportPoint& p)
    {
        simplex_.points[0] = p;
        simplex_.weights[0] = 1;
        simplex_.count = 1;
        flat_count_ = 0;
    }

    /// Turns the normal across the straight directions between the points kept. False where that is no way up.
    bool get_on_edge()
    {
        // Straight directions between the points kept: none on smooth surfaces, one along an edge, two across a corner.
        flat_count_ = difference_.find_flats(simplex_, flat_);
        if (flat_count_ == 0) return true;
        Vec3 n = n_;
        if (flat_count_ <= 2 && D::make_perpendicular(flat_, flat_count_, n))
        {
            const double height = dot(n, difference_.support(n).w);
            if (height >= height_ - slack_)
            {
                n_ = n;
                height_ = height;
                return true;
            }
        }
        if (simplex_.count == 3)
        {
            // Without the one before the last it may be an edge.
            simplex_.points[1] = simplex_.points[2];
            simplex_.count = 2;
            return false;
        }
        drop_to(difference_.support(n_));
        trust_ *= 0.25;
        return false;
    }

    /// One step up. False where it would not have gone up; what was seen there is kept if it is across an edge.
    bool go_up(const Vec3& off)
    {
        Vec3 step = find_step(off);
        const double length = norm(step);
        is_top_ = !(length > kLeast);
        if (is_top_)
        {
            trust_ *= 0.25;
            return false;
        }
        // Trust region: no step longer than what the last ones were good for.
        if (length > trust_) step = (trust_ / length) * step;
        const Vec3 m = (1 / norm(n_ + step)) * (n_ + step);
        const SupportPoint q = difference_.support(m);
        const double height = dot(m, q.w);
        const int apart = find_apart(q);
        if (height > height_)
        {
            n_ = m;
            height_ = height;
            // Doubled after success, quartered after failure.
            trust_ = std::min(2 * trust_, kFarthest);
            if (apart > 0 || flat_count_ == 0) drop_to(q);
            return true;
        }
        trust_ = 0.25 * std::min(length, trust_);
        // Across two edges at once: a shorter step may cross one of them only.
        if (simplex_.count < 3 && (apart == 1 || (apart == 2 && trust_ < kShort)))
        {
            simplex_.points[simplex_.count++] = q;
            return true;
        }
        return false;
    }

    /// On how many of the two cores q is at another corner than all points kept.
    int find_apart(const SupportPoint& q) const
    {
        int apart = 2;
        for (int i = 0; i < simplex_.count; ++i)
        {
            const SupportPoint& p = simplex_.points[i];
            apart = std::min(apart, (p.first != q.first ? 1 : 0) + (p.second != q.second ? 1 : 0));
        }
        return apart;
    }

    Vec3 find_step(const Vec3& off) const
    {
        const double least = 1e-12 * difference_.radius();
        // A corner: the normal may turn freely, but no curvature says how far.
        if (flat_count_ == 2) return {};
        if (flat_count_ == 1)
        {
            // Along an edge only the curvature across it counts.
            const Vec3 s = cross(n_, flat_[0]);
            const double slope = std::abs(difference_.find_bend(n_, s, {}).ss + height_);
            return (dot(off, s) / std::max(slope, least)) * s;
        }
        Vec3 s, t;
        make_tangents(n_, s, t);
        const Bend bend = difference_.find_bend(n_, s, t);
        // Second derivative of the height over the sphere of normals: curvature radii and the height itself.
        const double ss = bend.ss + height_, tt = bend.tt + height_;
        const double x = dot(off, s), y = dot(off, t);
        // Principal curvatures mean ± spread, in the directions (c, d) and (-d, c).
        const double mean = 0.5 * (ss + tt), half = 0.5 * (ss - tt),
                     spread = std::sqrt(half * half + bend.st * bend.st);
        double c = spread + std::abs(half), d = std::abs(bend.st);
        const double length = std::sqrt(c * c + d * d);
        c = length > 0 ? c / length : 1;
        d = length > 0 ? d / length : 0;
        if (half < 0) std::swap(c, d);
        if (bend.st < 0) d = -d;
        // Newton's step in principal directions, with the curvatures taken as positive: uphill in either.
        const double first = (c * x + d * y) / std::max(std::abs(mean + spread), least);
        const double second = (c * y - d * x) / std::max(std::abs(mean - spread), least);
        return (c * first - d * second) * s + (d * first + c * second) * t;
    }

    const D& difference_;
    Simplex& simplex_;
    Vec3& n_;
    Vec3 flat_[2];
    int flat_count_ = 0;
    double height_ = 0, slack_ = 0, trust_ = kFarthest;
    bool is_top_ = false;
};

}  // namespace rattleback::cores
