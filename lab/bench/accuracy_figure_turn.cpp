// [PBD-R] Fig. 6: rotation error over time in tests 2 and 5, for several numbers of spheres.
#include "lab/bench/accuracy_figures.h"

#include "base/index.h"
#include "geometry/packing/packing.h"
#include "lab/scenes/rabbit.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace rattleback::lab
{

namespace
{

/// Dark to light as spheres become more.
std::string find_turn_ink(std::size_t i)
{
    constexpr const char* kInks[] = {"#30123b", "#4662d7", "#1ba5d1", "#1fc38b", "#8fb51d", "#e8881a", "#c0260f"};
    return kInks[i % std::size(kInks)];
}

/// One panel: its curves, and the errors at the end.
struct TurnPanel
{
    Chart chart;
    std::vector<double> ends;  ///< [degrees], signed
    std::vector<int> counts;   ///< spheres
};

Result<TurnPanel> make_panel(const FigureDesk& desk, int test, const std::string& title,
                             const std::vector<Contestant>& subjects, std::vector<int> counts)
{
    std::vector<Trial> trials;
    for (const Contestant& who : subjects) trials.push_back({.test = test, .who = who, .keep = 20});
    const Result<std::vector<TrialOutcome>> outcomes = desk.run(trials);
    if (!outcomes.ok()) return outcomes.errors();
    TurnPanel panel{.chart = {.title = title,
                              .x_label = "time [s]",
                              .y_label = "magnitude of the yaw error [degrees]",
                              .log_y = true,
                              .low_y = 1e-3,
                              .high_y = 1000},
                    .ends = {},
                    .counts = std::move(counts)};
    for (std::size_t i = 0; i < subjects.size(); ++i)
    {
        Series series{.name = fmt::format("{} spheres", panel.counts[i]), .colour = find_turn_ink(i)};
        for (const AccuracySample& sample : outcomes.value()[i].samples)
        {
            if (sample.time == 0) continue;
            series.x.push_back(sample.time);
            series.y.push_back(std::abs(sample.yaw));
        }
        panel.ends.push_back(outcomes.value()[i].end.yaw);
        panel.chart.series.push_back(std::move(series));
    }
    return panel;
}

FigureTable list_ends(const TurnPanel& panel, const std::string& title, const std::vector<std::string>& beside,
                      const std::string& beside_head)
{
    FigureTable table{.title = title, .head = {"spheres", "yaw error at 10 s [degrees]", beside_head}, .rows = {}};
    for (std::size_t i = 0; i < panel.ends.size(); ++i)
        table.rows.push_back({fmt::format("{}", panel.counts[i]), to_cell(panel.ends[i]), beside[i]});
    return table;
}

}  // namespace

Result<PaperFigure> draw_turning(const FigureDesk& desk)
{
    if (!desk.wants(2) && !desk.wants(5)) return PaperFigure{};
    constexpr double kWide = 540, kHigh = 400;
    PaperFigure figure{.id = "fig6",
                       .title = "Fig. 6: rotation error over time by the number of spheres",
                       .caption =
                           "PBD-R, tests 2 (left) and 5 (right). The box follows a law: n³ point masses lack the "
                           "inertia of their own cells, a part 1/n² of it, so that the error after 10 s is 1074°/(n² − "
                           "1). Our rabbit stands for the bunny, so its "
                           "sphere counts are not the paper’s (270, 377, 512, 793, 1253, 2175).",
                       .width = 2 * kWide,
                       .height = kHigh,
                       .content = {}};
    if (desk.wants(2))
    {
        const std::vector<int> sides = desk.quick() ? std::vector{2, 4, 6} : std::vector{2, 3, 4, 5, 6, 8, 10};
        std::vector<Contestant> subjects;
        std::vector<int> counts;
        std::vector<std::string> laws;
        bool lawful = true;
        for (const int n : sides)
        {
            subjects.push_back(make_contestant(fmt::format("pbdr, n = {}", n), "pbdr", {{"across", n}}));
            counts.push_back(n * n * n);
            laws.push_back(fmt::format("{:.1f}", 1074.2958 / (n * n - 1)));
        }
        const Result<TurnPanel> panel = make_panel(desk, 2, "Box", subjects, counts);
        if (!panel.ok()) return panel.errors();
        const std::vector<double>& ends = panel.value().ends;
        bool falls = true;
        double worst = 0;
        for (std::size_t i = 0; i < ends.size(); ++i)
        {
            falls = falls && (i == 0 || std::abs(ends[i]) < std::abs(ends[i - 1]));
            worst = std::max(worst, std::abs(ends[i] - 1074.2958 / (sides[i] * sides[i] - 1)));
        }
        lawful = worst < 2;
        figure.content += draw_chart(panel.value().chart, {0, 0, kWide, kHigh});
        figure.claims.push_back({"box: the error falls with every step to more spheres", "consistently",
                                 fmt::format("{}° with {} to {}° with {} spheres", to_cell(ends.front()),
                                             counts.front(), to_cell(ends.back()), counts.back()),
                                 judge(true, falls)});
        figure.claims.push_back({"the cause is the inertia of the spheres: largest distance from 1074°/(n² − 1)",
                                 "inertia approximation", to_cell(worst) + "°", judge(true, lawful)});
        figure.tables.push_back(list_ends(panel.value(), "Test 2, box", laws, "1074°/(n² − 1)"));
    }
    if (desk.wants(5))
    {
        std::vector<Contestant> subjects;
        std::vector<int> counts;
        std::vector<std::string> radii;
        const MeshOptions mesh = desk.setup().mesh ? *desk.setup().mesh : make_rabbit();
        for (const int mm : {10, 9, 8, 7, 6, 5})
        {
            if (desk.quick() && mm < 8) break;
            const Result<std::vector<PackedSphere>> packed =
                pack_shape({.type = ShapeType::mesh, .mesh = &mesh}, {.radius = 0.001 * mm});
            if (!packed.ok()) return packed.errors();
            subjects.push_back(make_contestant(fmt::format("pbdr, r = {} mm", mm), "pbdr", {{"radius", 0.001 * mm}}));
            counts.push_back(static_cast<int>(packed.value().size()));
            radii.push_back(fmt::format("{}", mm));
        }
        const Result<TurnPanel> panel = make_panel(desk, 5, "Rabbit", subjects, counts);
        if (!panel.ok()) return panel.errors();
        const std::vector<double>& ends = panel.value().ends;
        int rises = 0, worse = 0;
        for (std::size_t i = 1; i < ends.size(); ++i) rises += std::abs(ends[i]) > std::abs(ends[i - 1]) ? 1 : 0;
        for (std::size_t i = 2; i < ends.size(); ++i)
            worse += std::abs(ends[i]) > std::max(std::abs(ends[0]), std::abs(ends[1])) ? 1 : 0;
        figure.content += draw_chart(panel.value().chart, {kWide, 0, kWide, kHigh});
        figure.claims.push_back(
            {"bunny: more spheres are not always better", "the two coarsest beat several finer ones",
             fmt::format("the two coarsest beat {} of {} finer ones; the error rises in {} of {} steps", worse,
                         ends.size() - 2, rises, ends.size() - 1),
             judge(true, worse > 1, rises > 0)});
        figure.tables.push_back(list_ends(panel.value(), "Test 5, rabbit", radii, "radius [mm]"));
    }
    return figure;
}

}  // namespace rattleback::lab
