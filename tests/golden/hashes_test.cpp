// One hash per scene, solver and integrator: equal for any number of threads and worlds, any build, any machine.
#include "lab/scenes/scenes.h"

#include <rattleback/rattleback.h>

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <map>
#include <sstream>

namespace rattleback
{
namespace
{

constexpr int kSteps = 200;
constexpr const char* kFile = RATTLEBACK_SOURCE_DIR "/tests/golden/hashes.txt";

/// Lines "scene solver integrator hash".
std::map<std::string, std::string> read_goldens()
{
    std::map<std::string, std::string> goldens;
    std::ifstream file(kFile);
    std::string scene, solver, integrator, value;
    while (file >> scene >> solver >> integrator >> value) goldens[scene + ' ' + solver + ' ' + integrator] = value;
    return goldens;
}

std::string to_hex(std::uint64_t value)
{
    std::ostringstream text;
    text << std::hex << value;
    return text.str();
}

/// World w starts a little apart from the others, world 0 as authored.
void perturb(State& state, int world)
{
    const WorldView view = state.world(world);
    for (double& v : view.v) v += 0.01 * world;
}

TEST(Golden, every_scene_ends_in_its_hash_for_any_number_of_threads)
{
    const std::map<std::string, std::string> goldens = read_goldens();
    std::ostringstream updated;
    for (const lab::Scene& scene : lab::all_scenes())
    {
        const auto model = std::make_shared<const Model>(scene.build().value());
        for (const char* integrator : {"euler", "implicitfast", "rk4", "lie_rk4", "midpoint"})
        {
            const Parameters parameters{{"integrator", std::string(integrator)}, {"ignore", std::string(scene.ignore)}};
            std::uint64_t first = 0;
            for (const int threads : {1, 2, 3})
            {
                Batch batch =
                    Batch::make(model, {.parameters = parameters, .world_count = 5 + threads, .thread_count = threads})
                        .value();
                for (int w = 1; w < batch.world_count(); ++w) perturb(batch.state(), w);
                batch.run_steps(kSteps);
                const std::uint64_t ended = hash(batch.state(), 0) ^ hash(batch.state(), 5);
                if (threads == 1) first = ended;
                EXPECT_EQ(ended, first) << scene.name << ' ' << integrator << " on " << threads << " threads";
            }
            const std::string key = std::string(scene.name) + " smooth " + integrator;
            updated << key << ' ' << to_hex(first) << '\n';
            const auto golden = goldens.find(key);
            EXPECT_TRUE(golden != goldens.end() && golden->second == to_hex(first))
                << key << " is now " << to_hex(first)
                << "; after an intended change of behaviour run this test with RATTLEBACK_UPDATE_GOLDEN=1";
        }
    }
    if (std::getenv("RATTLEBACK_UPDATE_GOLDEN")) std::ofstream(kFile) << updated.str();
}

TEST(Golden, a_world_of_a_batch_has_the_bits_of_a_simulation_of_its_own)
{
    for (const lab::Scene& scene : lab::all_scenes())
    {
        const auto model = std::make_shared<const Model>(scene.build().value());
        const Parameters parameters{{"ignore", std::string(scene.ignore)}};
        Batch batch = Batch::make(model, {.parameters = parameters, .world_count = 7, .thread_count = 2}).value();
        for (int w = 0; w < 7; ++w) perturb(batch.state(), w);
        batch.run_steps(kSteps);
        for (const int w : {0, 3, 4, 6})
        {
            Simulation alone = Simulation::make(model, {.parameters = parameters}).value();
            perturb(alone.state(), 0);
            for (double& v : alone.state().v) v += 0.01 * w;
            for (int i = 0; i < kSteps; ++i) alone.step();
            EXPECT_EQ(hash(batch.state(), w), hash(alone.state(), 0)) << scene.name << ", world " << w;
        }
    }
}

}  // namespace
}  // namespace rattleback
