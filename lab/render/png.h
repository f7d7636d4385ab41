// Images as PNG files (ISO/IEC 15948).
#pragma once

#include "lab/render/image.h"

#include <rattleback/error.h>

#include <filesystem>

namespace rattleback::lab
{

/// The whole file: 8 bits per channel, no time stamp, so that equal images give equal bytes.
std::vector<std::byte> to_png(const Image& image);

/// Writes beside `path`, then renames.
Status write_png(const Image& image, const std::filesystem::path& path);

}  // namespace rattleback::lab
