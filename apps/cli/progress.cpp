// Progress on stderr.
#include "progress.h"

#include "lab/measure/measure.h"
#include "terminal.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>

namespace rattleback::cli
{

namespace
{

constexpr double kBarInterval = 0.1;   // [s]
constexpr double kLineInterval = 5.0;  // [s]: a log file wants few lines

}  // namespace

std::string duration_text(double seconds)
{
    const auto whole = static_cast<std::int64_t>(seconds);
    if (seconds < 60) return fmt::format("{:.1f} s", seconds);
    if (seconds < 3600) return fmt::format("{} min {} s", whole / 60, whole % 60);
    return fmt::format("{} h {} min", whole / 3600, whole / 60 % 60);
}

std::string rate_text(double rate)
{
    if (rate >= 1e6) return fmt::format("{:.3g} M", rate / 1e6);
    if (rate >= 1e3) return fmt::format("{:.3g} k", rate / 1e3);
    return fmt::format("{:.3g} ", rate);
}

Progress::Progress(std::string what, std::int64_t total, bool quiet, std::string unit)
    : what_(std::move(what)),
      unit_(std::move(unit)),
      total_(std::max<std::int64_t>(total, 1)),
      quiet_(quiet),
      terminal_(is_terminal(STDERR_FILENO)),
      start_(lab::wall_seconds()),
      last_(start_)
{
}

Progress::~Progress() { clear(); }

void Progress::update(std::int64_t done)
{
    if (quiet_) return;
    const double now = lab::wall_seconds();
    if (now - last_ < (terminal_ ? kBarInterval : kLineInterval)) return;
    last_ = now;
    if (terminal_)
    {
        draw_bar(done, now - start_);
    }
    else
    {
        print_line(done, now - start_);
    }
}

void Progress::draw_bar(std::int64_t done, double elapsed)
{
    const double fraction = std::min(1.0, static_cast<double>(done) / static_cast<double>(total_));
    const double left = fraction > 0 ? elapsed * (1 - fraction) / fraction : 0;
    const std::string numbers = fmt::format(" {:3.0f} %  {}{}/s  {} left", 100 * fraction,
                                            rate_text(static_cast<double>(done) / elapsed), unit_, duration_text(left));
    const int room = terminal_width() - display_width(what_) - display_width(numbers) - 4;
    const int cells = std::clamp(room, 0, 40);
    const int full = static_cast<int>(fraction * cells);
    std::string bar;
    for (int i = 0; i < cells; ++i) bar += i < full ? "━" : "┄";
    fmt::print(stderr, "\r\x1b[K{} {}{}", show_controls(what_), bar, numbers);
    std::fflush(stderr);
    drawn_ = true;
}

void Progress::print_line(std::int64_t done, double elapsed)
{
    const double fraction = std::min(1.0, static_cast<double>(done) / static_cast<double>(total_));
    fmt::print(stderr, "{}: {:.0f} %, {}{}/s\n", show_controls(what_), 100 * fraction,
               rate_text(static_cast<double>(done) / elapsed), unit_);
}

void Progress::clear()
{
    if (!drawn_) return;
    fmt::print(stderr, "\r\x1b[K");
    std::fflush(stderr);
    drawn_ = false;
}

}  // namespace rattleback::cli
