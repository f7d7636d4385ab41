// [PBD-R] Fig. 4: time for 100 frames of the pushed box against the number of spheres, with MuJoCo's line.
#include "lab/bench/accuracy_figures.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <thread>

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
    bool wall;    ///< several threads: time on the wall, otherwise of the CPU
    int longest;  ///< side of the largest box that gets all of its frames; a larger one gets five
    int largest;  ///< side of the largest box that is run
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

/// Seconds for 100 frames by size; NaN where it is not run. One run after the other.
Result<std::vector<double>> time_line(const FigureDesk& desk, const TimedLine& line,
                                      const std::vector<TimedSize>& sizes)
{
    std::vector<double> seconds;
    for (const TimedSize& size : sizes)
    {
        seconds.push_back(std::nan(""));
        if (size.n > line.largest) continue;
        const int frames = size.n > line.longest ? 5 : size.frames;
        Trial trial{.test = 1,
                    .who = make_contestant(fmt::format("{}, n = {}", line.name, size.n), line.solver, line.parameters),
                    .frames = frames};
        trial.who.parameters["across"] = size.n;
        const Result<std::vector<TrialOutcome>> outcome = desk.run({trial}, true);
        if (!outcome.ok()) return outcome.errors();
        const TrialOutcome& run = outcome.value()[0];
        if (run.ran()) seconds.back() = (line.wall ? run.seconds : run.cpu_seconds) * 100 / frames;
    }
    return seconds;
}

/// The box of MuJoCo, which has no spheres.
Result<double> time_mujoco(const FigureDesk& desk)
{
    const Contestant* mujoco = desk.find(kPaperMujoco);
    if (mujoco == nullptr) return std::nan("");
    // 999 frames: Fig. 7 has runs of 1000, which are not timed alone
    const Result<std::vector<TrialOutcome>> outcome = desk.run({{.test = 1, .who = *mujoco, .frames = 999}}, true);
    if (!outcome.ok()) return outcome.errors();
    return outcome.value()[0].ran() ? outcome.value()[0].cpu_seconds * 100 / 999 : std::nan("");
}

}  // namespace

Result<PaperFigure> draw_time(const FigureDesk& desk)
{
    if (!desk.wants(1)) return PaperFigure{};
    const std::vector<TimedSize> sizes = list_sizes(desk.quick());
    const std::vector<TimedLine> lines = {
        {"pbdr, one thread", find_ink("pbdr"), "", "pbdr", {{"threads", 1}}, false, 1000, 1000},
        {"pbdr, all threads", find_ink("pbdr"), "5 3", "pbdr", {{"threads", 0}}, true, 1000, 1000},
        {"refined, one thread", find_ink("refined"), "", "refined", {}, false, 22, 46},
    };
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
    Chart chart{.title = "Pushed box, 100 frames",
                .x_label = "number of spheres",
                .y_label = "time for 100 frames [s]",
                .log_x = true,
                .log_y = true};
    FigureTable table{.title = "Seconds for 100 frames", .head = {"spheres"}, .rows = {}};
    std::vector<double> counts;
    for (const TimedSize& size : sizes)
    {
        counts.push_back(size.count());
        table.rows.push_back({fmt::format("{:.0f}", size.count())});
    }
    const auto add_column = [&](const std::string& name, const std::vector<double>& seconds)
    {
        table.head.push_back(name);
        for (std::size_t k = 0; k < sizes.size(); ++k) table.rows[k].push_back(to_cell(seconds[k]));
    };
    std::vector<std::vector<double>> seconds;
    for (const TimedLine& line : lines)
    {
        const Result<std::vector<double>> timed = time_line(desk, line, sizes);
        if (!timed.ok()) return timed.errors();
        seconds.push_back(timed.value());
        chart.series.push_back({.name = line.name,
                                .colour = line.colour,
                                .x = counts,
                                .y = timed.value(),
                                .dash = line.dash,
                                .marks = true});
        add_column(line.name, timed.value());
    }
    const Result<double> peer = time_mujoco(desk);
    if (!peer.ok()) return peer.errors();
    chart.series.push_back({.name = "MuJoCo (one box)",
                            .colour = find_ink(kPaperMujoco),
                            .x = {counts.front(), counts.back()},
                            .y = {peer.value(), peer.value()},
                            .dash = "2 3"});
    add_column("MuJoCo", std::vector<double>(sizes.size(), peer.value()));
    figure.content = draw_chart(chart, {0, 0, figure.width, figure.height});
    figure.claims = check_time(sizes, seconds[0], seconds[1], peer.value());
    figure.tables = {std::move(table)};
    return figure;
}

}  // namespace rattleback::lab
