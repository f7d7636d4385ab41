// Bounds, area and volume of mesh files as we read them beside those of trimesh, in every format that both know.
#include "external/urdf_match.h"
#include "import/meshes/mesh_file.h"

#include <gtest/gtest.h>

#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>

namespace rattleback
{
namespace
{

/// Six bounds of what the triangles use, area and signed volume, in the file's own axes.
std::vector<double> measure_mesh(const MeshOptions& mesh, bool turned)
{
    Vec3 lower{HUGE_VAL, HUGE_VAL, HUGE_VAL}, upper = -lower;
    double area = 0, volume = 0;
    for (const auto& triangle : mesh.triangles)
    {
        std::array<Vec3, 3> corner;
        for (std::size_t i = 0; i < 3; ++i)
        {
            const Vec3& v = mesh.vertices[static_cast<std::size_t>(triangle[i])];
            corner[i] = turned ? Vec3{v.x, v.z, -v.y} : v;  // glTF has y up, we z
            for (int k = 0; k < 3; ++k)
            {
                lower[k] = std::min(lower[k], corner[i][k]);
                upper[k] = std::max(upper[k], corner[i][k]);
            }
        }
        const Vec3 normal = cross(corner[1] - corner[0], corner[2] - corner[0]);
        area += 0.5 * norm(normal);
        volume += dot(corner[0], normal) / 6;
    }
    return {lower.x, lower.y, lower.z, upper.x, upper.y, upper.z, area, volume};
}

/// Compares one line of the oracle; false where it could not read the file.
bool expect_same_mesh(const std::string& line)
{
    const std::size_t tab = line.find('\t');
    if (tab == std::string::npos) return false;
    const std::filesystem::path file = line.substr(0, tab);
    SCOPED_TRACE(file.string());
    const std::vector<double> theirs = read_numbers(line.substr(tab + 1));
    const Result<MeshOptions> mesh =
        load_mesh_file(file, {}, {.groups = ObjGroups::all, .digits = Digits::all, .polygons_as_mujoco = false});
    EXPECT_TRUE(mesh) << to_text(mesh.errors());
    if (!mesh || theirs.size() != 8) return false;
    const std::string ending = file.extension().string();
    const std::vector<double> ours = measure_mesh(*mesh, ending == ".glb" || ending == ".gltf");
    // Binary formats and some texts hold 32 bits: corners by 1e-7 of the size, area and volume by a few of these.
    double size = 0;
    for (std::size_t k = 0; k < 6; ++k) size = std::max(size, std::abs(theirs[k]));
    for (std::size_t k = 0; k < 6; ++k) EXPECT_NEAR(ours[k], theirs[k], 1e-6 * size) << "bound " << k;
    // trimesh cuts polygons of OBJ files into fans, which overlap where a corner points inward; and how a polygon that
    // is not quite flat is cut is anybody's choice, which the volume feels.
    const bool polygons = ending == ".obj" || ending == ".OBJ";
    if (polygons)
        EXPECT_LE(ours[6], theirs[6] * (1 + 1e-5)) << "area";
    else
        EXPECT_NEAR(ours[6], theirs[6], 1e-5 * theirs[6]) << "area";
    EXPECT_NEAR(ours[7], theirs[7], (polygons ? 3e-4 : 1e-5) * theirs[6] * size) << "volume";
    return true;
}

TEST(MeshMatch, solids_that_trimesh_writes_have_its_bounds_area_and_volume)
{
    SKIP_WITHOUT_PEER("trimesh", "--trimesh");
    const std::filesystem::path folder =
        std::filesystem::temp_directory_path() / ("rattleback_meshes_" + std::to_string(getpid()));
    std::filesystem::create_directories(folder);
    int compared = 0;
    for (const std::string& line : ask_python("trimesh", "trimesh_oracle.py", "'" + folder.string() + "'", ""))
        compared += expect_same_mesh(line) ? 1 : 0;
    EXPECT_EQ(compared, 6 * 6 + 2);
    std::filesystem::remove_all(folder);
}

TEST(MeshMatch, long_meshes_of_published_robots_have_the_bounds_area_and_volume_that_trimesh_gives_them)
{
    SKIP_WITHOUT_PEER("trimesh", "--trimesh");
    SKIP_WITHOUT_PEER("robots", "--robots");
    std::vector<std::string> files;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(find_robots()))
    {
        std::string ending = entry.path().extension().string();
        std::transform(ending.begin(), ending.end(), ending.begin(),
                       [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
        if (ending == ".stl" || ending == ".obj" || ending == ".dae") files.push_back(entry.path().string());
    }
    std::sort(files.begin(), files.end());
    std::string lines;
    for (const std::string& file : files) lines += file + "\n";
    int compared = 0;
    for (const std::string& line : ask_python("trimesh", "trimesh_oracle.py", "", lines))
        compared += expect_same_mesh(line) ? 1 : 0;
    std::printf("%d of %d files compared\n", compared, static_cast<int>(files.size()));
    EXPECT_GE(compared, 500);
}

}  // namespace
}  // namespace rattleback
