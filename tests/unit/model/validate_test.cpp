// Models that were changed by hand: whatever is spoilt, validate() names the array.
#include "unit/model/model_arrays.h"
#include "unit/model/rich_model.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <set>

namespace rattleback
{

namespace
{

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

bool names_array(const std::vector<Error>& errors, const std::string& array)
{
    return to_text(errors).find(array) != std::string::npos;
}

/// Where the fault shows if an array that others point into is too short.
std::string find_witness(const std::string& array)
{
    if (array == "materials") return "shapes.material";
    if (array == "height_fields") return "shapes.asset";
    if (array == "tracks") return "bodies.track";
    return array;
}

// What spoils an element; false where nothing of that type can.
bool spoil(double& x) { return x = kNaN, true; }
bool spoil(Vec3& x) { return x.y = kNaN, true; }
bool spoil(Pose& x) { return x.position.z = kNaN, true; }
bool spoil(Range& x) { return x = {true, 0, kNaN}, true; }
bool spoil(Softness& x) { return x = Spring{.stiffness = kNaN}, true; }
bool spoil(Cable& x) { return x.twist.damping = -1, true; }
template <class T, std::size_t N>
bool spoil(std::array<T, N>& x)
{
    if constexpr (std::is_integral_v<T>)
        x.back() = static_cast<T>(-1);
    else
        x.back() = static_cast<T>(kNaN);
    return true;
}
bool spoil(int& x) { return x = 1'000'000, true; }
bool spoil(MaterialOptions& x) { return x.friction = -1, true; }
bool spoil(MeshOptions& x) { return x.triangles[0][1] = 99, true; }
bool spoil(HeightFieldOptions& x) { return x.heights.pop_back(), true; }
bool spoil(TendonItem& x) { return x.site = x.joint = 55, true; }
bool spoil(Keyframe& x) { return x.v.pop_back(), true; }
bool spoil(ShapePair& x) { return x.second = 55, true; }
bool spoil(Track& x) { return x.times.pop_back(), true; }
bool spoil(std::pair<int, int>& x) { return x.second = -2, true; }
template <class T>
    requires std::is_enum_v<T>
bool spoil(T& x)
{
    return x = static_cast<T>(99), true;
}
bool spoil(std::string&) { return false; }    // any name will do
bool spoil(std::uint32_t&) { return false; }  // and any bits

/// Arrays of numbers that may be anything.
bool is_free(const std::string& array)
{
    return array == "joints.gravity_compensation_by_actuator" || array == "shapes.group" || array == "shapes.fluid" ||
           array == "equalities.active" || array == "actuators.active" || array == "actuators.act_early";
}

}  // namespace

TEST(Validate, finds_nothing_wrong_with_what_build_made)
{
    EXPECT_EQ(to_text(validate(make_rich_builder().build().value())), "");
    EXPECT_EQ(to_text(validate(ModelBuilder().build().value())), "");
}

TEST(Validate, every_array_that_is_one_too_short_is_named)
{
    const Model good = make_rich_builder().build().value();
    // nothing points into these, and nothing else is as long
    const std::set<std::string> independent = {"pairs", "excluded_bodies"};
    Model model = good;
    std::vector<std::string> arrays;
    visit_arrays(model, [&](const std::string& name, auto&) { arrays.push_back(name); });
    EXPECT_GT(arrays.size(), 120U);
    for (const std::string& array : arrays)
    {
        Model shortened = good;
        bool was_empty = false;
        visit_arrays(shortened,
                     [&](const std::string& name, auto& items)
                     {
                         if (name != array) return;
                         was_empty = items.empty();
                         if (!was_empty) items.pop_back();
                     });
        ASSERT_FALSE(was_empty) << array << ": the rich model should have one";
        const std::vector<Error> errors = validate(shortened);
        if (independent.contains(array))
            EXPECT_TRUE(errors.empty()) << array << ": " << to_text(errors);
        else
            EXPECT_TRUE(names_array(errors, find_witness(array))) << array << ": " << to_text(errors);
    }
}

TEST(Validate, a_model_without_the_hulls_of_its_meshes_is_refused)
{
    Model model = make_rich_builder().build().value();
    model.hulls = {};
    EXPECT_TRUE(names_array(validate(model), "hulls"));
}

TEST(Validate, every_element_that_is_not_a_number_or_points_nowhere_is_named_with_its_index)
{
    const Model good = make_rich_builder().build().value();
    int spoilt_count = 0;
    Model plan = good;
    std::vector<std::pair<std::string, std::size_t>> elements;
    visit_arrays(plan,
                 [&](const std::string& name, auto& items)
                 {
                     for (std::size_t i = 0; i < items.size(); ++i) elements.emplace_back(name, i);
                 });
    for (const auto& [array, i] : elements)
    {
        if (is_free(array)) continue;
        Model spoilt = good;
        bool changed = false;
        visit_arrays(spoilt,
                     [&](const std::string& name, auto& items)
                     {
                         if (name == array) changed = spoil(items[i]);
                     });
        const std::vector<Error> errors = validate(spoilt);
        EXPECT_EQ(errors.empty(), !changed) << array << "[" << i << "]";
        if (!changed) continue;
        ++spoilt_count;
        EXPECT_TRUE(names_array(errors, array)) << array << "[" << i << "]: " << to_text(errors);
    }
    EXPECT_GT(spoilt_count, 300);
}

TEST(Validate, numbers_of_the_wrong_sign_or_length_are_named)
{
    const Model good = make_rich_builder().build().value();
    const std::pair<const char*, std::function<void(Model&)>> edits[] = {
        {"bodies.mass[1]", [](Model& m) { m.bodies.mass[1] = -1; }},
        {"bodies.mass[1]", [](Model& m) { m.bodies.mass[1] = 0; }},
        {"bodies.inertia[2]", [](Model& m) { m.bodies.inertia[2].z = -1e-9; }},
        {"bodies.pose[1]", [](Model& m) { m.bodies.pose[1].rotation = {2, 0, 0, 0}; }},
        {"bodies.parent[2]", [](Model& m) { m.bodies.parent[2] = 3; }},
        {"joints.axis[0]", [](Model& m) { m.joints.axis[0] = {}; }},
        {"joints.spring_yield[0]", [](Model& m) { m.joints.spring_yield[0] = -1; }},
        {"joints.break_force[0]", [](Model& m) { m.joints.break_force[0] = -1; }},
        {"dofs.inertia[0]", [](Model& m) { m.dofs.inertia[0] = -1; }},
        {"dofs.inverse_weight[1]", [](Model& m) { m.dofs.inverse_weight[1] = -1; }},
        {"shapes.size[2]", [](Model& m) { m.shapes.size[2].x = 0; }},
        {"actuators.time_constant[0]", [](Model& m) { m.actuators.time_constant[0] = 0; }},
        {"materials[0]", [](Model& m) { m.materials[0].restitution = 2; }},
        {"settings", [](Model& m) { m.settings.gravity.x = kNaN; }},
        {"settings", [](Model& m) { m.settings.dt = 0; }},
        {"initial_q[", [](Model& m) { std::fill(m.initial_q.begin(), m.initial_q.end(), 0.0); }},
        {"mean_inertia", [](Model& m) { m.mean_inertia = kNaN; }},
        {"act_count", [](Model& m) { ++m.act_count; }},
        {"kinematic_count", [](Model& m) { m.kinematic_count = 0; }},
        {"sensor_value_count", [](Model& m) { ++m.sensor_value_count; }},
        {"bodies.parent", [](Model& m) { m = {}; }},
    };
    for (const auto& [place, edit] : edits)
    {
        Model model = good;
        edit(model);
        EXPECT_TRUE(names_array(validate(model), place)) << place << ": " << to_text(validate(model));
    }
    Model heavier = good;
    heavier.bodies.mass[1] *= 2;
    heavier.joints.range[0] = {true, -2, 2};
    EXPECT_EQ(to_text(validate(heavier)), "") << "sensible edits are fine";
}

}  // namespace rattleback
