// The difference of two cores: the set of all b - a, whose distance from the origin is that of the two.
#pragma once

#include "geometry/convex/cores.h"
#include "geometry/convex/simplex.h"

#include <type_traits>

namespace rattleback::cores
{

/// Two orthonormal vectors across a unit vector; the same for the same vector.
inline void make_tangents(const Vec3& n, Vec3& s, Vec3& t)
{
    // Cross with the axis that is least along n, so that the product is never short.
    const double ax = std::abs(n.x), ay = std::abs(n.y), az = std::abs(n.z);
    const Vec3 axis = ax <= ay && ax <= az ? Vec3{1, 0, 0} : ay <= az ? Vec3{0, 1, 0} : Vec3{0, 0, 1};
    s = cross(n, axis);
    s = (1 / norm(s)) * s;
    t = cross(n, s);
}

// The distance of two convex bodies is that of the origin from their difference b - a, the depth that of the origin
// from its surface. Its support point is made of one of each body; its curvature is the sum of theirs.

/// In the frame of the first core.
template <class A, class B>
class Difference
{
public:
    static constexpr bool kCurved = A::kCurved || B::kCurved;

    /// `rotation` and `position`: of the second core in the frame of the first.
    Difference(const A& first, const B& second, const Mat3& rotation, const Vec3& position)
        : first_(first), second_(second), rotation_(rotation), position_(position)
    {
    }

    const A& first() const { return first_; }
    const B& second() const { return second_; }
    Vec3 center() const { return rotation_ * second_.center() + position_ - first_.center(); }
    /// About the way from one to the other; zero where one may be inside the other.
    Vec3 find_start() const
    {
        // A point of each core near the other: nearer than the way between centres for long shapes.
        const Vec3 a = first_.near(rotation_ * second_.center() + position_);
        return rotation_ * second_.near(transpose_times(rotation_, a - position_)) + position_ - a;
    }
    /// Of a ball around center().
    double radius() const { return first_.radius() + second_.radius(); }

    /// Unit normals of the flat caps of cylinders, each with one against it; returns how many.
    int find_caps(Vec3* caps) const
    {
        int count = 0;
        if constexpr (std::is_same_v<A, CylinderCore>) caps[count++] = {0, 0, 1};
        if constexpr (std::is_same_v<B, CylinderCore>) caps[count++] = rotation_.column(2);
        return count;
    }

    /// The point with the least dot(n, w).
    SupportPoint support(const Vec3& n) const
    {
        // The furthest of b - a against n is the furthest of b against n less the furthest of a along n.
        SupportPoint p;
        p.a = first_.support(n, p.first);
        p.w = rotation_ * second_.support(-transpose_times(rotation_, n), p.second) + position_ - p.a;
        return p;
    }

    /// Finds the unit normal near `n` along which the points of the simplex, each sliding over its curved surface, stay
    /// on one exposed face that the origin is straight above (or below: overlap). Newton's method on w(n) parallel to
    /// n: with D the derivative of the support point, (D + σ) δ = w - σ n across n and across the straight directions
    /// of the face. The result is a guess: the caller checks it against supports. Returns how far [m] the origin is
    /// off the face's prism, infinity where there is no such normal.
    double slide(Simplex& simplex, Vec3& n) const
    {
        Vec3 flat[2];
        // More than two straight directions: the points are no face, and there is no normal across them.
        const int flat_count = find_flats(simplex, flat);
        if (flat_count > 2) return kNowhere;
        merge_sliding(simplex);
        if (simplex.count == 1) return slide_point(simplex.points[0], n, simplex.weights[0]);
        const Simplex corners = simplex;
        double last = kNowhere;
        for (int i = 0; i < kSlides; ++i)
        {
            // Newton on the sphere of normals that are across the straight directions.
            if (!make_perpendicular(flat, flat_count, n)) return kNowhere;
            simplex = corners;
            double height = 0;
            const Vec3 off = find_offset(n, simplex, height);
            const double error = norm(off);
            if (flat_count == 2 || error <= kSettled * radius()) return error;
            if (!(error < 0.5 * last)) return error;  // converges no more
            last = error;
            if (!turn(off, height, flat, flat_count, n)) return kNowhere;
        }
        return make_perpendicular(flat, flat_count, n) ? last : kNowhere;
    }

private:
    template <class, class>
    friend class Climb;
    static constexpr double kNowhere = 1e300;
    static constexpr double kSettled = 1e-12;
    static constexpr int kSlides = 8;

    /// The same as slide() for a single point.
    double slide_point(SupportPoint& p, Vec3& n, double& weight) const
    {
        // Corners stay themselves; only curved surfaces slide with the normal.
        const Vec3 corner = p.a, second_corner = to_second(p);
        weight = 1;
        double last = kNowhere;
        for (int i = 0; i < kSlides; ++i)
        {
            n = (1 / norm(n)) * n;
            p.a = first_.slide(corner, p.first, n);
            p.w = rotation_ * second_.slide(second_corner, p.second, -transpose_times(rotation_, n)) + position_ - p.a;
            const double height = dot(n, p.w);
            // What is left across the normal: zero where the origin is straight above the point.
            const Vec3 off = p.w - height * n;
            const double error = norm(off);
            if (error <= kSettled * radius() || !(error < 0.5 * last)) return error;
            last = error;
            if (!turn(off, height, nullptr, 0, n)) return kNowhere;
        }
        n = (1 / norm(n)) * n;
        return last;
    }

    /// Straight directions of the exposed face, orthonormal; 3 if there are more than two.
    int find_flats(const Simplex& simplex, Vec3* flat) const
    {
        int count = 0;
        const auto add = [&](Vec3 along)
        {
            const double length = norm(along);
            // Gram-Schmidt: a direction that adds nothing new is dropped.
            for (int k = 0; k < count && k < 2; ++k) along -= dot(flat[k], along) * flat[k];
            const double rest = norm(along);
            if (!(rest > 1e-6 * length)) return;
            if (count < 2) flat[count] = (1 / rest) * along;
            ++count;
        };
        const SupportPoint& p = simplex.points[0];
        const Vec3 p_local = to_second(p);
        for (int i = 1; i < simplex.count; ++i)
        {
            const SupportPoint& q = simplex.points[i];
            Vec3 along;
            if (first_.flat(p.a, p.first, q.a, q.first, along)) add(along);
            if (second_.flat(p_local, p.second, to_second(q), q.second, along)) add(rotation_ * along);
        }
        return count;
    }

    /// Points of the same corners slide to the same place: one of them is enough.
    static void merge_sliding(Simplex& simplex)
    {
        int count = 1;
        for (int i = 1; i < simplex.count; ++i)
        {
            const SupportPoint& p = simplex.points[i];
            bool known = false;
            for (int j = 0; j < count; ++j)
                known = known || (simplex.points[j].first == p.first && simplex.points[j].second == p.second);
            if (!known) simplex.points[count++] = p;
        }
        simplex.count = count;
    }

    Vec3 to_second(const SupportPoint& p) const { return transpose_times(rotation_, p.b() - position_); }

    static bool make_perpendicular(const Vec3* flat, int flat_count, Vec3& n)
    {
        if (flat_count == 2)
        {
            // Two straight directions fix the normal up to its sign, one leaves a circle, none leaves all.
            const Vec3 across = cross(flat[0], flat[1]);
            n = dot(across, n) < 0 ? -across : across;
            return true;
        }
        if (flat_count == 1) n -= dot(flat[0], n) * flat[0];
        const double length = norm(n);
        if (!(length > 0.1)) return false;
        n = (1 / length) * n;
        return true;
    }

    /// Slides the points to normal n; the way from the origin, seen along n, to the nearest of their hull.
    Vec3 find_offset(const Vec3& n, Simplex& simplex, double& height) const
    {
        // The second core sees the normal from the other side.
        const Vec3 n_second = transpose_times(rotation_, n);
        for (int i = 0; i < simplex.count; ++i)
        {
            SupportPoint& p = simplex.points[i];
            const Vec3 b = second_.slide(to_second(p), p.second, -n_second);
            p.a = first_.slide(p.a, p.first, n);
            p.w = rotation_ * b + position_ - p.a;
        }
        // The point of the face nearest to the line along n, with its weights.
        const Vec3 off = reduce_across(n, simplex);
        height = 0;
        for (int i = 0; i < simplex.count; ++i) height += simplex.weights[i] * dot(n, simplex.points[i].w);
        return off;
    }

    Bend find_bend(const Vec3& n, const Vec3& s, const Vec3& t) const
    {
        Bend bend;
        if constexpr (A::kCurved) first_.bend(n, s, t, bend);
        if constexpr (B::kCurved)
        {
            second_.bend(transpose_times(rotation_, n), transpose_times(rotation_, s), transpose_times(rotation_, t),
                         bend);
        }
        return bend;
    }

    /// One step of Newton's method. False where the height is no local maximum over the normals, or the step is far.
    bool turn(const Vec3& off, double height, const Vec3* flat, int flat_count, Vec3& n) const
    {
        Vec3 step;
        if (flat_count == 1)
        {
            const Vec3 s = cross(n, flat[0]);
            // Radius of curvature and distance from the origin: the slope of Newton's equation.
            const double slope = find_bend(n, s, {}).ss + height;
            if (!(slope > 0)) return false;
            step = (dot(off, s) / slope) * s;
        }
        else
        {
            Vec3 s, t;
            make_tangents(n, s, t);
            const Bend bend = find_bend(n, s, t);
            const double ss = bend.ss + height, st = bend.st, tt = bend.tt + height;
            // A determinant near zero: a flat direction, along which no step can be trusted.
            const double determinant = ss * tt - st * st;
            if (!(ss > 0) || !(determinant > 1e-12 * ss * ss)) return false;
            const double x = dot(off, s), y = dot(off, t);
            step = ((tt * x - st * y) / determinant) * s + ((ss * y - st * x) / determinant) * t;
        }
        // A quarter of a turn is as far as one step can be trusted.
        const double square = dot(step, step);
        n += square > 1 ? (1 / std::sqrt(square)) * step : step;
        return true;
    }

    A first_;
    B second_;
    Mat3 rotation_;
    Vec3 position_;
};

}  // namespace rattleback::cores
