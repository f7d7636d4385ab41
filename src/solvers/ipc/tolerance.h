// How exactly solver `ipc` solves a step: a speed that is given, or one that goes with the size of the scene.
#pragma once

#include "solvers/ipc/layout.h"

namespace rattleback::ipc
{

/// Of the box around all pieces where the model begins [m]; zero without any.
double find_diagonal(const Model& model, const Layout& layout);

/// Settings::tolerance where it is above zero; else `relative_tolerance` times the diagonal of the box around all
/// surfaces at the start, fixed ones included, half-spaces not; where that is zero too, a millimetre per second [m/s].
double find_tolerance(const Model& model, const Layout& layout, const Settings& settings);

}  // namespace rattleback::ipc
