// Where public models for comparison lie.
#pragma once

#include <filesystem>

namespace rattleback::lab
{

/// $RATTLEBACK_DATA, else shared/data beside the repository.
std::filesystem::path find_data_folder();

}  // namespace rattleback::lab
