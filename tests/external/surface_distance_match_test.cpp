// Distances of meshes that collide by their triangles beside those of Coal, where Pinocchio's environment has it.
#include "collide/surface_distance.h"
#include "external/model_file.h"
#include "lab/scenes/eared.h"
#include "support/shape_pairs.h"
#include "support/source_folder.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <limits>
#include <sstream>

namespace rattleback
{
namespace
{

std::string write_mesh_lines(const MeshOptions& mesh)
{
    std::ostringstream text;
    text.precision(17);
    for (const Vec3& v : mesh.vertices) text << v.x << ' ' << v.y << ' ' << v.z << ' ';
    text << '\n';
    for (const auto& [a, b, c] : mesh.triangles) text << a << ' ' << b << ' ' << c << ' ';
    text << '\n';
    return text.str();
}

std::string write_placement(const PlacedShape& shape)
{
    std::ostringstream text;
    text.precision(17);
    for (const double number : shape.rotation.m) text << number << ' ';
    text << shape.position.x << ' ' << shape.position.y << ' ' << shape.position.z << ' ';
    return text.str();
}

/// Python with Pinocchio, which brings Coal along.
std::filesystem::path find_coal() { return source_folder() / "build" / "peers" / "pinocchio" / "bin" / "python"; }

/// Coal's distances [m], one per pose.
std::vector<double> ask_coal(const std::string& text)
{
    const ModelFile input(text), output("");
    const std::string command = "'" + find_coal().string() + "' -B '" + source_folder().string() +
                                "/tests/external/coal_distance.py' < '" + input.path() + "' > '" + output.path() + "'";
    EXPECT_EQ(std::system(command.c_str()), 0) << command;
    std::vector<double> distances;
    std::ifstream answers(output.path());
    for (double distance = 0; answers >> distance;) distances.push_back(distance);
    return distances;
}

TEST(SurfaceDistanceMatch, meshes_are_as_far_apart_as_coal_says)
{
    if (!std::filesystem::exists(find_coal())) GTEST_SKIP() << "tools/peers --pinocchio installs Coal";
    constexpr double kEaredSize = 0.1;
    const MeshOptions coarse = lab::make_eared(5, kEaredSize), fine = lab::make_eared(9, kEaredSize);
    const MeshSurface first_surface(coarse, true), second_surface(fine, true);
    PlacedShape first{.type = ShapeType::mesh}, second{.type = ShapeType::mesh};
    first.mesh = &first_surface;
    second.mesh = &second_surface;
    std::string text = write_mesh_lines(coarse) + write_mesh_lines(fine);
    std::vector<double> ours;
    SurfaceScratch scratch;
    Random random(8);
    for (int k = 0; k < 200; ++k)
    {
        first.rotation = to_matrix(random.rotation());
        second.rotation = to_matrix(random.rotation());
        second.position = random.uniform(2, 6) * kEaredSize * random.direction();
        text += write_placement(first) + write_placement(second) + '\n';
        const auto gap = find_surface_distance(first, second, std::numeric_limits<double>::infinity(), scratch);
        ASSERT_TRUE(gap);
        ours.push_back(gap->distance);
    }
    const std::vector<double> theirs = ask_coal(text);
    ASSERT_EQ(theirs.size(), ours.size());
    int apart = 0;
    for (std::size_t k = 0; k < ours.size(); ++k)
    {
        // Coal has no depth of meshes that overlap: there only the sign is compared.
        if (theirs[k] <= 0)
        {
            EXPECT_LE(ours[k], 0) << k;
            continue;
        }
        ++apart;
        EXPECT_NEAR(ours[k], theirs[k], 1e-9 * kEaredSize) << k;
    }
    EXPECT_GT(apart, 100);
}

}  // namespace
}  // namespace rattleback
