// Reads the XML of a model and of what it includes into checked elements.
#pragma once

#include <filesystem>
#include <string_view>

#include "import/mjcf/element.h"

namespace rattleback::mjcf
{

/// What bounds and guards the reading of one model and its parts.
struct Source
{
    const ImportOptions* options = nullptr;
    std::filesystem::path folder;  ///< of the model that is being read
    std::filesystem::path root;    ///< nothing outside it is read, unless allowed
    std::size_t bytes_left = 0;    ///< that meshes may still take
    int elements = 0;              ///< so far, copies included
    int next_id = 1;               ///< of elements
    int model_depth = 0;           ///< of attached models that attach others
};

/// The `mujoco` element of a text with includes put in place; nothing when the log has new errors that leave no tree.
std::optional<Element> read_text(std::string_view text, const std::string& name, Source& source, Log& log);

/// The same from a file; `place` is where it was asked for.
std::optional<Element> read_file(const std::filesystem::path& path, const Place& place, Source& source, Log& log);

/// The path of a file that a model in `folder` names, if it may be read.
std::optional<std::filesystem::path> find_path(const std::filesystem::path& folder, const std::filesystem::path& file,
                                               const Place& place, const Source& source, Log& log);

/// The bytes of a file, or an error.
Result<std::string> read_bytes(const std::filesystem::path& path, std::size_t limit);

}  // namespace rattleback::mjcf
