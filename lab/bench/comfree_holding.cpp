// Bench `comfree`: a closed chain held by an equality, and boxes on contacts of dimension 6.
#include "lab/bench/comfree.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace rattleback::lab
{

namespace
{

/// A four-bar loop that swings under gravity: crank 0.3 m, coupler 0.5 m, rocker 0.4 m; the coupler's end is tied to
/// the rocker's.
constexpr const char* kFourBar = R"(
<mujoco>
  <default><geom contype="0" conaffinity="0" type="capsule" size=".02"/><joint axis="0 1 0"/></default>
  <worldbody>
    <body name="crank" pos="0 0 1"><joint/><geom fromto="0 0 0 .3 0 0"/>
      <body name="coupler" pos=".3 0 0"><joint/><geom fromto="0 0 0 .5 0 0"/></body>
    </body>
    <body name="rocker" pos=".8 0 .6"><joint/><geom fromto="0 0 0 0 0 .4"/></body>
  </worldbody>
  <equality><connect body1="coupler" body2="rocker" anchor=".5 0 0"/></equality>
</mujoco>)";

struct HoldOutcome
{
    double largest = 0, mean = 0;  ///< distance of the anchors [m]
    double energy = 0;             ///< at the end less that at the start, over the range of the swing
};

Result<HoldOutcome> run_four_bar(const BenchScene& scene, const Contestant& contestant, double seconds)
{
    Result<SceneRun> made = SceneRun::make(scene, contestant);
    if (!made.ok()) return made.errors();
    SceneRun run = std::move(made).value();
    run.reset();
    const Energy start = run.find_energy();
    HoldOutcome outcome;
    double fastest = 0;
    const int steps = static_cast<int>(seconds / run.dt());
    for (int i = 0; i < steps; ++i)
    {
        if (!run.step()) return HoldOutcome{HUGE_VAL, HUGE_VAL, HUGE_VAL};
        const State& now = run.find_bodies();
        const auto& [p, r] = now.body_pose[2];
        const auto& [other_p, other_r] = now.body_pose[3];
        const Vec3 coupler = p + rotate(r, Vec3{0.5, 0, 0}), rocker = other_p + rotate(other_r, Vec3{0, 0, 0.4});
        const double apart = norm(coupler - rocker);
        outcome.largest = std::max(outcome.largest, apart);
        outcome.mean += apart / steps;
        fastest = std::max(fastest, run.find_energy().kinetic);
    }
    outcome.energy = (run.find_energy().total() - start.total()) / fastest;
    return outcome;
}

/// A box of edge 0.1 m, 1 mm above the ground; with studs it stands on eight more points.
Result<BenchScene> make_rolling_box(bool studs)
{
    std::string feet;
    for (int i = 0; i < (studs ? 8 : 0); ++i)
        feet += fmt::format(R"(<geom size=".01" mass="0" pos="{:.3f} {:.3f} -.04"/>)", 0.03 * (i % 3 - 1),
                            0.03 * (i / 3 - 1));
    return BenchScene::parse(fmt::format(R"(
<mujoco>
  <default><geom condim="6" friction="1 .01 .001"/></default>
  <worldbody>
    <geom type="plane" size="0 0 .05"/>
    <body pos="0 0 0.051"><freejoint/><geom type="box" size=".05 .05 .05"/>{}</body>
  </worldbody>
</mujoco>)",
                                         feet));
}

/// Largest speed in the last of three seconds [m/s]; infinite where a step was refused.
Result<double> find_unrest(const BenchScene& scene, const Contestant& contestant)
{
    Result<SceneRun> made = SceneRun::make(scene, contestant);
    if (!made.ok()) return made.errors();
    SceneRun run = std::move(made).value();
    run.reset();
    const int second = static_cast<int>(std::lround(1 / run.dt()));
    if (!run.step(2 * second)) return std::numeric_limits<double>::infinity();
    double fastest = 0;
    for (int i = 0; i < second; ++i)
    {
        if (!run.step()) return std::numeric_limits<double>::infinity();
        fastest = std::max(fastest, std::hypot(run.v()[0], run.v()[1], run.v()[2]));
    }
    return fastest;
}

}  // namespace

Status measure_equality_drift(const ComfreeBed& bed)
{
    const Result<BenchScene> scene = BenchScene::parse(kFourBar);
    if (!scene.ok()) return scene.errors();
    const double seconds = bed.options.quick ? 10 : 60;
    BenchTable table{.title = fmt::format("four-bar loop, {} s at 2 ms: anchors of its equality apart", seconds),
                     .columns = {"largest [mm]", "mean [mm]", "energy gained, of the swing"},
                     .rows = {}};
    for (const Contestant& contestant : comfree_field({}))
    {
        if (contestant.name == "stable, anchor" || contestant.name == "convex, plain") continue;
        bed.say("equality drift, " + contestant.name);
        const Result<HoldOutcome> outcome = run_four_bar(scene.value(), contestant, seconds);
        if (!outcome.ok())
        {
            bed.note(fmt::format("equality drift, {} not measured: {}", contestant.name, to_text(outcome.errors())));
            continue;
        }
        table.rows.push_back(
            {contestant.name, "double", {1e3 * outcome->largest, 1e3 * outcome->mean, outcome->energy}});
        if (contestant.name != "stable") continue;
        bed.add({.name = "four-bar loop, stable, anchors apart",
                 .value = 1e3 * outcome->largest,
                 .unit = "mm",
                 .bar = 1,
                 .higher_is_better = false});
    }
    bed.report.tables.push_back(std::move(table));
    return {};
}

Status measure_dimension_six(const ComfreeBed& bed)
{
    constexpr ComfreeGains kGains[] = {{0.2, 0.001}, {0.2, 0.004}, {0.5, 0.005}};
    BenchTable table{
        .title = "box at rest on contacts of dimension 6: largest speed in the third second [m/s] (inf: diverged)",
        .columns = {"4 corners", "4 corners and 8 studs"},
        .rows = {}};
    const Result<BenchScene> scenes[] = {make_rolling_box(false), make_rolling_box(true)};
    const auto rest = [&](const Contestant& contestant, const std::string& name) -> double
    {
        bed.say("dimension 6, " + name);
        BenchTable::Row row{name, "double", {}};
        double worst = 0;
        for (const Result<BenchScene>& scene : scenes)
        {
            const Result<double> unrest = scene.ok() ? find_unrest(scene.value(), contestant) : scene.errors();
            row.values.push_back(unrest.ok() ? unrest.value() : std::nan(""));
            worst = std::max(worst, row.values.back());
        }
        table.rows.push_back(std::move(row));
        return worst;
    };
    double stable = 0;
    for (const ComfreeGains& gains : kGains)
    {
        for (const char* law : {"as_coded", "printed", "stable"})
        {
            const double worst = rest(make_comfree(law, gains), fmt::format("{}, {}", law, gains.name()));
            if (std::string_view(law) == "stable") stable = std::max(stable, worst);
        }
    }
    rest({"convex", "convex", {}, {}}, "convex");
    rest(make_mujoco_contestant(), "MuJoCo");
    bed.add({.name = "dimension 6, stable, speed of a box at rest",
             .value = stable,
             .unit = "m/s",
             .bar = 1e-6,
             .higher_is_better = false});
    bed.report.tables.push_back(std::move(table));
    return {};
}

}  // namespace rattleback::lab
