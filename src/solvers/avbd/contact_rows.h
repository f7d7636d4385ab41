// Contacts of one step as rows between parts, with what they remember from step to step.
#pragma once

#include "solvers/avbd/bodies.h"
#include "solvers/avbd/settings.h"

#include <rattleback/contacts.h>

namespace rattleback::avbd
{

class Sleep;

/// What one contact point keeps from step to step, found again by its shapes and feature.
struct ContactPoint
{
    int first_shape = -1, second_shape = -1;
    std::uint64_t feature = 0;
    Vec3 normal;                       ///< from first to second body
    Vec3 first_point;                  ///< on the first body, in its part's frame, from its centre of mass [m]
    Vec3 first_anchor, second_anchor;  ///< where the point stuck, likewise
    double friction = 0;
    double pressure = 0;   ///< multiplier of the normal row [N]
    Vec3 drag;             ///< tangential force on the second body [N]
    double stiffness = 0;  ///< penalty [N/m]
    double spin = 0;       ///< torque about the normal on the second body [N m]
    Vec3 roll;             ///< torque about the tangents [N m]

    /// It pressed and did not slide.
    bool is_stuck() const { return pressure > 0 && norm(drag) < (1 - 1e-9) * friction * pressure; }
};

/// One contact between two parts during a step.
struct ContactRow : ContactPoint
{
    int first = 0, second = 0;  ///< parts
    bool rolls = false;         ///< round shapes: anchors do not stay
    bool live = false;
    bool held = false;           ///< pressed in the last step and still touches, but for what a correction left
    bool idle = false;           ///< between bodies that sleep: stays as it is
    Vec3 second_point;           ///< on the second body, as first_point
    Vec3 first_arm, second_arm;  ///< the points at the start of the substep, world axes [m]
    double margin = 0;           ///< the row is satisfied at this distance [m]
    double mass = 0;             ///< effective mass [kg]
    double size = 1;             ///< of the smaller body [m]
    double compliance = 0, softness = 1;  ///< 1 / (K + D / h); K / (K + D / h)
    double gap = 0;                       ///< distance less margin at the start of the substep [m]
    Vec3 slip;                            ///< tangential error at the start of the substep [m]
    double approach = 0;                  ///< normal velocity at the start of the substep, negative: closing [m/s]
    double restitution = 0;
    double spin_friction = 0, roll_friction = 0;
};

/// Rows of the last step and its length [s].
struct OldRows
{
    const std::vector<ContactRow>& rows;
    double dt = 0;
};

/// Rows one after the other that have the same parts, normal and friction: the points of a manifold.
struct RowGroup
{
    int first = 0, second = 0;  ///< parts
    int begin = 0, end = 0;     ///< rows
    bool turning = false;       ///< some have spinning or rolling friction
    bool soft = false;          ///< some are compliant
    bool bounces = false;       ///< some have restitution
    Vec3 normal;
    double friction = 0, mass = 0, size = 1;
};

/// The piece with its ends moved to where the next pair of shapes begins: pieces side by side stay so.
Piece whole_pairs(const Contacts& contacts, Piece piece);

/// Effective mass of a row (of its parts, or of the whole trees that are solved together with them) and size of the
/// smaller body.
void weigh_pair(const Layout& layout, ContactRow& row);

/// The rows of some contacts, whole pairs of shapes, row r of contact r, placed; multipliers, penalties and anchors
/// from the old rows where shapes and feature agree, else from the nearest point of the same shapes that is left. A
/// contact that moves nothing has a row without parts, and no group. `sleep` may be null: all are awake.
void build_rows(const Layout& layout, const Settings& settings, const Sleep* sleep, const Contacts& contacts,
                const OldRows& old, const std::vector<Body>& bodies, double dt, Piece range,
                std::vector<ContactRow>& rows);

/// Arms, gaps and slips of some rows at the start of a substep.
void place_rows(const std::vector<Body>& bodies, double dt, Piece range, std::vector<ContactRow>& rows);

/// What counts of the distance of a row: all of a gap, of an overlap the given fraction (compliant rows: all that is
/// elastic).
inline double counted_gap(const ContactRow& row, double counted)
{
    if (row.gap >= 0 && !row.held) return row.gap;
    return (row.compliance > 0 ? row.softness : counted) * row.gap;
}

/// The groups of some rows, anew.
void group_rows(const std::vector<ContactRow>& rows, Piece range, std::vector<RowGroup>& groups);

/// The forces of some rows, in the order of the contacts.
void write_forces(const std::vector<ContactRow>& rows, Piece range, ContactForces& forces);

}  // namespace rattleback::avbd
