// Bench `comfree`: decay of spin and roll ([ComFree] section IV-B), the friction that holds on a slope, and creep.
#include "lab/bench/comfree.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace rattleback::lab
{

namespace
{

constexpr double kEarth = 9.81;                               ///< MJCF's default gravity [m/s^2]
constexpr double kCoefficients[] = {0.001, 0.01, 0.05, 0.1};  ///< of the paper's sweeps [m]
constexpr ComfreeGains kDecayGains = {0.2, 0.004};            ///< of the paper's scripts
constexpr double kRadius = 0.1, kDecayStep = 0.002;

/// Values over time of one contestant; empty when a step was refused.
template <class Read>
Result<Curve> follow_decay(const BenchScene& scene, const Contestant& contestant, std::span<const double> start_v,
                           double settle, double seconds, Read read)
{
    Result<SceneRun> made = SceneRun::make(scene, contestant, kDecayStep);
    if (!made.ok()) return made.errors();
    SceneRun run = std::move(made).value();
    run.reset();
    if (settle > 0) run.step(static_cast<int>(settle / kDecayStep));
    std::ranges::copy(start_v, run.v().begin());
    run.place();
    Curve curve{.name = contestant.name, .x = {0}, .y = {read(run)}};
    for (int i = 1; i <= static_cast<int>(std::lround(seconds / kDecayStep)); ++i)
    {
        if (!run.step()) return Curve{};
        curve.x.push_back(i * kDecayStep);
        curve.y.push_back(read(run));
    }
    return curve;
}

/// Largest difference from an exact law over the times that are not before `from`.
template <class Law>
double largest_error(const Curve& curve, double from, Law law)
{
    double error = curve.x.empty() ? std::nan("") : 0;
    for (std::size_t i = 0; i < curve.x.size(); ++i)
    {
        if (curve.x[i] >= from) error = std::max(error, std::abs(curve.y[i] - law(curve.x[i])));
    }
    return error;
}

double value_at(const Curve& curve, double time)
{
    const auto i = static_cast<std::size_t>(std::lround(time / kDecayStep));
    return i < curve.y.size() ? curve.y[i] : std::nan("");
}

/// A decay experiment: scenes over the coefficients, what is read, and Coulomb's law where there is one.
struct Decay
{
    std::string name, unit;
    std::function<Result<BenchScene>(double coefficient)> make;
    std::vector<double> start_v;
    double settle = 0, seconds = 2;
    std::vector<double> times;  ///< of the table
    std::function<double(SceneRun& run)> read;
    /// Exact value over time and the time from which it holds; null: no closed form.
    std::function<double(double coefficient, double time)> law;
    std::function<double(double coefficient)> holds_from;
    double scale = 1;  ///< of relative errors
};

Status measure_decay(const ComfreeBed& bed, const Decay& decay, const std::string& file)
{
    BenchTable table{.title = decay.name, .columns = {}, .rows = {}};
    for (const double time : decay.times) table.columns.push_back(fmt::format("at {} s [{}]", time, decay.unit));
    if (decay.law) table.columns.emplace_back("largest error [%]");
    Plot plot{.title = decay.name, .x_label = "time [s]", .y_label = decay.unit};
    for (const double coefficient : kCoefficients)
    {
        const Result<BenchScene> scene = decay.make(coefficient);
        if (!scene.ok()) return scene.errors();
        if (decay.law)
        {
            BenchTable::Row exact{fmt::format("Coulomb's law, {}", coefficient), "double", {}};
            for (const double time : decay.times) exact.values.push_back(decay.law(coefficient, time));
            exact.values.push_back(0);
            table.rows.push_back(std::move(exact));
        }
        for (const Contestant& contestant : comfree_field(kDecayGains))
        {
            if (contestant.name == "stable, anchor" || contestant.name == "convex, plain") continue;
            const std::string name = fmt::format("{}, {}", contestant.name, coefficient);
            bed.say(decay.name + ", " + name);
            Result<Curve> curve =
                follow_decay(scene.value(), contestant, decay.start_v, decay.settle, decay.seconds, decay.read);
            if (!curve.ok())
            {
                bed.note(fmt::format("{}, {} not measured: {}", decay.name, name, to_text(curve.errors())));
                continue;
            }
            BenchTable::Row row{name, "double", {}};
            for (const double time : decay.times) row.values.push_back(value_at(curve.value(), time));
            if (decay.law)
            {
                const double error = largest_error(curve.value(), decay.holds_from(coefficient),
                                                   [&](double time) { return decay.law(coefficient, time); }) /
                                     decay.scale;
                row.values.push_back(100 * error);
                if (contestant.name == "stable")
                    bed.add({.name = decay.name + ", stable, coefficient " + fmt::format("{}", coefficient),
                             .value = 100 * error,
                             .unit = "% off Coulomb's law",
                             .bar = 2,
                             .higher_is_better = false});
            }
            table.rows.push_back(std::move(row));
            curve->name = name;
            if (coefficient == kCoefficients[1] || contestant.name == "as_coded")
                plot.curves.push_back(std::move(curve).value());
        }
    }
    bed.report.tables.push_back(std::move(table));
    return bed.draw(plot, file);
}

/// A ball whose only freedom is a vertical hinge, 1 mm inside the ground: the paper's scene.
Result<BenchScene> make_hinged_ball(double spinning)
{
    return BenchScene::parse(fmt::format(R"(
<mujoco>
  <default><geom condim="6" friction="1 {} 0.001"/></default>
  <worldbody>
    <geom type="plane" size="0 0 .05"/>
    <body pos="0 0 0.099"><joint type="hinge" axis="0 0 1"/><geom size="0.1" density="1000"/></body>
  </worldbody>
</mujoco>)",
                                         spinning));
}

/// The same ball free, so that its weight presses it on.
Result<BenchScene> make_free_ball(double spinning)
{
    return BenchScene::parse(fmt::format(R"(
<mujoco>
  <default><geom condim="6" friction="1 {} 0.001"/></default>
  <worldbody>
    <geom type="plane" size="0 0 .05"/>
    <body pos="0 0 0.1"><freejoint/><geom size="0.1" density="1000"/></body>
  </worldbody>
</mujoco>)",
                                         spinning));
}

Result<BenchScene> make_lying_cylinder(double rolling)
{
    return BenchScene::parse(fmt::format(R"(
<mujoco>
  <default><geom condim="6" friction="1 0.01 {}"/></default>
  <worldbody>
    <geom type="plane" size="0 0 .05"/>
    <body pos="0 0 0.1" quat=".70710678118654757 .70710678118654757 0 0"><freejoint/><geom type="cylinder" size=".1 .1"/></body>
  </worldbody>
</mujoco>)",
                                         rolling));
}

/// A box of edge 0.2 m on the ground, gravity tilted by the slope.
Result<BenchScene> make_tilted_box(double friction, double tangent)
{
    const double length = kEarth / std::sqrt(1 + tangent * tangent);
    return BenchScene::parse(fmt::format(R"(
<mujoco>
  <option gravity="{} 0 {}"/>
  <default><geom friction="{} 0.005 0.0001"/></default>
  <worldbody>
    <geom type="plane" size="0 0 .05"/>
    <body pos="0 0 0.1"><freejoint/><geom type="box" size=".1 .1 .1"/></body>
  </worldbody>
</mujoco>)",
                                         tangent * length, -length, friction));
}

/// Way down the slope from `begin` to `end` [m]; NaN where a step was refused.
Result<double> find_slide(const Contestant& contestant, double friction, double tangent, double begin, double end)
{
    const Result<BenchScene> scene = make_tilted_box(friction, tangent);
    if (!scene.ok()) return scene.errors();
    Result<SceneRun> made = SceneRun::make(scene.value(), contestant, kDecayStep);
    if (!made.ok()) return made.errors();
    SceneRun run = std::move(made).value();
    run.reset();
    if (!run.step(static_cast<int>(begin / kDecayStep))) return std::nan("");
    const double from = run.q()[0];
    if (!run.step(static_cast<int>((end - begin) / kDecayStep))) return std::nan("");
    return run.q()[0] - from;
}

}  // namespace

Status measure_torsion(const ComfreeBed& bed)
{
    const Decay preloaded{.name = "torsion: ball on a vertical hinge, 1 mm overlap, from 3 rad/s",
                          .unit = "rad/s",
                          .make = &make_hinged_ball,
                          .start_v = {3},
                          .times = {0.1, 0.5, 2},
                          .read = [](SceneRun& run) { return run.v()[0]; }};
    const Status measured = measure_decay(bed, preloaded, "torsion");
    if (!measured.ok()) return measured;
    const auto law = [](double coefficient, double time)
    { return std::max(0.0, 3 - coefficient * kEarth / (0.4 * kRadius * kRadius) * time); };
    const Decay weighted{.name = "torsion: free ball under its weight, from 3 rad/s",
                         .unit = "rad/s",
                         .make = &make_free_ball,
                         .start_v = {0, 0, 0, 0, 0, 3},
                         .settle = 1,
                         .seconds = 1.5,
                         .times = {0.01, 0.1, 1},
                         .read = [](SceneRun& run) { return run.v()[5]; },
                         .law = law,
                         .holds_from = [](double) { return 0.0; },
                         .scale = 3};
    return measure_decay(bed, weighted, "torsion_weight");
}

Status measure_rolling(const ComfreeBed& bed)
{
    // While it slips v = 1 - g t; about the contact line the angular momentum falls by mu_r m g alone, so that rolling
    // v = 2/3 - mu_r g t / (1.5 r). The two meet where slip ends.
    const auto slips_until = [](double coefficient) { return 1 / (kEarth * (3 - 2 * coefficient / kRadius)); };
    const auto law = [=](double coefficient, double time)
    {
        if (time < slips_until(coefficient)) return 1 - kEarth * time;
        return std::max(0.0, 2.0 / 3 - coefficient * kEarth * time / (1.5 * kRadius));
    };
    const Decay rolling{.name = "rolling: cylinder of radius 0.1 m, from 1 m/s without spin",
                        .unit = "m/s",
                        .make = &make_lying_cylinder,
                        .start_v = {1, 0, 0, 0, 0, 0},
                        .settle = 1,
                        .seconds = 1.5,
                        .times = {0.05, 0.1, 0.5, 1},
                        .read = [](SceneRun& run) { return run.v()[0]; },
                        .law = law,
                        .holds_from = [=](double coefficient) { return 1.5 * slips_until(coefficient); },
                        .scale = 2.0 / 3};
    return measure_decay(bed, rolling, "rolling");
}

Status measure_critical_friction(const ComfreeBed& bed)
{
    constexpr double kTangent = 0.5, kSeconds = 10, kHold = 1e-3, kHighest = 4;
    BenchTable table{
        .title = "critical friction on 26.565 degrees: less than 1 mm in 10 s (empty: nothing below 4 holds)",
        .columns = {"friction", "off [%]"},
        .rows = {}};
    for (const Contestant& contestant : comfree_field({}))
    {
        bed.say("critical friction, " + contestant.name);
        const auto holds = [&](double friction) -> Result<bool>
        {
            const Result<double> way = find_slide(contestant, friction, kTangent, 0, kSeconds);
            if (!way.ok()) return way.errors();
            return std::abs(way.value()) < kHold;
        };
        const Result<bool> at_all = holds(kHighest);
        if (!at_all.ok())
        {
            bed.note(fmt::format("critical friction, {} not measured: {}", contestant.name, to_text(at_all.errors())));
            continue;
        }
        double low = 0.3, high = kHighest;
        for (int i = 0; at_all.value() && i < (bed.options.quick ? 12 : 16); ++i)
        {
            const double middle = 0.5 * (low + high);
            (holds(middle).value() ? high : low) = middle;
        }
        const double critical = at_all.value() ? high : std::nan("");
        table.rows.push_back({contestant.name, "double", {critical, 100 * (critical / kTangent - 1)}});
        if (contestant.name != "stable" && contestant.name != "stable, anchor") continue;
        bed.add({.name = "critical friction on 26.565 degrees, " + contestant.name + ", off 0.5",
                 .value = 100 * std::abs(critical / kTangent - 1),
                 .unit = "%",
                 .bar = 1,
                 .higher_is_better = false});
    }
    bed.report.tables.push_back(std::move(table));
    return {};
}

Status measure_slope_creep(const ComfreeBed& bed)
{
    constexpr double kBegin = 2, kEnd = 6;
    struct Slope
    {
        double degrees, friction;
    };
    constexpr Slope kSlopes[] = {{5, 1}, {10, 1}, {20, 1}, {20, 0.5}};
    BenchTable table{
        .title = "creep of a box that should stay: mean speed from 2 to 6 s [um/s]", .columns = {}, .rows = {}};
    for (const Slope& slope : kSlopes)
        table.columns.push_back(fmt::format("{} deg, friction {}", slope.degrees, slope.friction));
    for (const Contestant& contestant : comfree_field({}))
    {
        bed.say("creep, " + contestant.name);
        BenchTable::Row row{contestant.name, "double", {}};
        for (const Slope& slope : kSlopes)
        {
            const Result<double> way =
                find_slide(contestant, slope.friction, std::tan(slope.degrees * kDegree), kBegin, kEnd);
            row.values.push_back(way.ok() ? 1e6 * way.value() / (kEnd - kBegin) : std::nan(""));
        }
        if (contestant.name.starts_with("stable"))
            bed.add({.name = "creep on 10 degrees at friction 1, " + contestant.name,
                     .value = std::abs(row.values[1]),
                     .unit = "um/s",
                     .bar = contestant.name == "stable" ? std::nullopt : std::optional(10.0),
                     .higher_is_better = false});
        table.rows.push_back(std::move(row));
    }
    bed.report.tables.push_back(std::move(table));
    return {};
}

}  // namespace rattleback::lab
