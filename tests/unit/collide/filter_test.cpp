// Collision filters against a plain statement of the rules.
#include "collide/filter.h"

#include <rattleback/builder.h>

#include <gtest/gtest.h>

#include <random>

namespace rattleback
{

namespace
{

/// A forest of hinged, welded, free and fixed bodies with random masks, exclusions and explicit pairs.
Model make_forest(unsigned seed)
{
    std::mt19937 random(seed);
    const auto pick = [&](int count) { return static_cast<int>(random() % static_cast<unsigned>(count)); };
    ModelBuilder builder;
    std::vector<BodyId> bodies{kWorld};
    std::vector<ShapeId> shapes;
    const Inertia unit{.mass = 1, .diagonal = {1, 1, 1}};
    for (int i = 0; i < 9; ++i)
    {
        const BodyId parent = bodies[static_cast<std::size_t>(pick(static_cast<int>(bodies.size())))];
        const BodyKind kind = pick(4) == 0 ? BodyKind::fixed : BodyKind::dynamic;
        const BodyId body = builder.add_body({.parent = parent, .position = {1, 0, 0}, .kind = kind, .inertia = unit});
        if (kind == BodyKind::dynamic && pick(3) > 0) builder.add_joint(body);
        bodies.push_back(body);
    }
    const std::array<std::uint32_t, 5> masks{0, 1, 2, 3, 1};
    for (const BodyId body : bodies)
    {
        for (int i = pick(3); i >= 0; --i)
        {
            const ShapeOptions options{.category = masks[static_cast<std::size_t>(pick(5))],
                                       .mask = masks[static_cast<std::size_t>(pick(5))]};
            shapes.push_back(builder.add_shape(body, Sphere{.radius = 0.1}, options));
        }
    }
    builder.exclude(bodies[1], bodies[4]);
    builder.exclude(bodies[6], bodies[2]);
    if (seed % 2 == 0) builder.add_pair(shapes[3], shapes[0]);
    builder.settings().filter_parents = seed % 3 != 0;
    return builder.build().value();
}

/// True if no joint lies between the two bodies: both lead to the same place through bodies without joints.
int find_weld(const Model& model, int body)
{
    const auto b = static_cast<std::size_t>(body);
    if (body == 0 || model.bodies.joint_begin[b + 1] > model.bodies.joint_begin[b]) return body;
    return find_weld(model, model.bodies.parent[b]);
}

/// The rules, one by one, from the model's tree.
bool may_collide_by_the_book(const Model& model, int a, int b)
{
    for (const ShapePair& pair : model.pairs)
    {
        if ((pair.first == a && pair.second == b) || (pair.first == b && pair.second == a)) return true;
    }
    const auto sa = static_cast<std::size_t>(a), sb = static_cast<std::size_t>(b);
    const Shapes& shapes = model.shapes;
    if ((shapes.category[sa] & shapes.mask[sb]) == 0 && (shapes.category[sb] & shapes.mask[sa]) == 0) return false;
    const int body_a = shapes.body[sa], body_b = shapes.body[sb];
    for (const auto& [first, second] : model.excluded_bodies)
    {
        if ((first == body_a && second == body_b) || (first == body_b && second == body_a)) return false;
    }
    const int weld_a = find_weld(model, body_a), weld_b = find_weld(model, body_b);
    if (weld_a == weld_b) return false;
    if (weld_a == 0 || weld_b == 0) return true;  // no kinematic bodies here: the other group has joints
    if (!model.settings.filter_parents) return true;
    const int above_a = find_weld(model, model.bodies.parent[static_cast<std::size_t>(weld_a)]);
    const int above_b = find_weld(model, model.bodies.parent[static_cast<std::size_t>(weld_b)]);
    return above_a != weld_b && above_b != weld_a;
}

}  // namespace

TEST(Filter, follows_the_rules_for_every_pair_of_random_forests)
{
    int allowed = 0, refused = 0;
    for (unsigned seed = 0; seed < 40; ++seed)
    {
        const Model model = make_forest(seed);
        bool any = false;
        for (int a = 0; a < model.shape_count(); ++a)
        {
            EXPECT_FALSE(may_collide(model, ShapeId{a}, ShapeId{a}));
            for (int b = 0; b < a; ++b)
            {
                const bool expected = may_collide_by_the_book(model, a, b);
                EXPECT_EQ(may_collide(model, ShapeId{a}, ShapeId{b}), expected)
                    << "seed " << seed << " shapes " << a << ", " << b;
                EXPECT_EQ(may_collide(model, ShapeId{b}, ShapeId{a}), expected);
                any = any || expected;
                ++(expected ? allowed : refused);
            }
        }
        const std::optional<PairCandidate> found = find_any_pair(model);
        ASSERT_EQ(found.has_value(), any) << "seed " << seed;
        EXPECT_TRUE(!found || may_collide_by_the_book(model, found->first.index, found->second.index));
    }
    EXPECT_GT(allowed, 1000);
    EXPECT_GT(refused, 1000);
}

TEST(Filter, no_pair_collides_when_masks_never_meet)
{
    ModelBuilder builder;
    builder.add_ground({.category = 1, .mask = 0});
    for (int i = 0; i < 3; ++i)
    {
        builder.add_shape(builder.add_body(), Sphere{}, {.category = 1, .mask = 2});
        builder.add_shape(builder.add_body(), Sphere{}, {.category = 0, .mask = 0});
    }
    EXPECT_FALSE(find_any_pair(builder.build().value()).has_value());
}

TEST(Filter, kinematic_and_fixed_bodies_do_not_collide_with_each_other)
{
    ModelBuilder builder;
    builder.add_ground();
    const BodyId belt = builder.add_body({.name = "belt", .kind = BodyKind::kinematic});
    builder.add_shape(belt, Sphere{});
    EXPECT_FALSE(find_any_pair(builder.build().value()).has_value());
    builder.add_shape(builder.add_body(), Sphere{});
    EXPECT_TRUE(find_any_pair(builder.build().value()).has_value());
}

TEST(Filter, finds_the_one_pair_among_many_shapes_quickly)
{
    // Fixed shapes only, but for one ball at the end, and it meets only the first of them.
    Model model;
    const int count = 300000;
    Bodies& bodies = model.bodies;
    bodies.parent = {-1, 0};
    bodies.last_dof = {-1, 5};
    bodies.weld = {0, 1};
    model.shapes.type.assign(static_cast<std::size_t>(count), ShapeType::sphere);
    model.shapes.body.assign(static_cast<std::size_t>(count), 0);
    model.shapes.category.assign(static_cast<std::size_t>(count), 2);
    model.shapes.mask.assign(static_cast<std::size_t>(count), 2);
    model.shapes.body.back() = 1;
    model.shapes.category.back() = 4;
    model.shapes.mask.back() = 8;
    EXPECT_FALSE(find_any_pair(model).has_value());
    model.shapes.mask.front() = 4;
    EXPECT_EQ(find_any_pair(model), (PairCandidate{ShapeId{0}, ShapeId{count - 1}}));
}

TEST(Filter, names_a_pair_whose_types_have_no_contact_function_yet)
{
    ModelBuilder builder;
    builder.add_ground();
    builder.add_shape(builder.add_body(), Sphere{});
    builder.add_shape(builder.add_body(), Sphere{});
    EXPECT_FALSE(find_unsupported_pair(builder.build().value()).has_value());
    const MeshId mesh = builder.add_mesh({.vertices = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
                                          .triangles = {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {0, 3, 2}}});
    builder.add_shape(builder.add_body(), Mesh{.mesh = mesh});
    EXPECT_FALSE(find_unsupported_pair(builder.build().value()).has_value()) << "it collides as its hull";
    builder.add_shape(builder.add_body(), Points{mesh}, {.mass = 1, .category = 0, .mask = 0});
    EXPECT_FALSE(find_unsupported_pair(builder.build().value()).has_value()) << "it collides with nothing";
    builder.add_shape(builder.add_body(), Mesh{.mesh = mesh, .collide = MeshCollide::exact});
    EXPECT_FALSE(find_unsupported_pair(builder.build().value()).has_value()) << "its triangles collide";
    for (const Shape& shape : {Shape(Points{mesh}), Shape(Segments{mesh})})
    {
        ModelBuilder other;
        other.add_shape(other.add_body(), Sphere{});
        other.add_mesh({.vertices = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
                        .triangles = {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {0, 3, 2}},
                        .edges = {{0, 1}, {1, 2}, {2, 3}}});
        const ShapeId last = other.add_shape(other.add_body(), shape, {.mass = 1});
        const std::optional<PairCandidate> pair = find_unsupported_pair(other.build().value());
        ASSERT_TRUE(pair.has_value());
        EXPECT_EQ(pair->second, last);
    }
}

}  // namespace rattleback
