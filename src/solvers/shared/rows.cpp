// Constraint rows: the container.
#include "solvers/shared/rows.h"

namespace rattleback
{

void ConstraintRows::clear()
{
    kind.clear();
    element.clear();
    begin.assign(1, 0);
    column.clear();
    value.clear();
    for (auto* list : {&position, &margin, &velocity, &reference, &diagonal, &regulariser, &stiffness, &loss})
        list->clear();
    cones.clear();
}

}  // namespace rattleback
