// Rows of equalities for the search of length ranges, dense over all dofs.
#pragma once

#include "dynamics/workspace.h"

#include <vector>

namespace rattleback
{

/// A row that acts in the search: J a = reference, or >= of a limit, softened by R.
struct ReachRow
{
    std::vector<double> jacobian;  ///< [dof]
    double reference = 0;          ///< a_ref
    double regulariser = 0;        ///< R
};

/// Appends the rows of all active equalities of the workspace's model; its position and velocity stages are done.
void add_tie_rows(const Workspace<double>& w, double dt, std::vector<ReachRow>& rows);

}  // namespace rattleback
