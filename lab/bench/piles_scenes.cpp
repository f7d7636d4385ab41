// The scenes of bench `piles`.
#include "lab/bench/piles.h"
#include "lab/scenes/piles.h"
#include "lab/scenes/stacks.h"

namespace rattleback::lab
{

namespace
{

constexpr int kLayers[2] = {15, 8}, kBase[2] = {100, 30}, kThings[2] = {1000, 200};

Region above_floor(bool /*quick*/) { return {.low = {-HUGE_VAL, -HUGE_VAL, 0}}; }
Region anywhere(bool /*quick*/) { return {}; }

/// Inside the walls of the bin, which follow from the number of things.
Region inside_bin(bool quick)
{
    const Result<Model> model = build_mixed_bin({.count = kThings[quick]});
    const double reach = -model.value().shapes.pose[1].position.x;  // the middle of the first wall
    return {.low = {-reach, -reach, 0}, .high = {reach, reach, HUGE_VAL}};
}

Region inside_drum(bool /*quick*/)
{
    const TumblerOptions drum;
    const double reach = drum.radius / 0.9238795325112867;  // cos(pi / 8): the corners
    return {.low = {-reach, -drum.half_length, -reach}, .high = {reach, drum.half_length, reach}};
}

// A new scene is one line here.
const PileScene kScenes[] = {
    {.name = "pyramid",
     .title = "pyramid of 2 m boxes, dropped",
     .build = [](bool quick) { return build_pyramid({.layers = kLayers[quick], .gap = 0.5}); },
     .settle = {300, 200},
     .measured = {200, 50},
     .region = &above_floor,
     .top = [](bool quick) { return Vec3{0, 0, 2.0 * kLayers[quick] - 1}; },
     .duel = true},
    {.name = "flat_pyramid",
     .title = "flat pyramid of 1 m boxes, placed",
     .build = [](bool quick) { return build_flat_pyramid({.base = kBase[quick]}); },
     .settle = {180, 60},
     .measured = {60, 30},
     .region = &above_floor,
     .top = [](bool quick) { return Vec3{0, 0, kBase[quick] - 0.5}; },
     .flat_view = true},
    {.name = "capsules_27",
     .title = "27 capsules, dropped (Erez et al.)",
     .build = [](bool) { return build_capsules({.count = 27, .soft = false}); },
     .dt = 0.004,
     .settle = {750, 500},
     .measured = {250, 100},
     .region = &above_floor},
    {.name = "capsules_125",
     .title = "125 capsules in a cube, dropped",
     .build = [](bool) { return build_capsules({.count = 125, .layers = 5, .soft = false}); },
     .dt = 0.004,
     .settle = {1000, 500},
     .measured = {250, 100},
     .region = &above_floor,
     .duel = true},
    {.name = "mixed_bin",
     .title = "mixed convex shapes into a bin",
     .build = [](bool quick) { return build_mixed_bin({.count = kThings[quick]}); },
     .settle = {240, 120},
     .measured = {60, 30},
     .region = &inside_bin},
    {.name = "wall",
     .title = "wall of bricks hit by a ball",
     .build = [](bool quick)
     { return build_wall({.rows = quick ? 15 : 50, .columns = quick ? 40 : 200, .ball_speed = 20}); },
     .settle = {0, 0},
     .measured = {180, 90},
     .region = &above_floor},
    {.name = "ragdolls",
     .title = "pile of ragdolls",
     .build = [](bool quick) { return build_ragdolls({.count = quick ? 16 : 100}); },
     .settle = {300, 100},
     .measured = {60, 30},
     .region = &above_floor},
    {.name = "joint_grid",
     .title = "grid of connected balls, hanging",
     .build = [](bool quick) { return build_joint_grid({.side = quick ? 20 : 100}); },
     .settle = {60, 30},
     .measured = {60, 30},
     .region = &anywhere,
     .flat_view = true},
    {.name = "tumbler",
     .title = "turning drum with boxes",
     .build = [](bool quick) { return build_tumbler({.count = quick ? 400 : 2000}); },
     .settle = {120, 60},
     .measured = {120, 30},
     .region = &inside_drum,
     .flat_view = true},
};

}  // namespace

std::span<const PileScene> all_pile_scenes() { return kScenes; }

}  // namespace rattleback::lab
