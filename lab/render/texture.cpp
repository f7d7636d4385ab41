// Patterns pixel by pixel, pyramids by means of four, and reading from them.
#include "lab/render/texture.h"

#include "base/index.h"
#include "import/images/png.h"
#include "math/elementary.h"
#include "model/texture_limits.h"

#include <algorithm>
#include <cmath>
#include <random>

namespace rattleback::lab
{

namespace
{

using Pixel = Pyramid::Pixel;

Pixel to_pixel(const std::array<double, 3>& colour)
{
    Pixel pixel{};
    for (std::size_t k = 0; k < 3; ++k)
        pixel[k] = static_cast<std::uint8_t>(keep_within(255 * colour[k], 0, 255));  // cut off, as MuJoCo does
    return pixel;
}

/// Between two colours by a number from -1 to 1: the sigmoid x / sqrt(1 + x^2), scaled to reach both ends.
Pixel mix(const std::array<double, 3>& first, const std::array<double, 3>& second, double position)
{
    const double part =
        std::clamp(0.5 * (1 + std::sqrt(2.0) * position / std::sqrt(1 + position * position)), 0.0, 1.0);
    std::array<double, 3> colour{};
    for (std::size_t k = 0; k < 3; ++k) colour[k] = part * first[k] + (1 - part) * second[k];
    return to_pixel(colour);
}

/// A picture of one side while it is painted.
struct Canvas
{
    int width = 1, height = 1;
    std::vector<Pixel> pixels = std::vector<Pixel>(at(width) * at(height));

    Pixel& at_place(int row, int column) { return pixels[at(row) * at(width) + at(column)]; }
    template <class Rule>
    void paint(const Rule& rule)
    {
        for (int row = 0; row < height; ++row)
        {
            for (int column = 0; column < width; ++column) at_place(row, column) = rule(row, column);
        }
    }
    /// From -1 to 1, to the right and up.
    TexturePlace find_place(int row, int column) const
    {
        const auto part = [](int i, int count) { return count > 1 ? 2.0 * i / (count - 1.0) - 1 : 0.0; };
        return {part(column, width), -part(row, height)};
    }
};

void paint_checker(Canvas& canvas, const Pixel& first, const Pixel& second)
{
    canvas.paint([&](int row, int column)
                 { return (row < canvas.height / 2) == (column < canvas.width / 2) ? first : second; });
}

void paint_flat_pattern(const TextureOptions& options, Canvas& canvas)
{
    if (options.pattern == TexturePattern::checker)
        paint_checker(canvas, to_pixel(options.first), to_pixel(options.second));
    else if (options.pattern == TexturePattern::gradient)
    {
        canvas.paint(
            [&](int row, int column)
            {
                const auto [x, y] = canvas.find_place(row, column);
                return mix(options.second, options.first, 2 * std::sqrt(x * x + y * y) - 1);
            });
    }
    else
        canvas.paint([&](int, int) { return to_pixel(options.first); });
}

void paint_cube_pattern(const TextureOptions& options, int side, Canvas& canvas)
{
    const Pixel first = to_pixel(options.first), second = to_pixel(options.second);
    const bool up = side == 2, down = side == 3;
    if (options.pattern == TexturePattern::checker)
        side < 4 ? paint_checker(canvas, first, second) : paint_checker(canvas, second, first);
    else if (options.pattern == TexturePattern::gradient)
    {
        // By the height above the horizon, from -1 to 1.
        canvas.paint(
            [&](int row, int column)
            {
                const auto [x, y] = canvas.find_place(row, column);
                const double across = std::sqrt(x * x + y * y), side_height = angle_of(y, std::sqrt(1 + x * x));
                const double height = up || down ? 1 - angle_of(across, 1.0) / (0.5 * kPi) : side_height / (0.5 * kPi);
                return mix(options.first, options.second, down ? -height : height);
            });
    }
    else
        canvas.paint([&](int, int) { return down ? second : first; });
}

void paint_lines(const TextureOptions& options, Canvas& canvas)
{
    const Pixel colour = to_pixel(options.mark_colour);
    const int last_row = canvas.height - 1, last_column = canvas.width - 1;
    const bool edge = options.mark == TextureMark::edge, cross = options.mark == TextureMark::cross;
    if (!edge && !cross) return;
    for (int row = 0; row <= last_row; ++row)
    {
        if (cross) canvas.at_place(row, canvas.width / 2) = colour;
        if (edge) canvas.at_place(row, 0) = canvas.at_place(row, last_column) = colour;
    }
    for (int column = 0; column <= last_column; ++column)
    {
        if (cross) canvas.at_place(canvas.height / 2, column) = colour;
        if (edge) canvas.at_place(0, column) = canvas.at_place(last_row, column) = colour;
    }
}

/// The dots of MuJoCo: its generator, its seed, one number for each pixel.
void paint_dots(const TextureOptions& options, std::vector<Canvas>& canvases)
{
    if (options.mark != TextureMark::random || !(options.random > 0)) return;
    std::mt19937_64 random(42);
    const Pixel colour = to_pixel(options.mark_colour);
    for (Canvas& canvas : canvases)
    {
        for (Pixel& pixel : canvas.pixels)
        {
            if (static_cast<double>(random()) / 18446744073709551616.0 < options.random) pixel = colour;
        }
    }
}

std::vector<Canvas> paint_pattern(const TextureOptions& options)
{
    const bool flat = options.type == TextureType::flat;
    std::vector<Canvas> canvases;
    for (int side = 0; side < (flat ? 1 : 6); ++side)
    {
        Canvas& canvas = canvases.emplace_back(Canvas{options.width, flat ? options.height : options.width});
        flat ? paint_flat_pattern(options, canvas) : paint_cube_pattern(options, side, canvas);
        paint_lines(options, canvas);
    }
    paint_dots(options, canvases);
    return canvases;
}

Result<Canvas> read_canvas(const TextureOptions& options, const std::vector<std::byte>& file)
{
    Result<ColourImage> image = parse_png_colours(file, "texture '" + options.name + "'", kMostTexturePixels);
    if (!image) return image.errors();
    Canvas canvas{image->width, image->height, std::move(image.value().pixels)};
    const auto row_begin = [&](int row) { return canvas.pixels.begin() + std::ptrdiff_t{row} * canvas.width; };
    for (int row = 0; options.horizontal_flip && row < canvas.height; ++row)
        std::reverse(row_begin(row), row_begin(row + 1));
    for (int row = 0; options.vertical_flip && row < canvas.height / 2; ++row)
        std::swap_ranges(row_begin(row), row_begin(row + 1), row_begin(canvas.height - 1 - row));
    return canvas;
}

/// The squares of a grid become the sides that its letters name; a single square is all six.
std::vector<Canvas> cut_grid_picture(const TextureOptions& options, const Canvas& whole)
{
    const auto& [rows, columns] = options.grid_size;
    if (rows * columns <= 1 || whole.width < columns || whole.height < rows) return std::vector<Canvas>(6, whole);
    const int side = std::min(whole.width / columns, whole.height / rows);
    std::vector<Canvas> canvases(6, Canvas{side, side});
    for (Canvas& canvas : canvases) canvas.paint([&](int, int) { return to_pixel(options.first); });
    constexpr std::string_view kLetters = "RLUDFB";
    for (std::size_t i = 0; i < options.grid_layout.size() && i < at(rows * columns); ++i)
    {
        const std::size_t letter = kLetters.find(options.grid_layout[i]);
        if (letter == kLetters.npos) continue;
        const int top = static_cast<int>(i) / columns * side, left = static_cast<int>(i) % columns * side;
        canvases[letter].paint([&](int row, int column)
                               { return whole.pixels[at(top + row) * at(whole.width) + at(left + column)]; });
    }
    return canvases;
}

Result<std::vector<Canvas>> read_files(const TextureOptions& options)
{
    std::vector<Canvas> canvases;
    for (const std::vector<std::byte>& file : options.png)
    {
        Canvas blank;
        blank.paint([&](int, int) { return to_pixel(options.first); });
        Result<Canvas> read = file.empty() ? Result<Canvas>(blank) : read_canvas(options, file);
        if (!read) return read.errors();
        canvases.push_back(std::move(read).value());
    }
    if (options.type == TextureType::flat || canvases.size() == 6) return canvases;
    return cut_grid_picture(options, canvases.front());
}

double wrap(double x) { return x - std::floor(x); }

}  // namespace

Pyramid::Pyramid(int width, int height, std::vector<Pixel> pixels)
{
    levels_.push_back({width, height, std::move(pixels)});
    // Each pixel of a copy is the mean of four (at odd edges of fewer) of the one before.
    while (levels_.back().width > 1 || levels_.back().height > 1)
    {
        const Level& fine = levels_.back();
        Level coarse{std::max(1, fine.width / 2), std::max(1, fine.height / 2), {}};
        coarse.pixels.reserve(at(coarse.width) * at(coarse.height));
        for (int row = 0; row < coarse.height; ++row)
        {
            const int low_row = std::min(2 * row + 1, fine.height - 1);
            for (int column = 0; column < coarse.width; ++column)
            {
                const int right = std::min(2 * column + 1, fine.width - 1);
                const Pixel &a = fine.pixels[find(fine, 2 * column, 2 * row)],
                            &b = fine.pixels[find(fine, right, 2 * row)],
                            &c = fine.pixels[find(fine, 2 * column, low_row)],
                            &d = fine.pixels[find(fine, right, low_row)];
                Pixel mean{};
                for (std::size_t k = 0; k < 3; ++k)
                    mean[k] = static_cast<std::uint8_t>((a[k] + b[k] + c[k] + d[k] + 2) / 4);
                coarse.pixels.push_back(mean);
            }
        }
        levels_.push_back(std::move(coarse));
    }
}

Srgb Pyramid::sample(const Level& level, const TexturePlace& place, bool repeat)
{
    // Between the middles of four pixels.
    const double x = place[0] * level.width - 0.5, y = place[1] * level.height - 0.5;
    const double left = std::floor(x), top = std::floor(y), fx = x - left, fy = y - top;
    const auto index = [&](double i, int count)
    {
        if (!repeat) return static_cast<int>(keep_within(i, 0, count - 1.0));
        const int whole = static_cast<int>(keep_within(i, -1, count));
        return whole < 0 ? whole + count : whole >= count ? whole - count : whole;
    };
    const int x0 = index(left, level.width), x1 = index(left + 1, level.width);
    const int y0 = index(top, level.height), y1 = index(top + 1, level.height);
    Srgb sum;
    const auto add = [&](int column, int row, double weight)
    {
        const Pixel& pixel = level.pixels[find(level, column, row)];
        sum += weight / 255 * Srgb(pixel[0], pixel[1], pixel[2]);
    };
    add(x0, y0, (1 - fx) * (1 - fy));
    add(x1, y0, fx * (1 - fy));
    add(x0, y1, (1 - fx) * fy);
    add(x1, y1, fx * fy);
    return sum;
}

Srgb Pyramid::sample(const TexturePlace& place, double size, bool repeat) const
{
    // Between the two copies whose pixels are just smaller and just larger than the square.
    std::size_t level = 0;
    double pixel = 1;
    while (2 * pixel < size && level + 1 < levels_.size())
    {
        pixel *= 2;
        ++level;
    }
    const TexturePlace inside = repeat ? TexturePlace{wrap(place[0]), wrap(place[1])} : place;
    const Srgb fine = sample(levels_[level], inside, repeat);
    const double part = keep_within(size / pixel - 1, 0, 1);
    if (part == 0 || level + 1 == levels_.size()) return fine;
    return blend(fine, sample(levels_[level + 1], inside, repeat), part);
}

std::uint64_t TextureImage::count_pixels(const TextureOptions& options)
{
    const bool flat = options.type == TextureType::flat;
    const auto multiply = [](int width, int height) { return std::uint64_t(width) * std::uint64_t(height); };
    if (options.pattern != TexturePattern::none)
        return flat ? multiply(options.width, options.height) : 6 * multiply(options.width, options.width);
    std::uint64_t sum = 0;
    for (const std::vector<std::byte>& file : options.png)
    {
        const Result<PngSize> size = read_png_size(file, options.name);
        if (size) sum += multiply(size->width, size->height);
    }
    // One picture may be all six sides of a cube.
    return flat || options.png.size() == 6 ? sum : 6 * sum;
}

Result<TextureImage> TextureImage::make(const TextureOptions& options)
{
    Result<std::vector<Canvas>> canvases = options.pattern != TexturePattern::none
                                               ? Result<std::vector<Canvas>>(paint_pattern(options))
                                               : read_files(options);
    if (!canvases) return canvases.errors();
    TextureImage image;
    for (Canvas& canvas : canvases.value())
        image.sides_.emplace_back(canvas.width, canvas.height, std::move(canvas.pixels));
    return image;
}

Srgb TextureImage::sample(const TexturePlace& place, const TexturePlace& right, const TexturePlace& down) const
{
    constexpr int kMostProbes = 8;
    const Pyramid& picture = sides_[0];
    const auto length = [&](const TexturePlace& step)
    {
        const double x = step[0] * picture.width(), y = step[1] * picture.height();
        return std::sqrt(x * x + y * y);
    };
    // Probes along the longer step, each as large as the shorter one: floors stay sharp towards the horizon.
    const double a = length(right), b = length(down);
    const TexturePlace& along = a > b ? right : down;
    const double longer = std::max(a, b), shorter = std::max({std::min(a, b), longer / kMostProbes, 1e-9});
    const int probes = static_cast<int>(keep_within(std::ceil(longer / shorter - 1e-6), 1, kMostProbes));
    Srgb sum;
    for (int i = 0; i < probes; ++i)
    {
        const double t = (i + 0.5) / probes - 0.5;
        sum += picture.sample({place[0] + t * along[0], place[1] + t * along[1]}, shorter, true);
    }
    return 1.0 / probes * sum;
}

Srgb TextureImage::sample(const Vec3& d, double spread) const
{
    // The face of the largest coordinate, and the place on it (OpenGL 4.6, table 8.19).
    const double x = std::abs(d.x), y = std::abs(d.y), z = std::abs(d.z), most = std::max({x, y, z});
    if (!(most > 0)) return {1, 1, 1};
    int face = 0;
    double s = 0, t = -d.y;
    if (x >= y && x >= z)
    {
        face = d.x > 0 ? 0 : 1;
        s = d.x > 0 ? -d.z : d.z;
    }
    else if (y >= z)
    {
        face = d.y > 0 ? 2 : 3;
        s = d.x;
        t = d.y > 0 ? d.z : -d.z;
    }
    else
    {
        face = d.z > 0 ? 4 : 5;
        s = d.z > 0 ? d.x : -d.x;
    }
    const Pyramid& picture = sides_[at(face)];
    return picture.sample({0.5 + 0.5 * s / most, 0.5 + 0.5 * t / most}, 0.5 * spread * picture.width(), false);
}

}  // namespace rattleback::lab
