// [PBD-R] Figs. 5 and 9: a rod pushing a box of few or many spheres, from above, and its error over friction and place.
#include "lab/bench/accuracy_figures.h"

#include "base/index.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace rattleback::lab
{

namespace
{

constexpr double kBreak = std::numeric_limits<double>::quiet_NaN();  // interrupts a line
constexpr double kPushOffset = 0.01;                                 // of Fig. 5 [m]
constexpr int kPathKeep = 5;                                         // frames between samples of a path

/// The box as a square, added to a line.
void add_outline(const PlanarPose& pose, Series& series)
{
    constexpr double kCorners[][2] = {{1, 1}, {-1, 1}, {-1, -1}, {1, -1}, {1, 1}};
    const double c = 0.1 * std::cos(pose.angle), s = 0.1 * std::sin(pose.angle);
    for (const auto& corner : kCorners)
    {
        series.x.push_back(pose.x + c * corner[0] - s * corner[1]);
        series.y.push_back(pose.y + s * corner[0] + c * corner[1]);
    }
    series.x.push_back(kBreak);
    series.y.push_back(kBreak);
}

void add_rod_outline(const Vec3& middle, Series& series)
{
    constexpr int kSides = 16;
    for (int i = 0; i <= kSides; ++i)
    {
        series.x.push_back(middle.x + 0.03 * std::cos(2 * kPi * i / kSides));
        series.y.push_back(middle.y + 0.03 * std::sin(2 * kPi * i / kSides));
    }
    series.x.push_back(kBreak);
    series.y.push_back(kBreak);
}

Chart draw_path(const AccuracyCase& test, const TrialOutcome& outcome, const std::string& title,
                const std::string& colour, bool first)
{
    Chart chart{.title = title, .x_label = "x [m]", .y_label = first ? "y [m]" : "", .equal = true, .legend = false};
    Series reference{.name = "corrected reference", .colour = "#000", .dash = "4 3", .weight = 1.1};
    Series printed{.name = "authors’ reference", .colour = "#999", .dash = "1.5 2.5", .weight = 1.1};
    Series rod{.name = "rod", .colour = "#b0392b", .weight = 0.9}, box{.name = "", .colour = colour, .weight = 1.4};
    Series way{.name = "", .colour = colour, .weight = 0.8};
    for (const AccuracySample& sample : outcome.samples)
    {
        way.x.push_back(sample.pose.x);
        way.y.push_back(sample.pose.y);
        const int frame = static_cast<int>(std::lround(sample.time / kCaseFrame));
        if (frame % 250 != 0) continue;
        add_outline(test.path[at(frame)], reference);
        add_outline(test.printed_path[at(frame)], printed);
        add_outline(sample.pose, box);
        add_rod_outline(test.rod_pose(sample.time).position, rod);
    }
    chart.series = {printed, reference, rod, way, box};
    return chart;
}

/// What Fig. 9 is run over.
struct PushGrid
{
    std::vector<int> counts = {2, 3, 4, 5, 6, 8, 10};  ///< spheres per side
    std::vector<double> frictions = {0.2, 0.4, 0.6, 0.8};
    std::vector<double> offsets = {0, 0.005, 0.01, 0.02};  ///< [m]
};

/// Errors of one way to run test 7 over the grid: [offset][friction].
using PushErrors = std::vector<std::vector<AccuracySample>>;

Result<std::vector<PushErrors>> measure_grid(const FigureDesk& desk, const PushGrid& grid,
                                             const std::vector<Contestant>& subjects)
{
    std::vector<Trial> trials;
    for (const Contestant& who : subjects)
        for (const double offset : grid.offsets)
            for (const double friction : grid.frictions)
                trials.push_back({.test = 7, .changes = {.friction = friction, .box_offset = offset}, .who = who});
    const Result<std::vector<TrialOutcome>> outcomes = desk.run(trials);
    if (!outcomes.ok()) return outcomes.errors();
    std::vector<PushErrors> all;
    std::size_t next = 0;
    for (std::size_t s = 0; s < subjects.size(); ++s)
    {
        PushErrors errors(grid.offsets.size());
        for (std::vector<AccuracySample>& row : errors)
            for (std::size_t f = 0; f < grid.frictions.size(); ++f) row.push_back(outcomes.value()[next++].end);
        all.push_back(std::move(errors));
    }
    return all;
}

using PushMeasure = double AccuracySample::*;

double average(const PushErrors& errors, PushMeasure what)
{
    double sum = 0;
    int count = 0;
    for (const std::vector<AccuracySample>& row : errors)
        for (const AccuracySample& sample : row)
        {
            sum += sample.*what;
            ++count;
        }
    return sum / count;
}

/// Means over the whole grid, by number of spheres.
struct PushMeans
{
    std::vector<double> corrected, printed, refined;
    double mujoco = std::nan(""), mujoco_printed = std::nan(""), convex = std::nan("");
};

std::vector<PaperClaim> check_resolution(const PushGrid& grid, const PushMeans& means)
{
    std::vector<PaperClaim> claims;
    const auto rises = [](const std::vector<double>& values)
    {
        int count = 0;
        for (std::size_t i = 0; i + 1 < values.size(); ++i) count += values[i + 1] > values[i] ? 1 : 0;
        return count;
    };
    const auto below = [&](const std::vector<double>& values, double line) -> int
    {
        for (std::size_t i = values.size(); i-- > 0;)
            if (!(values[i] < line)) return i + 1 < values.size() ? grid.counts[i + 1] : -1;
        return grid.counts[0];
    };
    const auto spheres = [](int n)
    { return n < 0 ? std::string("nowhere") : fmt::format("from {} spheres on", n * n * n); };
    const std::size_t steps = grid.counts.size() - 1;
    const int up = rises(means.corrected), up_printed = rises(means.printed);
    claims.push_back({"the position error falls with every step to more spheres (mean over friction and push position)",
                      "monotonically",
                      fmt::format("rises in {} of {} steps; against the authors’ reference in {} of {}", up, steps,
                                  up_printed, steps),
                      judge(true, up == 0, 2 * up <= static_cast<int>(steps))});
    claims.push_back(
        {"error with 27 and with 1000 spheres", "no number",
         fmt::format("{} and {} m; against the authors’ reference {} and {} m", to_cell(means.corrected[1]),
                     to_cell(means.corrected.back()), to_cell(means.printed[1]), to_cell(means.printed.back())),
         judge(grid.counts.size() > 4, means.corrected.back() < 0.5 * means.corrected[1],
               means.corrected.back() < means.corrected[1])});
    const int crossing = below(means.corrected, means.mujoco),
              crossing_printed = below(means.printed, means.mujoco_printed);
    claims.push_back({"PBD-R’s error is below MuJoCo’s", "from about 216 spheres on",
                      fmt::format("{} ({} m for MuJoCo); against the authors’ reference {}", spheres(crossing),
                                  to_cell(means.mujoco), spheres(crossing_printed)),
                      judge(!std::isnan(means.mujoco), crossing >= 5 && crossing <= 8, crossing > 0)});
    return claims;
}

}  // namespace

Result<PaperFigure> draw_push_paths(const FigureDesk& desk)
{
    if (!desk.wants(7)) return PaperFigure{};
    std::vector<std::pair<std::string, Contestant>> subjects = {
        {"PBD-R, n = 3 (27)", make_contestant("pbdr, n = 3", "pbdr", {{"across", 3}})},
        {"PBD-R, n = 10 (1000)", make_contestant("pbdr, n = 10", "pbdr", {{"across", 10}})},
        {"refined, n = 10", make_contestant("refined, n = 10", "refined", {{"across", 10}})}};
    if (const Contestant* c = desk.find("convex")) subjects.emplace_back("convex", *c);
    if (const Contestant* c = desk.find(kPaperMujoco)) subjects.emplace_back("MuJoCo, paper’s", *c);
    std::vector<Trial> trials;
    for (const auto& [title, who] : subjects)
        trials.push_back({.test = 7, .changes = {.box_offset = kPushOffset}, .who = who, .keep = kPathKeep});
    const Result<std::vector<TrialOutcome>> outcomes = desk.run(trials);
    if (!outcomes.ok()) return outcomes.errors();
    const Result<AccuracyCase> test = desk.setup().make(7, subjects[0].second, {.box_offset = kPushOffset});
    if (!test.ok()) return test.errors();

    constexpr double kWide = 205, kHigh = 620;
    PaperFigure figure{.id = "fig5",
                       .title = "Fig. 5: the path of the pushed box from above",
                       .caption =
                           "The rod starts 1 cm beside the middle of the face (the paper does not say where its rod "
                           "pushes; 1 cm is in the notes of its code); friction 0.4; outlines every 2.5 s. Dashed: "
                           "quasi-static references, of which the "
                           "authors’ lets the centre of the rod touch. PBD-R in float.",
                       .width = kWide * static_cast<double>(subjects.size()) + 20,
                       .height = kHigh + 34,
                       .content = {}};
    FigureTable table{.title = "Errors at 10 s, pushed 1 cm off the middle",
                      .head = {"who", "position [m]", "authors’ reference [m]", "mean position [m]", "yaw [degrees]"},
                      .rows = {}};
    std::vector<Series> legend;
    for (std::size_t i = 0; i < subjects.size(); ++i)
    {
        const TrialOutcome& outcome = outcomes.value()[i];
        const Chart chart = draw_path(
            test.value(), outcome, subjects[i].first,
            find_ink(subjects[i].second.solver.empty() ? kPaperMujoco : std::string_view(subjects[i].second.solver)),
            i == 0);
        if (legend.empty()) legend.assign(chart.series.begin(), chart.series.begin() + 3);
        figure.content += draw_chart(chart, {kWide * static_cast<double>(i), 0, kWide + (i == 0 ? 10 : 0), kHigh});
        table.rows.push_back({subjects[i].first, to_cell(outcome.end.position), to_cell(outcome.end.printed_position),
                              to_cell(outcome.mean.position), to_cell(outcome.end.yaw)});
    }
    for (std::size_t i = 0; i < legend.size(); ++i)
        figure.content += draw_legend({legend[i]}, {70 + 190 * static_cast<double>(i), kHigh + 8, 180, 20});
    const double coarse = outcomes.value()[0].end.position, fine = outcomes.value()[1].end.position,
                 peer = subjects.size() > 4 ? outcomes.value()[4].end.position : std::nan("");
    figure.claims = {
        {"27 spheres: substantial error of position", "no number", to_cell(coarse) + " m", judge(true, coarse > 0.05)},
        {"1000 spheres follow the answer closely", "no number",
         fmt::format("{} m, {}°", to_cell(fine), to_cell(std::abs(outcomes.value()[1].end.yaw))),
         judge(true, fine < 0.02, fine < 0.5 * coarse)},
        {"MuJoCo deviates considerably", "no number", to_cell(peer) + " m", judge(!std::isnan(peer), peer > 0.05)}};
    figure.tables = {std::move(table)};
    return figure;
}

Result<PaperFigure> draw_push_resolution(const FigureDesk& desk)
{
    if (!desk.wants(7)) return PaperFigure{};
    PushGrid grid;
    if (desk.quick()) grid = {.counts = {2, 3, 4, 6}, .frictions = {0.4}, .offsets = {0, 0.01}};
    std::vector<Contestant> subjects;
    for (const char* solver : {"pbdr", "refined"})
        for (const int n : grid.counts)
            subjects.push_back(make_contestant(fmt::format("{}, n = {}", solver, n), solver, {{"across", n}}));
    const Contestant* mujoco = desk.find(kPaperMujoco);
    const Contestant* convex = desk.find("convex");
    if (mujoco != nullptr) subjects.push_back(*mujoco);
    if (convex != nullptr) subjects.push_back(*convex);
    const Result<std::vector<PushErrors>> measured = measure_grid(desk, grid, subjects);
    if (!measured.ok()) return measured.errors();
    const std::vector<PushErrors>& errors = measured.value();
    const std::size_t sizes = grid.counts.size();
    const PushErrors* peer = mujoco != nullptr ? &errors[2 * sizes] : nullptr;

    PushMeans means;
    std::vector<double> x;
    for (std::size_t k = 0; k < sizes; ++k)
    {
        x.push_back(std::pow(grid.counts[k], 3));
        means.corrected.push_back(average(errors[k], &AccuracySample::position));
        means.printed.push_back(average(errors[k], &AccuracySample::printed_position));
        means.refined.push_back(average(errors[sizes + k], &AccuracySample::position));
    }
    if (peer != nullptr)
    {
        means.mujoco = average(*peer, &AccuracySample::position);
        means.mujoco_printed = average(*peer, &AccuracySample::printed_position);
    }
    if (convex != nullptr) means.convex = average(errors.back(), &AccuracySample::position);

    constexpr double kWide = 400, kHigh = 300;
    const std::vector<std::string> inks = {"#0072b2", "#d55e00", "#009e73", "#cc79a7"};
    const std::vector<double> ends = {x.front(), x.back()};
    const auto flat = [&](double y) { return std::vector<double>{y, y}; };
    PaperFigure figure{.id = "fig9",
                       .title = "Fig. 9: resolution against error, by friction and push position",
                       .caption =
                           "Position error at 10 s of test 7. Lines with dots: PBD-R; dotted lines of the same colour: "
                           "MuJoCo at the paper’s settings. Each panel is one place of the rod beside the middle of "
                           "the face; the last one is the mean of all, against "
                           "both references.",
                       .width = 2 * kWide + 170,
                       .height = kHigh * static_cast<double>((grid.offsets.size() + 2) / 2),
                       .content = {}};
    std::vector<Series> legend;
    const auto panel_of = [&](std::size_t i)
    { return Panel{kWide * static_cast<double>(i % 2), kHigh * static_cast<double>(i / 2), kWide, kHigh}; };
    for (std::size_t o = 0; o < grid.offsets.size(); ++o)
    {
        Chart chart{.title = fmt::format("{:.0f} mm off the middle", 1000 * grid.offsets[o]),
                    .x_label = "spheres",
                    .y_label = "position error [m]",
                    .log_x = true,
                    .log_y = true,
                    .legend = false,
                    .low_y = 1e-4,
                    .high_y = 10};
        for (std::size_t f = 0; f < grid.frictions.size(); ++f)
        {
            Series curve{.name = fmt::format("PBD-R, µ = {}", grid.frictions[f]),
                         .colour = inks[f % inks.size()],
                         .x = x,
                         .y = {},
                         .marks = true};
            for (std::size_t k = 0; k < sizes; ++k) curve.y.push_back(errors[k][o][f].position);
            chart.series.push_back(std::move(curve));
            if (peer != nullptr)
                chart.series.push_back({.name = fmt::format("MuJoCo, µ = {}", grid.frictions[f]),
                                        .colour = inks[f % inks.size()],
                                        .x = ends,
                                        .y = flat((*peer)[o][f].position),
                                        .dash = "2 3"});
        }
        if (legend.empty()) legend = chart.series;
        figure.content += draw_chart(chart, panel_of(o));
    }
    Chart mean{.title = "Mean over friction and place",
               .x_label = "spheres",
               .y_label = "position error [m]",
               .log_x = true,
               .log_y = true,
               .legend = true,
               .low_y = 1e-4,
               .high_y = 10};
    mean.series = {{.name = "PBD-R", .colour = find_ink("pbdr"), .x = x, .y = means.corrected, .marks = true},
                   {.name = "PBD-R, authors’ reference",
                    .colour = find_ink("pbdr"),
                    .x = x,
                    .y = means.printed,
                    .dash = "5 3",
                    .marks = true},
                   {.name = "refined", .colour = find_ink("refined"), .x = x, .y = means.refined, .marks = true},
                   {.name = "MuJoCo", .colour = "#000", .x = ends, .y = flat(means.mujoco), .dash = "2 3"},
                   {.name = "MuJoCo, authors’ reference",
                    .colour = "#888",
                    .x = ends,
                    .y = flat(means.mujoco_printed),
                    .dash = "2 3"},
                   {.name = "convex", .colour = find_ink("convex"), .x = ends, .y = flat(means.convex), .dash = "8 3"}};
    Panel last = panel_of(grid.offsets.size());
    last.width = kWide + 215;
    figure.content += draw_chart(mean, last) + draw_legend(legend, {2 * kWide + 20, 30, 140, 200});

    FigureTable table{.title = "Mean position error over friction and place [m]",
                      .head = {"spheres", "PBD-R", "PBD-R, authors’ reference", "refined", "MuJoCo",
                               "MuJoCo, authors’ reference", "convex"},
                      .rows = {}};
    for (std::size_t k = 0; k < sizes; ++k)
        table.rows.push_back({fmt::format("{:.0f}", x[k]), to_cell(means.corrected[k]), to_cell(means.printed[k]),
                              to_cell(means.refined[k]), to_cell(means.mujoco), to_cell(means.mujoco_printed),
                              to_cell(means.convex)});
    figure.claims = check_resolution(grid, means);
    figure.tables = {std::move(table)};
    return figure;
}

}  // namespace rattleback::lab
