// Equality constraints between groups that the tree of joints does not know: connects, welds, cables, joint couplings.
#pragma once

#include "solvers/avbd/blocks.h"

namespace rattleback::avbd
{

/// Penalty of loops between blocks in units of mass / h^2: what sweeps over a net of 400 bodies close best, of 0.3 to
/// 100.
inline constexpr double kBetweenBlocks = 4;

/// The group that updates a loop's multipliers: the first dynamic one it touches.
int owner_of(const Layout& layout, int loop);

/// Adds the action of a loop on one of its groups to the group's system. A loop that is an edge of the block's tree
/// adds its stiffness to both groups, once; another loop inside a block adds it as rows, once, to the scratch.
void add_loop(const Layout& layout, int loop, int group, LoopScratch& scratch, BlockWork& work);

void update_loop_dual(const Layout& layout, int loop, BlockWork& work);

/// What counts of the error of a row: of a rigid one's at the start of the step the given fraction, 1 - alpha ([AVBD]
/// Eq. 18); a soft one sees K e + D (e - e0) / h = (K + D / h) (e - e0 + e0 K / (K + D / h)).
double regularised_error(const LoopRowState& row, double error, double start, double error_fraction);
/// lambda+ = s (lambda + k C), s = K / (K + k) ([AVBD] Eq. 11 with a material); a spring as it is has no lambda.
double row_force(const LoopRowState& row, double lambda, double error);
/// A row of a material, infinitely stiff: rigid. Materials up to kDirectRow (in one block: kRigid) penalties act as
/// they are.
void start_row(const Compliance& material, double penalty, bool in_block, double dt, LoopRowState& row);

/// Twice the energy of a loop's penalty.
double loop_violation(const Layout& layout, int loop, BlockWork& work);

/// Mode penalty: the row becomes a spring of this stiffness without a multiplier, at most as stiff as its material and
/// damped in proportion.
void set_row_penalty(double stiffness, LoopRowState& row);
/// The rows of a loop likewise, those that resist turns with a stiffness of their own; from its memory.
void set_loop_penalty(const Layout& layout, int loop, BlockWork& work);

/// How far a loop is open, or how stiff it is: position, turn; joint couplings in one of the two.
struct Opening
{
    double linear = 0;   ///< [m], [N/m]
    double angular = 0;  ///< [rad], [N m/rad]
};
/// The stiffest of its rows, as their materials have it; `rigid`: of one that is rigid.
Opening find_loop_stiffness(const Layout& layout, int loop, double rigid, const BlockWork& work);
Opening find_loop_opening(const Layout& layout, int loop, BlockWork& work);

}  // namespace rattleback::avbd
