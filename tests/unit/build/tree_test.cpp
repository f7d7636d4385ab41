// The tree of a built model: layout of coordinates, ancestors, rows of M, roots, welds, levels.
#include <gtest/gtest.h>
#include <rattleback/builder.h>

#include "unit/build/ball.h"

#include "base/index.h"

#include <algorithm>
#include <random>

namespace rattleback
{
namespace
{

/// A forest with all kinds of bodies and joints; joints are added in an order unlike that of the bodies.
Model make_forest(unsigned seed, int count)
{
    std::mt19937 random(seed);
    const auto pick = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
    ModelBuilder builder;
    std::vector<std::pair<BodyId, JointType>> joints;
    for (int i = 1; i <= count; ++i)
    {
        const BodyId parent{pick(3) == 0 ? 0 : pick(i)};
        const int kind = pick(8);
        if (kind == 0 && parent == kWorld)
        {
            builder.add_body({.kind = BodyKind::kinematic});
            continue;
        }
        const BodyId body = builder.add_body({.parent = parent,
                                              .kind = kind == 1 ? BodyKind::fixed : BodyKind::dynamic,
                                              .inertia = Inertia{.mass = i * 0.5, .diagonal = {1, 1, 1}}});
        if (kind == 1) continue;
        if (kind == 2) joints.emplace_back(body, JointType::fixed);
        for (int k = pick(3); k > 0 && kind > 2; --k)
            joints.emplace_back(body, k == 2 ? JointType::slide : pick(2) == 0 ? JointType::hinge : JointType::ball);
    }
    std::stable_sort(joints.begin(), joints.end(), [](const auto& a, const auto& b)
                     { return a.first.index * 7919 % 101 < b.first.index * 7919 % 101; });
    for (const auto& [body, type] : joints) builder.add_joint(body, {.type = type});
    return builder.build().value();
}

/// Bodies from `body` up to the world, both included.
std::vector<int> path_up(const Model& model, int body)
{
    std::vector<int> path;
    for (int b = body; b >= 0; b = model.bodies.parent[at(b)]) path.push_back(b);
    return path;
}

class EachForest : public testing::TestWithParam<unsigned>
{
protected:
    const Model model = make_forest(GetParam(), 60);
};
INSTANTIATE_TEST_SUITE_P(Random, EachForest, testing::Range(0u, 12u));

TEST_P(EachForest, coordinates_follow_the_bodies_without_gaps)
{
    int q = 0, v = 0;
    std::vector<int> seen;
    for (int body = 0; body < model.body_count(); ++body)
    {
        EXPECT_EQ(model.bodies.v_begin[at(body)], body == 0 ? 0 : v);
        const int begin = v;
        for (int k = model.bodies.joint_begin[at(body)]; k < model.bodies.joint_begin[at(body) + 1]; ++k)
        {
            const int joint = model.bodies.joints_of_body[at(k)];
            seen.push_back(joint);
            EXPECT_EQ(model.joints.body[at(joint)], body);
            EXPECT_EQ(model.joints.q_begin[at(joint)], q);
            EXPECT_EQ(model.joints.v_begin[at(joint)], v);
            const JointType type = model.joints.type[at(joint)];
            for (int i = 0; i < v_count(type); ++i, ++v)
            {
                EXPECT_EQ(model.dofs.joint[at(v)], joint);
                EXPECT_EQ(model.dofs.body[at(v)], body);
            }
            q += q_count(type);
        }
        EXPECT_EQ(model.bodies.v_count[at(body)], v - begin);
    }
    EXPECT_EQ(q, model.q_count());
    EXPECT_EQ(v, model.v_count());
    std::sort(seen.begin(), seen.end());
    ASSERT_EQ(static_cast<int>(seen.size()), model.joint_count());
    for (int joint = 0; joint < model.joint_count(); ++joint) EXPECT_EQ(seen[at(joint)], joint) << "each joint once";
}

TEST_P(EachForest, a_row_of_the_mass_matrix_holds_all_dofs_that_move_the_dof)
{
    for (int dof = 0; dof < model.v_count(); ++dof)
    {
        // Brute force: every dof of a body on the path, of the own body only up to this one.
        std::vector<int> expected;
        for (const int body : path_up(model, model.dofs.body[at(dof)]))
        {
            for (int other = 0; other <= dof; ++other)
            {
                if (model.dofs.body[at(other)] == body) expected.push_back(other);
            }
        }
        std::sort(expected.begin(), expected.end());
        const auto begin = model.dofs.row_column.begin() + model.dofs.row_begin[at(dof)];
        const auto end = model.dofs.row_column.begin() + model.dofs.row_begin[at(dof) + 1];
        EXPECT_EQ(std::vector<int>(begin, end), expected);
        EXPECT_EQ(model.dofs.parent[at(dof)], expected.size() > 1 ? expected[expected.size() - 2] : -1);
    }
}

TEST_P(EachForest, last_dof_root_weld_and_subtree_mass_agree_with_a_walk_up_the_tree)
{
    std::vector<double> subtree(at(model.body_count()), 0);
    for (int body = 0; body < model.body_count(); ++body)
    {
        int last = -1, root = 0, weld = -1;
        for (const int b : path_up(model, body))
        {
            subtree[at(b)] += model.bodies.mass[at(body)];
            const int dofs = model.bodies.v_count[at(b)];
            const bool stands_alone = dofs > 0 || model.bodies.kind[at(b)] == BodyKind::kinematic || b == 0;
            if (dofs > 0 && last < 0) last = model.bodies.v_begin[at(b)] + dofs - 1;
            if (dofs > 0) root = b;
            if (stands_alone && weld < 0) weld = b;
        }
        EXPECT_EQ(model.bodies.last_dof[at(body)], last);
        EXPECT_EQ(model.bodies.root[at(body)], root);
        EXPECT_EQ(model.bodies.weld[at(body)], weld);
    }
    for (int body = 0; body < model.body_count(); ++body)
        EXPECT_NEAR(model.bodies.subtree_mass[at(body)], subtree[at(body)], 1e-12 * subtree[0]);
}

TEST_P(EachForest, levels_hold_every_body_once_at_its_depth)
{
    std::vector<int> seen;
    for (std::size_t level = 0; level + 1 < model.level_begin.size(); ++level)
    {
        EXPECT_LT(model.level_begin[level], model.level_begin[level + 1]) << "no level is empty";
        for (int k = model.level_begin[level]; k < model.level_begin[level + 1]; ++k)
        {
            const int body = model.level_bodies[at(k)];
            EXPECT_EQ(path_up(model, body).size(), level + 1);
            seen.push_back(body);
        }
    }
    std::sort(seen.begin(), seen.end());
    for (int body = 0; body < model.body_count(); ++body) EXPECT_EQ(seen.at(at(body)), body);
}

TEST(Layout, ids_from_add_joint_stay_valid_whatever_the_order_and_automatic_joints_come_last)
{
    ModelBuilder builder;
    const BodyId loose = builder.add_body({.name = "loose", .position = {1, 2, 3}, .inertia = kBall});
    const BodyId arm = builder.add_body({.name = "arm", .inertia = kBall});
    const BodyId hand = builder.add_body({.name = "hand", .parent = arm, .inertia = kBall});
    const JointId wrist = builder.add_joint(hand, {.name = "wrist", .reference = 0.25});
    const JointId shoulder = builder.add_joint(arm, {.name = "shoulder", .type = JointType::ball});
    const Model model = builder.build().value();

    EXPECT_EQ(model.joints.name[at(wrist.index)], "wrist");
    EXPECT_EQ(model.joints.name[at(shoulder.index)], "shoulder");
    ASSERT_EQ(model.joint_count(), 3);
    EXPECT_EQ(model.joints.name[2], "loose_free");
    EXPECT_EQ(model.joints.type[2], JointType::free);
    EXPECT_EQ(model.joints.body[2], loose.index);
    // MuJoCo's order: loose (7, 6), arm (4, 3), hand (1, 1).
    EXPECT_EQ(model.joints.q_begin, (std::vector<int>{11, 7, 0}));
    EXPECT_EQ(model.joints.v_begin, (std::vector<int>{9, 6, 0}));
    EXPECT_EQ(model.q0, (std::vector<double>{1, 2, 3, 1, 0, 0, 0, 1, 0, 0, 0, 0.25}));
}

TEST(Layout, kinds_decide_who_gets_a_free_joint)
{
    ModelBuilder builder;
    builder.add_body({.name = "floating", .inertia = kBall});
    const BodyId post = builder.add_body({.name = "post", .kind = BodyKind::fixed});
    builder.add_body({.name = "attached", .parent = post});
    builder.add_body({.name = "lift", .kind = BodyKind::kinematic});
    const BodyId glued = builder.add_body({.name = "glued"});
    builder.add_joint(glued, {.type = JointType::fixed});
    const Model model = builder.build().value();
    EXPECT_EQ(model.v_count(), 6);
    EXPECT_EQ(model.bodies.v_count, (std::vector<int>{0, 6, 0, 0, 0, 0}));
    EXPECT_EQ(model.bodies.weld, (std::vector<int>{0, 1, 0, 0, 4, 0}));
    EXPECT_EQ(model.bodies.kinematic_index, (std::vector<int>{-1, -1, -1, -1, 0, -1}));
    EXPECT_EQ(model.kinematic_count, 1);
}

TEST(Coordinates, start_at_the_initial_values_and_springs_rest_at_theirs)
{
    ModelBuilder builder;
    const BodyId cart = builder.add_body({.inertia = kBall});
    builder.add_joint(cart, {.type = JointType::slide,
                             .axis = {0, 0, 5},
                             .reference = 1,
                             .initial_position = 2,
                             .initial_velocity = 3,
                             .spring_reference = 4});
    const BodyId pole = builder.add_body({.parent = cart, .inertia = kBall});
    builder.add_joint(pole, {.reference = 0.5});
    const Model model = builder.build().value();
    EXPECT_EQ(model.q0, (std::vector<double>{1, 0.5}));
    EXPECT_EQ(model.initial_q, (std::vector<double>{2, 0.5}));
    EXPECT_EQ(model.initial_v, (std::vector<double>{3, 0}));
    EXPECT_EQ(model.spring_q, (std::vector<double>{4, 0}));
    EXPECT_EQ(model.joints.axis[0], (Vec3{0, 0, 1})) << "axes are made unit";
}

TEST(Coordinates, a_free_body_turns_about_its_own_axes)
{
    ModelBuilder builder;
    const Quat quarter = from_axis_angle({0, 0, 1}, kPi / 2);  // body x points along world y
    builder.add_body({.position = {1, 2, 3},
                      .rotation = {2 * quarter.w, 0, 0, 2 * quarter.z},
                      .inertia = kBall,
                      .linear_velocity = {4, 5, 6},
                      .angular_velocity = {0, 7, 0}});
    const Model model = builder.build().value();
    const std::vector<double> expected{4, 5, 6, 7, 0, 0};
    for (std::size_t i = 0; i < 6; ++i) EXPECT_NEAR(model.initial_v[i], expected[i], 1e-14);
    EXPECT_NEAR(model.initial_q[3], std::sqrt(0.5), 1e-15) << "the authored rotation is made unit";
    EXPECT_EQ(model.spring_q, model.q0);
    EXPECT_EQ(model.initial_q, model.q0);
}

TEST(Names, are_made_up_where_missing_and_avoid_those_given)
{
    ModelBuilder builder;
    builder.add_body({.name = "body 2", .inertia = kBall});
    const BodyId unnamed = builder.add_body({.inertia = kBall});
    const BodyId arm = builder.add_body({.name = "arm", .inertia = kBall});
    builder.add_joint(arm, {.name = "body 2_free"});
    builder.add_joint(arm);
    builder.add_ground();
    const Model model = builder.build().value();
    EXPECT_EQ(model.bodies.name, (std::vector<std::string>{"world", "body 2", "body 2_", "arm"}));
    EXPECT_EQ(model.joints.name, (std::vector<std::string>{"body 2_free", "joint 1", "body 2_free_", "body 2__free"}));
    EXPECT_EQ(model.find_body("body 2_"), unnamed);
    EXPECT_EQ(model.find_shape("shape 0"), ShapeId{0});
}

TEST(Size, an_empty_model_builds)
{
    const Model model = ModelBuilder("empty").build().value();
    EXPECT_EQ(model.name, "empty");
    EXPECT_EQ(model.body_count(), 1);
    EXPECT_EQ(model.q_count(), 0);
    EXPECT_EQ(model.v_count(), 0);
    EXPECT_EQ(model.materials.size(), 1u);
    EXPECT_EQ(model.find_body("world"), kWorld);
    EXPECT_EQ(model.bodies.parent[0], -1);
    EXPECT_EQ(model.level_begin, (std::vector<int>{0, 1}));
    EXPECT_EQ(model.bodies.shape_begin, (std::vector<int>{0, 0}));
    EXPECT_EQ(model.bodies.joint_begin, (std::vector<int>{0, 0}));
    EXPECT_EQ(model.dofs.row_begin, (std::vector<int>{0}));
    EXPECT_EQ(model.tendons.item_begin, (std::vector<int>{0}));
}

TEST(Size, slow_a_million_floating_spheres_build)
{
    constexpr int kCount = 1'000'000;
    ModelBuilder builder;
    for (int i = 0; i < kCount; ++i) builder.add_shape(builder.add_body({.position = {1.0 * i, 0, 0}}), Sphere{0.1});
    const Model model = builder.build().value();
    EXPECT_EQ(model.v_count(), 6 * kCount);
    EXPECT_EQ(model.joints.v_begin.back(), 6 * (kCount - 1));
    EXPECT_EQ(model.find_joint("body 777777_free"), JointId{777776});
    EXPECT_EQ(model.dofs.row_column.size(), 21u * kCount);
}

}  // namespace
}  // namespace rattleback
