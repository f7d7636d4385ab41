// Cones of normals: they hold every direction from which something can be touched.
#include "geometry/normal_cone.h"

#include "geometry/triangle_surface.h"
#include "lab/scenes/eared.h"
#include "support/brute_triangles.h"
#include "support/random_model.h"

#include <rattleback/contacts.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace rattleback
{
namespace
{

bool holds(const NormalCone& cone, const Vec3& direction)
{
    return !cone.is_empty && dot(cone.axis, direction) >= cone.angle.cosine - 1e-9;
}

TEST(NormalCone, of_a_corner_holds_all_directions_in_which_no_edge_leads_on)
{
    Random random(1);
    int narrow = 0, touched = 0;
    for (int fan = 0; fan < 300; ++fan)
    {
        // Three to eight edges around an axis, from needles to pits.
        const Vec3 axis = random.direction();
        const Mat3 frame = make_contact_frame(axis);
        const int count = 3 + fan % 6;
        const double rise = random.uniform(-1.5, 0.5), rough = random.uniform(0, 0.5);
        std::vector<Vec3> ways;
        for (int i = 0; i < count; ++i)
        {
            const double turn = 2 * kPi * (i + random.uniform(-0.3, 0.3)) / count;
            ways.push_back(make_unit(std::cos(turn) * frame.column(1) + std::sin(turn) * frame.column(2) +
                                     (rise + random.uniform(-rough, rough)) * axis));
        }
        const NormalCone cone = find_corner_cone(ways, axis);
        narrow += !cone.is_empty && cone.angle.cosine > -0.99 ? 1 : 0;
        for (int k = 0; k < 2000; ++k)
        {
            const Vec3 direction = random.direction();
            // From inside the solid nothing comes.
            if (dot(direction, axis) < -0.1) continue;
            const bool is_extreme = std::all_of(ways.begin(), ways.end(),
                                                [&](const Vec3& way) { return dot(way, direction) <= kLeaningSine; });
            touched += is_extreme ? 1 : 0;
            EXPECT_TRUE(!is_extreme || holds(cone, direction)) << fan << ' ' << k;
        }
    }
    EXPECT_GT(narrow, 100);
    EXPECT_GT(touched, 10'000);
}

TEST(NormalCone, around_others_holds_what_they_hold)
{
    Random random(2);
    for (int k = 0; k < 1000; ++k)
    {
        std::array<NormalCone, 3> cones;
        for (NormalCone& cone : cones)
        {
            const double angle = random.uniform(0, 2);
            cone = {.axis = random.direction(), .angle = {std::cos(angle), std::sin(angle)}};
        }
        const NormalCone all = merge_cones(random.direction(), cones);
        const Vec3 direction = random.direction();
        for (const NormalCone& cone : cones) EXPECT_TRUE(!holds(cone, direction) || holds(all, direction)) << k;
    }
}

TEST(NormalCone, along_a_tree_leaves_out_no_triangle_nearest_to_a_point_outside)
{
    const MeshSurface surface(lab::make_eared(12, 0.1), true);
    Random random(3);
    std::size_t visits = 0;
    int outside = 0;
    for (int k = 0; k < 500; ++k)
    {
        const Vec3 point = random.uniform(0.8, 2) * 0.1 * random.direction();
        const NearestOnSurface nearest = find_nearest(surface, point, 1);
        if (nearest.distance <= 0) continue;
        ++outside;
        std::vector<int> found;
        surface.query_ball(point, 1, [&](int t) { found.push_back(t); });
        visits += found.size();
        EXPECT_TRUE(std::find(found.begin(), found.end(), nearest.triangle) != found.end()) << k;
    }
    EXPECT_GT(outside, 200);
    // 1728 triangles are within the radius; those that face the point are few.
    EXPECT_LT(static_cast<double>(visits) / outside, 400);
}

/// A closed mesh around the origin, in rings: radii from `least` to 1 at random, or an uneven cone with a sharp tip.
MeshOptions make_random_star(Random& random, int kind)
{
    MeshOptions mesh;
    const int rings = kind == 0 ? 1 : 3 + kind, across = kind == 0 ? 14 : 6 + kind;
    const double least = kind == 1 ? 1 : 0.4;
    mesh.vertices.push_back({0, 0, kind == 0 ? 2 : random.uniform(least, 1)});
    for (int r = 1; r <= rings; ++r)
    {
        for (int c = 0; c < across; ++c)
        {
            // Of cones most of the rim lies on one side: the mean of the tip's normals leans there.
            const bool is_crowded = kind == 0 && c < across - 2;
            const double turn = is_crowded ? 2.5 * c / across : 2 * kPi * c / across;
            const double lean = kPi * r / (rings + 1), radius = kind == 0 ? 0.2 : random.uniform(least, 1);
            mesh.vertices.push_back({radius * std::sin(lean) * std::cos(turn), radius * std::sin(lean) * std::sin(turn),
                                     radius * std::cos(lean)});
        }
    }
    mesh.vertices.push_back({0, 0, kind == 0 ? -0.05 : -random.uniform(least, 1)});
    const auto number = [&](int r, int c) { return 1 + (r - 1) * across + c % across; };
    const int last = static_cast<int>(mesh.vertices.size()) - 1;
    for (int c = 0; c < across; ++c)
    {
        mesh.triangles.push_back({0, number(1, c), number(1, c + 1)});
        mesh.triangles.push_back({last, number(rings, c + 1), number(rings, c)});
        for (int r = 1; r < rings; ++r)
        {
            mesh.triangles.push_back({number(r, c), number(r + 1, c), number(r + 1, c + 1)});
            mesh.triangles.push_back({number(r, c), number(r + 1, c + 1), number(r, c + 1)});
        }
    }
    return mesh;
}

/// As it is, inside out, or with a hole.
MeshOptions spoil_mesh(MeshOptions mesh, int how)
{
    if (how == 1)
    {
        for (auto& triangle : mesh.triangles) std::swap(triangle[0], triangle[1]);
    }
    if (how == 2) mesh.triangles.resize(mesh.triangles.size() - 3);
    return mesh;
}

TEST(NormalCone, of_a_tip_leaves_out_no_face_that_could_hold_it)
{
    Random random(4);
    int skipped = 0, held = 0, wrong = 0;
    for (int k = 0; k < 400; ++k)
    {
        const MeshSurface of(spoil_mesh(make_random_star(random, k % 4), k / 4 % 3), true);
        const MeshSurface by(spoil_mesh(make_random_star(random, k / 12 % 4), k / 48 % 3), true);
        const Mat3 turn = to_matrix(random.rotation());
        const Vec3 place = random.uniform(0, 0.7) * random.direction();
        for (int v = 0; v < of.vertex_count(); ++v)
        {
            const Vec3 tip = place + turn * of.vertex(v);
            const double reach = random.uniform(0, 0.5);
            // By every face: is it near enough, and the tip the furthest along its normal?
            bool is_held = false;
            for (int t = 0; t < by.triangle_count() && !is_held; ++t)
            {
                is_held = find_brute_distance(tip, by.corners(t)) <= reach &&
                          of.is_extreme(v, -transpose_times(turn, by.normal(t)), kLeaningSine);
            }
            CornerCones cones = of.corner_cones(v);
            cones.front.axis = turn * cones.front.axis;
            cones.back.axis = turn * cones.back.axis;
            const bool may_be = by.may_be_held(tip, reach, cones);
            held += is_held ? 1 : 0;
            skipped += may_be ? 0 : 1;
            wrong += is_held && !may_be ? 1 : 0;
        }
    }
    EXPECT_EQ(wrong, 0) << "of " << held;
    EXPECT_GT(held, 1000);
    // Most of those that nothing holds are known without a look at any face.
    EXPECT_GT(skipped, 4000);
}

}  // namespace
}  // namespace rattleback
