// From a Model's bodies to rigid groups.
#include "solvers/shared/rigid_groups.h"

#include <cmath>
#include <numeric>

namespace rattleback
{

namespace
{

bool starts_group(const Model& model, int body)
{
    // The world and kinematic bodies carry what is fixed on them, but belong to nobody.
    if (!is_dynamic(model, body)) return true;
    for (int k = model.bodies.joint_begin[at(body)]; k < model.bodies.joint_begin[at(body) + 1]; ++k)
    {
        const int joint = model.bodies.joints_of_body[at(k)];
        // A fixed joint that may tear is a joint until it does: solvers that break it need both sides as bodies of
        // their own.
        if (model.joints.type[at(joint)] != JointType::fixed || is_breakable(model, joint)) return true;
    }
    return false;
}

}  // namespace

bool is_breakable(const Model& model, int joint)
{
    return std::isfinite(model.joints.break_force[at(joint)]) || std::isfinite(model.joints.break_torque[at(joint)]);
}

RigidGroups find_rigid_groups(const Model& model)
{
    // Parents stand before their children: a group is known before its bodies ask for it.
    RigidGroups groups;
    for (int b = 0; b < model.body_count(); ++b)
    {
        const std::size_t parent = at(model.bodies.parent[at(b)]);
        const bool starts = starts_group(model, b);
        groups.group_of_body.push_back(starts ? groups.count() : groups.group_of_body[parent]);
        // Poses of fixed bodies are constant in the frame of their root and are multiplied up once.
        groups.in_group.push_back(starts ? Pose{} : groups.in_group[parent] * model.bodies.pose[at(b)]);
        if (starts) groups.root.push_back(b);
        if (starts && b > 0 && !is_dynamic(model, b)) groups.kinematic_bodies.push_back(b);
    }
    // Bodies by group: a stable counting sort.
    groups.begin.assign(groups.root.size() + 1, 0);
    for (const int g : groups.group_of_body) ++groups.begin[at(g) + 1];
    std::partial_sum(groups.begin.begin(), groups.begin.end(), groups.begin.begin());
    groups.bodies.resize(groups.group_of_body.size());
    std::vector<int> next = groups.begin;
    for (int b = 0; b < model.body_count(); ++b) groups.bodies[at(next[at(groups.group_of_body[at(b)])]++)] = b;
    return groups;
}

}  // namespace rattleback
