// The kinds of shapes and their names.
#include <gtest/gtest.h>

#include <rattleback/shapes.h>

#include <set>

namespace rattleback
{
namespace
{

TEST(Shapes, the_kinds_follow_the_variant_and_are_all_named)
{
    static_assert(std::variant_size_v<Shape> == kShapeTypeCount);
    std::set<std::string> names;
    for (int i = 0; i < kShapeTypeCount; ++i) names.insert(to_string(static_cast<ShapeType>(i)));
    EXPECT_EQ(names.size(), static_cast<std::size_t>(kShapeTypeCount));
    EXPECT_EQ(names.count("unknown"), 0u);

    EXPECT_STREQ(to_string(static_cast<ShapeType>(Shape{Plane{}}.index())), "plane");
    EXPECT_STREQ(to_string(static_cast<ShapeType>(Shape{HeightField{}}.index())), "height_field");
    EXPECT_STREQ(to_string(static_cast<ShapeType>(Shape{Surface{}}.index())), "surface");
}

}  // namespace
}  // namespace rattleback
