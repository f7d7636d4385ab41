// A text in a file of its own, for readers that take paths.
#pragma once

#include <unistd.h>

#include <atomic>
#include <filesystem>
#include <fstream>
#include <string>

namespace rattleback
{

/// Written at construction, gone with this object.
class ModelFile
{
public:
    explicit ModelFile(const std::string& text) : path_(std::filesystem::temp_directory_path() / make_name())
    {
        std::ofstream(path_) << text;
    }
    ~ModelFile() { std::filesystem::remove(path_); }
    ModelFile(const ModelFile&) = delete;
    ModelFile& operator=(const ModelFile&) = delete;

    std::string path() const { return path_.string(); }

private:
    static std::string make_name()
    {
        static std::atomic<int> count = 0;
        return "rattleback_" + std::to_string(getpid()) + "_" + std::to_string(count++) + ".xml";
    }

    std::filesystem::path path_;
};

/// Without what only we read there: the order of elements is then MuJoCo's.
inline std::string drop_custom(std::string text)
{
    const std::size_t begin = text.find("<custom>"), end = text.find("</custom>");
    if (begin != std::string::npos) text.erase(begin, end + std::string("</custom>").size() - begin);
    return text;
}

}  // namespace rattleback
