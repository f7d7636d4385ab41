// sRGB by roots, and Paul Tol's "bright" scheme (Colour Schemes, SRON/EPS/TN/09-002, 2021), a little softened.
#include "lab/render/colour.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

namespace rattleback::lab
{

namespace
{

/// The n-th root of x in (0, 1], by Newton's method from above.
double find_root(double x, int n)
{
    double y = 1;
    for (int i = 0; i < 100; ++i)
    {
        double power = 1;
        for (int k = 1; k < n; ++k) power *= y;
        const double next = ((n - 1) * y + x / power) / n;
        if (!(next < y)) break;  // it falls until rounding stops it
        y = next;
    }
    return y;
}

bool is_default(const std::array<float, 4>& colour)
{
    constexpr std::array kBuilder{0.6F, 0.65F, 0.7F}, kMjcf{0.5F, 0.5F, 0.5F};
    return std::equal(kBuilder.begin(), kBuilder.end(), colour.begin()) ||
           std::equal(kMjcf.begin(), kMjcf.end(), colour.begin());
}

/// From the palette, 0xRRGGBB; none for a shape with a colour of its own.
std::optional<unsigned> find_given_colour(const RecordedShape& shape)
{
    constexpr std::array kPalette{0x4C7EB0U, 0xE8707FU, 0x3C9A4EU, 0xD6BF4AU, 0x74C6E6U, 0xA8478AU, 0xB4B8BCU};
    if (!is_default(shape.colour)) return std::nullopt;
    if (shape.type == ShapeType::plane) return 0xD8DADC;
    if (shape.body <= 0) return 0xB4B8BC;
    return kPalette[static_cast<std::size_t>(shape.body - 1) % kPalette.size()];
}

}  // namespace

double to_linear(double srgb)
{
    const double x = keep_within(srgb, 0, 1);
    if (x <= 0.04045) return x / 12.92;
    const double base = (x + 0.055) / 1.055, fifth = find_root(base, 5);
    return base * base * fifth * fifth;  // base^2.4
}

double to_srgb(double linear)
{
    const double x = keep_within(linear, 0, 1);
    if (x <= 0.0031308) return 12.92 * x;
    const double half = std::sqrt(x);
    return 1.055 * std::sqrt(half) * find_root(half, 3) - 0.055;  // x^(1/4 + 1/6) = x^(1 / 2.4)
}

std::uint8_t to_byte(double linear)
{
    const double over = linear - 0.7, pressed = over < 0 ? linear : 0.7 + 0.3 * over / (over + 0.3);
    return static_cast<std::uint8_t>(std::lround(255 * to_srgb(pressed)));
}

Light from_hex(unsigned rgb)
{
    const auto part = [&](unsigned shift) { return to_linear((rgb >> shift & 0xFF) / 255.0); };
    return {part(16), part(8), part(0)};
}

Light find_colour(const RecordedShape& shape)
{
    if (const std::optional<unsigned> given = find_given_colour(shape)) return from_hex(*given);
    const auto part = [](float value) { return std::isfinite(value) ? to_linear(static_cast<double>(value)) : 0.0; };
    return {part(shape.colour[0]), part(shape.colour[1]), part(shape.colour[2])};
}

std::array<float, 4> find_drawn_colour(const RecordedShape& shape)
{
    const std::optional<unsigned> given = find_given_colour(shape);
    if (!given) return shape.colour;
    const auto part = [&](unsigned shift) { return static_cast<float>(*given >> shift & 0xFF) / 255; };
    return {part(16), part(8), part(0), shape.colour[3]};
}

}  // namespace rattleback::lab
