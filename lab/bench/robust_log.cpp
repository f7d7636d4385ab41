// Lines of JSON for runs of wild scenes.
#include "lab/bench/robust_log.h"

#include <fcntl.h>
#include <unistd.h>
#include <nlohmann/json.hpp>

#include <charconv>
#include <fstream>

namespace rattleback::lab
{

namespace
{

nlohmann::json to_line(const RobustKey& key, const StabilityRun& run)
{
    return {{"contender", key.contender}, {"kind", key.kind},
            {"seed", key.seed},           {"status", to_string(run.status)},
            {"steps", run.steps},         {"unsettled", run.unsettled},
            {"divided", run.divided},     {"start", run.start},
            {"highest", run.highest},     {"scale", run.scale},
            {"stored", run.stored},       {"removed", run.removed},
            {"trimmed", run.trimmed},     {"slowed", run.slowed},
            {"linear", run.linear},       {"angular", run.angular},
            {"trouble", run.trouble}};
}

StepStatus to_status(const std::string& name)
{
    for (const StepStatus status :
         {StepStatus::ok, StepStatus::not_converged, StepStatus::diverged, StepStatus::capacity})
        if (to_string(status) == name) return status;
    return StepStatus::diverged;
}

std::pair<RobustKey, StabilityRun> from_line(const nlohmann::json& line)
{
    const RobustKey key{line.at("contender"), line.at("kind"), line.at("seed")};
    return {key, StabilityRun{.status = to_status(line.at("status")),
                              .steps = line.at("steps"),
                              .unsettled = line.at("unsettled"),
                              .divided = line.at("divided"),
                              .start = line.at("start"),
                              .highest = line.at("highest"),
                              .scale = line.at("scale"),
                              .stored = line.at("stored"),
                              .removed = line.at("removed"),
                              .trimmed = line.at("trimmed"),
                              .slowed = line.at("slowed"),
                              .linear = line.at("linear"),
                              .angular = line.at("angular"),
                              .trouble = line.at("trouble")}};
}

}  // namespace

Result<RobustLog> RobustLog::open(const std::string& path)
{
    RobustLog log;
    log.path_ = path;
    std::ifstream file(path);
    int number = 0;
    for (std::string text; std::getline(file, text);)
    {
        ++number;
        const bool is_last = file.peek() == std::ifstream::traits_type::eof();
        try
        {
            const auto [key, run] = from_line(nlohmann::json::parse(text));
            log.runs_.insert_or_assign(key, run);
        }
        catch (const nlohmann::json::exception&)
        {
            if (is_last) break;  // cut off by a kill
            return Error{ErrorCode::invalid_value, path + ":" + std::to_string(number), "is no line of bench robust",
                         "give --keep a file of its own"};
        }
    }
    return log;
}

Status RobustLog::add(const RobustKey& key, const StabilityRun& run)
{
    runs_.insert_or_assign(key, run);
    if (path_.empty()) return {};
    const std::string line = to_line(key, run).dump() + "\n";
    // One write to a file opened for appending: lines of several processes do not mix.
    const int file = ::open(path_.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0644);
    const bool written = file >= 0 && ::write(file, line.data(), line.size()) == static_cast<ssize_t>(line.size());
    if (file >= 0) ::close(file);
    if (written) return {};
    return Error{ErrorCode::io, path_, "cannot be written to", "--keep names a file in a folder that exists"};
}

Result<std::pair<std::uint64_t, std::uint64_t>> parse_seeds(const std::string& text)
{
    std::uint64_t first = 0, last = 0;
    const char* const end = text.data() + text.size();
    const auto [dots, fault] = std::from_chars(text.data(), end, first);
    const bool has_dots = fault == std::errc{} && end - dots > 2 && dots[0] == '.' && dots[1] == '.';
    if (has_dots)
    {
        const auto [rest, bad] = std::from_chars(dots + 2, end, last);
        if (bad == std::errc{} && rest == end && first >= 1 && first <= last) return std::pair(first, last);
    }
    return Error{ErrorCode::invalid_value, "--seeds", "is '" + text + "'", "A..B with 1 <= A <= B, for example 1..625"};
}

}  // namespace rattleback::lab
