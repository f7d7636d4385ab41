// Time of impact: when two moving shapes first come within a margin of each other.
#pragma once

#include <rattleback/query.h>

namespace rattleback
{

/// A shape on a rigid frame whose centre moves in a straight line while the frame turns about it, both at constant
/// rate: centre(t) = center + t (velocity.linear + fall), rotation(t) = exp(t velocity.angular) rotation.
struct MovingShape
{
    ShapeId shape;
    Pose body;             ///< of the shape's body in the frame
    Vec3 center_in_frame;  ///< [m]
    Vec3 center;           ///< world, at time zero [m]
    Quat rotation;         ///< of the frame, at time zero
    Velocity velocity;     ///< of the centre [m/s], and angular in world axes [rad/s]
    Vec3 fall;             ///< what the step adds to the linear velocity, its gravity for example [m/s]
    double reach = 0;      ///< no point of the shape is further from the centre [m]; a plane must not turn: any number
};

struct ImpactOptions
{
    double duration = 0;   ///< [s]
    double margin = 0;     ///< distance that counts as touching [m]
    double tolerance = 0;  ///< how much above `margin` the search may end [m], positive
};

enum class ImpactState
{
    apart,      ///< further than `margin` from each other during all of `duration`
    touch,      ///< at `time` within `margin` + `tolerance`, and further than `margin` at all times before
    overlap,    ///< within `margin` at time zero
    undecided,  ///< too many advances: further than `margin` until `time`, and what comes then is not known
};

struct TimeOfImpact
{
    ImpactState state = ImpactState::apart;
    double time = 0;     ///< [s]; `duration` when apart
    ShapeGap gap;        ///< the shortest way between the two at the last time looked at: `time`, unless apart
    Pose first, second;  ///< centre and rotation of the two frames then
};

/// Conservative: `time` is never later than the first moment at which the distance is `margin`, but for the rounding
/// of the distance (1e-13 of the shapes' size). Nothing where the two kinds have no distance (see find_distance), and
/// for two shapes of triangles that come less far than the smaller reaches. Shapes of triangles advance by their
/// distance, whatever its direction: passing close by one may stay undecided.
/// A function of its arguments alone; allocates nothing.
std::optional<TimeOfImpact> find_time_of_impact(const Model& model, const MovingShape& first, const MovingShape& second,
                                                const ImpactOptions& options);

}  // namespace rattleback
