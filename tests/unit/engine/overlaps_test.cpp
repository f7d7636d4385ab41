// Warnings about shapes that start inside each other.
#include <rattleback/batch.h>

#include <gtest/gtest.h>

namespace rattleback
{

namespace
{

/// Balls of radius 0.5 m along a line, so far apart.
Model make_balls(double distance, int count = 2)
{
    ModelBuilder builder;
    for (int i = 0; i < count; ++i)
    {
        const std::string name(1, static_cast<char>('a' + i));
        const BodyId body = builder.add_body({.name = name, .position = {distance * i, 0, 0}});
        builder.add_shape(body, Sphere{.radius = 0.5}, {.name = name + "_skin"});
    }
    return builder.build().value();
}

std::string warnings_of(const Model& model, const std::string& solver = "convex", const Parameters& parameters = {})
{
    return to_text(Simulation::make(model, {.solver = solver, .parameters = parameters})->warnings());
}

}  // namespace

TEST(Overlaps, shapes_that_start_inside_each_other_are_named_with_their_depth)
{
    const std::string text =
        "shapes 'a_skin' (body 'a') and 'b_skin' (body 'b'): start 200 mm inside each other and will be pushed apart "
        "(move them apart, or exclude the pair)";
    EXPECT_EQ(warnings_of(make_balls(0.8), "convex"), text);
    EXPECT_EQ(warnings_of(make_balls(0.8), "avbd"), text);
    EXPECT_EQ(warnings_of(make_balls(0.8), "refined"), text);
    Batch batch(make_balls(0.8), {.solver = "avbd", .world_count = 3});
    EXPECT_EQ(to_text(batch.warnings()), text) << "once, not for each world";
}

TEST(Overlaps, what_merely_touches_or_has_no_contacts_is_no_matter)
{
    EXPECT_EQ(warnings_of(make_balls(1.1)), "");
    EXPECT_EQ(warnings_of(make_balls(0.991)), "") << "9 mm is less than a hundredth of a metre";
    EXPECT_NE(warnings_of(make_balls(0.989)), "");
    EXPECT_EQ(warnings_of(make_balls(0.8), "smooth", {{"ignore", std::string("contact")}}), "");
    EXPECT_EQ(warnings_of(make_balls(0.8), "convex", {{"contact", false}}), "");

    ModelBuilder small;  // a hundredth of a marble is less than anybody draws
    small.add_ground();
    small.add_shape(small.add_body({.position = {0, 0, 4.1e-3}}), Sphere{.radius = 5e-3});
    EXPECT_EQ(warnings_of(small.build().value()), "");
}

TEST(Overlaps, the_thickness_of_a_plate_counts_not_its_width)
{
    ModelBuilder builder;
    builder.add_ground({.name = "floor"});
    const BodyId plate = builder.add_body({.name = "plate", .position = {0, 0, 0.003}});
    builder.add_shape(plate, Box{.half_extents = {1, 1, 0.005}}, {.name = "sheet"});
    const std::string text = warnings_of(builder.build().value());
    EXPECT_NE(text.find("'floor' (body 'world') and 'sheet' (body 'plate'): start 2 mm inside"), std::string::npos)
        << text;
}

TEST(Overlaps, of_many_the_ten_deepest_are_named_and_the_rest_is_counted)
{
    // balls a tenth of a metre apart: pairs of neighbours are 900 mm deep, next ones 800 mm, ...; 6 balls have 15 pairs
    const Model model = make_balls(0.1, 6);
    Result<Simulation> made = Simulation::make(model, {.solver = "avbd"});
    const std::vector<Error>& warnings = made->warnings();
    ASSERT_EQ(warnings.size(), 11U) << to_text(warnings);
    for (int i = 0; i < 10; ++i)
    {
        const std::string depth = i < 5 ? "900 mm" : i < 9 ? "800 mm" : "700 mm";
        EXPECT_NE(warnings[static_cast<std::size_t>(i)].message.find(depth), std::string::npos) << i;
    }
    EXPECT_EQ(warnings[10].text(), "and 5 more pairs of shapes start inside each other");
}

}  // namespace rattleback
