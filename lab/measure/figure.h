// Figure: one measured number with its unit, its bar and whether it passes; and the report made of them.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include <optional>
#include <string>
#include <vector>

namespace rattleback::lab
{

/// One measured number.
struct Figure
{
    std::string name;
    double value = 0;
    std::string unit;
    std::optional<double> bar = std::nullopt;  ///< must be reached
    std::optional<double> aim = std::nullopt;  ///< wished for
    bool higher_is_better = true;
    std::string precision = "double";  ///< of the arithmetic measured

    /// True when there is no bar or the bar is reached. NaN passes no bar.
    bool passes() const;
    bool reaches_aim() const;
};

/// Numbers of several contenders side by side, where one line per number would be too long to read.
struct BenchTable
{
    struct Row
    {
        std::string name;
        std::string precision;       ///< of the arithmetic measured
        std::vector<double> values;  ///< one per column; NaN: nothing to say
    };
    std::string title;
    std::vector<std::string> columns;  ///< with their units, "step [ms]"
    std::vector<Row> rows;
};

/// Everything a bench has to say.
struct BenchReport
{
    std::string name;
    std::string question;
    bool quick = false;
    double calibration = 0;  ///< [ns] per turn of the calibration kernel, on this machine in this run
    std::vector<std::string> peers_found, peers_skipped;
    std::vector<std::string> notes;
    std::vector<Figure> figures;
    std::vector<BenchTable> tables;

    bool passes() const;
    /// One line: how many bars are met and which are missed.
    std::string verdict() const;
};

nlohmann::json to_json(const Figure& figure);
nlohmann::json to_json(const BenchTable& table);
nlohmann::json to_json(const BenchReport& report);

/// A number in few digits for a table: 3.21e+06, 12.3, 0.00123.
std::string short_number(double value);

}  // namespace rattleback::lab
