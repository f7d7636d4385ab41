// A shape of a model, as distances and contacts see it.
#pragma once

#include "geometry/placed_shape.h"

#include <rattleback/model.h>
#include <rattleback/state.h>

namespace rattleback
{

/// True for hulls and for meshes that collide as hulls.
bool is_hull(const Shapes& shapes, int shape);

/// Type, size and hull, if it has one; not placed yet.
PlacedShape make_unplaced(const Model& model, int shape);

/// The same with its body at a pose.
PlacedShape make_placed(const Model& model, const Pose& body, int shape);

}  // namespace rattleback
