// Numbers as text are the same with <charconv> and without.
#include "base/decimal.h"
#include "base/bits.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

namespace rattleback
{
namespace
{

/// Any pattern of bits, powers of ten and two with their neighbours, and what people write.
std::vector<double> make_numbers()
{
    std::vector<double> numbers{0.0,  -0.0, 0.1,  1.0 / 3, 1e5,    123456, 1e15,
                                1e16, 1e21, 1e22, 1e23,    5e-324, 0.001,  1e-4};
    numbers.push_back(std::numeric_limits<double>::infinity());
    numbers.push_back(std::numeric_limits<double>::quiet_NaN());
    numbers.push_back(std::numeric_limits<double>::max());
    for (int e = -300; e <= 300; e += 7)
    {
        for (const double x : {std::pow(10.0, e), std::ldexp(1.0, e)})
            for (const double y : {x, std::nextafter(x, 0.0), std::nextafter(x, 1e308)}) numbers.push_back(-y);
    }
    std::mt19937_64 random(7);
    for (int i = 0; i < 2000; ++i) numbers.push_back(bits_as<double>(random()));
    for (int i = 0; i < 2000; ++i) numbers.push_back(static_cast<double>(random() % 2000001) / 1000 - 1000);
    return numbers;
}

TEST(Decimal, the_plain_functions_write_what_charconv_writes)
{
    for (const double x : make_numbers())
    {
        if (std::isnan(x)) continue;  // its sign is nobody's
        EXPECT_EQ(plain::to_shortest(x), to_shortest(x));
        EXPECT_EQ(plain::to_digits(x, 3), to_digits(x, 3));
    }
}

TEST(Decimal, what_is_written_reads_back_to_the_bit)
{
    for (const double x : make_numbers())
    {
        const std::string text = to_shortest(x);
        for (const auto parse : {parse_double, plain::parse_double})
        {
            double y = 0;
            const auto [end, fault] = parse(text, y);
            EXPECT_EQ(fault, std::errc()) << text;
            EXPECT_EQ(end, text.data() + text.size()) << text;
            EXPECT_TRUE(same_bits(x, y) || (std::isnan(x) && std::isnan(y))) << text;
        }
    }
}

TEST(Decimal, the_plain_functions_read_what_charconv_reads)
{
    for (const std::string_view text : {"",       "-",
                                        "+1",     " 1",
                                        "1 ",     "1.5.2",
                                        ".5",     "5.",
                                        ".",      "-.",
                                        "1e",     "1e+",
                                        "1e5x",   "0x10",
                                        "e5",     "1E-3",
                                        "-7",     "inf",
                                        "-INF",   "infinit",
                                        "nan",    "1e999",
                                        "-1e999", "1,5",
                                        "00012",  "9007199254740993",
                                        "--1"})
    {
        double a = -1, b = -1;
        const auto expected = parse_double(text, a), found = plain::parse_double(text, b);
        EXPECT_EQ(found.ec, expected.ec) << text;
        EXPECT_EQ(found.ptr, expected.ptr) << text;
        EXPECT_TRUE(a == b || (std::isnan(a) && std::isnan(b))) << text;
    }
}

}  // namespace
}  // namespace rattleback
