// Constraint rows in MuJoCo's soft form: J a is pulled towards a reference acceleration against a regulariser.
#pragma once

#include "dynamics/workspace.h"

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

/// The friction of one contact.
struct RowCone
{
    int contact = -1;  ///< in Contacts
    int row = 0;       ///< first of its rows
    int row_count = 1;
    int dimension = 1;                 ///< 1, 3, 4, 6
    double mu = 0;                     ///< of the regularised elliptic cone
    std::array<double, 5> friction{};  ///< slide, slide, spin, roll, roll
};

/// Rows of one world and step. J is sparse: columns of a row increase.
struct ConstraintRows
{
    std::vector<RowKind> kind;                       ///< [row]
    std::vector<int> element;                        ///< [row] equality, dof or tendon, joint or tendon, contact
    std::vector<int> begin{0};                       ///< [row + 1] into column, value
    std::vector<int> column;                         ///< dof
    std::vector<double> value;                       ///< J
    std::vector<double> position, margin, velocity;  ///< [row] residual, where it becomes active, J v
    std::vector<double> reference;                   ///< [row] aref [m/s^2 or rad/s^2]
    std::vector<double> diagonal;                    ///< [row] estimate of J M^-1 Jᵀ
    std::vector<double> regulariser, stiffness;      ///< [row] R, and D = 1 / R
    std::vector<double> loss;                        ///< [row] bound of dry friction; 0 for others
    std::vector<RowCone> cones;                      ///< every contact that has rows, in their order

    int count() const { return static_cast<int>(kind.size()); }
    void clear();
};

}  // namespace rattleback
