// True stick: contacts remember how far they were pushed sideways, and pull back as they do in the normal direction.
#pragma once

#include "solvers/shared/rows.h"

#include <tuple>

namespace rattleback::convex
{

/// Tangential displacement of one contact since it began to stick, of the second body against the first; world axes.
struct Anchor
{
    int first_shape = -1, second_shape = -1;
    std::uint64_t feature = 0;
    Vec3 slide;               ///< in the tangent plane [m]; axes of the first body where it follows
    Vec3 roll;                ///< in the tangent plane [rad]
    double spin = 0;          ///< about the normal [rad]
    std::int32_t slides = 0;  ///< 1: the force lay on the cone
    std::int32_t rolls = 0;   ///< 1: it rolled, see rolling.h
    // Where it touched, on either body in the body's axes [m]: `slide` is what it was there, and goes on with them.
    Vec3 first_point, second_point;
    Vec3 normal;                       ///< in the first body's axes
    std::int32_t follows = 0;          ///< 0: `slide` is that of the end of the step
    std::int32_t rests_on_points = 0;  ///< 1: of rigid, flat shapes: it may part by a hair, see parted.h
    double stiffness = 0;              ///< K d of its last step [1/s^2]
    double made = 0;  ///< K d with which the displacement was made, the root of its mean square [1/s^2]
};
/// By which anchors and contacts are sorted, and found again.
inline auto key(const Anchor& a) { return std::tuple(a.first_shape, a.second_shape, a.feature); }
inline auto key(const Contact& c) { return std::tuple(c.first_shape.index, c.second_shape.index, c.feature); }

class Stick
{
public:
    /// `gravity`: its strength [m/s^2], the scale of accelerations that matter; `dt`: of the step [s].
    void set_scales(double gravity, double dt)
    {
        gravity_ = gravity;
        dt_ = dt;
    }

    /// Whether the state is as the last step left it: otherwise bodies may be elsewhere, and anchors follow no points.
    void set_continued(bool continued) { continued_ = continued; }

    /// Adds - K d x to the reference of every friction row, with stiffness K and impedance d of the contact's normal
    /// direction, and takes from the normal's what would lift a sliding contact. `anchors` are sorted as contacts are;
    /// `last`: the last acceleration, or a guess. `rows` must live until update_anchors.
    void add_stick_reference(const Workspace<double>& w, const Contacts& contacts, std::span<const Anchor> anchors,
                             std::span<const double> last, ConstraintRows& rows);

    /// After the solve number `solves` of an island: where one of its contacts (entries of ConstraintRows::cones) lost
    /// its slip at once, too much was taken from its normal, and is given back; one that held and slips at once is
    /// thrown up, and its lift is taken. `residual`: the largest |J a - a_ref| of the island's rows. True where the
    /// rows must be solved again.
    bool correct_lift(int solves, std::span<const int> cones, double residual, std::span<const double> acceleration);

    /// After the solve and the step of v: the anchors of contacts that carry force. `change`: v at the end of the step
    /// minus v that the rows were built with.
    void update_anchors(const Workspace<double>& w, const RunningSurfaces& surfaces, const Contacts& contacts,
                        std::span<const double> forces, std::span<const double> change, double dt,
                        std::vector<Anchor>& anchors) const;

private:
    /// Displacements of one contact along its friction directions: two slides, spin, two rolls.
    struct Offset
    {
        std::array<double, 5> x{};
        double stiffness = 0;  ///< K d [1/s^2]
        double made = 0;       ///< as in Anchor
        double lift = 0;       ///< taken from the normal's reference [m/s^2]
        bool held = false;     ///< stuck in the last step
        double borne = 0;      ///< lift that it may have where it held and slips [m/s^2]
        double sinks = 0;      ///< lift by which too much may be taken where it slides [m/s^2]
    };
    void find_borne_lift(const Workspace<double>& w, const Contact& contact, Offset& offset);
    bool lower_thrown(std::span<const int> cones, bool rigid, std::span<const double> acceleration);
    bool restore_lift(int solves, std::span<const int> cones, std::span<const double> acceleration);
    static void limit_growth(Offset& offset);
    void add_displacement(const Workspace<double>& w, const Contact& contact, const Anchor& anchor, const RowCone& cone,
                          Offset& offset, ConstraintRows& rows);

    // Between add_stick_reference and update_anchors of one step; what lasts longer is in the anchors.
    double gravity_ = 0, dt_ = 0;
    bool continued_ = true;
    ConstraintRows* rows_ = nullptr;
    std::vector<Offset> offsets_;  ///< [cone of the rows]
    bool throws_ = false;          ///< in the island under way
    double least_borne_ = 0;       ///< of the rigid contacts that held
};

}  // namespace rattleback::convex
