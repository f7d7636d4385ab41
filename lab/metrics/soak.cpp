// Five scenes that may run for ever, and the watch over them.
#include "lab/metrics/soak.h"

#include "base/nearest_match.h"
#include "lab/scenes/arm.h"
#include "lab/scenes/chains.h"
#include "lab/scenes/gears.h"
#include "lab/scenes/piles.h"
#include "lab/scenes/stacks.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <ctime>
#include <fstream>

namespace rattleback::lab
{

namespace
{

constexpr double kCubeHalf = 0.025;  // of the cube in the gripper [m]

/// The arm at home with a cube between its fingers.
Result<Model> build_working_arm()
{
    Result<Model> arm = build_arm({.away = false});
    if (!arm.ok()) return arm;
    Simulation posed(std::move(arm).value(), {.solver = "convex"});
    const Model& model = posed.model();
    const auto palm = std::find(model.bodies.name.begin(), model.bodies.name.end(), "palm") - model.bodies.name.begin();
    const Pose pose = posed.state().world().body_pose[static_cast<std::size_t>(palm)];
    ModelBuilder builder = ModelBuilder::from(model);
    const BodyId cube = builder.add_body({.name = "cube",
                                          .position = pose.position + rotate(pose.rotation, Vec3{0, 0, 0.084}),
                                          .rotation = pose.rotation});
    builder.add_shape(cube, Box{.half_extents = {kCubeHalf, kCubeHalf, kCubeHalf}}, {.name = "cube", .mass = 0.1});
    return builder.build();
}

/// A wave of period kSoakPeriod / 2 that begins and ends at zero.
double swing(double time, double phase)
{
    const double turn = 2 * time / kSoakPeriod, part = turn - std::floor(turn);
    return std::sin(2 * kPi * (part + phase)) - std::sin(2 * kPi * phase);
}

/// All axes to and fro, the gripper closed.
void drive_arm(double time, Control& control)
{
    const auto count = control.input.size();
    for (std::size_t a = 0; a + 1 < count; ++a) control.input[a] = 0.15 * swing(time, 0.1 * static_cast<double>(a));
    control.input[count - 1] = -0.03;
}

void drive_gears(double, Control& control) { control.input[0] = 2; }

double height_of_last(const Simulation& sample)
{
    return sample.state().position(BodyId{sample.model().body_count() - 1}).z;
}

/// Of the centre of mass of all that moves.
double mean_height(const Simulation& sample)
{
    const Bodies& bodies = sample.model().bodies;
    double sum = 0, mass = 0;
    for (int b = 1; b < sample.model().body_count(); ++b)
    {
        const auto i = static_cast<std::size_t>(b);
        if (bodies.last_dof[i] < 0) continue;
        const Pose& pose = sample.state().world().body_pose[i];
        sum += bodies.mass[i] * (pose.position + rotate(pose.rotation, bodies.inertial_pose[i].position)).z;
        mass += bodies.mass[i];
    }
    return mass > 0 ? sum / mass : 0;
}

// A chain whose motion the step resolves: its quickest mode has 22 steps a turn, and swings of this size stay where
// they are, while wider ones shake ever faster. All its energy is that of the swing.
constexpr ChainOptions kSwing{.link_count = 6, .length = 0.4, .angle = 0.3};
constexpr double kSwingCosine = 0.9553364891256060;                                          // of its angle
constexpr double kSwingFall = 0.5 * kSwing.link_count * kSwing.length * (1 - kSwingCosine);  // of its middle [m]

constexpr std::array kSoakScenes = {
    SoakScene{.name = "stack",
              .summary = "ten boxes on top of each other; height of the highest",
              .free_bodies = true,
              .build = [] { return build_box_stack(); },
              .find_height = &height_of_last},
    SoakScene{.name = "chain",
              .summary = "six links of 0.4 m on ball joints, from 0.3 rad, without damping; energies over the swing's",
              .build = [] { return build_chain(kSwing); },
              .fall = kSwingFall},
    SoakScene{.name = "arm",
              .summary = "a seven-axis arm to and fro, a cube in its gripper; height of the cube",
              .build = &build_working_arm,
              .drive = &drive_arm,
              .find_height = &height_of_last},
    SoakScene{.name = "pile",
              .summary = "seven stones in a bin, in two layers; mean height",
              .free_bodies = true,
              .build = [] { return build_mixed_bin({.count = 7}); },
              .find_height = &mean_height},
    SoakScene{.name = "gears",
              .summary = "wheels with teeth of boxes, one driven, one held back; height of the other",
              .build = [] { return build_gears(); },
              .drive = &drive_gears,
              .find_height = &height_of_last,
              .dt = 0.005},
};

/// What holds a cube by velocities creeps with the step, and stones in `avbd` rise with 10 ms (1 mm in 0.6 h): those
/// who can afford it take a shorter one.
struct SoakStep
{
    std::string_view scene, solver;
    double dt;
};
constexpr SoakStep kSoakSteps[] = {{"arm", "convex", 0.002}, {"arm", "comfree", 0.005}, {"pile", "avbd", 0.005}};

/// Energy of a fall of all that moves.
double find_scale(const Model& model, double fall)
{
    double mass = 0;
    for (std::size_t b = 1; b < model.bodies.mass.size(); ++b)
        if (model.bodies.last_dof[b] >= 0) mass += model.bodies.mass[b];
    return mass * norm(model.settings.gravity) * fall;
}

void look(const SoakScene& scene, const Simulation& simulation, bool first_here, SoakAccount& account)
{
    const double energy = simulation.energy().total();
    const double height = scene.find_height ? scene.find_height(simulation) : 0;
    const double memory = find_resident_memory();
    if (!first_here) account.memory_growth += memory - account.memory;
    account.memory = memory;
    account.last_energy = energy;
    account.last_height = height;
    if (account.looks++ == 0)
    {
        account.first_energy = account.highest_energy = account.lowest_energy = energy;
        account.first_height = account.highest_height = account.lowest_height = height;
    }
    account.highest_energy = std::max(account.highest_energy, energy);
    account.lowest_energy = std::min(account.lowest_energy, energy);
    account.highest_height = std::max(account.highest_height, height);
    account.lowest_height = std::min(account.lowest_height, height);
}

}  // namespace

std::span<const SoakScene> soak_scenes() { return kSoakScenes; }

Result<const SoakScene*> find_soak_scene(std::string_view name)
{
    std::vector<std::string_view> names;
    for (const SoakScene& scene : kSoakScenes)
    {
        if (scene.name == name) return &scene;
        names.push_back(scene.name);
    }
    return Error{.code = ErrorCode::unknown_name,
                 .where = "--scene",
                 .message = "there is no soak of '" + std::string(name) + "'",
                 .hint = make_name_hint(name, names)};
}

double find_soak_step(const SoakScene& scene, std::string_view solver)
{
    for (const SoakStep& step : kSoakSteps)
        if (step.scene == scene.name && solver.substr(0, step.solver.size()) == step.solver) return step.dt;
    return scene.dt;
}

double find_resident_memory()
{
    // Pages in all, and those that are resident.
    std::ifstream file("/proc/self/statm");
    double pages = 0, resident = 0;
    file >> pages >> resident;
    return file ? resident * static_cast<double>(sysconf(_SC_PAGESIZE)) : 0;
}

void run_soak(const SoakScene& scene, double seconds, const std::function<bool()>& stop, Simulation& simulation,
              SoakAccount& account)
{
    account.scale = find_scale(simulation.model(), scene.fall);
    const double dt = simulation.dt();
    const auto every = std::llround(kSoakPeriod / dt), settled = std::llround(kSoakSettled / dt);
    bool first_here = true;
    while (!account.diverged && account.seconds + 0.5 * dt < seconds)
    {
        const double begin = static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
        for (std::int64_t i = 0; i < every && !account.diverged; ++i)
        {
            if (scene.drive) scene.drive(static_cast<double>(account.steps) * dt, simulation.control());
            const StepReport report = simulation.step();
            account.diverged = report.status >= StepStatus::diverged;
            if (account.diverged) break;
            ++account.steps;
            account.unsettled += report.status == StepStatus::not_converged;
            account.divided += report.substeps > 1;
            account.removed += report.removed_energy;
        }
        account.seconds = static_cast<double>(account.steps) * dt;
        account.cpu += static_cast<double>(std::clock()) / CLOCKS_PER_SEC - begin;
        if (account.steps >= settled && !account.diverged)
        {
            look(scene, simulation, first_here, account);
            first_here = false;
        }
        if (stop && stop()) return;
    }
}

}  // namespace rattleback::lab
