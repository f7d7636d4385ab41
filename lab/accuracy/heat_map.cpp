// Heat maps of charts: a strip of colours that grow lighter evenly, also in grey and for the colour-blind.
#include "lab/accuracy/chart.h"
#include "lab/accuracy/chart_axis.h"

#include "base/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace rattleback::lab
{

namespace
{

/// From dark blue over green to yellow, lightness rising evenly.
std::string find_heat_colour(double t)
{
    constexpr double kStops[][3] = {{48, 18, 86},   {58, 60, 130},  {44, 105, 142}, {33, 145, 140},
                                    {60, 185, 117}, {158, 217, 60}, {253, 231, 37}};
    constexpr int kLast = 6;
    const double place = kLast * std::clamp(t, 0.0, 1.0);
    const int i = std::min(static_cast<int>(place), kLast - 1);
    int rgb[3];
    for (int k = 0; k < 3; ++k)
        rgb[k] = static_cast<int>(std::lround(kStops[i][k] + (place - i) * (kStops[i + 1][k] - kStops[i][k])));
    return fmt::format("#{:02x}{:02x}{:02x}", rgb[0], rgb[1], rgb[2]);
}

/// Place of a value between the ends of a logarithmic scale.
double find_heat(double value, double low, double high)
{
    if (!(value > 0)) return 0;
    return (std::log10(value) - std::log10(low)) / (std::log10(high) - std::log10(low));
}

}  // namespace

std::string draw_heat_map(const HeatMap& map, const Panel& panel)
{
    const double left = panel.x + 50, top = panel.y + 24;
    const double width = (panel.width - 58) / static_cast<double>(std::max<std::size_t>(map.columns.size(), 1));
    const double height = (panel.height - 66) / static_cast<double>(std::max<std::size_t>(map.rows.size(), 1));
    const double bottom = top + height * static_cast<double>(map.rows.size());
    std::string text = fmt::format("<text class=\"h\" x=\"{:.1f}\" y=\"{:.1f}\">{}</text>\n", left, panel.y + 15,
                                   escape_markup(map.title));
    for (std::size_t r = 0; r < map.rows.size(); ++r)
    {
        const double y = bottom - height * static_cast<double>(r + 1);
        text += fmt::format("<text text-anchor=\"end\" x=\"{:.1f}\" y=\"{:.1f}\">{}</text>\n", left - 5,
                            y + 0.5 * height + 4, escape_markup(map.rows[r]));
        for (std::size_t c = 0; c < map.columns.size(); ++c)
        {
            const std::size_t i = r * map.columns.size() + c;
            const double x = left + width * static_cast<double>(c);
            const double heat = find_heat(map.values[i], map.low, map.high);
            const std::string colour = std::isnan(map.values[i]) ? "#e4e7ea" : find_heat_colour(heat);
            text += fmt::format("<path fill=\"{}\" d=\"M{:.1f} {:.1f}h{:.1f}v{:.1f}h-{:.1f}z\"/>\n", colour, x, y,
                                width + 0.3, height + 0.3, width + 0.3);
            if (i < map.marked.size() && map.marked[i])
                text +=
                    fmt::format("<path stroke=\"{0}\" stroke-width=\"1.6\" d=\"M{1:.1f} {2:.1f}l8 8m0 -8l-8 8\"/>\n",
                                heat > 0.6 ? "#29303c" : "#fff", x + 0.5 * width - 4, y + 0.5 * height - 4);
        }
    }
    for (std::size_t c = 0; c < map.columns.size(); ++c)
        text += fmt::format("<text text-anchor=\"middle\" x=\"{:.1f}\" y=\"{:.1f}\">{}</text>\n",
                            left + width * (static_cast<double>(c) + 0.5), bottom + 14, escape_markup(map.columns[c]));
    text += fmt::format("<text text-anchor=\"middle\" x=\"{:.1f}\" y=\"{:.1f}\">{}</text>\n",
                        left + 0.5 * width * static_cast<double>(map.columns.size()), bottom + 30,
                        escape_markup(map.x_label));
    text += fmt::format("<text text-anchor=\"middle\" transform=\"translate({:.1f} {:.1f}) rotate(-90)\">{}</text>\n",
                        panel.x + 11, 0.5 * (top + bottom), escape_markup(map.y_label));
    return text;
}

std::string draw_heat_scale(double low, double high, const std::string& label, const Panel& panel)
{
    constexpr int kSteps = 60;
    std::string text;
    for (int i = 0; i < kSteps; ++i)
        text += fmt::format("<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.2f}\" height=\"12\" fill=\"{}\"/>\n",
                            panel.x + panel.width * i / kSteps, panel.y, panel.width / kSteps + 0.4,
                            find_heat_colour((i + 0.5) / kSteps));
    const ChartAxis axis{
        .log = true, .low = std::log10(low), .high = std::log10(high), .from = panel.x, .to = panel.x + panel.width};
    for (const AxisTick& tick : find_axis_ticks(axis, static_cast<int>(panel.width / 34)))
        text += fmt::format("<text text-anchor=\"middle\" x=\"{:.1f}\" y=\"{:.1f}\">{}</text>\n",
                            axis.pixel(tick.value), panel.y + 25, tick.label);
    return text + fmt::format("<text text-anchor=\"middle\" x=\"{:.1f}\" y=\"{:.1f}\">{}</text>\n",
                              panel.x + 0.5 * panel.width, panel.y + 40, escape_markup(label));
}

}  // namespace rattleback::lab
