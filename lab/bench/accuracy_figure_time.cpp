// [PBD-R] Fig. 4: time for 100 frames of the pushed box against the number of spheres, with MuJoCo's line.
#include "lab/bench/accuracy_figures.h"

#include "base/index.h"
#include "lab/measure/measure.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace rattleback::lab
{

namespace
{

/// A box of n^3 spheres, for so many frames.
struct TimedSize
{
    int n, frames;
    double count() const { return static_cast<double>(n) * n * n; }
};

/// One line of the figure.
struct TimedLine
{
    std::string name, colour, dash;
    std::string solver;
    Parameters parameters;
    bool wall;  ///< several threads: time on the wall, otherwise of the CPU
};

std::vector<TimedSize> list_sizes(bool quick)
{
    std::vector<TimedSize> sizes = {{3, 1000}, {5, 1000}, {10, quick ? 100 : 1000}, {22, 100}, {46, quick ? 5 : 100}};
    if (!quick) sizes.insert(sizes.end(), {{100, 20}, {215, 5}});
    return sizes;
}

std::vector<PaperClaim> check_time(const std::vector<TimedSize>& sizes, const std::vector<double>& one_thread,
                                   const std::vector<double>& all_threads, double mujoco)
{
    std::vector<PaperClaim> claims;
    // n = 22: 10,648 spheres
    const auto big = std::find_if(sizes.begin(), sizes.end(), [](const TimedSize& s) { return s.n == 22; });
    const std::size_t i = static_cast<std::size_t>(big - sizes.begin());
    const double ratio = one_thread[i] / mujoco;
    std::size_t cheaper = 0;
    for (std::size_t k = 0; k < sizes.size(); ++k)
        if (one_thread[k] < mujoco * 2 / 3) cheaper = k + 1;
    claims.push_back(
        {"time of PBD-R over that of MuJoCo at 10⁴ spheres (authors: both on one GPU; here: one core each)",
         "below 2/3",
         to_cell(ratio) + (cheaper > 0 ? fmt::format("; below 2/3 up to {:.0f} spheres", sizes[cheaper - 1].count())
                                       : "; below 2/3 nowhere"),
         judge(!std::isnan(ratio), ratio < 2.0 / 3)});
    const auto exponent = [&](std::size_t from, std::size_t to)
    { return std::log(one_thread[to] / one_thread[from]) / std::log(sizes[to].count() / sizes[from].count()); };
    const std::size_t last = sizes.size() - 1;
    const double growth = exponent(i, last);
    claims.push_back(
        {fmt::format("growth with the number of spheres: exponent from 10⁴ to {:.0e}", sizes[last].count()),
         "more than linear",
         fmt::format("{:.2f} on one thread, {} times faster on all threads at the largest", growth,
                     to_cell(one_thread[last] / all_threads[last])),
         judge(std::isfinite(growth), growth > 1.15, growth > 1)});
    return claims;
}

}  // namespace

Result<PaperFigure> draw_time(const FigureDesk& desk)
{
    if (!desk.wants(1)) return PaperFigure{};
    const std::vector<TimedSize> sizes = list_sizes(desk.quick());
    const std::vector<TimedLine> lines = {
        {"pbdr, one thread", find_ink("pbdr"), "", "pbdr", {{"threads", 1}}, false},
        {"pbdr, all threads", find_ink("pbdr"), "5 3", "pbdr", {{"threads", 0}}, true},
        {"refined, one thread", find_ink("refined"), "", "refined", {}, false},
    };
    std::vector<Trial> trials;
    for (const TimedLine& line : lines)
        for (const TimedSize& size : sizes)
        {
            Trial trial{
                .test = 1,
                .who = make_contestant(fmt::format("{}, n = {}", line.name, size.n), line.solver, line.parameters),
                .frames = size.frames};
            trial.who.parameters["across"] = size.n;
            trials.push_back(std::move(trial));
        }
    const Contestant* mujoco = desk.find(kPaperMujoco);
    if (mujoco != nullptr)
        trials.push_back({.test = 1, .who = *mujoco, .frames = 999});  // alone, unlike that of Fig. 3
    const Result<std::vector<TrialOutcome>> outcomes = desk.run(trials, true);
    if (!outcomes.ok()) return outcomes.errors();

    PaperFigure figure{
        .id = "fig4",
        .title = "Fig. 4: time for 100 frames of the pushed box",
        .caption = fmt::format(
            "100 frames are 1 s: 1,000 steps of 10 iterations. CPU time on one thread; on all {} threads time on the "
            "wall. MuJoCo’s box is one box. The paper’s times are of a GPU (RTX 3060); ours of a CPU.",
            std::max(1U, std::thread::hardware_concurrency())),
        .width = 820,
        .height = 440,
        .content = {}};
    if (const std::string load = describe_load(); !load.empty()) figure.caption += " " + load + ".";
    Chart chart{.title = "Pushed box, 100 frames",
                .x_label = "number of spheres",
                .y_label = "time for 100 frames [s]",
                .log_x = true,
                .log_y = true};
    std::vector<std::vector<double>> seconds(lines.size());
    FigureTable table{.title = "Seconds for 100 frames", .head = {"spheres"}, .rows = {}};
    for (std::size_t l = 0; l < lines.size(); ++l)
    {
        Series series{.name = lines[l].name, .colour = lines[l].colour, .dash = lines[l].dash, .marks = true};
        for (std::size_t k = 0; k < sizes.size(); ++k)
        {
            const TrialOutcome& outcome = outcomes.value()[l * sizes.size() + k];
            const double time = lines[l].wall ? outcome.seconds : outcome.cpu_seconds;
            seconds[l].push_back(outcome.ran() ? time * 100 / sizes[k].frames : std::nan(""));
            series.x.push_back(sizes[k].count());
        }
        series.y = seconds[l];
        chart.series.push_back(std::move(series));
        table.head.push_back(lines[l].name);
    }
    const double peer = mujoco == nullptr || !outcomes.value().back().ran()
                            ? std::nan("")
                            : outcomes.value().back().cpu_seconds * 100 / 999;
    chart.series.push_back({.name = "MuJoCo (one box)",
                            .colour = find_ink(kPaperMujoco),
                            .x = {sizes.front().count(), sizes.back().count()},
                            .y = {peer, peer},
                            .dash = "2 3"});
    table.head.emplace_back("MuJoCo");
    for (std::size_t k = 0; k < sizes.size(); ++k)
    {
        std::vector<std::string> row{fmt::format("{:.0f}", sizes[k].count())};
        for (const std::vector<double>& line : seconds) row.push_back(to_cell(line[k]));
        row.push_back(to_cell(peer));
        table.rows.push_back(std::move(row));
    }
    figure.content = draw_chart(chart, {0, 0, figure.width, figure.height});
    figure.claims = check_time(sizes, seconds[0], seconds[1], peer);
    figure.tables = {std::move(table)};
    return figure;
}

}  // namespace rattleback::lab
