// Bench `comfree`: energy of a thrown cube over gains and steps ([ComFree] section IV-C).
#include "lab/bench/comfree.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace rattleback::lab
{

namespace
{

constexpr double kThrowSteps[] = {0.001, 0.002, 0.005, 0.01, 0.02};
constexpr ComfreeGains kThrowGains[] = {{0.1, 0.001}, {0.1, 0.005}, {0.2, 0.001}, {0.3, 0.001},
                                        {0.3, 0.005}, {0.5, 0.001}, {0.5, 0.005}};
constexpr double kThrowSeconds = 2;

/// Edge 0.1 m, density 1000, 50 mm above the ground.
Result<BenchScene> make_thrown_cube(double friction)
{
    return BenchScene::parse(fmt::format(R"(
<mujoco>
  <default><geom friction="{0} 0.005 0.0001"/></default>
  <worldbody>
    <geom type="plane" size="0 0 .05"/>
    <body pos="0 0 0.1"><freejoint/><geom type="box" size=".05 .05 .05" density="1000"/></body>
  </worldbody>
</mujoco>)",
                                         friction));
}

struct ThrowOutcome
{
    double growth = 0;  ///< largest rise of total energy above its least value so far, over that at the start
    double speed = 0;   ///< at the end [m/s]
    Curve slide, height;
};

/// Infinite growth where a step was refused.
Result<ThrowOutcome> run_throw(const BenchScene& scene, const Contestant& contestant, double dt)
{
    Result<SceneRun> made = SceneRun::make(scene, contestant, dt);
    if (!made.ok()) return made.errors();
    SceneRun run = std::move(made).value();
    run.reset();
    std::ranges::copy(std::initializer_list<double>{2, 0, 0, 0.1, 0.1, 0.1}, run.v().begin());
    run.place();
    const double start = run.find_energy().total();
    double least = start;
    ThrowOutcome outcome;
    for (int i = 0; i < static_cast<int>(std::lround(kThrowSeconds / dt)); ++i)
    {
        const bool good = run.step();
        const double energy = run.find_energy().total();
        if (!good || !std::isfinite(energy))
        {
            outcome.growth = outcome.speed = std::numeric_limits<double>::infinity();
            return outcome;
        }
        outcome.growth = std::max(outcome.growth, (energy - least) / start);
        least = std::min(least, energy);
        for (Curve* curve : {&outcome.slide, &outcome.height}) curve->x.push_back((i + 1) * dt);
        outcome.slide.y.push_back(std::hypot(run.v()[0], run.v()[1]));
        outcome.height.y.push_back(run.q()[2]);
    }
    outcome.speed = std::hypot(run.v()[0], run.v()[1], run.v()[2]);
    return outcome;
}

/// N R (2 d + 3 k dt) of Jury's criterion, below 4 where the closed forms are stable: four corners of four facets, and
/// the largest R of the default curve.
double find_jury_number(const ComfreeGains& gains, double dt)
{
    constexpr double kFacets = 16, kRatio = 0.95 / 0.05;
    return kFacets * kRatio * (2 * gains.damping + 3 * gains.stiffness * dt);
}

/// What one contestant did over all steps, as a row of the table.
struct ThrowRow
{
    BenchTable::Row row;
    double inside = 0, outside = 0;  ///< largest growth where Jury's number is below 4, and elsewhere
    double worst = 0;
    double speed = 0;  ///< largest at the end
};

Result<ThrowRow> throw_over_steps(const ComfreeBed& bed, const BenchScene& scene, const Contestant& contestant,
                                  const std::string& name, const ComfreeGains& gains)
{
    bed.say("thrown cube, " + name);
    ThrowRow result{.row = {name, "double", {}}};
    for (const double dt : kThrowSteps)
    {
        const Result<ThrowOutcome> outcome = run_throw(scene, contestant, dt);
        if (!outcome.ok()) return outcome.errors();
        result.row.values.push_back(100 * outcome->growth);
        double& side = find_jury_number(gains, dt) < 4 ? result.inside : result.outside;
        side = std::max(side, outcome->growth);
        result.worst = std::max(result.worst, outcome->growth);
        result.speed = std::max(result.speed, outcome->speed);
    }
    return result;
}

/// Figure 5: speed and height over time.
Status draw_throws(const ComfreeBed& bed, const BenchScene& scene)
{
    if (bed.options.plots.empty()) return {};
    Plot slide{.title = "thrown cube, friction 0.5", .x_label = "time [s]", .y_label = "horizontal speed [m/s]"};
    Plot height{.title = "thrown cube, friction 0.5", .x_label = "time [s]", .y_label = "height [m]"};
    const auto add = [&](const Contestant& contestant, const std::string& name, double dt) -> Status
    {
        Result<ThrowOutcome> outcome = run_throw(scene, contestant, dt);
        if (!outcome.ok()) return outcome.errors();
        outcome->slide.name = outcome->height.name = name;
        slide.curves.push_back(std::move(outcome->slide));
        height.curves.push_back(std::move(outcome->height));
        return {};
    };
    for (const char* law : {"as_coded", "printed", "stable"})
    {
        for (const double dt : {0.002, 0.02})
        {
            const Status added = add(make_comfree(law, {0.1, 0.001}), fmt::format("{}, {:g} ms", law, 1e3 * dt), dt);
            if (!added.ok()) return added;
        }
    }
    const Status added = add(make_mujoco_contestant(), "MuJoCo, 2 ms", 0.002);
    if (!added.ok()) bed.note("thrown cube, MuJoCo not drawn: " + to_text(added.errors()));
    const Status drawn = bed.draw(slide, "stability_speed");
    return drawn.ok() ? bed.draw(height, "stability_height") : drawn;
}

}  // namespace

Status measure_stability(const ComfreeBed& bed)
{
    constexpr double kNothing = 1e-6;  // of the energy at the start
    BenchTable table{
        .title = "thrown cube: largest growth of total energy in 2 s, % of that at the start (inf: diverged)",
        .columns = {"1 ms", "2 ms", "5 ms", "10 ms", "20 ms"},
        .rows = {}};
    double stable = 0, inside = 0, outside = 0, resting = 0;
    for (const double friction : {0.5, 1.0})
    {
        const Result<BenchScene> scene = make_thrown_cube(friction);
        if (!scene.ok()) return scene.errors();
        for (const char* law : {"as_coded", "printed", "stable"})
        {
            for (const ComfreeGains& gains : kThrowGains)
            {
                const std::string name = fmt::format("{}, {}, friction {}", law, gains.name(), friction);
                const Result<ThrowRow> row =
                    throw_over_steps(bed, scene.value(), make_comfree(law, gains), name, gains);
                if (!row.ok()) return row.errors();
                table.rows.push_back(row->row);
                if (std::string_view(law) == "stable")
                {
                    stable = std::max(stable, row->worst);
                    resting = std::max(resting, row->speed);
                    continue;
                }
                if (std::string_view(law) != "as_coded") continue;
                inside = std::max(inside, row->inside);
                outside = std::max(outside, row->outside);
            }
        }
        for (const auto& other : {Contestant{"convex", "convex", {}, {}}, make_mujoco_contestant()})
        {
            const Result<ThrowRow> row =
                throw_over_steps(bed, scene.value(), other, fmt::format("{}, friction {}", other.name, friction), {});
            if (row.ok())
                table.rows.push_back(row->row);
            else
                bed.note(fmt::format("thrown cube, {} not measured: {}", other.name, to_text(row.errors())));
        }
        if (friction != 0.5) continue;
        const Status drawn = draw_throws(bed, scene.value());
        if (!drawn.ok()) return drawn;
    }
    bed.report.tables.push_back(std::move(table));
    const auto add = [&](const char* name, double value, std::optional<double> bar)
    { bed.add({.name = name, .value = value, .unit = "of the start", .bar = bar, .higher_is_better = false}); };
    add("thrown cube, stable, energy growth on the whole grid", stable, kNothing);
    add("thrown cube, as_coded, energy growth where N R (2 d + 3 k dt) < 4", inside, std::nullopt);
    add("thrown cube, as_coded, energy growth elsewhere", outside, std::nullopt);
    bed.add({.name = "thrown cube, stable, largest speed after 2 s",
             .value = resting,
             .unit = "m/s",
             .bar = 1e-3,
             .higher_is_better = false});
    return {};
}

}  // namespace rattleback::lab
