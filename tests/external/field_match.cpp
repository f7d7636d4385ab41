// The table of fields that a Model shares with MuJoCo's mjModel, and the loops over it.
#include "external/field_match.h"
#include "base/index.h"

#include <algorithm>
#include <array>
#include <set>
#include <utility>

namespace rattleback
{
namespace
{

using Numbers = std::vector<double>;

// ------------------------------------------------------------------------------- our arrays as MuJoCo would hold them

template <class T>
Numbers to_numbers(const std::vector<T>& values)
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

/// Six numbers a body: the inertia matrix in the body's axes, which does not depend on the order of principal axes.
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

/// Rotation matrices, so that the sign of a quaternion does not count.
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
    return to_numbers(values);
}

Numbers get_surface_impedance(const Model& model, bool reference)
{
    std::vector<Softness> softness;
    for (const int material : model.shapes.material) softness.push_back(model.materials[at(material)].softness);
    return reference ? get_impedance(softness, &Impedance::solref) : get_impedance(softness, &Impedance::solimp);
}

// ------------------------------------------------------------------------------------------------------- the table

enum class Kind
{
    q,
    body,
    joint,
    dof,
    tendon,
    actuator,
    site,
    geom,
    equality,
};

struct FieldRow
{
    const char* field;
    Kind kind;
    Numbers (*ours)(const Model& model);
    int compared = 0;                    ///< first columns that count; 0: all
    const char* switch_field = nullptr;  ///< rows where this field of MuJoCo is zero do not count
    bool indices = false;                ///< numbers of other elements: only comparable when the order is the same
    bool law = false;                    ///< of actuators: has a meaning of its own for muscles, motors and the like
};

#define OURS(expression) [](const Model& m) { return to_numbers(expression); }
const FieldRow kFields[] = {
    {"qpos0", Kind::q, OURS(m.q0)},
    {"qpos_spring", Kind::q, OURS(m.spring_q)},
    {"body_mass", Kind::body, OURS(m.bodies.mass)},
    {"body_subtreemass", Kind::body, OURS(m.bodies.subtree_mass)},
    {"body_gravcomp", Kind::body, OURS(m.bodies.gravity_compensation)},
    {"body_pos", Kind::body, [](const Model& m) { return get_positions(m.bodies.pose); }},
    {"body_ipos", Kind::body, [](const Model& m) { return get_positions(m.bodies.inertial_pose); }},
    {"body_invweight0", Kind::body, OURS(m.bodies.inverse_weight)},
    {"jnt_type", Kind::joint, [](const Model& m) { return get_codes(m.joints.type); }},
    {"jnt_bodyid", Kind::joint, OURS(m.joints.body), 0, nullptr, true},
    {"jnt_qposadr", Kind::joint, OURS(m.joints.q_begin), 0, nullptr, true},
    {"jnt_dofadr", Kind::joint, OURS(m.joints.v_begin), 0, nullptr, true},
    {"jnt_pos", Kind::joint, OURS(m.joints.position)},
    {"jnt_axis", Kind::joint, &get_joint_axes},
    {"jnt_limited", Kind::joint, [](const Model& m) { return get_limited(m.joints.range); }},
    {"jnt_range", Kind::joint, OURS(m.joints.range), 0, "jnt_limited"},
    {"jnt_margin", Kind::joint, OURS(m.joints.margin)},
    {"jnt_stiffness", Kind::joint, OURS(m.joints.stiffness)},
    {"jnt_stiffnesspoly", Kind::joint, OURS(m.joints.stiffness_polynomial)},
    {"jnt_springyield", Kind::joint, OURS(m.joints.spring_yield)},
    {"jnt_actfrclimited", Kind::joint, [](const Model& m) { return get_limited(m.joints.actuator_force_range); }},
    {"jnt_actfrcrange", Kind::joint, OURS(m.joints.actuator_force_range), 0, "jnt_actfrclimited"},
    {"jnt_actgravcomp", Kind::joint, OURS(m.joints.gravity_compensation_by_actuator)},
    {"jnt_solref", Kind::joint,
     [](const Model& m) { return get_impedance(m.joints.limit_softness, &Impedance::solref); }, 0, "jnt_limited"},
    {"jnt_solimp", Kind::joint,
     [](const Model& m) { return get_impedance(m.joints.limit_softness, &Impedance::solimp); }, 0, "jnt_limited"},
    {"dof_armature", Kind::dof, OURS(m.dofs.armature)},
    {"dof_damping", Kind::dof, OURS(m.dofs.damping)},
    {"dof_dampingpoly", Kind::dof, OURS(m.dofs.damping_polynomial)},
    {"dof_frictionloss", Kind::dof, OURS(m.dofs.dry_friction)},
    {"dof_M0", Kind::dof, OURS(m.dofs.inertia)},
    {"dof_invweight0", Kind::dof, OURS(m.dofs.inverse_weight)},
    {"site_bodyid", Kind::site, OURS(m.sites.body), 0, nullptr, true},
    {"site_pos", Kind::site, [](const Model& m) { return get_positions(m.sites.pose); }},
    {"tendon_stiffness", Kind::tendon, OURS(m.tendons.stiffness)},
    {"tendon_damping", Kind::tendon, OURS(m.tendons.damping)},
    {"tendon_stiffnesspoly", Kind::tendon, OURS(m.tendons.stiffness_polynomial)},
    {"tendon_dampingpoly", Kind::tendon, OURS(m.tendons.damping_polynomial)},
    {"tendon_springyield", Kind::tendon, OURS(m.tendons.spring_yield)},
    {"tendon_armature", Kind::tendon, OURS(m.tendons.armature)},
    {"tendon_frictionloss", Kind::tendon, OURS(m.tendons.dry_friction)},
    {"tendon_margin", Kind::tendon, OURS(m.tendons.margin)},
    {"tendon_limited", Kind::tendon, [](const Model& m) { return get_limited(m.tendons.range); }},
    {"tendon_range", Kind::tendon, OURS(m.tendons.range), 0, "tendon_limited"},
    {"tendon_actfrclimited", Kind::tendon, [](const Model& m) { return get_limited(m.tendons.actuator_force_range); }},
    {"tendon_actfrcrange", Kind::tendon, OURS(m.tendons.actuator_force_range), 0, "tendon_actfrclimited"},
    {"tendon_lengthspring", Kind::tendon, OURS(m.tendons.spring_length)},
    {"tendon_length0", Kind::tendon, OURS(m.tendons.length)},
    {"tendon_invweight0", Kind::tendon, OURS(m.tendons.inverse_weight)},
    {"actuator_gear", Kind::actuator, OURS(m.actuators.gear), 0, nullptr, false, true},
    {"actuator_gainprm", Kind::actuator, OURS(m.actuators.gain), 1, nullptr, false, true},
    {"actuator_gainprm", Kind::actuator, OURS(m.actuators.gain), 3, "actuator_gaintype", false, true},
    {"actuator_biasprm", Kind::actuator, OURS(m.actuators.bias), 3, "actuator_biastype", false, true},
    {"actuator_actadr", Kind::actuator, OURS(m.actuators.act_begin)},
    {"actuator_dyntype", Kind::actuator, [](const Model& m) { return get_codes(m.actuators.dynamics); }, 0, nullptr,
     false, true},
    {"actuator_dynprm", Kind::actuator, OURS(m.actuators.time_constant), 1, "actuator_dyntype", false, true},
    {"actuator_ctrllimited", Kind::actuator, [](const Model& m) { return get_limited(m.actuators.input_range); }},
    {"actuator_ctrlrange", Kind::actuator, OURS(m.actuators.input_range), 0, "actuator_ctrllimited"},
    {"actuator_forcelimited", Kind::actuator, [](const Model& m) { return get_limited(m.actuators.force_range); }},
    {"actuator_forcerange", Kind::actuator, OURS(m.actuators.force_range), 0, "actuator_forcelimited"},
    {"actuator_actlimited", Kind::actuator, [](const Model& m) { return get_limited(m.actuators.act_range); }},
    {"actuator_actrange", Kind::actuator, OURS(m.actuators.act_range), 0, "actuator_actlimited"},
    {"actuator_actearly", Kind::actuator, OURS(m.actuators.act_early)},
};

const FieldRow kSurfaceFields[] = {
    {"geom_bodyid", Kind::geom, OURS(m.shapes.body)},
    {"geom_contype", Kind::geom, OURS(m.shapes.category)},
    {"geom_conaffinity", Kind::geom, OURS(m.shapes.mask)},
    {"geom_margin", Kind::geom, OURS(m.shapes.margin)},
    {"geom_gap", Kind::geom, OURS(m.shapes.gap)},
    {"geom_condim", Kind::geom,
     [](const Model& m) { return get_surface<int>(m, [](const MaterialOptions& x) { return x.dimension; }); }},
    {"geom_priority", Kind::geom,
     [](const Model& m) { return get_surface<int>(m, [](const MaterialOptions& x) { return x.priority; }); }},
    {"geom_solmix", Kind::geom,
     [](const Model& m) { return get_surface<double>(m, [](const MaterialOptions& x) { return x.solmix; }); }},
    {"geom_friction", Kind::geom,
     [](const Model& m)
     {
         return get_surface<Vec3>(
             m, [](const MaterialOptions& x) { return Vec3{x.friction, x.spinning_friction, x.rolling_friction}; });
     }},
    {"geom_solref", Kind::geom, [](const Model& m) { return get_surface_impedance(m, true); }},
    {"geom_solimp", Kind::geom, [](const Model& m) { return get_surface_impedance(m, false); }},
    {"eq_type", Kind::equality, [](const Model& m) { return get_codes(m.equalities.type); }},
    {"eq_active0", Kind::equality, OURS(m.equalities.active)},
    {"eq_solref", Kind::equality,
     [](const Model& m) { return get_impedance(m.equalities.softness, &Impedance::solref); }},
    {"eq_solimp", Kind::equality,
     [](const Model& m) { return get_impedance(m.equalities.softness, &Impedance::solimp); }},
};
#undef OURS

/// Our actuators that stand for one of MuJoCo's: of several with inputs of their own the first.
std::vector<std::size_t> find_leading_actuators(const Model& model)
{
    const Actuators& actuators = model.actuators;
    std::vector<std::size_t> leading;
    for (std::size_t i = 0; i < actuators.gain_law.size(); ++i)
    {
        const ActuatorLaw law = actuators.gain_law[i];
        const bool follows = law == ActuatorLaw::orientation && actuators.inputs[i] == 0;
        if (law != ActuatorLaw::input && !follows) leading.push_back(i);
    }
    return leading;
}

/// Laws with parameters of their own: their forces are compared instead of these fields.
bool is_usual(const Model& model, std::size_t actuator)
{
    const auto plain = [&](ActuatorLaw law) { return law == ActuatorLaw::affine; };
    return plain(model.actuators.gain_law[actuator]) && plain(model.actuators.bias_law[actuator]);
}

struct SizeRow
{
    const char* size;
    int (*ours)(const Model& model);
};
const SizeRow kSizes[] = {
    {"nq", [](const Model& m) { return m.q_count(); }},
    {"nv", [](const Model& m) { return m.v_count(); }},
    {"nu", [](const Model& m) { return m.actuator_count(); }},
    {"na",
     [](const Model& m)
     {
         // What delayed actuators remember stands behind the activations.
         int count = m.act_count;
         for (const int begin : m.actuators.history_begin) count = begin >= 0 ? std::min(count, begin) : count;
         return count;
     }},
    {"nbody", [](const Model& m) { return m.body_count(); }},
    {"njnt", [](const Model& m) { return m.joint_count(); }},
    {"ngeom", [](const Model& m) { return m.shape_count(); }},
    {"nsite", [](const Model& m) { return m.site_count(); }},
    {"ntendon", [](const Model& m) { return m.tendon_count(); }},
    {"neq", [](const Model& m) { return m.equality_count(); }},
    {"nmocap", [](const Model& m) { return m.kinematic_count; }},
    {"nkey", [](const Model& m) { return static_cast<int>(m.keyframes.size()); }},
    {"nexclude", [](const Model& m) { return static_cast<int>(m.excluded_bodies.size()); }},
};

struct NameRow
{
    const char* kind;
    const std::vector<std::string>& (*ours)(const Model& model);
};
const NameRow kNames[] = {
    {"body", [](const Model& m) -> const std::vector<std::string>& { return m.bodies.name; }},
    {"joint", [](const Model& m) -> const std::vector<std::string>& { return m.joints.name; }},
    {"geom", [](const Model& m) -> const std::vector<std::string>& { return m.shapes.name; }},
    {"site", [](const Model& m) -> const std::vector<std::string>& { return m.sites.name; }},
    {"tendon", [](const Model& m) -> const std::vector<std::string>& { return m.tendons.name; }},
    {"actuator", [](const Model& m) -> const std::vector<std::string>& { return m.actuators.name; }},
    {"equality", [](const Model& m) -> const std::vector<std::string>& { return m.equalities.name; }},
};

const std::vector<int>* find_places(const Order& order, Kind kind)
{
    switch (kind)
    {
        case Kind::q:
            return &order.q;
        case Kind::body:
            return &order.body;
        case Kind::joint:
            return &order.joint;
        case Kind::dof:
            return &order.v;
        default:
            return nullptr;
    }
}

/// Puts our rows where MuJoCo has them.
Numbers arrange(const Numbers& ours, const std::vector<int>* places)
{
    return places == nullptr || places->empty() ? ours : lab::arrange(ours, *places, ours.size() / places->size());
}

/// Leaves the rows that count (whose switch is on), and of them the first columns.
Numbers select(const Numbers& values, std::size_t rows, std::size_t columns, const std::optional<Numbers>& switches)
{
    if (rows == 0) return {};
    Numbers chosen;
    const std::size_t width = values.size() / rows;
    for (std::size_t i = 0; i < values.size(); ++i)
    {
        const bool counts = !switches || (*switches)[i / width] != 0;
        if (counts && (columns == 0 || i % width < columns)) chosen.push_back(values[i]);
    }
    return chosen;
}

/// Fields of actuators that have a row for each input or each output: the first of each actuator.
Numbers take_first_of_each(std::string_view field, const Numbers& values, const lab::Oracle& oracle)
{
    const bool inputs = field.starts_with("actuator_ctrl"), outputs = field == "actuator_gear";
    if (!inputs && !outputs) return values;
    const Numbers begin = oracle.field(inputs ? "actuator_ctrladr" : "actuator_outadr").value();
    const std::size_t width = values.size() / at(std::max(1, oracle.size(inputs ? "nu" : "nout")));
    Numbers chosen;
    for (const double row : begin)
    {
        // A motor without input has no row.
        const auto first = static_cast<std::size_t>(std::max(0.0, row)) * width;
        for (std::size_t k = 0; k < width; ++k) chosen.push_back(first + k < values.size() ? values[first + k] : 0);
    }
    return chosen;
}

/// Inertia and damping of drives: ours are added to the joints and tendons that they drive, MuJoCo keeps them apart.
void add_driven(const FieldRow& row, const lab::Oracle& oracle, Numbers& theirs)
{
    const std::string_view field = row.field;
    const bool damping = field == "dof_damping" || field == "tendon_damping";
    if (!damping && field != "dof_armature" && field != "tendon_armature") return;
    const auto read = [&](const char* name) { return oracle.field(name).value(); };
    const Numbers extra = read(damping ? "actuator_damping" : "actuator_armature"), kind = read("actuator_trntype"),
                  target = read("actuator_trnid"), gear = read("actuator_gear"), output = read("actuator_outadr"),
                  dof = read("jnt_dofadr");
    constexpr double kJointInParent = 1, kTendon = 3;  // mjtTrn
    for (std::size_t a = 0; a < extra.size(); ++a)
    {
        if (row.kind == Kind::dof ? kind[a] > kJointInParent : kind[a] != kTendon) continue;
        const auto id = static_cast<std::size_t>(target[2 * a]);
        const double ratio = gear[6 * static_cast<std::size_t>(output[a])];
        theirs[row.kind == Kind::dof ? static_cast<std::size_t>(dof[id]) : id] += ratio * ratio * extra[a];
    }
}

void expect_same_field(const FieldRow& row, const Model& model, const lab::Oracle& oracle, const Order& order)
{
    static constexpr std::array kCounts = {"nq",        "nbody", "njnt",  "nv", "ntendon",
                                           "nactuator", "nsite", "ngeom", "neq"};
    const std::optional<Numbers> theirs = oracle.field(row.field);
    ASSERT_TRUE(theirs.has_value()) << "MuJoCo has no field " << row.field;
    const auto rows = at(oracle.size(kCounts[static_cast<std::size_t>(row.kind)]));
    const auto columns = at(row.compared);
    const auto switches = row.switch_field == nullptr ? std::nullopt : oracle.field(row.switch_field);
    Numbers ours = arrange(row.ours(model), find_places(order, row.kind)), compared = *theirs;
    add_driven(row, oracle, compared);
    auto used = switches;
    if (row.kind == Kind::actuator && rows > 0)
    {
        // Of ours those that stand for one of MuJoCo's; of both those that the fields describe.
        const std::vector<std::size_t> leading = find_leading_actuators(model);
        ASSERT_EQ(leading.size(), rows) << row.field;
        compared = take_first_of_each(row.field, *theirs, oracle);
        const std::size_t width = ours.size() / model.actuators.gain_law.size();
        Numbers chosen, on = switches ? take_first_of_each(row.switch_field, *switches, oracle) : Numbers(rows, 1);
        for (std::size_t i = 0; i < rows; ++i)
        {
            const auto first = ours.begin() + static_cast<std::ptrdiff_t>(leading[i] * width);
            chosen.insert(chosen.end(), first, first + static_cast<std::ptrdiff_t>(width));
            if (row.law && !is_usual(model, leading[i])) on[i] = 0;
        }
        ours = chosen;
        used = on;
    }
    expect_near(select(ours, rows, columns, used), select(compared, rows, columns, used), row.field);
}

}  // namespace

void expect_same_sizes(const Model& model, const lab::Oracle& oracle)
{
    for (const SizeRow& row : kSizes) EXPECT_EQ(row.ours(model), oracle.size(row.size)) << row.size;
    // A pair that is written twice has two contacts in MuJoCo, and one here.
    std::set<std::pair<double, double>> pairs;
    const Numbers first = oracle.field("pair_geom1").value(), second = oracle.field("pair_geom2").value();
    for (std::size_t i = 0; i < first.size(); ++i) pairs.insert(std::minmax(first[i], second[i]));
    EXPECT_EQ(model.pairs.size(), pairs.size()) << "npair";
}

void expect_same_names(const Model& model, const lab::Oracle& oracle)
{
    for (const NameRow& row : kNames)
    {
        std::vector<std::string> ours = row.ours(model);
        const std::vector<std::string> theirs = oracle.names(row.kind);
        if (std::string_view(row.kind) == "actuator")
        {
            ours.clear();
            for (const std::size_t i : find_leading_actuators(model)) ours.push_back(row.ours(model)[i]);
        }
        ASSERT_EQ(ours.size(), theirs.size()) << row.kind;
        for (std::size_t i = 0; i < ours.size(); ++i)
        {
            if (theirs[i].empty()) continue;
            EXPECT_EQ(ours[i], theirs[i]) << row.kind << " " << i;
        }
    }
}

void expect_same_fields(const Model& model, const lab::Oracle& oracle, const Order& order)
{
    const bool same_order = std::ranges::is_sorted(order.body) && std::ranges::is_sorted(order.joint);
    const bool heavy_tendons = std::ranges::any_of(model.tendons.armature, [](double x) { return x != 0; });
    for (const FieldRow& row : kFields)
    {
        // MuJoCo takes this one diagonal before tendon inertia is added; its mean has it, as ours.
        if (heavy_tendons && std::string_view(row.field) == "dof_M0") continue;
        const bool other_sites = !same_order || oracle.size("nsite") != model.site_count();
        if ((row.indices && !same_order) || (row.kind == Kind::site && other_sites)) continue;
        expect_same_field(row, model, oracle, order);
    }
    const std::vector<int>* bodies = &order.body;
    expect_near(arrange(get_axes(get_rotations(model.bodies.pose)), bodies),
                get_axes(to_rotations(oracle.field("body_quat").value())), "body_quat");
    expect_near(
        arrange(get_inertias(to_numbers(model.bodies.inertia), get_rotations(model.bodies.inertial_pose)), bodies),
        get_inertias(oracle.field("body_inertia").value(), to_rotations(oracle.field("body_iquat").value())),
        "body_inertia in body axes");
    expect_near(std::array{model.settings.dt}, std::array{oracle.dt()}, "timestep");
    expect_near(std::array{model.mean_inertia}, std::array{oracle.mean_inertia()}, "meaninertia");
    expect_near(to_numbers(std::vector{model.settings.gravity}), to_numbers(std::vector{oracle.gravity()}), "gravity");
}

void expect_same_surfaces(const Model& model, const lab::Oracle& oracle)
{
    for (const FieldRow& row : kSurfaceFields) expect_same_field(row, model, oracle, Order::same(model));
}

void expect_same_keyframes(const Model& model, const lab::Oracle& oracle)
{
    const std::vector<std::string> names = oracle.names("key");
    ASSERT_EQ(model.keyframes.size(), names.size());
    const Numbers times = oracle.field("key_time").value();
    for (std::size_t k = 0; k < names.size(); ++k)
    {
        const Keyframe& key = model.keyframes[k];
        EXPECT_EQ(key.name, names[k].empty() ? key.name : names[k]);
        EXPECT_EQ(key.time, times[k]) << key.name;
        const auto compare = [&](const Numbers& ours, const char* field, const Numbers& standard)
        {
            const Numbers all = oracle.field(field).value();
            const std::size_t width = all.size() / names.size();
            const Numbers theirs(all.begin() + static_cast<long>(k * width),
                                 all.begin() + static_cast<long>((k + 1) * width));
            expect_near(ours.empty() ? standard : ours, theirs, std::string(field) + " of " + key.name);
        };
        compare(key.q, "key_qpos", model.q0);
        compare(key.v, "key_qvel", Numbers(at(model.v_count())));
        compare(key.act, "key_act", Numbers(at(model.act_count)));
        compare(key.ctrl, "key_ctrl", Numbers(at(model.actuator_count())));
    }
}

}  // namespace rattleback
