// Files that are whole or not there.
#include "base/file.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>
#include <iterator>

namespace rattleback
{
namespace
{

/// A folder of its own, removed with what is in it.
class Files : public testing::Test
{
protected:
    Files() { std::filesystem::create_directories(folder_); }
    ~Files() override { std::filesystem::remove_all(folder_); }

    static std::string read(const std::filesystem::path& path)
    {
        std::ifstream stream(path, std::ios::binary);
        return {std::istreambuf_iterator<char>(stream), {}};
    }
    std::ptrdiff_t count() const
    {
        return std::distance(std::filesystem::directory_iterator(folder_), std::filesystem::directory_iterator());
    }

    std::filesystem::path folder_ =
        std::filesystem::temp_directory_path() / ("rattleback_files_" + std::to_string(::getpid()));
};

TEST_F(Files, a_file_appears_whole_and_replaces_the_old_one)
{
    const std::filesystem::path path = folder_ / "a.txt";
    ASSERT_TRUE(write_file(path, "old").ok());
    NewFile file = NewFile::open(path).value();
    ASSERT_TRUE(file.write("half").ok());
    EXPECT_EQ(read(path), "old") << "until it is finished";
    ASSERT_TRUE(file.write(" and half").ok());
    ASSERT_TRUE(file.finish().ok());
    EXPECT_EQ(read(path), "half and half");
    EXPECT_EQ(count(), 1) << "nothing beside it";
}

TEST_F(Files, what_is_not_finished_leaves_nothing_behind)
{
    {
        NewFile file = NewFile::open(folder_ / "a.txt").value();
        ASSERT_TRUE(file.write("half").ok());
        EXPECT_EQ(count(), 1) << "beside its place";
    }
    EXPECT_EQ(count(), 0);
}

TEST_F(Files, a_folder_takes_the_place_of_an_empty_one_but_of_no_other)
{
    const std::filesystem::path path = folder_ / "frames", temporary = make_temporary_path(path);
    std::filesystem::create_directory(path);
    std::filesystem::create_directory(temporary);
    ASSERT_TRUE(write_file(temporary / "0.txt", "picture").ok());
    ASSERT_TRUE(replace(path, temporary).ok());
    EXPECT_EQ(read(path / "0.txt"), "picture");
    std::filesystem::create_directory(temporary);
    const Status refused = replace(path, temporary);
    ASSERT_FALSE(refused.ok());
    EXPECT_EQ(refused.errors()[0].code, ErrorCode::io);
    EXPECT_EQ(read(path / "0.txt"), "picture");
}

TEST_F(Files, a_place_that_cannot_be_written_is_an_error_with_the_reason)
{
    const Status written = write_file(folder_ / "missing" / "a.txt", "text");
    ASSERT_FALSE(written.ok());
    EXPECT_EQ(written.errors()[0].message, "cannot be created: No such file or directory");
    EXPECT_FALSE(write_file(folder_, "text").ok()) << "a folder";
}

}  // namespace
}  // namespace rattleback
