// Cones of normals: they hold every direction from which something can be touched.
#include "geometry/normal_cone.h"

#include "geometry/triangle_surface.h"
#include "lab/scenes/eared.h"
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

}  // namespace
}  // namespace rattleback
