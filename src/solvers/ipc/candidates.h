// Pairs of simplices that may come near each other within a step, found once and sorted by distance.
#pragma once

#include "base/thread_pool.h"
#include "solvers/ipc/bodies.h"

#include <rattleback/query.h>

namespace rattleback::ipc
{

enum class PairKind : std::uint8_t
{
    vertex_face,  ///< vertex of the first piece
    face_vertex,  ///< vertex of the second piece
    edge_edge,
    vertex_edge,  ///< where the second piece is a wire
    edge_vertex,
    vertex_vertex,  ///< of two clouds of points
    vertex_plane,
};

/// Two simplices, and their distance at the reference poses.
struct Candidate
{
    PairKind kind = PairKind::vertex_face;
    int first = -1, second = -1;  ///< indices in their pieces
    double distance = 0;          ///< [m]
    double recent = 0;            ///< at the base placements, or less [m]
};

/// How far the vertices of a group move: all of them by `shift`, and each by at most `turn` beside.
struct WayBound
{
    Vec3 shift;
    double turn = 0;  ///< [m]
};
/// Bounds the way of any vertex of one group against any of another.
inline double find_relative_way(const WayBound& a, const WayBound& b)
{
    return norm(a.shift - b.shift) + a.turn + b.turn;
}

/// Why a group is not moved in a step.
enum class Rest : std::uint8_t
{
    none,    ///< it is
    fixed,   ///< for ever
    waits,   ///< its track does not lead anywhere now
    sleeps,  ///< with its island
};
/// Two that stay where they are need no candidates; a track that begins next to something fixed still does, because
/// nobody has looked at that pair yet.
inline bool can_meet(Rest a, Rest b)
{
    if (a == Rest::none || b == Rest::none) return true;
    return a != Rest::sleeps && b != Rest::sleeps && (a == Rest::waits || b == Rest::waits);
}

/// The candidates of two shapes, nearest first.
struct CandidateSet
{
    int first = -1, second = -1;  ///< pieces; of a plane: second is its index in Layout::planes
    bool is_plane = false;
    int begin = 0, end = 0;
    int near_begin = 0, near_end = 0;  ///< of those that can come within reach from the base placements
    double motion = 0;                 ///< while the two move no further against each other from there [m]
    double friction = 0;
};

/// Valid while every group moves no vertex by more than its skin from the reference poses: then whatever is not a
/// candidate stays further apart than `reach` + `separation`. Nearest first lets every question end early: what was
/// d away is at least d - (way of both) away.
class Candidates
{
public:
    Candidates(const Model& model, const Layout& layout, const Settings& settings);

    void set_filter(const ContactFilter& filter) { filter_ = filter; }
    /// Workers that share the work; null: none. Results are the same.
    void set_pool(ThreadPool* pool) { pool_ = pool; }
    /// From scratch, a function of the placements, skins [m] (by group) and friction (empty: the materials') alone.
    /// `rests`: [group].
    void find(std::span<const Placement> placements, std::span<const double> skins, std::span<const double> friction,
              std::span<const Rest> rests);

    /// Measures again at `placements`, which lie within the skins: what can come within reach when groups move no
    /// further than `motions` from here, in the same proportion, is `near`.
    void rebase(std::span<const Placement> placements, std::span<const WayBound> motions);
    /// True when `near` holds for these placements.
    bool is_based(std::span<const Placement> placements) const;
    /// Places in candidates() of a set.
    std::span<const int> near(const CandidateSet& set) const
    {
        return std::span(near_items_)
            .subspan(static_cast<std::size_t>(set.near_begin), static_cast<std::size_t>(set.near_end - set.near_begin));
    }
    /// Way of the vertices of a group from its base to `now`.
    WayBound find_way_from_base(int group, const Placement& now) const
    {
        return find_way_bound(group, base_[static_cast<std::size_t>(group)], now);
    }

    std::span<const CandidateSet> sets() const { return sets_; }
    std::span<const Candidate> candidates(const CandidateSet& set) const
    {
        return std::span(items_).subspan(static_cast<std::size_t>(set.begin),
                                         static_cast<std::size_t>(set.end - set.begin));
    }
    const Placement& reference(int group) const { return reference_[static_cast<std::size_t>(group)]; }
    double skin(int group) const { return skins_[static_cast<std::size_t>(group)]; }
    /// Largest way of any vertex of a group from its reference to `now` [m].
    double find_way(int group, const Placement& now) const
    {
        return find_relative_way(find_way_bound(group, reference_[static_cast<std::size_t>(group)], now), {});
    }

    Simplex first_simplex(const CandidateSet& set, const Candidate& candidate) const;
    Simplex second_simplex(const CandidateSet& set, const Candidate& candidate) const;
    int first_group(const CandidateSet& set) const { return layout_.pieces[static_cast<std::size_t>(set.first)].group; }
    int second_group(const CandidateSet& set) const
    {
        return set.is_plane ? 0 : layout_.pieces[static_cast<std::size_t>(set.second)].group;
    }
    int first_shape(const CandidateSet& set) const { return layout_.pieces[static_cast<std::size_t>(set.first)].shape; }
    int second_shape(const CandidateSet& set) const
    {
        return set.is_plane ? layout_.planes[static_cast<std::size_t>(set.second)].shape
                            : layout_.pieces[static_cast<std::size_t>(set.second)].shape;
    }
    const Layout& layout() const { return layout_; }

    /// Finds two shapes of which an edge of one passes through a face of the other at the reference poses, however far
    /// their vertices are from each other; false if there are none.
    bool find_crossing(int& first, int& second) const;

private:
    WayBound find_way_bound(int group, const Placement& from, const Placement& now) const;
    void find_ways(std::span<const Placement> placements) const;
    bool may_touch(int first_shape, int second_shape) const;
    double find_friction(int first_shape, int second_shape, std::span<const double> friction) const;
    /// Two pieces, or a piece and a plane, that may touch, and what came of a look at them.
    struct Job
    {
        CandidateSet set;
        std::vector<Candidate> items;
    };
    Job& add_job(int first, int second, bool is_plane);
    void find_pair(Job& job, std::vector<int>& front) const;
    bool is_crossed(const Piece& first, const Piece& second) const;
    void find_plane(Job& job) const;
    void add(PairKind kind, int first, int second, double reach, Job& job) const;
    void collect();
    double measure(const CandidateSet& set, const Candidate& candidate, std::span<const Placement> placements) const;

    const Model& model_;
    const Layout& layout_;
    double reach_ = 0;  ///< d̂ + d_min
    bool has_friction_ = true;
    ContactFilter filter_;
    std::span<const double> friction_;
    std::vector<Placement> reference_, base_;
    mutable std::vector<WayBound> ways_;  ///< [group] scratch
    std::vector<int> near_items_;
    std::vector<double> skins_;
    std::vector<CandidateSet> sets_;
    std::vector<Candidate> items_;
    std::vector<Aabb> boxes_;  ///< [piece] grown by skin and half the reach
    ThreadPool* pool_ = nullptr;
    std::vector<Job> jobs_;  ///< the first job_count_ of them
    std::size_t job_count_ = 0;
    std::vector<std::vector<int>> fronts_;  ///< [worker] scratch
    /// Candidates that one task measures, from `begin` to `end`.
    struct Share
    {
        std::size_t set = 0;
        int begin = 0, end = 0;
    };
    std::vector<Share> shares_;
    std::vector<double> ways_of_set_;  ///< [set] that the two have moved against each other since the last base
    std::vector<int> order_, active_;
    std::vector<std::pair<int, int>> near_;  ///< pieces that may touch and whose boxes meet
};

/// Places a simplex.
inline Simplex place(const Placement& at_pose, Simplex simplex)
{
    for (int i = 0; i < simplex.count; ++i)
        simplex.corner[static_cast<std::size_t>(i)] = at_pose.place(simplex.corner[static_cast<std::size_t>(i)]);
    return simplex;
}

}  // namespace rattleback::ipc
