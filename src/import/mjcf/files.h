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
    std::filesystem::path root;                           ///< of the main file: strict reading stays in it
    std::size_t text_left = 0;                            ///< bytes that texts may still have
    std::size_t bytes_left = 0;                           ///< that meshes and textures may still take
    std::size_t copy_bytes_left = 0;                      ///< that replicas, attachments and keys may still take
    std::size_t generated_left = 0;                       ///< heights, and points of built-in meshes
    std::size_t pixels_left = 0;                          ///< of pictures and patterns
    int elements = 0;                                     ///< so far, copies included
    int copies = 0;                                       ///< of those
    int next_id = 1;                                      ///< of elements
    int model_depth = 0;                                  ///< of attached models that attach others
    std::vector<std::filesystem::path> open_models = {};  ///< that are being read, the main file first
};

/// Says what to do about a file that strict reading refuses.
inline constexpr const char* kStrictHint = "leave strict reading out if you trust the model";

/// Takes so much from what is left; false, and nothing is taken, where there is less.
bool take(std::size_t amount, std::size_t& left);

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
