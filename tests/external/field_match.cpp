// The loops over the table of fields that a Model shares with MuJoCo's mjModel.
#include "external/field_match.h"

#include "base/index.h"
#include "external/field_table.h"

#include <algorithm>
#include <array>

namespace rattleback
{
namespace
{

using Numbers = std::vector<double>;

/// Laws with parameters of their own: their forces are compared instead of these fields.
bool is_usual(const Model& model, std::size_t actuator)
{
    const auto plain = [&](ActuatorLaw law) { return law == ActuatorLaw::affine; };
    return plain(model.actuators.gain_law[actuator]) && plain(model.actuators.bias_law[actuator]);
}

const std::vector<int>* find_places(const Order& order, FieldKind kind)
{
    switch (kind)
    {
        case FieldKind::q:
            return &order.q;
        case FieldKind::body:
            return &order.body;
        case FieldKind::joint:
            return &order.joint;
        case FieldKind::dof:
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

/// Numbers that MuJoCo keeps as they are written, as its functions take them.
void count_as_read(std::string_view field, Numbers& values)
{
    const auto least = [&](double bound, double taken)
    {
        for (double& x : values) x = x < bound ? taken : x;
    };
    if (field == "geom_friction") least(0, 1e-5);         // mjMINMU
    if (field == "actuator_dynprm") least(1e-15, 1e-15);  // mjMINVAL
    if (field == "geom_contype" || field == "geom_conaffinity")
        for (double& x : values) x = x < 0 ? x + 4294967296.0 : x;  // bits
    // Counted only where some body has more than none.
    if (field == "body_gravcomp" && std::ranges::none_of(values, [](double x) { return x > 0; })) least(0, 0);
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
        if (row.kind == FieldKind::dof ? kind[a] > kJointInParent : kind[a] != kTendon) continue;
        const auto id = static_cast<std::size_t>(target[2 * a]);
        const double ratio = gear[6 * static_cast<std::size_t>(output[a])];
        theirs[row.kind == FieldKind::dof ? static_cast<std::size_t>(dof[id]) : id] += ratio * ratio * extra[a];
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
    if (row.kind == FieldKind::actuator && rows > 0)
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
    count_as_read(row.field, compared);
    expect_near(select(ours, rows, columns, used), select(compared, rows, columns, used), row.field);
}

}  // namespace

void expect_same_fields(const Model& model, const lab::Oracle& oracle, const Order& order)
{
    const bool same_order = std::ranges::is_sorted(order.body) && std::ranges::is_sorted(order.joint);
    const bool heavy_tendons = std::ranges::any_of(model.tendons.armature, [](double x) { return x != 0; });
    for (const FieldRow& row : list_fields())
    {
        // MuJoCo takes this one diagonal before tendon inertia is added; its mean has it, as ours.
        if (heavy_tendons && std::string_view(row.field) == "dof_M0") continue;
        const bool other_sites = !same_order || oracle.size("nsite") != model.site_count();
        if ((row.indices && !same_order) || (row.kind == FieldKind::site && other_sites)) continue;
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
    for (const FieldRow& row : list_surface_fields()) expect_same_field(row, model, oracle, Order::same(model));
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
            // Behind the activations stands what keyframes do not say.
            Numbers said = ours.empty() ? standard : ours;
            if (field == std::string_view("key_act")) said.resize(theirs.size());
            expect_near(said, theirs, std::string(field) + " of " + key.name);
        };
        compare(key.q, "key_qpos", model.q0);
        compare(key.v, "key_qvel", Numbers(at(model.v_count())));
        compare(key.act, "key_act", Numbers(at(model.act_count)));
        compare(key.ctrl, "key_ctrl", Numbers(at(model.actuator_count())));
    }
}

}  // namespace rattleback
