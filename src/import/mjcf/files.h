// The files of a model: which may be read, and their bytes.
#pragma once

#include <rattleback/import.h>

#include <optional>

#include "import/xml/log.h"

namespace rattleback::mjcf
{

/// What bounds and guards the reading of one model and its parts.
struct Source
{
    const ImportOptions* options = nullptr;
    std::filesystem::path folder;                         ///< of the model that is being read
    std::filesystem::path root;                           ///< nothing outside it is read, unless allowed
    std::size_t bytes_left = 0;                           ///< that meshes and textures may still take
    std::size_t copy_bytes_left = 0;                      ///< that replicas and attachments may still take
    int elements = 0;                                     ///< so far, copies included
    int next_id = 1;                                      ///< of elements
    int model_depth = 0;                                  ///< of attached models that attach others
    std::vector<std::filesystem::path> open_models = {};  ///< that are being read, the main file first
};

/// The path of a file that a model in `folder` names, if it may be read.
std::optional<std::filesystem::path> find_path(const std::filesystem::path& folder, const std::filesystem::path& file,
                                               const SourceLocation& location, const Source& source, Log& log);

/// The folder in which a file is that an element names: `folder`, unless it is only beside the file of the element
/// (`location`), which another one may have included.
std::filesystem::path find_folder(const std::filesystem::path& folder, const std::filesystem::path& file,
                                  const SourceLocation& location);

/// The bytes of a file, or an error.
Result<std::string> read_bytes(const std::filesystem::path& path, std::size_t limit);

}  // namespace rattleback::mjcf
