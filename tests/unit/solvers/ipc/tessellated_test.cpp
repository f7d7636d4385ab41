// Tests of what solver `ipc` says of shapes that collide as meshes around them.
#include "solvers/ipc/tessellated.h"

#include <rattleback/rattleback.h>

#include <gtest/gtest.h>

#include <cmath>

namespace rattleback::ipc
{

namespace
{

std::vector<Error> find_warnings(const Model& model, const Parameters& parameters = {}, const char* solver = "ipc")
{
    Result<Simulation> made = Simulation::make(model, {.solver = solver, .parameters = parameters});
    EXPECT_TRUE(made.ok()) << to_text(made.errors());
    return made.ok() ? made->warnings() : std::vector<Error>{};
}

/// A row of shapes in the air, a metre apart.
Model make_shape_row(const std::vector<std::pair<const char*, Shape>>& shapes, std::uint32_t mask = ~std::uint32_t{0})
{
    ModelBuilder builder;
    double x = 0;
    for (const auto& [name, shape] : shapes)
    {
        const BodyId body = builder.add_body({.position = {++x, 0, 5}});
        builder.add_shape(body, shape, {.name = name, .density = 1000, .category = mask, .mask = mask});
    }
    return builder.build().value();
}

const std::pair<const char*, Shape> kWheel{"wheel", Cylinder{.radius = 0.2, .half_length = 0.05}};
const std::pair<const char*, Shape> kAxle{"axle", Cylinder{.radius = 0.02, .half_length = 0.2}};
const std::pair<const char*, Shape> kEgg{"egg", Ellipsoid{.radii = {0.01, 0.01, 0.015}}};

}  // namespace

TEST(IpcTessellated, the_shape_that_is_furthest_off_is_named_once_with_its_error)
{
    const std::vector<Error> warnings = find_warnings(make_shape_row({kAxle, kWheel, kEgg}));
    ASSERT_EQ(warnings.size(), 1U) << to_text(warnings);
    // a polygon of 24 sides around a circle of 0.2 m: 0.2 (1 / cos(pi / 24) - 1) = 1.73 mm at its corners
    EXPECT_EQ(warnings[0].where, "shape 'wheel'");
    EXPECT_NE(warnings[0].message.find("cylinder"), std::string::npos) << warnings[0].text();
    const std::size_t place = warnings[0].message.find("up to ");
    ASSERT_NE(place, std::string::npos) << warnings[0].text();
    const double told = std::stod(warnings[0].message.substr(place + 6));
    EXPECT_NEAR(told, 0.2 * (1 / std::cos(kPi / 24) - 1), 5e-6);
    EXPECT_NE(warnings[0].message.find("2 other shapes"), std::string::npos) << warnings[0].text();
    EXPECT_NE(warnings[0].hint.find("corners above 24"), std::string::npos) << warnings[0].text();
}

TEST(IpcTessellated, more_corners_leave_less_and_an_inset_is_said)
{
    const Model model = make_shape_row({kWheel});
    const auto find = [&](const Parameters& parameters)
    {
        const std::vector<Error> warnings = find_warnings(model, parameters);
        return warnings.size() == 1 ? warnings[0].message : "";
    };
    EXPECT_NE(find({{"corners", 48}}).find("up to 0.000429 m"), std::string::npos) << find({{"corners", 48}});
    EXPECT_NE(find({{"inset", 0.001}}).find("less the inset of 0.001 m"), std::string::npos);
    EXPECT_EQ(find({}).find("inset"), std::string::npos);
    EXPECT_EQ(find({}).find("other"), std::string::npos);
}

TEST(IpcTessellated, exact_shapes_shapes_for_the_eye_and_other_solvers_need_no_word)
{
    const Model exact = make_shape_row({{"ball", Sphere{.radius = 0.1}},
                                        {"pill", Capsule{.radius = 0.1, .half_length = 0.1}},
                                        {"brick", Box{.half_extents = {0.1, 0.1, 0.1}}}});
    EXPECT_TRUE(find_warnings(exact).empty());
    EXPECT_TRUE(find_warnings(make_shape_row({kWheel, kEgg}, 0)).empty());
    EXPECT_TRUE(find_warnings(make_shape_row({kWheel}), {}, "convex").empty());
}

TEST(IpcTessellated, corners_that_are_refused_are_refused_by_name)
{
    const Result<Simulation> made =
        Simulation::make(make_shape_row({kWheel}), {.solver = "ipc", .parameters = {{"corners", 7}}});
    ASSERT_FALSE(made.ok());
    EXPECT_NE(to_text(made.errors()).find("multiple of 4"), std::string::npos) << to_text(made.errors());
}

}  // namespace rattleback::ipc
