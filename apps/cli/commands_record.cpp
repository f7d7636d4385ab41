// `rattleback hash`, `diff`, `export` and `record`: what recordings are good for on the command line.
#include "commands.h"
#include "pose_file.h"
#include "subject.h"
#include "terminal.h"

#include <rattleback/record.h>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cmath>

namespace rattleback::cli
{

namespace
{

std::string to_hex(std::uint64_t value) { return fmt::format("{:016x}", value); }

/// Opens a recording and prints its warnings on stderr.
Result<Recording> open_recording(const std::string& path)
{
    Result<Recording> recording = load_recording(path);
    if (!recording.ok()) return recording;
    for (const Error& warning : recording.value().warnings()) say(stderr, "warning: {}\n", warning.text());
    return recording;
}

int hash_recording(const HashCommand& command)
{
    Result<Recording> opened = open_recording(command.what);
    if (!opened.ok()) return report_errors(opened.errors(), command.json);
    Recording recording = std::move(opened).value();
    const Result<std::uint64_t> all = hash(recording);
    if (!all.ok()) return report_errors(all.errors(), command.json);
    nlohmann::json json = {{"recording", to_hex(all.value())},
                           {"model", to_hex(recording.model().fingerprint)},
                           {"frames", recording.frame_count()}};
    if (recording.frame_count() > 0)
    {
        const Result<RecordedFrame> last = recording.frame(recording.frame_count() - 1);
        if (!last.ok()) return report_errors(last.errors(), command.json);
        json["state"] = to_hex(hash(to_state(last.value())));
    }
    if (command.json)
    {
        print_json(json);
        return 0;
    }
    say("recording {}  {} frames\n", to_hex(all.value()), recording.frame_count());
    say("model     {}  {}\n", to_hex(recording.model().fingerprint), recording.model().name);
    if (json.contains("state")) say("state     {}  last frame\n", json["state"].get<std::string>());
    return 0;
}

int hash_scene(const HashCommand& command)
{
    const Result<Subject> subject = open_subject(command.what, command.import);
    if (!subject.ok()) return report_errors(subject.errors(), command.json);
    const Model& model = *subject.value().model;
    print_warnings(subject.value().warnings);
    const std::string of_model = to_hex(fingerprint(model));
    const std::string of_state = to_hex(hash(State(model)));
    if (command.json)
        print_json({{"model", of_model}, {"state", of_state}});
    else
        say("model     {}  {}\nstate     {}  at the start\n", of_model, subject.value().scene->name, of_state);
    return 0;
}

/// "body_pose of 'arm'" or "q[3]".
std::string place_text(const RecordingDifference::Place& place)
{
    if (!place.body.empty()) return fmt::format("{} of '{}'", place.quantity, place.body);
    return fmt::format("{}[{}]", place.quantity, place.index);
}

nlohmann::json place_json(const RecordingDifference::Place& place)
{
    if (place.frame < 0) return nullptr;
    nlohmann::json json = {
        {"frame", place.frame}, {"time", place.time}, {"quantity", place.quantity}, {"index", place.index}};
    if (!place.body.empty()) json["body"] = place.body;
    if (std::isfinite(place.difference)) json["difference"] = place.difference;
    return json;
}

void print_difference(const RecordingDifference& difference)
{
    for (const std::string& remark : difference.remarks) say("note: {}\n", remark);
    if (difference.same)
    {
        say("{}: {} frames\n", paint("same", Style::good), difference.frames_compared);
        return;
    }
    const auto& [first, largest] = std::tie(difference.first, difference.largest);
    if (first.frame < 0)
    {
        say("{}: the {} frames that both have are the same\n", paint("differ", Style::bad), difference.frames_compared);
        return;
    }
    say("{}: first in frame {} (t = {:g} s), {} by {:.3g}\n", paint("differ", Style::bad), first.frame, first.time,
        place_text(first), first.difference);
    if (largest.frame >= 0)
    {
        say("largest difference of poses {:.3g}: frame {} (t = {:g} s), body '{}'\n", largest.difference, largest.frame,
            largest.time, largest.body);
    }
}

}  // namespace

int show_hash(const HashCommand& command)
{
    std::error_code ignored;
    const bool recording = std::filesystem::exists(command.what, ignored) && !is_model_file(command.what);
    return recording ? hash_recording(command) : hash_scene(command);
}

int show_difference(const DiffCommand& command)
{
    if (!(command.tolerance >= 0))
    {
        return report_errors(
            {{.code = ErrorCode::invalid_value, .where = "--tolerance", .message = "must not be negative"}},
            command.json);
    }
    Result<Recording> first = open_recording(command.first), second = open_recording(command.second);
    std::vector<Error> errors = first.errors();
    errors.insert(errors.end(), second.errors().begin(), second.errors().end());
    if (!errors.empty()) return report_errors(errors, command.json);
    Recording a = std::move(first).value(), b = std::move(second).value();
    const Result<RecordingDifference> compared =
        command.by_time ? compare_by_time(a, b, command.tolerance) : compare(a, b, command.tolerance);
    if (!compared.ok()) return report_errors(compared.errors(), command.json);
    const RecordingDifference& difference = compared.value();
    if (command.json)
    {
        print_json({{"same", difference.same},
                    {"comparable", difference.comparable},
                    {"frames_compared", difference.frames_compared},
                    {"notes", difference.remarks},
                    {"first", place_json(difference.first)},
                    {"largest_pose", place_json(difference.largest)}});
    }
    else
    {
        print_difference(difference);
    }
    return difference.same ? 0 : 1;
}

int export_file(const ExportCommand& command)
{
    Result<Recording> opened = open_recording(command.recording);
    if (!opened.ok()) return report_errors(opened.errors(), false);
    Recording recording = std::move(opened).value();
    const Status written = export_recording(recording, command.output);
    if (!written.ok()) return report_errors(written.errors(), false);
    std::error_code ignored;
    say("{}: {} frames, {} bytes\n", command.output, recording.frame_count(),
        std::filesystem::file_size(command.output, ignored));
    return 0;
}

int record_poses(const RecordCommand& command)
{
    const Result<Subject> subject = open_subject(command.model, command.import);
    if (!subject.ok()) return report_errors(subject.errors(), command.json);
    print_warnings(subject->warnings);
    const Result<lab::Trajectory> trajectory = load_poses(command.poses, *subject->model);
    if (!trajectory.ok()) return report_errors(trajectory.errors(), command.json);
    const Status written = lab::write_trajectory(*trajectory, subject->model, command.solver, command.output);
    if (!written.ok()) return report_errors(written.errors(), command.json);
    const std::vector<double>& time = trajectory->time;
    if (command.json)
        print_json({{"file", command.output}, {"frames", time.size()}, {"begin", time.front()}, {"end", time.back()}});
    else
        say("{}: {} frames, {:g} to {:g} s\n", command.output, time.size(), time.front(), time.back());
    return 0;
}

}  // namespace rattleback::cli
