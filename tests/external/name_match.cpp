// Comparing sizes and names of a Model with MuJoCo's.
#include "external/field_match.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

namespace rattleback
{
namespace
{

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
         // What delayed actuators remember, and by how much springs have yielded, stands behind the activations.
         int count = m.act_count;
         for (const auto* list : {&m.actuators.history_begin, &m.joints.plastic_begin, &m.tendons.plastic_begin})
             for (const int begin : *list) count = begin >= 0 ? std::min(count, begin) : count;
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

}  // namespace

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

void expect_same_sizes(const Model& model, const lab::Oracle& oracle)
{
    for (const SizeRow& row : kSizes) EXPECT_EQ(row.ours(model), oracle.size(row.size)) << row.size;
    // A pair that is written twice has two contacts in MuJoCo, and one here.
    std::set<std::pair<double, double>> pairs;
    const std::vector<double> first = oracle.field("pair_geom1").value(), second = oracle.field("pair_geom2").value();
    // One between geoms of one body does nothing.
    const std::vector<double> body = oracle.field("geom_bodyid").value();
    for (std::size_t i = 0; i < first.size(); ++i)
        if (body[static_cast<std::size_t>(first[i])] != body[static_cast<std::size_t>(second[i])])
            pairs.insert(std::minmax(first[i], second[i]));
    EXPECT_EQ(model.pairs.size(), pairs.size()) << "npair";
    // An exclusion that is written twice counts once, and one of a body with itself not at all.
    std::set<double> excluded;
    const std::vector<double> signatures = oracle.field("exclude_signature").value();
    for (const double signature : signatures)
        if (std::floor(signature / 65536) != std::fmod(signature, 65536)) excluded.insert(signature);
    EXPECT_EQ(model.excluded_bodies.size(), excluded.size()) << "nexclude";
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

}  // namespace rattleback
