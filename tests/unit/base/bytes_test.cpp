// Bytes and checksums: what is written is read back, and nothing is read past the end.
#include "base/bytes.h"
#include "base/checksum.h"
#include "base/cpu_check.h"
#include "base/timer.h"

#include <gtest/gtest.h>

#include <limits>

namespace rattleback
{

namespace
{

std::uint32_t crc_of(std::string_view text) { return compute_crc32(std::as_bytes(std::span(text))); }

/// One bit at a time, as the polynomial is defined.
std::uint32_t compute_crc32_slowly(std::string_view text)
{
    std::uint32_t crc = 0xFFFFFFFFU;
    for (const char c : text)
    {
        crc ^= static_cast<unsigned char>(c);
        for (int bit = 0; bit < 8; ++bit) crc = (crc & 1) != 0 ? (crc >> 1) ^ 0xEDB88320U : crc >> 1;
    }
    return ~crc;
}

}  // namespace

TEST(Bytes, give_back_what_was_appended)
{
    std::vector<std::byte> bytes;
    append(bytes, std::int32_t{-7});
    append(bytes, 0.1);
    append(bytes, std::vector<double>{1, 2, std::numeric_limits<double>::infinity()});
    append(bytes, std::string_view("hello"));
    append(bytes, std::vector<int>{});

    std::span<const std::byte> rest = bytes;
    std::int32_t number = 0;
    double real = 0;
    std::vector<double> reals;
    std::string text;
    std::vector<int> none{1};
    ASSERT_TRUE(read(rest, number) && read(rest, real) && read(rest, reals) && read(rest, text) && read(rest, none));
    EXPECT_EQ(number, -7);
    EXPECT_EQ(real, 0.1);
    EXPECT_EQ(reals, (std::vector<double>{1, 2, std::numeric_limits<double>::infinity()}));
    EXPECT_EQ(text, "hello");
    EXPECT_TRUE(none.empty());
    EXPECT_TRUE(rest.empty());
}

TEST(Bytes, lie_in_little_endian_order)
{
    std::vector<std::byte> bytes;
    append(bytes, std::uint32_t{0x01020304});
    EXPECT_EQ(bytes, (std::vector<std::byte>{std::byte{4}, std::byte{3}, std::byte{2}, std::byte{1}}));
}

TEST(Bytes, refuse_every_truncation_and_leave_the_input_as_it_was)
{
    std::vector<std::byte> bytes;
    append(bytes, std::vector<double>{1, 2, 3});
    for (std::size_t size = 0; size < bytes.size(); ++size)
    {
        std::span<const std::byte> rest = std::span(bytes).first(size);
        std::vector<double> values;
        EXPECT_FALSE(read(rest, values));
        EXPECT_EQ(rest.size(), size);
        EXPECT_TRUE(values.empty());
    }
}

TEST(Bytes, refuse_a_count_whose_product_with_the_size_overflows)
{
    std::vector<std::byte> bytes;
    append(bytes, std::uint64_t{1} << 61);  // times eight is zero in 64 bits
    append(bytes, 1.0);
    std::span<const std::byte> rest = bytes;
    std::vector<double> values;
    EXPECT_FALSE(read(rest, values));
}

TEST(Checksum, has_the_published_check_value_and_agrees_with_the_bitwise_definition)
{
    EXPECT_EQ(crc_of("123456789"), 0xCBF43926U);  // the catalogue's check value of CRC-32
    EXPECT_EQ(crc_of(""), 0U);
    std::string text;
    for (int length = 0; length < 60; ++length)
    {
        EXPECT_EQ(crc_of(text), compute_crc32_slowly(text)) << length;
        text += static_cast<char>(length * 37 + 11);
    }
}

TEST(Timer, never_runs_backwards)
{
    Timer outer;
    Timer timer;
    double last = 0;
    for (int i = 0; i < 1000; ++i)
    {
        const double now = timer.seconds();
        ASSERT_GE(now, last);
        last = now;
    }
    const double first = timer.restart();
    EXPECT_GE(first, last);
    const double second = timer.seconds();
    EXPECT_LE(first + second, outer.seconds()) << "a restart begins at zero";
}

TEST(CpuCheck, a_build_that_runs_says_that_it_can) { EXPECT_TRUE(cpu_runs_this_build()); }

}  // namespace rattleback
