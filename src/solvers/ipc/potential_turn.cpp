// The quadratic model's second derivatives of distances: how forces change while contacts turn with the bodies.
#include "base/index.h"
#include "solvers/ipc/potential.h"

#include <rattleback/contacts.h>

namespace rattleback::ipc
{

namespace
{

/// Unit vectors along which a nearest point is free to move on the simplices, and whose they are.
struct FreeWays
{
    std::array<Vec3, 2> along;
    std::array<std::size_t, 2> owner{};
    std::size_t count = 0;

    /// The plane of a side, beyond its rim too.
    void add_plane(const Vec3& normal, std::size_t body)
    {
        const Mat3 frame = make_contact_frame(normal);
        along = {frame.column(1), frame.column(2)};
        owner = {body, body};
        count = 2;
    }
    /// Edges between the corners of `simplex` that have a weight in the nearest point.
    void add(const Placement& placement, const Simplex& simplex, const std::array<double, 3>& weights, std::size_t body)
    {
        int from = -1;
        for (int i = 0; i < simplex.count && count < 2; ++i)
        {
            if (weights[at(i)] == 0) continue;
            if (from >= 0)
            {
                const Vec3 edge = simplex.corner[at(i)] - simplex.corner[at(from)];
                along[count] = (1 / norm(edge)) * (placement.matrix * edge);
                owner[count++] = body;
            }
            else
                from = i;
        }
    }
};

}  // namespace

void Potential::add_turn_of(const Touch& touch, std::span<const Placement> placements, Matrix12& half) const
{
    const CandidateSet& set = candidates_.sets()[at(touch.set)];
    const Candidate& candidate = candidates_.candidates(set)[at(touch.candidate)];
    const Placement &a = placements[at(touch.first)], &b = placements[at(touch.second)];
    const Vec3& n = touch.normal;
    const Vec3 first_arm = touch.on_first - a.center, second_arm = touch.on_second - b.center;
    // Arms r turn by e: the distance changes by n . (e x (e x r)) / 2.
    const auto add_arm = [&](std::size_t body, double force, const Vec3& arm)
    {
        const double along = dot(n, arm);
        for (int i = 0; i < 3; ++i)
        {
            for (int j = 0; j < 3; ++j)
                half[6 * body + 3 + at(i)][6 * body + 3 + at(j)] +=
                    0.5 * force * ((i == j ? along : 0) - n[i] * arm[j]);
        }
    };
    add_arm(0, touch.force, first_arm);
    if (set.is_plane) return;
    add_arm(1, -touch.force, second_arm);
    // Nearest points move along the faces and edges on which they lie, and these turn: with U = Jᵀ t of the free ways t
    // and B their turns t x n, -∇²d gains U M Bᵀ + B M Uᵀ + d B M Bᵀ, M the inverse of their products.
    FreeWays ways;
    if (touch.rim_of >= 0)
        ways.add_plane(n, at(touch.rim_of));
    else
    {
        ways.add(a, candidates_.first_simplex(set, candidate), touch.first_weights, 0);
        ways.add(b, candidates_.second_simplex(set, candidate), touch.second_weights, 1);
    }
    constexpr double kLeastSine = 0.1;
    const double cosine = ways.count == 2 ? dot(ways.along[0], ways.along[1]) : 0;
    const double rest = 1 - cosine * cosine;
    // Edges that are nearly parallel touch all along.
    if (rest < kLeastSine * kLeastSine) ways.count = 1;
    const bool is_plain = ways.count == 1;
    const double own = is_plain ? 1 : 1 / rest, mixed = is_plain ? 0 : -cosine / rest;
    std::array<PairVector, 2> moves{};
    for (std::size_t k = 0; k < ways.count; ++k)
    {
        moves[k] = make_pair_vector(ways.along[k], first_arm, second_arm);
        const Vec3 axis = cross(ways.along[k], n);
        for (int i = 0; i < 3; ++i) moves[k][ways.owner[k]][at(3 + i)] += 0.5 * touch.distance * axis[i];
    }
    for (std::size_t k = 0; k < ways.count; ++k)
    {
        const Vec3 axis = touch.force * cross(ways.along[k], n);
        const std::size_t column = 6 * ways.owner[k] + 3;
        for (std::size_t i = 0; i < 12; ++i)
        {
            const double move = own * moves[k][i / 6][i % 6] + mixed * moves[1 - k][i / 6][i % 6];
            for (int j = 0; j < 3; ++j) half[i][column + at(j)] += move * axis[j];
        }
    }
}

void Potential::add_turns(std::span<const Placement> placements, BlockCholesky& hessian) const
{
    // k w b' ∇²d beside the k w b'' ∇d∇dᵀ of assemble(). A link that hangs between others under a load F is held
    // upright by F r, a hundred times its inertia over h²: without it Newton's method overshoots, and halves its steps
    // to the end. What is left out is F / d along ways on which nearest points leave an edge or a vertex: it would push
    // off from there as if nothing came beside it, and is negative. Of round surfaces, which roll, that would be as
    // much as the rest.
    for (std::size_t i = 0, end = 0; i < touches_.size(); i = end)
    {
        const int first = touches_[i].first, second = touches_[i].second;
        if (!is_active(first, second))
        {
            end = i + 1;
            continue;
        }
        Matrix12 half{};
        for (end = i; end < touches_.size() && touches_[end].first == first && touches_[end].second == second; ++end)
        {
            const bool is_round = touches_[end].first_round + touches_[end].second_round > 0;
            if (!is_round && touches_[end].force > 0) add_turn_of(touches_[end], placements, half);
        }
        Matrix12 whole;
        for (std::size_t r = 0; r < 12; ++r)
        {
            for (std::size_t c = 0; c < 12; ++c) whole[r][c] = half[r][c] + half[c][r];
        }
        add_matrix(first, second, whole, hessian);
    }
}

}  // namespace rattleback::ipc
