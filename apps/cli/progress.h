// Progress: a bar with rate and time left on a terminal, a few plain lines elsewhere; always on stderr.
#pragma once

#include <cstdint>
#include <string>

namespace rattleback::cli
{

class Progress
{
public:
    /// `total` steps (or what `unit` says) of `what` are to come. Silent when `quiet`.
    Progress(std::string what, std::int64_t total, bool quiet, std::string unit = "steps");
    ~Progress();
    Progress(const Progress&) = delete;
    Progress& operator=(const Progress&) = delete;

    /// Says how many are done; draws at most ten times a second.
    void update(std::int64_t done);
    /// Clears the bar, so that other output can follow.
    void clear();

private:
    void draw_bar(std::int64_t done, double elapsed);
    void print_line(std::int64_t done, double elapsed);

    std::string what_, unit_;
    std::int64_t total_;
    bool quiet_;
    bool terminal_;
    bool drawn_ = false;
    double start_, last_;
};

/// "1.5 s", "2 min 5 s", "3 h 20 min".
std::string duration_text(double seconds);

/// "1.23 M", "456 k", "789 ": a rate in three digits, to stand before its unit.
std::string rate_text(double rate);

}  // namespace rattleback::cli
