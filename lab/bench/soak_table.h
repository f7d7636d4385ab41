// Runs of the bench `soak`, and what is said of them: figures with bars, a row each, and a table for the docs.
#pragma once

#include "lab/measure/figure.h"
#include "lab/metrics/soak.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

namespace rattleback::lab
{

/// `comfree` as it is has no memory, and what sticks creeps: beside it the variant that remembers where contacts stuck.
inline constexpr std::string_view kAnchored = "comfree anchored";

/// One run: a scene with a solver.
struct Soak
{
    const SoakScene* scene = nullptr;
    std::string solver;

    std::string name() const { return std::string(scene->name) + "-" + solver; }
    double dt() const { return find_soak_step(*scene, solver); }  ///< [s]
};

inline constexpr double kSoakGain = 0.01;       // bar: of the scene's energy
inline constexpr double kSoakLoss = 0.02;       // bar: of the same; of a swing one percent of its amplitude
inline constexpr double kSoakGrowth = 1 << 20;  // bar: of the resident set [bytes]
inline constexpr double kSoakHeight = 10;       // bar: [mm]

inline BenchTable make_soak_table()
{
    return {.title = "runs",
            .columns = {"dt [ms]", "hours", "step [us]", "energy gained [%]", "lost [%]", "drift [%]",
                        "height drift [mm]", "largest [mm]", "memory [KiB]", "not converged", "in parts", "diverged"},
            .rows = {}};
}

/// A row of that table, and figures with bars.
inline void report_soak(const Soak& soak, const SoakAccount& account, BenchTable& table, BenchReport& report)
{
    const double none = std::numeric_limits<double>::quiet_NaN();
    const bool has_height = soak.scene->find_height != nullptr;
    const auto number = [](std::int64_t count) { return static_cast<double>(count); };
    table.rows.push_back(
        {soak.name(),
         "double",
         {1000 * soak.dt(), account.seconds / 3600, 1e6 * account.cpu / std::max(1.0, number(account.steps)),
          100 * account.energy_gain(), 100 * account.energy_loss(), 100 * account.energy_drift(),
          has_height ? 1000 * account.height_drift() : none, has_height ? 1000 * account.height_range() : none,
          account.memory_growth / 1024, number(account.unsettled), number(account.divided),
          account.diverged ? 1.0 : 0.0}});
    // What has not been looked at meets no bar.
    if (account.looks == 0 && !account.diverged) return;
    const auto add = [&](const char* what, double value, const char* unit, double bar)
    {
        report.figures.push_back(
            {.name = soak.name() + ": " + what, .value = value, .unit = unit, .bar = bar, .higher_is_better = false});
    };
    add("diverged", account.diverged ? 1 : 0, "runs", 0);
    add("energy above the first look", 100 * account.energy_gain(), "%", 100 * kSoakGain);
    add("energy below the first look", 100 * account.energy_loss(), "%", 100 * kSoakLoss);
    if (soak.scene->find_height != nullptr)
        add("height, largest distance from the first look", 1000 * account.height_range(), "mm", kSoakHeight);
    add("growth of memory", account.memory_growth / 1024, "KiB", kSoakGrowth / 1024);
}

/// The table as Markdown, with the bars that each run misses.
inline std::string make_soak_page(const BenchTable& table, const BenchReport& report)
{
    std::string page = "| run |";
    for (const std::string& column : table.columns) page += " " + column + " |";
    page += " misses |\n|---|";
    for (std::size_t i = 0; i <= table.columns.size(); ++i) page += "---|";
    page += "\n";
    for (const BenchTable::Row& row : table.rows)
    {
        const std::size_t dash = row.name.find('-');
        page += fmt::format("| {}, `{}` |", row.name.substr(0, dash), row.name.substr(dash + 1));
        for (const double value : row.values) page += std::isnan(value) ? "  |" : " " + short_number(value) + " |";
        std::string missed;
        for (const Figure& figure : report.figures)
        {
            if (figure.passes() || figure.name.rfind(row.name + ": ", 0) != 0) continue;
            missed += (missed.empty() ? "" : ", ") + figure.name.substr(row.name.size() + 2);
        }
        page += " " + missed + " |\n";
    }
    return page;
}

}  // namespace rattleback::lab
