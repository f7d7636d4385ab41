// Built-in textures, pixel by pixel, as MuJoCo compiles them.
#include "base/index.h"
#include "external/field_match.h"
#include "lab/render/texture.h"

#include <rattleback/import.h>

namespace rattleback
{
namespace
{

/// Every pattern with every mark, flat and around a cube, of even and odd sizes, in colours that are no whole bytes.
std::string write_textures()
{
    const std::string colours = "' rgb1='.3 .52 .7' rgb2='.91 .17 .06' markrgb='.8 .45 1' random='.07' ";
    std::string text;
    for (const std::string type : {"2d", "cube", "skybox"})
    {
        for (const std::string pattern : {"flat", "checker", "gradient"})
        {
            for (const std::string mark : {"none", "edge", "cross", "random"})
            {
                // (A gradient over a single pixel is 0 / 0 in MuJoCo.)
                for (const int width : {pattern == "gradient" ? 2 : 1, 32, 37})
                {
                    const int height = type == "2d" ? width / 2 + 3 : 6 * width;
                    text += "<texture name='" + type + pattern + mark + std::to_string(width) + "' type='" + type +
                            "' builtin='" + pattern + "' mark='" + mark + colours + "width='" + std::to_string(width) +
                            "' height='" + std::to_string(height) + "'/>";
                }
            }
        }
    }
    return "<mujoco><asset>" + text + "</asset></mujoco>";
}

/// Bytes of a texture as MuJoCo lists them: row by row, the sides of a cube one below the other.
std::vector<double> list_bytes(const lab::TextureImage& image)
{
    std::vector<double> bytes;
    for (int side = 0; side < (image.is_cube() ? 6 : 1); ++side)
    {
        const lab::Pyramid& picture = image.side(side);
        for (int row = 0; row < picture.height(); ++row)
        {
            for (int column = 0; column < picture.width(); ++column)
            {
                const lab::Pyramid::Pixel& pixel = picture.pixel(column, row);
                bytes.insert(bytes.end(), pixel.begin(), pixel.end());
            }
        }
    }
    return bytes;
}

TEST(TextureMatch, patterns_and_marks_are_those_of_mujoco_to_the_pixel)
{
    SKIP_WITHOUT_MUJOCO();
    const std::string text = write_textures();
    const Result<Imported> imported = parse_mjcf(text, "textures", ".");
    ASSERT_TRUE(imported.ok()) << to_text(imported.errors());
    const Result<lab::Oracle> oracle = lab::Oracle::load_text(text);
    ASSERT_TRUE(oracle.ok()) << to_text(oracle.errors());
    const std::vector<double> data = oracle->field("tex_data").value(), begin = oracle->field("tex_adr").value();
    const std::vector<TextureOptions>& textures = imported.value().model.appearance.textures;
    ASSERT_EQ(textures.size(), begin.size());
    for (std::size_t i = 0; i < textures.size(); ++i)
    {
        const Result<lab::TextureImage> image = lab::TextureImage::make(textures[i]);
        ASSERT_TRUE(image.ok()) << to_text(image.errors());
        const std::vector<double> ours = list_bytes(image.value());
        const std::size_t first = static_cast<std::size_t>(begin[i]);
        ASSERT_LE(first + ours.size(), i + 1 < begin.size() ? static_cast<std::size_t>(begin[i + 1]) : data.size());
        int different = 0;
        for (std::size_t k = 0; k < ours.size(); ++k) different += ours[k] != data[first + k] ? 1 : 0;
        EXPECT_EQ(different, 0) << textures[i].name << ": bytes of " << ours.size();
    }
}

}  // namespace
}  // namespace rattleback
