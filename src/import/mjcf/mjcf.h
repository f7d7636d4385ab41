// The importer of MJCF inside the library: what a file describes, beside the Model that this makes.
#pragma once

#include <rattleback/import.h>

#include "build/authored.h"

namespace rattleback::mjcf
{

struct Reading
{
    Authored authored;
    Model model;
    std::vector<Error> warnings;
};

/// As parse_mjcf.
Result<Reading> read(std::string_view text, const std::string& name, const std::filesystem::path& directory,
                     const ImportOptions& options);

}  // namespace rattleback::mjcf
