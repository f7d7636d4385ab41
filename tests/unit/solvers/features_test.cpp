// Features that a model uses, and the refusal of those that a solver lacks.
#include "support/source_folder.h"

#include <rattleback/builder.h>
#include <rattleback/solver.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <sstream>

namespace rattleback
{

namespace
{

const Inertia kUnit{.mass = 1, .diagonal = {1, 1, 1}};

/// One hinged body, mended by the caller.
struct Arm
{
    ModelBuilder builder;
    BodyId body = builder.add_body({.name = "arm", .inertia = kUnit});

    explicit Arm(JointOptions options = {})
    {
        options.name = "hinge";
        builder.add_joint(body, options);
    }
    std::vector<FeatureUse> features() const { return features_used(builder.build().value()); }
};

std::string element_of(const std::vector<FeatureUse>& uses, Feature feature)
{
    const auto found =
        std::find_if(uses.begin(), uses.end(), [&](const FeatureUse& use) { return use.feature == feature; });
    return found == uses.end() ? "" : found->element;
}

SolverInfo make_info(std::vector<Feature> supports)
{
    SolverInfo info{.name = "toy", .supports = std::move(supports)};
    info.parameters = {{.name = "ignore", .default_value = std::string()}};
    info.ignored = [](const Parameters& parameters) -> Result<std::vector<Feature>>
    {
        const std::string& text = std::get<std::string>(parameters.at("ignore"));
        std::vector<Feature> features;
        for (const Feature feature : {Feature::contact, Feature::limits})
        {
            if (text.find(to_string(feature)) != std::string::npos) features.push_back(feature);
        }
        return features;
    };
    return info;
}

Model make_floor_and_ball()
{
    ModelBuilder builder;
    builder.add_ground({.name = "floor"});
    builder.add_shape(builder.add_body({.name = "ball"}), Sphere{}, {.name = "rubber"});
    return builder.build().value();
}

}  // namespace

TEST(Features, a_plain_hinge_uses_the_hinge_alone)
{
    const std::vector<FeatureUse> uses = Arm().features();
    ASSERT_EQ(uses.size(), 1U);
    EXPECT_EQ(uses[0].feature, Feature::hinge_joint);
    EXPECT_EQ(uses[0].element, "joint 'hinge'");
}

TEST(Features, each_option_of_a_joint_is_its_own_feature)
{
    const auto uses = [](const JointOptions& options) { return Arm(options).features(); };
    EXPECT_EQ(element_of(uses({.range = {true, -1, 1}}), Feature::limits), "joint 'hinge'");
    EXPECT_EQ(element_of(uses({.stiffness = 2}), Feature::springs), "joint 'hinge'");
    EXPECT_EQ(element_of(uses({.damping = 2}), Feature::damping), "joint 'hinge'");
    EXPECT_EQ(element_of(uses({.armature = 2}), Feature::armature), "joint 'hinge'");
    EXPECT_EQ(element_of(uses({.dry_friction = 2}), Feature::dry_friction), "joint 'hinge'");
    EXPECT_EQ(element_of(uses({.break_force = 100}), Feature::breakable), "joint 'hinge'");
    EXPECT_EQ(element_of(uses({.type = JointType::slide}), Feature::slide_joint), "joint 'hinge'");
    EXPECT_EQ(element_of(uses({.type = JointType::ball}), Feature::ball_joint), "joint 'hinge'");
    for (const FeatureUse& use : uses({.damping = 2})) EXPECT_NE(use.feature, Feature::springs);
}

TEST(Features, tendons_bring_their_limits_springs_damping_and_friction)
{
    Arm arm;
    const JointId joint = arm.builder.add_joint(arm.body, {.name = "slide", .type = JointType::slide});
    arm.builder.add_fixed_tendon(
        {{joint, 1.0}},
        {.name = "rope", .range = {true, 0, 1}, .stiffness = 1, .damping = 1, .dry_friction = 1, .armature = 1});
    const std::vector<FeatureUse> uses = arm.features();
    for (const Feature feature : {Feature::tendon, Feature::limits, Feature::springs, Feature::damping,
                                  Feature::dry_friction, Feature::armature})
    {
        EXPECT_EQ(element_of(uses, feature), "tendon 'rope'") << to_string(feature);
    }
    EXPECT_EQ(element_of(uses, Feature::several_joints_per_body), "body 'arm'");
}

TEST(Features, bodies_equalities_and_actuators_are_named)
{
    Arm arm;
    arm.builder.add_body({.name = "belt", .kind = BodyKind::kinematic});
    arm.builder.add_body({.name = "balloon", .inertia = kUnit, .gravity_compensation = 1});
    arm.builder.add_connect(arm.body, kWorld, {}, {.name = "off", .active = false});
    arm.builder.add_motor(JointId{0}, {.name = "motor"});
    std::vector<FeatureUse> uses = arm.features();
    EXPECT_EQ(element_of(uses, Feature::kinematic_body), "body 'belt'");
    EXPECT_EQ(element_of(uses, Feature::gravity_compensation), "body 'balloon'");
    EXPECT_EQ(element_of(uses, Feature::actuator), "actuator 'motor'");
    EXPECT_EQ(element_of(uses, Feature::equality), "") << "an inactive equality does nothing";
    EXPECT_NE(element_of(uses, Feature::free_joint), "");

    arm.builder.add_connect(arm.body, kWorld, {}, {.name = "pin", .break_force = 5});
    uses = arm.features();
    EXPECT_EQ(element_of(uses, Feature::equality), "equality 'pin'");
    EXPECT_EQ(element_of(uses, Feature::breakable), "equality 'pin'");
    EXPECT_EQ(element_of(uses, Feature::cable), "");

    Arm tied;
    tied.builder.add_cable(tied.body, kWorld, {.name = "cord"});
    uses = tied.features();
    EXPECT_EQ(element_of(uses, Feature::cable), "equality 'cord'");
    EXPECT_EQ(element_of(uses, Feature::equality), "") << "a solver may know one without the other";
}

TEST(Features, contact_names_two_shapes_and_friction_counts_only_where_contact_is_possible)
{
    EXPECT_EQ(element_of(features_used(make_floor_and_ball()), Feature::contact), "shapes 'floor' and 'rubber'");
    for (const bool collides : {false, true})
    {
        ModelBuilder builder;
        const MaterialId rough = builder.add_material({.name = "rough", .dimension = 6, .restitution = 0.5});
        builder.add_ground();
        const std::uint32_t bits = collides ? 1 : 0;
        builder.add_shape(builder.add_body(), Sphere{}, {.material = rough, .category = bits, .mask = bits});
        const std::vector<FeatureUse> uses = features_used(builder.build().value());
        for (const Feature feature : {Feature::spinning_friction, Feature::rolling_friction, Feature::restitution})
        {
            EXPECT_EQ(element_of(uses, feature), collides ? "material 'rough'" : "") << to_string(feature);
        }
        EXPECT_EQ(element_of(uses, Feature::contact).empty(), !collides);
    }
}

TEST(Support, a_missing_feature_is_refused_with_its_element_and_the_way_around_it)
{
    const Model model = make_floor_and_ball();
    const SolverInfo info = make_info({Feature::free_joint});
    const std::vector<Error> errors = check_support(info, model, {{"ignore", std::string()}});
    ASSERT_EQ(errors.size(), 1U) << to_text(errors);
    EXPECT_EQ(errors[0].code, ErrorCode::unsupported);
    EXPECT_EQ(errors[0].text(),
              "shapes 'floor' and 'rubber': uses contact, which solver 'toy' does not support (to run without: "
              "parameters = {{\"ignore\", \"contact\"}})");
    EXPECT_TRUE(check_support(info, model, {{"ignore", std::string("contact")}}).empty());
    EXPECT_TRUE(
        check_support(make_info({Feature::free_joint, Feature::contact}), model, {{"ignore", std::string()}}).empty());
}

TEST(Support, what_cannot_be_ignored_has_no_such_hint_and_every_feature_is_named)
{
    Arm arm({.range = {true, -1, 1}, .damping = 1});
    const std::vector<Error> errors =
        check_support(make_info({}), arm.builder.build().value(), {{"ignore", std::string("contact")}});
    ASSERT_EQ(errors.size(), 3U) << to_text(errors);
    for (const Error& error : errors)
    {
        const bool is_limit = error.message.find("limits") != std::string::npos;
        EXPECT_EQ(error.hint.empty(), !is_limit) << error.text();
        if (is_limit)
        {
            EXPECT_NE(error.hint.find("\"contact,limits\""), std::string::npos) << error.hint;
        }
    }
}

TEST(Support, two_shapes_that_nobody_can_collide_are_refused_by_name)
{
    // A floor of each kind that contact functions do not know, under a ball.
    const auto make_model = [](const Shape& floor, const ShapeOptions& options)
    {
        ModelBuilder builder;
        builder.add_mesh({.vertices = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
                          .triangles = {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {0, 3, 2}},
                          .edges = {{0, 1}}});
        builder.add_height_field({.rows = 2, .columns = 2, .heights = {0, 1, 1, 0}});
        builder.add_shape(kWorld, floor, options);
        builder.add_shape(builder.add_body({.position = {0, 0, 3}}), Sphere{}, {.name = "ball"});
        return builder.build().value();
    };
    const std::pair<Shape, const char*> floors[] = {{Points{MeshId{0}}, "points"}, {Segments{MeshId{0}}, "segments"}};
    const SolverInfo info = make_info({Feature::free_joint, Feature::contact});
    SolverInfo own = info;
    own.finds_own_contacts = true;
    for (const auto& [floor, kind] : floors)
    {
        const Model model = make_model(floor, {.name = "floor"});
        const std::vector<Error> errors = check_support(info, model, {{"ignore", std::string()}});
        ASSERT_EQ(errors.size(), 1U) << kind;
        EXPECT_EQ(errors[0].code, ErrorCode::unsupported);
        EXPECT_EQ(errors[0].where, "shapes 'floor' and 'ball'");
        EXPECT_NE(errors[0].message.find(kind), std::string::npos) << errors[0].message;
        EXPECT_NE(errors[0].message.find("sphere"), std::string::npos) << errors[0].message;
        EXPECT_TRUE(check_support(info, model, {{"ignore", std::string("contact")}}).empty()) << kind;
        EXPECT_TRUE(check_support(own, model, {{"ignore", std::string()}}).empty()) << kind;
        const Model apart = make_model(floor, {.name = "floor", .category = 2, .mask = 2});
        EXPECT_TRUE(check_support(info, apart, {{"ignore", std::string()}}).empty()) << kind << ", never touched";
    }
}

TEST(Memory, comes_back_from_its_bytes_and_refuses_truncations)
{
    Memory memory;
    memory.contacts.items = {
        {.first_body = kWorld, .second_body = BodyId{1}, .distance = -0.1, .softness = Spring{5, 6}, .feature = 9},
        {.first_body = BodyId{2}, .point = {1, 2, 3}, .softness = Impedance{}, .restitution = 0.5}};
    memory.contact_forces.items = {{{1, 2, 3}, {4, 5, 6}}, {{7, 8, 9}, {}}};  // one for each
    std::vector<std::byte> bytes;
    memory.save(bytes);

    Memory copy;
    std::span<const std::byte> rest = bytes;
    ASSERT_TRUE(copy.load(rest));
    EXPECT_TRUE(rest.empty());
    ASSERT_EQ(copy.contacts.count(), 2);
    EXPECT_EQ(copy.contacts.items[0].softness, Softness(Spring{5, 6}));
    EXPECT_EQ(copy.contacts.items[1].softness, Softness(Impedance{}));
    EXPECT_EQ(copy.contacts.items[1].point, (Vec3{1, 2, 3}));
    EXPECT_EQ(copy.contact_forces.items, memory.contact_forces.items);
    std::vector<std::byte> again;
    copy.save(again);
    EXPECT_EQ(again, bytes);

    for (std::size_t size = 0; size < bytes.size(); ++size)
    {
        rest = std::span(bytes).first(size);
        EXPECT_FALSE(copy.load(rest)) << size;
        EXPECT_TRUE(copy.contacts.items.empty() && copy.contact_forces.items.empty())
            << "a failed load leaves it empty";
    }
}

namespace
{

/// The cells of a table's line, without the blanks around them.
std::vector<std::string> split_line(const std::string& line)
{
    std::vector<std::string> cells;
    std::istringstream stream(line);
    for (std::string cell; std::getline(stream, cell, '|');)
    {
        const auto begin = cell.find_first_not_of(" `"), end = cell.find_last_not_of(" `");
        cells.push_back(begin == std::string::npos ? "" : cell.substr(begin, end - begin + 1));
    }
    return cells;
}

}  // namespace

TEST(Features, stand_in_the_docs_as_the_solvers_say_them)
{
    // lines "| feature | ✓ | |...": all between the table's head and the next empty line
    std::ifstream file(source_folder() / "docs/concepts.md");
    std::vector<std::string> solvers;
    std::map<std::string, std::vector<std::string>> table;
    for (std::string line; std::getline(file, line);)
    {
        if (line.starts_with("| | `smooth`")) solvers = split_line(line);
        if (solvers.empty() || line.starts_with("|---") || line.starts_with("| |")) continue;
        if (line.empty()) break;
        const std::vector<std::string> cells = split_line(line);
        table[cells[1]] = cells;
    }
    ASSERT_GT(solvers.size(), 2U);
    const auto expect = [&](const std::string& name, std::size_t column, bool treated)
    {
        const auto found = table.find(name);
        ASSERT_TRUE(found != table.end()) << name;
        ASSERT_GT(found->second.size(), column) << name;
        EXPECT_EQ(found->second[column] == "✓", treated) << name << " of " << solvers[column];
    };
    for (std::size_t column = 2; column < solvers.size(); ++column)
    {
        const Result<const SolverInfo*> known = find_solver(solvers[column]);
        ASSERT_TRUE(known.ok()) << solvers[column];
        const SolverInfo* info = known.value();
        for (int f = 0; f <= static_cast<int>(Feature::negative_dry_friction); ++f)
        {
            const auto feature = static_cast<Feature>(f);
            std::string name = to_string(feature);
            std::replace(name.begin(), name.end(), '_', ' ');
            expect(name, column, std::ranges::count(info->supports, feature) > 0);
        }
        for (int p = 0; p < kWorldParameterCount; ++p)
        {
            const auto parameter = static_cast<WorldParameter>(p);
            expect(std::string("own ") + to_string(parameter), column,
                   std::ranges::count(info->world_parameters, parameter) > 0);
        }
    }
    EXPECT_EQ(solvers.size(), all_solvers().size() + 2);
}

}  // namespace rattleback
