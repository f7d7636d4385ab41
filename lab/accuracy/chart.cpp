// Axes, lines, dots and legends of charts.
#include "lab/accuracy/chart.h"

#include "lab/accuracy/chart_axis.h"

#include "base/index.h"
#include "base/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace rattleback::lab
{

namespace
{

constexpr double kLetter = 6.1;  // width of a letter of the 11 px font, about [pixels]

/// The drawing of one chart.
class ChartDrawing
{
public:
    ChartDrawing(const Chart& chart, const Panel& panel) : chart_(chart), panel_(panel)
    {
        const double legend = chart.legend ? find_legend_width(chart.series) : 0;
        left_ = panel.x + (chart.y_label.empty() ? 44 : 62);
        right_ = panel.x + panel.width - legend - 8;
        top_ = panel.y + (chart.title.empty() ? 8 : 26);
        bottom_ = panel.y + panel.height - (chart.x_label.empty() ? 22 : 40);
        fit_axes();
    }

    std::string draw()
    {
        draw_grid();
        text_ += fmt::format(
            "<clipPath id=\"{}\"><rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\"/></clipPath>\n",
            clip_name(), left_ - 4, top_ - 4, right_ - left_ + 8, bottom_ - top_ + 8);
        text_ += fmt::format("<g clip-path=\"url(#{})\">\n", clip_name());
        for (const Series& series : chart_.series) draw_series(series);
        text_ += "</g>\n";
        if (chart_.legend) text_ += draw_legend(chart_.series, {right_ + 12, top_ - 2, panel_.width, panel_.height});
        return std::move(text_);
    }

private:
    /// Unique on a page with many charts: by the words and the place.
    std::string clip_name() const
    {
        std::string name = fmt::format("c{:.0f}-{:.0f}-", panel_.x, panel_.y);
        for (const char c : chart_.title + chart_.y_label)
            if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9')) name += c;
        return name;
    }

    void fit_axes()
    {
        std::vector<double> xs, ys;
        for (const Series& series : chart_.series)
        {
            xs.insert(xs.end(), series.x.begin(), series.x.end());
            for (std::size_t i = 0; i < series.y.size(); ++i)
            {
                const double spread = i < series.spread.size() ? series.spread[i] : 0;
                for (const double y : {series.y[i] - spread, series.y[i], series.y[i] + spread}) ys.push_back(y);
            }
        }
        for (const std::optional<double>& y : {chart_.low_y, chart_.high_y})
            if (y) ys.push_back(*y);
        if (!chart_.categories.empty()) xs = {-0.5, static_cast<double>(chart_.categories.size()) - 0.5};
        x_ = fit_axis(xs, chart_.log_x, chart_.categories.empty() && !chart_.equal);
        y_ = fit_axis(ys, chart_.log_y, !chart_.equal);
        if (chart_.low_y) y_.low = y_.scaled(*chart_.low_y);
        if (chart_.high_y) y_.high = y_.scaled(*chart_.high_y);
        if (chart_.equal) make_equal();
        x_.from = left_;
        x_.to = right_;
        y_.from = bottom_;
        y_.to = top_;
    }

    /// Widens the axis that has room.
    void make_equal()
    {
        const double per_x = (x_.high - x_.low) / (right_ - left_), per_y = (y_.high - y_.low) / (bottom_ - top_);
        ChartAxis& narrow = per_x < per_y ? x_ : y_;
        const double room = per_x < per_y ? per_y * (right_ - left_) : per_x * (bottom_ - top_);
        const double middle = 0.5 * (narrow.low + narrow.high);
        narrow.low = middle - 0.5 * room;
        narrow.high = middle + 0.5 * room;
    }

    void draw_grid()
    {
        text_ += fmt::format("<text class=\"h\" x=\"{:.1f}\" y=\"{:.1f}\">{}</text>\n", left_, panel_.y + 15,
                             escape_markup(chart_.title));
        for (std::size_t i = 0; i < chart_.categories.size(); ++i)
        {
            const double x = x_.pixel(static_cast<double>(i)),
                         half = 0.5 * (right_ - left_) / static_cast<double>(chart_.categories.size());
            if (i % 2 == 0)
                text_ += fmt::format(
                    "<rect fill=\"#f3f5f7\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\"/>\n", x - half,
                    top_, 2 * half, bottom_ - top_);
            add_text(x, bottom_ + 15, chart_.categories[i], "middle");
        }
        for (const AxisTick& tick : find_axis_ticks(y_, static_cast<int>((bottom_ - top_) / 26)))
        {
            add_line(left_, y_.pixel(tick.value), right_, y_.pixel(tick.value), "g");
            add_text(left_ - 6, y_.pixel(tick.value) + 4, tick.label, "end");
        }
        if (chart_.categories.empty())
        {
            for (const AxisTick& tick :
                 find_axis_ticks(x_, static_cast<int>((right_ - left_) / (chart_.equal ? 30 : 44))))
            {
                add_line(x_.pixel(tick.value), top_, x_.pixel(tick.value), bottom_, "g");
                add_text(x_.pixel(tick.value), bottom_ + 15, tick.label, "middle");
            }
        }
        add_line(left_, bottom_, right_, bottom_, "a");
        add_line(left_, top_, left_, bottom_, "a");
        add_text(0.5 * (left_ + right_), bottom_ + 33, chart_.x_label, "middle");
        const double middle = 0.5 * (top_ + bottom_);
        text_ +=
            fmt::format("<text text-anchor=\"middle\" transform=\"translate({:.1f} {:.1f}) rotate(-90)\">{}</text>\n",
                        panel_.x + 13, middle, escape_markup(chart_.y_label));
    }

    void draw_series(const Series& series)
    {
        std::string path;
        bool pen = false;
        for (std::size_t i = 0; i < series.x.size() && i < series.y.size(); ++i)
        {
            const bool shown = std::isfinite(series.x[i]) && std::isfinite(series.y[i]);
            if (shown)
                path += fmt::format("{}{:.1f} {:.1f}", pen ? "L" : "M", x_.pixel(series.x[i]), height(series.y[i]));
            pen = shown;
        }
        if (series.line && !path.empty())
            text_ += fmt::format("<path fill=\"none\" stroke=\"{}\" stroke-width=\"{}\"{} d=\"{}\"/>\n", series.colour,
                                 series.weight, series.dash.empty() ? "" : " stroke-dasharray=\"" + series.dash + "\"",
                                 path);
        for (std::size_t i = 0; i < series.x.size() && i < series.y.size(); ++i) draw_point(series, i);
    }

    void draw_point(const Series& series, std::size_t i)
    {
        if (!std::isfinite(series.x[i]) || !std::isfinite(series.y[i])) return;
        const double x = x_.pixel(series.x[i]);
        if (i < series.spread.size() && series.spread[i] > 0)
        {
            const double up = height(series.y[i] + series.spread[i]), down = height(series.y[i] - series.spread[i]);
            text_ += fmt::format("<path stroke=\"{}\" d=\"M{:.1f} {:.1f}V{:.1f}M{:.1f} {:.1f}h6M{:.1f} {:.1f}h6\"/>\n",
                                 series.colour, x, up, down, x - 3, up, x - 3, down);
        }
        if (!series.marks) return;
        const bool below = y_.log && !(y_.scaled(std::max(series.y[i], 0.0)) >= y_.low);
        text_ += fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"3.2\" {}=\"{}\"/>\n", x, height(series.y[i]),
                             below ? "fill=\"#fff\" stroke" : "fill", series.colour);
    }

    /// Where a y stands; on logarithmic axes nothing is below the lower edge.
    double height(double y) const
    {
        const double scaled = y_.log && y <= 0 ? y_.low : y_.scaled(y);
        return y_.at(y_.log ? std::max(scaled, y_.low) : scaled);
    }

    void add_line(double x0, double y0, double x1, double y1, const char* kind)
    {
        text_ += fmt::format("<path class=\"{}\" d=\"M{:.1f} {:.1f}L{:.1f} {:.1f}\"/>\n", kind, x0, y0, x1, y1);
    }
    void add_text(double x, double y, const std::string& words, const char* anchor)
    {
        if (words.empty()) return;
        text_ += fmt::format("<text text-anchor=\"{}\" x=\"{:.1f}\" y=\"{:.1f}\">{}</text>\n", anchor, x, y,
                             escape_markup(words));
    }

    const Chart& chart_;
    Panel panel_;
    double left_ = 0, right_ = 0, top_ = 0, bottom_ = 0;
    ChartAxis x_, y_;
    std::string text_;
};

std::vector<const Series*> find_named(const std::vector<Series>& series)
{
    std::vector<const Series*> named;
    for (const Series& s : series)
    {
        const auto same = [&](const Series* other) { return other->name == s.name; };
        if (!s.name.empty() && std::none_of(named.begin(), named.end(), same)) named.push_back(&s);
    }
    return named;
}

}  // namespace

std::string draw_chart(const Chart& chart, const Panel& panel) { return ChartDrawing(chart, panel).draw(); }

double find_legend_width(const std::vector<Series>& series)
{
    std::size_t longest = 0;
    for (const Series* s : find_named(series)) longest = std::max(longest, decode_utf8(s->name).size());
    return longest == 0 ? 0 : 34 + kLetter * static_cast<double>(longest);
}

std::string draw_legend(const std::vector<Series>& series, const Panel& panel)
{
    std::string text;
    double y = panel.y + 8;
    for (const Series* s : find_named(series))
    {
        if (s->line)
            text += fmt::format("<path stroke=\"{}\" stroke-width=\"2\"{} d=\"M{:.1f} {:.1f}h18\"/>\n", s->colour,
                                s->dash.empty() ? "" : " stroke-dasharray=\"" + s->dash + "\"", panel.x, y);
        if (s->marks)
            text +=
                fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"3.2\" fill=\"{}\"/>\n", panel.x + 9, y, s->colour);
        text += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\">{}</text>\n", panel.x + 24, y + 4, escape_markup(s->name));
        y += 17;
    }
    return text;
}

std::string make_sheet(double width, double height, const std::string& about, const std::string& content)
{
    return fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0:.0f} {1:.0f}\" width=\"{0:.0f}\" "
        "height=\"{1:.0f}\" role=\"img\">\n"
        "<title>{2}</title>\n"
        "<style>text{{font:11px system-ui,'DejaVu Sans',sans-serif;fill:#29303c}}.h{{font-weight:600;font-size:12px}}"
        ".g{{stroke:#dfe3e8;stroke-width:.7;fill:none}}.a{{stroke:#29303c;stroke-width:1;fill:none}}</style>\n"
        "<rect width=\"{0:.0f}\" height=\"{1:.0f}\" fill=\"#fff\"/>\n{3}</svg>\n",
        width, height, escape_markup(about), content);
}

std::string to_cell(double value)
{
    if (!std::isfinite(value)) return "–";
    const double size = std::abs(value);
    if (size == 0) return "0";
    if (size >= 999.5 && size < 1e5) return fmt::format("{:.0f}", value);
    if (size >= 1e5 || size < 1e-3) return fmt::format("{:.1e}", value);
    return fmt::format("{:.3g}", value);
}

}  // namespace rattleback::lab
