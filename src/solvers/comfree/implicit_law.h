// The law `stable`: the impedances of the paper at the velocity after contact, found by a few linear corrections.
#pragma once

#include "solvers/comfree/anchors.h"
#include "solvers/comfree/answers.h"
#include "solvers/comfree/island_system.h"
#include "solvers/comfree/push_scale.h"

#include "base/index.h"

#include <algorithm>

namespace rattleback::comfree
{

/// The most of the first corrections, which find who acts; then the rows get the hardness they have.
inline constexpr double kFirstHardness = 99;
/// Corrections that guess who acts: the first without friction, the second with discs by the row's own weight.
inline constexpr int kGuesses = 2;

/// How the corrections ended.
struct LawReport
{
    int sweeps = 0;       ///< corrections that were made
    double residual = 0;  ///< largest difference between the last correction's v and that of the impulses [m/s, rad/s]
    int bad_dof = -1;     ///< whose inertia is not positive
    int torn_row = -1;    ///< an equality that stands still off its target, because others hold it
    double torn = 0;      ///< how fast it should move [m/s, rad/s]
};

/// Friction of one subspace of a contact (slide, spin or roll), or of a joint: impulses in a disc.
struct Disc
{
    int row = 0;
    int count = 1;                      ///< of rows: 1 or 2
    double ratio = 1;                   ///< by which the second row is scaled, see round_discs.h
    int normal = -1;                    ///< row of the normal impulse that bounds it; -1: the bound stands
    double bound = 0;                   ///< mu, or the impulse itself [N s]
    double radius = 0;                  ///< of the next correction [N s]
    bool slides = false;                ///< on the rim of the disc; otherwise it holds, or its radius is nothing
    double across = 0;                  ///< impedance across the slip [kg]
    std::array<double, 2> direction{};  ///< of the impulse while it slides

    double find_radius(std::span<const double> impulse) const
    {
        return normal < 0 ? bound : bound * std::max(0.0, impulse[normal]);
    }
};

/// Who acts, and how: the law `stable` is linear as long as this stays.
struct ActiveSet
{
    bool settled = true;           ///< the impulses are the answers of these rows
    std::span<const char> acts;    ///< [row] as a spring
    std::span<const double> stop;  ///< [row] Z that ends an overlap's approach; 0: no overlap
    std::span<const double> target;
    std::span<const double> weight, spring_impedance, spring_target;  ///< [row]
    std::span<const Disc> discs;
    const IslandSystem& islands;

    /// The row ends its approach, whatever its spring would do.
    bool stops(int row) const { return stop[row] > 0 && target[row] == 0; }
};

class ImplicitLaw
{
public:
    ImplicitLaw(const Model& model, const Options& options, std::span<const int> tree_of_dof);

    /// Impulses of the rows in [row], and the change of velocity M^-1 Jᵀ impulse in [dof].
    LawReport find_impulses(const StageView& stage, const Anchors& anchors, std::span<double> impulse,
                            std::span<double> change);

    /// After find_impulses, with the accelerations that its impulses give in `stage.w`: the velocity [dof] at which
    /// poses, and they alone, leave the overlaps. False: there are none.
    bool find_push(const StageView& stage, std::span<const double> impulse, std::span<const double> change,
                   std::span<double> push);

    /// Moves the anchors of contacts that hold along with them; see Anchors.
    void update_anchors(const StageView& stage, std::span<const double> impulse, std::span<const double> change,
                        const RunningSurfaces& surfaces, std::vector<Anchor>& anchors) const;

    /// Of the last find_impulses, until find_push.
    ActiveSet active_set() const
    {
        return {settled_, acts_, stop_, target_, weight_, spring_impedance_, spring_target_, discs_, system_};
    }

private:
    /// A direction in which radii were moved, and what that took from what they miss.
    struct RadiusStep
    {
        std::vector<double> way, taken;  ///< [sliding disc]
        std::vector<double> square;      ///< [island] taken times itself
    };
    /// How near the radii of an island are to mu f_n.
    struct RadiusIsland
    {
        double square = 0, last = 0;  ///< of all that is missing, and that before the last step [N² s²]
        double worst = 0, most = 0;   ///< largest missing, largest mu f_n [N s]
        bool moves = true;            ///< its radii are still to be found
        bool fits = true;             ///< they can be
        int fruitless = 0;            ///< corrections of this stage in which none fitted
    };

    // implicit_answers.cpp: what rows answer with
    void find_row_answers(const StageView& stage);
    void set_anchor_targets(const StageView& stage, Anchors anchors);
    void find_contact_answers(const StageView& stage, const RowCone& cone);
    void set_answer(int row, double weight, const Answer<double>& answer);
    void soften();
    void harden();
    void list_discs(const StageView& stage);
    double answer(int row, double u) const;
    std::array<double, 2> answer(const Disc& disc, const double* u) const;

    // implicit_states.cpp: who acts in a correction
    bool choose_states(const ConstraintRows& rows, int sweep);
    void keep_states(const ConstraintRows& rows);
    bool choose_row(int row);
    bool choose_disc(Disc& disc, bool guess);
    void hold(Disc& disc, bool acts);
    void follow_normals(const StageView& stage);
    void list_sliding(const ConstraintRows& rows);
    bool find_moving_radii();
    void step_radii(const StageView& stage, int pass);
    void find_taken(const ConstraintRows& rows, RadiusStep& step);
    double find_missing(const Disc& disc) const;

    // implicit_law.cpp: corrections
    LawReport settle(const StageView& stage, int first, int end);
    int correct(const StageView& stage, int sweep);
    void solve_correction(const StageView& stage);
    void assemble(const StageView& stage);
    void find_linear_impulses(const ConstraintRows& rows);
    void search(const ConstraintRows& rows, bool whole);
    void add_slopes(const ConstraintRows& rows);

    // implicit_energy.cpp: what becomes of the impulses, and of overlaps
    void project(const ConstraintRows& rows, std::span<double> impulse) const;
    void find_torn(const StageView& stage, std::span<const double> impulse, std::span<const double> change,
                   LawReport& report) const;
    void limit_energy(const StageView& stage, std::span<double> impulse, std::span<double> change);
    bool solve_push(const StageView& stage, bool factored, std::span<double> push);
    void scale_push(const StageView& stage, std::span<double> push);

    const Options* options_;
    IslandSystem system_;
    std::vector<double> spring_impedance_;  ///< [row] Z [kg] by softness: the row answers with - Z (u + c)
    std::vector<double> spring_target_;     ///< [row] c [m/s]
    std::vector<double> stop_;              ///< [row] Z that ends an overlapping row's approach; 0: no overlap
    std::vector<double> weight_;            ///< [row] inverse weight [1/kg]
    std::vector<double> hard_impedance_, hard_stop_;  ///< [row] while they are softened
    std::vector<Disc> discs_;
    std::vector<Anchor> begun_;  ///< [cone] of the last step

    // the present state x, u = u_s + J x, M x = Jᵀf, and the next correction of it
    std::vector<double> change_, next_change_;        ///< [dof] x
    std::vector<double> velocity_, next_velocity_;    ///< [row] u
    std::vector<double> impulse_, next_impulse_;      ///< [row] f
    std::vector<double> impedance_, target_;          ///< [row] Z and c of the next correction
    std::vector<char> acts_;                          ///< [row] as a spring: ties, and what pushes or holds
    std::vector<double> row_;                         ///< scratch of one row
    std::vector<double> soft_change_, soft_impulse_;  ///< where the soft rows settled
    std::vector<char> soft_acts_;                     ///< [row] and who acts there
    std::vector<Disc> soft_discs_;
    bool factored_ = true;  ///< the system is that of acts_ and impedance_

    /// How far an island goes along a correction.
    struct Search
    {
        double low = 0, high = 1, part = 1;
        double slope = 0, first = 0;  ///< of the energy at `part`, and at 0
        bool done = false;
    };
    std::vector<Search> searches_;          ///< [island]
    std::vector<double> work_, square_;     ///< [island] of limit_energy
    std::vector<int> sliding_;              ///< discs that slide and follow their normal
    std::vector<int> sliding_island_;       ///< [sliding disc]
    std::vector<double> radius_, missing_;  ///< [sliding disc] radius; mu f_n less the radius
    std::vector<double> radius_change_;     ///< [dof] x by a change of radii
    std::vector<RadiusStep> radius_steps_;
    std::vector<RadiusIsland> radius_islands_;  ///< [island]
    std::vector<Push<double>> pushes_;          ///< [island]
    std::vector<double> push_scale_;            ///< [island]
    std::vector<double> left_;                  ///< [row] of overlaps that are pushed out [m/s], negative
    bool settled_ = true;                       ///< the impulses are those of the states below, and none was scaled
};

}  // namespace rattleback::comfree
