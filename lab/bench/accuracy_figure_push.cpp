// [PBD-R] Fig. 9: error of a pushed box over the number of its spheres, friction and where it is pushed.
#include "lab/bench/accuracy_figures.h"

#include "base/index.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace rattleback::lab
{

namespace
{

/// What Fig. 9 is run over.
struct PushGrid
{
    std::vector<int> counts = {2, 3, 4, 5, 6, 8, 10};  ///< spheres per side
    std::vector<double> frictions = {0.2, 0.4, 0.6, 0.8};
    std::vector<double> offsets = {0, 0.005, 0.01, 0.02};  ///< [m]
};

/// Runs of one contestant over the grid: [offset][friction].
using PushRuns = std::vector<std::vector<TrialOutcome>>;

/// All runs of Fig. 9; pointers are null where the contestant was not asked for.
struct PushField
{
    PushGrid grid;
    std::vector<double> spheres;                      ///< [size]
    std::vector<PushRuns> pbdr, refined;              ///< [size]
    std::optional<PushRuns> mujoco, capsule, convex;  ///< MuJoCo at the paper's settings; with a capsule as rod
};

Result<PushRuns> run_grid(const FigureDesk& desk, const PushGrid& grid, const Contestant& who)
{
    std::vector<Trial> trials;
    for (const double offset : grid.offsets)
        for (const double friction : grid.frictions)
            trials.push_back({.test = 7, .changes = {.friction = friction, .box_offset = offset}, .who = who});
    const Result<std::vector<TrialOutcome>> outcomes = desk.run(trials);
    if (!outcomes.ok()) return outcomes.errors();
    PushRuns runs(grid.offsets.size());
    for (std::size_t i = 0; i < trials.size(); ++i) runs[i / grid.frictions.size()].push_back(outcomes.value()[i]);
    return runs;
}

Result<PushField> measure_field(const FigureDesk& desk)
{
    PushField field;
    if (desk.quick()) field.grid = {.counts = {2, 3, 4, 6}, .frictions = {0.4}, .offsets = {0, 0.01}};
    for (const int n : field.grid.counts)
    {
        field.spheres.push_back(std::pow(n, 3));
        for (const char* solver : {"pbdr", "refined"})
        {
            Result<PushRuns> runs = run_grid(
                desk, field.grid, make_contestant(fmt::format("{}, n = {}", solver, n), solver, {{"across", n}}));
            if (!runs.ok()) return runs.errors();
            (std::string_view(solver) == "pbdr" ? field.pbdr : field.refined).push_back(std::move(runs).value());
        }
    }
    for (const std::string_view name : {kPaperMujoco, kConeMujoco, std::string_view("convex")})
    {
        const Contestant* who = desk.find(name);
        if (who == nullptr) continue;
        Result<PushRuns> runs = run_grid(desk, field.grid, *who);
        if (!runs.ok()) return runs.errors();
        (name == kPaperMujoco  ? field.mujoco
         : name == kConeMujoco ? field.capsule
                               : field.convex) = std::move(runs).value();
    }
    return field;
}

using PushMoment = AccuracySample TrialOutcome::*;  ///< the end, or the mean over time
using PushError = double AccuracySample::*;

/// Mean over friction and place; NaN where there are no runs. `first`: the first place that counts; 1: none on the line
/// of symmetry.
double average_runs(const PushRuns& runs, PushMoment when, PushError what, std::size_t first = 0)
{
    double sum = 0;
    int count = 0;
    for (std::size_t place = first; place < runs.size(); ++place)
        for (const TrialOutcome& outcome : runs[place])
        {
            sum += outcome.*when.*what;
            ++count;
        }
    return sum / count;
}
double average_runs(const std::optional<PushRuns>& runs, PushMoment when, PushError what, std::size_t first = 0)
{
    return runs ? average_runs(*runs, when, what, first) : std::nan("");
}
std::vector<double> average_runs(const std::vector<PushRuns>& by_size, PushMoment when, PushError what,
                                 std::size_t first = 0)
{
    std::vector<double> means;
    for (const PushRuns& runs : by_size) means.push_back(average_runs(runs, when, what, first));
    return means;
}

int count_rises(const std::vector<double>& values)
{
    int count = 0;
    for (std::size_t i = 0; i + 1 < values.size(); ++i) count += values[i + 1] > values[i] ? 1 : 0;
    return count;
}

/// The least number of spheres from which on all errors are below a line; 0: there is none.
double find_crossing(const PushField& field, const std::vector<double>& errors, double line)
{
    double crossing = 0;
    for (std::size_t i = errors.size(); i-- > 0 && errors[i] < line;) crossing = field.spheres[i];
    return crossing;
}

std::vector<PaperClaim> check_resolution(const PushField& field)
{
    const PushMoment end = &TrialOutcome::end, mean = &TrialOutcome::mean;
    const PushError right = &AccuracySample::position, printed = &AccuracySample::printed_position;
    const std::vector<double> ends = average_runs(field.pbdr, end, right),
                              means = average_runs(field.pbdr, mean, right);
    const std::vector<double> ends_printed = average_runs(field.pbdr, end, printed);
    // On the line of symmetry MuJoCo's cylinder loses the box, which has nothing to do with the number of spheres: its
    // means are shown without that line, and with a capsule as rod, which keeps the box.
    const std::vector<double> ends_aside = average_runs(field.pbdr, end, right, 1);
    const double peer = average_runs(field.mujoco, end, right), peer_aside = average_runs(field.mujoco, end, right, 1);
    const double capsule = average_runs(field.capsule, end, right),
                 capsule_aside = average_runs(field.capsule, end, right, 1);
    const int steps = static_cast<int>(ends.size()) - 1, rises = count_rises(ends);
    const auto from = [](double spheres)
    { return spheres > 0 ? fmt::format("from {:.0f} spheres on", spheres) : std::string("nowhere"); };
    const double crossing = find_crossing(field, ends, peer), aside = find_crossing(field, ends_aside, peer_aside),
                 with_capsule = find_crossing(field, ends, capsule);
    const auto is_near = [](double spheres) { return spheres >= 125 && spheres <= 343; };
    return {{"the position error falls with every step to more spheres (mean over friction and push position)",
             "monotonically",
             fmt::format(
                 "at the end it rises in {} of {} steps, as mean over time in {}, against the authors’ reference in {}",
                 rises, steps, count_rises(means), count_rises(ends_printed)),
             judge(true, rises == 0, 2 * rises <= steps)},
            {fmt::format("error with 27 and with {:.0f} spheres", field.spheres.back()), "no number",
             fmt::format("{} and {} m; against the authors’ reference {} and {} m", to_cell(ends[1]),
                         to_cell(ends.back()), to_cell(ends_printed[1]), to_cell(ends_printed.back())),
             judge(true, ends.back() < 0.5 * ends[1], ends.back() < ends[1])},
            {"PBD-R’s error is below MuJoCo’s", "from about 216 spheres on",
             fmt::format(
                 "all places: {} ({} m for MuJoCo at the paper’s settings, whose cylinder loses the box on the line of "
                 "symmetry); off that line: {} ({} m); MuJoCo with a capsule as rod, all places: {} ({} m), off the "
                 "line: {} ({} m)",
                 from(crossing), to_cell(peer), from(aside), to_cell(peer_aside), from(with_capsule), to_cell(capsule),
                 from(find_crossing(field, ends_aside, capsule_aside)), to_cell(capsule_aside)),
             judge(!std::isnan(peer + capsule), is_near(crossing) && is_near(aside) && is_near(with_capsule),
                   crossing > 0 && aside > 0 && with_capsule > 0)}};
}

Chart make_push_chart(std::string title)
{
    return {.title = std::move(title),
            .x_label = "spheres",
            .y_label = "position error [m]",
            .log_x = true,
            .log_y = true,
            .legend = false,
            .low_y = 1e-4,
            .high_y = 10};
}

/// One place of the rod: a line per friction, and MuJoCo's beside it.
Chart draw_place(const PushField& field, std::size_t place)
{
    constexpr const char* kFrictionInks[] = {"#0072b2", "#d55e00", "#009e73", "#cc79a7"};
    Chart chart = make_push_chart(fmt::format("{:.0f} mm off the middle", 1000 * field.grid.offsets[place]));
    for (std::size_t f = 0; f < field.grid.frictions.size(); ++f)
    {
        const std::string colour = kFrictionInks[f % std::size(kFrictionInks)];
        Series curve{.name = fmt::format("PBD-R, µ = {}", field.grid.frictions[f]),
                     .colour = colour,
                     .x = field.spheres,
                     .marks = true};
        for (const PushRuns& runs : field.pbdr) curve.y.push_back(runs[place][f].end.position);
        chart.series.push_back(std::move(curve));
        if (!field.mujoco) continue;
        const double peer = (*field.mujoco)[place][f].end.position;
        chart.series.push_back({.name = fmt::format("MuJoCo, µ = {}", field.grid.frictions[f]),
                                .colour = colour,
                                .x = {field.spheres.front(), field.spheres.back()},
                                .y = {peer, peer},
                                .dash = "2 3"});
    }
    return chart;
}

/// A line of the panel of means, and a column of the table.
struct PushMean
{
    std::string name, colour, dash;
    std::vector<double> errors;  ///< [size]
};

std::vector<PushMean> list_means(const PushField& field)
{
    const PushMoment end = &TrialOutcome::end, mean = &TrialOutcome::mean;
    const PushError right = &AccuracySample::position, printed = &AccuracySample::printed_position;
    const auto flat = [&](double value) { return std::vector<double>(field.spheres.size(), value); };
    return {{"PBD-R", find_ink("pbdr"), "", average_runs(field.pbdr, end, right)},
            {"PBD-R, mean over time", find_ink("pbdr"), "8 3", average_runs(field.pbdr, mean, right)},
            {"PBD-R, authors’ reference", find_ink("pbdr"), "2 2", average_runs(field.pbdr, end, printed)},
            {"refined", find_ink("refined"), "", average_runs(field.refined, end, right)},
            {"MuJoCo", "#000", "", flat(average_runs(field.mujoco, end, right))},
            {"MuJoCo, capsule as rod", find_ink(kConeMujoco), "", flat(average_runs(field.capsule, end, right))},
            {"MuJoCo, mean over time", "#000", "8 3", flat(average_runs(field.mujoco, mean, right))},
            {"MuJoCo, authors’ reference", "#000", "2 2", flat(average_runs(field.mujoco, end, printed))},
            {"convex", find_ink("convex"), "", flat(average_runs(field.convex, end, right))}};
}

}  // namespace

Result<PaperFigure> draw_push_resolution(const FigureDesk& desk)
{
    if (!desk.wants(7)) return PaperFigure{};
    const Result<PushField> measured = measure_field(desk);
    if (!measured.ok()) return measured.errors();
    const PushField& field = measured.value();
    constexpr double kWide = 400, kHigh = 300;
    const std::size_t places = field.grid.offsets.size();
    PaperFigure figure{
        .id = "fig9",
        .title = "Fig. 9: resolution against error, by friction and push position",
        .caption =
            "Position error at 10 s of test 7. Lines with dots: PBD-R; dotted lines of the same colour: "
            "MuJoCo at the paper’s settings (on the line of symmetry its cylinder loses the box; with "
            "a capsule as rod it does not, last panel). Each panel is one place of the rod beside the middle of "
            "the face; the last one is the mean over friction and place, also over time, and against "
            "the authors’ reference.",
        .width = 2 * kWide + 170,
        .height = kHigh * static_cast<double>((places + 2) / 2),
        .content = {}};
    const auto panel_of = [&](std::size_t i)
    { return Panel{kWide * static_cast<double>(i % 2), kHigh * static_cast<double>(i / 2), kWide, kHigh}; };
    for (std::size_t place = 0; place < places; ++place)
        figure.content += draw_chart(draw_place(field, place), panel_of(place));
    figure.content += draw_legend(draw_place(field, 0).series, {2 * kWide + 20, 30, 140, 200});

    Chart mean = make_push_chart("Mean over friction and place");
    mean.legend = true;
    FigureTable table{.title = "Mean position error over friction and place [m]", .head = {"spheres"}, .rows = {}};
    for (const double spheres : field.spheres) table.rows.push_back({fmt::format("{:.0f}", spheres)});
    for (const PushMean& line : list_means(field))
    {
        mean.series.push_back({.name = line.name,
                               .colour = line.colour,
                               .x = field.spheres,
                               .y = line.errors,
                               .dash = line.dash,
                               .marks = line.name.starts_with("PBD-R") || line.name == "refined"});
        table.head.push_back(line.name);
        for (std::size_t k = 0; k < line.errors.size(); ++k) table.rows[k].push_back(to_cell(line.errors[k]));
    }
    Panel last = panel_of(places);
    last.width = kWide + 200;
    figure.content += draw_chart(mean, last);
    figure.claims = check_resolution(field);
    figure.tables = {std::move(table)};
    return figure;
}

}  // namespace rattleback::lab
