// Contacts of one step as rows between parts, with what they remember from step to step.
#pragma once

#include "solvers/avbd/bodies.h"
#include "solvers/avbd/settings.h"

#include <rattleback/contacts.h>

namespace rattleback::avbd
{

/// What one contact point keeps from step to step, found again by its shapes and feature.
struct ContactMemory
{
    int first_shape = 0, second_shape = 0;
    std::uint64_t feature = 0;
    Vec3 normal;
    Vec3 point;                        ///< on the first body, in its part's frame [m]
    double pressure = 0;               ///< multiplier of the normal row [N]
    Vec3 drag;                         ///< tangential force on the second body [N]
    double spin = 0;                   ///< torque about the normal on the second body [N m]
    Vec3 roll;                         ///< torque about the tangents [N m]
    double stiffness = 0;              ///< penalty times h^2 [kg]
    Vec3 first_anchor, second_anchor;  ///< where the point stuck, in the parts' frames
    double stuck = 0;                  ///< not zero: it did not slide
};

/// One contact between two parts during a step.
struct ContactRow
{
    int first = 0, second = 0;         ///< parts
    int contact = -1;                  ///< in the step's Contacts
    Vec3 normal;                       ///< from first to second
    Vec3 first_point, second_point;    ///< on the surfaces, in the parts' frames
    Vec3 first_anchor, second_anchor;  ///< of sticking, in the parts' frames
    double margin = 0;                 ///< the row is satisfied at this distance [m]
    double mass = 0;                   ///< effective mass [kg]
    double size = 1;                   ///< of the smaller body [m]
    double friction = 0, spin_friction = 0, roll_friction = 0;
    double compliance = 0, softness = 1;  ///< 1 / (K + D / h); K / (K + D / h)
    double restitution = 0;
    double approach = 0;  ///< normal velocity at the start of the step, negative: closing [m/s]
    bool rolls = false;   ///< round shapes: anchors do not stay
    double pressure = 0, spin = 0;
    Vec3 drag, roll;
    double stiffness = 0;  ///< [N/m]
    double gap = 0;        ///< distance less margin at the start of the substep [m]
    Vec3 slip;             ///< tangential error at the start of the substep [m]
    bool live = false;
    bool held = false;  ///< pressed in the last step and still touches, but for what a correction left
    bool sliding = false;
};

/// Rows from contacts, in their order; multipliers, penalties and anchors from `memory` where shapes and feature agree,
/// else from the nearest point of the same shapes that is left.
void build_rows(const Layout& layout, const Settings& settings, const Contacts& contacts,
                const std::vector<ContactMemory>& memory, const std::vector<Body>& bodies, double dt,
                std::vector<ContactRow>& rows);

/// Gaps and slips at the start of a substep.
void place_rows(const Layout& layout, const std::vector<Body>& bodies, double dt, std::vector<ContactRow>& rows);

/// What the next step needs.
void remember(const Contacts& contacts, const std::vector<ContactRow>& rows, double dt,
              std::vector<ContactMemory>& memory);

}  // namespace rattleback::avbd
