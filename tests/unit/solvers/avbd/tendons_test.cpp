// Lengths of tendons in body coordinates: as in joint coordinates, and their gradients as their slopes.
#include "solvers/avbd/tendon_place.h"

#include "base/index.h"
#include "unit/solvers/avbd/block_scene.h"

#include <rattleback/dynamics.h>

namespace rattleback::avbd
{
namespace
{

/// Two links on a floating base: a path around a cylinder and a ball, one with a pulley, and a fixed tendon.
Model make_model()
{
    return parse_mjcf(R"(<mujoco><worldbody><site name="a" pos="0 0.02 0.4"/><body><freejoint/>
      <geom name="drum" type="cylinder" size="0.06 0.1" euler="80 10 0"/><site name="side" pos="0.15 0 0.05"/>
      <body pos="0.1 0 0"><joint name="h" axis="0 1 0.1"/><geom size="0.05"/><site name="b" pos="0.25 0 -0.02"/>
        <body pos="0.4 0 0"><joint name="e" type="slide" axis="0.2 1 0"/>
          <geom name="ball" size="0.03"/><site name="c" pos="0.15 0.01 0.03"/><site name="over" pos="0 0 0.05"/>
        </body></body></body></worldbody>
      <tendon>
        <spatial name="around"><site site="a"/><geom geom="drum" sidesite="side"/><site site="b"/>
          <geom geom="ball" sidesite="over"/><site site="c"/></spatial>
        <spatial name="through"><site site="a"/><site site="b"/><pulley divisor="2"/><site site="b"/><site site="c"/></spatial>
        <fixed name="sum"><joint joint="h" coef="0.5"/><joint joint="e" coef="-2"/></fixed></tendon>
      <equality><tendon tendon1="around" tendon2="sum" polycoef="0.1 0.5 0.3 0 0"/></equality></mujoco>)",
                      "model", ".")
        .value()
        .model;
}

/// Bodies of a random state, and all links placed at it.
struct TendonScene
{
    explicit TendonScene(unsigned seed) : state(model)
    {
        Random random(seed);
        for (int i = 0; i < 3; ++i) state.q[at(i)] = 0.1 * random.in_box(1).x;
        const Quat turn = exponential(0.5 * random.in_box(1));
        for (const auto& [i, value] : {std::pair{3, turn.w}, {4, turn.x}, {5, turn.y}, {6, turn.z}})
            state.q[at(i)] = value;
        for (int i = 7; i < model.q_count(); ++i) state.q[at(i)] = 0.3 * random.in_box(1).x;
        refresh_bodies(model, state.world());
        load_bodies(layout, state.world(), {0, static_cast<int>(layout.groups.size())}, work.bodies);
        for (std::size_t l = 0; l < layout.links.size(); ++l)
            start_link(layout, layout.links[l], work.bodies, state.q, 0.01, 1, work.links[l]);
    }

    Model model = make_model();
    Layout layout{model, true};
    BlockWork work{layout};
    State state;
};

TEST(AvbdTendonRows, have_the_lengths_of_joint_coordinates)
{
    for (unsigned seed = 1; seed <= 20; ++seed)
    {
        TendonScene scene(seed);
        Dynamics dynamics(scene.model);
        dynamics.update(scene.state);
        for (int t = 0; t < scene.model.tendon_count(); ++t)
        {
            place_tendon(scene.layout, t, scene.work);
            EXPECT_NEAR(scene.work.tendons[at(t)].length, dynamics.tendon_length()[at(t)], 1e-12) << seed << ' ' << t;
        }
    }
}

TEST(AvbdTendonRows, have_the_slopes_of_their_lengths_as_gradients)
{
    for (unsigned seed = 1; seed <= 10; ++seed)
    {
        TendonScene scene(seed);
        for (int r = 0; r < static_cast<int>(scene.layout.tendon_rows.size()); ++r)
        {
            const TendonRow& row = scene.layout.tendon_rows[at(r)];
            place_tendon_row(scene.layout, r, scene.work);
            const std::vector<Vector6> gradient = scene.work.tendon_gradient;
            // a coupling's residual is what is missing of its first tendon: its row points the other way
            const double sign = row.equality < 0 ? 1 : -1;
            for (int k = row.group_begin; k < row.group_end; ++k)
            {
                Body& body = scene.work.bodies[at(scene.layout.tendon_groups[at(k)])];
                const Body before = body;
                for (int direction = 0; direction < 6; ++direction)
                {
                    const double slope = slope_of(
                        [&](double by)
                        {
                            body = displaced(before, direction, by);
                            place_tendon_row(scene.layout, r, scene.work);
                            return scene.work.tendons[at(r)].length;
                        });
                    body = before;
                    // central differences of 1e-5 m; links are placed to 1e-10 of their error
                    EXPECT_NEAR(sign * gradient[at(k)][at(direction)], slope, 2e-7)
                        << seed << ' ' << r << ' ' << k << ' ' << direction;
                }
            }
        }
    }
}

TEST(AvbdTendonRows, join_the_groups_that_they_move_into_one_block)
{
    ModelBuilder builder;
    std::vector<SiteId> sites;
    for (int i = 0; i < 6; ++i)
    {
        const BodyId body =
            builder.add_body({.position = {0.5 * i, 0, 0}, .inertia = Inertia{.mass = 1, .diagonal = {1, 1, 1}}});
        sites.push_back(builder.add_site(body));
    }
    builder.add_spatial_tendon({{.site = sites[0]}, {.site = sites[2]}, {.site = sites[4]}}, {.stiffness = 1});
    builder.add_spatial_tendon({{.site = builder.add_site(kWorld)}, {.site = sites[5]}}, {.stiffness = 1});
    const Model model = builder.build().value();
    const Layout trees(model, true), bodies(model, false);
    EXPECT_EQ(trees.blocks.size(), 4U);
    EXPECT_EQ(bodies.blocks.size(), 6U);
    EXPECT_EQ(trees.blocks[0].loop_rows, 1);  // that to the world alone couples nothing
    EXPECT_TRUE(trees.tendon_rows[0].in_block);
    EXPECT_FALSE(bodies.tendon_rows[0].in_block);
}

}  // namespace
}  // namespace rattleback::avbd
