// Bisection in time and on both simplices, with interval arithmetic at corners of boxes.
#include "geometry/inclusion_impact.h"

#include "math/interval.h"

#include <algorithm>
#include <array>

namespace rattleback
{

namespace
{

using Range3 = Vector3<Interval>;

/// Times and places: of two edges a on the first and b on the second, else the corner's on the triangle.
struct Cell
{
    Interval t, a, b;
};

/// first(t, a) - second(t, b), or first(t) - second(t, a, b).
class LinearBetween
{
public:
    LinearBetween(const LinearSimplex& first, const LinearSimplex& second) : first_(first), second_(second)
    {
        const auto grow = [](double& rate, const Vec3& from, const Vec3& to)
        { rate = std::max(rate, norm(to - from)); };
        for (const LinearSimplex* simplex : {&first, &second})
            for (std::size_t i = 0; i < static_cast<std::size_t>(simplex->begin.count); ++i)
                grow(rate_.x, simplex->begin.corner[i], simplex->end.corner[i]);
        for (const auto when : {&LinearSimplex::begin, &LinearSimplex::end})
        {
            const Simplex &one = first.*when, &other = second.*when;
            const auto last = static_cast<std::size_t>(other.count - 1), next = std::min(last, std::size_t{1});
            grow(rate_.y, (are_edges() ? one : other).corner[0], (are_edges() ? one : other).corner[next]);
            grow(rate_.z, other.corner[0], other.corner[last]);
        }
    }

    bool are_edges() const { return first_.begin.count == 2; }

    /// What the corners of a cell bound.
    Range3 find_range(const Cell& cell) const
    {
        Range3 range = find(cell.t.lower, cell.a.lower, cell.b.lower);
        for (unsigned corner = 1; corner < 8; ++corner)
        {
            const auto end = [&](const Interval& side, unsigned bit) { return corner & bit ? side.upper : side.lower; };
            const Range3 value = find(end(cell.t, 1), end(cell.a, 2), end(cell.b, 4));
            range = {hull(range.x, value.x), hull(range.y, value.y), hull(range.z, value.z)};
        }
        return range;
    }

    /// The side of a cell along which points move furthest.
    Interval Cell::* find_longest_side(const Cell& cell) const
    {
        const double time = 2 * rate_.x * cell.t.width(), a = rate_.y * cell.a.width(), b = rate_.z * cell.b.width();
        return time >= std::max(a, b) ? &Cell::t : a >= b ? &Cell::a : &Cell::b;
    }

private:
    static Range3 blend(const Range3& from, const Range3& to, double part)
    {
        return (Interval(1) - Interval(part)) * from + Interval(part) * to;
    }
    /// A segment or point is a triangle whose last corners coincide.
    static Range3 find_corner(const LinearSimplex& simplex, int corner, double t)
    {
        const auto i = static_cast<std::size_t>(std::min(corner, simplex.begin.count - 1));
        const Vec3 &from = simplex.begin.corner[i], &to = simplex.end.corner[i];
        return blend(Range3{from.x, from.y, from.z}, Range3{to.x, to.y, to.z}, t);
    }
    Range3 find(double t, double a, double b) const
    {
        const Range3 p = find_corner(first_, 0, t), q = find_corner(second_, 0, t), r = find_corner(second_, 1, t);
        if (are_edges()) return blend(p, find_corner(first_, 1, t), a) - blend(q, r, b);
        return p - (q + Interval(a) * (r - q) + Interval(b) * (find_corner(second_, 2, t) - q));
    }

    const LinearSimplex &first_, &second_;
    Vec3 rate_{};  ///< how far corners move along all of t, a and b, at most [m]
};

}  // namespace

CertifiedImpact inclusion_time_of_impact(const LinearSimplex& first, const LinearSimplex& second,
                                         const CertifiedOptions& options)
{
    const LinearBetween between(first, second);
    const Interval near{-options.separation, options.separation};
    // Each halving leaves one half behind: more of them than a cell has bits of use are not needed.
    std::array<Cell, 256> stack;
    stack[0] = {{0, options.latest}, {0, 1}, {0, 1}};
    std::size_t depth = 1;
    CertifiedImpact impact;
    while (depth > 0)
    {
        Cell& cell = stack[depth - 1];
        // Halves of a place follow each other, so that later times may come first.
        const auto stop = [&](CertifiedState state)
        {
            const auto is_earlier = [](const Cell& x, const Cell& y) { return x.t.lower < y.t.lower; };
            impact.time = std::min_element(stack.data(), stack.data() + depth, is_earlier)->t.lower;
            impact.state = state;
            return impact;
        };
        if (impact.advances >= options.max_advances) return stop(CertifiedState::undecided);
        ++impact.advances;
        const bool is_outside = !between.are_edges() && cell.a.lower + cell.b.lower > 1;  // of the triangle
        const Range3 range = is_outside ? Range3{} : between.find_range(cell);
        if (is_outside || are_apart(range.x, near) || are_apart(range.y, near) || are_apart(range.z, near))
        {
            --depth;
            continue;
        }
        Interval Cell::* side = between.find_longest_side(cell);
        const double middle = (cell.*side).middle();
        const bool can_halve = middle > (cell.*side).lower && middle < (cell.*side).upper && depth < stack.size();
        if (std::max({range.x.width(), range.y.width(), range.z.width()}) <= options.tolerance || !can_halve)
            return stop(CertifiedState::touch);
        Cell& early = stack[depth++] = cell;
        (early.*side).upper = (cell.*side).lower = middle;
    }
    impact.time = options.latest;
    return impact;
}

}  // namespace rattleback
