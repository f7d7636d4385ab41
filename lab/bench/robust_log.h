// RobustLog: one line for each wild scene that was run, in a file that any number of processes append to.
#pragma once

#include "lab/metrics/stability.h"

#include <map>

namespace rattleback::lab
{

/// Which run a line is of.
struct RobustKey
{
    std::string contender;  ///< as the bench names it
    std::string kind;       ///< of scene, as the bench names it
    std::uint64_t seed = 0;

    auto operator<=>(const RobustKey&) const = default;
};

class RobustLog
{
public:
    /// Reads what is there; a last line that is cut off does not count. "": nothing is read, nothing kept.
    static Result<RobustLog> open(const std::string& path);

    const std::map<RobustKey, StabilityRun>& runs() const { return runs_; }
    bool has(const RobustKey& key) const { return runs_.contains(key); }
    /// Remembers a run and appends its line, in one write.
    Status add(const RobustKey& key, const StabilityRun& run);

private:
    std::string path_;
    std::map<RobustKey, StabilityRun> runs_;
};

/// "A..B" as two numbers, A at least 1 and at most B; an error that says what was expected otherwise.
Result<std::pair<std::uint64_t, std::uint64_t>> parse_seeds(const std::string& text);

}  // namespace rattleback::lab
