// Tests of vector pictures: the order of painting, outlines, and text that stays text.
#include "lab/render/svg.h"

#include "lab/render/painter_order.h"
#include "lab/render/patches.h"
#include "lab/scenes/parts.h"
#include "made_scene.h"

#include <gtest/gtest.h>

namespace rattleback::lab
{

namespace
{

std::string draw(const RecordedModel& model, const Camera& camera)
{
    ThreadPool pool(1);
    SceneMaker maker(model, {.extent = 3});
    return draw_svg(maker.make(make_moment(model), camera, pool), model, camera, {.extent = 3});
}

std::size_t count(const std::string& text, const std::string& part)
{
    std::size_t found = 0;
    for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
    return found;
}

TEST(PainterOrder, what_is_hidden_comes_first_whatever_the_middles_say)
{
    // A long plank whose middle is nearer to the eye than the ball, while its end is behind the ball.
    const RecordedModel model = make_model(
        {{.type = ShapeType::sphere, .pose = {{0, 0, 0}, {}}, .size = {0.4, 0, 0}},
         {.type = ShapeType::box, .pose = {{-4, -0.2, 0}, from_axis_angle({0, 0, 1}, 0.2)}, .size = {4.5, 0.05, 0.5}},
         {.type = ShapeType::box, .pose = {{0, 3, 0}, {}}, .size = {5, 0.1, 5}}});
    const Camera camera = make_camera(8, 5, 320, 200);
    ThreadPool pool(1);
    SceneMaker maker(model, {});
    const DrawnScene scene = maker.make(make_moment(model), camera, pool);
    EXPECT_LT(camera.to_view({-4, -0.2, 0}).z, camera.to_view({}).z);
    EXPECT_EQ(find_painter_order(scene, camera), (std::vector<int>{2, 1, 0}));
}

TEST(ConvexOutline, holds_every_point_and_turns_one_way)
{
    Random random(6);
    for (int round = 0; round < 50; ++round)
    {
        std::vector<Point2> points;
        for (int i = 0; i < 60; ++i) points.push_back({random.uniform(0, 100), random.uniform(0, 100)});
        const std::vector<Point2> outline = find_convex_outline(points);
        ASSERT_GE(outline.size(), 3U);
        for (std::size_t i = 0; i < outline.size(); ++i)
        {
            const Point2 &a = outline[i], &b = outline[(i + 1) % outline.size()];
            for (const Point2& p : points)
            {
                const double side = (b.x - a.x) * (p.y - a.y) - (b.y - a.y) * (p.x - a.x);
                EXPECT_GE(side / std::hypot(b.x - a.x, b.y - a.y), -0.2);
            }
        }
    }
    EXPECT_LT(find_convex_outline({{0, 0}, {1, 1}, {2, 2}}).size(), 3U);
    EXPECT_TRUE(find_convex_outline({}).empty());
}

TEST(Svg, boxes_have_their_visible_faces_and_balls_one_outline)
{
    const Camera camera = make_camera(6, 30, 320, 200);
    const std::string boxes = draw(
        make_model({{.type = ShapeType::box, .pose = {{0, 0, 0}, from_axis_angle({0, 0, 1}, 0.4)}, .size = {1, 1, 1}}}),
        camera);
    EXPECT_EQ(count(boxes, "<path"), 3U);
    const std::string ball = draw(make_model({{.type = ShapeType::sphere, .size = {1, 0, 0}}}), camera);
    EXPECT_EQ(count(ball, "<path"), 1U);
    EXPECT_EQ(count(ball, "<radialGradient"), 1U);
    EXPECT_LT(draw(make_parade(), camera).size(), 20000U);
}

TEST(Svg, nothing_below_the_ground_is_drawn)
{
    const Camera camera = make_camera(6, 30, 320, 200);
    const std::string empty = draw(make_model({{.type = ShapeType::plane}}), camera);
    const std::string sunk = draw(
        make_model({{.type = ShapeType::plane}, {.type = ShapeType::box, .pose = {{0, 0, -2}, {}}, .size = {1, 1, 1}}}),
        camera);
    EXPECT_EQ(count(sunk, "<path"), count(empty, "<path"));
}

TEST(Svg, markers_are_painted_last)
{
    const RecordedModel model = make_model({{.type = ShapeType::box, .size = {1, 1, 1}}});
    Moment moment = make_moment(model);
    moment.contacts.push_back({.point = {0, 0.5, 0}});  // inside the box
    const Camera camera = make_camera(6, 30, 320, 200);
    ThreadPool pool(1);
    SceneMaker maker(model, {.extent = 3});
    const std::string svg = draw_svg(maker.make(moment, camera, pool), model, camera, {.extent = 3});
    const std::string last = svg.substr(svg.rfind("<path"));
    EXPECT_NE(last.find("#e8b400"), std::string::npos) << last;  // their yellow, as bright as pictures get
}

TEST(Svg, names_cannot_leave_the_title)
{
    RecordedModel model = make_parade();
    model.name = "</title><script>alert(1)</script>&\x01";
    const std::string svg = draw(model, make_camera(6, 20));
    EXPECT_EQ(count(svg, "<script"), 0U);
    EXPECT_NE(svg.find("<title>&lt;/title&gt;&lt;script&gt;alert(1)&lt;/script&gt;&amp; </title>"), std::string::npos);
    EXPECT_EQ(svg, draw(model, make_camera(6, 20)));
}

}  // namespace

}  // namespace rattleback::lab
