// What we know about the terminal: whether it is one, how wide, and whether colours are welcome.
#pragma once

#include <rattleback/error.h>

#include <fmt/format.h>
#include <nlohmann/json_fwd.hpp>

#include <cstdio>

#include <string>
#include <string_view>

namespace rattleback::cli
{

/// True when the stream (1: output, 2: errors) is a terminal.
bool is_terminal(int descriptor);

/// Columns of the terminal on stderr; 80 where unknown.
int terminal_width();

enum class Style
{
    bold,
    faint,
    good,
    bad,
};
/// The text in that style when stdout is a terminal and NO_COLOR is not set; otherwise as it is.
std::string paint(std::string_view text, Style style);

/// The text with what a terminal would obey written out: control characters but newline and tab, bytes that are no
/// UTF-8, and marks that turn the direction of writing, as \x1b or \u202e. Names in files are written by anybody.
std::string show_controls(std::string_view text);

/// Prints for people: all text of this program goes through here, styles of paint() as they are and show_controls() of
/// the rest.
void say_text(std::FILE* stream, std::string_view text);
template <class... Values>
void say(fmt::format_string<Values...> format, Values&&... values)
{
    say_text(stdout, fmt::format(format, std::forward<Values>(values)...));
}
template <class... Values>
void say(std::FILE* stream, fmt::format_string<Values...> format, Values&&... values)
{
    say_text(stream, fmt::format(format, std::forward<Values>(values)...));
}

/// Columns that a UTF-8 text takes (every character one; escape sequences none).
int display_width(std::string_view text);

/// Prints an object on stdout. Words of the user that are not UTF-8 come back with the bad bytes replaced.
void print_json(const nlohmann::json& json);

/// A list of objects with code, where, message and hint.
nlohmann::json errors_json(const std::vector<Error>& errors);

/// Tells the user about mistakes: text on stderr, with `json` also an object on stdout. Returns the exit code, 2.
int report_errors(const std::vector<Error>& errors, bool json);

}  // namespace rattleback::cli
