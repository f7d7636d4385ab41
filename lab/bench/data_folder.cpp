// Finds the folder of public models, and chooses between a file there and the model of ours that stands in for it.
#include "lab/bench/data_folder.h"

#include "lab/measure/measure.h"

#include <fmt/format.h>

#include <cstdlib>
#include <span>

namespace rattleback::lab
{

std::filesystem::path find_data_folder()
{
    if (const char* given = std::getenv("RATTLEBACK_DATA"); given != nullptr) return given;
    std::filesystem::path here = "../shared/data";  // beside the repository
    if (std::filesystem::exists(here)) return here;
    // Programs and tests lie at different depths below the repository.
    for (std::filesystem::path folder = std::filesystem::path(own_program()).parent_path(); folder.has_relative_path();
         folder = folder.parent_path())
    {
        if (here = folder.parent_path() / "shared/data"; std::filesystem::exists(here)) return here;
    }
    return "../shared/data";
}

void measure_public_scene(const PublicScene& scene, BenchReport& report,
                          const std::function<void(const FoundScene&)>& measure)
{
    const bool ours = *scene.path == 0;
    const std::filesystem::path file = ours ? std::filesystem::path() : find_data_folder() / scene.path;
    if (ours || std::filesystem::exists(file)) return measure({scene.title, ours ? std::nullopt : std::optional(file)});
    if (scene.stand_in == nullptr)
        return report.notes.push_back(
            fmt::format("{} is not measured: {} is not here", scene.title, file.generic_string()));
    report.notes.push_back(fmt::format("{} is not measured: {} is not here; {} is, which its bars are not for",
                                       scene.title, file.generic_string(), scene.stand_in));
    const std::size_t begin = report.figures.size();
    measure({scene.stand_in, std::nullopt});
    for (Figure& figure : std::span(report.figures).subspan(begin)) figure.bar = figure.aim = std::nullopt;
}

}  // namespace rattleback::lab
