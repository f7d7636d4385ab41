// Vertices, edges and neighbours of triangle surfaces: what a solver needs for candidates of corners and faces, and of
// edges.
#include "base/index.h"
#include "geometry/triangle_surface.h"
#include "lab/scenes/eared.h"
#include "math/random.h"

#include <gtest/gtest.h>

#include <set>

namespace rattleback
{
namespace
{

/// Every edge has one number from both sides, runs the other way there, and every vertex has one triangle that owns it.
template <class Surface>
void expect_consistent(const Surface& surface)
{
    std::set<int> owned, vertices;
    for (int t = 0; t < surface.triangle_count(); ++t)
    {
        const SurfaceTriangle here = surface.triangle(t);
        bool is_inner = true;
        for (std::size_t i = 0; i < 3; ++i)
        {
            vertices.insert(here.vertex[i]);
            EXPECT_EQ(here.corner[i], surface.vertex(here.vertex[i]));
            EXPECT_EQ(here.corner[i], surface.corners(t)[i]);
            const bool is_new = !here.owns[i] || owned.insert(here.vertex[i]).second;
            EXPECT_TRUE(is_new) << "a vertex with two owners";
            is_inner = is_inner && here.kind[i] == EdgeKind::flat;
            if (here.neighbour[i] < 0) continue;
            const SurfaceTriangle beyond = surface.triangle(here.neighbour[i]);
            int shared = 0;
            for (std::size_t k = 0; k < 3; ++k)
            {
                if (beyond.edge[k] != here.edge[i]) continue;
                ++shared;
                EXPECT_EQ(beyond.neighbour[k], t);
                EXPECT_EQ(beyond.kind[k], here.kind[i]);
                EXPECT_EQ(beyond.vertex[k], here.vertex[(i + 1) % 3]);
                EXPECT_EQ(beyond.vertex[(k + 1) % 3], here.vertex[i]);
            }
            EXPECT_EQ(shared, 1);
        }
        EXPECT_EQ(surface.is_inner(t), is_inner);
        EXPECT_EQ(surface.patch(t), here.patch);
    }
    EXPECT_EQ(owned, vertices);
}

TEST(SurfaceTopology, of_a_closed_mesh_is_the_same_from_both_sides_of_each_edge)
{
    const MeshSurface surface(lab::make_eared(4, 0.1), true);
    expect_consistent(surface);
    EXPECT_EQ(surface.vertex_count() - surface.edge_count() + surface.triangle_count(), 2);
}

TEST(SurfaceTopology, of_a_height_field_is_the_same_from_both_sides_of_each_edge)
{
    HeightFieldOptions field{
        .name = "field", .rows = 6, .columns = 5, .half_x = 1, .half_y = 2, .base = 1, .heights = {}};
    Random random(4);
    for (int i = 0; i < 30; ++i) field.heights.push_back(i < 15 ? 0.5 : random.uniform(0, 1));
    expect_consistent(GridSurface(field));
}

}  // namespace
}  // namespace rattleback
