// The viewer's server: one page and its new frames, for this machine only.
#pragma once

#include "view_page.h"

namespace rattleback::cli
{

struct ServeOptions
{
    std::vector<std::string> files;   ///< recordings, perhaps still being written
    std::vector<std::string> labels;  ///< [file]
    int port = 0;                     ///< 0: any that is free
    std::int64_t stride = 0;          ///< see ViewRunOptions
};
/// Serves until the process is ended. Errors: the port is taken.
std::vector<Error> serve(const ServeOptions& options);

}  // namespace rattleback::cli
