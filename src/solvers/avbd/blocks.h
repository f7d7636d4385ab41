// The sweep in double precision: Newton steps of blocks (single groups and trees of them), then multipliers.
#pragma once

#include "solvers/avbd/contact_rows.h"
#include "solvers/avbd/dof_rows.h"
#include "solvers/avbd/link_rows.h"

#include <limits>

namespace rattleback::avbd
{

/// A side of a contact with the rows that only some contacts have.
struct BlockContact
{
    HalfContact<double> half;
    int other = 0;  ///< group
    int row = 0;
    double side = 1;                     ///< of the row: 1 the second body, -1 the first
    double beta = 0, max_penalty = 0;    ///< growth of the penalty per metre, and its bound
    double spin = 0, spin_friction = 0;  ///< torque about the normal, its coefficient [m]
    Vec3 roll;                           ///< torque about the tangents on this body
    double roll_friction = 0;
    double turning_penalty = 0;  ///< of spin and roll [N m/rad]
    Vec3 shift;                  ///< rolling: what the wandering of the point adds to its motion, so far [m]
    bool rolling = false;
    Vec3 turn;  ///< by which running surfaces turn this side against the other in a substep [rad]
};

/// Multipliers of a loop that survive a step.
struct LoopMemory
{
    Vector6 lambda{};    ///< force of each row on the first group [N, N m]; couplings: on the first dof
    double penalty = 0;  ///< mode penalty: k of distances [N/m]; that of turns is in BlockWork::loop_ramps
    int broken = 0;
    int off = 0;  ///< 1: switched off in this step

    bool holds() const { return broken == 0 && off == 0; }
};

/// One row of a loop: its penalty, and what its material says.
struct LoopRowState
{
    double penalty = 0;                                      ///< [N/m], [N m/rad]; direct rows: the material's own
    double share = 1;                                        ///< 1 / (1 + penalty / total)
    double total = std::numeric_limits<double>::infinity();  ///< K + D / h of the material; infinite: rigid
    double softness = 1;                                     ///< K / total
    bool direct = false;                                     ///< a spring as it is, without a multiplier

    bool is_soft() const { return total < std::numeric_limits<double>::infinity(); }
};

struct LoopState
{
    std::array<LoopRowState, 6> row;
    Vector6 start_error{};
};

/// Multipliers of a row of tendons that survive a step.
struct TendonMemory
{
    double limit = 0;     ///< force along the length of the bound that it lies at, 0: of none [N]
    double friction = 0;  ///< of dry friction, along the length [N]
    double lambda = 0;    ///< couplings: force along the first tendon [N]
    double penalty = 0;   ///< k of limit and dry friction [N/m]
    int broken = 0;
    int off = 0;  ///< couplings, 1: switched off in this step

    bool holds() const { return broken == 0 && off == 0; }
};

/// A row of tendons at the present poses.
struct TendonState
{
    double length = 0;  ///< of the tendon [m]; couplings: what is missing of the first
    double slope = 0;   ///< couplings: of the polynomial
    double start_length = 0;
    double start_rate = 0;             ///< J v at the start of the substep [m/s]
    double slow_slip = 0;              ///< as LinkState::slow_slip
    bool swings = false;               ///< as LinkState::swings
    std::array<double, 2> yielded{};   ///< by how much the ends of its spring have moved [m]
    LoopRowState row;                  ///< couplings: penalty and material
    int end_begin = 0, end_count = 0;  ///< in BlockWork::tendon_ends
};

/// Where a straight part of a tendon ends at a group.
struct TendonEnd
{
    int group = 0, other = 0;  ///< and the group at its other end
    Vec3 arm;                  ///< from the group's centre of mass [m]
    Vec3 direction;            ///< out of the tendon: derivative of the length by this point
    double free = 0;           ///< length of the straight part [m]
};

/// What a row does to one group: force on the group = direction times force of the row.
struct RowEntry
{
    int group = -1;
    Vector6 direction{};
};

/// A row of a loop or tendon whose groups are in one block.
struct LoopRow
{
    std::size_t begin = 0, end = 0;  ///< in LoopScratch::entries
    double stiffness = 0;
};

/// Increments of a group before a step that may be taken back.
struct Kept
{
    Increment<double> delta;
    Quat rotation_now;
};

/// The loops and tendons inside a block and how its tree answers to them; of use to one worker at a time.
struct LoopScratch
{
    std::vector<LoopRow> rows;
    std::vector<RowEntry> entries;
    std::vector<Vector6> columns;  ///< [row][group] the tree's answer to each of them
    std::vector<double> inner;     ///< [row][row]

    void clear()
    {
        rows.clear();
        entries.clear();
    }
};

/// Everything the sweep works on. Arrays are kept between steps; all sizes but the contacts' are fixed.
struct BlockWork
{
    explicit BlockWork(const Layout& layout);  ///< for one worker

    std::vector<Body> bodies;            ///< [group]
    std::vector<BlockContact> contacts;  ///< by group
    std::vector<int> contact_begin;      ///< [group + 1]
    std::vector<LinkState> links;
    std::vector<LinkMemory> link_memory;
    std::vector<LoopState> loops;
    std::vector<LoopMemory> loop_memory;
    // mode penalty alone, else empty
    std::vector<LinkRamp> link_ramps;
    std::vector<double> loop_ramps;    ///< k of turns [N m/rad]
    std::vector<TendonState> tendons;  ///< by Layout::tendon_rows
    std::vector<TendonMemory> tendon_memory;
    std::vector<Vector6>
        tendon_gradient;  ///< by Layout::tendon_groups: derivative of the length by each group's motion
    std::vector<Vector6> tendon_start_gradient;  ///< the same at the start of the substep
    std::vector<TendonEnd> tendon_ends;
    Drives drives, tendon_drives;  ///< by dof, by tendon
    std::vector<Velocity> drift;   ///< [row] of running surfaces, second against first; empty: none runs
    double dt = 0;
    bool correcting = false;    ///< the sweep moves positions only
    double error_fraction = 0;  ///< 1 - alpha of [AVBD] Eq. 18: what counts of the violations at the start of the step

    // scratch of the blocks' Newton steps, [group]
    std::vector<Matrix6> diagonal, to_parent;
    std::vector<Vector6> right;
    std::vector<LoopScratch> scratch;  ///< [worker]
    std::vector<Kept> kept;            ///< where they were before
    std::vector<int> fill;
    std::vector<int> near_count, active_count;  ///< [group] rows, and those that press or may press
    std::vector<char> swings;                   ///< [block] it moves by the midpoint rule in this substep
    std::vector<double> violation;              ///< [block] of its links after the last sweep, for update_block_duals

    Velocity drift_of(int row) const { return drift.empty() ? Velocity{} : drift[static_cast<std::size_t>(row)]; }
};

/// The contacts of the groups for which `wanted` is true, by group, from the rows.
void gather_contacts(const Layout& layout, const Settings& settings, const std::vector<ContactRow>& rows,
                     const std::vector<Manifold>& manifolds, const std::vector<char>& wanted, BlockWork& work);
/// Multipliers back into the rows.
void scatter_contacts(const BlockWork& work, std::vector<ContactRow>& rows);
/// From now on the settings' `correction` counts of overlaps and slips, with penalties `firmness` times as large, and
/// all of the joints' errors: for the sweep that only moves positions.
void start_correction(const std::vector<ContactRow>& rows, const Settings& settings, BlockWork& work);

/// Moves the points of a contact against each other, this side's by `shift` [m], beyond what the increments do.
void add_shift(const Vec3& shift, HalfContact<double>& half);

/// Errors, penalties and materials of all loops at the start of a substep; `scale` as in start_link().
void start_loops(const Layout& layout, double scale, BlockWork& work);

/// Adds a wrench at the anchor of a link, where its arms end (on the parent; the child feels the opposite), and its
/// stiffness to the systems of its child and parent, those in the block.
void add_action(const Layout& layout, const Link& link, const LinkState& state, const Vector6& wrench,
                const Matrix6& stiffness, int block, BlockWork& work);
/// Adds links, loops and tendons of a group to the systems of the groups of its block; links inside the block with
/// their child.
void add_joints(const Layout& layout, int group, LoopScratch& scratch, BlockWork& work);

/// One Newton step of a block, everything else at rest where it is. Blocks that do not touch may move side by side.
void solve_block(const Layout& layout, const Block& block, LoopScratch& scratch, BlockWork& work);
/// Multipliers and penalties of the contacts of a block, of its links and of the loops and tendons it owns.
/// `tendon_beta`: growth of a tendon's penalty per length of violation, in units of effective mass / h^2.
void update_block_duals(const Layout& layout, const Block& block, double tendon_beta, BlockWork& work);

/// Links, loops and couplings of tendons whose multipliers are beyond what they bear: they hold nothing from now on.
void break_joints(const Layout& layout, BlockWork& work);

/// Contact part of a group's Newton system, with inertia.
BodySystem<double> assemble_contacts(const Layout& layout, int group, const BlockWork& work);

}  // namespace rattleback::avbd
