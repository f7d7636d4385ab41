// The robots of example-robot-data as we read them, beside Pinocchio, MuJoCo and Assimp.
#include "external/model_file.h"
#include "external/urdf_match.h"
#include "import/meshes/mesh_file.h"

#include <rattleback/import.h>

#include <gtest/gtest.h>

#include <cstdio>
#include <fstream>
#include <iterator>
#include <limits>
#include <set>

namespace rattleback
{
namespace
{

/// Files that are wrong.
const std::set<std::string> kWrongRobots = {
    "allegro_left_hand",
    "allegro_right_hand",
    "romeo_laas_small",
    "romeo_small",  // moments that no solid has
    "finger_edu",
    "icub",
    "icub_reduced",  // moments that are zero
    "human",         // links that move and have no mass
    "alex_psyonic_hands",
    "talos_left_arm",  // a mimic, a transmission of joints that are not there
    "ur3",             // no links
};

/// Robots to which we give other masses than Pinocchio, with a warning: bolt's feet have an inertia and no mass, which
/// we leave out; romeo has links that move and have no mass, which get that of their shapes.
const std::set<std::string> kOtherMasses = {"bolt", "romeo"};

/// The files of all robots, in a fixed order.
std::vector<std::filesystem::path> list_robots()
{
    std::vector<std::filesystem::path> files;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(find_robots() / "robots"))
    {
        if (entry.path().extension() == ".urdf") files.push_back(entry.path());
    }
    std::sort(files.begin(), files.end());
    return files;
}

Result<Imported> load_robot(const std::filesystem::path& file)
{
    return load_model(file, {.package_path = {find_robots().parent_path()}});
}

/// Can its joints be named one by one, and do all programs weigh it alike?
bool is_comparable(const Model& model, const std::string& name)
{
    const auto one = [](JointType type) { return type == JointType::hinge || type == JointType::slide; };
    return model.v_count() > 0 && std::ranges::all_of(model.joints.type, one) && !kOtherMasses.contains(name);
}

TEST(PublishedRobots, long_all_load_or_name_what_is_wrong_and_have_the_dynamics_that_pinocchio_gives_them)
{
    SKIP_WITHOUT_PEER("pinocchio", "--pinocchio");
    SKIP_WITHOUT_PEER("robots", "--robots");
    int loaded = 0, matched = 0;
    std::set<std::string> refused;
    for (const std::filesystem::path& file : list_robots())
    {
        SCOPED_TRACE(file.string());
        const std::string name = file.stem().string();
        const auto robot = load_robot(file);
        for (const Error& error : robot.errors())
        {
            EXPECT_NE(error.where.find(".urdf:"), std::string::npos) << error.text();
            if (refused.insert(name).second) std::printf("refused: %s\n", error.text().c_str());
        }
        if (!robot) continue;
        ++loaded;
        if (!is_comparable(robot->model, name))
        {
            std::printf("not compared: %s\n", name.c_str());
            continue;
        }
        ++matched;
        expect_same_as_pinocchio(file.string(), robot->model, "fixed");
    }
    std::printf("%d robots loaded, %d compared, %d refused\n", loaded, matched, static_cast<int>(refused.size()));
    EXPECT_EQ(refused, kWrongRobots);
    EXPECT_GE(matched, 50);
}

/// The text without what a robot looks like and collides with: MuJoCo finds no meshes in packages. Masses are written.
std::string read_without_shapes(const std::filesystem::path& file)
{
    std::ifstream stream(file);
    std::string text{std::istreambuf_iterator<char>(stream), {}};
    for (const char* word : {"visual", "collision"})
    {
        const std::string open = std::string("<") + word, close = std::string("</") + word + ">";
        for (std::size_t begin = text.find(open); begin != std::string::npos; begin = text.find(open, begin))
        {
            const char next = text[begin + open.size()];
            const std::size_t end = text.find(close, begin);
            if ((next != '>' && next != ' ') || end == std::string::npos)
                begin += open.size();
            else
                text.erase(begin, end + close.size() - begin);
        }
    }
    return text;
}

TEST(PublishedRobots, long_have_the_dynamics_that_mujoco_gives_them_where_it_reads_the_file)
{
    SKIP_WITHOUT_MUJOCO();
    SKIP_WITHOUT_PEER("robots", "--robots");
    int matched = 0, refused = 0;
    for (const std::filesystem::path& file : list_robots())
    {
        SCOPED_TRACE(file.string());
        const auto robot = load_robot(file);
        if (!robot || !is_comparable(robot->model, file.stem().string())) continue;
        const ModelFile bare(read_without_shapes(file));
        Result<lab::Oracle> oracle = lab::Oracle::load_file(bare.path());
        if (!oracle)
        {
            ++refused;
            std::printf("MuJoCo refuses %s: %s\n", file.stem().c_str(), to_text(oracle.errors()).c_str());
            continue;
        }
        ++matched;
        expect_same_as_mujoco(robot->model, oracle.value());
    }
    std::printf("%d robots compared with MuJoCo, %d refused by it\n", matched, refused);
    EXPECT_GE(matched, 30);
}

TEST(PublishedRobots, long_collada_meshes_have_the_bounds_that_assimp_gives_them)
{
    SKIP_WITHOUT_PEER("pinocchio", "--pinocchio");
    SKIP_WITHOUT_PEER("robots", "--robots");
    std::string files;
    std::vector<std::filesystem::path> paths;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(find_robots()))
    {
        if (entry.path().extension() != ".dae") continue;
        paths.push_back(entry.path());
        files += entry.path().string() + "\n";
    }
    const std::vector<std::string> answers = ask_python("pinocchio", "coal_oracle.py", "", files);
    ASSERT_EQ(answers.size(), paths.size());
    for (std::size_t i = 0; i < paths.size(); ++i)
    {
        SCOPED_TRACE(paths[i].string());
        const std::vector<double> theirs = read_numbers(answers[i]);
        const Result<MeshOptions> mesh = load_mesh_file(paths[i]);
        EXPECT_TRUE(mesh) << to_text(mesh.errors());
        if (!mesh || theirs.size() != 6) continue;
        std::vector<double> bounds(6);
        for (std::size_t k = 0; k < 3; ++k)
        {
            bounds[k] = std::numeric_limits<double>::max();
            bounds[k + 3] = -bounds[k];
            for (const auto& triangle : mesh->triangles)
            {
                for (const int corner : triangle)
                {
                    const double x = mesh->vertices[static_cast<std::size_t>(corner)][static_cast<int>(k)];
                    bounds[k] = std::min(bounds[k], x);
                    bounds[k + 3] = std::max(bounds[k + 3], x);
                }
            }
        }
        expect_near(bounds, theirs, "bounds", 1e-5);  // both round to 32 bits, at different places
    }
}

}  // namespace
}  // namespace rattleback
