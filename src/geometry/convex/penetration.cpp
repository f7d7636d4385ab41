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
        // Van den Bergen 2001: the depth is the distance of the origin from the boundary of A - B, from inside.
        // A tetrahedron around the origin, or next to it: from GJK's last simplex where that has volume.
        SupportPoint corners[4];
        if (is_solid(result_.simplex))
        {
            polytope_.start(result_.simplex.points);
        }
        else
        {
            const int dimension = find_corners(corners);
            // No volume: the cores touch in a plane, along a line or at a point.
            if (dimension < 3 || !polytope_.start(corners)) return give_flat(corners, dimension);
        }
        // Polyhedra have finitely many supports; curved surfaces one for every normal, and are cut off.
        const int limit = view_.slide ? kMaxCurvedSteps : 4 * Polytope::kMaxPoints;
        for (steps_ = 0; steps_ < limit; ++steps_)
        {
            // Lower bound of the depth: the nearest face of a polytope inside the difference.
            const int face = polytope_.find_nearest();
            if (face < 0) break;
            inner_ = polytope_.distance(face);
            // Upper and lower bound agree: done, and proven.
            if (best_ - inner_ <= kGap * view_.size || !expand(face)) break;
            // So many steps without an end: there are valleys that hardly rise along their floor.
            // A climb goes down such a valley at once, where faces would cut it into ever thinner strips.
            if (view_.climb && steps_ % kPatience == kPatience - 1) climb();
        }
        // Faces that were set aside may have been nearer than the last one.
        // An answer that no face proves is at least made stationary.
        if (view_.climb && !proven_) climb();
        // Rivals that are nearly as deep: looked for only after a long search.
        if (view_.climb && best_ - inner_ > kGap * view_.size && steps_ > kPatience) climb_elsewhere();
        if (exact_) try_rivals();
        give();
    }

private:
    using CornerKeys = std::array<std::uint64_t, 3>;
    /// Where Newton's method has ended.
    struct Minimum
    {
        CornerKeys keys{};
        Vec3 normal;
    };
    static constexpr int kMaxMinima = 16, kMaxStarts = 24;

    SupportPoint support(const Vec3& n) const { return view_.support(view_.difference, n); }

    /// Is it a tetrahedron to start from as it is?
    static bool is_solid(const Simplex& simplex)
    {
        if (simplex.count < 4) return false;
        const Vec3& a = simplex.points[0].w;
        // Height over each edge and over each face, against their lengths: no sliver for a start.
        const Vec3 ab = simplex.points[1].w - a, ac = simplex.points[2].w - a, ad = simplex.points[3].w - a;
        const Vec3 n = cross(ab, ac);
        const double nn = dot(n, n), volume = dot(n, ad);
        return nn > kPlump * dot(ab, ab) * dot(ac, ac) && volume * volume > kPlump * nn * dot(ad, ad);
    }

    /// Looks beyond the nearest face. False when the search is over.
    bool expand(int face)
    {
        const Vec3 normal = polytope_.face(face).normal;
        // The plane through the furthest point bounds the difference from outside: a candidate for the depth.
        const SupportPoint p = support(-normal);
        const double outer = dot(normal, p.w);
        // A stationary value is as good as its bounds: rounding must not replace it.
        if (outer < best_ - (exact_ ? kGap * view_.size : 0))
        {
            best_ = outer;
            best_normal_ = -normal;
            // The witness points are mixed from these corners later.
            for (int k = 0; k < 3; ++k) best_corners_[k] = polytope_.face(face).corners[k];
            exact_ = false;
        }
        if (outer - inner_ <= kGap * view_.size)
        {
            // Both bounds on this face: no other face is nearer, since this one was the nearest.
            proven_ = true;
            return false;
        }
        if (view_.slide)
        {
            const bool explained = is_explained(face);
            // A curved minimum is known that this face belongs to: it needs no more planes.
            if (explained && inner_ >= kExplored * best_)
            {
                polytope_.set_aside(face);
                return true;
            }
            // Near a minimum Newton's method converges quadratically, EPA on a curved surface much more slowly.
            if (!explained && outer - inner_ < kCoarse * view_.size && settle(face)) return true;
        }
        // A new point all but equal to an old one makes a face of rounding.
        const bool known = view_.slide && polytope_.has_point_near(p.w, kSame * view_.size);
        if (known || !polytope_.add(p, face, kSlack * view_.size))
        {
            // Room has run out: the bounds so far are the answer.
            if (polytope_.is_full()) return false;
            // A face that cannot be expanded is as good as it gets.
            polytope_.set_aside(face);
        }
        return true;
    }

    /// Corners of the cores at the corners of a face, whatever their order.
    CornerKeys find_corner_keys(int face) const
    {
        CornerKeys keys;
        for (std::size_t i = 0; i < 3; ++i)
        {
            const SupportPoint& p = polytope_.point(polytope_.face(face).corners[i]);
            // Both numbers in one, so that three points sort by one comparison.
            keys[i] = static_cast<std::uint64_t>(static_cast<std::uint32_t>(p.first)) << 32 |
                      static_cast<std::uint32_t>(p.second);
        }
        // Three compare-and-swaps: the same keys for any order of corners.
        if (keys[0] > keys[1]) std::swap(keys[0], keys[1]);
        if (keys[1] > keys[2]) std::swap(keys[1], keys[2]);
        if (keys[0] > keys[1]) std::swap(keys[0], keys[1]);
        return keys;
    }

    /// Has Newton's method with the same corners ended near this face's normal before?
    bool is_explained(int face) const
    {
        if (minimum_count_ == 0) return false;
        const Vec3& normal = polytope_.face(face).normal;
        const CornerKeys keys = find_corner_keys(face);
        for (int i = 0; i < minimum_count_; ++i)
        {
            // The same corners with a normal close by are the same valley.
            if (minima_[i].keys == keys && dot(minima_[i].normal, normal) < -kNearby) return true;
        }
        return false;
    }

    /// Newton's method from a face of curved surfaces. True when that took the search further.
    bool settle(int face)
    {
        Simplex simplex = polytope_.make_simplex(face);
        // From the face's corners and its normal: both are near the answer by now.
        Vec3 n = -polytope_.face(face).normal;
        if (!(view_.slide(view_.difference, simplex, n) <= kSettled * view_.size)) return false;
        // The depth along the normal that was found, from outside.
        const SupportPoint p = support(n);
        const double depth = -dot(n, p.w);
        double height = 0;
        // Height of the weighted point along the normal: agrees with the support only at a true minimum.
        for (int i = 0; i < simplex.count; ++i) height += simplex.weights[i] * dot(n, simplex.points[i].w);
        if (!(depth + height <= kSettled * view_.size)) return false;
        if (minimum_count_ < kMaxMinima) minima_[minimum_count_++] = {find_corner_keys(face), n};
        if (depth > best_ + kSettled * view_.size) return false;  // a valley of its own: no news about this face
        if (!exact_ || depth < best_)
        {
            best_ = depth;
            best_normal_ = n;
            best_simplex_ = simplex;
            exact_ = true;
        }
        // The face looks the same way as the minimum and is no nearer than explained.
        if (polytope_.distance(face) >= kExplored * best_ && dot(n, polytope_.face(face).normal) < -kSameWay)
        {
            polytope_.set_aside(face);
            return true;
        }
        bool grown = false;
        for (int i = 0; i < simplex.count; ++i)
        {
            const SupportPoint& q = simplex.points[i];
            // Points of the minimum become corners: faces around it are then as near as the minimum itself.
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
            // Either side of a cap will do: the one on n's side.
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
            // A cap is a flat end of a cylinder or the like, whose normal is isolated.
            climb_from(view_.caps[i]);
            climb_from(-view_.caps[i]);
        }
        Vec3 starts[kMaxStarts];
        int count = 0;
        starts[count++] = best_normal_;
        for (int f = 0; f < polytope_.face_slots() && count < kMaxStarts; ++f)
        {
            const double plane = polytope_.plane(f);
            // Only faces whose plane is nearer than the best so far can hide something better.
            if (!(plane > -std::numeric_limits<double>::infinity()) || !(plane < best_ - kGap * view_.size)) continue;
            const Vec3 n = -polytope_.face(f).normal;
            bool near = false;
            for (int i = 0; i < count; ++i) near = near || dot(starts[i], n) > kElsewhere;
            // Starts close to each other lead to the same minimum.
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
            // A climb costs many supports: only where a single support along it promises more.
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
        // Depth by one support: a bound from outside, whatever the climb has done.
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
        // The translation that was found parts the two: a lower bound of the signed distance.
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
        // Witness points: GJK in the plane across the normal.
        find_witnesses(view_, best_normal_, -best_, result_.simplex);
    }

    /// Cores without volume between them: they touch, and any direction across parts them.
    void give_flat(const SupportPoint* corners, int dimension)
    {
        Vec3 s{0, 0, 1}, t;
        const Vec3 along = dimension > 0 ? corners[1].w - corners[0].w : Vec3{};
        // Two segments that cross, or a point on a face: the normal is across what there is of the difference.
        if (dimension == 1) make_tangents((1 / norm(along)) * along, s, t);
        if (dimension > 1)
        {
            s = cross(along, corners[2].w - corners[0].w);
            s = (1 / norm(s)) * s;
        }
        result_.verdict = Verdict::overlap;
        result_.normal = s;
        result_.distance = 0;
        // The smallest translation is zero up to rounding; a negative one is what rounding left of it.
        result_.lower = std::min(dot(s, support(s).w), 0.0);
    }

    /// Up to four points that span as much as the difference does, from the simplex on; returns the dimension.
    int find_corners(SupportPoint* corners)
    {
        const Simplex& simplex = result_.simplex;
        corners[0] = simplex.points[0];
        int dimension = 0;
        // Height over what is spanned so far: point, line or plane.
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
            // A clear margin for points that are there already, rounding for new ones.
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
                // Both ends of each direction: the difference may lie on one side of the plane.
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
            // Two directions across the line, one of them at least leaves it.
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
