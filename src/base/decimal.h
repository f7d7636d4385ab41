// Decimal numbers from and to text, the same whatever the locale and the standard library: <charconv> where it has
// doubles, and its rules where it has none.
#pragma once

#include <charconv>
#include <string>
#include <string_view>

namespace rattleback
{

/// Reads a number at the front of `text` by the rules of std::from_chars: no blanks, no plus sign, rounded to nearest.
/// Below the smallest double it is 0 or out of range; above the largest always out of range.
std::from_chars_result parse_double(std::string_view text, double& value);

/// As few digits as read back to the same bits; of "1e+05" and "100000" the shorter, if equal the plain one.
std::string to_shortest(double value);

/// Rounded to so many digits, as printf's %g.
std::string to_digits(double value, int digits);

/// What the functions above do where <charconv> has no doubles.
namespace plain
{
std::from_chars_result parse_double(std::string_view text, double& value);
std::string to_shortest(double value);
std::string to_digits(double value, int digits);
}  // namespace plain

}  // namespace rattleback
