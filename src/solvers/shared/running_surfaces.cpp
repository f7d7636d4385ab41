// Which surfaces run, and how fast at a point.
#include "solvers/shared/running_surfaces.h"

#include "math/finite.h"
#include "math/zero.h"

#include <algorithm>

namespace rattleback
{

void RunningSurfaces::load(std::span<const Velocity> velocities)
{
    if (surfaces_.empty() && are_zero<Velocity>(velocities)) return;
    // Only the shapes of the last load are undone: most models have thousands of shapes and one belt.
    for (const Surface& surface : surfaces_) index_[at(surface.shape)] = -1;
    surfaces_.clear();
    for (std::size_t s = 0; s < velocities.size(); ++s)
    {
        if (velocities[s] == Velocity{}) continue;
        index_[s] = static_cast<int>(surfaces_.size());
        surfaces_.push_back({.shape = static_cast<int>(s), .local = velocities[s]});
    }
}

bool RunningSurfaces::is_finite() const
{
    return std::all_of(surfaces_.begin(), surfaces_.end(),
                       [](const Surface& surface) { return rattleback::is_finite(surface.local); });
}

Velocity RunningSurfaces::at_point(ShapeId shape, const Vec3& point) const
{
    const int index = index_[at(shape)];
    if (index < 0) return {};
    const Surface& surface = surfaces_[at(index)];
    // A point that runs with the surface turns its velocity: u' = w x u.
    const auto& [linear, angular] = surface.velocity;
    const Vec3 velocity = linear + cross(angular, point - surface.origin);
    // To first order in `ahead`: the velocity that the material point has when it gets there.
    return {velocity + ahead_ * cross(angular, velocity), angular};
}

Velocity RunningSurfaces::find_drift(ShapeId first, ShapeId second, const Vec3& point, const Vec3& normal) const
{
    const Velocity a = at_point(first, point), b = at_point(second, point);
    const Vec3 linear = b.linear - a.linear;
    // A surface that would run out of its body, or into it, pushes nothing: only friction feels it.
    return {linear - dot(linear, normal) * normal, dot(b.angular - a.angular, normal) * normal};
}

}  // namespace rattleback
