// The table of docs/sensors.md: what each kind of sensor reads with each solver.
#include "support/source_folder.h"

#include <rattleback/solver.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>

namespace rattleback
{
namespace
{

constexpr const char* kBegin = "<!-- table: begin -->\n";
constexpr const char* kEnd = "<!-- table: end -->";

bool is_mean(SensorType type)
{
    return type == SensorType::accelerometer || type == SensorType::linear_acceleration ||
           type == SensorType::angular_acceleration || type == SensorType::force || type == SensorType::torque;
}
bool is_contact(SensorType type)
{
    return type == SensorType::touch || type == SensorType::contact_force || type == SensorType::contact ||
           type == SensorType::tactile;
}
bool is_limit(SensorType type)
{
    return type == SensorType::joint_limit_force || type == SensorType::tendon_limit_force;
}

/// A letter of the page's legend.
std::string find_cell(SensorType type, const SolverInfo& info)
{
    const auto supports = [&](Feature feature)
    { return std::find(info.supports.begin(), info.supports.end(), feature) != info.supports.end(); };
    const bool needs_tendon = type >= SensorType::tendon_position && type <= SensorType::tendon_velocity;
    const bool on_tendon = needs_tendon || type == SensorType::tendon_actuator_force ||
                           (type >= SensorType::tendon_limit_position && type <= SensorType::tendon_limit_force);
    const bool on_actuator = type >= SensorType::actuator_position && type <= SensorType::tendon_actuator_force;
    const bool on_hinge = type == SensorType::joint_position || type == SensorType::joint_velocity ||
                          type == SensorType::joint_actuator_force ||
                          (type >= SensorType::joint_limit_position && type <= SensorType::joint_limit_force);
    const bool on_ball = type == SensorType::ball_rotation || type == SensorType::ball_velocity;
    if (type == SensorType::user) return "0";
    // What the solver refuses in a model has no sensor either.
    if (on_tendon && !supports(Feature::tendon)) return "r";
    if (on_actuator && !supports(Feature::actuator)) return "r";
    if (on_hinge && !supports(Feature::hinge_joint)) return "r";
    if (on_ball && !supports(Feature::ball_joint)) return "r";
    if (is_contact(type)) return supports(Feature::contact) ? (info.solves_forward ? "x" : "s") : "c";
    if (is_limit(type)) return !supports(Feature::limits) ? "r" : info.solves_forward ? "x" : "s";
    if (is_mean(type)) return info.solves_forward ? "x" : "m";
    return "x";
}

std::string make_table()
{
    std::string table = "| sensor |", rule = "|---|";
    for (const SolverInfo* info : all_solvers())
    {
        table += " `" + std::string(info->name) + "` |";
        rule += "---|";
    }
    table += "\n" + rule + "\n";
    for (int i = 0; i < kSensorTypeCount; ++i)
    {
        const auto type = static_cast<SensorType>(i);
        table += "| `" + std::string(to_string(type)) + "` |";
        for (const SolverInfo* info : all_solvers()) table += " " + find_cell(type, *info) + " |";
        table += "\n";
    }
    return table;
}

/// With RATTLEBACK_UPDATE_DOCS set the page is rewritten instead.
TEST(SensorTable, the_documented_table_is_what_the_solvers_say)
{
    const std::string path = source_folder() / "docs/sensors.md";
    std::ifstream file(path);
    const std::string page{std::istreambuf_iterator<char>(file), {}};
    const std::size_t begin = page.find(kBegin), end = page.find(kEnd);
    ASSERT_TRUE(begin != page.npos && end != page.npos);
    const std::size_t first = begin + std::string(kBegin).size();
    const std::string table = make_table();
    // Every letter that stands in a cell is explained.
    for (const char* letter : {"x", "m", "s", "r", "c", "0"})
        EXPECT_EQ(table.find(std::string(" ") + letter + " |") != table.npos,
                  page.find(std::string("- **") + letter + "**") != page.npos)
            << letter;
    if (std::getenv("RATTLEBACK_UPDATE_DOCS"))
        std::ofstream(path) << page.substr(0, first) << table << page.substr(end);
    else
        EXPECT_EQ(page.substr(first, end - first), table)
            << "run this test with RATTLEBACK_UPDATE_DOCS=1 to write the table";
}

}  // namespace
}  // namespace rattleback
