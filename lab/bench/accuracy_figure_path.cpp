// [PBD-R] Fig. 5: the path of a box pushed by a rod, from above.
#include "lab/bench/accuracy_figures.h"

#include "base/index.h"

#include <fmt/format.h>

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
    Chart chart{.title = title,
                .x_label = "x [m]",
                .y_label = first ? "y [m]" : "",
                .equal = true,
                .legend = false,
                .low_y = -2.7,
                .high_y = 0.25};
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

}  // namespace rattleback::lab
