// The terminal: colours, widths and error messages.
#include "terminal.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdlib>
#include <utility>

namespace rattleback::cli
{

bool is_terminal(int descriptor) { return isatty(descriptor) == 1; }

int terminal_width()
{
    winsize size{};
    if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) return size.ws_col;
    return 80;
}

namespace
{

constexpr const char* kCodes[] = {"\x1b[1m", "\x1b[2m", "\x1b[32m", "\x1b[31m"};
constexpr std::string_view kPlain = "\x1b[0m";

bool has_colours()
{
    // no-color.org: set and not empty means no colours, whatever the value.
    static const bool kColours = []
    {
        const char* none = std::getenv("NO_COLOR");
        return is_terminal(STDOUT_FILENO) && (none == nullptr || *none == '\0');
    }();
    return kColours;
}

/// The character at the front of a UTF-8 text, and how many bytes it takes; -1 and one byte where it is none.
std::pair<int, std::size_t> read_character(std::string_view text)
{
    const auto byte = [&](std::size_t i) { return static_cast<int>(static_cast<unsigned char>(text[i])); };
    const int first = byte(0);
    if (first < 0x80) return {first, 1};
    const std::size_t size = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
    constexpr int kLeast[] = {0, 0, 0x80, 0x800, 0x10000};
    if (first < 0xC2 || first > 0xF4 || text.size() < size) return {-1, 1};
    int code = first & (0x7F >> size);
    for (std::size_t i = 1; i < size; ++i)
    {
        if ((byte(i) & 0xC0) != 0x80) return {-1, 1};
        code = 64 * code + (byte(i) & 0x3F);
    }
    const bool good = code >= kLeast[size] && code <= 0x10FFFF && (code < 0xD800 || code > 0xDFFF);
    return good ? std::pair{code, size} : std::pair{-1, std::size_t{1}};
}

/// Would a terminal do something else than draw it?
bool is_obeyed(int code)
{
    if (code == '\n' || code == '\t') return false;
    return code < 0x20 || (code >= 0x7F && code <= 0x9F) || code == 0x61C || (code >= 0x200E && code <= 0x200F) ||
           (code >= 0x2028 && code <= 0x202E) || (code >= 0x2066 && code <= 0x2069);
}

/// The length of a style of paint() at the front of a text; 0: none.
std::size_t find_style(std::string_view text)
{
    if (!has_colours()) return 0;
    for (const std::string_view code : {std::string_view(kCodes[0]), std::string_view(kCodes[1]),
                                        std::string_view(kCodes[2]), std::string_view(kCodes[3]), kPlain})
    {
        if (text.starts_with(code)) return code.size();
    }
    return 0;
}

}  // namespace

std::string paint(std::string_view text, Style style)
{
    if (!has_colours()) return std::string(text);
    return fmt::format("{}{}{}", kCodes[static_cast<int>(style)], show_controls(text), kPlain);
}

std::string show_controls(std::string_view text)
{
    std::string shown;
    shown.reserve(text.size());
    while (!text.empty())
    {
        const auto [code, size] = read_character(text);
        if (code < 0 || (is_obeyed(code) && code < 0x80))
            shown += fmt::format("\\x{:02x}", static_cast<unsigned char>(text[0]));
        else if (is_obeyed(code))
            shown += fmt::format("\\u{:04x}", code);
        else
            shown += text.substr(0, size);
        text.remove_prefix(size);
    }
    return shown;
}

void say_text(std::FILE* stream, std::string_view text)
{
    std::string safe;
    while (!text.empty())
    {
        const std::size_t style = find_style(text);
        const std::size_t size = style > 0 ? style : std::min(text.find('\x1b', 1), text.size());
        safe += style > 0 ? std::string(text.substr(0, size)) : show_controls(text.substr(0, size));
        text.remove_prefix(size);
    }
    fmt::print(stream, "{}", safe);
}

int display_width(std::string_view text)
{
    int width = 0;
    bool escape = false;
    for (const char c : text)
    {
        if (c == '\x1b') escape = true;
        const bool continuation = (static_cast<unsigned char>(c) & 0xC0U) == 0x80U;
        if (!escape && !continuation) ++width;
        if (escape && c == 'm') escape = false;
    }
    return width;
}

void print_json(const nlohmann::json& json)
{
    // What a terminal would obey stands in strings alone, where JSON has another spelling for it.
    const std::string text = json.dump(2, ' ', false, nlohmann::json::error_handler_t::replace);
    std::string safe;
    for (std::size_t i = 0; i < text.size();)
    {
        const auto [code, size] = read_character(std::string_view(text).substr(i));
        safe += is_obeyed(code) ? fmt::format("\\u{:04x}", code) : text.substr(i, size);
        i += size;
    }
    fmt::print("{}\n", safe);
}

nlohmann::json errors_json(const std::vector<Error>& errors)
{
    nlohmann::json list = nlohmann::json::array();
    for (const Error& error : errors)
        list.push_back({{"code", to_string(error.code)},
                        {"where", error.where},
                        {"message", error.message},
                        {"hint", error.hint}});
    return list;
}

int report_errors(const std::vector<Error>& errors, bool json)
{
    std::fflush(stdout);
    say(stderr, "rattleback: {}\n", to_text(errors));
    if (json) print_json(nlohmann::json{{"ok", false}, {"errors", errors_json(errors)}});
    return 2;
}

}  // namespace rattleback::cli
