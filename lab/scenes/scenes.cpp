// The table of scenes.
#include "lab/scenes/scenes.h"

#include "base/nearest_match.h"
#include "lab/scenes/arm.h"
#include "lab/scenes/arm_lift.h"
#include "lab/scenes/chains.h"
#include "lab/scenes/hand.h"
#include "lab/scenes/humanoid.h"
#include "lab/scenes/ipc/ipc_scenes.h"
#include "lab/scenes/pendulums.h"
#include "lab/scenes/quadruped.h"
#include "lab/scenes/stacks.h"
#include "lab/scenes/tops.h"
#include "lab/scenes/tumblers.h"

#include <array>

namespace rattleback::lab
{

namespace
{

constexpr std::string_view kTouching = "contact";
constexpr std::string_view kRobot = "contact, limits";

// A new scene is one function in its family's file and one line here.
constexpr std::array kScenes = {
    Scene{"pendulum", "a rod on one hinge, swinging far", 10, "", [] { return build_pendulum(); }},
    Scene{"double_pendulum", "two rods on hinges: chaos in the plane", 10, "", [] { return build_double_pendulum(); }},
    Scene{"spinning_top", "a fast top on a ball joint: it precesses instead of falling", 10, "",
          [] { return build_spinning_top(); }},
    Scene{"chain5", "five links, parallel hinges, no gravity: energy and angular momentum stay", 10, "",
          [] { return build_chain5(); }},
    Scene{"chain", "twenty links on ball joints, held out to the side and let go", 10, "",
          [] { return build_chain(); }},
    Scene{"tumble", "one free body with moments 1, 2, 3, spun about its middle axis", 10, "",
          [] { return build_tumble(); }},
    Scene{"t_handle", "a weightless T that flips over and over (Dzhanibekov)", 10, "", [] { return build_t_handle(); }},
    Scene{"astronaut", "the humanoid adrift in space, limbs moving: momentum must not change", 10, "",
          [] { return build_astronaut(); }},
    Scene{"rattleback", "spun the wrong way it rattles, stops and turns round", 10, kTouching,
          [] { return build_rattleback(); }},
    Scene{"tippe_top", "a spinning ball with its mass below the centre turns over and stands on its head", 6, kTouching,
          [] { return build_tippe_top(); }},
    Scene{"humanoid", "a person of 27 degrees of freedom above a floor", 5, kRobot, [] { return build_humanoid(); }},
    Scene{"quadruped", "a dog-sized robot on twelve servos", 5, kRobot, [] { return build_quadruped(); }},
    Scene{"arm", "a seven-axis arm with a two-finger gripper, servos pulling it home", 5, "contact, limits, equality",
          [] { return build_arm(); }},
    Scene{"arm_lift", "the arm above a cube, a ball and a bottle that it may lift", 5, "contact, limits, equality",
          [] { return build_arm_lift(); }},
    Scene{"hand", "a hand of sixteen joints with a cube on its palm", 5, kRobot, [] { return build_hand(); }},
    Scene{"box_stack", "ten equal boxes on top of each other", 10, kTouching, [] { return build_box_stack(); }},
    Scene{"mass_ratio", "a thousand kilograms on one kilogram", 10, kTouching, [] { return build_mass_ratio(); }},
    Scene{"wall", "forty bricks laid in running bond", 10, kTouching, [] { return build_wall(); }},
    Scene{"pile", "a hundred boxes, spheres and capsules dropped on each other", 10, kTouching,
          [] { return build_pile(); }},
};

}  // namespace

std::span<const Scene> all_scenes() { return kScenes; }

Result<const Scene*> find_scene(std::string_view name)
{
    std::vector<std::string_view> names;
    for (const Scene& scene : kScenes)
    {
        if (scene.name == name) return &scene;
        names.push_back(scene.name);
    }
    for (const IpcScene& scene : all_ipc_scenes())
    {
        if (scene.scene.name == name) return &scene.scene;
        names.push_back(scene.scene.name);
    }
    std::string hint = make_name_hint(name, names);
    if (hint.empty()) hint = "`rattleback scenes` lists them";
    return Error{.code = ErrorCode::unknown_name,
                 .where = "",
                 .message = "there is no scene '" + std::string(name) + "'",
                 .hint = hint};
}

}  // namespace rattleback::lab
