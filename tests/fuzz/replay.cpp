// Feeds the files of folders to a fuzz target, for builds without libFuzzer: the odd inputs once found stay tested.
#include "fuzz/fuzz.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <vector>

int main(int argument_count, char** arguments)
{
    std::vector<std::filesystem::path> files;
    for (int i = 1; i < argument_count; ++i)
    {
        if (!std::filesystem::is_directory(arguments[i])) continue;  // nothing was found for this target so far
        for (const auto& entry : std::filesystem::directory_iterator(arguments[i])) files.push_back(entry.path());
    }
    std::sort(files.begin(), files.end());
    for (const std::filesystem::path& file : files)
    {
        std::fprintf(stderr, "%s\n", file.c_str());  // the last line names the input that ends the process
        std::ifstream stream(file, std::ios::binary);
        const std::vector<char> bytes((std::istreambuf_iterator<char>(stream)), std::istreambuf_iterator<char>());
        LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size());
    }
    std::printf("%zu inputs\n", files.size());
    return files.empty() ? 1 : 0;
}
