// Chooses the range of an axis and its ticks.
#include "lab/accuracy/chart_axis.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

namespace rattleback::lab
{

namespace
{

/// 1, 2 or 5 times a power of ten, so that `most` of them are at least the length.
double find_step(double length, int most)
{
    const double least = length / std::max(most, 1);
    const double power = std::pow(10, std::floor(std::log10(least)));
    for (const double factor : {1.0, 2.0, 5.0})
        if (factor * power >= 0.999 * least) return factor * power;
    return 10 * power;
}

/// "10⁻³"; small powers as numbers.
std::string write_power(int power)
{
    if (power >= 0 && power <= 3) return fmt::format("{}", std::lround(std::pow(10, power)));
    constexpr const char* kRaised[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
    std::string text = power < 0 ? "10⁻" : "10";
    for (const char digit : std::to_string(std::abs(power))) text += kRaised[digit - '0'];
    return text;
}

}  // namespace

ChartAxis fit_axis(const std::vector<double>& numbers, bool log, bool round)
{
    ChartAxis axis{
        .log = log, .low = std::numeric_limits<double>::infinity(), .high = -std::numeric_limits<double>::infinity()};
    for (const double number : numbers)
    {
        if (!std::isfinite(number) || (log && number <= 0)) continue;
        axis.low = std::min(axis.low, axis.scaled(number));
        axis.high = std::max(axis.high, axis.scaled(number));
    }
    if (!(axis.low <= axis.high)) return {.log = log};
    if (axis.high - axis.low < 1e-9 * (1 + std::abs(axis.low)))
    {
        axis.low -= 0.5;
        axis.high += 0.5;
    }
    const double margin = 1e-9 * (axis.high - axis.low);
    const double step = log ? 1 : find_step(axis.high - axis.low, 6);
    if (!round) return axis;
    axis.low = step * std::floor((axis.low + margin) / step);
    axis.high = step * std::ceil((axis.high - margin) / step);
    return axis;
}

std::vector<AxisTick> find_axis_ticks(const ChartAxis& axis, int most)
{
    std::vector<AxisTick> ticks;
    const double length = axis.high - axis.low;
    if (axis.log)
    {
        const int every = std::max(1, static_cast<int>(std::ceil(length / std::max(most, 1))));
        for (int power = static_cast<int>(std::ceil(axis.low - 1e-9)); power <= axis.high + 1e-9; ++power)
            ticks.push_back({std::pow(10, power), power % every == 0 ? write_power(power) : ""});
        return ticks;
    }
    const double step = find_step(length, most);
    for (double k = std::ceil(axis.low / step - 1e-9); k * step <= axis.high + 1e-9 * length; ++k)
        ticks.push_back({k * step, fmt::format("{:.6g}", k == 0 ? 0 : k * step)});  // not "-0"
    return ticks;
}

}  // namespace rattleback::lab
