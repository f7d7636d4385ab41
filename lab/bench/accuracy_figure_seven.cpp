// [PBD-R] Fig. 3: errors of every contestant at the end of the seven tests, mean and deviation of three seeds.
#include "lab/bench/accuracy_figures.h"

#include "base/index.h"
#include "math/random.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace rattleback::lab
{

namespace
{

constexpr int kSeeds = 3;

bool takes(std::string_view solver, std::string_view parameter)
{
    const Result<const SolverInfo*> info = find_solver(solver);
    if (!info.ok()) return false;
    const auto& list = info.value()->parameters;
    return std::any_of(list.begin(), list.end(), [&](const ParameterInfo& p) { return p.name == parameter; });
}

/// What is random: where everything starts (up to 1 mm off), and for spheres the order of sums and their places (up to
/// 1e-4 of their radius off). The authors' seeds change nothing but the order of a GPU's sums.
Trial with_seed(Trial trial, int seed)
{
    constexpr const char* kOrders[kSeeds] = {"tree", "sequential", "compensated"};
    Random random(static_cast<std::uint64_t>(seed));
    trial.changes.shift_x = random.uniform(-1e-3, 1e-3);
    trial.changes.shift_y = random.uniform(-1e-3, 1e-3);
    if (takes(trial.who.solver, "summation"))
        trial.who.parameters["summation"] = std::string(kOrders[(seed - 1) % kSeeds]);
    if (takes(trial.who.solver, "jitter"))
    {
        trial.who.parameters["jitter"] = 1e-4;
        trial.who.parameters["jitter_seed"] = seed;
    }
    return trial;
}

struct MeanError
{
    double mean = std::nan(""), deviation = 0;
};

MeanError average(const std::vector<double>& values)
{
    MeanError error{0, 0};
    for (const double value : values) error.mean += value / static_cast<double>(values.size());
    for (const double value : values) error.deviation += (value - error.mean) * (value - error.mean);
    error.deviation = values.size() > 1 ? std::sqrt(error.deviation / static_cast<double>(values.size() - 1)) : 0;
    return error;
}

/// Errors of all contestants in all tests.
struct SevenErrors
{
    std::vector<int> tests;
    std::vector<std::string> names;
    std::vector<std::vector<MeanError>> position, yaw, rotation;  ///< [contestant][test]

    /// NaN where it did not run.
    double at(std::string_view name, int test, std::vector<std::vector<MeanError>> SevenErrors::* what) const
    {
        for (std::size_t c = 0; c < names.size(); ++c)
            for (std::size_t t = 0; t < tests.size(); ++t)
                if (names[c] == name && tests[t] == test) return (this->*what)[c][t].mean;
        return std::nan("");
    }
    std::vector<double> all(std::string_view name, const std::vector<int>& chosen,
                            std::vector<std::vector<MeanError>> SevenErrors::* what) const
    {
        std::vector<double> values;
        for (const int test : chosen) values.push_back(at(name, test, what));
        std::erase_if(values, [](double value) { return std::isnan(value); });
        return values;
    }
};

constexpr std::string_view kAuthorsPbd = "pbd, authors' code", kAuthorsPbdr = "pbdr, authors' code";

/// Those asked for, and beside `pbd` and `pbdr` the same with the centre of mass and the speed limit of the authors'
/// code, where the solvers know them.
std::vector<Contestant> list_contestants(const FigureDesk& desk)
{
    std::vector<Contestant> all;
    for (const Contestant& who : desk.setup().contestants)
    {
        all.push_back(who);
        if ((who.name != "pbd" && who.name != "pbdr") || !takes(who.solver, "centre") ||
            !takes(who.solver, "speed_limit"))
            continue;
        all.push_back(who);
        all.back().name = who.name == "pbd" ? kAuthorsPbd : kAuthorsPbdr;
        all.back().parameters["centre"] = std::string("world");
        all.back().parameters["speed_limit"] = 1e5;
    }
    return all;
}

Result<SevenErrors> measure_seven(const FigureDesk& desk)
{
    const std::vector<Contestant> contestants = list_contestants(desk);
    SevenErrors errors;
    for (int test = 1; test <= kCaseCount; ++test)
        if (desk.wants(test)) errors.tests.push_back(test);
    std::vector<Trial> trials;
    for (const Contestant& who : contestants)
        for (const int test : errors.tests)
            for (int seed = 1; seed <= kSeeds; ++seed)
            {
                const bool hurry = desk.quick() && test >= 4 && test <= 6;
                trials.push_back(with_seed({.test = test, .who = who, .frames = hurry ? 100 : 0}, seed));
            }
    const Result<std::vector<TrialOutcome>> outcomes = desk.run(trials);
    if (!outcomes.ok()) return outcomes.errors();
    std::size_t next = 0;
    for (const Contestant& who : contestants)
    {
        std::vector<MeanError> position, yaw, rotation;
        bool any = false;
        for (std::size_t t = 0; t < errors.tests.size(); ++t)
        {
            std::vector<double> p, y, r;
            for (int seed = 1; seed <= kSeeds; ++seed)
            {
                const TrialOutcome& outcome = outcomes.value()[next++];
                any = any || outcome.ran();
                p.push_back(outcome.end.position);
                y.push_back(std::abs(outcome.end.yaw));
                r.push_back(outcome.end.rotation);
            }
            position.push_back(average(p));
            yaw.push_back(average(y));
            rotation.push_back(average(r));
        }
        if (!any) continue;
        errors.names.push_back(who.name);
        errors.position.push_back(std::move(position));
        errors.yaw.push_back(std::move(yaw));
        errors.rotation.push_back(std::move(rotation));
    }
    return errors;
}

/// Dots beside each other in the column of their test.
Chart make_dots(const SevenErrors& errors, const std::vector<std::vector<MeanError>>& values, std::string title,
                std::string y_label, double low)
{
    Chart chart{.title = std::move(title), .y_label = std::move(y_label), .log_y = true, .low_y = low};
    for (const int test : errors.tests) chart.categories.push_back(fmt::format("{} {}", test, case_name(test)));
    const double gap = 0.8 / static_cast<double>(std::max<std::size_t>(errors.names.size(), 1));
    for (std::size_t c = 0; c < errors.names.size(); ++c)
    {
        Series dots{
            .name = find_label(errors.names[c]), .colour = find_ink(errors.names[c]), .line = false, .marks = true};
        for (std::size_t t = 0; t < errors.tests.size(); ++t)
        {
            dots.x.push_back(static_cast<double>(t) - 0.4 + gap * (static_cast<double>(c) + 0.5));
            dots.y.push_back(values[c][t].mean);
            dots.spread.push_back(values[c][t].deviation);
        }
        chart.series.push_back(std::move(dots));
    }
    return chart;
}

FigureTable list_errors(const SevenErrors& errors, const std::vector<std::vector<MeanError>>& values, std::string title)
{
    FigureTable table{.title = std::move(title), .head = {"test"}, .rows = {}};
    for (const std::string& name : errors.names) table.head.push_back(find_label(name));
    for (std::size_t t = 0; t < errors.tests.size(); ++t)
    {
        std::vector<std::string> row{fmt::format("{} {}", errors.tests[t], case_name(errors.tests[t]))};
        for (const std::vector<MeanError>& of_one : values)
            row.push_back(std::isnan(of_one[t].mean) ? "–"
                                                     : to_cell(of_one[t].mean) + " ± " + to_cell(of_one[t].deviation));
        table.rows.push_back(std::move(row));
    }
    return table;
}

std::vector<PaperClaim> check_seven(const SevenErrors& errors)
{
    const auto position = &SevenErrors::position, yaw = &SevenErrors::yaw, rotation = &SevenErrors::rotation;
    const auto largest = [](const std::vector<double>& v)
    { return v.empty() ? std::nan("") : *std::max_element(v.begin(), v.end()); };
    std::vector<PaperClaim> claims;
    for (const std::string_view who : {std::string_view("pbd"), kAuthorsPbd})
    {
        const double far = largest(errors.all(who, errors.tests, position));
        const double turned = largest(errors.all(who, errors.tests, yaw));
        const std::string beside =
            who == kAuthorsPbd ? " (centre of mass and speed limit as in the authors’ code)" : "";
        if (who == kAuthorsPbd && std::isnan(far)) continue;
        claims.push_back({"PBD’s largest position error" + beside, "10⁶ m", to_cell(far) + " m",
                          judge(!std::isnan(far), far > 3e5)});
        claims.push_back({"PBD’s largest rotation error" + beside, "3000°", to_cell(turned) + "°",
                          judge(!std::isnan(turned), turned > 1500 && turned < 6000, turned > 360)});
    }
    int better = 0, both = 0;
    std::vector<double> ratios;
    for (const int test : errors.tests)
    {
        const double pbd = errors.at("pbd", test, position), pbdr = errors.at("pbdr", test, position);
        const double mujoco = errors.at(kPaperMujoco, test, position);
        if (test != 2 && test != 5 && !std::isnan(pbdr + mujoco)) ratios.push_back(pbdr / mujoco);
        if (test == 2 || test == 5 || std::isnan(pbd + pbdr)) continue;
        ++both;
        better += pbdr < pbd ? 1 : 0;
    }
    claims.push_back({"PBD-R is nearer than PBD in position (tests with a way: 1, 3, 4, 6, 7)", "all",
                      fmt::format("{} of {}", better, both), judge(both > 0, better == both, 2 * better > both)});
    claims.push_back(
        {"PBD-R and MuJoCo are alike in position: error of PBD-R over that of MuJoCo, in the same tests", "similar",
         to_span(ratios),
         judge(!ratios.empty(), largest(ratios) < 10 && *std::min_element(ratios.begin(), ratios.end()) > 0.1, true)});
    const std::vector<double> tumbles = errors.all(kPaperMujoco, {4, 6}, rotation),
                              stands = errors.all("pbdr", {4, 6}, rotation);
    claims.push_back(
        {"MuJoCo’s bunny tumbles in tests 4 and 6: true rotation error", "large; it tumbles", to_span(tumbles) + "°",
         judge(!tumbles.empty(), *std::min_element(tumbles.begin(), tumbles.end()) > 10, largest(tumbles) > 10)});
    claims.push_back({"PBD-R’s bunny does not tumble in tests 4 and 6: true rotation error", "no instability",
                      to_span(stands) + "°", judge(!stands.empty(), largest(stands) < 5)});
    const double pbdr_turn = errors.at("pbdr", 2, yaw), pbd_turn = errors.at("pbd", 2, yaw),
                 mujoco_turn = errors.at(kPaperMujoco, 2, yaw);
    claims.push_back(
        {"in test 2 PBD-R’s rotation error exceeds both others (PBD, MuJoCo)", "PBD-R largest",
         fmt::format("{}° against {}° and {}°", to_cell(pbdr_turn), to_cell(pbd_turn), to_cell(mujoco_turn)),
         judge(!std::isnan(pbdr_turn + pbd_turn), pbdr_turn > pbd_turn && !(pbdr_turn < mujoco_turn))});
    return claims;
}

}  // namespace

Result<PaperFigure> draw_seven_tests(const FigureDesk& desk)
{
    const Result<SevenErrors> measured = measure_seven(desk);
    if (!measured.ok()) return measured.errors();
    const SevenErrors& errors = measured.value();
    constexpr double kWidth = 1120, kHeight = 330;
    PaperFigure figure{
        .id = "fig3",
        .title = "Fig. 3: errors at the end of the seven tests",
        .caption =
            "Mean of three seeds with standard deviation. Random are the start (up to 1 mm along the floor), and for "
            "spheres the order of sums (tree, sequential, compensated) and their "
            "places (up to 1e-4 of the radius). Yaw is the paper’s rotation error (the integral of the angular "
            "velocity about z, not wrapped); the true rotation has tilt in it. A ring at the lower "
            "edge: smaller than shown. In tests 2 and 5 the right position is the start; test 7 is against the "
            "corrected reference.",
        .width = kWidth,
        .height = 3 * kHeight,
        .content = {}};
    figure.content += draw_chart(make_dots(errors, errors.position, "Position error", "position error [m]", 1e-7),
                                 {0, 0, kWidth, kHeight});
    figure.content +=
        draw_chart(make_dots(errors, errors.yaw, "Rotation error as in the paper (yaw)", "yaw error [degrees]", 1e-5),
                   {0, kHeight, kWidth, kHeight});
    figure.content +=
        draw_chart(make_dots(errors, errors.rotation, "True rotation error", "angle of the rotation [degrees]", 1e-5),
                   {0, 2 * kHeight, kWidth, kHeight});
    figure.claims = check_seven(errors);
    figure.tables = {list_errors(errors, errors.position, "Position error [m]"),
                     list_errors(errors, errors.yaw, "Yaw error [degrees]"),
                     list_errors(errors, errors.rotation, "True rotation error [degrees]")};
    return figure;
}

}  // namespace rattleback::lab
