// Measures of piles.
#include "lab/metrics/pile_quality.h"

#include "base/index.h"

#include <algorithm>
#include <cmath>

namespace rattleback::lab
{

namespace
{

double find_shake(const Model& model, const State& state)
{
    double energy = 0, mass = 0;
    for (int body = 1; body < model.body_count(); ++body)
    {
        const std::size_t b = at(body);
        if (model.bodies.last_dof[b] < 0) continue;
        const Velocity& v = state.body_velocity[b];
        const Quat axes = state.body_pose[b].rotation * model.bodies.inertial_pose[b].rotation;
        const Vec3 spin = rotate(conjugate(axes), v.angular);
        const Vec3& i = model.bodies.inertia[b];
        energy += 0.5 * (model.bodies.mass[b] * dot(v.linear, v.linear) + i.x * spin.x * spin.x +
                         i.y * spin.y * spin.y + i.z * spin.z * spin.z);
        mass += model.bodies.mass[b];
    }
    return mass > 0 ? energy / mass : 0;
}

}  // namespace

bool Region::holds(const Vec3& point) const
{
    return point.x >= low.x && point.x <= high.x && point.y >= low.y && point.y <= high.y && point.z >= low.z &&
           point.z <= high.z && std::isfinite(point.x + point.y + point.z);
}

PileQuality measure_quality(const Model& model, State& state, const Region& region)
{
    PileQuality quality;
    Collider collider(model);
    ColliderMemory memory;
    double sum = 0;
    for (const Contact& contact : collider.find_contacts(state.world(), 0, memory).items)
    {
        if (!(contact.distance < 0)) continue;
        quality.deepest = std::max(quality.deepest, -contact.distance);
        sum -= contact.distance;
        ++quality.overlaps;
    }
    quality.mean_overlap = quality.overlaps > 0 ? sum / quality.overlaps : 0;
    quality.shake = find_shake(model, state);
    quality.joint_error = measure_joint_error(model, state);
    for (int body = 1; body < model.body_count(); ++body)
    {
        if (model.bodies.last_dof[at(body)] < 0) continue;
        const Pose center = state.body_pose[at(body)] * model.bodies.inertial_pose[at(body)];
        if (!region.holds(center.position)) ++quality.escaped;
    }
    return quality;
}

double measure_joint_error(const Model& model, const State& state)
{
    double largest = 0;
    for (int joint = 0; joint < model.joint_count(); ++joint)
    {
        const std::size_t j = at(joint), body = at(model.joints.body[j]);
        if (model.joints.type[j] == JointType::free) continue;
        const std::size_t parent = at(model.bodies.parent[body]);
        const Pose reference = state.body_pose[parent] * model.bodies.pose[body];
        const auto anchor = [&](const Pose& pose)
        { return pose.position + rotate(pose.rotation, model.joints.position[j]); };
        Vec3 apart = anchor(state.body_pose[body]) - anchor(reference);
        if (model.joints.type[j] == JointType::slide)
        {
            const Vec3 axis = rotate(reference.rotation, model.joints.axis[j]);
            apart = apart - dot(apart, axis) * axis;
        }
        largest = std::max(largest, norm(apart));
    }
    for (int equality = 0; equality < model.equality_count(); ++equality)
    {
        const std::size_t e = at(equality);
        const EqualityType type = model.equalities.type[e];
        if (model.equalities.active[e] == 0 || (type != EqualityType::connect && type != EqualityType::weld)) continue;
        const Pose first = state.body_pose[at(model.equalities.first[e])] * model.equalities.first_frame[e];
        const Pose second = state.body_pose[at(model.equalities.second[e])] * model.equalities.second_frame[e];
        largest = std::max(largest, norm(first.position - second.position));
    }
    return largest;
}

}  // namespace rattleback::lab
