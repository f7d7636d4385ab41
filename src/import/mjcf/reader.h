// Reads the XML of a model and of what it includes into checked elements.
#pragma once

#include "import/mjcf/element.h"
#include "import/mjcf/files.h"

namespace rattleback::mjcf
{

/// The `mujoco` element of a text with includes put in place; nothing when the log has new errors that leave no tree.
std::optional<Element> read_text(std::string_view text, const std::string& name, Source& source, Log& log);

/// The same from a file; `location` is where it was asked for.
std::optional<Element> read_file(const std::filesystem::path& path, const SourceLocation& location, Source& source,
                                 Log& log);

}  // namespace rattleback::mjcf
