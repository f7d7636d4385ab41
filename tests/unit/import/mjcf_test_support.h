// Shared by the MJCF tests: parsing a text, and looking for an error.
#pragma once

#include <gtest/gtest.h>
#include <rattleback/import.h>

#include <filesystem>
#include <fstream>
#include <string>

namespace rattleback
{

/// The model of a text that must be good.
inline Model parse_good(const std::string& text)
{
    const Result<Imported> result = parse_mjcf(text, "test.xml", ".");
    EXPECT_TRUE(result.ok()) << to_text(result.errors());
    return result.ok() ? result.value().model : Model{};
}

/// The model of what stands in the world.
inline Model parse_world(const std::string& world)
{
    return parse_good("<mujoco><worldbody>" + world + "</worldbody></mujoco>");
}

inline std::vector<Error> parse_bad(const std::string& text, const ImportOptions& options = {})
{
    const Result<Imported> result = parse_mjcf(text, "test.xml", ".", options);
    EXPECT_FALSE(result.ok());
    return result.errors();
}

/// Is there an error at that place whose text contains `words`?
inline bool has_error(const std::vector<Error>& errors, const std::string& where, const std::string& words)
{
    for (const Error& error : errors)
    {
        if (error.where == where && error.text().find(words) != std::string::npos) return true;
    }
    return false;
}

/// A folder that is removed with its contents.
class TemporaryFolder
{
public:
    TemporaryFolder()
    {
        std::string name = (std::filesystem::temp_directory_path() / "rattleback test XXXXXX").string();
        path_ = ::mkdtemp(name.data());
    }
    ~TemporaryFolder()
    {
        std::error_code code;
        std::filesystem::remove_all(path_, code);
    }
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;

    std::filesystem::path write(const std::string& name, const std::string& text) const
    {
        const std::filesystem::path path = path_ / name;
        std::filesystem::create_directories(path.parent_path());
        std::ofstream(path, std::ios::binary) << text;
        return path;
    }
    const std::filesystem::path& path() const { return path_; }

private:
    std::filesystem::path path_;
};

}  // namespace rattleback
