// [PBD-R] Fig. 7: heat maps of the errors of the pushed box over friction and force, for every contestant.
#include "lab/bench/accuracy_figures.h"

#include "base/index.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace rattleback::lab
{

namespace
{

constexpr double kTumbled = 10;  // true rotation beyond which a box has tumbled [degrees]

/// Errors of one contestant.
struct FrictionErrors
{
    std::string name;
    std::vector<double> position, rotation;  ///< [friction][force]
    std::vector<bool> tumbled;

    int tumbles() const { return static_cast<int>(std::count(tumbled.begin(), tumbled.end(), true)); }
};

/// Friction 0 to 0.8, force 1 to 10 times what sets the box in motion (without friction: a tenth of its weight).
struct FrictionGrid
{
    int side = 8;
    double friction(int row) const { return 0.8 * row / (side - 1); }
    double times(int column) const { return 1 + 9.0 * column / (side - 1); }
    double force(int row, int column) const { return times(column) * std::max(friction(row), 0.1) * 4 * kCaseGravity; }
};

Result<std::vector<FrictionErrors>> measure_friction(const FigureDesk& desk, const FrictionGrid& grid)
{
    std::vector<Trial> trials;
    for (const Contestant& who : desk.setup().contestants)
        for (int row = 0; row < grid.side; ++row)
            for (int column = 0; column < grid.side; ++column)
                trials.push_back({.test = 1,
                                  .changes = {.friction = grid.friction(row), .force = grid.force(row, column)},
                                  .who = who});
    const Result<std::vector<TrialOutcome>> outcomes = desk.run(trials);
    if (!outcomes.ok()) return outcomes.errors();
    std::vector<FrictionErrors> all;
    const std::size_t cells = at(grid.side) * at(grid.side);
    for (std::size_t c = 0; c < desk.setup().contestants.size(); ++c)
    {
        FrictionErrors errors{.name = desk.setup().contestants[c].name, .position = {}, .rotation = {}, .tumbled = {}};
        for (std::size_t i = 0; i < cells; ++i)
        {
            const TrialOutcome& outcome = outcomes.value()[c * cells + i];
            errors.position.push_back(outcome.end.position);
            errors.rotation.push_back(outcome.end.rotation);
            errors.tumbled.push_back(outcome.ran() &&
                                     (!(outcome.end.rotation <= kTumbled) || !outcome.trouble.empty()));
        }
        if (outcomes.value()[c * cells].ran()) all.push_back(std::move(errors));
    }
    return all;
}

/// In how many cells the first is nearer than the second.
int count_nearer(const FrictionErrors& a, const FrictionErrors& b, std::vector<double> FrictionErrors::* what)
{
    int count = 0;
    for (std::size_t i = 0; i < (a.*what).size(); ++i) count += (a.*what)[i] < (b.*what)[i] ? 1 : 0;
    return count;
}

double find_median(std::vector<double> values)
{
    std::sort(values.begin(), values.end());
    return values.empty() ? std::nan("") : values[values.size() / 2];
}

std::vector<PaperClaim> check_friction(const std::vector<FrictionErrors>& all)
{
    const auto find = [&](std::string_view name) -> const FrictionErrors*
    {
        for (const FrictionErrors& errors : all)
            if (errors.name == name) return &errors;
        return nullptr;
    };
    const FrictionErrors *pbd = find("pbd"), *pbdr = find("pbdr"), *mujoco = find(kPaperMujoco);
    std::vector<PaperClaim> claims;
    if (pbdr != nullptr)
    {
        const double worst = *std::max_element(pbdr->position.begin(), pbdr->position.end());
        claims.push_back({"PBD-R has a low error over the whole sweep: median and worst position error", "no number",
                          fmt::format("{} and {} m, {} tumbles", to_cell(find_median(pbdr->position)), to_cell(worst),
                                      pbdr->tumbles()),
                          judge(true, worst < 1 && pbdr->tumbles() == 0, find_median(pbdr->position) < 0.1)});
    }
    const int cells = pbdr == nullptr ? 0 : static_cast<int>(pbdr->position.size());
    if (pbdr != nullptr && pbd != nullptr)
    {
        const int nearer = count_nearer(*pbdr, *pbd, &FrictionErrors::position);
        claims.push_back({"PBD is worse at nearly every combination (position)", "nearly every",
                          fmt::format("PBD-R nearer in {} of {}", nearer, cells),
                          judge(true, nearer > 0.8 * cells, nearer > 0.5 * cells)});
    }
    if (pbdr != nullptr && mujoco != nullptr)
    {
        const int nearer = count_nearer(*pbdr, *mujoco, &FrictionErrors::position);
        claims.push_back(
            {"PBD-R has the lowest error across the sweep; MuJoCo is better at low friction and small force",
             "PBD-R lowest",
             fmt::format("PBD-R nearer than MuJoCo in {} of {}; medians {} and {} m", nearer, cells,
                         to_cell(find_median(pbdr->position)), to_cell(find_median(mujoco->position))),
             judge(true, nearer > 0.8 * cells, nearer > 0.3 * cells)});
    }
    if (mujoco != nullptr)
        claims.push_back(
            {"MuJoCo’s box begins to tumble under large forces", "it tumbles",
             fmt::format("{} of {} runs; largest true rotation {}°", mujoco->tumbles(), mujoco->position.size(),
                         to_cell(*std::max_element(mujoco->rotation.begin(), mujoco->rotation.end()))),
             judge(true, mujoco->tumbles() > 0)});
    return claims;
}

}  // namespace

Result<PaperFigure> draw_friction_maps(const FigureDesk& desk)
{
    if (!desk.wants(1)) return PaperFigure{};
    const FrictionGrid grid{.side = desk.quick() ? 3 : 8};
    const Result<std::vector<FrictionErrors>> measured = measure_friction(desk, grid);
    if (!measured.ok()) return measured.errors();
    const std::vector<FrictionErrors>& all = measured.value();
    std::vector<std::string> rows, columns;
    for (int i = 0; i < grid.side; ++i)
    {
        rows.push_back(fmt::format("{:.2f}", grid.friction(i)));
        columns.push_back(fmt::format("{:.1f}", grid.times(i)));
    }
    constexpr double kSide = 275, kHigh = 270, kLowPosition = 1e-6, kHighPosition = 100, kLowRotation = 1e-6,
                     kHighRotation = 180;
    PaperFigure figure{.id = "fig7",
                       .title = "Fig. 7: errors of the pushed box over friction and force",
                       .caption =
                           "Test 1, 10 s. Friction upwards, force to the right, as multiples of what sets the box in "
                           "motion, µ M g (of a tenth of the weight where µ is smaller than 0.1: at µ = 0 there is no "
                           "such force). For each contestant left the position error, right the true "
                           "rotation error at the end. A cross: the box turned by more than 10° or the run broke off. "
                           "A cube pushed at its centre does not tip below µ = 1.",
                       .width = 4 * kSide,
                       .height = kHigh * static_cast<double>((all.size() + 1) / 2) + 60,
                       .content = {}};
    FigureTable table{.title = "Over the sweep",
                      .head = {"who", "median position [m]", "worst position [m]", "median rotation [degrees]",
                               "worst rotation [degrees]", "tumbled"},
                      .rows = {}};
    for (std::size_t i = 0; i < all.size(); ++i)
    {
        const double x = i % 2 == 0 ? 0 : 2 * kSide, y = kHigh * static_cast<double>(i / 2);
        const std::string name = find_label(all[i].name);
        figure.content += draw_heat_map({.title = name + ": position",
                                         .x_label = "F / (µ M g)",
                                         .y_label = "friction µ",
                                         .columns = columns,
                                         .rows = rows,
                                         .values = all[i].position,
                                         .marked = all[i].tumbled,
                                         .low = kLowPosition,
                                         .high = kHighPosition},
                                        {x, y, kSide, kHigh});
        figure.content += draw_heat_map({.title = name + ": rotation",
                                         .x_label = "F / (µ M g)",
                                         .y_label = "",
                                         .columns = columns,
                                         .rows = rows,
                                         .values = all[i].rotation,
                                         .marked = all[i].tumbled,
                                         .low = kLowRotation,
                                         .high = kHighRotation},
                                        {x + kSide, y, kSide, kHigh});
        table.rows.push_back({name, to_cell(find_median(all[i].position)),
                              to_cell(*std::max_element(all[i].position.begin(), all[i].position.end())),
                              to_cell(find_median(all[i].rotation)),
                              to_cell(*std::max_element(all[i].rotation.begin(), all[i].rotation.end())),
                              fmt::format("{} of {}", all[i].tumbles(), all[i].position.size())});
    }
    figure.content +=
        draw_heat_scale(kLowPosition, kHighPosition, "position error [m]", {80, figure.height - 50, 380, 40});
    figure.content += draw_heat_scale(kLowRotation, kHighRotation, "true rotation error [degrees]",
                                      {2 * kSide + 80, figure.height - 50, 380, 40});
    figure.claims = check_friction(all);
    figure.tables = {std::move(table)};
    return figure;
}

}  // namespace rattleback::lab
