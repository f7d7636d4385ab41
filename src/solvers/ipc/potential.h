// The incremental potential of a step: inertia, barrier and friction; its value, gradient and Hessian.
#pragma once

#include "solvers/ipc/anchors.h"
#include "solvers/ipc/barrier.h"
#include "solvers/ipc/candidates.h"
#include "solvers/ipc/joints.h"
#include "solvers/ipc/rank_one.h"

#include <tuple>

namespace rattleback::ipc
{

/// Two simplices nearer than d̂ + d_min at some poses.
struct Touch
{
    int set = -1, candidate = -1;              ///< in Candidates; the candidate counted from the set's begin
    int first = -1, second = -1;               ///< groups
    Vec3 normal;                               ///< unit, from the second to the first
    double slope = 1;                          ///< of the distance along it; other than 1 at rims alone
    Vec3 on_first, on_second;                  ///< nearest points, world [m]
    double distance = 0;                       ///< of the surfaces [m]
    Jet barrier;                               ///< at this distance, without stiffness; if it is within its domain
    double first_round = 0, second_round = 0;  ///< of the pieces (Piece::round): surfaces are so far from simplices [m]
    double mollifier = 1;                      ///< of edges that are nearly parallel
    Vec3 parallel_gradient;                    ///< d(mollifier) by a turn of the first group; minus that of the second
    double curvature = 0;                      ///< of the quadratic model, along the normal
    double force = 0;                          ///< times h^2, where the quadratic model last led
    double weight = 1;                         ///< of its barrier
    double time = 1;                           ///< on the way from the start to the end of the step, from 0 to 1
    int rim_of = -1;                           ///< 0 or 1: a corner beyond the rim of a side of that body (rims.h)
    std::array<double, 3> first_weights{}, second_weights{};  ///< of the simplices' corners

    /// Nearest points of the simplices, which move with the bodies; those of round surfaces roll over them.
    Vec3 first_place() const { return on_first + first_round * normal; }
    Vec3 second_place() const { return on_second - second_round * normal; }
};

/// How the distance of a touch changes with the poses of the two, and its mollifier with their turns.
inline PairVector find_normal(const Touch& touch, std::span<const Placement> placements)
{
    return make_pair_vector(touch.slope * touch.normal,
                            touch.on_first - placements[static_cast<std::size_t>(touch.first)].center,
                            touch.on_second - placements[static_cast<std::size_t>(touch.second)].center);
}
inline PairVector find_turn(const Touch& touch)
{
    PairVector turn{};
    set_angular(turn, touch.parallel_gradient, -touch.parallel_gradient);
    return turn;
}

/// A touch at a moment on the way from the starts, and how its distance and mollifier change with the ends of the way.
struct WayTouch
{
    Touch touch;
    PairVector normal, turn;
};

/// A force of a step between two shapes, as it is told: of a touch at the end, of one on the way, or of friction.
struct ToldForce
{
    int first_shape = -1, second_shape = -1;
    Vec3 normal, on_first, on_second;   ///< as those of a Touch, where and when it pressed
    double distance = 0;                ///< [m]
    double friction = 0;                ///< coefficient
    double time = 1;                    ///< on the way from the start to the end of the step; 0: of friction
    Vec3 force;                         ///< on the first, as far as the end feels it [N]
    std::array<std::int64_t, 2> key{};  ///< of the touch: shapes and simplices
};

/// Friction of a touch as it was at the last lag: how hard it presses, where, and in which plane.
struct Grip
{
    int first = -1, second = -1;           ///< groups
    Vec3 on_first, on_second;              ///< points of the simplices, from their centres in their axes [m]
    Vec3 first_roll, second_roll;          ///< from there to the surfaces, world [m]; zero but on round ones
    Vec3 tangent[2];                       ///< world
    double before[2] = {0, 0};             ///< slip along them before this step, where anchors remember it [m]
    double friction = 0;                   ///< coefficient
    double bound = 0;                      ///< friction coefficient times normal force times h^2
    double limit = 0;                      ///< slip at which friction reaches its bound [m]
    double curvature = 0;                  ///< of the quadratic model, along the slip
    bool is_bent = false;                  ///< the curvature is a chord's
    std::array<std::int64_t, 2> key{};     ///< of the touch: shapes and simplices
    std::array<std::int64_t, 2> anchor{};  ///< find_anchor_key()
};

/// The slip of a grip since the start of the step, and what its anchor remembers, in its plane.
struct GripSlip
{
    double along[2];
    double length = 0;
    Vec3 first_arm, second_arm;    ///< from the centres to the points, world, now
    Vec3 first_turn, second_turn;  ///< of the bodies since the start less Body::turned, where surfaces roll
};

/// What the potential is made of in one step.
class Potential
{
public:
    Potential(const Model& model, const Layout& layout, const Settings& settings);

    /// A new step. `gravity` and dt set the stiffness; `factor` is the adapted part of it. `step`: the effective one,
    /// by the square of which potentials count (integrator.h). `bodies`: whose forces from outside harden their own
    /// contacts.
    void begin(double dt, double step, double gravity, double factor, std::span<const Body> bodies = {});
    /// Finds candidates around `placements`, with these skins; see Candidates.
    Candidates& candidates() { return candidates_; }
    const Candidates& candidates() const { return candidates_; }
    Joints& joints() { return joints_; }
    const Joints& joints() const { return joints_; }
    /// Workers that share the work; null: none. Results are the same.
    void set_pool(ThreadPool* pool)
    {
        pool_ = pool;
        candidates_.set_pool(pool);
    }

    /// Groups of one island share no term with others; its number is that of its first group.
    void set_islands(std::span<const int> island_of_group);

    /// [group] 0: at its minimum already. Quadratic model and gradient have nothing of it from now on.
    void set_active(std::span<const char> is_active) { is_active_.assign(is_active.begin(), is_active.end()); }
    /// All touches at the placements, and the value of the potential there.
    double evaluate(std::span<const Body> bodies, std::span<const Placement> placements);
    /// Of the touches of the last evaluate(), to which `placements` belong. `is_exact`: with terms of joints that may
    /// be negative.
    void assemble(std::span<const Body> bodies, std::span<const Placement> placements, std::span<Vector6> gradient,
                  BlockCholesky& hessian, bool is_exact = true);
    /// After assemble(): what touches add by turning with their bodies, which need not be positive
    /// (potential_turn.cpp).
    void add_turns(std::span<const Placement> placements, BlockCholesky& hessian) const;
    /// The same with the whole Hessian, which need not be positive (potential_exact.cpp).
    void assemble_exact(std::span<const Body> bodies, std::span<const Placement> placements,
                        std::span<Vector6> gradient, BlockCholesky& hessian);
    /// Takes normal forces, planes and places of friction from the touches of the last evaluate().
    void lag_friction(std::span<const Placement> placements);
    /// The same for touches between groups that have just woken ([group] 1), or of them and what is fixed: they had no
    /// friction at the last lag.
    void grip_woken(std::span<const Placement> placements, std::span<const char> is_woken);
    /// Sets the quadratic model to the tangents at the placements of the last evaluate().
    void set_tangents(std::span<const Body> bodies, std::span<const Placement> placements);
    /// Replaces tangents by chords: between the force here and the force that `direction` leads to. False if it stays
    /// nearly as it is.
    bool set_chords(std::span<const Placement> placements, std::span<const Vector6> direction);
    /// Adds to the force of each touch that `trial`, at the end of `direction`, brings nearer than its tangent tells:
    /// its curvature times that, k ∇d (d(trial) - d - ∇d · direction). False if there is none.
    bool add_bend(std::span<const Placement> placements, std::span<const Placement> trial,
                  std::span<const Vector6> direction, std::span<Vector6> force) const;
    void clear_friction() { grips_.clear(); }
    /// What friction remembers of the steps before, sorted by key; empty without parameter `anchor`.
    void set_anchors(std::span<const Anchor> anchors) { anchors_ = anchors; }
    /// What it remembers of this one: slips of the grips at `placements`, cut to where Coulomb's bound begins. Groups
    /// that sleep ([group] >= 0) keep what they fell asleep with.
    void store_anchors(std::span<const Body> bodies, std::span<const Placement> placements,
                       std::span<const int> sleepers, std::vector<Anchor>& anchors) const;

    /// From now on the barrier of bound sets ([set] of candidates, which were found at the starts) also acts in each of
    /// so many spans of the straight paths from starts to ends, where it is highest, with twice the weight together of
    /// the end (README, "Contacts on the way"); 0: at the ends alone.
    void set_way(int spans, std::span<const char> is_bound);
    /// What a touch pushes the end with, and what a grip rubs it with.
    ToldForce tell(const Touch& touch) const;
    ToldForce tell_friction(std::size_t grip, std::span<const Body> bodies,
                            std::span<const Placement> placements) const;
    /// Touches on the way as they were at the last set_way(0, {}), if that ended a minimisation with them; none after
    /// forget_way_forces() or begin().
    std::span<const ToldForce> way_forces() const { return way_forces_; }
    void forget_way_forces() { way_forces_.clear(); }
    bool has_friction() const { return !grips_.empty(); }

    std::span<const Touch> touches() const { return touches_; }
    /// Of the last evaluate(), at the end and on the way: visit(first group, second group).
    template <class Visit>
    void visit_touching(Visit&& visit) const
    {
        for (const Touch& touch : touches_) visit(touch.first, touch.second);
        for (const WayTouch& way : way_touches_) visit(way.touch.first, way.touch.second);
    }
    double least_distance() const { return least_distance_; }
    /// Distances on the way that this step has asked for.
    std::int64_t way_looks() const { return way_looks_; }
    /// Of bound sets on the way; d̂ + d_min where nothing is nearer then.
    double least_on_way() const { return least_on_way_; }
    /// The last value in parts, [island]; infinite where surfaces meet.
    std::span<const double> values() const { return values_; }
    /// Normal force of a touch on its first group [N], positive, and its friction there at the placements.
    double find_force(const Touch& touch) const;
    /// Energy of a touch [J].
    double find_stored(const Touch& touch) const;
    /// Shapes, and kind and numbers of the simplices: the same from step to step.
    std::array<std::int64_t, 2> find_key(const Touch& touch) const;
    /// The same with the flat side instead of the triangle of it that happens to be nearest.
    std::array<std::int64_t, 2> find_anchor_key(const Touch& touch) const;
    Vec3 find_friction_force(std::size_t grip, std::span<const Body> bodies,
                             std::span<const Placement> placements) const;
    std::span<const Grip> grips() const { return grips_; }
    /// The factor upon the stiffness with which barriers balance the other forces best at `placements`, of the last
    /// evaluate(): - gB . gE / |gB|^2 ([IPC], initial stiffness). 1 where nothing touches.
    double find_balance(std::span<const Body> bodies, std::span<const Placement> placements) const;
    void scale_stiffness(double factor) { factor_ *= factor; }
    /// With the stiffness of [IPC]: that of this step, from find_balance() and the factor of begin().
    void set_plain_stiffness(std::span<const Body> bodies, std::span<const Placement> placements);
    /// Over the acceleration that sets the stiffness: `part` of what every body is under, or `least` [m/s^2].
    double find_part_of_loads(double least, double part) const
    {
        return std::max(least, part * load_acceleration_) / acceleration_;
    }
    /// For the rest of the step, barriers of those who touched on the way, at the last set_way(0, {}), are as stiff as
    /// the forces there asked for.
    void harden_loaded();

private:
    double find_stiffness(const Touch& touch) const;
    double find_moved_mass(const Touch& touch) const;
    /// Of touches on the way, and at the end of bound sets: forces, and what they ask of the stiffness.
    void note_loads();
    /// The distance at `trial` of the planes, or lines, that touch at `placements`; negative where they have passed.
    double find_signed_distance(const Touch& touch, std::span<const Placement> placements,
                                std::span<const Placement> trial) const;
    void find_touches(std::span<const Placement> placements);
    /// True where the touches of a set are those of the last find_touches().
    bool is_known(std::size_t set, std::span<const Placement> placements) const;
    void list_looks(std::span<const Placement> placements);
    bool is_active(int first, int second) const
    {
        return is_active_[static_cast<std::size_t>(
                   layout_.groups[static_cast<std::size_t>(first)].row >= 0 ? first : second)] != 0;
    }
    // On the way (potential_way.cpp).
    /// A pair at a moment: its distance and mollified barrier, and their rates.
    struct WayLook
    {
        double time = 0;
        double distance = 0, rate = 0;
        double value = 0, growth = 0;
    };
    /// What a moment of a span counts, least at its ends: where a pair keeps its distance, the moment that counts most
    /// stays in the middle, and does not jump from end to end with the sign of a rate.
    struct WaySpan
    {
        double middle = 0, half = 0;

        static constexpr double kLoss = 0.5;
        double weigh(double time) const;
        /// Of the same sign as the rate at which the weighed barrier falls.
        double find_fall(const WayLook& look) const;
    };
    /// A candidate of a set that may come within reach.
    struct WayItem
    {
        int index = -1, at = -1;  ///< in the set; the end of a span where it was looked at, -1: not yet
        double speed = 0;         ///< bound of its way in a span [m]
        WayLook here;
    };
    void find_way_touches(std::span<const Body> bodies, std::span<const Placement> placements);
    void find_way_touches_of(const CandidateSet& set, std::span<const Body> bodies);
    Placement place_on_way(int group, double time, std::span<const Body> bodies) const;
    WayLook look(const CandidateSet& set, const Candidate& candidate, double time, std::span<const Body> bodies) const;
    /// The same, with both groups placed there.
    WayLook look(const CandidateSet& set, const Candidate& candidate, double time,
                 const std::array<Placement, 2>& places) const;
    /// Where in the span it counts most.
    WayLook find_highest(const CandidateSet& set, const WayItem& item, const WayLook& next,
                         std::span<const Body> bodies) const;
    /// The same between two moments from which the barrier grows towards each other.
    WayLook find_top(const CandidateSet& set, const Candidate& candidate, const WaySpan& span, const WayLook& from,
                     const WayLook& to, std::span<const Body> bodies) const;
    void touch_in_span(const CandidateSet& set, const WayItem& item, const WayLook& next, std::span<const Body> bodies);
    void add_way_touch(const Touch& touch, std::span<const Body> bodies);
    /// Slope of the chord for a touch that opens by `opening` [m], which leads to its force; for a slip that changes by
    /// `along` [m].
    double find_chord(Touch& touch, double opening) const;
    double find_chord(const Grip& grip, double slip, double along) const;
    /// A candidate, if it is a touch at these placements, where its vertices are placed.
    void touch(const CandidateSet& set, int index, std::span<const Placement> placements, const PlacedVertices& placed,
               std::vector<Touch>& out) const;
    /// The same on the way, by distances alone: what is beyond a rim there may pass it.
    void touch_on_way(const CandidateSet& set, int index, std::span<const Placement> placements,
                      std::vector<Touch>& out) const;
    void touch_plane(const CandidateSet& set, int index, const Vec3& vertex, std::vector<Touch>& out) const;
    /// `placements`: empty: by their distance alone.
    void touch_simplices(const CandidateSet& set, int index, const Simplex& a, const Simplex& b,
                         std::span<const Placement> placements, std::vector<Touch>& out) const;
    /// Where a corner stands beyond the rim of a side: the distance of rims.h instead of its own.
    void take_rim(const CandidateSet& set, std::span<const Placement> placements, Touch& touch) const;
    /// Whether a side of the other's `corner` faces the side of this rim of the k-th piece, where the step begins.
    bool is_faced(const CandidateSet& set, int k, int rim, int corner, std::span<const Placement> placements) const;
    void add_grip_of(const Touch& touch, std::span<const Placement> placements);
    void recall_anchor(const Placement& first, Grip& grip) const;
    /// True for edges and vertices that lie within a flat side.
    bool is_within_flat(const CandidateSet& set, const Candidate& candidate) const;
    /// Of touches from `begin` on, all of one set: a vertex touches a flat of several faces once.
    void merge_flats(const CandidateSet& set, std::size_t begin, std::vector<Touch>& touches);
    double find_barrier_value(const Touch& touch) const;
    void add_touch(const Touch& touch, const PairVector& normal, const PairVector& turn, std::span<Vector6> gradient,
                   PairSum& hessian) const;
    using Matrix12 = std::array<std::array<double, 12>, 12>;  ///< over the freedoms of two groups
    bool find_exact(const Touch& touch, std::span<const Placement> placements, Matrix12& matrix) const;
    Matrix12 find_exact(const Grip& grip, std::span<const Body> bodies, std::span<const Placement> placements) const;
    /// Adds the half of a symmetric matrix.
    void add_turn_of(const Touch& touch, std::span<const Placement> placements, Matrix12& half) const;
    void add_matrix(int first, int second, const Matrix12& matrix, BlockCholesky& hessian) const;
    void add_grip(const Grip& grip, const GripSlip& slip, std::span<Vector6> gradient, PairSum& hessian) const;
    /// Barriers and friction.
    void add_pairs(std::span<const Placement> placements, std::span<Vector6> gradient, BlockCholesky& hessian) const;

    const Layout& layout_;
    double reach_, separation_, static_speed_, stiffness_;
    bool anchors_friction_;
    bool is_plain_;  ///< one stiffness for all contacts (plain_stiffness.h)
    Candidates candidates_;
    Joints joints_;
    std::vector<Vector6> joint_gradient_;  ///< scratch
    double dt_ = 0, step_ = 0;
    double factor_ = 0, acceleration_ = 0;  ///< of the stiffness: adapted, and by loads or the step [m/s^2]
    double load_acceleration_ = 0;          ///< what every body is under [m/s^2]
    std::vector<double> accelerations_;     ///< [group] by forces from outside [m/s^2]
    std::vector<Mat3> start_axes_;          ///< [group] where the step begins; empty: not told
    std::vector<Touch> touches_;
    /// Touches of the find_touches() before; [set] where they begin there, and end; and for what they were found.
    std::vector<Touch> last_touches_;
    std::vector<std::pair<std::size_t, std::size_t>> ranges_, last_ranges_;
    std::vector<Placement> last_placements_;
    std::vector<std::int64_t> last_revisions_;  ///< [set]
    std::vector<char> is_active_;               ///< [group]
    std::vector<Grip> grips_;
    std::vector<GripSlip> slips_;  ///< [grip] at the placements of set_tangents()
    std::span<const Anchor> anchors_;
    int span_count_ = 0;          ///< of the way on which the barrier acts too
    std::vector<char> is_bound_;  ///< [set] by it
    std::vector<WayTouch> way_touches_;
    std::vector<ToldForce> way_forces_;
    std::vector<double> loads_;       ///< [group] of touches on the way, over what is moved [m/s^2]
    std::vector<WayItem> way_items_;  ///< scratch
    mutable std::int64_t way_looks_ = 0;
    std::vector<Vector6> way_rests_;  ///< [group] from start to end
    std::vector<Touch> found_;        ///< scratch
    /// What one task looks at of a set's near candidates, and what it found.
    struct Look
    {
        std::size_t set = 0;
        int begin = 0, end = 0;  ///< both -1: as they were known before
        PairMove way;            ///< since the base
        std::vector<Touch> touches;
    };
    std::vector<Look> looks_;  ///< the first look_count_ of them
    std::size_t look_count_ = 0;
    int looked_at_ = 0;  ///< candidates
    ThreadPool* pool_ = nullptr;
    /// Scratch of merge_flats(): vertex and flat, distance, place in the list.
    std::vector<std::tuple<std::int64_t, double, std::size_t>> flat_touches_;
    std::vector<Placement> way_placements_;  ///< [group] scratch
    double least_distance_ = 0, least_on_way_ = 0;
    std::vector<std::pair<int, int>> pairs_;  ///< rows that share a block
    std::vector<Vector6> still_;              ///< [group] zero
    std::vector<int> island_of_;              ///< [group]
    std::vector<double> values_;              ///< [island]
};

}  // namespace rattleback::ipc
