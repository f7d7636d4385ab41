// RunningSurfaces: shapes whose surface moves while their body stays, as conveyor belts and turntables do.
#pragma once

#include "base/index.h"

#include <rattleback/contacts.h>

#include <span>
#include <vector>

namespace rattleback
{

/// The surfaces of one world that have a velocity of their own. Without any, nothing but a look at the inputs is done.
class RunningSurfaces
{
public:
    explicit RunningSurfaces(const Model& model) : model_(model), index_(at(model.shape_count()), -1)
    {
        surfaces_.reserve(index_.size());
    }

    /// Finds the shapes whose velocity (Control::surface_velocity) is not zero.
    void load(std::span<const Velocity> velocities);
    /// Puts them where `pose_of_body(body)` says that their bodies are. Velocities are those that the points of a
    /// surface which is there will have `ahead` seconds later: half a step for a displacement over the step, a whole
    /// one for its end; turntables would throw things outwards else.
    template <class PoseOfBody>
    void place(const PoseOfBody& pose_of_body, double ahead = 0)
    {
        ahead_ = ahead;
        for (Surface& surface : surfaces_)
        {
            // The velocity is authored in the shape's frame: a belt on a tilting frame tilts with it.
            const auto s = at(surface.shape);
            const Pose pose = pose_of_body(model_.shapes.body[s]) * model_.shapes.pose[s];
            surface.origin = pose.position;
            surface.velocity = {rotate(pose.rotation, surface.local.linear),
                                rotate(pose.rotation, surface.local.angular)};
        }
    }

    bool any() const { return !surfaces_.empty(); }
    bool is_finite() const;
    bool runs(ShapeId shape) const { return index_[at(shape)] >= 0; }
    bool runs(const Contact& contact) const
    {
        return any() && (runs(contact.first_shape) || runs(contact.second_shape));
    }

    /// Velocity of a shape's surface at a point against its body, world axes: u = v + w x (point - origin).
    Velocity at_point(ShapeId shape, const Vec3& point) const;
    /// How the second surface runs against the first where two shapes touch, as MuJoCo's surfacevel: along the tangents
    /// and spinning about the normal; the bodies' own motion comes on top.
    Velocity find_drift(ShapeId first, ShapeId second, const Vec3& point, const Vec3& normal) const;
    Velocity find_drift(const Contact& contact) const
    {
        return find_drift(contact.first_shape, contact.second_shape, contact.point, contact.normal());
    }

private:
    struct Surface
    {
        int shape = -1;
        Velocity local;     ///< in the shape's frame
        Vec3 origin;        ///< of the shape, world [m]
        Velocity velocity;  ///< world axes
    };

    const Model& model_;
    std::vector<int> index_;  ///< [shape] in surfaces_; -1: it stands still
    std::vector<Surface> surfaces_;
    double ahead_ = 0;  ///< [s]
};

/// Who touches a running surface is awake and does not begin to rest: what holds it back may give way, and the surface
/// may turn. `wake(body)` wakes the unit of a body, if it has one, and begins its count of quiet steps anew.
template <class Wake>
void wake_on_running(const RunningSurfaces& surfaces, const Contacts& contacts, const Wake& wake)
{
    if (!surfaces.any()) return;
    for (const Contact& contact : contacts.items)
    {
        // Contacts that are only near (within the collider's margin) carry nothing and wake nobody.
        if (contact.distance >= contact.margin || !surfaces.runs(contact)) continue;
        wake(contact.first_body.index);
        wake(contact.second_body.index);
    }
}

}  // namespace rattleback
