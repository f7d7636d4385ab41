// Public models that tests read where they are, and the names of tests made of them.
#pragma once

#include "support/source_folder.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

namespace rattleback
{

/// $RATTLEBACK_DATA, else shared/data beside the repository.
inline std::filesystem::path find_data()
{
    const char* given = std::getenv("RATTLEBACK_DATA");
    return given != nullptr ? given : source_folder() / ".." / "shared" / "data";
}

/// The public scenes of rigid-IPC, in order; none where the data are not there.
inline std::vector<std::filesystem::path> list_public_scenes()
{
    std::vector<std::filesystem::path> scenes;
    const std::filesystem::path fixtures = find_data() / "rigid-ipc" / "fixtures";
    if (!std::filesystem::exists(fixtures)) return scenes;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(fixtures))
        if (entry.path().extension() == ".json") scenes.push_back(entry.path());
    std::sort(scenes.begin(), scenes.end());
    return scenes;
}

/// The path without its extension, as the name of a test may be.
inline std::string make_title(const std::filesystem::path& path)
{
    std::string title = std::filesystem::path(path).replace_extension().string();
    std::ranges::replace_if(title, [](char c) { return std::isalnum(static_cast<unsigned char>(c)) == 0; }, '_');
    return title;
}

}  // namespace rattleback
