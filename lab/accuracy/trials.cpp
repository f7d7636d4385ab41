// Runs trials on all cores and remembers them as lines of JSON.
#include "lab/accuracy/trials.h"

#include "base/file.h"
#include "base/index.h"
#include "base/thread_pool.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <atomic>
#include <cerrno>
#include <cmath>
#include <fstream>
#include <mutex>

namespace rattleback::lab
{

namespace
{

using Json = nlohmann::json;
constexpr double kNotRun = std::numeric_limits<double>::quiet_NaN();

Json sample_to_json(const AccuracySample& s)
{
    const Vec3& p = s.place.position;
    const Quat& q = s.place.rotation;
    // JSON has no NaN: those numbers become null
    return Json::array({s.time, s.position, s.printed_position, s.yaw, s.rotation, s.linear, s.angular, s.pose.x,
                        s.pose.y, s.pose.angle, p.x, p.y, p.z, q.w, q.x, q.y, q.z});
}

AccuracySample sample_from_json(const Json& list)
{
    const auto number = [&](std::size_t i)
    { return i < list.size() && list[i].is_number() ? list[i].get<double>() : kNotRun; };
    return {.time = number(0),
            .position = number(1),
            .printed_position = number(2),
            .yaw = number(3),
            .rotation = number(4),
            .linear = number(5),
            .angular = number(6),
            .pose = {number(7), number(8), number(9)},
            .place = {{number(10), number(11), number(12)}, {number(13), number(14), number(15), number(16)}}};
}

Json outcome_to_json(const std::string& key, const TrialOutcome& outcome)
{
    Json samples = Json::array();
    for (const AccuracySample& sample : outcome.samples) samples.push_back(sample_to_json(sample));
    return {{"trial", key},
            {"refused", outcome.refused},
            {"trouble", outcome.trouble},
            {"precision", outcome.precision},
            {"seconds", outcome.seconds},
            {"cpu_seconds", outcome.cpu_seconds},
            {"end", sample_to_json(outcome.end)},
            {"mean", sample_to_json(outcome.mean)},
            {"samples", std::move(samples)}};
}

TrialOutcome outcome_from_json(const Json& line)
{
    TrialOutcome outcome{.refused = line.value("refused", ""),
                         .trouble = line.value("trouble", ""),
                         .precision = line.value("precision", "double"),
                         .seconds = line.value("seconds", 0.0),
                         .cpu_seconds = line.value("cpu_seconds", 0.0),
                         .end = sample_from_json(line.value("end", Json::array())),
                         .mean = sample_from_json(line.value("mean", Json::array())),
                         .samples = {}};
    for (const Json& sample : line.value("samples", Json::array())) outcome.samples.push_back(sample_from_json(sample));
    return outcome;
}

TrialOutcome summarize(const AccuracyRun& run, int keep)
{
    const AccuracySample none = sample_from_json(Json::array());
    TrialOutcome outcome{.refused = run.refused.substr(0, run.refused.find('\n')),
                         .trouble = run.trouble,
                         .precision = run.precision,
                         .seconds = run.seconds,
                         .cpu_seconds = run.cpu_seconds,
                         .end = run.samples.empty() ? none : run.end(),
                         .mean = none,
                         .samples = {}};
    if (run.samples.empty()) return outcome;
    using Error = double AccuracySample::*;
    for (const Error error : {&AccuracySample::position, &AccuracySample::printed_position, &AccuracySample::yaw,
                              &AccuracySample::rotation, &AccuracySample::linear, &AccuracySample::angular})
        outcome.mean.*error = run.mean(error);
    for (std::size_t i = 0; keep > 0 && i < run.samples.size(); i += at(keep))
        outcome.samples.push_back(run.samples[i]);
    return outcome;
}

std::string describe_value(const ParameterValue& value)
{
    return std::visit([](const auto& v) { return fmt::format("{}", v); }, value);
}

}  // namespace

std::string describe(const Trial& trial)
{
    const CaseOptions& changes = trial.changes;
    std::string text = fmt::format("test {}, {}", trial.test, trial.who.name);
    if (changes.friction) text += fmt::format(", friction {}", *changes.friction);
    if (changes.force) text += fmt::format(", force {} N", *changes.force);
    if (changes.box_offset != 0) text += fmt::format(", offset {} m", changes.box_offset);
    if (changes.shift_x != 0 || changes.shift_y != 0)
        text += fmt::format(", shift {} {} m", changes.shift_x, changes.shift_y);
    text += "; " + (trial.who.solver.empty() ? trial.who.settings() : trial.who.solver);
    for (const auto& [name, value] : trial.who.parameters) text += fmt::format(" {}={}", name, describe_value(value));
    return text + fmt::format("; {} frames, every {}", trial.frames, trial.keep);
}

Result<TrialBook> TrialBook::open(const std::filesystem::path& folder, std::string mark)
{
    std::error_code failed;
    std::filesystem::create_directories(folder, failed);
    if (!std::filesystem::is_directory(folder)) return io_error(folder, "is not a folder and cannot be made one", 0);
    TrialBook book;
    book.file_ = folder / "runs.jsonl";
    book.mark_ = std::move(mark);
    std::ifstream file(book.file_);
    for (std::string text; std::getline(file, text);)
    {
        // a line that was cut off when the program ended is run again
        const Json line = Json::parse(text, nullptr, false);
        if (line.is_object() && line.contains("trial")) book.known_[line["trial"]] = outcome_from_json(line);
        book.torn_ = file.eof();  // no line end behind it
    }
    return book;
}

Result<std::vector<TrialOutcome>> TrialBook::run(std::span<const Trial> trials, const MakeCase& make, const Say& say,
                                                 int threads)
{
    std::vector<TrialOutcome> outcomes(trials.size());
    std::vector<std::size_t> missing;
    std::vector<std::string> keys;
    for (std::size_t i = 0; i < trials.size(); ++i)
    {
        keys.push_back(describe(trials[i]) + mark_);
        const auto found = known_.find(keys.back());
        if (found == known_.end())
            missing.push_back(i);
        else
            outcomes[i] = found->second;
    }
    reused_ += static_cast<int>(trials.size() - missing.size());
    ran_ += static_cast<int>(missing.size());
    if (missing.empty()) return outcomes;

    std::ofstream file(file_, std::ios::app);
    if (torn_) file << "\n";
    torn_ = false;
    std::mutex mutex;  // of the file, of `say` and of `errors`
    std::vector<Error> errors;
    std::atomic<std::size_t> next{0};
    ThreadPool pool(threads);
    // Trials last from milliseconds to a minute: each worker takes the next one when it is free. Which worker runs a
    // trial changes nothing in its outcome.
    pool.run(pool.worker_count(),
             [&](int, int)
             {
                 for (std::size_t k = next++; k < missing.size(); k = next++)
                 {
                     const std::size_t i = missing[k];
                     const Result<AccuracyCase> test = make(trials[i]);
                     if (test.ok())
                         outcomes[i] =
                             summarize(run_case(test.value(), trials[i].who, trials[i].frames), trials[i].keep);
                     const std::lock_guard<std::mutex> lock(mutex);
                     if (!test.ok()) errors = test.errors();
                     if (test.ok()) file << outcome_to_json(keys[i], outcomes[i]).dump() + "\n" << std::flush;
                     say(fmt::format("{} of {}: {}", k + 1, missing.size(), keys[i]));
                 }
             });
    if (!errors.empty()) return errors;
    if (!file) return io_error(file_, "cannot be written", errno);
    for (const std::size_t i : missing) known_[keys[i]] = outcomes[i];
    return outcomes;
}

}  // namespace rattleback::lab
