// The expanding polytope algorithm of van den Bergen; curved surfaces end with Newton's method.
#include "geometry/convex/penetration.h"

#include "geometry/convex/difference.h"
#include "geometry/convex/polytope.h"
#include "geometry/convex/witnesses.h"

#include <array>

namespace rattleback::cores
{
namespace
{

// All relative to the size of the two cores.
constexpr double kGap = 1e-12;      // of the bounds at the end
constexpr double kSlack = 1e-12;    // a point is beyond a face
constexpr double kThin = 1e-12;     // no volume
constexpr double kSame = 1e-7;      // points of curved surfaces nearer than this are one: their planes are rounding
constexpr double kPlump = 1e-12;    // squared: height over size of a good tetrahedron
constexpr double kSettled = 1e-10;  // Newton's method has found a stationary normal
constexpr double kCoarse = 5e-3;    // bounds of a face further apart than this say little about the minimum beyond it
// A curved minimum explains the faces around it that are at least this fraction of it away from the origin; nearer ones
// are expanded. Two minima of which the better is better by less than the rest can be mistaken for each other.
constexpr double kExplored = 0.995;
constexpr double kSameWay = 0.9, kNearby = 0.995, kElsewhere = 0.97;  // cosines
constexpr int kMaxCurvedSteps = 160, kPatience = 40;

class Penetration
{
public:
    Penetration(const DifferenceView& view, CoreDistance& result) : view_(view), result_(result) {}

    void find()
    {
        // A tetrahedron around the origin, or next to it: from GJK's last simplex where that has volume.
        SupportPoint corners[4];
        if (is_solid(result_.simplex))
        {
            polytope_.start(result_.simplex.points);
        }
        else
        {
            const int dimension = find_corners(corners);
            if (dimension < 3 || !polytope_.start(corners)) return give_flat(corners, dimension);
        }
        const int limit = view_.slide ? kMaxCurvedSteps : 4 * Polytope::kMaxPoints;
        for (steps_ = 0; steps_ < limit; ++steps_)
        {
            // Lower bound of the depth: the nearest face of a polytope inside the difference.
            const int face = polytope_.find_nearest();
            if (face < 0) break;
            inner_ = polytope_.distance(face);
            if (best_ - inner_ <= kGap * view_.size || !expand(face)) break;
            // So many steps without an end: there are valleys that hardly rise along their floor.
            if (view_.climb && steps_ % kPatience == kPatience - 1) climb();
        }
        // Faces that were set aside may have been nearer than the last one.
        if (view_.climb && !proven_) climb();
        if (view_.climb && best_ - inner_ > kGap * view_.size && steps_ > kPatience) climb_elsewhere();
        if (exact_) try_rivals();
        give();
    }

private:
    using Parts = std::array<std::uint64_t, 3>;
    /// Where Newton's method has ended.
    struct Minimum
    {
        Parts parts{};
        Vec3 normal;
    };
    static constexpr int kMaxMinima = 16, kMaxStarts = 24;

    SupportPoint support(const Vec3& n) const { return view_.support(view_.difference, n); }

    /// Is it a tetrahedron to start from as it is?
    static bool is_solid(const Simplex& simplex)
    {
        if (simplex.count < 4) return false;
        const Vec3& a = simplex.points[0].w;
        const Vec3 ab = simplex.points[1].w - a, ac = simplex.points[2].w - a, ad = simplex.points[3].w - a;
        const Vec3 n = cross(ab, ac);
        const double nn = dot(n, n), volume = dot(n, ad);
        return nn > kPlump * dot(ab, ab) * dot(ac, ac) && volume * volume > kPlump * nn * dot(ad, ad);
    }

    /// Looks beyond the nearest face. False when the search is over.
    bool expand(int face)
    {
        const Vec3 normal = polytope_.face(face).normal;
        const SupportPoint p = support(-normal);
        const double outer = dot(normal, p.w);
        // A stationary value is as good as its bounds: rounding must not replace it.
        if (outer < best_ - (exact_ ? kGap * view_.size : 0))
        {
            best_ = outer;
            best_normal_ = -normal;
            for (int k = 0; k < 3; ++k) best_corners_[k] = polytope_.face(face).corners[k];
            exact_ = false;
        }
        if (outer - inner_ <= kGap * view_.size)
        {
            proven_ = true;
            return false;
        }
        if (view_.slide)
        {
            const bool explained = is_explained(face);
            if (explained && inner_ >= kExplored * best_)
            {
                polytope_.set_aside(face);
                return true;
            }
            if (!explained && outer - inner_ < kCoarse * view_.size && settle(face)) return true;
        }
        const bool known = view_.slide && polytope_.has_point_near(p.w, kSame * view_.size);
        if (known || !polytope_.add(p, face, kSlack * view_.size))
        {
            if (polytope_.is_full()) return false;
            polytope_.set_aside(face);
        }
        return true;
    }

    /// Corners of the cores at the corners of a face, whatever their order.
    Parts find_parts(int face) const
    {
        Parts parts;
        for (std::size_t i = 0; i < 3; ++i)
        {
            const SupportPoint& p = polytope_.point(polytope_.face(face).corners[i]);
            parts[i] = static_cast<std::uint64_t>(static_cast<std::uint32_t>(p.first)) << 32 |
                       static_cast<std::uint32_t>(p.second);
        }
        if (parts[0] > parts[1]) std::swap(parts[0], parts[1]);
        if (parts[1] > parts[2]) std::swap(parts[1], parts[2]);
        if (parts[0] > parts[1]) std::swap(parts[0], parts[1]);
        return parts;
    }

    /// Has Newton's method with the same corners ended near this face's normal before?
    bool is_explained(int face) const
    {
        if (minimum_count_ == 0) return false;
        const Vec3& normal = polytope_.face(face).normal;
        const Parts parts = find_parts(face);
        for (int i = 0; i < minimum_count_; ++i)
        {
            if (minima_[i].parts == parts && dot(minima_[i].normal, normal) < -kNearby) return true;
        }
        return false;
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
        if (minimum_count_ < kMaxMinima) minima_[minimum_count_++] = {find_parts(face), n};
        if (depth > best_ + kSettled * view_.size) return false;  // a valley of its own: no news about this face
        if (!exact_ || depth < best_)
        {
            best_ = depth;
            best_normal_ = n;
            best_simplex_ = simplex;
            exact_ = true;
        }
        if (polytope_.distance(face) >= kExplored * best_ && dot(n, polytope_.face(face).normal) < -kSameWay)
        {
            polytope_.set_aside(face);
            return true;
        }
        bool grown = false;
        for (int i = 0; i < simplex.count; ++i)
        {
            const SupportPoint& q = simplex.points[i];
            if (polytope_.has_point_near(q.w, kSame * view_.size)) continue;
            grown = polytope_.add(q, kSlack * view_.size) || grown;
        }
        return grown;
    }

    /// Goes down from the best normal so far, if that was not done yet.
    void climb()
    {
        if (!exact_) climb_from(find_better_cap(best_normal_));
    }

    /// A cap is a peak too sharp for small steps: the least deep of the caps on n's side and n itself.
    Vec3 find_better_cap(const Vec3& n) const
    {
        Vec3 best = n;
        double height = dot(n, support(n).w);
        for (int i = 0; i < view_.cap_count; ++i)
        {
            const Vec3 cap = dot(view_.caps[i], best) < 0 ? -view_.caps[i] : view_.caps[i];
            const double cap_height = dot(cap, support(cap).w);
            if (!(cap_height > height)) continue;
            best = cap;
            height = cap_height;
        }
        return best;
    }

    /// The same from all around: minima nearly as deep as each other, which the polytope has not told apart. From the
    /// caps too, but not by way of them: a good cap would draw every climb to itself.
    void climb_elsewhere()
    {
        for (int i = 0; i < view_.cap_count; ++i)
        {
            climb_from(view_.caps[i]);
            climb_from(-view_.caps[i]);
        }
        Vec3 starts[kMaxStarts];
        int count = 0;
        starts[count++] = best_normal_;
        for (int f = 0; f < polytope_.face_slots() && count < kMaxStarts; ++f)
        {
            const double plane = polytope_.plane(f);
            if (!(plane > -std::numeric_limits<double>::infinity()) || !(plane < best_ - kGap * view_.size)) continue;
            const Vec3 n = -polytope_.face(f).normal;
            bool near = false;
            for (int i = 0; i < count; ++i) near = near || dot(starts[i], n) > kElsewhere;
            if (near) continue;
            starts[count++] = n;
            climb_from(n);
        }
    }

    /// Ways out that a curved minimum hides: a flat cap beside it is a peak too sharp for the faces to show, where they
    /// count as explained; and out of the middle of a shape the way straight back is nearly as long.
    void try_rivals()
    {
        const Vec3 n = best_normal_;
        try_climb(-n);
        for (int i = 0; i < view_.cap_count; ++i)
        {
            const double cosine = dot(view_.caps[i], n);
            if (std::abs(cosine) >= kElsewhere) try_climb(cosine < 0 ? -view_.caps[i] : view_.caps[i]);
        }
    }

    void try_climb(const Vec3& n)
    {
        if (-dot(n, support(n).w) < best_ - kGap * view_.size) climb_from(find_better_cap(n));
    }

    void climb_from(Vec3 n)
    {
        Simplex simplex;
        const bool settled = view_.climb(view_.difference, simplex, n) <= kSettled * view_.size;
        const double depth = -dot(n, support(n).w);
        // What is stationary must be better to be replaced, by more than rounding.
        const double slack = kGap * view_.size;
        if (!(depth <= best_ + (exact_ ? -slack : settled ? slack : 0))) return;
        best_ = depth;
        best_normal_ = n;
        exact_ = settled;
        if (settled) best_simplex_ = simplex;
    }

    void give()
    {
        result_.verdict = Verdict::overlap;
        result_.normal = best_normal_;
        result_.lower = -best_;
        // Curved surfaces end with a normal that was climbed to, along which they do part; the faces left over are no
        // bound worth giving.
        result_.distance = view_.slide ? -best_ : -std::min(inner_, best_);
        if (exact_)
        {
            result_.simplex = best_simplex_;
        }
        else
        {
            result_.simplex.count = 3;
            for (int k = 0; k < 3; ++k) result_.simplex.points[k] = polytope_.point(best_corners_[k]);
        }
        find_witnesses(view_, best_normal_, -best_, result_.simplex);
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
    double inner_ = 0;                                       // no translation shorter than this parts the two
    double best_ = std::numeric_limits<double>::infinity();  // and this one does, along best_normal_
    Vec3 best_normal_;
    int best_corners_[3] = {0, 0, 0};  // of the polytope
    Simplex best_simplex_;             // instead of them where `exact_`
    Storage<Minimum, kMaxMinima> minima_;
    int minimum_count_ = 0, steps_ = 0;
    bool exact_ = false;   // best_ is a stationary value
    bool proven_ = false;  // the bounds have met on a face
};

}  // namespace

void find_penetration(const DifferenceView& view, CoreDistance& result) { Penetration(view, result).find(); }

}  // namespace rattleback::cores
