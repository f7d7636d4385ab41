// Constraint rows in MuJoCo's soft form: J a is pulled towards a reference acceleration against a regulariser.
#pragma once

#include "dynamics/workspace.h"
#include "solvers/shared/integrators.h"
#include "solvers/shared/running_surfaces.h"

#include <rattleback/contacts.h>

namespace rattleback
{

/// What forces a row may give. The rows of a step stand in this order.
enum class RowKind : std::uint8_t
{
    equality,      ///< any
    dry_friction,  ///< at most `loss` either way
    limit,         ///< not negative
    contact,       ///< frictionless contact, or an edge of a pyramidal cone: not negative
    cone,          ///< one row of an elliptic cone: normal first, see RowCone
};

/// Shape of the friction cones.
enum class FrictionCone : std::uint8_t
{
    pyramidal,  ///< rows along the edges of an inscribed pyramid
    elliptic,   ///< normal, tangents, spin, rolling
};

/// How rows are made; the defaults are MuJoCo's.
struct RowOptions
{
    double dt = 0.002;      ///< [s]
    double contact_dt = 0;  ///< step that `rigid` is as hard as; 0: dt [s]
    FrictionCone cone = FrictionCone::pyramidal;
    double impratio = 1;          ///< hardness of friction against that of the normal direction
    bool refsafe = true;          ///< time constants of impedances are at least two steps
    bool exact_diagonal = false;  ///< J M^-1 Jᵀ at the present pose instead of the estimate; needs the factor of M
    bool equality = true, dry_friction = true, limits = true, contacts = true;  ///< false: no such rows
};

/// The friction of one contact.
struct RowCone
{
    int contact = -1;  ///< in Contacts
    int row = 0;       ///< first of its rows
    int row_count = 1;
    int dimension = 1;                 ///< 1, 3, 4, 6
    double mu = 0;                     ///< of the regularised elliptic cone
    std::array<double, 5> friction{};  ///< slide, slide, spin, roll, roll
    double stiffness = 0;              ///< K d of the normal direction [1/s^2]
    double adhesion = 0;               ///< pull that it bears [N]
};

/// Where the rows of each kind of element end; they stand in this order.
struct RowEnds
{
    int coupling = 0;  ///< terms of the metric that M's pattern cannot hold: equalities of no element
    int equality = 0;
    int dof_friction = 0, tendon_friction = 0;
    int joint_limit = 0, tendon_limit = 0;
    int contact = 0;  ///< the number of rows
};

/// Degrees of freedom that move a pair of bodies, increasing.
struct BodyPairChain
{
    int first_body = -1, second_body = -1;
    bool common = false;             ///< those that move both are in it
    std::vector<int> dof;            ///< [n]
    std::vector<std::uint8_t> side;  ///< [n] 1: moves the first body, 2: the second, 3: both
};

/// Rows of one world and step. J is sparse: columns of a row increase, none is empty.
struct ConstraintRows
{
    std::vector<RowKind> kind;                       ///< [row]
    std::vector<int> element;                        ///< [row] equality, dof or tendon, joint or tendon, contact
    std::vector<int> begin{0};                       ///< [row + 1] into column, value
    std::vector<int> column;                         ///< dof; may be longer than the rows need
    std::vector<double> value;                       ///< J; likewise
    std::vector<double> position, margin, velocity;  ///< [row] residual, where it becomes active, its rate
    std::vector<double> product;                     ///< [row] rate of `velocity` while no joint accelerates (dJ/dt v)
    std::vector<double> reference;                   ///< [row] aref [m/s^2 or rad/s^2]
    std::vector<double> diagonal;                    ///< [row] estimate of J M^-1 Jᵀ, scaled with R as MuJoCo does
    std::vector<double> regulariser, stiffness;      ///< [row] R, and D = 1 / R
    std::vector<double> loss;                        ///< [row] bound of dry friction; 0 for others
    std::vector<RowCone> cones;                      ///< every contact that has rows, in their order
    RowEnds ends;
    bool adhesive = false;  ///< some contact bears a pull

    // scratch of build_rows
    BodyPairChain chain;
    std::vector<double> buffer;

    int count() const { return static_cast<int>(kind.size()); }
    void clear();
};

/// What rows see of the inputs.
struct RowInput
{
    std::span<const int> equality_active = {};  ///< [equality_count] 0: no rows; empty: as the model has them
    const RunningSurfaces* surfaces = nullptr;  ///< placed at the present poses; null: none runs
    // The integrator `discrete` (Stepper::metric_diagonal, couplings); empty with all others.
    std::span<const double> metric_diagonal = {};
    std::span<const MetricCoupling<double>> couplings = {};
};

/// All rows of a world, in MuJoCo's order: equalities, dry friction of dofs and tendons, limits of joints and tendons,
/// contacts. The workspace has its position and velocity stages behind it. Contacts at or beyond their margin and rows
/// that no degree of freedom moves are left out. Velocity and acceleration of kinematic bodies enter `velocity` and
/// `reference`. Allocates only where `rows` was never as large before.
/// Surfaces that run enter them in the same way.
/// Contacts that stick (Contact::adhesion) act beyond the margin too, there without friction; their rows have the
/// reference of a cone that is shifted down by the pull ([MuJoCo], "Adhesion"), see Adhesion.
void build_rows(const Workspace<double>& w, const Contacts& contacts, const RowOptions& options, ConstraintRows& rows,
                const RowInput& input = {});

}  // namespace rattleback
