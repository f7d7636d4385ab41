// Where public models for comparison lie, and the rule for scenes that are such files: a row bears the name of what was
// measured, and bars are for the public file.
#pragma once

#include "lab/measure/figure.h"

#include <rattleback/model.h>

#include <filesystem>
#include <functional>
#include <optional>
#include <string>

namespace rattleback::lab
{

/// $RATTLEBACK_DATA, else shared/data beside the repository.
std::filesystem::path find_data_folder();

/// A scene of a bench.
struct PublicScene
{
    const char* title;     ///< of the public file
    const char* path;      ///< below the data folder; "": the scene is ours, and `title` is its name
    const char* stand_in;  ///< name of what `build` makes where the file is not here; null: then nothing is measured
    Result<Model> (*build)() = nullptr;
};

/// What there is to measure.
struct FoundScene
{
    std::string title;                          ///< of this model
    std::optional<std::filesystem::path> file;  ///< nothing: the model of ours
};

/// Calls `measure` with the file, or where it is not here with the model of ours under its own name: what `measure`
/// adds then has no bar. A note says what is missing.
void measure_public_scene(const PublicScene& scene, BenchReport& report,
                          const std::function<void(const FoundScene&)>& measure);

}  // namespace rattleback::lab
