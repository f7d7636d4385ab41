// Inputs of actuators over time, from a file: CSV with a column per actuator, or NPZ with arrays `time` and `input`.
#pragma once

#include <rattleback/model.h>

namespace rattleback::cli
{

/// Rows of inputs, each held until the next.
struct ControlTable
{
    std::vector<double> time;   ///< from which a row holds [s], increasing; empty: row k is for step k
    std::vector<double> input;  ///< [row][actuator_count]
    std::int64_t row_count = 0;

    /// The row in force at that time and step; -1 before the first. `slack` [s]: a row this much later counts, because
    /// times are sums that round.
    std::int64_t find_row(double at_time, std::int64_t step, double slack) const;
};

/// Reads .csv or .npz; every mistake, with line and column.
Result<ControlTable> load_control(const std::string& path, const Model& model);

}  // namespace rattleback::cli
