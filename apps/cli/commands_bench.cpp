// `rattleback bench`: measures, prints every figure with its bar, and ends with one line.
#include "commands.h"
#include "lab/bench/bench.h"
#include "table.h"
#include "terminal.h"

#include <fmt/format.h>
#include <unistd.h>
#include <nlohmann/json.hpp>

#include <cmath>

namespace rattleback::cli
{

namespace
{

std::string join(const std::vector<std::string>& words)
{
    std::string text;
    for (const std::string& word : words) text += (text.empty() ? "" : ", ") + word;
    return text.empty() ? "none" : text;
}

std::string bar_text(const lab::Figure& figure)
{
    if (!figure.bar) return "";
    return fmt::format("{} {}", figure.higher_is_better ? "≥" : "≤", lab::short_number(*figure.bar));
}

std::string mark_text(const lab::Figure& figure)
{
    if (!figure.bar) return "";
    return figure.passes() ? paint("pass", Style::good) : paint("MISS", Style::bad);
}

void print_table(const lab::BenchTable& content)
{
    std::vector<Column> columns{{"setting"}};
    for (const std::string& column : content.columns) columns.push_back({column, Align::right});
    columns.push_back({"precision"});
    Table table(columns);
    for (const lab::BenchTable::Row& row : content.rows)
    {
        std::vector<std::string> cells{row.name};
        for (const double value : row.values) cells.push_back(std::isnan(value) ? "" : lab::short_number(value));
        cells.push_back(row.precision);
        table.add(cells);
    }
    say("\n{}\n{}", paint(content.title, Style::bold), table.text());
}

void print_report(const lab::BenchReport& report)
{
    say("{} · {}\n", paint(report.name, Style::bold), report.question);
    say("  peers found: {}; skipped: {}\n", join(report.peers_found), join(report.peers_skipped));
    say("  calibration kernel: {:.2f} ns per turn{}\n", report.calibration, report.quick ? "; --quick" : "");
    for (const std::string& note : report.notes) say("  {}\n", note);
    for (const lab::BenchTable& table : report.tables) print_table(table);
    Table table({{"figure"}, {"value", Align::right}, {"unit"}, {"bar"}, {""}, {"precision"}});
    for (const lab::Figure& figure : report.figures)
    {
        table.add({figure.name, lab::short_number(figure.value), figure.unit, bar_text(figure), mark_text(figure),
                   figure.precision});
    }
    say("\n{}\n{}\n", table.text(), report.verdict());
}

int list_benches(bool json)
{
    nlohmann::json list = nlohmann::json::array();
    Table table({{"bench"}, {"question"}});
    for (const lab::Bench& bench : lab::all_benches())
    {
        list.push_back({{"name", bench.name}, {"question", bench.question}});
        table.add({std::string(bench.name), std::string(bench.question)});
    }
    if (json) print_json(list);
    if (!json) say("{}", table.text());
    return 0;
}

}  // namespace

int run_bench(const BenchCommand& command)
{
    if (command.list) return list_benches(command.json);
    if (command.name.empty())
    {
        return report_errors({{.code = ErrorCode::invalid_value,
                               .where = "bench",
                               .message = "which one?",
                               .hint = "`rattleback bench --list` names them"}},
                             command.json);
    }
    const Result<const lab::Bench*> bench = lab::find_bench(command.name);
    if (!bench.ok()) return report_errors(bench.errors(), command.json);

    if (command.common && command.name != "ipc")
        return report_errors({{.code = ErrorCode::invalid_value,
                               .where = "bench " + command.name + " --common",
                               .message = "only the scenes of `ipc` have common parameters",
                               .hint = "rattleback bench ipc --common"}},
                             command.json);

    const bool terminal = is_terminal(STDERR_FILENO);
    const auto say = [terminal](std::string_view what)
    {
        fmt::print(stderr, "{}measuring: {}{}", terminal ? "\r\x1b[K" : "", what, terminal ? "" : "\n");
        std::fflush(stderr);
    };
    const Result<lab::BenchReport> report = lab::run_bench(*bench.value(), {.quick = command.quick,
                                                                            .say = say,
                                                                            .solver = command.solver,
                                                                            .tests = command.tests,
                                                                            .sweep = command.sweep,
                                                                            .mesh = command.mesh,
                                                                            .figures = command.figures,
                                                                            .plots = command.plots,
                                                                            .scene = command.scene,
                                                                            .seeds = command.seeds,
                                                                            .keep = command.keep,
                                                                            .minutes = command.minutes,
                                                                            .hours = command.hours,
                                                                            .scaling = command.scaling,
                                                                            .deviations = command.deviations,
                                                                            .common = command.common});
    if (terminal) fmt::print(stderr, "\r\x1b[K");
    if (!report.ok()) return report_errors(report.errors(), command.json);
    if (command.json)
    {
        print_json(lab::to_json(report.value()));
    }
    else
    {
        print_report(report.value());
    }
    return command.strict && !report.value().passes() ? 1 : 0;
}

}  // namespace rattleback::cli
