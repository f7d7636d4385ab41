// The fingerprint changes with every single number, name and size of a model.
#include <gtest/gtest.h>

#include <bit>

#include "model/fields/tables.h"
#include "unit/model/rich_model.h"

namespace rattleback
{
namespace
{

/// Walks over every leaf (number, name, size of a list) of a model and changes the one with the wanted number. Lists
/// are changed in their size, their first and their last element.
class Changer
{
public:
    explicit Changer(int wanted) : wanted_(wanted) {}

    /// Leaves that were passed, changed or not.
    int count() const { return count_; }

    void walk(Model& x)
    {
        auto& [name, settings, bodies, joints, dofs, shapes, materials, meshes, hulls, height_fields, surfaces, sites,
               equalities, tendons, actuators, sensors, keyframes, pairs, excluded_bodies, tracks, q0, initial_q,
               initial_v, spring_q, mean_inertia, level_begin, level_bodies, appearance, act_count, kinematic_count,
               sensor_value_count, name_index] = x;
        // Hulls and surfaces follow from meshes, fields and shapes: they add nothing. Appearance has its own test.
        all(name, settings, bodies, joints, dofs, shapes, materials, meshes, height_fields, sites, equalities, tendons,
            actuators, sensors, keyframes, pairs, excluded_bodies, tracks, q0, initial_q, initial_v, spring_q,
            mean_inertia, level_begin, level_bodies, act_count, kinematic_count, sensor_value_count, name_index);
    }

private:
    bool hit() { return count_++ == wanted_; }
    template <class... T>
    void all(T&... parts)
    {
        (walk(parts), ...);
    }

    void walk(double& x)
    {
        if (hit()) x = std::bit_cast<double>(std::bit_cast<std::uint64_t>(x) ^ 1);
    }
    void walk(float& x)
    {
        if (hit()) x += 0.5F;
    }
    void walk(bool& x)
    {
        if (hit()) x = !x;
    }
    template <class T>
        requires std::is_integral_v<T>
    void walk(T& x)
    {
        if (hit()) x ^= 1;
    }
    template <class T>
        requires std::is_enum_v<T>
    void walk(T& x)
    {
        if (hit()) x = static_cast<T>(static_cast<int>(x) ^ 1);
    }
    void walk(std::string& x)
    {
        if (hit()) x += 'x';
    }
    template <class T>
    void walk(std::vector<T>& x)
    {
        if (!x.empty()) walk(x.front());
        if (x.size() > 1) walk(x.back());
        if (hit()) x.emplace_back();
    }
    template <class T, std::size_t N>
    void walk(std::array<T, N>& x)
    {
        for (T& item : x) walk(item);
    }
    template <class A, class B>
    void walk(std::pair<A, B>& x)
    {
        all(x.first, x.second);
    }
    template <class V>
    void walk(std::map<std::string, V, std::less<>>& x)
    {
        for (auto& entry : x) walk(entry.second);
        if (hit()) x["x"] = {};
    }
    template <TableOfModel T>
    void walk(T& x)
    {
        each_array(x, [this](const auto&, auto& array) { walk(array); });
    }
    template <class... T>
    void walk(std::variant<T...>& x)
    {
        std::visit([this](auto& item) { walk(item); }, x);
        if (hit()) x.template emplace<1>();
    }

    void walk(Vec3& x) { all(x.x, x.y, x.z); }
    void walk(Quat& x) { all(x.w, x.x, x.y, x.z); }
    void walk(Pose& x) { all(x.position, x.rotation); }
    void walk(Range& x) { all(x.limited, x.lower, x.upper); }
    void walk(Rigid&) {}
    void walk(Spring& x) { all(x.stiffness, x.damping); }
    void walk(Impedance& x) { all(x.solref, x.solimp); }
    void walk(Medium& x) { all(x.density, x.viscosity, x.wind); }
    void walk(Settings& x) { all(x.dt, x.gravity, x.integrator, x.solver, x.solver_parameters, x.medium); }
    void walk(MaterialOptions& x)
    {
        auto& [a, b, c, d, e, f, g, h, i, j] = x;
        all(a, b, c, d, e, f, g, h, i, j);
    }
    void walk(MeshOptions& x) { all(x.name, x.vertices, x.triangles, x.edges); }
    void walk(HeightFieldOptions& x)
    {
        auto& [a, b, c, d, e, f, g] = x;
        all(a, b, c, d, e, f, g);
    }
    void walk(Cable& x) { all(x.stretch, x.shear, x.bend, x.twist); }
    void walk(TendonItem& x) { all(x.joint, x.site, x.value, x.shape, x.side_site); }
    void walk(Keyframe& x) { all(x.name, x.time, x.q, x.v, x.act, x.ctrl, x.targets); }
    void walk(ShapePair& x)
    {
        all(x.first, x.second, x.material, x.margin, x.gap, x.second_friction, x.friction_solref);
    }
    void walk(Track& x) { all(x.times, x.poses); }
    void walk(Model::NameIndex& x)
    {
        auto& [a, b, c, d, e, f, g, h] = x;
        all(a, b, c, d, e, f, g, h);
    }

    int wanted_;
    int count_ = 0;
};

TEST(Fingerprint, changes_with_every_number_name_and_size)
{
    const Model model = make_rich_builder().build().value();
    const std::uint64_t original = fingerprint(model);
    Model untouched = model;
    Changer counter(-1);
    counter.walk(untouched);
    EXPECT_EQ(fingerprint(untouched), original);
    ASSERT_GT(counter.count(), 500);
    for (int leaf = 0; leaf < counter.count(); ++leaf)
    {
        Model changed = model;
        Changer(leaf).walk(changed);
        EXPECT_NE(fingerprint(changed), original) << "leaf " << leaf;
    }
}

TEST(Fingerprint, is_equal_for_models_that_were_built_alike)
{
    EXPECT_EQ(fingerprint(make_rich_builder().build().value()), fingerprint(make_rich_builder().build().value()));
}

TEST(Fingerprint, tells_apart_the_same_names_split_differently)
{
    const auto build = [](const char* first, const char* second)
    {
        ModelBuilder builder;
        builder.add_site(kWorld, {.name = first});
        builder.add_site(kWorld, {.name = second});
        Model model = builder.build().value();
        model.name_index = {};
        return fingerprint(model);
    };
    EXPECT_NE(build("ab", "c"), build("a", "bc"));
}

TEST(Find, every_element_is_found_by_its_name_and_nothing_else_is)
{
    const Model model = make_rich_builder().build().value();
    for (int i = 0; i < model.body_count(); ++i)
        EXPECT_EQ(model.find_body(model.bodies.name[static_cast<std::size_t>(i)]), BodyId{i});
    for (int i = 0; i < model.joint_count(); ++i)
        EXPECT_EQ(model.find_joint(model.joints.name[static_cast<std::size_t>(i)]), JointId{i});
    for (int i = 0; i < model.shape_count(); ++i)
        EXPECT_EQ(model.find_shape(model.shapes.name[static_cast<std::size_t>(i)]), ShapeId{i});
    EXPECT_EQ(model.find_site("base"), SiteId{1});
    EXPECT_EQ(model.find_tendon("sum"), TendonId{1});
    EXPECT_EQ(model.find_actuator("servo"), ActuatorId{1});
    EXPECT_EQ(model.find_sensor("grip_gyro"), SensorId{1});
    EXPECT_EQ(model.find_keyframe("start"), KeyframeId{0});

    EXPECT_FALSE(model.find_body("bo"));
    EXPECT_FALSE(model.find_body("boxx"));
    EXPECT_FALSE(model.find_body(""));
    EXPECT_FALSE(model.find_joint("box")) << "names are per kind";
    EXPECT_FALSE(model.find_keyframe("zzz"));
    EXPECT_FALSE(Model().find_site("grip")) << "an empty model has no names";
}

}  // namespace
}  // namespace rattleback
