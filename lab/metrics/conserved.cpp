// Which quantities a model conserves.
#include "lab/metrics/conserved.h"

#include <rattleback/query.h>

#include <algorithm>

namespace rattleback::lab
{

namespace
{

/// A body that nothing pushes: the world, what is fixed to it, kinematic ones.
bool stands(const Model& model, int body)
{
    return body == 0 || model.bodies.last_dof[static_cast<std::size_t>(body)] < 0;
}

/// Whether something that moves may touch something that does not: momentum then goes into the world.
bool touches_world(const Model& model)
{
    std::vector<int> standing, moving;
    for (int s = 0; s < model.shape_count(); ++s)
        (stands(model, model.shapes.body[static_cast<std::size_t>(s)]) ? standing : moving).push_back(s);
    for (const int s : standing)
    {
        for (const int m : moving)
            if (may_collide(model, ShapeId{std::min(s, m)}, ShapeId{std::max(s, m)})) return true;
    }
    return false;
}

/// Whether an equality or a path of tendons holds on to the world.
bool is_held_by_world(const Model& model)
{
    const Equalities& equalities = model.equalities;
    for (std::size_t e = 0; e < equalities.type.size(); ++e)
    {
        const bool of_bodies = equalities.type[e] == EqualityType::connect ||
                               equalities.type[e] == EqualityType::weld || equalities.type[e] == EqualityType::cable;
        if (of_bodies && (stands(model, equalities.first[e]) || stands(model, equalities.second[e]))) return true;
    }
    return std::any_of(
        model.tendons.items.begin(), model.tendons.items.end(),
        [&](const TendonItem& item)
        {
            return (item.site >= 0 && stands(model, model.sites.body[static_cast<std::size_t>(item.site)])) ||
                   (item.shape >= 0 && stands(model, model.shapes.body[static_cast<std::size_t>(item.shape)]));
        });
}

bool are_parallel(const Vec3& a, const Vec3& b) { return norm(cross(a, b)) <= 1e-12 * (norm(a) * norm(b)); }

/// What the model's features do to its invariants.
struct Effects
{
    bool takes_energy = false;  ///< inside the model: momentum stays
    bool pushes = false;        ///< from outside: nothing stays
    bool is_held = false;       ///< by the world: momentum goes there
};

Effects find_effects(const Model& model, std::span<const Feature> ignored)
{
    Effects effects;
    for (const FeatureUse& use : features_used(model))
    {
        if (std::find(ignored.begin(), ignored.end(), use.feature) != ignored.end()) continue;
        switch (use.feature)
        {
            case Feature::contact:
                // Contacts of bodies that move take energy and leave momentum.
                (touches_world(model) ? effects.pushes : effects.takes_energy) = true;
                break;
            case Feature::kinematic_body:
            case Feature::gravity_compensation:
            case Feature::medium:
                effects.pushes = true;
                break;
            case Feature::equality:
            case Feature::cable:
            case Feature::breakable:
            case Feature::tendon:
                effects.takes_energy |= use.feature != Feature::tendon;
                effects.is_held |= is_held_by_world(model);
                break;
            case Feature::damping:
            case Feature::dry_friction:
            case Feature::limits:
                effects.takes_energy = true;
                break;
            default:
                break;
        }
    }
    // Springs that yield keep what bent them.
    for (const auto* yields : {&model.joints.spring_yield, &model.tendons.spring_yield})
    {
        if (std::any_of(yields->begin(), yields->end(), [](double y) { return y > 0; })) effects.takes_energy = true;
    }
    // An actuator with a bias (a servo) works even when its input is zero; a motor does not.
    for (const auto& bias : model.actuators.bias)
    {
        if (bias != std::array<double, 3>{0, 0, 0}) effects.takes_energy = true;
    }
    return effects;
}

/// True when a joint has a spring, damper, friction or rotor of its own.
bool is_loaded(const Model& model, std::size_t joint)
{
    constexpr std::array<double, 2> kNone{};
    if (model.joints.stiffness[joint] != 0 || model.joints.stiffness_polynomial[joint] != kNone) return true;
    for (std::size_t d = 0; d < model.dofs.joint.size(); ++d)
    {
        if (model.dofs.joint[d] != static_cast<int>(joint)) continue;
        if (model.dofs.damping_polynomial[d] != kNone) return true;
        if (model.dofs.damping[d] != 0 || model.dofs.dry_friction[d] != 0 || model.dofs.armature[d] != 0) return true;
    }
    return false;
}

/// Joints that hang on something that never moves. A free one counts only when it is loaded: then it pulls there.
std::vector<std::size_t> find_ties(const Model& model)
{
    std::vector<std::size_t> ties;
    for (std::size_t j = 0; j < model.joints.type.size(); ++j)
    {
        const auto body = static_cast<std::size_t>(model.joints.body[j]);
        const auto parent = static_cast<std::size_t>(model.bodies.parent[body]);
        const bool on_world = parent == 0 || model.bodies.last_dof[parent] < 0;
        if (on_world && (model.joints.type[j] != JointType::free || is_loaded(model, j))) ties.push_back(j);
    }
    return ties;
}

/// The axis through the origin about which a model that hangs on this one joint keeps its angular momentum.
std::optional<Vec3> find_axis(const Model& model, std::size_t joint)
{
    const auto body = static_cast<std::size_t>(model.joints.body[joint]);
    if (model.bodies.parent[body] != 0 || is_loaded(model, joint)) return std::nullopt;
    const Pose& pose = model.bodies.pose[body];
    const Vec3 anchor = pose.position + rotate(pose.rotation, model.joints.position[joint]);
    const Vec3& gravity = model.settings.gravity;

    Vec3 axis;
    if (model.joints.type[joint] == JointType::hinge) axis = rotate(pose.rotation, model.joints.axis[joint]);
    if (model.joints.type[joint] == JointType::ball && gravity != Vec3{}) axis = (1 / norm(gravity)) * gravity;
    const bool through_origin = are_parallel(anchor, axis), along_gravity = are_parallel(gravity, axis);
    if (axis == Vec3{} || !through_origin || !along_gravity) return std::nullopt;
    return axis;
}

}  // namespace

Conserved find_conserved(const Model& model, std::span<const Feature> ignored)
{
    const Effects effects = find_effects(model, ignored);
    const std::vector<std::size_t> ties = find_ties(model);
    Conserved conserved;
    conserved.energy = !effects.takes_energy && !effects.pushes;
    if (effects.pushes) return conserved;
    conserved.linear = ties.empty() && !effects.is_held && model.settings.gravity == Vec3{};
    conserved.angular = conserved.linear;
    if (ties.size() == 1 && !effects.is_held &&
        model.bodies.v_count[static_cast<std::size_t>(model.joints.body[ties[0]])] ==
            v_count(model.joints.type[ties[0]]))
    {
        const std::optional<Vec3> axis = find_axis(model, ties[0]);
        conserved.angular = axis.has_value();
        conserved.axis = axis.value_or(Vec3{});
    }
    return conserved;
}

}  // namespace rattleback::lab
