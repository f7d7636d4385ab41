// UTF-8, quotes and escapes, numbers, base64.
#include "base/text.h"

#include <cstdint>

namespace rattleback
{

namespace
{

constexpr char32_t kReplacement = 0xFFFD;

/// Length of the sequence that a first byte announces; 0: not a first byte.
std::size_t sequence_length(unsigned char first)
{
    if (first < 0x80) return 1;
    if (first >= 0xC2 && first < 0xE0) return 2;
    if (first >= 0xE0 && first < 0xF0) return 3;
    return first >= 0xF0 && first < 0xF5 ? 4 : 0;
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

int find_base64_digit(char c)
{
    if (c >= 'A' && c <= 'Z') return c - 'A';
    if (c >= 'a' && c <= 'z') return c - 'a' + 26;
    if (c >= '0' && c <= '9') return c - '0' + 52;
    return c == '+' || c == '-' ? 62 : c == '/' || c == '_' ? 63 : -1;
}

}  // namespace

Character find_character(std::string_view text)
{
    if (text.empty()) return {};
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    const std::size_t size = sequence_length(byte(0));
    if (size == 0 || size > text.size()) return {};
    if (size == 1) return {byte(0), 1};
    char32_t point = byte(0) & (0xFFU >> (size + 1));
    for (std::size_t i = 1; i < size; ++i)
    {
        if ((byte(i) & 0xC0U) != 0x80U) return {};
        point = point << 6 | (byte(i) & 0x3FU);
    }
    const bool overlong = (size == 3 && point < 0x800) || (size == 4 && point < 0x10000);
    const bool surrogate = point >= 0xD800 && point < 0xE000;
    return overlong || surrogate || point > 0x10FFFF ? Character{} : Character{point, size};
}

std::u32string decode_utf8(std::string_view text)
{
    std::u32string points;
    while (!text.empty())
    {
        const Character next = find_character(text);
        points += next.size > 0 ? next.point : kReplacement;
        text.remove_prefix(next.size > 0 ? next.size : 1);  // after a bad byte reading goes on with the next
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

std::string escape_markup(std::string_view text, char quote)
{
    std::string escaped;
    for (const char c : text)
    {
        if (c == '&')
            escaped += "&amp;";
        else if (c == '<')
            escaped += "&lt;";
        else if (c == '>')
            escaped += "&gt;";
        else if (c == quote)
            escaped += quote == '"' ? "&quot;" : "&apos;";
        else if (c == '\n' || c == '\r' || c == '\t')
            escaped += "&#" + std::to_string(static_cast<int>(c)) + ";";
        else
            escaped += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
    }
    return escaped;
}

std::string to_csv_field(std::string_view text)
{
    if (text.find_first_of(",\"\r\n") == std::string_view::npos) return std::string(text);
    std::string quoted = "\"";
    for (const char c : text)
    {
        if (c == '"') quoted += '"';
        quoted += c;
    }
    return quoted + '"';
}

void append_number(std::string& text, double value) { text += to_shortest(value); }

std::string to_base64(std::span<const std::byte> bytes)
{
    constexpr std::string_view kLetters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string text;
    text.reserve((bytes.size() + 2) / 3 * 4);
    for (std::size_t i = 0; i < bytes.size(); i += 3)
    {
        std::uint32_t group = 0;
        for (std::size_t k = 0; k < 3; ++k)
            group = group << 8 | (i + k < bytes.size() ? static_cast<std::uint32_t>(bytes[i + k]) : 0U);
        for (std::size_t k = 0; k < 4; ++k) text += i + k <= bytes.size() ? kLetters[group >> (18 - 6 * k) & 63] : '=';
    }
    return text;
}

bool read_base64(std::string_view text, std::vector<std::byte>& bytes)
{
    bytes.clear();
    // At most two letters of padding, and only where they fill up a group of four.
    const bool padded = text.ends_with('=');
    if (padded && text.size() % 4 != 0) return false;
    for (int k = 0; k < 2 && text.ends_with('='); ++k) text.remove_suffix(1);
    if (text.size() % 4 == 1) return false;
    bytes.reserve(text.size() / 4 * 3 + 2);
    std::uint32_t bits = 0;
    int count = 0;
    for (const char c : text)
    {
        const int digit = find_base64_digit(c);
        if (digit < 0) return false;
        bits = bits << 6 | static_cast<std::uint32_t>(digit);
        count += 6;
        if (count < 8) continue;
        count -= 8;
        bytes.push_back(static_cast<std::byte>(bits >> count & 255));
    }
    return true;
}

}  // namespace rattleback
