// Tests 4 to 6 of [PBD-R] Table I with a real bunny, where its file is there.
#include "external/data.h"
#include "import/meshes/mesh_file.h"
#include "lab/accuracy/run.h"
#include "lab/scenes/rabbit.h"

#include <gtest/gtest.h>

#include <cmath>

namespace rattleback::lab
{
namespace
{

TEST(BunnyAccuracy, slow_a_real_bunny_neither_tumbles_nor_strays_in_refined)
{
    const std::filesystem::path path = find_data() / "rigid-ipc/meshes/bunny-lowpoly.obj";
    if (!std::filesystem::exists(path)) GTEST_SKIP() << path << " is not there";
    std::vector<std::string> notes;
    const Result<MeshOptions> mesh = make_fit(load_mesh_file(path, {}, {.groups = ObjGroups::all}).value(), 0.2, notes);
    ASSERT_TRUE(mesh.ok()) << to_text(mesh.errors());
    for (const int number : {4, 5, 6})
    {
        const AccuracyCase test = make_case(number, {.mesh = &mesh.value()}).value();
        const Contestant refined{.name = "refined", .solver = "refined", .parameters = {{"radius", 0.005}}};
        const AccuracyRun run = run_case(test, refined);
        ASSERT_EQ(run.refused, "");
        EXPECT_EQ(run.trouble, "");
        RecordProperty("test_" + std::to_string(number) + "_position", std::to_string(run.end().position));
        RecordProperty("test_" + std::to_string(number) + "_rotation", std::to_string(run.end().rotation));
        if (number == 5)
            EXPECT_LT(std::abs(run.end().yaw), 0.1) << number;
        else
            EXPECT_LT(run.end().position, 0.002) << number;
    }
}

}  // namespace
}  // namespace rattleback::lab
