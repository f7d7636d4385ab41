// The axis along which two boxes are furthest apart (Gottschalk, Lin and Manocha 1996).
#pragma once

#include "geometry/placed_shape.h"

namespace rattleback
{

/// Two boxes, the second seen from the first; the fourth numbers are zero.
struct BoxPair
{
    const PlacedShape& first;
    const PlacedShape& second;
    double turn[3][4];  ///< [i][j]: axis j of the second along axis i of the first
    double offset[4];   ///< from the first centre to the second, in the axes of the first [m]
    double back[4];     ///< the same in the axes of the second [m]

    BoxPair(const PlacedShape& a, const PlacedShape& b) : first(a), second(b) {}
};

struct BoxAxis
{
    double separation = 0;        ///< of the boxes along it [m]
    int first = -1, second = -1;  ///< axis of a face, with -1 for the other box; axes of two edges
    bool is_reversed = false;     ///< two edges: their product points from the second box to the first
};

/// Of axes that are within `slack` [m] of the best the first: faces of the first box, faces of the second, edges.
/// Fills in all of `pair`. False where the boxes are `reach` [m] apart or more.
bool find_box_axis(double slack, double reach, BoxPair& pair, BoxAxis& axis);

}  // namespace rattleback
