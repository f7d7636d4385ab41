// Finds out whether a word means a scene or a file, and opens it.
#include "subject.h"
#include "terminal.h"

#include <rattleback/builder.h>
#include <rattleback/import.h>
#include <rattleback/solver.h>

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>

namespace rattleback::cli
{

namespace
{

constexpr double kFileDuration = 5;  // [s]; most files do not say how long to run them

/// A scene made for a file, with the words that it refers to.
struct FileScene
{
    std::string name, summary, ignore;
    lab::Scene scene;
};

/// Features that solver `smooth` would have to leave out, as its parameter `ignore` takes them.
std::string find_ignored(const Model& model)
{
    std::string list;
    const Result<const SolverInfo*> smooth = find_solver("smooth");
    if (!smooth.ok()) return list;
    const auto& supported = smooth.value()->supports;
    for (const FeatureUse& use : features_used(model))
    {
        if (std::find(supported.begin(), supported.end(), use.feature) != supported.end()) continue;
        list += (list.empty() ? "" : ", ") + std::string(to_string(use.feature));
    }
    return list;
}

Result<Subject> open_file(const std::string& word, const ImportOptions& options)
{
    Result<Imported> imported = load_model(word, options);
    if (!imported.ok()) return imported.errors();
    Imported value = std::move(imported).value();
    const auto file = std::make_shared<FileScene>();
    file->name = word;
    file->summary = fmt::format("model '{}'", value.model.name);
    file->ignore = find_ignored(value.model);
    const double duration = value.duration > 0 ? value.duration : kFileDuration;
    file->scene = {file->name, file->summary, duration, file->ignore, nullptr};
    return Subject{std::shared_ptr<const lab::Scene>(file, &file->scene),
                   std::make_shared<const Model>(std::move(value.model)), std::move(value.warnings)};
}

}  // namespace

bool is_model_file(const std::string& word)
{
    const std::vector<std::string> extensions = model_extensions();
    const std::string extension = std::filesystem::path(word).extension().generic_string();
    return std::find(extensions.begin(), extensions.end(), extension) != extensions.end();
}

Result<Subject> open_subject(const std::string& word, const ImportOptions& options)
{
    const Result<const lab::Scene*> found = lab::find_scene(word);
    if (!found.ok())
    {
        std::error_code code;
        const bool file = is_model_file(word) || std::filesystem::is_regular_file(word, code);
        if (file) return open_file(word, options);
        std::vector<Error> errors = found.errors();
        errors.back().message += ", nor a model file of that name";
        return errors;
    }
    Result<Model> model = found.value()->build();
    if (!model.ok()) return model.errors();
    std::vector<Error> warnings = find_hull_warnings(model.value());
    return Subject{std::shared_ptr<const lab::Scene>(std::shared_ptr<void>(), found.value()),
                   std::make_shared<const Model>(std::move(model).value()), std::move(warnings)};
}

void print_warnings(const std::vector<Error>& warnings)
{
    for (const Error& warning : warnings) say(stderr, "rattleback: warning: {}\n", warning.text());
}

}  // namespace rattleback::cli
