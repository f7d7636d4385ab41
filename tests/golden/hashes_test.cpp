// One line per scene, solver and variant: equal for any number of threads and worlds, any build, any machine.
#include "golden/golden.h"
#include "lab/scenes/scenes.h"

#include <gtest/gtest.h>

namespace rattleback::golden
{
namespace
{

using std::string;

// Long enough at 4 ms for whatever hangs above the floor to reach it; `sleep` begins after ten quiet steps.
constexpr int kSteps = 100;
constexpr double kDt = 4e-3;

TEST(Golden, smooth_ends_in_its_hashes_for_any_number_of_threads)
{
    Family family{.label = "smooth", .solver = "smooth", .last_world = 5, .steps = 200};  // packs of four, and a rest
    for (const char* integrator : {"euler", "implicitfast", "rk4", "lie_rk4", "midpoint"})
        family.variants.push_back({.name = integrator, .parameters = {{"integrator", string(integrator)}}});
    expect_golden(family);
}

TEST(Golden, convex_ends_in_its_hashes_for_any_number_of_threads)
{
    Family family{.label = "convex", .solver = "convex", .steps = kSteps, .dt = kDt};
    family.variants = {
        {.name = "newton", .parameters = {}},
        {.name = "sparse", .parameters = {{"dense_limit", 0}}, .scenes = {"humanoid", "box_stack"}},
        {.name = "cg", .parameters = {{"solver", string("CG")}}, .scenes = {"humanoid", "hand", "box_stack"}},
        {.name = "pgs", .parameters = {{"solver", string("PGS")}}, .scenes = {"quadruped", "arm", "mass_ratio"}},
        {.name = "elliptic",
         .parameters = {{"cone", string("elliptic")}},
         .scenes = {"quadruped", "hand", "box_stack", "mass_ratio"}},
        {.name = "cg_elliptic",
         .parameters = {{"cone", string("elliptic")}, {"solver", string("CG")}},
         .scenes = {"quadruped"}},
        {.name = "pgs_elliptic",
         .parameters = {{"cone", string("elliptic")}, {"solver", string("PGS")}},
         .scenes = {"quadruped"}},
        {.name = "noslip", .parameters = {{"noslip_iterations", 5}}, .scenes = {"quadruped", "hand", "mass_ratio"}},
        {.name = "creep", .parameters = {{"stick", false}}, .scenes = {"quadruped", "mass_ratio"}},
        {.name = "cold", .parameters = {{"warmstart", false}, {"island", false}}, .scenes = {"hand"}},
        {.name = "sleep", .parameters = {{"sleep", true}}, .scenes = {"box_stack", "mass_ratio"}},
    };
    for (const char* integrator : {"euler", "implicitfast", "rk4", "lie_rk4", "midpoint"})
        family.variants.push_back({.name = integrator,
                                   .parameters = {{"integrator", string(integrator)}},
                                   .scenes = {"chain", "arm", "quadruped"}});
    expect_golden(family);
}

TEST(Golden, comfree_ends_in_its_hashes_for_any_number_of_threads)
{
    const std::vector<std::string_view> few = {"quadruped", "hand", "box_stack", "mass_ratio"};
    Family family{.label = "comfree", .solver = "comfree", .steps = kSteps, .dt = kDt};
    family.variants = {
        {.name = "stable", .parameters = {}},
        {.name = "direct", .parameters = {{"method", string("direct")}}, .scenes = {"humanoid", "quadruped", "hand"}},
        {.name = "anchor", .parameters = {{"anchor", true}}, .scenes = {"quadruped", "box_stack"}},
        {.name = "one_sweep", .parameters = {{"sweeps", 1}}, .scenes = few},
        {.name = "printed", .parameters = {{"law", string("printed")}}, .scenes = few},
        {.name = "exact",
         .parameters = {{"law", string("printed")}, {"impedance", string("exact")}, {"slide_facets", 8}},
         .scenes = few},
        {.name = "as_coded", .parameters = {{"law", string("as_coded")}}, .scenes = few},
    };
    for (const char* integrator : {"euler", "implicitfast", "rk4", "midpoint"})
        family.variants.push_back(
            {.name = integrator, .parameters = {{"integrator", string(integrator)}}, .scenes = {"arm", "quadruped"}});
    expect_golden(family);
}

TEST(Golden, avbd_ends_in_its_hashes_for_any_number_of_threads)
{
    expect_golden(
        {.label = "avbd",
         .solver = "avbd",
         .steps = kSteps,
         .dt = kDt,
         .variants = {
             {.name = "augmented", .parameters = {}},
             {.name = "single", .parameters = {{"precision", string("single")}}},
             {.name = "bodies",
              .parameters = {{"blocks", string("bodies")}},
              .scenes = {"chain", "humanoid", "quadruped", "arm", "hand"}},
             {.name = "penalty",
              .parameters = {{"mode", string("penalty")}},
              .scenes = {"double_pendulum", "humanoid", "box_stack", "mass_ratio", "wall"}},
             {.name = "alpha",
              .parameters = {{"stabilisation", string("alpha")}},
              .scenes = {"quadruped", "box_stack", "wall"}},
             {.name = "substeps", .parameters = {{"substeps", 2}}, .scenes = {"quadruped", "hand", "mass_ratio"}},
             {.name = "fresh", .parameters = {{"recycling", false}}, .scenes = {"box_stack", "wall"}},
             {.name = "sleep", .parameters = {{"sleep", true}}, .scenes = {"box_stack", "mass_ratio", "wall"}},
         }});
}

// A body is hundreds of particles here: few scenes, and steps enough for their contacts.
const std::vector<std::string_view> kParticleScenes = {"tumble", "t_handle", "box_stack", "mass_ratio"};
constexpr int kParticleSteps = 40;

/// Variants that `pbd` and `pbdr` share.
std::vector<Variant> make_particle_variants()
{
    const std::vector<std::string_view> few = {"t_handle", "mass_ratio"};
    return {
        {.name = "float", .parameters = {}, .scenes = kParticleScenes},
        {.name = "world", .parameters = {{"frame", string("world")}}, .scenes = kParticleScenes},
        {.name = "double", .parameters = {{"precision", string("double")}}, .scenes = {"t_handle", "mass_ratio"}},
        {.name = "exact", .parameters = {{"packing", string("exact")}}, .scenes = {"mass_ratio"}},
        {.name = "sequential", .parameters = {{"summation", string("sequential")}}, .scenes = few},
        {.name = "compensated", .parameters = {{"summation", string("compensated")}}, .scenes = few},
        {.name = "printed", .parameters = {{"order", string("printed")}}, .scenes = few},
        {.name = "fast_polar", .parameters = {{"polar", string("fast")}}, .scenes = few},
        {.name = "grid", .parameters = {{"grid", string("iteration")}}, .scenes = few},
    };
}

TEST(Golden, pbd_ends_in_its_hashes_for_any_number_of_threads)
{
    expect_golden(
        {.label = "pbd", .solver = "pbd", .steps = kParticleSteps, .dt = kDt, .variants = make_particle_variants()});
}

TEST(Golden, pbdr_ends_in_its_hashes_for_any_number_of_threads)
{
    Family family{
        .label = "pbdr", .solver = "pbdr", .steps = kParticleSteps, .dt = kDt, .variants = make_particle_variants()};
    family.variants.push_back({.name = "difference",
                               .parameters = {{"velocity_update", string("difference")}},
                               .scenes = {"t_handle", "mass_ratio"}});
    expect_golden(family);
}

TEST(Golden, refined_ends_in_its_hashes_for_any_number_of_threads)
{
    expect_golden(
        {.label = "refined",
         .solver = "refined",
         .steps = kParticleSteps,
         .dt = kDt,
         .variants = {
             {.name = "float", .parameters = {}, .scenes = kParticleScenes},
             {.name = "double", .parameters = {{"precision", string("double")}}, .scenes = {"t_handle", "mass_ratio"}},
         }});
}

TEST(Golden, ipc_ends_in_its_hashes_for_any_number_of_threads)
{
    // The stacks start touching: surfaces half a millimetre inside.
    expect_golden({.label = "ipc",
                   .solver = "ipc",
                   .steps = kParticleSteps,
                   .dt = kDt,
                   .variants = {{.name = "inset", .parameters = {{"inset", 5e-4}}, .scenes = kParticleScenes},
                                {.name = "sleep",
                                 .parameters = {{"inset", 5e-4}, {"sleep", true}, {"sleep_tolerance", 0.01}},
                                 .scenes = {"box_stack", "mass_ratio"}}}});
}

TEST(Golden, a_world_of_a_batch_has_the_bits_of_a_simulation_of_its_own)
{
    constexpr int kLong = 200;
    for (const lab::Scene& scene : lab::all_scenes())
    {
        const auto model = std::make_shared<const Model>(scene.build().value());
        const Parameters parameters{{"ignore", string(scene.ignore)}};
        const BatchOptions options{.solver = "smooth", .parameters = parameters, .world_count = 7, .thread_count = 2};
        Batch batch = Batch::make(model, options).value();
        for (int w = 0; w < 7; ++w)
        {
            for (double& v : batch.state().world(w).v) v += 0.01 * w;
        }
        batch.run_steps(kLong);
        for (const int w : {0, 3, 4, 6})
        {
            Simulation alone = Simulation::make(model, {.solver = "smooth", .parameters = parameters}).value();
            for (double& v : alone.state().v) v += 0.01 * w;
            alone.run_steps(kLong);
            EXPECT_EQ(hash(batch.state(), w), hash(alone.state(), 0)) << scene.name << ", world " << w;
        }
    }
}

}  // namespace
}  // namespace rattleback::golden
