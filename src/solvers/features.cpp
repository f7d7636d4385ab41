// Which features a model uses, each with the first element that needs it.
#include <rattleback/solver.h>

#include "base/index.h"

#include <algorithm>
#include <cmath>

namespace rattleback
{

namespace
{

std::string quoted(const char* kind, const std::string& name) { return std::string(kind) + " '" + name + "'"; }

constexpr std::array<double, 2> kNoPolynomial{};

/// More than a spring or damper that pulls back in proportion?
bool is_nonlinear(double first, const std::array<double, 2>& others) { return first < 0 || others != kNoPolynomial; }

/// Collects features; of each the first element only.
struct Uses
{
    std::vector<FeatureUse> items;

    bool has(Feature feature) const
    {
        return std::any_of(items.begin(), items.end(), [&](const FeatureUse& use) { return use.feature == feature; });
    }
    void add(Feature feature, const std::string& element)
    {
        if (!has(feature)) items.push_back({feature, element});
    }
    /// Adds the first index in [0, count) that `uses_it`, named by `name_of`.
    template <class Condition, class Name>
    void add_first(Feature feature, int count, Condition uses_it, Name name_of)
    {
        for (int i = 0; i < count; ++i)
        {
            if (!uses_it(at(i))) continue;
            add(feature, name_of(at(i)));
            return;
        }
    }
};

void add_joint_features(const Model& model, Uses& uses)
{
    const Joints& joints = model.joints;
    const int count = model.joint_count();
    const auto name = [&](std::size_t j) { return quoted("joint", joints.name[j]); };
    const std::pair<Feature, JointType> kinds[] = {{Feature::free_joint, JointType::free},
                                                   {Feature::ball_joint, JointType::ball},
                                                   {Feature::hinge_joint, JointType::hinge},
                                                   {Feature::slide_joint, JointType::slide}};
    for (const auto& [feature, type] : kinds)
    {
        uses.add_first(feature, count, [&, wanted = type](std::size_t j) { return joints.type[j] == wanted; }, name);
    }
    uses.add_first(Feature::limits, count, [&](std::size_t j) { return joints.range[j].limited; }, name);
    const auto is_sprung = [&](std::size_t j)
    { return joints.stiffness[j] != 0 || joints.stiffness_polynomial[j] != kNoPolynomial; };
    uses.add_first(Feature::springs, count, is_sprung, name);
    uses.add_first(
        Feature::nonlinear_springs, count, [&](std::size_t j)
        { return is_nonlinear(joints.stiffness[j], joints.stiffness_polynomial[j]) || joints.spring_yield[j] > 0; },
        name);
    uses.add_first(
        Feature::breakable, count, [&](std::size_t j)
        { return std::isfinite(joints.break_force[j]) || std::isfinite(joints.break_torque[j]); }, name);

    const Dofs& dofs = model.dofs;
    const auto dof_name = [&](std::size_t i) { return name(at(dofs.joint[i])); };
    const auto is_damped = [&](std::size_t i)
    { return dofs.damping[i] != 0 || dofs.damping_polynomial[i] != kNoPolynomial; };
    uses.add_first(Feature::damping, model.v_count(), is_damped, dof_name);
    uses.add_first(
        Feature::nonlinear_springs, model.v_count(),
        [&](std::size_t i) { return is_nonlinear(dofs.damping[i], dofs.damping_polynomial[i]); }, dof_name);
    uses.add_first(Feature::armature, model.v_count(), [&](std::size_t i) { return dofs.armature[i] != 0; }, dof_name);
    uses.add_first(
        Feature::dry_friction, model.v_count(), [&](std::size_t i) { return dofs.dry_friction[i] != 0; }, dof_name);
    uses.add_first(
        Feature::negative_armature, model.v_count(), [&](std::size_t i) { return dofs.armature[i] < 0; }, dof_name);
    uses.add_first(
        Feature::negative_dry_friction, model.v_count(), [&](std::size_t i) { return dofs.dry_friction[i] < 0; },
        dof_name);
}

void add_body_features(const Model& model, Uses& uses)
{
    const Bodies& bodies = model.bodies;
    const auto name = [&](std::size_t b) { return quoted("body", bodies.name[b]); };
    uses.add_first(
        Feature::several_joints_per_body, model.body_count(),
        [&](std::size_t b) { return bodies.joint_begin[b + 1] - bodies.joint_begin[b] > 1; }, name);
    uses.add_first(
        Feature::kinematic_body, model.body_count(),
        [&](std::size_t b) { return bodies.kind[b] == BodyKind::kinematic; }, name);
    uses.add_first(
        Feature::gravity_compensation, model.body_count(),
        [&](std::size_t b) { return bodies.gravity_compensation[b] != 0; }, name);
}

void add_tendon_features(const Model& model, Uses& uses)
{
    const Tendons& tendons = model.tendons;
    const int count = model.tendon_count();
    const auto name = [&](std::size_t t) { return quoted("tendon", tendons.name[t]); };
    uses.add_first(Feature::tendon, count, [](std::size_t) { return true; }, name);
    uses.add_first(Feature::limits, count, [&](std::size_t t) { return tendons.range[t].limited; }, name);
    const auto is_sprung = [&](std::size_t t)
    { return tendons.stiffness[t] != 0 || tendons.stiffness_polynomial[t] != kNoPolynomial; };
    const auto is_damped = [&](std::size_t t)
    { return tendons.damping[t] != 0 || tendons.damping_polynomial[t] != kNoPolynomial; };
    uses.add_first(Feature::springs, count, is_sprung, name);
    uses.add_first(Feature::damping, count, is_damped, name);
    uses.add_first(
        Feature::nonlinear_springs, count,
        [&](std::size_t t)
        {
            return is_nonlinear(tendons.stiffness[t], tendons.stiffness_polynomial[t]) ||
                   is_nonlinear(tendons.damping[t], tendons.damping_polynomial[t]) || tendons.spring_yield[t] > 0;
        },
        name);
    uses.add_first(Feature::armature, count, [&](std::size_t t) { return tendons.armature[t] != 0; }, name);
    uses.add_first(Feature::dry_friction, count, [&](std::size_t t) { return tendons.dry_friction[t] > 0; }, name);
}

void add_equality_features(const Model& model, Uses& uses)
{
    const Equalities& equalities = model.equalities;
    const auto name = [&](std::size_t e) { return quoted("equality", equalities.name[e]); };
    const auto is_active = [&](std::size_t e) { return equalities.active[e] != 0; };
    const auto is_cable = [&](std::size_t e) { return equalities.type[e] == EqualityType::cable; };
    uses.add_first(
        Feature::equality, model.equality_count(), [&](std::size_t e) { return is_active(e) && !is_cable(e); }, name);
    uses.add_first(
        Feature::cable, model.equality_count(), [&](std::size_t e) { return is_active(e) && is_cable(e); }, name);
    uses.add_first(
        Feature::breakable, model.equality_count(),
        [&](std::size_t e)
        {
            return is_active(e) &&
                   (std::isfinite(equalities.break_force[e]) || std::isfinite(equalities.break_torque[e]));
        },
        name);
}

void add_contact_features(const Model& model, Uses& uses)
{
    const Shapes& shapes = model.shapes;
    const std::optional<PairCandidate> pair = find_any_pair(model);
    if (!pair) return;
    uses.add(Feature::contact,
             "shapes '" + shapes.name[at(pair->first)] + "' and '" + shapes.name[at(pair->second)] + "'");

    uses.add_first(
        Feature::surface_velocity, model.shape_count(),
        [&](std::size_t s) { return !(shapes.surface_velocity[s] == Vec3{}) || !(shapes.surface_spin[s] == Vec3{}); },
        [&](std::size_t s) { return quoted("shape", shapes.name[s]); });

    // Materials that a contact may meet.
    std::vector<char> in_use(model.materials.size(), 0);
    for (int s = 0; s < model.shape_count(); ++s)
    {
        if ((shapes.category[at(s)] | shapes.mask[at(s)]) != 0) in_use[at(shapes.material[at(s)])] = 1;
    }
    for (const ShapePair& explicit_pair : model.pairs)
    {
        if (explicit_pair.material >= 0)
            in_use[at(explicit_pair.material)] = 1;
        else
            in_use[at(shapes.material[at(explicit_pair.first)])] =
                in_use[at(shapes.material[at(explicit_pair.second)])] = 1;
    }
    const auto& materials = model.materials;
    const auto name = [&](std::size_t m)
    { return materials[m].name.empty() ? "material " + std::to_string(m) : quoted("material", materials[m].name); };
    const int count = static_cast<int>(materials.size());
    const auto used = [&](std::size_t m) { return in_use[m] != 0; };
    uses.add_first(
        Feature::spinning_friction, count, [&](std::size_t m) { return used(m) && materials[m].dimension >= 4; }, name);
    uses.add_first(
        Feature::rolling_friction, count, [&](std::size_t m) { return used(m) && materials[m].dimension >= 6; }, name);
    uses.add_first(
        Feature::passive_adhesion, count, [&](std::size_t m) { return used(m) && materials[m].adhesion != 0; }, name);
    uses.add_first(
        Feature::restitution, count, [&](std::size_t m) { return used(m) && materials[m].restitution > 0; }, name);
}

}  // namespace

std::vector<FeatureUse> features_used(const Model& model)
{
    Uses uses;
    add_joint_features(model, uses);
    add_body_features(model, uses);
    add_contact_features(model, uses);
    add_tendon_features(model, uses);
    add_equality_features(model, uses);
    const Medium& medium = model.settings.medium;
    uses.add_first(
        Feature::medium, medium.density != 0 || medium.viscosity != 0 ? 1 : 0, [](std::size_t) { return true; },
        [](std::size_t) { return std::string("settings.medium"); });
    uses.add_first(
        Feature::actuator, model.actuator_count(), [](std::size_t) { return true; },
        [&](std::size_t a) { return quoted("actuator", model.actuators.name[a]); });
    uses.add_first(
        Feature::adhesion, model.actuator_count(),
        [&](std::size_t a) { return model.actuators.transmission[a] == TransmissionType::body; },
        [&](std::size_t a) { return quoted("actuator", model.actuators.name[a]); });
    std::sort(uses.items.begin(), uses.items.end(),
              [](const FeatureUse& a, const FeatureUse& b) { return a.feature < b.feature; });
    return uses.items;
}

}  // namespace rattleback
