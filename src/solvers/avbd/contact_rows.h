// Contacts of one step as rows between groups, with what they remember from step to step.
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
    Vec3 first_point;                  ///< on the first body, in its group's frame, from its centre of mass [m]
    Vec3 first_anchor, second_anchor;  ///< where the point stuck, likewise
    double friction = 0;
    double normal_lambda = 0;  ///< multiplier of the normal row [N]
    Vec3 tangent_lambda;       ///< multiplier of the tangential rows: force on the second body [N]
    double penalty = 0;        ///< k of all three rows [N/m]; mode penalty: of the normal one
    double spin = 0;           ///< multiplier about the normal: torque on the second body [N m]
    Vec3 roll;                 ///< multiplier about the tangents: likewise [N m]

    /// It pressed and did not slide.
    bool is_stuck() const { return normal_lambda > 0 && norm(tangent_lambda) < (1 - 1e-9) * friction * normal_lambda; }
};

/// One contact between two groups during a step.
struct ContactRow : ContactPoint
{
    int first = 0, second = 0;   ///< groups
    bool rolls = false;          ///< round shapes: anchors do not stay
    bool is_active = false;      ///< pressed in the last step, or near enough to press in this one
    bool gap_deferred = false;   ///< pressed in the last step and still touches, but for a gap that a correction left
    bool both_asleep = false;    ///< between bodies that sleep: stays as it is
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

/// Rows one after the other that have the same groups, normal and friction: the points of a manifold.
struct Manifold
{
    int first = 0, second = 0;  ///< groups
    int begin = 0, end = 0;     ///< rows
    int active = 0;             ///< how many of them press or may press in this step
    bool turning = false;       ///< some have spinning or rolling friction
    bool soft = false;          ///< some are compliant
    bool bounces = false;       ///< some have restitution
    bool drifts = false;        ///< the surface of a shape runs
    bool rolling = false;       ///< its one point wanders over a round body, see rolling.h
    Vec3 normal;
    double friction = 0, mass = 0, size = 1;
};

/// The piece with its ends moved to where the next pair of shapes begins: pieces side by side stay so.
Piece whole_pairs(const Contacts& contacts, Piece piece);

/// Effective mass of a row (of its groups, or of the whole trees that are solved together with them) and size of the
/// smaller body.
void weigh_pair(const Layout& layout, ContactRow& row);

/// k of a row that has no k of an earlier step: in units of `mass` / dt^2, in mode penalty as [VBD-R] has it.
double first_penalty(const Settings& settings, double mass, double dt);

/// What rows are made from.
struct RowContext
{
    const Layout& layout;
    const Settings& settings;
    const std::vector<Body>& bodies;
    const Sleep* sleep = nullptr;  ///< null: all are awake
    double dt = 0;                 ///< of a substep [s]
    Vec3 gravity = {};             ///< of the world; for the swept test [m/s^2]
};

/// The rows of some contacts, whole pairs of shapes, row r of contact r, placed; multipliers, penalties and anchors
/// from the old rows where shapes and feature agree, else from the nearest point of the same shapes that is left. A
/// contact that moves nothing has a row without groups, and no manifold.
void build_rows(const RowContext& context, const Contacts& contacts, const OldRows& old, Piece range,
                std::vector<ContactRow>& rows);

/// Arms, gaps and slips of some rows at the start of a substep.
void place_rows(const std::vector<Body>& bodies, double dt, Piece range, std::vector<ContactRow>& rows);

/// What counts of the distance of a row: all of a gap, of an overlap (or a deferred gap) the fraction 1 - alpha, since
/// C(x_t) - alpha C(x_t) is left of it ([AVBD] Eq. 18); of a compliant row's all that is elastic.
inline double regularised_gap(const ContactRow& row, double error_fraction)
{
    if (row.gap >= 0 && !row.gap_deferred) return row.gap;
    return (row.compliance > 0 ? row.softness : error_fraction) * row.gap;
}

/// The manifolds of some rows, anew.
void find_manifolds(const std::vector<ContactRow>& rows, Piece range, std::vector<Manifold>& manifolds);

/// The forces of some rows, in the order of the contacts.
void write_forces(const std::vector<ContactRow>& rows, Piece range, ContactForces& forces);

}  // namespace rattleback::avbd
