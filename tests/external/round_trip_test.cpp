// MJCF to Model to MJCF to Model: what `convert` writes is read back as the same Model, and written again as the same.
#include "external/data.h"

#include <rattleback/export.h>
#include <rattleback/import.h>

#include <gtest/gtest.h>

namespace rattleback
{
namespace
{

/// The most that one file may take here; larger ones are a matter of seconds each and tell nothing new.
constexpr std::uintmax_t kLargestText = 20'000'000;

TEST(RoundTrip, long_every_published_file_that_loads_comes_back_with_its_fingerprint)
{
    const std::filesystem::path folder = find_data() / "mjcf";
    if (!std::filesystem::exists(folder)) GTEST_SKIP() << folder << " is not here: set RATTLEBACK_DATA";
    int count = 0;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder))
    {
        if (entry.path().extension() != ".xml") continue;
        SCOPED_TRACE(entry.path().string());
        const Result<Imported> first = load_mjcf(entry.path());
        if (!first.ok()) continue;
        const Result<std::string> text = write_mjcf(first.value().model);
        ASSERT_TRUE(text.ok()) << to_text(text.errors());
        if (text.value().size() > kLargestText) continue;
        const Result<Imported> second = parse_mjcf(text.value(), "written", ".");
        ASSERT_TRUE(second.ok()) << to_text(second.errors());
        EXPECT_EQ(fingerprint(second.value().model), fingerprint(first.value().model));
        const Result<std::string> again = write_mjcf(second.value().model);
        ASSERT_TRUE(again.ok()) << to_text(again.errors());
        EXPECT_EQ(again.value() == text.value(), true) << "written again it is another text";
        ++count;
    }
    EXPECT_GE(count, 45);  // of 66: those that do not load and large ones are passed over
}

}  // namespace
}  // namespace rattleback
