// Axes of charts: from numbers to pixels, and where to write numbers.
#pragma once

#include <cmath>
#include <string>
#include <vector>

namespace rattleback::lab
{

/// One axis.
struct ChartAxis
{
    bool log = false;
    double low = 0, high = 1;  ///< scaled
    double from = 0, to = 1;   ///< [pixels]

    double scaled(double value) const { return log ? std::log10(value) : value; }
    double at(double scaled_value) const { return from + (to - from) * (scaled_value - low) / (high - low); }
    double pixel(double value) const { return at(scaled(value)); }
};

struct AxisTick
{
    double value = 0;
    std::string label;  ///< may be empty: a line without a number
};

/// An axis that shows all of the numbers that it can; `round`: from tick to tick.
ChartAxis fit_axis(const std::vector<double>& numbers, bool log, bool round);

/// Not more than `most` numbers: whole powers of ten, or steps of 1, 2 or 5.
std::vector<AxisTick> find_axis_ticks(const ChartAxis& axis, int most);

}  // namespace rattleback::lab
