// Linking numbers of lines on bodies against those of links whose numbers are known, and against Gauss's integral.
#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "lab/scenes/ipc/links.h"
#include "math/elementary.h"
#include "math/random.h"

namespace rattleback::lab
{
namespace
{

/// Two lines on bodies 0 and 1.
std::array<LinkLine, 2> make_pair(double bend, double straight)
{
    return {LinkLine{.body = 0, .corners = make_link_corners(bend, straight)},
            LinkLine{.body = 1, .corners = make_link_corners(bend, straight)}};
}

int link_at(const std::array<LinkLine, 2>& lines, const Pose& second)
{
    const std::array pose{Pose{}, second};
    return find_linking(lines[0], lines[1], pose);
}

TEST(Links, two_rings_through_each_other_have_one_and_apart_none)
{
    const auto rings = make_pair(1, 0);
    const Quat across = from_axis_angle({1, 0, 0}, kPi / 2), back = from_axis_angle({1, 0, 0}, -kPi / 2);
    const int hopf = link_at(rings, {{1, 0, 0}, across});
    EXPECT_EQ(std::abs(hopf), 1);
    EXPECT_EQ(link_at(rings, {{1, 0, 0}, back}), -hopf);     // the second goes around the other way
    EXPECT_EQ(link_at(rings, {{-1, 0, 0}, across}), -hopf);  // through the other side
    EXPECT_EQ(link_at(rings, {{2.1, 0, 0}, across}), 0);
    EXPECT_EQ(link_at(rings, {{0.5, 0, 0.1}, {}}), 0);    // over each other
    EXPECT_EQ(link_at(rings, {{0, 0, 0.5}, across}), 0);  // twice through the disc, to and fro
    const auto links = make_pair(0.4, 0.5);
    EXPECT_EQ(std::abs(link_at(links, {{0.9, 0, 0}, across})), 1);
    EXPECT_EQ(link_at(links, {{1.31, 0, 0}, across}), 0);  // beyond both bends: 2 (0.25 + 0.4)
}

TEST(Links, crossings_count_what_gauss_integral_does)
{
    // (1 / 4 pi) sum of ((a - b) x da) . db / |a - b|^3 by the middles of 8 pieces of each chord.
    const auto links = make_pair(0.4, 0.5);
    const auto integrate = [&](const Pose& second)
    {
        constexpr int kPieces = 8;
        const auto walk = [](const std::vector<Vec3>& corners, const Pose& pose)
        {
            std::vector<std::array<Vec3, 2>> pieces;
            for (std::size_t i = 0; i < corners.size(); ++i)
            {
                const Vec3 from = corners[i], way = 1.0 / kPieces * (corners[(i + 1) % corners.size()] - from);
                for (int k = 0; k < kPieces; ++k)
                    pieces.push_back(
                        {pose.position + rotate(pose.rotation, from + (k + 0.5) * way), rotate(pose.rotation, way)});
            }
            return pieces;
        };
        double sum = 0;
        for (const auto& [a, da] : walk(links[0].corners, {}))
            for (const auto& [b, db] : walk(links[1].corners, second))
            {
                const Vec3 apart = a - b;
                const double distance = norm(apart);
                sum += dot(cross(da, db), apart) / (distance * distance * distance);
            }
        return sum / (4 * kPi);
    };
    Random random(7);
    int linked = 0, compared = 0;
    for (int i = 0; i < 60; ++i)
    {
        const auto draw = [&] { return random.uniform(-1, 1); };
        const Pose second{{0.8 * draw(), 0.6 * draw(), 0.4 * draw()}, normalized(Quat{draw(), draw(), draw(), draw()})};
        const double gauss = integrate(second);
        // Lines that nearly touch are integrated too coarsely.
        if (std::abs(gauss - std::round(gauss)) > 0.05) continue;
        ++compared;
        EXPECT_EQ(std::abs(link_at(links, second)), std::abs(std::lround(gauss))) << gauss;
        linked += std::lround(gauss) != 0 ? 1 : 0;
    }
    EXPECT_GT(compared, 50);
    EXPECT_GT(linked, 10);
}

TEST(Links, a_wire_is_its_loop_of_edges_and_nothing_else_is)
{
    MeshOptions square{.vertices = {{1, 1, 0}, {-1, -1, 0}, {-1, 1, 0}, {1, -1, 0}},
                       .edges = {{0, 2}, {1, 3}, {3, 0}, {2, 1}}};
    const std::vector<Vec3> corners = find_wire_corners(square);
    ASSERT_EQ(corners.size(), 4u);
    for (std::size_t i = 0; i < 4; ++i) EXPECT_EQ(norm(corners[i] - corners[(i + 1) % 4]), 2);  // sides, no diagonal
    square.edges.pop_back();                                                                    // open
    EXPECT_TRUE(find_wire_corners(square).empty());
    const MeshOptions two{.vertices = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {5, 0, 0}, {6, 0, 0}, {5, 1, 0}},
                          .edges = {{0, 1}, {1, 2}, {2, 0}, {3, 4}, {4, 5}, {5, 3}}};
    EXPECT_TRUE(find_wire_corners(two).empty());
    EXPECT_TRUE(find_wire_corners({.vertices = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, .triangles = {{0, 1, 2}}}).empty());
}

TEST(Links, a_change_in_any_frame_counts)
{
    const auto rings = make_pair(1, 0);
    const Quat across = from_axis_angle({1, 0, 0}, kPi / 2);
    IpcRun run;
    for (const double x : {1.0, 1.2, 1.0}) run.frames.push_back({.pose = {Pose{}, Pose{{x, 0, 0}, across}}});
    EXPECT_TRUE(judge_links(run, rings).passed);
    run.frames[1].pose[1].position.x = 2.5;  // out, and back at the end
    const LinkCount count = count_links(run, rings);
    EXPECT_EQ(count.linked, 1);
    EXPECT_EQ(count.changed, 1);
    EXPECT_FALSE(judge_links(run, rings).passed);
    for (IpcFrame& frame : run.frames) frame.pose[1].position.x = 2.5;  // none is linked: nothing to judge
    EXPECT_FALSE(judge_links(run, rings).passed);
}

}  // namespace
}  // namespace rattleback::lab
