// Pairs of simplices that may come near each other within a step, found once and sorted by distance.
#pragma once

#include "base/thread_pool.h"
#include "solvers/ipc/kept_pairs.h"
#include "solvers/ipc/placed_vertices.h"

#include <rattleback/query.h>

#include <array>
#include <tuple>

namespace rattleback::ipc
{

/// Two simplices, and the distance of the surfaces about them at the reference poses.
struct Candidate
{
    PairKind kind = PairKind::vertex_face;
    int first = -1, second = -1;  ///< indices in their pieces
    double distance = 0;          ///< [m]
    double recent = 0;            ///< at the base placements, or less, where it is tracked [m]
    double arm = 0;               ///< of the first simplex: how far from the pivot of its set it reaches [m]
};

/// The order of candidates: by distance, then by names.
inline bool is_nearer(const Candidate& a, const Candidate& b)
{
    if (a.distance != b.distance) return a.distance < b.distance;
    return std::tuple(a.kind, a.first, a.second) < std::tuple(b.kind, b.first, b.second);
}

/// How far groups may go before candidates are found anew, by group [m].
struct Skins
{
    std::span<const double> widest;  ///< each by itself
    /// Where two may touch they move against each other far less than each alone: as far as `moves` say, directions
    /// that are expected, and the slacks of both beside. No moves: the widest of both.
    std::span<const double> slacks;
    std::span<const Vector6> moves;
};

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

/// Two shapes that may meet within a step, and their candidates, nearest first. There may be none: then the two are
/// further apart than the reach until they have used up their skin.
struct CandidateSet
{
    int first = -1, second = -1;  ///< pieces; of a plane: second is its index in Layout::planes
    bool is_plane = false;
    int list = -1;              ///< of its candidates
    std::int64_t revision = 0;  ///< of this list: no other has ever had it
    PairPose reference;         ///< of the two groups, where distances were measured
    PairPose base;              ///< the same of Candidate::recent
    PairMove motion;            ///< near ones are all that matter while the two move no further from the base
    PairMove skin;              ///< how far they may move against each other from the reference
    int tracked = 0;            ///< so many of the first candidates have a Candidate::recent since the reference
    Vec3 pivot;                 ///< of both, from the centre of the first group in its axes (pair_way.h)
    double arm = 0;             ///< of the whole first piece from it [m]
    double friction = 0;
    double flatness = 0;  ///< by which surfaces may be nearer than the nearest candidate (find_outline()) [m]
    double round = 0;     ///< by which they are nearer than their simplices (Piece::round of both) [m]
    int kept = -1;        ///< number of its list in KeptPairs; -1: none
};

/// A set that is to be found anew, with a skin for so many times the moves that are asked for.
struct WiderSet
{
    std::size_t set = 0;
    double factor = 1;
};

/// Valid while no group moves a vertex by more than its skin from the last find(), and no two of a set move by more
/// than its skin against each other from the reference of the set: then whatever is not a candidate stays further apart
/// than `reach` + `separation`. Nearest first lets every question end early: what was d away is at least d - (way of
/// both) away.
class Candidates
{
public:
    Candidates(const Model& model, const Layout& layout, const Settings& settings);

    void set_filter(const ContactFilter& filter) { filter_ = filter; }
    /// Workers that share the work; null: none. Results are the same.
    void set_pool(ThreadPool* pool) { pool_ = pool; }
    /// A function of the placements, skins and friction (empty: the materials') alone. `rests`: [group].
    void find(std::span<const Placement> placements, const Skins& skins, std::span<const double> friction,
              std::span<const Rest> rests);
    /// The same for groups that are about to leave their skins: sets stay as they are, others join them.
    void find_more(std::span<const Placement> placements, const Skins& skins, std::span<const double> friction,
                   std::span<const Rest> rests);
    /// Finds the candidates of some sets anew, around `placements`, for the way from there to `now`, moves ([group])
    /// that are expected then, and the slacks of the last find(). Sets keep their places.
    void find_again(std::span<const WiderSet> wider, std::span<const Placement> placements,
                    std::span<const Placement> now, std::span<const Vector6> moves);
    /// Of all sets.
    std::size_t count() const;

    /// Measures again at `placements`, which lie within the skins: what can come within reach when groups move along
    /// `directions` ([group]) from here, in the same proportion, is `near`.
    void rebase(std::span<const Placement> placements, std::span<const Vector6> directions);
    /// All vertices at `placements`, until the next call or rebase().
    const PlacedVertices& place_vertices(std::span<const Placement> placements)
    {
        placed_.place(placements);
        return placed_;
    }
    /// True when `near` holds for these placements.
    bool is_based(std::span<const Placement> placements) const;
    /// Places in candidates() of a set.
    std::span<const int> near(const CandidateSet& set) const { return list_of(set).near; }
    /// Way of the two groups of a set against each other since the last base.
    PairMove find_way_from_base(const CandidateSet& set, std::span<const Placement> now) const
    {
        return find_way_since(set.base, set, now);
    }
    /// The same from the reference of the set.
    PairMove find_way_from_reference(const CandidateSet& set, std::span<const Placement> now) const
    {
        return find_way_since(set.reference, set, now);
    }
    PairMove find_way_from_reference(const CandidateSet& set, const PairPlaces& now) const
    {
        return find_way_since(set.reference, set, now);
    }
    /// The same along directions ([group]) from `from`.
    PairMove find_motion(const CandidateSet& set, std::span<const Placement> from,
                         std::span<const Vector6> directions) const
    {
        const auto a = static_cast<std::size_t>(first_group(set)), b = static_cast<std::size_t>(second_group(set));
        return find_pair_motion(layout_.groups[a], layout_.groups[b], set.pivot, {from[a], from[b]}, directions[a],
                                directions[b]);
    }

    /// Counts the calls of find() and find_more(): sets keep their places while it does.
    std::int64_t revision() const { return revision_; }
    /// How often the trees of two pieces were walked in the last search; the other pairs came from kept lists.
    int walk_count() const { return walk_count_; }

    std::span<const CandidateSet> sets() const { return sets_; }
    std::span<const Candidate> candidates(const CandidateSet& set) const { return list_of(set).items; }
    /// Largest way of any vertex of a group from where it was at the last find() to `now` [m].
    double find_way(int group, const Placement& now) const
    {
        const Placement& from = reference_[static_cast<std::size_t>(group)];
        return norm(now.center - from.center) + find_chord(now.rotation * conjugate(from.rotation)) *
                                                    layout_.groups[static_cast<std::size_t>(group)].radius;
    }

    Simplex first_simplex(const CandidateSet& set, const Candidate& candidate) const
    {
        return first_simplex(set, candidate, layout_.pieces[static_cast<std::size_t>(set.first)].vertices);
    }
    Simplex second_simplex(const CandidateSet& set, const Candidate& candidate) const
    {
        return second_simplex(set, candidate, layout_.pieces[static_cast<std::size_t>(set.second)].vertices);
    }
    /// The same with the vertices of the piece elsewhere.
    Simplex first_simplex(const CandidateSet& set, const Candidate& candidate, std::span<const Vec3> vertices) const
    {
        const Piece& piece = layout_.pieces[static_cast<std::size_t>(set.first)];
        const PairKind kind = candidate.kind;
        if (kind == PairKind::face_vertex) return piece.face(candidate.first, vertices);
        if (kind == PairKind::edge_edge || kind == PairKind::edge_vertex) return piece.edge(candidate.first, vertices);
        return piece.vertex(candidate.first, vertices);
    }
    Simplex second_simplex(const CandidateSet& set, const Candidate& candidate, std::span<const Vec3> vertices) const
    {
        const Piece& piece = layout_.pieces[static_cast<std::size_t>(set.second)];
        const PairKind kind = candidate.kind;
        if (kind == PairKind::vertex_face) return piece.face(candidate.second, vertices);
        if (kind == PairKind::edge_edge || kind == PairKind::vertex_edge) return piece.edge(candidate.second, vertices);
        return piece.vertex(candidate.second, vertices);
    }
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
    /// Nothing that is further apart touches [m].
    double reach() const { return reach_; }

    /// Finds two shapes of which an edge of one passes through a face of the other at the reference poses, however far
    /// their vertices are from each other, or of which one lies inside the other; false if there are none.
    bool find_crossing(int& first, int& second) const;
    /// The same of two pieces.
    bool are_crossed(int first, int second) const;
    /// Pieces that may touch and whose boxes met in the last search.
    std::span<const std::pair<int, int>> near_pairs() const { return near_; }

private:
    /// Candidates of a set, nearest first, and places of those that can come within reach from the base.
    struct List
    {
        std::vector<Candidate> items;
        std::vector<int> near;
    };
    const List& list_of(const CandidateSet& set) const { return lists_[static_cast<std::size_t>(set.list)]; }
    PairMove find_way_since(const PairPose& since, const CandidateSet& set, std::span<const Placement> now) const
    {
        const auto a = static_cast<std::size_t>(first_group(set)), b = static_cast<std::size_t>(second_group(set));
        return find_way_since(since, set, PairPlaces{now[a], now[b]});
    }
    PairMove find_way_since(const PairPose& since, const CandidateSet& set, const PairPlaces& now) const
    {
        const auto a = static_cast<std::size_t>(first_group(set)), b = static_cast<std::size_t>(second_group(set));
        return find_pair_way(layout_.groups[a], layout_.groups[b], set.pivot, since.places(), now);
    }
    bool may_touch(int first_shape, int second_shape) const;
    /// Two that no force can move, but a track does: their paths must be free all the same.
    bool may_be_driven_into(int low_shape, int high_shape) const;
    double find_friction(int first_shape, int second_shape, std::span<const double> friction) const;
    /// Two pieces, or a piece and a plane, that may touch, and what came of a look at them.
    struct Job
    {
        CandidateSet set;
        bool is_old = false;       ///< a set of the search before, as it is
        bool is_near = false;      ///< near enough to be a set
        KeptPair* kept = nullptr;  ///< of the two pieces; null: none is kept
        std::vector<SortKey> keys;
        int walks = 0;  ///< over the trees of both
    };
    void search(std::span<const Placement> placements, const Skins& skins, std::span<const double> friction,
                std::span<const Rest> rests);
    void find_boxes();
    /// Pairs of pieces whose boxes meet, and pieces and planes.
    void list_jobs(std::span<const Rest> rests);
    Job& add_job(int first, int second, bool is_plane);
    void run_jobs();
    int add_list();
    int take_list();
    void assign_kept();
    /// Within the skin of the pair; where nothing is, how far they are apart.
    void find_items(Job& job, std::vector<int>& front);
    void find_gap(Job& job, std::vector<int>& front);
    void look(Job& job, std::vector<int>& front);
    /// About where two that move so meet.
    void set_pivot(CandidateSet& set, const Vector6& first, const Vector6& second) const;
    void set_pair_skin(CandidateSet& set) const;
    /// All pairs of simplices whose boxes are within `reach` + `skin` of each other, to `visit`(kind, first, second).
    template <typename Visit>
    void walk_pair(const CandidateSet& set, const PairMove& skin, std::vector<int>& front, Visit&& visit) const;
    /// The same skin and pieces give the same items whether they are found by trees or picked from a list.
    void find_pair(Job& job, std::vector<int>& front);
    bool can_keep(const CandidateSet& set) const;
    /// `need`: what the list has to cover.
    void fill_kept(Job& job, double need, std::vector<int>& front) const;
    void pick_kept(Job& job);
    double find_slack(const CandidateSet& set) const;
    double find_rounding(const CandidateSet& set, const PairPlaces& places) const;
    bool is_crossed(const Piece& first, const Piece& second) const;
    bool is_held(const Piece& solid, const Piece& other) const;
    void find_plane(Job& job);
    void add(PairKind kind, int first, int second, double rounding, Job& job);
    /// Completes the candidate's arm, and takes it where its distance is within the skin of its set.
    void take(Candidate candidate, double rounding, Job& job);
    /// Puts what a job has found into a set.
    void finish(Job& job);
    void collect();
    /// Bounds for those that can come within reach by a way from the base `before` and the motion after it.
    void track(CandidateSet& set, const PairPose& before, const PairMove& way);
    double measure(const CandidateSet& set, const Candidate& candidate, const PairPlaces& places) const;
    /// The same where the vertices are placed now.
    double measure(const CandidateSet& set, const Candidate& candidate) const;

    const Model& model_;
    const Layout& layout_;
    double reach_ = 0;  ///< d̂ + d_min, and room for rims
    bool has_friction_ = true;
    double inset_ = 0;   ///< of all pieces that have no larger one [m]
    bool keeps_ = true;  ///< lists of pairs from one find() to the next
    ContactFilter filter_;
    std::span<const double> friction_;
    std::vector<Placement> reference_;  ///< [group] of the last find()
    Skins skins_;                       ///< of the last find()
    std::vector<CandidateSet> sets_;
    std::vector<List> lists_;
    std::vector<int> free_lists_;
    std::vector<std::pair<std::array<int, 3>, int>> last_lists_;  ///< of the sets before, by name; -1: taken
    std::vector<std::pair<std::array<int, 3>, int>> old_;         ///< names of sets that stay, sorted, and their places
    std::vector<CandidateSet> old_sets_;
    std::vector<Aabb> boxes_;  ///< [piece] grown by the widest skin and half the reach
    PlacedVertices placed_;    ///< by rebase() or place_vertices(), whichever was last
    ThreadPool* pool_ = nullptr;
    std::vector<Job> jobs_;  ///< the first job_count_ of them
    std::size_t job_count_ = 0;
    int walk_count_ = 0;
    std::int64_t revision_ = 0, list_revision_ = 0;
    KeptPairs kept_;
    std::vector<std::vector<int>> fronts_;  ///< [worker] scratch
    /// Candidates that one task measures, from `begin` to `end`.
    struct Share
    {
        std::size_t set = 0;
        int begin = 0, end = 0;
    };
    std::vector<Share> shares_;
    std::vector<PairMove> ways_of_set_;  ///< [set] that the two have moved against each other since the last base
    std::vector<char> is_still_;         ///< [set] neither has moved, nor will
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
