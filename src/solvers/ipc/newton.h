// Projected Newton with a line search that a certified collision test keeps free of intersections.
#pragma once

#include "base/disjoint_sets.h"
#include "base/stage_timer.h"
#include "base/thread_pool.h"
#include "solvers/ipc/potential.h"

#include <rattleback/report.h>

namespace rattleback::ipc
{

/// How a minimisation went.
struct NewtonReport
{
    bool converged = false;
    int iterations = 0;
    double residual = 0;        ///< largest speed of a point in the last direction [m/s]
    double least_distance = 0;  ///< smallest distance at the end of a minimisation [m]
    double joint_error = 0;     ///< largest opening of a joint at the end [m]

    /// Another minimisation, which went on where this one ended.
    void add(const NewtonReport& next);
};

/// Skins of what hardly moves, over the length of its short edges.
inline constexpr double kGrains = 0.1;
/// Skins over the way that is expected.
inline constexpr double kRoom = 1.25;

class Newton
{
public:
    Newton(const Model& model, const Layout& layout, const Settings& settings);

    /// Bodies of the step, dt and the effective step, the acceleration that sets the stiffness and its adapted factor;
    /// candidates around the starts.
    void begin(std::span<const Body> bodies, double dt, double step, double gravity, double factor,
               std::span<const double> friction);
    /// Before begin(): [group] of those that sleep the number of their island, -1: awake. They stay where they are
    /// until something awake may come near.
    void put_to_sleep(std::span<const int> islands) { sleep_of_.assign(islands.begin(), islands.end()); }
    /// Of those who have slept until now.
    std::span<const int> sleepers() const { return sleep_of_; }
    bool is_asleep(int group) const { return sleep_of_[static_cast<std::size_t>(group)] >= 0; }
    /// [group] the first group of its island; -1: nothing was near it in this step.
    void list_islands(std::span<int> islands) const;
    /// Joins in `sets` groups that forces move and that have pressed on each other at some iterate of this step.
    void join_met(DisjointSets& sets);
    /// True where no start is within d_min of anything; otherwise the shapes that are, in `first` and `second`.
    /// `asks_room`: find_touching_gap() counts beside it.
    bool is_free(bool asks_room, bool check_crossings, int& first, int& second) const;

    /// Where a run begins with bodies pressed into each other's reach: the factor upon the stiffness, from 1e-3 to 10,
    /// with which they neither jump apart nor settle. Applied to this step.
    double balance_start(std::span<const Body> bodies);

    /// The stiffness of [IPC] for this step (Potential::set_plain_stiffness()).
    void set_plain_stiffness(std::span<const Body> bodies);

    /// Seconds of the step since begin_timing(): candidates are `collide`, touches and their derivatives `rows`, linear
    /// systems `factor`, certified paths `solve`.
    void begin_timing(bool on) { timer_ = StageTimer(on); }
    const StageTimer& timer() const { return timer_; }
    /// Distances on the way, proofs and advances of proofs in this step so far.
    std::int64_t work() const { return work_ + potential_.way_looks(); }

    /// Minimises with friction lagged as often as the settings say. Every iterate can be reached from the last on a
    /// certified path.
    NewtonReport minimise(std::span<Body> bodies);
    /// True when the straight paths from the starts to the present placements (constant speed and rate) are certified;
    /// otherwise islands where they are not end where they were free. `least_on_way`: the smallest distance that a
    /// minimisation found on the way, if it had any.
    bool certify(std::span<const Body> bodies, double least_on_way = HUGE_VAL);
    /// After certify() has cut a path short: minimises again, with the barrier also on the way of the
    /// islands that it cut, from where it cut them. Every iterate's straight path from the start is certified. Adds to
    /// `report`; false if the path was cut again.
    bool minimise_on_way(std::span<const Body> bodies, NewtonReport& report);
    /// Where certify() has cut paths short for good: ends them where every gap is a good part of what it was. Returns
    /// how far they end before, over the step [m/s].
    double end_apart(std::span<const Body> bodies);
    /// After a minimisation that did not converge and left a gap that nobody could go on from: ends the paths before.
    /// False if it did.
    bool leave_gaps(std::span<const Body> bodies, NewtonReport& report);
    /// After a step without a minimum, or with a path that was cut: moves groups on by `lags` ([group], [m]), the same
    /// for all of a cluster, if the way there is certified; islands of which it is not stay where they are.
    void catch_up(std::span<const Body> bodies, std::span<const Vec3> lags);
    /// Puts kinematic bodies exactly where they should be if they are there but for the give of what holds them, and
    /// the way there is certified.
    void snap(std::span<const Body> bodies);

    /// False where a kinematic body was stopped on its way.
    bool is_on_track(std::span<const Body> bodies) const;

    std::span<const Placement> placements() const { return placements_; }
    const Potential& potential() const { return potential_; }
    /// What friction remembers of the steps before (Potential::set_anchors).
    void set_anchors(std::span<const Anchor> anchors) { potential_.set_anchors(anchors); }
    Joints& joints() { return potential_.joints(); }
    double separation() const { return separation_; }
    /// Touches and forces at the present placements.
    void refresh(std::span<const Body> bodies);
    void set_filter(const ContactFilter& filter) { potential_.candidates().set_filter(filter); }

private:
    void guess(std::span<const Body> bodies);
    NewtonReport solve(std::span<const Body> bodies, int max_iterations);
    /// Sets direction_; false where the system is not positive. `turns`: with Potential::add_turns() where it is.
    bool find_direction(std::span<const Body> bodies, bool turns);
    /// Islands of which all are done have nothing in the system, and no direction.
    void mark_active();
    bool solve_turned(std::span<const Body> bodies);
    /// Bends direction_ so that joints stay closed and contacts open along a step of any size, not of a small one
    /// alone.
    void follow_curves();
    /// One round of minimise(): Newton's method, then multipliers of the joints until they are closed.
    NewtonReport solve_with_joints(std::span<const Body> bodies, int max_iterations);
    /// The same, then stiffnesses and multipliers of what drives kinematic bodies until they are on their tracks, or
    /// come no nearer (drive.h).
    NewtonReport solve_driven(std::span<Body> bodies, int max_iterations);
    /// The same by the whole Hessian and, where that fails, with a multiple of the identity added.
    bool find_exact_direction(std::span<const Body> bodies);
    bool solve_system();
    /// The same without the negative part of what joints bear, and where that is not positive in numbers either, with
    /// more on the diagonal.
    bool solve_shifted(std::span<const Body> bodies);
    /// Sets speeds_, and takes what is done out of the direction; false if that is everything.
    bool find_speeds();
    /// Where no direction can be found: speeds_ by the gradient, and nobody is converged.
    void set_gradient_speeds();
    /// Each island as far along the direction as it is free, then as far as its value falls. What does not go on is
    /// done.
    void search_line(std::span<const Body> bodies);
    /// Whether a last step, taken again, would lower the energy of its island once more: then the model, which leaves
    /// out how barriers bend beside their normals, was too stiff, and the short direction is no sign of a minimum.
    bool doubt_convergence(std::span<const Body> bodies);
    /// Scales direction_ so that each island's part of it is free, and finds the products of gradient and direction.
    void shorten_direction();
    void set_trial();
    struct WaySolution
    {
        NewtonReport report;
        double least_on_way = HUGE_VAL;  ///< and at the end [m]
        bool is_free = false;
    };
    /// In minimise_on_way(), with direction_ from the starts: minimises, and certifies the path.
    WaySolution solve_on_way(std::span<const Body> bodies);
    /// In minimise_on_way(): candidates for the direction from the starts and more, and what is bound on it.
    void begin_way(std::span<const Body> bodies);
    void start_on_way();
    /// In minimise_on_way(): true where the straight paths from the starts to the trial are free; steps of islands
    /// where they are not are multiplied by `factor`.
    bool check_way(std::span<const Body> bodies, double factor);
    /// Islands of which one group is cut are cut as a whole.
    void spread_cuts();
    /// Sets between pieces that stopped a path: the barrier acts on their way from now on.
    void bind_stopped();
    /// Of a group on its way, to the first minimum or to where it is now [rad].
    double find_turn(int group) const;
    /// Adds the pairs that stopped the last certified paths to stopped_.
    void note_stopped();
    /// The bound on the work of a step has been reached: distances on the way, and advances of proofs.
    bool is_spent() const;
    /// No island has taken more than a sliver of its direction.
    bool is_idle() const;
    /// `had_room`: islands that stay where they are were not stopped for want of candidates.
    void finish_islands(bool had_room);
    void lag_friction();

    // Paths (newton_paths.cpp).
    /// What a path must leave of a gap [m]: a part of it, and no more than `most`.
    struct Keep
    {
        double part = 0.1;
        double most = HUGE_VAL;

        double find(double gap) const { return std::min(part * gap, most); }
    };
    /// How candidates are made to cover a direction: as far as they reach, or by finding them anew.
    enum class Cover
    {
        shorten,
        all,
        keep,  ///< as far as they reach, however little it is
    };
    /// How much of the direction is free, certified, for each island; returns the least.
    double find_free_parts(std::span<const Placement> from, const Keep& keep, Cover cover);
    /// A set's near candidates from `begin` to `end`, or its candidates by their distances at the reference.
    struct Query
    {
        std::size_t set = 0;
        int begin = 0, end = 0;
        int group = -1;  ///< whose island's part it bounds
        bool is_from_reference = false;
        double part = 1;  ///< before, and then what is left of it
        bool is_stopped = false;
        int work = 0;  ///< proofs asked for, and their advances
    };
    void find_free_part_of(Query& query, std::span<const Placement> from, const Keep& keep) const;
    CertifiedImpact find_impact(const CandidateSet& set, const Candidate& candidate, std::span<const Placement> from,
                                const Keep& keep, double part, double motion) const;
    // Candidates of a step (newton_candidates.cpp).
    void set_first_skins(std::span<const Body> bodies);
    enum class Found
    {
        anew,
        more,  ///< sets that are there stay
    };
    /// All pairs that may meet while no group leaves its skin, and where two may touch, move further against each other
    /// than the moves say (none: as far as the skins allow). Wakes sleepers among them. Islands follow.
    void find_candidates(std::span<const Placement> from, std::span<const Vector6> moves, Found found);
    bool wake_touched();
    void find_islands();
    /// Sets tracks_, and parts_ to what the candidates cover.
    void cover_direction(std::span<const Placement> from, Cover cover);
    /// Sets parts_ and set_parts_; returns the least.
    double find_covered_parts(std::span<const Placement> from);
    /// Part of the moves ([group]) from `from` that the candidates of a set cover.
    double find_covered_part(const CandidateSet& set, std::span<const Placement> from,
                             std::span<const Vector6> moves) const;
    /// After find_covered_parts(): candidates for all of the direction.
    void widen(std::span<const Placement> from);
    /// True where nothing but candidates stops the island of a group at this part of its direction or before.
    bool is_short(int group, double enough) const;
    /// Where nothing but its skin stops an island early: wider skins, and candidates for them; false if that is
    /// nowhere.
    bool widen_skins(std::span<const Placement> from);
    /// The same in minimise_on_way(), where candidates are found at the starts.
    bool widen_way(std::span<const Placement> from);
    /// In minimise_on_way(), after a trial further away than candidates reach: those for it.
    void give_room();
    bool has_room_left() const;
    /// Finds wider_sets_ anew from `from`, for the way to `now` and the direction, and where groups leave their skins,
    /// what they may meet within wider_skins_.
    void find_wider(std::span<const Placement> from, std::span<const Placement> now, bool leaves_skins);
    /// In minimise_on_way(): who has joined a cut island is moved with it.
    void take_joined();
    /// Bounds parts_ by what is free.
    void prove_parts(std::span<const Placement> from, const Keep& keep);
    /// The first candidates of a set, or of those that are near.
    void add_queries(std::size_t set, int count, bool is_from_reference);
    /// `shares`: pairs are looked at no further than others of the island have left open.
    void run_queries(std::span<const Placement> from, const Keep& keep, bool shares);
    /// In minimise_on_way(): the same for direction_ from the starts, where the candidates were measured.
    double prove_way(const Keep& keep, bool shares);
    /// moves_ from the direction.
    void set_moves(double factor);
    /// Measures the candidates again for what is left of the direction.
    void rebase(std::span<const Placement> from);
    double& part_of(int group) { return parts_[static_cast<std::size_t>(island_of_[static_cast<std::size_t>(group)])]; }

    const Layout& layout_;
    std::unique_ptr<ThreadPool> pool_;
    std::vector<Query> queries_;
    bool exact_hessian_, interval_ccd_, lagrangian_drive_;
    IntervalOptions subdivision_;
    Deviations deviations_;
    double separation_, tolerance_;
    double finer_aim_;  ///< find_finer_aim() [m/s]
    double aim_ = 0;    ///< at which an island is done, the tolerance or less [m/s]
    double joint_tolerance_;
    int max_iterations_, friction_lags_;
    Potential potential_;
    BlockCholesky hessian_, kept_hessian_;
    StageTimer timer_{false};
    void mark(Stage stage) { timer_.mark(static_cast<int>(stage)); }
    double shift_ = 0;  ///< added to the whole Hessian, over the mean mass
    double dt_ = 0;
    std::int64_t work_ = 0;  ///< of this step so far: proofs and their advances
    std::span<const double> friction_;
    std::vector<Placement> placements_, trial_;
    std::vector<char> is_alone_;                 ///< [group] nothing is within its reach in this step
    std::vector<Vector6> gradient_, direction_;  ///< [row]
    std::vector<Vector6> straight_, bend_;       ///< [row] scratch of follow_curves()
    std::vector<double> skins_, first_skins_;    ///< [group] of the candidates; for all of the way to the target
    std::vector<double> skin_limits_;            ///< [group] beyond which fine meshes have too many candidates
    std::vector<double> grains_;                 ///< [group] length of its short edges [m]
    std::vector<double> covered_;                ///< [island] what the candidates cover of the direction
    std::vector<int> sleep_of_;                  ///< [group] the island it sleeps in; -1: awake
    bool has_lagged_ = false;                    ///< friction of those who were awake is known
    std::vector<char> is_woken_;                 ///< [group] since then
    std::vector<double> wider_skins_;            ///< [group] scratch of widen_skins()
    std::vector<Rest> rests_;                    ///< [group]
    std::vector<double> slacks_;                 ///< [group] Skins::slacks
    std::vector<WiderSet> wider_sets_;           ///< scratch of find_wider()
    std::vector<double> set_parts_;              ///< [set] of the direction that its candidates cover
    std::vector<Vector6> moves_, first_moves_;   ///< [group] along the direction, or a part; by the velocities
    std::vector<RigidTrack> tracks_;             ///< [group]
    DisjointSets sets_;                          ///< scratch of find_islands()
    DisjointSets met_;                           ///< groups that have pressed on each other at some iterate
    std::vector<int> island_of_;                 ///< [group] groups that can touch in this step, or are jointed
    // By island, at the index of its first group.
    std::vector<double> parts_;                 ///< of the direction that is free
    std::vector<double> steps_;                 ///< taken of what is free
    std::vector<double> values_, products_;     ///< of the potential; of gradient and direction
    std::vector<double> noise_;                 ///< below which differences of values say nothing
    std::vector<char> is_pending_;              ///< its value has not fallen yet
    std::vector<double> island_speeds_;         ///< largest of a point in the last direction [m/s]
    bool is_current_ = false;                   ///< the potential was last evaluated here, with these candidates
    bool binds_way_ = false;                    ///< straight paths from the starts have to be free at every iterate
    bool asks_room_ = false;                    ///< such a path led further than the candidates reach: asked_
    std::vector<char> is_cut_;                  ///< [group] its path was cut short, or that of another of its island
    std::vector<std::array<int, 3>> stopped_;   ///< pieces (plane: 1 as third) whose pair stopped a path in this step
    std::size_t bound_count_ = 0;               ///< of them, which the barrier knows
    int span_count_ = 0;                        ///< of the way
    std::vector<char> is_bound_;                ///< [set] by the way
    Keep way_keep_;                             ///< of the last certify()
    std::vector<Placement> starts_;             ///< [group]
    std::vector<Vector6> kept_direction_;       ///< scratch of check_way()
    std::vector<Vector6> first_way_;            ///< [row] to the minimum that the straight path did not reach
    std::vector<Vector6> asked_;                ///< [row] from the starts, where candidates do not reach
    std::int64_t bound_revision_ = -1;          ///< of the candidates that is_bound_ belongs to
    std::vector<char> first_done_;              ///< is_done_ when solve_with_joints() began
    std::vector<char> driven_done_;             ///< the same of solve_driven()
    std::vector<char> is_converged_, is_done_;  ///< [group] by the speed left in its island; and no longer moved
    std::vector<char> is_active_;               ///< [group] not done
    std::vector<double> speeds_;                ///< [group] in the direction that last moved it [m/s]
};

}  // namespace rattleback::ipc
