// `rattleback convert` and `check`: model files.
#include "commands.h"
#include "subject.h"
#include "terminal.h"

#include "lab/base.h"

#include <rattleback/export.h>
#include <rattleback/import.h>
#include <rattleback/solver.h>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <filesystem>

namespace rattleback::cli
{

namespace
{

Error make_error(const std::string& path, std::string message, std::string hint = {})
{
    return {.code = ErrorCode::io, .where = path, .message = std::move(message), .hint = std::move(hint)};
}

/// May the target be written? Folders never, files when told so.
std::vector<Error> check_target(const ConvertCommand& command)
{
    const std::filesystem::path path(command.target);
    const std::string extension = path.extension().generic_string();
    std::error_code code;
    if (extension != ".xml" && extension != ".mjcf")
        return {{.code = ErrorCode::unsupported,
                 .where = command.target,
                 .message = "no writer for files that end in '" + extension + "'",
                 .hint = "MJCF files end in .xml or .mjcf"}};
    const auto status = std::filesystem::status(path, code);
    if (std::filesystem::is_directory(status)) return {make_error(command.target, "is a folder")};
    if (std::filesystem::exists(status) && !command.force)
        return {make_error(command.target, "is there already", "--force replaces it")};
    return {};
}

void print_problems(const char* kind, Style style, const std::vector<Error>& errors)
{
    for (const Error& error : errors)
        say("{}: {}: {}{}\n", error.where, paint(kind, style), error.message,
            error.hint.empty() ? "" : " (" + error.hint + ")");
}

/// Two shapes that may collide and that some solvers know no contact for: those refuse the model.
std::vector<Error> find_pair_warnings(const Model& model)
{
    const std::optional<PairCandidate> pair = find_unsupported_pair(model);
    if (!pair) return {};
    std::string solvers;
    for (const SolverInfo* solver : all_solvers())
    {
        const bool has_contact =
            std::find(solver->supports.begin(), solver->supports.end(), Feature::contact) != solver->supports.end();
        if (has_contact && !solver->finds_own_contacts) solvers += fmt::format(" '{}'", solver->name);
    }
    const auto first = static_cast<std::size_t>(pair->first.index),
               second = static_cast<std::size_t>(pair->second.index);
    const Shapes& shapes = model.shapes;
    return {
        {.code = ErrorCode::unsupported,
         .where = fmt::format("shapes '{}' and '{}'", shapes.name[first], shapes.name[second]),
         .message = fmt::format("may collide, and solvers{} know no contact between {} and {}: they refuse the model",
                                solvers, to_string(shapes.type[first]), to_string(shapes.type[second]))}};
}

}  // namespace

int convert(const ConvertCommand& command)
{
    std::vector<Error> errors = check_target(command);
    if (!errors.empty()) return report_errors(errors, command.json);
    const Result<Subject> subject = open_subject(command.source, command.import);
    if (!subject.ok()) return report_errors(subject.errors(), command.json);
    const Model& model = *subject.value().model;
    const Result<std::string> text = write_mjcf(model);
    if (!text.ok()) return report_errors(text.errors(), command.json);
    const Status written = write_file(command.target, text.value());
    if (!written.ok()) return report_errors(written.errors(), command.json);
    if (command.json)
        print_json({{"ok", true},
                    {"file", command.target},
                    {"bytes", text.value().size()},
                    {"fingerprint", fmt::format("{:016x}", fingerprint(model))},
                    {"warnings", errors_json(subject.value().warnings)}});
    else
    {
        print_warnings(subject.value().warnings);
        say("{}: {} bodies, {} dof, {} bytes; reads back as the same model, {:016x}\n", command.target,
            model.body_count() - 1, model.v_count(), text.value().size(), fingerprint(model));
    }
    return 0;
}

int check_files(const CheckCommand& command)
{
    nlohmann::json files = nlohmann::json::array();
    bool good = true;
    for (const std::string& file : command.files)
    {
        const Result<Imported> imported = load_model(file, command.import);
        good = good && imported.ok();
        std::vector<Error> warnings = imported.ok() ? imported.value().warnings : std::vector<Error>();
        if (imported.ok())
        {
            const std::vector<Error> more = find_pair_warnings(imported.value().model);
            warnings.insert(warnings.end(), more.begin(), more.end());
        }
        if (command.json)
        {
            files.push_back({{"file", file},
                             {"ok", imported.ok()},
                             {"errors", errors_json(imported.errors())},
                             {"warnings", errors_json(warnings)}});
            continue;
        }
        print_problems("error", Style::bad, imported.errors());
        print_problems("warning", Style::faint, warnings);
        if (imported.ok())
        {
            const Model& model = imported.value().model;
            say("{}: {}, {} bodies, {} dof, {} warning{}\n", file, paint("fine", Style::good), model.body_count() - 1,
                model.v_count(), warnings.size(), warnings.size() == 1 ? "" : "s");
        }
        else
        {
            const std::size_t count = imported.errors().size();
            say("{}: {}\n", file, paint(fmt::format("{} error{}", count, count == 1 ? "" : "s"), Style::bad));
        }
    }
    if (command.json) print_json({{"ok", good}, {"files", files}});
    return good ? 0 : 2;
}

}  // namespace rattleback::cli
