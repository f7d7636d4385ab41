// Figures and reports of benchmarks.
#include "lab/measure/figure.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cmath>

namespace rattleback::lab
{

namespace
{

bool reaches(const Figure& figure, const std::optional<double>& mark)
{
    if (!mark) return true;
    return figure.higher_is_better ? figure.value >= *mark : figure.value <= *mark;
}

}  // namespace

bool Figure::passes() const { return reaches(*this, bar); }

bool Figure::reaches_aim() const { return reaches(*this, aim); }

bool BenchReport::passes() const
{
    for (const Figure& figure : figures)
    {
        if (!figure.passes()) return false;
    }
    return true;
}

std::string BenchReport::verdict() const
{
    int bars = 0, met = 0;
    std::string missed;
    for (const Figure& figure : figures)
    {
        if (!figure.bar) continue;
        ++bars;
        if (figure.passes())
        {
            ++met;
            continue;
        }
        missed += fmt::format("{}{} is {} {}, bar {}", missed.empty() ? "; missed: " : ", ", figure.name,
                              short_number(figure.value), figure.unit, short_number(*figure.bar));
    }
    if (bars == 0) return fmt::format("{}: {} figures, no bars", name, figures.size());
    return fmt::format("{}: {} ({} of {} bars met{})", name, met == bars ? "pass" : "MISS", met, bars, missed);
}

nlohmann::json to_json(const Figure& figure)
{
    nlohmann::json json{{"name", figure.name},           {"value", figure.value},
                        {"unit", figure.unit},           {"higher_is_better", figure.higher_is_better},
                        {"precision", figure.precision}, {"passes", figure.passes()}};
    json["bar"] = figure.bar ? nlohmann::json(*figure.bar) : nlohmann::json();
    json["aim"] = figure.aim ? nlohmann::json(*figure.aim) : nlohmann::json();
    if (figure.aim) json["reaches_aim"] = figure.reaches_aim();
    return json;
}

nlohmann::json to_json(const BenchTable& table)
{
    nlohmann::json rows = nlohmann::json::array();
    for (const BenchTable::Row& row : table.rows)
    {
        nlohmann::json values = nlohmann::json::array();
        for (const double value : row.values)
            values.push_back(std::isfinite(value) ? nlohmann::json(value) : nlohmann::json());
        rows.push_back({{"name", row.name}, {"precision", row.precision}, {"values", values}});
    }
    return {{"title", table.title}, {"columns", table.columns}, {"rows", rows}};
}

nlohmann::json to_json(const BenchReport& report)
{
    nlohmann::json tables = nlohmann::json::array();
    for (const BenchTable& table : report.tables) tables.push_back(to_json(table));
    nlohmann::json figures = nlohmann::json::array();
    for (const Figure& figure : report.figures) figures.push_back(to_json(figure));
    return {{"bench", report.name},
            {"question", report.question},
            {"quick", report.quick},
            {"calibration_ns", report.calibration},
            {"peers", {{"found", report.peers_found}, {"skipped", report.peers_skipped}}},
            {"notes", report.notes},
            {"figures", figures},
            {"tables", tables},
            {"passes", report.passes()},
            {"verdict", report.verdict()}};
}

std::string short_number(double value)
{
    const double size = std::abs(value);
    if (value == 0 || !std::isfinite(value)) return fmt::format("{}", value);
    if (size >= 1e7 || size < 1e-3) return fmt::format("{:.2e}", value);
    if (size >= 1000) return fmt::format("{:.0f}", value);
    return fmt::format("{:.3g}", value);
}

}  // namespace rattleback::lab
