// Escapes and quotes against what their grammars say, and numbers that read back.
#include "base/text.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <limits>
#include <vector>

namespace rattleback
{
namespace
{

TEST(Text, characters_are_found_where_utf8_is_valid)
{
    EXPECT_EQ(find_character("").size, 0U);
    EXPECT_EQ(find_character("A").point, U'A');
    EXPECT_EQ(find_character("\xC3\xA9").point, U'\u00E9');
    EXPECT_EQ(find_character("\xE2\x82\xAC").point, U'\u20AC');
    EXPECT_EQ(find_character("\xEF\xBF\xBD").size, 3U) << "U+FFFD itself is valid";
    EXPECT_EQ(find_character("\xF0\x9F\x98\x80").point, U'\U0001F600');
    // no first byte, cut short, no second byte, too long, surrogate, beyond the last plane
    for (const char* bad : {"\x80", "\xE2\x82", "\xC3(", "\xC0\xAF", "\xE0\x80\x80", "\xF0\x80\x80\x80", "\xED\xA0\x80",
                            "\xF4\x90\x80\x80", "\xFF"})
        EXPECT_EQ(find_character(bad).size, 0U);
    EXPECT_EQ(decode_utf8("a\xE2\x82z"), U"a\uFFFD\uFFFDz") << "each bad byte by itself";
}

TEST(Text, json_strings_escape_what_json_does_not_allow)
{
    EXPECT_EQ(to_json_string("a\"b\\c\n\x01\xC3\xA9"), "\"a\\\"b\\\\c\\u000a\\u0001\xC3\xA9\"");
    EXPECT_EQ(to_json_string("\xFF"), "\"\xEF\xBF\xBD\"");
}

TEST(Text, markup_keeps_its_meaning_between_tags_and_in_quotes)
{
    EXPECT_EQ(escape_markup("a<b>&\"it's\""), "a&lt;b&gt;&amp;&quot;it's&quot;");
    EXPECT_EQ(escape_markup("\"it's\"", '\''), "\"it&apos;s\"");
    EXPECT_EQ(escape_markup("a\nb\tc\x01"), "a&#10;b&#9;c ");
}

TEST(Text, csv_fields_are_quoted_where_they_would_break_the_line)
{
    EXPECT_EQ(to_csv_field("knee.x"), "knee.x");
    EXPECT_EQ(to_csv_field("a,b"), "\"a,b\"");
    EXPECT_EQ(to_csv_field("say \"so\""), "\"say \"\"so\"\"\"");
    EXPECT_EQ(to_csv_field("two\nlines"), "\"two\nlines\"");
}

TEST(Text, numbers_read_back_as_the_same_bits)
{
    for (const double value : {0.1, 1.0 / 3, 5e-324, std::numeric_limits<double>::max(), -0.0, 1e22, 123456789.0})
    {
        const std::string text = to_shortest(value);
        const double back = std::strtod(text.c_str(), nullptr);
        EXPECT_EQ(back, value);
        EXPECT_EQ(std::signbit(back), std::signbit(value));
    }
    EXPECT_EQ(to_shortest(0.1), "0.1");
    EXPECT_EQ(to_shortest(std::numeric_limits<double>::infinity()), "inf");
    std::string text = "x=";
    append_number(text, -2.5);
    EXPECT_EQ(text, "x=-2.5");
}

TEST(Text, base64_is_that_of_the_standard)
{
    const auto encode = [](std::string_view text) { return to_base64(std::as_bytes(std::span(text))); };
    // the test vectors of RFC 4648
    EXPECT_EQ(encode(""), "");
    EXPECT_EQ(encode("f"), "Zg==");
    EXPECT_EQ(encode("fo"), "Zm8=");
    EXPECT_EQ(encode("foo"), "Zm9v");
    EXPECT_EQ(encode("foob"), "Zm9vYg==");
    EXPECT_EQ(encode("fooba"), "Zm9vYmE=");
    EXPECT_EQ(encode("foobar"), "Zm9vYmFy");
    const auto decode = [](std::string_view text) -> std::string
    {
        std::vector<std::byte> bytes;
        if (!read_base64(text, bytes)) return "refused";
        std::string read;
        for (const std::byte byte : bytes) read += static_cast<char>(byte);
        return read;
    };
    for (const char* text : {"", "f", "fo", "foo", "foob", "fooba", "foobar", "\xfb\xff\xfe"})
        EXPECT_EQ(decode(encode(text)), text);
    EXPECT_EQ(decode("-__-"), "\xfb\xff\xfe");
    EXPECT_EQ(decode("Zm8"), "fo");
    for (const char* text : {"Z", "Zg=", "Zm9v=", "Zg==Zg==", "Zm 8", "===="})
        EXPECT_EQ(decode(text), "refused") << text;
}

}  // namespace
}  // namespace rattleback
