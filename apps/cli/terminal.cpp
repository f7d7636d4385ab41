// The terminal: colours, widths and error messages.
#include "terminal.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>
#include <nlohmann/json.hpp>

#include <cstdlib>

namespace rattleback::cli
{

bool is_terminal(int descriptor) { return isatty(descriptor) == 1; }

int terminal_width()
{
    winsize size{};
    if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) return size.ws_col;
    return 80;
}

std::string paint(std::string_view text, Style style)
{
    // no-color.org: set and not empty means no colours, whatever the value.
    static const bool kColours = []
    {
        const char* none = std::getenv("NO_COLOR");
        return is_terminal(STDOUT_FILENO) && (none == nullptr || *none == '\0');
    }();
    if (!kColours) return std::string(text);
    constexpr const char* kCodes[] = {"1", "2", "32", "31"};
    return fmt::format("\x1b[{}m{}\x1b[0m", kCodes[static_cast<int>(style)], text);
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
    fmt::print("{}\n", json.dump(2, ' ', false, nlohmann::json::error_handler_t::replace));
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
    fmt::print(stderr, "rattleback: {}\n", to_text(errors));
    if (json) print_json(nlohmann::json{{"ok", false}, {"errors", errors_json(errors)}});
    return 2;
}

}  // namespace rattleback::cli
