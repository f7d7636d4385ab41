// UTF-8, JSON strings and numbers.
#include "record/text.h"

#include "base/decimal.h"

#include <array>
#include <cstdint>

namespace rattleback
{

namespace
{

constexpr char32_t kReplacement = 0xFFFD;

/// Length of the sequence that a first byte announces; 0: not a first byte.
int sequence_length(unsigned char first)
{
    if (first < 0x80) return 1;
    if (first >= 0xC2 && first < 0xE0) return 2;
    if (first >= 0xE0 && first < 0xF0) return 3;
    return first >= 0xF0 && first < 0xF5 ? 4 : 0;
}

/// The code point at the front, which has `length` bytes; U+FFFD where it is not a valid one.
char32_t decode(std::string_view text, int length)
{
    const auto first = static_cast<unsigned char>(text[0]);
    if (length == 1) return first;
    char32_t point = first & (0xFFU >> (length + 1));
    for (int i = 1; i < length; ++i)
    {
        const auto next = static_cast<unsigned char>(text[static_cast<std::size_t>(i)]);
        if ((next & 0xC0U) != 0x80U) return kReplacement;
        point = point << 6 | (next & 0x3FU);
    }
    const bool overlong = (length == 3 && point < 0x800) || (length == 4 && point < 0x10000);
    const bool surrogate = point >= 0xD800 && point < 0xE000;
    return overlong || surrogate || point > 0x10FFFF ? kReplacement : point;
}

void append_utf8(std::string& text, char32_t point)
{
    const auto add = [&](char32_t bits) { text += static_cast<char>(bits); };
    if (point < 0x80) return add(point);
    if (point < 0x800)
    {
        add(0xC0 | point >> 6);
    }
    else
    {
        if (point < 0x10000)
        {
            add(0xE0 | point >> 12);
        }
        else
        {
            add(0xF0 | point >> 18);
            add(0x80 | (point >> 12 & 0x3F));
        }
        add(0x80 | (point >> 6 & 0x3F));
    }
    add(0x80 | (point & 0x3F));
}

}  // namespace

std::u32string decode_utf8(std::string_view text)
{
    std::u32string points;
    while (!text.empty())
    {
        const int length = sequence_length(static_cast<unsigned char>(text[0]));
        const bool whole = length > 0 && static_cast<std::size_t>(length) <= text.size();
        const char32_t point = whole ? decode(text, length) : kReplacement;
        points += point;
        // After a bad sequence reading goes on with its second byte. A well-formed U+FFFD has three bytes.
        const bool bad = point == kReplacement && !text.starts_with("\xEF\xBF\xBD");
        text.remove_prefix(bad ? 1 : static_cast<std::size_t>(length));
    }
    return points;
}

std::string to_json_string(std::string_view text)
{
    constexpr std::string_view kDigits = "0123456789abcdef";
    std::string json = "\"";
    for (const char32_t point : decode_utf8(text))
    {
        if (point == U'"' || point == U'\\') json += '\\';
        if (point < 0x20)
        {
            json += "\\u00";
            json += kDigits[point >> 4];
            json += kDigits[point & 15];
        }
        else
        {
            append_utf8(json, point);
        }
    }
    return json + '"';
}

void append_number(std::string& text, double value) { text += to_shortest(value); }

}  // namespace rattleback
