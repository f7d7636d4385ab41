// Draws axes, curves and letters of three by five dots.
#include "lab/accuracy/plot.h"

#include "lab/render/png.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <limits>

namespace rattleback::lab
{

namespace
{

using Ink = std::array<std::uint8_t, 3>;
constexpr Ink kBlack{40, 48, 60}, kGrid{225, 228, 232};
constexpr std::array<Ink, 8> kInks = {{{29, 122, 130},
                                       {217, 95, 38},
                                       {90, 90, 200},
                                       {200, 150, 20},
                                       {160, 40, 100},
                                       {60, 140, 60},
                                       {120, 90, 60},
                                       {20, 20, 20}}};

/// Rows of three bits, top first.
struct Glyph
{
    char letter;
    std::array<std::uint8_t, 5> rows;
};
constexpr Glyph kGlyphs[] = {
    {'a', {2, 5, 7, 5, 5}}, {'b', {6, 5, 6, 5, 6}}, {'c', {3, 4, 4, 4, 3}}, {'d', {6, 5, 5, 5, 6}},
    {'e', {7, 4, 6, 4, 7}}, {'f', {7, 4, 6, 4, 4}}, {'g', {3, 4, 5, 5, 3}}, {'h', {5, 5, 7, 5, 5}},
    {'i', {7, 2, 2, 2, 7}}, {'j', {1, 1, 1, 5, 2}}, {'k', {5, 5, 6, 5, 5}}, {'l', {4, 4, 4, 4, 7}},
    {'m', {5, 7, 7, 5, 5}}, {'n', {6, 5, 5, 5, 5}}, {'o', {2, 5, 5, 5, 2}}, {'p', {6, 5, 6, 4, 4}},
    {'q', {2, 5, 5, 6, 3}}, {'r', {6, 5, 6, 5, 5}}, {'s', {3, 4, 2, 1, 6}}, {'t', {7, 2, 2, 2, 2}},
    {'u', {5, 5, 5, 5, 7}}, {'v', {5, 5, 5, 5, 2}}, {'w', {5, 5, 7, 7, 5}}, {'x', {5, 5, 2, 5, 5}},
    {'y', {5, 5, 2, 2, 2}}, {'z', {7, 1, 2, 4, 7}}, {'0', {7, 5, 5, 5, 7}}, {'1', {2, 6, 2, 2, 7}},
    {'2', {7, 1, 7, 4, 7}}, {'3', {7, 1, 7, 1, 7}}, {'4', {5, 5, 7, 1, 1}}, {'5', {7, 4, 7, 1, 7}},
    {'6', {7, 4, 7, 5, 7}}, {'7', {7, 1, 1, 1, 1}}, {'8', {7, 5, 7, 5, 7}}, {'9', {7, 5, 7, 1, 7}},
    {'.', {0, 0, 0, 0, 2}}, {',', {0, 0, 0, 2, 4}}, {'-', {0, 0, 7, 0, 0}}, {'+', {0, 2, 7, 2, 0}},
    {'=', {0, 7, 0, 7, 0}}, {'(', {1, 2, 2, 2, 1}}, {')', {4, 2, 2, 2, 4}}, {'/', {1, 1, 2, 4, 4}},
    {'[', {3, 2, 2, 2, 3}}, {']', {6, 2, 2, 2, 6}}, {':', {0, 2, 0, 2, 0}}, {'\'', {2, 2, 0, 0, 0}},
};

void put(Image& image, int x, int y, const Ink& ink)
{
    if (x < 0 || y < 0 || x >= image.width || y >= image.height) return;
    std::copy(ink.begin(), ink.end(), image.pixel(x, y));
}

constexpr int kDot = 2, kAdvance = 4 * kDot;

void write(Image& image, int x, int y, const std::string& text, const Ink& ink)
{
    for (const char c : text)
    {
        const char lower = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
        for (const Glyph& glyph : kGlyphs)
        {
            if (glyph.letter != lower) continue;
            for (int row = 0; row < 5 * kDot; ++row)
                for (int column = 0; column < 3 * kDot; ++column)
                {
                    const auto bits = glyph.rows[static_cast<std::size_t>(row / kDot)];
                    if ((bits >> (2 - column / kDot) & 1) != 0) put(image, x + column, y + row, ink);
                }
        }
        x += kAdvance;
    }
}

void draw_line(Image& image, double x0, double y0, double x1, double y1, const Ink& ink)
{
    const int steps = 1 + static_cast<int>(std::max(std::abs(x1 - x0), std::abs(y1 - y0)));
    for (int i = 0; i <= steps; ++i)
    {
        const int x = static_cast<int>(std::lround(x0 + (x1 - x0) * i / steps));
        const int y = static_cast<int>(std::lround(y0 + (y1 - y0) * i / steps));
        put(image, x, y, ink);
        put(image, x, y + 1, ink);
    }
}

/// One axis: from numbers to pixels.
struct Axis
{
    bool log = false;
    double low = 0, high = 1;
    double from = 0, to = 1;  ///< [pixels]

    bool shows(double value) const { return std::isfinite(value) && (!log || value > 0); }
    double scaled(double value) const { return log ? std::log10(value) : value; }
    double pixel(double value) const { return from + (to - from) * (scaled(value) - low) / (high - low); }
};

Axis make_axis(const std::vector<Curve>& curves, std::vector<double> Curve::* numbers, bool log, double from, double to)
{
    Axis axis{.log = log,
              .low = std::numeric_limits<double>::infinity(),
              .high = -std::numeric_limits<double>::infinity(),
              .from = from,
              .to = to};
    for (const Curve& curve : curves)
    {
        for (const double value : curve.*numbers)
        {
            if (!axis.shows(value)) continue;
            axis.low = std::min(axis.low, axis.scaled(value));
            axis.high = std::max(axis.high, axis.scaled(value));
        }
    }
    if (!(axis.low < axis.high))
    {
        axis.low = std::isfinite(axis.low) ? axis.low - 1 : 0;
        axis.high = axis.low + 2;
    }
    if (log)
    {
        axis.low = std::max(std::floor(axis.low), std::ceil(axis.high) - 12);
        axis.high = std::ceil(axis.high);
    }
    return axis;
}

/// Whole powers of ten, or five even stretches.
std::vector<double> find_ticks(const Axis& axis)
{
    std::vector<double> ticks;
    for (int i = 0; i <= 5 && !axis.log; ++i) ticks.push_back(axis.low + (axis.high - axis.low) * i / 5);
    for (double power = axis.low; axis.log && power <= axis.high + 0.5; ++power) ticks.push_back(std::pow(10, power));
    return ticks;
}

std::string label(double value)
{
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), "%.3g", value);
    return text.data();
}

}  // namespace

Image draw_plot(const Plot& plot, int width, int height)
{
    constexpr int kLeft = 80, kRight = 270, kTop = 40, kBottom = 50;
    Image image(width, height);
    std::fill(image.rgb.begin(), image.rgb.end(), std::uint8_t{255});
    const Axis x = make_axis(plot.curves, &Curve::x, plot.log_x, kLeft, width - kRight);
    const Axis y = make_axis(plot.curves, &Curve::y, plot.log_y, height - kBottom, kTop);
    for (const double tick : find_ticks(x))
    {
        draw_line(image, x.pixel(tick), y.from, x.pixel(tick), y.to, kGrid);
        write(image, static_cast<int>(x.pixel(tick)) - 12, height - kBottom + 8, label(tick), kBlack);
    }
    for (const double tick : find_ticks(y))
    {
        draw_line(image, x.from, y.pixel(tick), x.to, y.pixel(tick), kGrid);
        write(image, 8, static_cast<int>(y.pixel(tick)) - 5, label(tick), kBlack);
    }
    write(image, kLeft, 14, plot.title + ": " + plot.y_label, kBlack);
    write(image, (kLeft + width - kRight) / 2 - 60, height - 20, plot.x_label, kBlack);
    for (std::size_t c = 0; c < plot.curves.size(); ++c)
    {
        const Curve& curve = plot.curves[c];
        const Ink& ink = kInks[c % kInks.size()];
        for (std::size_t i = 0; i + 1 < curve.x.size(); ++i)
        {
            if (!x.shows(curve.x[i]) || !x.shows(curve.x[i + 1]) || !y.shows(curve.y[i]) || !y.shows(curve.y[i + 1]))
                continue;
            const auto inside = [&](double value) { return std::clamp(y.pixel(value), y.to, y.from); };
            draw_line(image, x.pixel(curve.x[i]), inside(curve.y[i]), x.pixel(curve.x[i + 1]), inside(curve.y[i + 1]),
                      ink);
        }
        for (std::size_t i = 0; plot.marks && i < curve.x.size(); ++i)
        {
            if (!x.shows(curve.x[i]) || !y.shows(curve.y[i])) continue;
            const int column = static_cast<int>(std::lround(x.pixel(curve.x[i])));
            const int row = static_cast<int>(std::lround(std::clamp(y.pixel(curve.y[i]), y.to, y.from)));
            for (int k = 0; k < 49; ++k) put(image, column + k % 7 - 3, row + k / 7 - 3, ink);
        }
        write(image, width - kRight + 12, kTop + 18 * static_cast<int>(c), curve.name, ink);
    }
    return image;
}

Status write_plot(const Plot& plot, const std::filesystem::path& path)
{
    std::error_code failed;
    std::filesystem::create_directories(path.parent_path(), failed);
    return write_png(draw_plot(plot), path);
}

}  // namespace rattleback::lab
