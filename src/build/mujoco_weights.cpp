// Inverse weights as MuJoCo computes them in two special cases.
#include "build/mujoco_weights.h"

#include <cmath>

#include "base/index.h"
#include "dynamics/constants.h"

namespace rattleback
{

namespace
{

constexpr double kEpsilon = 1e-14;

bool is_axis(const Vec3& v)
{
    int zeros = 0;
    for (int k = 0; k < 3; ++k) zeros += std::abs(v[k]) < kEpsilon;
    return zeros == 2;
}

/// Bodies on the paths of tendons with inertia of their own.
std::vector<char> find_bodies_of_heavy_tendons(const Model& model)
{
    const Tendons& tendons = model.tendons;
    std::vector<char> found(model.bodies.parent.size(), 0);
    for (std::size_t t = 0; t < tendons.armature.size(); ++t)
    {
        if (!(tendons.armature[t] > 0)) continue;
        for (int k = tendons.item_begin[t]; k < tendons.item_begin[t + 1]; ++k)
        {
            const TendonItem& item = tendons.items[at(k)];
            if (tendons.type[t] == TendonType::fixed) found[at(model.joints.body[at(item.joint)])] = 1;
            if (item.site >= 0) found[at(model.sites.body[at(item.site)])] = 1;
            if (item.shape >= 0) found[at(model.shapes.body[at(item.shape)])] = 1;
        }
    }
    return found;
}

bool slides_simply(const Model& model, std::size_t body, bool has_children)
{
    // One body on slides along its own axes, nothing below, at most one body above, which does not move: there MuJoCo
    // takes 1 / mass, and zero for rotations.
    const Bodies& bodies = model.bodies;
    const Pose& inertial = bodies.inertial_pose[body];
    const Quat& turn = inertial.rotation;
    const int begin = bodies.joint_begin[body], end = bodies.joint_begin[body + 1];
    if (has_children || begin == end || !(bodies.mass[body] > 0)) return false;
    const std::size_t parent = at(bodies.parent[body]);
    if (bodies.last_dof[parent] >= 0 || (parent != 0 && bodies.parent[parent] != 0)) return false;
    if (norm(inertial.position) > kEpsilon || norm(Vec3{turn.x, turn.y, turn.z}) > kEpsilon) return false;
    for (int i = begin; i < end; ++i)
    {
        const std::size_t joint = at(bodies.joints_of_body[at(i)]);
        if (model.joints.type[joint] != JointType::slide || !is_axis(model.joints.axis[joint]) ||
            norm(model.joints.position[joint]) > kEpsilon)
            return false;
    }
    return true;
}

/// Sensors keep copies of the frames that they watch.
void follow_inertial_frames(Model& model)
{
    Sensors& sensors = model.sensors;
    const std::vector<Pose>& frames = model.bodies.inertial_pose;
    for (std::size_t s = 0; s < sensors.type.size(); ++s)
    {
        if (sensors.object[s] == SensorObject::inertial) sensors.pose[s] = frames[at(sensors.target[s])];
        if (sensors.reference[s] == SensorObject::inertial)
            sensors.reference_pose[s] = frames[at(sensors.reference_target[s])];
    }
}

}  // namespace

void apply_mujoco_weights(Model& model)
{
    Bodies& bodies = model.bodies;
    std::vector<char> has_children(bodies.parent.size(), 0);
    bool moved = false;
    for (std::size_t body = 1; body < bodies.parent.size(); ++body)
    {
        has_children[at(bodies.parent[body])] = 1;
        // A body without mass: its inertial frame is its own, seen from its parent.
        const bool moves = bodies.last_dof[body] >= 0;
        if (bodies.mass[body] > 0 || (!moves && !(bodies.inertial_pose[body] == Pose{}))) continue;
        bodies.inertial_pose[body] = bodies.pose[body];
        moved = moved || moves;
    }
    if (moved) compute_constants(model);
    follow_inertial_frames(model);
    const std::vector<char> pulled = find_bodies_of_heavy_tendons(model);
    for (std::size_t body = 1; body < bodies.parent.size(); ++body)
    {
        if (pulled[body] != 0 || !slides_simply(model, body, has_children[body] != 0)) continue;
        const double weight = 1 / bodies.mass[body];
        bodies.inverse_weight[body] = {weight, 0};
        for (int i = 0; i < bodies.v_count[body]; ++i) model.dofs.inverse_weight[at(bodies.v_begin[body] + i)] = weight;
    }
}

}  // namespace rattleback
