// [PBD-R] Table III: the errors that come back when a part of PBD-R is taken away.
#include "lab/bench/accuracy_figures.h"

#include "base/index.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace rattleback::lab
{

namespace
{

using ErrorOf = double AccuracySample::*;

/// One line of the table: which part, which error, what the paper has.
struct AblationRow
{
    const char* part;
    const char* metric;
    ErrorOf error;
    double scale;     ///< from the error to the metric: a velocity is a momentum over 4 kg
    double paper[4];  ///< at 2 s, at 10 s, mean, factor
};
constexpr AblationRow kAblationRows[] = {
    {"velocity update", "position [m]", &AccuracySample::position, 1, {2e-4, 1.33, 0.32, 310}},
    {"velocity update", "velocity [m/s]", &AccuracySample::linear, 0.25, {9e-3, 0.21, 0.18, 2403}},
    {"linear momentum", "position [m]", &AccuracySample::position, 1, {0.03, 3.95, 0.73, 703}},
    {"linear momentum", "linear momentum [kg m/s]", &AccuracySample::linear, 1, {0.12, 6.88, 1.58, 5063}},
    {"angular momentum", "rotation [degrees]", &AccuracySample::yaw, 1, {14.99, 135.85, 64.74, 1906}},
    {"angular momentum", "angular momentum [kg m²/s]", &AccuracySample::angular, 1, {6e-3, 5e-3, 6e-3, 828}},
};

/// A setting of the arithmetic, of which the paper does not say which one it is.
struct Arithmetic
{
    const char* summation;
    const char* polar;
};
constexpr Arithmetic kArithmetics[] = {{"tree", "exact"}, {"sequential", "exact"}, {"compensated", "exact"},
                                       {"tree", "fast"},  {"sequential", "fast"},  {"compensated", "fast"}};

Parameters take_away(std::string_view part)
{
    if (part == "velocity update") return {{"velocity_update", std::string("difference")}};
    if (part == "linear momentum") return {{"linear_momentum", false}};
    if (part == "angular momentum") return {{"angular_momentum", false}};
    return {};
}

/// Outcomes by part ("" for the whole method) and arithmetic.
using AblationRuns = std::map<std::string, std::vector<TrialOutcome>>;

Result<AblationRuns> run_parts(const FigureDesk& desk, const CaseOptions& changes)
{
    const std::vector<std::string> parts = {"", "velocity update", "linear momentum", "angular momentum"};
    std::vector<Trial> trials;
    for (const std::string& part : parts)
        for (const Arithmetic& arithmetic : kArithmetics)
        {
            Trial trial{.test = 1,
                        .changes = changes,
                        .who = make_contestant(part.empty() ? "pbdr" : "pbdr without " + part, "pbdr", take_away(part)),
                        .keep = 200};
            trial.who.parameters["summation"] = std::string(arithmetic.summation);
            trial.who.parameters["polar"] = std::string(arithmetic.polar);
            trials.push_back(std::move(trial));
        }
    Result<std::vector<TrialOutcome>> outcomes = desk.run(trials);
    if (!outcomes.ok()) return outcomes.errors();
    AblationRuns runs;
    for (std::size_t i = 0; i < trials.size(); ++i)
        runs[parts[i / std::size(kArithmetics)]].push_back(std::move(outcomes.value()[i]));
    return runs;
}

/// The four numbers of a line for one arithmetic.
std::array<double, 4> find_numbers(const AblationRow& row, const TrialOutcome& without, const TrialOutcome& whole)
{
    const auto value = [&](const AccuracySample& sample) { return std::abs(row.scale * (sample.*row.error)); };
    // samples are 2 s apart
    const double early = without.samples.size() > 1 ? value(without.samples[1]) : std::nan("");
    return {early, value(without.end), value(without.mean), value(without.mean) / value(whole.mean)};
}

/// Within a factor of two of the span: rounding noise is not the same on two machines.
bool agrees(double paper, const std::vector<double>& ours)
{
    const auto [low, high] = std::minmax_element(ours.begin(), ours.end());
    return paper > 0.5 * *low && paper < 2 * *high;
}

void add_rows(const AblationRuns& runs, FigureTable& table, std::vector<PaperClaim>* claims)
{
    for (const AblationRow& row : kAblationRows)
    {
        std::array<std::vector<double>, 4> numbers;
        for (std::size_t a = 0; a < std::size(kArithmetics); ++a)
        {
            const std::array<double, 4> one = find_numbers(row, runs.at(row.part)[a], runs.at("")[a]);
            for (std::size_t k = 0; k < 4; ++k) numbers[k].push_back(one[k]);
        }
        std::vector<std::string> cells{row.part, row.metric};
        for (std::size_t k = 0; k < 4; ++k)
        {
            cells.push_back(to_cell(row.paper[k]));
            cells.push_back(to_span(numbers[k]));
        }
        table.rows.push_back(std::move(cells));
        if (claims == nullptr) continue;
        const bool end = agrees(row.paper[1], numbers[1]), mean = agrees(row.paper[2], numbers[2]);
        claims->push_back(
            {fmt::format("without {}: {} at 10 s; mean; times that of PBD-R", row.part, row.metric),
             fmt::format("{}; {}; {}", to_cell(row.paper[1]), to_cell(row.paper[2]), to_cell(row.paper[3])),
             fmt::format("{}; {}; {}", to_span(numbers[1]), to_span(numbers[2]), to_span(numbers[3])),
             judge(true, end && mean, end || mean)});
    }
}

/// The whole method: "ours maintains about 0".
void add_whole(const AblationRuns& runs, FigureTable& table)
{
    const AblationRow whole[] = {{"nothing", "position [m]", &AccuracySample::position, 1, {}},
                                 {"nothing", "velocity [m/s]", &AccuracySample::linear, 0.25, {}},
                                 {"nothing", "rotation [degrees]", &AccuracySample::yaw, 1, {}},
                                 {"nothing", "angular momentum [kg m²/s]", &AccuracySample::angular, 1, {}}};
    for (const AblationRow& row : whole)
    {
        std::array<std::vector<double>, 4> numbers;
        for (const TrialOutcome& outcome : runs.at(""))
        {
            const std::array<double, 4> one = find_numbers(row, outcome, outcome);
            for (std::size_t k = 0; k < 4; ++k) numbers[k].push_back(one[k]);
        }
        table.rows.push_back({row.part, row.metric, "≈ 0", to_span(numbers[0]), "≈ 0", to_span(numbers[1]), "≈ 0",
                              to_span(numbers[2]), "1", "1"});
    }
}

}  // namespace

Result<PaperFigure> make_ablation_table(const FigureDesk& desk)
{
    if (!desk.wants(1)) return PaperFigure{};
    PaperFigure figure{.id = "table3",
                       .title = "Table III: parts of PBD-R taken away",
                       .caption =
                           "Test 1 with 64 spheres, float. Spans are over six ways of the arithmetic that the paper "
                           "does not settle: sums in a tree, one after the other or compensated; an exact polar "
                           "decomposition or a rough one in float. It reproduces where end and mean of the paper are "
                           "within a factor of two of the span. The first table has the force of the authors’ code, 2 "
                           "N without friction, with which its numbers fit; the second that of Table II.",
                       .content = {}};
    const std::vector<std::string> head = {"taken away", "error",       "2 s, paper", "2 s, here",    "10 s, paper",
                                           "10 s, here", "mean, paper", "mean, here", "times, paper", "times, here"};
    struct Setting
    {
        const char* title;
        CaseOptions changes;
    };
    const Setting settings[] = {{"F = 2 N, µ = 0 (the code’s defaults)", {.friction = 0.0, .force = 2.0}},
                                {"F = 17 N, µ = 0.4 (Table II)", {}}};
    for (const Setting& setting : settings)
    {
        const Result<AblationRuns> runs = run_parts(desk, setting.changes);
        if (!runs.ok()) return runs.errors();
        FigureTable table{.title = setting.title, .head = head, .rows = {}};
        add_rows(runs.value(), table, figure.tables.empty() ? &figure.claims : nullptr);
        add_whole(runs.value(), table);
        figure.tables.push_back(std::move(table));
    }
    return figure;
}

}  // namespace rattleback::lab
