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

bool slides_simply(const Model& model, std::size_t body, bool has_children)
{
    // One body on slides along its own axes, nothing below, nothing that moves above: there MuJoCo takes 1 / mass, and
    // zero for rotations.
    const Bodies& bodies = model.bodies;
    const Pose& inertial = bodies.inertial_pose[body];
    const Quat& turn = inertial.rotation;
    const int begin = bodies.joint_begin[body], end = bodies.joint_begin[body + 1];
    if (has_children || begin == end || !(bodies.mass[body] > 0)) return false;
    if (bodies.last_dof[at(bodies.parent[body])] >= 0) return false;
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

}  // namespace

void apply_mujoco_weights(Model& model)
{
    Bodies& bodies = model.bodies;
    std::vector<char> has_children(bodies.parent.size(), 0);
    bool moved = false;
    for (std::size_t body = 1; body < bodies.parent.size(); ++body)
    {
        has_children[at(bodies.parent[body])] = 1;
        // A massless body that moves: its inertial frame is its own.
        if (bodies.mass[body] > 0 || bodies.last_dof[body] < 0) continue;
        bodies.inertial_pose[body] = bodies.pose[body];
        moved = true;
    }
    if (moved) compute_constants(model);
    for (std::size_t body = 1; body < bodies.parent.size(); ++body)
    {
        if (!slides_simply(model, body, has_children[body] != 0)) continue;
        const double weight = 1 / bodies.mass[body];
        bodies.inverse_weight[body] = {weight, 0};
        for (int i = 0; i < bodies.v_count[body]; ++i) model.dofs.inverse_weight[at(bodies.v_begin[body] + i)] = weight;
    }
}

}  // namespace rattleback
