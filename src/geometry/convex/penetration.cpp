// The expanding polytope algorithm of van den Bergen; curved surfaces end with Newton's method.
#include "geometry/convex/penetration.h"

#include "geometry/convex/difference.h"
#include "geometry/convex/polytope.h"

namespace rattleback::convex
{
namespace
{

// All relative to the size of the two cores.
constexpr double kGap = 1e-12;      // of the bounds at the end
constexpr double kSlack = 1e-12;    // a point is beyond a face
constexpr double kThin = 1e-12;     // no volume
constexpr double kSettled = 1e-10;  // Newton's method has found a stationary normal
// A curved minimum: faces nearer than this fraction of it are still expanded, nearer ones only looked at.
constexpr double kExplored = 0.9;
constexpr int kMaxCurvedSteps = 48;

class Penetration
{
public:
    Penetration(const DifferenceView& view, CoreDistance& result) : view_(view), result_(result) {}

    void find()
    {
        SupportPoint corners[4];
        const int dimension = find_corners(corners);
        if (dimension < 3 || !polytope_.start(corners)) return give_flat(corners, dimension);
        const int limit = view_.slide ? kMaxCurvedSteps : 4 * Polytope::kMaxPoints;
        for (int step = 0; step < limit; ++step)
        {
            const int face = polytope_.find_nearest();
            if (face < 0) break;
            inner_ = polytope_.distance(face);
            if (best_ - inner_ <= kGap * view_.size || !expand(face)) break;
        }
        give();
    }

private:
    SupportPoint support(const Vec3& n) { return last_ = view_.support(view_.difference, n, last_); }

    /// Looks beyond the nearest face. False when the search is over.
    bool expand(int face)
    {
        const Vec3 normal = polytope_.face(face).normal;
        const SupportPoint p = support(-normal);
        const double outer = dot(normal, p.w);
        if (outer < best_)
        {
            best_ = outer;
            best_normal_ = -normal;
            best_simplex_ = polytope_.make_simplex(face);
            exact_ = false;
        }
        if (outer - inner_ <= kGap * view_.size) return false;
        if (view_.slide && settle(face)) return true;
        if (!polytope_.add(p, face, kSlack * view_.size))
        {
            if (polytope_.is_full()) return false;
            polytope_.set_aside(face);
        }
        return true;
    }

    /// Newton's method from a face of curved surfaces. True when that took the search further.
    bool settle(int face)
    {
        Simplex simplex = polytope_.make_simplex(face);
        Vec3 n = -polytope_.face(face).normal;
        if (!(view_.slide(view_.difference, simplex, n) <= kSettled * view_.size)) return false;
        const SupportPoint p = support(n);
        const double depth = -dot(n, p.w);
        double height = 0;
        for (int i = 0; i < simplex.count; ++i) height += simplex.weights[i] * dot(n, simplex.points[i].w);
        if (!(depth + height <= kSettled * view_.size)) return false;
        if (depth < best_ + kSettled * view_.size && !(exact_ && depth >= best_))
        {
            best_ = depth;
            best_normal_ = n;
            best_simplex_ = simplex;
            exact_ = true;
        }
        if (polytope_.distance(face) >= kExplored * best_)
        {
            polytope_.set_aside(face);
            return true;
        }
        bool grown = false;
        for (int i = 0; i < simplex.count; ++i) grown = polytope_.add(simplex.points[i], kSlack * view_.size) || grown;
        return grown;
    }

    void give()
    {
        result_.verdict = Verdict::overlap;
        result_.normal = best_normal_;
        result_.lower = -best_;
        result_.distance = exact_ ? -best_ : -std::min(inner_, best_);
        result_.simplex = best_simplex_;
        set_weights(result_.simplex, best_normal_);
    }

    /// Weights of the point that the origin is straight above.
    static void set_weights(Simplex& simplex, const Vec3& n)
    {
        Simplex seen = simplex;
        for (int i = 0; i < simplex.count; ++i)
        {
            seen.points[i].w -= dot(n, seen.points[i].w) * n;
            seen.points[i].first = i;
        }
        reduce(seen);
        for (int i = 0; i < seen.count; ++i)
        {
            const int from = seen.points[i].first;
            if (from != i) simplex.points[i] = simplex.points[from];
            simplex.weights[i] = seen.weights[i];
        }
        simplex.count = seen.count;
    }

    /// Cores without volume between them: they touch, and any direction across parts them.
    void give_flat(const SupportPoint* corners, int dimension)
    {
        Vec3 s{0, 0, 1}, t;
        const Vec3 along = dimension > 0 ? corners[1].w - corners[0].w : Vec3{};
        if (dimension == 1) make_tangents((1 / norm(along)) * along, s, t);
        if (dimension > 1)
        {
            s = cross(along, corners[2].w - corners[0].w);
            s = (1 / norm(s)) * s;
        }
        result_.verdict = Verdict::overlap;
        result_.normal = s;
        result_.distance = 0;
        result_.lower = std::min(dot(s, support(s).w), 0.0);
    }

    /// Up to four points that span as much as the difference does, from the simplex on; returns the dimension.
    int find_corners(SupportPoint* corners)
    {
        const Simplex& simplex = result_.simplex;
        last_ = simplex.points[0];
        corners[0] = simplex.points[0];
        int dimension = 0;
        const auto height = [&](const SupportPoint& p)
        {
            const Vec3 d = p.w - corners[0].w;
            if (dimension == 0) return norm(d);
            const Vec3 e = corners[1].w - corners[0].w;
            if (dimension == 1) return norm(cross(e, d)) / norm(e);
            const Vec3 n = cross(e, corners[2].w - corners[0].w);
            return std::abs(dot(n, d)) / norm(n);
        };
        bool used[4] = {true, false, false, false};
        while (dimension < 3)
        {
            // The best of the simplex's own points; only where they are all too near, new ones.
            int best = -1;
            double furthest = 1e-6 * view_.size;
            for (int i = 1; i < simplex.count; ++i)
            {
                if (used[i] || !(height(simplex.points[i]) > furthest)) continue;
                best = i;
                furthest = height(simplex.points[i]);
            }
            if (best >= 0)
            {
                used[best] = true;
                corners[++dimension] = simplex.points[best];
                continue;
            }
            SupportPoint found;
            furthest = kThin * view_.size;
            bool any = false;
            Vec3 directions[3];
            const int count = find_directions(corners, dimension, directions);
            for (int i = 0; i < 2 * count; ++i)
            {
                const SupportPoint p = support(i % 2 == 0 ? directions[i / 2] : -directions[i / 2]);
                const double h = height(p);
                if (!(h > furthest)) continue;
                furthest = h;
                found = p;
                any = true;
            }
            if (!any) return dimension;
            corners[++dimension] = found;
        }
        return dimension;
    }

    static int find_directions(const SupportPoint* corners, int dimension, Vec3* directions)
    {
        if (dimension == 0)
        {
            directions[0] = {1, 0, 0};
            directions[1] = {0, 1, 0};
            directions[2] = {0, 0, 1};
            return 3;
        }
        const Vec3 e = corners[1].w - corners[0].w;
        if (dimension == 1)
        {
            make_tangents((1 / norm(e)) * e, directions[0], directions[1]);
            return 2;
        }
        const Vec3 n = cross(e, corners[2].w - corners[0].w);
        directions[0] = (1 / norm(n)) * n;
        return 1;
    }

    const DifferenceView& view_;
    CoreDistance& result_;
    Polytope polytope_;
    SupportPoint last_;
    double inner_ = 0;                                       // no translation shorter than this parts the two
    double best_ = std::numeric_limits<double>::infinity();  // and this one does, along best_normal_
    Vec3 best_normal_;
    Simplex best_simplex_;
    bool exact_ = false;  // best_ is a stationary value
};

}  // namespace

void find_penetration(const DifferenceView& view, CoreDistance& result) { Penetration(view, result).find(); }

}  // namespace rattleback::convex
