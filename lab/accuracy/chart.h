// Charts as SVG text: lines and dots with error bars on plain or logarithmic axes, heat maps, legends, sheets of them.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

namespace rattleback::lab
{

/// Where on a sheet something stands, its labels included [pixels].
struct Panel
{
    double x = 0, y = 0, width = 0, height = 0;
};

struct Series
{
    std::string name;                ///< in the legend; "": not there
    std::string colour = "#29303c";  ///< as in CSS
    std::vector<double> x = {};
    std::vector<double> y = {};       ///< NaN: the line is interrupted
    std::vector<double> spread = {};  ///< half the length of the error bar of each point; empty: none
    std::string dash = {};            ///< as stroke-dasharray; "": an unbroken line
    bool line = true;
    bool marks = false;   ///< a dot at every point
    double weight = 1.6;  ///< of the line [pixels]
};

struct Chart
{
    std::string title, x_label, y_label;
    std::vector<Series> series = {};
    std::vector<std::string> categories = {};  ///< in place of numbers along x: the first at 0, the next at 1
    bool log_x = false, log_y = false;
    bool equal = false;  ///< a metre is as long up as across
    bool legend = true;  ///< to the right
    /// Least and largest y shown; nothing: by the numbers. On logarithmic axes what is smaller stands at the lower edge
    /// as a ring.
    std::optional<double> low_y = std::nullopt, high_y = std::nullopt;
};
std::string draw_chart(const Chart& chart, const Panel& panel);

/// Numbers above zero over two lists of settings, by colour.
struct HeatMap
{
    std::string title, x_label, y_label;
    std::vector<std::string> columns, rows;  ///< rows from below
    std::vector<double> values;              ///< [row][column]; NaN: nothing there
    std::vector<bool> marked = {};           ///< with a cross
    double low = 1e-6, high = 1;             ///< colours at the ends of the scale, which is logarithmic
};
std::string draw_heat_map(const HeatMap& map, const Panel& panel);
/// The scale of heat maps: `label` beside a strip of their colours.
std::string draw_heat_scale(double low, double high, const std::string& label, const Panel& panel);

/// Names beside their colours, one below the other; the same series twice is named once.
std::string draw_legend(const std::vector<Series>& series, const Panel& panel);
/// Width that a legend needs [pixels].
double find_legend_width(const std::vector<Series>& series);

/// The whole file, with a white ground. `about` is read to those who do not see it.
std::string make_sheet(double width, double height, const std::string& about, const std::string& content);

/// A number as in tables: 12.3, 0.0012, 4.5e-7; "–" where there is none.
std::string to_cell(double value);

}  // namespace rattleback::lab
