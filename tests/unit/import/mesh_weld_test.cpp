// Welding merges equal vertices and nothing else.
#include "import/meshes/mesh_file.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace rattleback
{
namespace
{

bool is_equal(const Vec3& a, const Vec3& b) { return a.x == b.x && a.y == b.y && a.z == b.z; }

}  // namespace

TEST(MeshWeld, keeps_the_first_of_equal_vertices_in_their_order)
{
    MeshOptions mesh{.vertices = {{3, 0, 0}, {1, 0, 0}, {3, 0, 0}, {2, 0, 0}, {1, 0, 0}},
                     .triangles = {{0, 1, 3}, {2, 4, 3}},
                     .edges = {{4, 2}}};
    weld_vertices(mesh);
    ASSERT_EQ(mesh.vertices.size(), 3U);
    EXPECT_EQ(mesh.vertices[0].x, 3);
    EXPECT_EQ(mesh.vertices[1].x, 1);
    EXPECT_EQ(mesh.vertices[2].x, 2);
    EXPECT_EQ(mesh.triangles, (std::vector<std::array<int, 3>>{{0, 1, 2}, {0, 1, 2}}));
    EXPECT_EQ(mesh.edges, (std::vector<std::array<int, 2>>{{1, 0}}));
}

TEST(MeshWeld, merges_zero_with_minus_zero_and_leaves_close_neighbours_apart)
{
    MeshOptions mesh{.vertices = {{-0.0, 1, 0}, {0.0, 1, -0.0}, {std::nextafter(0.0, 1.0), 1, 0}},
                     .triangles = {{0, 1, 2}}};
    weld_vertices(mesh);
    EXPECT_EQ(mesh.vertices.size(), 2U);
    EXPECT_EQ(mesh.triangles[0], (std::array{0, 0, 1}));
}

TEST(MeshWeld, does_nothing_to_an_empty_mesh)
{
    MeshOptions mesh;
    weld_vertices(mesh);
    EXPECT_TRUE(mesh.vertices.empty());
}

TEST(MeshWeld, agrees_with_comparing_every_pair)
{
    std::mt19937 random(4);
    std::uniform_int_distribution<int> coordinate(-1, 1), count(1, 60);
    for (int round = 0; round < 100; ++round)
    {
        MeshOptions mesh;
        const int n = count(random);
        for (int i = 0; i < n; ++i)
        {
            mesh.vertices.push_back({0.5 * coordinate(random), 0.1 * coordinate(random), 1.0 * coordinate(random)});
            mesh.triangles.push_back({i, (i * 7) % n, (i * 3) % n});
        }
        MeshOptions welded = mesh;
        weld_vertices(welded);

        std::vector<Vec3> kept;
        for (const Vec3& v : mesh.vertices)
        {
            bool seen = false;
            for (const Vec3& other : kept) seen = seen || is_equal(v, other);
            if (!seen) kept.push_back(v);
        }
        ASSERT_EQ(welded.vertices.size(), kept.size());
        for (std::size_t i = 0; i < kept.size(); ++i) EXPECT_TRUE(is_equal(welded.vertices[i], kept[i]));
        for (std::size_t i = 0; i < mesh.triangles.size(); ++i)
        {
            for (std::size_t j = 0; j < 3; ++j)
            {
                const Vec3& before = mesh.vertices[static_cast<std::size_t>(mesh.triangles[i][j])];
                const Vec3& after = welded.vertices[static_cast<std::size_t>(welded.triangles[i][j])];
                EXPECT_TRUE(is_equal(before, after));
            }
        }
    }
}

}  // namespace rattleback
