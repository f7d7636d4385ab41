// The parameters of solver `avbd` as data.
#pragma once

#include "solvers/avbd/settings.h"

#include <rattleback/solver.h>

namespace rattleback::avbd
{

std::vector<ParameterInfo> parameter_list();

}  // namespace rattleback::avbd
