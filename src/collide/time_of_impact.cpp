// Conservative advancement (Mirtich 1996): step by step over the time in which the gap certainly does not close.
#include "collide/time_of_impact.h"

#include "base/index.h"
#include "collide/model_shape.h"
#include "math/rotation.h"

#include <algorithm>

namespace rattleback
{

namespace
{

constexpr int kMaxAdvances = 64;
constexpr double kLeastClosing = 1e-6;  // of the relative speed: bounds the advance of shapes that pass each other

/// Centre and rotation of the frame after `time`.
Pose find_frame(const MovingShape& moving, double time)
{
    // x_t = x + t v, R_t = exp(t w) R
    const Vec3 velocity = moving.velocity.linear + moving.fall;
    return {moving.center + time * velocity, normalized(exponential(time * moving.velocity.angular) * moving.rotation)};
}

/// The shape's body, whose frame has its centre at `frame`.
Pose find_body(const MovingShape& moving, const Pose& frame)
{
    const Vec3 origin = frame.position - rotate(frame.rotation, moving.center_in_frame);
    return Pose{origin, frame.rotation} * moving.body;
}

}  // namespace

std::optional<TimeOfImpact> find_time_of_impact(const Model& model, const MovingShape& first, const MovingShape& second,
                                                const ImpactOptions& options)
{
    const auto is_convex = [&](ShapeId shape)
    { return model.shapes.type[at(shape)] < ShapeType::hull || is_hull(model.shapes, shape.index); };
    const bool first_convex = is_convex(first.shape), second_convex = is_convex(second.shape);
    // The relative velocity of the centres is constant; turning about them adds at most reach |w| to a point's speed.
    const Vec3 relative = second.velocity.linear + second.fall - first.velocity.linear - first.fall;
    const double turning = first.reach * norm(first.velocity.angular) + second.reach * norm(second.velocity.angular);
    // Distances of two meshes cost much: those that come less far than the smaller reaches are left to the contacts.
    const double smaller =
        first.reach > 0 && second.reach > 0 ? std::min(first.reach, second.reach) : std::max(first.reach, second.reach);
    if (!first_convex && !second_convex && options.duration * (norm(relative) + turning) < smaller) return std::nullopt;
    TimeOfImpact impact{.state = ImpactState::undecided};
    for (int i = 0; i < kMaxAdvances; ++i)
    {
        impact.first = find_frame(first, impact.time);
        impact.second = find_frame(second, impact.time);
        const std::optional<ShapeGap> gap = find_distance(model, first.shape, find_body(first, impact.first),
                                                          second.shape, find_body(second, impact.second));
        // Kinds without a distance: the caller decides what to do without sweeping.
        if (!gap) return std::nullopt;
        impact.gap = *gap;
        // Met at once, or near enough after an advance that could not lead past the margin.
        const double room = gap->distance - options.margin;
        if (i == 0 && room <= 0)
            impact.state = ImpactState::overlap;
        else if (room < options.tolerance)
            impact.state = ImpactState::touch;
        if (impact.state != ImpactState::undecided) return impact;
        // Two planes across the normal hold convex shapes apart by the gap. They approach no faster than the centres do
        // along the normal, and all turning added: so long the distance stays above the margin. What has hollows may
        // come from any side.
        const double speed = norm(relative);
        const double ahead = first_convex && second_convex ? -dot(relative, gap->normal) : speed;
        const double closing = std::max(speed * kLeastClosing, ahead) + turning;
        const double next = impact.time + room / closing;
        if (closing <= 0 || next > options.duration)
        {
            impact.state = ImpactState::apart;
            impact.time = options.duration;
            return impact;
        }
        impact.time = next;
    }
    return impact;
}

}  // namespace rattleback
