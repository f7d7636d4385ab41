// The laboratory's scenes: models built by code, found by name, used by tests, benchmarks and the command line.
#pragma once

#include <rattleback/builder.h>

#include <span>
#include <string_view>

namespace rattleback::lab
{

/// One scene. `build` makes it with its standard options.
struct Scene
{
    std::string_view name;
    std::string_view summary;
    double duration = 1;      ///< suggested length of a run [s]
    std::string_view ignore;  ///< features that solver `smooth` must leave out, for example "contact, limits"; or ""
    Result<Model> (*build)() = nullptr;
};

/// All scenes, in the order of the table in scenes.cpp.
std::span<const Scene> all_scenes();

/// The scene of that name, those for `ipc` included (ipc/ipc_scenes.h); an error that names the nearest match
/// otherwise.
Result<const Scene*> find_scene(std::string_view name);

}  // namespace rattleback::lab
