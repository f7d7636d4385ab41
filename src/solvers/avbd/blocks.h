// The sweep in double precision: Newton steps of blocks (single parts and trees of them), then multipliers.
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
    int other = 0;  ///< part
    int row = 0;
    double side = 1;  ///< of the row: 1 the second body, -1 the first
    double ramp = 0, most = 0;
    double spin = 0, spin_friction = 0;  ///< torque about the normal, its coefficient [m]
    Vec3 roll;                           ///< torque about the tangents on this body
    double roll_friction = 0;
    double turning = 0;  ///< penalty of spin and roll [N m/rad]
};

/// Multipliers of a loop that survive a step.
struct LoopMemory
{
    Vector6 hold{};        ///< force of each row on the first part [N, N m]; couplings: on the first dof
    double stiffness = 0;  ///< mode penalty: [N/m]
    int broken = 0;
    int padding = 0;
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

/// A row of a loop whose parts are in one block: force on a part = direction of the part times force of the row.
struct LoopRow
{
    std::array<int, 4> part{-1, -1, -1, -1};
    std::array<Vector6, 4> direction{};
    double stiffness = 0;
};

/// The loops inside a block and how its tree answers to them; of use to one worker at a time.
struct LoopScratch
{
    std::vector<LoopRow> rows;
    std::vector<Vector6> columns;  ///< [row][part] the tree's answer to each of them
    std::vector<double> inner;     ///< [row][row]
};

/// Everything the sweep works on. Arrays are kept between steps; all sizes but the contacts' are fixed.
struct BlockWork
{
    explicit BlockWork(const Layout& layout);  ///< for one worker

    std::vector<Body> bodies;            ///< [part]
    std::vector<BlockContact> contacts;  ///< by part
    std::vector<int> contact_begin;      ///< [part + 1]
    std::vector<LinkState> links;
    std::vector<LinkMemory> link_memory;
    std::vector<LoopState> loops;
    std::vector<LoopMemory> loop_memory;
    Drives drives;
    double dt = 0;
    double counted = 0;  ///< fraction of the violations at the start of the step that counts now

    // scratch of the blocks' Newton steps, [part]
    std::vector<Matrix6> diagonal, to_parent;
    std::vector<Vector6> right;
    std::vector<LoopScratch> scratch;  ///< [worker]
    std::vector<int> fill;
    std::vector<double> violation;  ///< [block] of its links after the last sweep, for raise_block
};

/// The contacts of the parts for which `wanted` is true, by part, from the rows.
void gather_contacts(const Layout& layout, const Settings& settings, const std::vector<ContactRow>& rows,
                     const std::vector<RowGroup>& groups, const std::vector<char>& wanted, BlockWork& work);
/// Multipliers back into the rows.
void scatter_contacts(const BlockWork& work, std::vector<ContactRow>& rows);
/// Counts this fraction of overlaps and slips, with penalties `firmness` times as large, and all of the joints' errors
/// from now on: for the sweep that only moves positions.
void count_errors(const std::vector<ContactRow>& rows, double fraction, double firmness, BlockWork& work);

void start_loops(const Layout& layout, double scale, BlockWork& work);

/// Adds a wrench at the anchor of a link (on the parent; the part feels the opposite) and its stiffness to the systems
/// of its part and parent, those in the block.
void add_action(const Layout& layout, const Link& link, const Vec3& anchor, const Vector6& wrench,
                const Matrix6& stiffness, int block, BlockWork& work);
/// Adds links and loops of a part to the systems of the parts of its block; links inside the block with their part.
void add_joints(const Layout& layout, int part, LoopScratch& scratch, BlockWork& work);

/// One Newton step of a block, everything else at rest where it is. Blocks that do not touch may move side by side.
void move_block(const Layout& layout, const Block& block, LoopScratch& scratch, BlockWork& work);
/// Multipliers and penalties of the contacts of a block, of its links and of the loops it owns.
void raise_block(const Layout& layout, const Block& block, BlockWork& work);

/// Links and loops whose multipliers are beyond what they bear: they hold nothing from now on.
void break_joints(const Layout& layout, BlockWork& work);

/// Contact part of a part's Newton system, with inertia.
BodySystem<double> assemble_contacts(const Layout& layout, int part, const BlockWork& work);

}  // namespace rattleback::avbd
