// Words, numbers and errors of mesh files.
#include "import/meshes/text_cursor.h"

#include "base/decimal.h"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace rattleback
{
namespace
{

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
constexpr std::size_t kQuotedLength = 40;

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\v' || c == '\f'; }
bool is_newline(char c) { return c == '\n' || c == '\r'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// Whether a well-formed decimal number is below 1, by the place of its first digit that is not 0. Serves to tell the
/// two ways of being out of range apart, which std::from_chars does not.
bool is_below_one(std::string_view text)
{
    std::int64_t place = 0;  // of the first such digit: 0 for the one before the point, -1 behind it
    bool found = false, behind_point = false;
    std::size_t i = 0;
    for (; i < text.size() && text[i] != 'e' && text[i] != 'E'; ++i)
    {
        if (text[i] == '.') behind_point = true;
        if (!is_digit(text[i])) continue;
        if (behind_point && !found) --place;
        if (!behind_point && found) ++place;
        found = found || text[i] != '0';
    }
    if (i == text.size()) return place < 0;

    std::string_view exponent_text = text.substr(i + 1);
    const bool negative = exponent_text.starts_with('-');
    if (exponent_text.starts_with('+')) exponent_text.remove_prefix(1);
    std::int64_t exponent = 0;
    const auto [end, fault] =
        std::from_chars(exponent_text.data(), exponent_text.data() + exponent_text.size(), exponent);
    if (fault == std::errc::result_out_of_range) return negative;
    constexpr std::int64_t kFar = 1'000'000'000'000;  // more than any text has digits
    return place + std::clamp(exponent, -kFar, kFar) < 0;
}

}  // namespace

TextCursor::TextCursor(std::string_view text) : text_(text)
{
    if (text_.starts_with(kByteOrderMark)) position_ = line_start_ = kByteOrderMark.size();
}

void TextCursor::pass_newline()
{
    const bool is_pair = text_.substr(position_).starts_with("\r\n");
    position_ += is_pair ? 2 : 1;
    line_start_ = position_;
    ++line_;
}

bool TextCursor::pass_continuation()
{
    if (at_end() || text_[position_] != '\\') return false;
    if (position_ + 1 >= text_.size() || !is_newline(text_[position_ + 1])) return false;
    ++position_;
    pass_newline();
    return true;
}

void TextCursor::pass_blanks()
{
    while (!at_end())
    {
        if (is_blank(text_[position_]))
        {
            ++position_;
        }
        else if (!pass_continuation())
        {
            return;
        }
    }
}

void TextCursor::pass_line()
{
    while (!at_end() && !at_newline())
    {
        if (!pass_continuation()) ++position_;
    }
}

bool TextCursor::next_line()
{
    if (!fresh_) pass_line();
    while (true)
    {
        pass_blanks();
        if (at_end()) return false;
        if (!at_newline() && text_[position_] != '#') break;
        while (!at_end() && !at_newline()) ++position_;  // a comment: a backslash at its end joins nothing
        if (!at_end()) pass_newline();
    }
    fresh_ = false;
    return true;
}

Word TextCursor::next_word()
{
    pass_blanks();
    fresh_ = false;
    Word word{.line = line_, .column = position_ - line_start_ + 1};
    if (!at_end() && text_[position_] == '#')
    {
        while (!at_end() && !at_newline()) ++position_;
    }
    const std::size_t first = position_;
    while (!at_end() && !at_newline() && !is_blank(text_[position_]))
    {
        const bool joins = text_[position_] == '\\' && position_ + 1 < text_.size() && is_newline(text_[position_ + 1]);
        if (joins) break;
        ++position_;
    }
    word.text = text_.substr(first, position_ - first);
    return word;
}

Word TextCursor::next_word_anywhere()
{
    Word word = next_word();
    while (word.text.empty() && next_line()) word = next_word();
    return word;
}

NumberFault parse_coordinate(std::string_view text, double& value, Digits digits)
{
    value = 0;
    if (text.starts_with('+'))
    {
        text.remove_prefix(1);
        if (text.starts_with('-')) return NumberFault::syntax;
    }

    double wide = 0;
    const auto [end, fault] = parse_double(text, wide);
    if (fault == std::errc::invalid_argument || end != text.data() + text.size()) return NumberFault::syntax;
    if (fault == std::errc::result_out_of_range)
    {
        return is_below_one(text) ? NumberFault::none : NumberFault::too_large;
    }
    if (!std::isfinite(wide)) return NumberFault::not_finite;
    if (digits == Digits::all)
    {
        value = wide;
        return NumberFault::none;
    }
    const auto narrow = static_cast<float>(wide);
    if (!std::isfinite(narrow)) return NumberFault::too_large;
    value = static_cast<double>(narrow);
    return NumberFault::none;
}

std::string quoted(std::string_view text)
{
    std::string result = "'";
    for (const char c : text.substr(0, kQuotedLength)) result += (c >= ' ' && c <= '~') ? c : '?';
    if (text.size() > kQuotedLength) result += "...";
    return result + "'";
}

void MeshErrors::add(ErrorCode code, const Word& word, std::string message, std::string hint)
{
    if (full()) return;
    errors_.push_back({.code = code,
                       .where = file_ + ":" + std::to_string(word.line) + ":" + std::to_string(word.column),
                       .message = std::move(message),
                       .hint = std::move(hint)});
}

void MeshErrors::add(ErrorCode code, std::string message, std::string hint)
{
    if (full()) return;
    errors_.push_back({.code = code, .where = file_, .message = std::move(message), .hint = std::move(hint)});
}

void MeshErrors::add_fault(NumberFault fault, const Word& word)
{
    switch (fault)
    {
        case NumberFault::none:
            return;
        case NumberFault::syntax:
            if (word.text.empty())
            {
                add(ErrorCode::syntax, word, "the line ends where a coordinate should stand", "a vertex is x y z");
            }
            else
            {
                add(ErrorCode::syntax, word, quoted(word.text) + " is not a number",
                    "write coordinates like -0.25 or 1e-3");
            }
            return;
        case NumberFault::not_finite:
            add(ErrorCode::invalid_value, word, "the coordinate " + quoted(word.text) + " is not finite");
            return;
        case NumberFault::too_large:
            add(ErrorCode::invalid_value, word, "the coordinate " + quoted(word.text) + " is too large",
                "coordinates are 32-bit numbers, up to 3.4e38");
            return;
    }
}

}  // namespace rattleback
