// Decimal numbers: by <charconv>, or by strtod and a stream of the classic locale.
#include "base/decimal.h"

#include <locale.h>
#include <cerrno>
#include <clocale>
#include <cmath>
#include <cstdlib>
#include <iomanip>
#include <locale>
#include <sstream>

namespace rattleback
{

namespace plain
{

namespace
{

constexpr int kMostDigits = 17;  // enough to tell any two doubles apart

bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// Length of the decimal number at the front of `text`, without its sign; 0: there is none.
std::size_t count_decimal(std::string_view text)
{
    std::size_t i = 0, digits = 0;
    const auto pass_digits = [&]
    {
        for (; i < text.size() && is_digit(text[i]); ++i) ++digits;
    };
    pass_digits();
    if (i < text.size() && text[i] == '.')
    {
        ++i;
        pass_digits();
    }
    if (digits == 0) return 0;
    // An exponent without digits is not part of the number.
    if (i == text.size() || (text[i] != 'e' && text[i] != 'E')) return i;
    const std::size_t mantissa = i++;
    if (i < text.size() && (text[i] == '+' || text[i] == '-')) ++i;
    if (i == text.size() || !is_digit(text[i])) return mantissa;
    pass_digits();
    return i;
}

/// Length of "inf", "infinity" or "nan" at the front, in either case; 0: none of them.
std::size_t count_word(std::string_view text)
{
    for (const std::string_view word : {"infinity", "inf", "nan"})
    {
        bool equal = text.size() >= word.size();
        for (std::size_t i = 0; equal && i < word.size(); ++i) equal = (text[i] | 0x20) == word[i];
        if (equal) return word.size();
    }
    return 0;
}

/// d.ddde+xx with so many digits in all.
std::string to_scientific(double value, int digits)
{
    std::ostringstream text;
    text.imbue(std::locale::classic());
    text << std::scientific << std::setprecision(digits - 1) << value;
    return text.str();
}

bool reads_back(const std::string& text, double value)
{
    double again = 0;
    return !text.empty() && parse_double(text, again).ec == std::errc() && again == value;
}

/// d.ddde+xx with the last digit one higher or lower; nothing where another digit would change with it.
std::string change_last_digit(const std::string& scientific, int by)
{
    std::string text = scientific;
    char& last = text[text.find('e') - 1];
    if (last == (by > 0 ? '9' : '0')) return {};
    last = static_cast<char>(last + by);
    return text;
}

/// The same digits without an exponent.
std::string to_fixed(double value, const std::string& digits, int exponent)
{
    const int count = static_cast<int>(digits.size());
    if (exponent + 1 >= count)
    {
        std::ostringstream text;
        text.imbue(std::locale::classic());
        text << std::fixed << std::setprecision(0) << value;  // whole: all its digits, also those not needed
        return text.str();
    }
    if (exponent >= 0)
    {
        const auto whole = static_cast<std::size_t>(exponent) + 1;
        return digits.substr(0, whole) + '.' + digits.substr(whole);
    }
    return "0." + std::string(static_cast<std::size_t>(-exponent - 1), '0') + digits;
}

}  // namespace

std::from_chars_result parse_double(std::string_view text, double& value)
{
    const std::size_t sign = text.starts_with('-') ? 1 : 0;
    const std::string_view unsigned_text = text.substr(sign);
    std::size_t length = count_decimal(unsigned_text);
    const bool is_word = length == 0;
    if (is_word) length = count_word(unsigned_text);
    if (length == 0) return {text.data(), std::errc::invalid_argument};

    static const locale_t classic = newlocale(LC_ALL_MASK, "C", nullptr);
    const std::string copy(text.substr(0, sign + length));  // strtod wants an end
    const double read = strtod_l(copy.c_str(), nullptr, classic);
    const char* const end = text.data() + sign + length;
    if (!is_word && std::isinf(read)) return {end, std::errc::result_out_of_range};
    value = read;
    return {end, std::errc()};
}

std::string to_shortest(double value)
{
    const std::string sign = std::signbit(value) ? "-" : "";
    if (!std::isfinite(value)) return sign + (std::isnan(value) ? "nan" : "inf");
    const double size = std::abs(value);
    if (size == 0) return sign + "0";

    std::string scientific;
    for (int digits = 1; digits <= kMostDigits; ++digits)
    {
        scientific = to_scientific(size, digits);
        if (reads_back(scientific, size)) break;
        // The nearest decimal with so many digits does not read back; the next one above or below may, where the gap
        // between doubles is wider on that side.
        const std::string above = change_last_digit(scientific, 1), below = change_last_digit(scientific, -1);
        if (reads_back(above, size))
        {
            scientific = above;
            break;
        }
        if (reads_back(below, size))
        {
            scientific = below;
            break;
        }
    }
    const std::size_t e = scientific.find('e');
    std::string digits = scientific.substr(0, e);
    if (digits.size() > 1) digits.erase(1, 1);  // the point
    const std::string fixed = to_fixed(size, digits, std::atoi(scientific.c_str() + e + 1));
    return sign + (fixed.size() <= scientific.size() ? fixed : scientific);
}

std::string to_digits(double value, int digits)
{
    std::ostringstream text;
    text.imbue(std::locale::classic());
    text << std::setprecision(digits) << value;
    return text.str();
}

}  // namespace plain

#if defined(__cpp_lib_to_chars)

std::from_chars_result parse_double(std::string_view text, double& value)
{
    return std::from_chars(text.data(), text.data() + text.size(), value);
}

std::string to_shortest(double value)
{
    char text[32];
    return {text, std::to_chars(text, text + sizeof text, value).ptr};
}

std::string to_digits(double value, int digits)
{
    char text[400];
    return {text, std::to_chars(text, text + sizeof text, value, std::chars_format::general, digits).ptr};
}

#else

std::from_chars_result parse_double(std::string_view text, double& value) { return plain::parse_double(text, value); }
std::string to_shortest(double value) { return plain::to_shortest(value); }
std::string to_digits(double value, int digits) { return plain::to_digits(value, digits); }

#endif

}  // namespace rattleback
