// Our arrays as MuJoCo would hold them, one row for each field of mjModel that is compared.
#include "external/field_table.h"

#include "base/index.h"

#include <variant>

namespace rattleback
{
namespace
{

using Numbers = std::vector<double>;

template <class T>
Numbers flatten(const std::vector<T>& values)
{
    Numbers numbers;
    for (const T& x : values)
    {
        if constexpr (std::is_arithmetic_v<T>)
        {
            numbers.push_back(static_cast<double>(x));
        }
        else if constexpr (std::is_same_v<T, Vec3>)
        {
            numbers.insert(numbers.end(), {x.x, x.y, x.z});
        }
        else if constexpr (std::is_same_v<T, Range>)
        {
            numbers.insert(numbers.end(), {x.limited ? x.lower : 0, x.limited ? x.upper : 0});
        }
        else
        {
            numbers.insert(numbers.end(), x.begin(), x.end());
        }
    }
    return numbers;
}

Numbers get_limited(const std::vector<Range>& ranges)
{
    Numbers numbers;
    for (const Range& range : ranges) numbers.push_back(range.limited ? 1 : 0);
    return numbers;
}

Numbers get_positions(const std::vector<Pose>& poses)
{
    Numbers numbers;
    for (const Pose& pose : poses) numbers.insert(numbers.end(), {pose.position.x, pose.position.y, pose.position.z});
    return numbers;
}

/// solref or solimp; what is not an impedance is written to MJCF as the default one.
template <class T>
Numbers get_impedance(const std::vector<Softness>& softness, T Impedance::* part)
{
    Numbers numbers;
    for (const Softness& one : softness)
    {
        const auto* impedance = std::get_if<Impedance>(&one);
        const T values = (impedance == nullptr ? Impedance{} : *impedance).*part;
        numbers.insert(numbers.end(), values.begin(), values.end());
    }
    return numbers;
}

/// Joint types and activation dynamics stand in the same order in MuJoCo's enumerations.
template <class T>
Numbers get_codes(const std::vector<T>& values)
{
    Numbers numbers;
    for (const T value : values) numbers.push_back(static_cast<double>(value));
    return numbers;
}

Numbers get_joint_axes(const Model& model)
{
    Numbers numbers;
    for (std::size_t j = 0; j < model.joints.axis.size(); ++j)
    {
        const bool has_axis = model.joints.type[j] == JointType::hinge || model.joints.type[j] == JointType::slide;
        const Vec3 axis = has_axis ? model.joints.axis[j] : Vec3{0, 0, 1};  // what MuJoCo writes there
        numbers.insert(numbers.end(), {axis.x, axis.y, axis.z});
    }
    return numbers;
}

/// One value, or several, of each shape's material.
template <class T>
Numbers get_surface(const Model& model, T (*value)(const MaterialOptions& material))
{
    std::vector<T> values;
    for (const int material : model.shapes.material) values.push_back(value(model.materials[at(material)]));
    return flatten(values);
}

Numbers get_surface_impedance(const Model& model, bool reference)
{
    std::vector<Softness> softness;
    for (const int material : model.shapes.material) softness.push_back(model.materials[at(material)].softness);
    return reference ? get_impedance(softness, &Impedance::solref) : get_impedance(softness, &Impedance::solimp);
}

#define OURS(expression) [](const Model& m) { return flatten(expression); }
const FieldRow kFields[] = {
    {"qpos0", FieldKind::q, OURS(m.q0)},
    {"qpos_spring", FieldKind::q, OURS(m.spring_q)},
    {"body_mass", FieldKind::body, OURS(m.bodies.mass)},
    {"body_subtreemass", FieldKind::body, OURS(m.bodies.subtree_mass)},
    {"body_gravcomp", FieldKind::body, OURS(m.bodies.gravity_compensation)},
    {"body_pos", FieldKind::body, [](const Model& m) { return get_positions(m.bodies.pose); }},
    {"body_ipos", FieldKind::body, [](const Model& m) { return get_positions(m.bodies.inertial_pose); }},
    {"body_invweight0", FieldKind::body, OURS(m.bodies.inverse_weight)},
    {"jnt_type", FieldKind::joint, [](const Model& m) { return get_codes(m.joints.type); }},
    {"jnt_bodyid", FieldKind::joint, OURS(m.joints.body), 0, nullptr, true},
    {"jnt_qposadr", FieldKind::joint, OURS(m.joints.q_begin), 0, nullptr, true},
    {"jnt_dofadr", FieldKind::joint, OURS(m.joints.v_begin), 0, nullptr, true},
    {"jnt_pos", FieldKind::joint, OURS(m.joints.position)},
    {"jnt_axis", FieldKind::joint, &get_joint_axes},
    {"jnt_limited", FieldKind::joint, [](const Model& m) { return get_limited(m.joints.range); }},
    {"jnt_range", FieldKind::joint, OURS(m.joints.range), 0, "jnt_limited"},
    {"jnt_margin", FieldKind::joint, OURS(m.joints.margin)},
    {"jnt_stiffness", FieldKind::joint, OURS(m.joints.stiffness)},
    {"jnt_stiffnesspoly", FieldKind::joint, OURS(m.joints.stiffness_polynomial)},
    {"jnt_springyield", FieldKind::joint, OURS(m.joints.spring_yield)},
    {"jnt_actfrclimited", FieldKind::joint, [](const Model& m) { return get_limited(m.joints.actuator_force_range); }},
    {"jnt_actfrcrange", FieldKind::joint, OURS(m.joints.actuator_force_range), 0, "jnt_actfrclimited"},
    {"jnt_actgravcomp", FieldKind::joint, OURS(m.joints.gravity_compensation_by_actuator)},
    {"jnt_solref", FieldKind::joint,
     [](const Model& m) { return get_impedance(m.joints.limit_softness, &Impedance::solref); }, 0, "jnt_limited"},
    {"jnt_solimp", FieldKind::joint,
     [](const Model& m) { return get_impedance(m.joints.limit_softness, &Impedance::solimp); }, 0, "jnt_limited"},
    {"dof_armature", FieldKind::dof, OURS(m.dofs.armature)},
    {"dof_damping", FieldKind::dof, OURS(m.dofs.damping)},
    {"dof_dampingpoly", FieldKind::dof, OURS(m.dofs.damping_polynomial)},
    {"dof_frictionloss", FieldKind::dof, OURS(m.dofs.dry_friction)},
    {"dof_M0", FieldKind::dof, OURS(m.dofs.inertia)},
    {"dof_invweight0", FieldKind::dof, OURS(m.dofs.inverse_weight)},
    {"site_bodyid", FieldKind::site, OURS(m.sites.body), 0, nullptr, true},
    {"site_pos", FieldKind::site, [](const Model& m) { return get_positions(m.sites.pose); }},
    {"tendon_stiffness", FieldKind::tendon, OURS(m.tendons.stiffness)},
    {"tendon_damping", FieldKind::tendon, OURS(m.tendons.damping)},
    {"tendon_stiffnesspoly", FieldKind::tendon, OURS(m.tendons.stiffness_polynomial)},
    {"tendon_dampingpoly", FieldKind::tendon, OURS(m.tendons.damping_polynomial)},
    {"tendon_springyield", FieldKind::tendon, OURS(m.tendons.spring_yield)},
    {"tendon_armature", FieldKind::tendon, OURS(m.tendons.armature)},
    {"tendon_frictionloss", FieldKind::tendon, OURS(m.tendons.dry_friction)},
    {"tendon_margin", FieldKind::tendon, OURS(m.tendons.margin)},
    {"tendon_limited", FieldKind::tendon, [](const Model& m) { return get_limited(m.tendons.range); }},
    {"tendon_range", FieldKind::tendon, OURS(m.tendons.range), 0, "tendon_limited"},
    {"tendon_actfrclimited", FieldKind::tendon,
     [](const Model& m) { return get_limited(m.tendons.actuator_force_range); }},
    {"tendon_actfrcrange", FieldKind::tendon, OURS(m.tendons.actuator_force_range), 0, "tendon_actfrclimited"},
    {"tendon_lengthspring", FieldKind::tendon, OURS(m.tendons.spring_length)},
    {"tendon_length0", FieldKind::tendon, OURS(m.tendons.length)},
    {"tendon_invweight0", FieldKind::tendon, OURS(m.tendons.inverse_weight)},
    {"actuator_gear", FieldKind::actuator, OURS(m.actuators.gear), 0, nullptr, false, true},
    {"actuator_gainprm", FieldKind::actuator, OURS(m.actuators.gain), 1, nullptr, false, true},
    {"actuator_gainprm", FieldKind::actuator, OURS(m.actuators.gain), 3, "actuator_gaintype", false, true},
    {"actuator_biasprm", FieldKind::actuator, OURS(m.actuators.bias), 3, "actuator_biastype", false, true},
    {"actuator_actadr", FieldKind::actuator, OURS(m.actuators.act_begin)},
    {"actuator_dyntype", FieldKind::actuator, [](const Model& m) { return get_codes(m.actuators.dynamics); }, 0,
     nullptr, false, true},
    {"actuator_dynprm", FieldKind::actuator, OURS(m.actuators.time_constant), 1, "actuator_dyntype", false, true},
    {"actuator_ctrllimited", FieldKind::actuator, [](const Model& m) { return get_limited(m.actuators.input_range); }},
    {"actuator_ctrlrange", FieldKind::actuator, OURS(m.actuators.input_range), 0, "actuator_ctrllimited"},
    {"actuator_forcelimited", FieldKind::actuator, [](const Model& m) { return get_limited(m.actuators.force_range); }},
    {"actuator_forcerange", FieldKind::actuator, OURS(m.actuators.force_range), 0, "actuator_forcelimited"},
    {"actuator_actlimited", FieldKind::actuator, [](const Model& m) { return get_limited(m.actuators.act_range); }},
    {"actuator_actrange", FieldKind::actuator, OURS(m.actuators.act_range), 0, "actuator_actlimited"},
    {"actuator_actearly", FieldKind::actuator, OURS(m.actuators.act_early)},
};

const FieldRow kSurfaceFields[] = {
    {"geom_bodyid", FieldKind::geom, OURS(m.shapes.body)},
    {"geom_contype", FieldKind::geom, OURS(m.shapes.category)},
    {"geom_conaffinity", FieldKind::geom, OURS(m.shapes.mask)},
    {"geom_margin", FieldKind::geom, OURS(m.shapes.margin)},
    {"geom_gap", FieldKind::geom, OURS(m.shapes.gap)},
    {"geom_condim", FieldKind::geom,
     [](const Model& m) { return get_surface<int>(m, [](const MaterialOptions& x) { return x.dimension; }); }},
    {"geom_priority", FieldKind::geom,
     [](const Model& m) { return get_surface<int>(m, [](const MaterialOptions& x) { return x.priority; }); }},
    {"geom_solmix", FieldKind::geom,
     [](const Model& m) { return get_surface<double>(m, [](const MaterialOptions& x) { return x.solmix; }); }},
    {"geom_friction", FieldKind::geom,
     [](const Model& m)
     {
         return get_surface<Vec3>(
             m, [](const MaterialOptions& x) { return Vec3{x.friction, x.spinning_friction, x.rolling_friction}; });
     }},
    {"geom_solref", FieldKind::geom, [](const Model& m) { return get_surface_impedance(m, true); }},
    {"geom_solimp", FieldKind::geom, [](const Model& m) { return get_surface_impedance(m, false); }},
    {"eq_type", FieldKind::equality, [](const Model& m) { return get_codes(m.equalities.type); }},
    {"eq_active0", FieldKind::equality, OURS(m.equalities.active)},
    {"eq_solref", FieldKind::equality,
     [](const Model& m) { return get_impedance(m.equalities.softness, &Impedance::solref); }},
    {"eq_solimp", FieldKind::equality,
     [](const Model& m) { return get_impedance(m.equalities.softness, &Impedance::solimp); }},
};
#undef OURS

}  // namespace

std::span<const FieldRow> list_fields() { return kFields; }
std::span<const FieldRow> list_surface_fields() { return kSurfaceFields; }

Numbers to_numbers(const std::vector<Vec3>& values) { return flatten(values); }

Numbers get_inertias(const Numbers& moments, const std::vector<Quat>& rotations)
{
    Numbers numbers;
    for (std::size_t b = 0; b < rotations.size(); ++b)
    {
        const Mat3 axes = to_matrix(rotations[b]);
        for (int i = 0; i < 3; ++i)
        {
            for (int j = i; j < 3; ++j)
            {
                double sum = 0;
                for (int k = 0; k < 3; ++k) sum += axes(i, k) * moments[3 * b + at(k)] * axes(j, k);
                numbers.push_back(sum);
            }
        }
    }
    return numbers;
}

Numbers get_axes(const std::vector<Quat>& rotations)
{
    Numbers numbers;
    for (const Quat& rotation : rotations)
    {
        const Mat3 axes = to_matrix(rotation);
        numbers.insert(numbers.end(), std::begin(axes.m), std::end(axes.m));
    }
    return numbers;
}

std::vector<Quat> get_rotations(const std::vector<Pose>& poses)
{
    std::vector<Quat> rotations;
    for (const Pose& pose : poses) rotations.push_back(pose.rotation);
    return rotations;
}

std::vector<Quat> to_rotations(const Numbers& numbers)
{
    std::vector<Quat> rotations;
    for (std::size_t i = 0; i + 3 < numbers.size(); i += 4)
    {
        rotations.push_back({numbers[i], numbers[i + 1], numbers[i + 2], numbers[i + 3]});
    }
    return rotations;
}

}  // namespace rattleback
