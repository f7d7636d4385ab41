// Where this repository lies.
#pragma once

#include <filesystem>

namespace rattleback
{

/// The top of the sources that the tests were built from. In one object alone: the others are the same in every clone.
std::filesystem::path source_folder();

}  // namespace rattleback
