// The ways of spatial tendons as lines that can be drawn.
#pragma once

#include <rattleback/record.h>

namespace rattleback
{

/// The points of all spatial tendons, one after the other; body poses must be those of the moment.
void append_tendon_points(const Model& model, const ConstWorldView& world, std::vector<RecordedTendonPoint>& points);

}  // namespace rattleback
