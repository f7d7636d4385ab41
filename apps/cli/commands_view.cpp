// `rattleback view`: recordings as a page that opens from disk, or served while they are being written.
#include "commands.h"
#include "terminal.h"
#include "view_page.h"
#include "view_server.h"

#include <fmt/format.h>

#include <set>

namespace rattleback::cli
{

namespace
{

constexpr std::size_t kMostRecordings = 32;
constexpr std::uint64_t kPageBudget = std::uint64_t{96} << 20;  // [bytes] of frames of all recordings

Error mistake(std::string where, std::string message, std::string hint = {})
{
    return {.code = ErrorCode::invalid_value,
            .where = std::move(where),
            .message = std::move(message),
            .hint = std::move(hint)};
}

std::vector<Error> find_mistakes(const ViewCommand& command)
{
    if (command.recordings.empty())
        return {mistake("view", "which recording?", "`rattleback run SCENE --record a.rec` makes one")};
    if (command.recordings.size() > kMostRecordings)
        return {mistake("view", fmt::format("at most {} recordings", kMostRecordings))};
    if (command.serve != command.output.empty())
    {
        return {mistake("view", command.serve ? "--serve writes no file: leave out -o"
                                              : "where to? Name a file with -o, or use --serve")};
    }
    if (command.port < 0 || command.port > 65535) return {mistake("--port", "must be 0 to 65535")};
    if (command.port != 0 && !command.serve) return {mistake("--port", "belongs to --serve")};
    if (command.stride < 0) return {mistake("--stride", "must not be negative")};
    return find_missing_viewer();
}

/// File names without folders where these differ, otherwise as given.
std::vector<std::string> make_labels(const std::vector<std::string>& files)
{
    std::vector<std::string> labels;
    std::set<std::string> seen;
    for (const std::string& file : files)
    {
        labels.push_back(std::filesystem::path(file).filename().string());
        seen.insert(labels.back());
    }
    return seen.size() == files.size() ? labels : files;
}

}  // namespace

int view(const ViewCommand& command)
{
    const std::vector<Error> mistakes = find_mistakes(command);
    if (!mistakes.empty()) return report_errors(mistakes, false);
    const std::vector<std::string> labels = make_labels(command.recordings);
    if (command.serve)
    {
        const std::vector<Error> errors = serve({command.recordings, labels, command.port, command.stride});
        return errors.empty() ? 0 : report_errors(errors, false);
    }
    ViewScene scene{.name = labels[0]};
    std::vector<Error> errors;
    for (std::size_t i = 0; i < labels.size(); ++i)
    {
        Result<Recording> opened = load_recording(command.recordings[i]);
        errors.insert(errors.end(), opened.errors().begin(), opened.errors().end());
        if (!opened.ok()) continue;
        Recording recording = std::move(opened).value();
        Result<ViewRun> run = make_view_run(
            recording, {.label = labels[i], .stride = command.stride, .budget = kPageBudget / labels.size()});
        errors.insert(errors.end(), run.errors().begin(), run.errors().end());
        if (run.ok()) scene.runs.push_back(std::move(run).value());
    }
    if (!errors.empty()) return report_errors(errors, false);
    scene.notices = find_view_notices(scene.runs);
    for (const std::string& notice : scene.notices) say(stderr, "note: {}\n", notice);
    for (const ViewRun& run : scene.runs)
    {
        for (const auto& notice : run.about["notices"])
            say(stderr, "note: {}: {}\n", run.about["label"].get<std::string>(), notice.get<std::string>());
    }
    const std::string model = scene.runs[0].about["model"].get<std::string>();
    ViewPage page{.title = model.empty() ? labels[0] : model};
    page.scenes.push_back(std::move(scene));
    const Status written = write_html(page, command.output);
    if (!written.ok()) return report_errors(written.errors(), false);
    std::error_code ignored;
    say("{}: {} bytes, opens in any browser\n", command.output, std::filesystem::file_size(command.output, ignored));
    return 0;
}

}  // namespace rattleback::cli
