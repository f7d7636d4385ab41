// PNG: grey values of every kind of picture, as heights, and files that lie.
#include "import/images/png.h"

#include "mjcf_test_support.h"
#include "support/make_png.h"

namespace rattleback
{
namespace
{

Result<GreyImage> read_png(const std::string& bytes, std::uint64_t most = 1000)
{
    return parse_png(std::as_bytes(std::span(bytes)), "x.png", most);
}

std::vector<std::uint8_t> read_pixels(const std::string& bytes)
{
    const Result<GreyImage> image = read_png(bytes);
    EXPECT_TRUE(image) << to_text(image.errors());
    return image ? image->pixels : std::vector<std::uint8_t>();
}

TEST(Png, grey_colour_and_deep_pictures_give_bytes)
{
    using Bytes = std::vector<std::uint8_t>;
    EXPECT_EQ(read_pixels(make_png(3, "\x01\x80\xff\x02\x03\x04", 3)), (Bytes{1, 128, 255, 2, 3, 4}));
    EXPECT_EQ(read_pixels(make_png(2, "\x10\x20\x30\x40\x50\x60", 6, 2)), (Bytes{0x10, 0x40})) << "red counts";
    EXPECT_EQ(read_pixels(make_png(1, "\x10\x20\x30\x40", 4, 6)), (Bytes{0x10})) << "transparency does not";
    EXPECT_EQ(read_pixels(make_png(2, "\x12\x34\xab\xcd", 4, 0, 16)), (Bytes{0x12, 0xab})) << "of 16 bits the upper 8";
    EXPECT_EQ(read_pixels(make_png(8, "\xa5", 1, 0, 1)), (Bytes{255, 0, 255, 0, 0, 255, 0, 255})) << "black and white";
}

TEST(Png, files_that_lie_are_refused)
{
    const std::string good = make_png(3, "\x01\x80\xff\x02\x03\x04", 3);
    const auto fault = [](const std::string& bytes) { return to_text(read_png(bytes).errors()); };
    EXPECT_NE(fault("").find("too early"), std::string::npos);
    EXPECT_NE(fault(good.substr(0, 40)).find("too early"), std::string::npos);
    EXPECT_NE(fault("GIF89a, or so it says").find("not a good PNG"), std::string::npos);
    EXPECT_NE(fault(make_png(3, "\x01\x80\xff", 3, 0, 8, 60'000)).find("more than 1000"), std::string::npos);
    EXPECT_NE(fault(make_png(3, "\x01\x80\xff", 3, 0, 8, 2'000'000'000)).find("not a good PNG"), std::string::npos);
    EXPECT_NE(fault(make_png(3, "\x01\x80\xff", 3, 0, 8, 100)).find("not a good PNG"), std::string::npos)
        << "rows that are not there";
    std::string torn = good;
    torn[20] = '\x09';  // the header no longer fits its checksum
    EXPECT_NE(fault(torn).find("not a good PNG"), std::string::npos);
    EXPECT_EQ(read_png(good, 5).errors().front().code, ErrorCode::limit);
}

TEST(Png, a_height_field_has_the_top_row_at_the_largest_y)
{
    const TemporaryFolder folder;
    folder.write("hills.png", make_png(2, std::string("\x00\x33\xff\x66\x99\xcc", 6), 2));
    const Result<Imported> imported = parse_mjcf(
        "<mujoco><asset><hfield name=\"h\" file=\"hills.png\" size=\"1 2 5 0.1\"/></asset><worldbody><geom "
        "type=\"hfield\" hfield=\"h\"/></worldbody></mujoco>",
        "m.xml", folder.path());
    ASSERT_TRUE(imported) << to_text(imported.errors());
    const HeightFieldOptions& field = imported->model.height_fields.at(0);
    EXPECT_EQ(field.rows, 3);
    EXPECT_EQ(field.columns, 2);
    const std::vector<double> expected{0x99, 0xcc, 0xff, 0x66, 0x00, 0x33};
    for (std::size_t i = 0; i < expected.size(); ++i) EXPECT_NEAR(field.heights[i], 5 * expected[i] / 255, 1e-6) << i;
}

TEST(Png, a_bad_height_field_is_named_at_its_attribute)
{
    const TemporaryFolder folder;
    folder.write("hills.png", "no picture");
    const auto errors = parse_mjcf(
                            "<mujoco><asset>\n<hfield name=\"h\" file=\"hills.png\" size=\"1 2 5 0.1\"/></asset>"
                            "<worldbody><geom type=\"hfield\" hfield=\"h\"/></worldbody></mujoco>",
                            "m.xml", folder.path())
                            .errors();
    EXPECT_TRUE(has_error(errors, "m.xml:2:18", "not a good PNG")) << to_text(errors);
    EXPECT_EQ(errors.size(), 1U) << "the geom has no mistake: " << to_text(errors);
}

}  // namespace
}  // namespace rattleback
