// Bench `comfree`: time of a step against the number of contacts ([ComFree] section IV-D).
#include "lab/bench/comfree.h"
#include "lab/measure/measure.h"
#include "lab/scenes/parts.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace rattleback::lab
{

namespace
{

constexpr ComfreeGains kScalingGains = {0.1, 0.001};  ///< of the paper

/// `side` x `side` cubes, capsules above them, spheres on top, of the sizes of the drop test.
Result<BenchScene> make_arrays(int side)
{
    constexpr double kPitch = 0.12;
    const char* shapes[] = {R"(type="box" size=".03 .03 .03")", R"(type="capsule" size=".04 .05")", R"(size=".05")"};
    constexpr double kHeights[] = {0.035, 0.165, 0.31};
    std::string bodies;
    for (std::size_t layer = 0; layer < std::size(shapes); ++layer)
    {
        for (int i = 0; i < side * side; ++i)
            bodies += fmt::format("<body pos=\"{} {} {}\"><freejoint/><geom {}/></body>\n", kPitch * (i % side),
                                  kPitch * (i / side), kHeights[layer], shapes[layer]);
    }
    return BenchScene::parse("<mujoco><worldbody><geom type=\"plane\" size=\"0 0 .05\"/>\n" + bodies +
                             "</worldbody></mujoco>");
}

/// Steps of one run: contacts, CPU time, and time of the contact stage where stages are timed.
struct ContactTimes
{
    std::vector<double> contacts, seconds, contact_seconds;
};

/// To the begin, with velocity noise of its own.
void start(SceneRun& run, std::uint64_t seed)
{
    run.reset();
    Random random(seed);
    // N(0, 1e-3) on linear velocities, as sums of twelve uniform numbers.
    for (std::size_t d = 0; d < run.v().size(); ++d)
    {
        double sum = 0;
        for (int i = 0; i < 12; ++i) sum += random.uniform(-0.5, 0.5);
        if (d % 6 < 3) run.v()[d] = 1e-3 * sum;
    }
    run.place();
}

/// Appends `steps` steps. False when one was refused.
bool time_steps(SceneRun& run, int steps, ContactTimes& times)
{
    std::vector<double> depths;
    for (int i = 0; i < steps; ++i)
    {
        const double begin = thread_seconds();
        const bool good = run.step();
        times.seconds.push_back(thread_seconds() - begin);
        if (!good) return false;
        times.contact_seconds.push_back(run.contact_seconds());
        depths.clear();
        run.read_depths(depths);
        times.contacts.push_back(static_cast<double>(depths.size()));
    }
    return true;
}

/// a + b n + c n^2 by least squares, each point divided by its own time: small scenes count as much as large ones.
std::array<double, 3> fit_quadratic(std::span<const double> n, std::span<const double> time)
{
    double m[3][4] = {};
    for (std::size_t i = 0; i < n.size(); ++i)
    {
        const double row[3] = {1 / time[i], n[i] / time[i], n[i] * n[i] / time[i]};
        for (int j = 0; j < 3; ++j)
        {
            for (int k = 0; k < 3; ++k) m[j][k] += row[j] * row[k];
            m[j][3] += row[j];
        }
    }
    // Gauss without pivoting: the matrix is positive definite.
    for (int j = 0; j < 3; ++j)
    {
        for (int i = 0; i < 3; ++i)
        {
            const double factor = i == j ? 0 : m[i][j] / m[j][j];
            for (int k = 0; k < 4; ++k) m[i][k] -= factor * m[j][k];
        }
    }
    return {m[0][3] / m[0][0], m[1][3] / m[1][1], m[2][3] / m[2][2]};
}

std::vector<Contestant> scaling_field()
{
    return {make_comfree("as_coded", kScalingGains), make_comfree("printed", kScalingGains),
            make_comfree("stable", kScalingGains), Contestant{"convex", "convex", {}, {}}, make_mujoco_contestant()};
}

/// (a): the paper's scene; step time by the number of contacts, several worlds one after the other.
Status measure_published_arrays(const ComfreeBed& bed)
{
    constexpr int kSteps = 750, kBin = 4, kBins = 8;
    const Result<BenchScene> scene = make_arrays(2);
    if (!scene.ok()) return scene.errors();
    const int worlds = bed.options.quick ? 2 : 512;  // the paper's
    BenchTable table{.title = fmt::format("three 2 x 2 arrays, {} worlds x {} steps, one core: step by contacts [us]",
                                          worlds, kSteps),
                     .columns = {},
                     .rows = {}};
    for (int bin = 0; bin < kBins; ++bin) table.columns.push_back(fmt::format("{}-{}", kBin * bin, kBin * bin + 3));
    Plot plot{.title = "three 2 x 2 arrays",
              .x_label = "contacts",
              .y_label = "step [us]",
              .curves = {},
              .marks = true,
              .log_y = true};
    for (const Contestant& contestant : scaling_field())
    {
        bed.say("runtime against contacts, " + contestant.name);
        Result<SceneRun> made = SceneRun::make(scene.value(), contestant);
        if (!made.ok()) return made.errors();
        ContactTimes times;
        for (int world = 0; world < worlds; ++world)
        {
            start(made.value(), static_cast<std::uint64_t>(world + 1));
            if (!time_steps(made.value(), kSteps, times))
                bed.note("runtime against contacts, " + contestant.name + ": a step was refused");
        }
        std::vector<std::vector<double>> bins(kBins);
        for (std::size_t i = 0; i < times.contacts.size(); ++i)
            bins[static_cast<std::size_t>(std::min(kBins - 1, static_cast<int>(times.contacts[i]) / kBin))].push_back(
                times.seconds[i]);
        BenchTable::Row row{contestant.name, "double", {}};
        Curve curve{.name = contestant.name, .x = {}, .y = {}};
        for (std::size_t bin = 0; bin < bins.size(); ++bin)
        {
            row.values.push_back(1e6 * median(bins[bin]));
            if (bins[bin].empty()) continue;
            curve.x.push_back(kBin * static_cast<double>(bin) + 1.5);
            curve.y.push_back(row.values.back());
        }
        table.rows.push_back(std::move(row));
        plot.curves.push_back(std::move(curve));
    }
    // What the paper's chart shows for 512 worlds at once on an RTX 4090, single precision, divided by the worlds.
    const std::vector<double> comfree{0.34, 0.52, 0.55, 0.6, 0.68, 0.83, 0.95},
        warp{0.83, 1.4, 1.6, 1.9, 2.6, 2.6, 2.5};
    for (const auto& [name, values] : {std::pair("paper, ComFree on a GPU (digitised)", comfree),
                                       std::pair("paper, MJWarp on a GPU (digitised)", warp)})
    {
        BenchTable::Row row{name, "single", values};
        row.values.push_back(std::nan(""));
        table.rows.push_back(std::move(row));
        Curve curve{.name = name, .x = {}, .y = values};
        for (std::size_t bin = 0; bin < values.size(); ++bin) curve.x.push_back(kBin * static_cast<double>(bin) + 1.5);
        plot.curves.push_back(std::move(curve));
    }
    bed.report.tables.push_back(std::move(table));
    return bed.draw(plot, "contacts");
}

/// Step and contact stage of settled arrays, over their contacts [us].
struct ArrayTimes
{
    Curve step, contact;        ///< the second is empty for MuJoCo, which does not tell
    std::vector<Curve> rounds;  ///< of the step, each round by itself
};

/// Settled arrays of one contestant, in rounds over all sizes: what disturbs the machine for a while disturbs all
/// alike.
Result<std::vector<Curve>> time_rounds(const Contestant& contestant, std::span<const int> sides, int rounds,
                                       bool stages)
{
    constexpr int kSettling = 250, kCounted = 30;
    std::vector<SceneRun> runs;
    for (const int side : sides)
    {
        const Result<BenchScene> scene = make_arrays(side);
        if (!scene.ok()) return scene.errors();
        Result<SceneRun> made = SceneRun::make(scene.value(), contestant, 0, stages);
        if (!made.ok()) return made.errors();
        runs.push_back(std::move(made).value());
        start(runs.back(), 1);
    }
    std::vector<Curve> found;
    for (int round = -1; round < rounds; ++round)
    {
        Curve curve{contestant.name, {}, {}};
        for (SceneRun& run : runs)
        {
            ContactTimes times;
            if (!time_steps(run, round < 0 ? kSettling : kCounted, times))
                return Error{.message = contestant.name + ": a step was refused"};
            curve.x.push_back(find_spread(times.contacts).mean);
            curve.y.push_back(1e6 * median(stages ? times.contact_seconds : times.seconds));
        }
        if (round >= 0) found.push_back(std::move(curve));
    }
    return found;
}

/// Medians over rounds, size by size.
Curve find_middle(const std::vector<Curve>& rounds)
{
    Curve middle = rounds.front();
    for (std::size_t i = 0; i < middle.x.size(); ++i)
    {
        std::vector<double> contacts, times;
        for (const Curve& round : rounds) contacts.push_back(round.x[i]);
        for (const Curve& round : rounds) times.push_back(round.y[i]);
        middle.x[i] = median(contacts);
        middle.y[i] = median(times);
    }
    return middle;
}

Result<ArrayTimes> time_arrays(const ComfreeBed& bed, const Contestant& contestant, std::span<const int> sides)
{
    const int rounds = bed.options.quick ? 3 : 9;
    bed.say(fmt::format("n x n x 3 bodies, {}", contestant.name));
    ArrayTimes found{{contestant.name, {}, {}}, {contestant.name, {}, {}}, {}};
    // Stages are timed in runs of their own: clocks that are read within a step are part of it.
    for (const bool stages : {false, true})
    {
        if (stages && contestant.solver.empty()) continue;
        Result<std::vector<Curve>> timed = time_rounds(contestant, sides, rounds, stages);
        if (!timed.ok()) return timed.errors();
        (stages ? found.contact : found.step) = find_middle(timed.value());
        if (!stages) found.rounds = std::move(timed).value();
    }
    return found;
}

/// a + b n + c n^2, and the part of the square at the largest n [%].
struct Growth
{
    std::array<double, 3> fit;
    double part = 0;
};
Growth find_growth(const Curve& curve)
{
    const std::array<double, 3> fit = fit_quadratic(curve.x, curve.y);
    const double n = curve.x.back(), square = fit[2] * n * n;
    return {fit, 100 * square / (fit[0] + fit[1] * n + square)};
}

/// Says how the times grow; the part of the square at the largest n [%]. `rounds`: the same of parts of the run, whose
/// fits tell how sure that is.
double report_growth(const ComfreeBed& bed, const std::string& what, const Curve& curve,
                     const std::vector<Curve>& rounds = {})
{
    const auto [fit, part] = find_growth(curve);
    std::string sure;
    if (!rounds.empty())
    {
        std::vector<double> parts;
        for (const Curve& round : rounds) parts.push_back(find_growth(round).part);
        const Spread spread = find_spread(parts);
        sure = fmt::format(" ({} rounds fitted one by one: {:.1f} +- {:.1f} %)", parts.size(), spread.mean,
                           spread.deviation / std::sqrt(static_cast<double>(parts.size())));
    }
    bed.note(fmt::format("{}, {} = {:.3g} + {:.3g} n + {:.3g} n^2 us, the square being {:.1f} % at n = {:.0f}{}",
                         curve.name, what, fit[0], fit[1], fit[2], part, curve.x.back(), sure));
    return part;
}

/// (b): larger arrays; the growth of the settled scene's step and of its contact stage (rows and impulses).
Status measure_growing_arrays(const ComfreeBed& bed)
{
    const std::vector<int> sides = bed.options.quick ? std::vector{2, 4, 6, 8} : std::vector{2, 3, 4, 5, 6, 7, 8, 9};
    BenchTable table{
        .title = "n x n x 3 arrays at rest: contacts, step and its contact stage [us]", .columns = {}, .rows = {}};
    for (const int side : sides)
        for (const char* what : {"contacts", "step", "contact stage"})
            table.columns.push_back(fmt::format("n {}: {}", side, what));
    Plot plot{.title = "n x n x 3 arrays", .x_label = "contacts", .y_label = "step [us]", .curves = {}, .marks = true};
    for (const Contestant& contestant : scaling_field())
    {
        Result<ArrayTimes> times = time_arrays(bed, contestant, sides);
        if (!times.ok()) return times.errors();
        BenchTable::Row row{contestant.name, "double", {}};
        for (std::size_t i = 0; i < sides.size(); ++i)
        {
            row.values.push_back(times->step.x[i]);
            row.values.push_back(times->step.y[i]);
            row.values.push_back(times->contact.y.empty() ? std::nan("") : times->contact.y[i]);
        }
        const double part = report_growth(bed, "step", times->step, times->rounds);
        if (!times->contact.y.empty()) report_growth(bed, "contact stage", times->contact);
        if (contestant.solver == "comfree")
            bed.add({.name = fmt::format("arrays, {}, c n^2 of the step at {:.0f} contacts", contestant.name,
                                         times->step.x.back()),
                     .value = part,
                     .unit = "%",
                     .bar = 5,
                     .higher_is_better = false});
        table.rows.push_back(std::move(row));
        plot.curves.push_back(std::move(times->step));
    }
    bed.report.tables.push_back(std::move(table));
    return bed.draw(plot, "contacts_growth");
}

}  // namespace

Status measure_contact_scaling(const ComfreeBed& bed) { return measure_published_arrays(bed); }
Status measure_contact_growth(const ComfreeBed& bed) { return measure_growing_arrays(bed); }

}  // namespace rattleback::lab
