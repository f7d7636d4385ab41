// Colours as the renderer computes with them (linear light), and the palette for what has no colour of its own.
#pragma once

#include <rattleback/record.h>

namespace rattleback::lab
{

/// Red, green, blue, proportional to energy; 1 is white.
using Light = Vec3;

/// x, or the bound that it is beyond; what is not a number is the lower one.
inline double keep_within(double x, double lower, double upper) { return x > lower ? (x < upper ? x : upper) : lower; }

/// IEC 61966-2-1 in both directions, with roots by Newton's method: the C library's pow changes with the machine.
double to_linear(double srgb);
double to_srgb(double linear);

inline Light times(const Light& a, const Light& b) { return {a.x * b.x, a.y * b.y, a.z * b.z}; }
inline Light blend(const Light& a, const Light& b, double t) { return (1 - t) * a + t * b; }

/// The byte that shows it. Above 0.7 light is pressed together, so that bright colours keep their hue.
std::uint8_t to_byte(double linear);

/// Linear colour of a byte triple 0xRRGGBB.
Light from_hex(unsigned rgb);

/// Its own colour; where the shape has the default of the builder or of MJCF, one of a palette that the colour-blind
/// can tell apart, by body. Shapes of the world without a colour are grey.
Light find_colour(const RecordedShape& shape);
/// The same as sRGB with the shape's opacity: its own numbers, untouched, where it has a colour.
std::array<float, 4> find_drawn_colour(const RecordedShape& shape);

}  // namespace rattleback::lab
