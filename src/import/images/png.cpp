// Drives libpng, which reports errors by jumping: nothing that needs destroying lives in the functions it may leave.
#include "import/images/png.h"

#include <png.h>

#include <cstring>

namespace rattleback
{

namespace
{

constexpr png_uint_32 kMaxSide = 1 << 16;
constexpr png_alloc_size_t kMaxChunk = std::size_t{1} << 20;  // of colour profiles, texts and the like [bytes]

/// What libpng's callbacks share with the decoder.
struct PngInput
{
    std::span<const std::byte> rest;
    char message[120] = {};
    png_uint_32 width = 0, height = 0;
};

void read_bytes(png_structp png, png_bytep target, png_size_t count)
{
    auto& input = *static_cast<PngInput*>(png_get_io_ptr(png));
    if (count > input.rest.size()) png_error(png, "the file ends too early");
    std::memcpy(target, input.rest.data(), count);
    input.rest = input.rest.subspan(count);
}

[[noreturn]] void keep_error(png_structp png, png_const_charp message)
{
    auto& input = *static_cast<PngInput*>(png_get_error_ptr(png));
    std::strncpy(input.message, message, sizeof input.message - 1);
    png_longjmp(png, 1);
}

void pass_over_warning(png_structp, png_const_charp) {}

/// Reads all up to the pixels, and asks for bytes of red or grey; false: libpng gave up.
bool read_header(png_structp png, png_infop info, PngInput& input)
{
    if (setjmp(png_jmpbuf(png)) != 0) return false;
    png_set_user_limits(png, kMaxSide, kMaxSide);
    png_set_chunk_malloc_max(png, kMaxChunk);
    png_set_chunk_cache_max(png, 16);
    png_set_read_fn(png, &input, &read_bytes);
    png_read_info(png, info);
    input.width = png_get_image_width(png, info);
    input.height = png_get_image_height(png, info);
    png_set_palette_to_rgb(png);
    png_set_expand_gray_1_2_4_to_8(png);
    png_set_strip_16(png);
    png_set_strip_alpha(png);
    png_set_interlace_handling(png);
    png_read_update_info(png, info);
    return true;
}

bool read_rows(png_structp png, png_bytepp rows)
{
    if (setjmp(png_jmpbuf(png)) != 0) return false;
    png_read_image(png, rows);
    png_read_end(png, nullptr);
    return true;
}

/// libpng's two objects, freed together.
struct PngReader
{
    explicit PngReader(PngInput& input)
        : png(png_create_read_struct(PNG_LIBPNG_VER_STRING, &input, &keep_error, &pass_over_warning)),
          info(png != nullptr ? png_create_info_struct(png) : nullptr)
    {
    }
    ~PngReader() { png_destroy_read_struct(&png, &info, nullptr); }
    PngReader(const PngReader&) = delete;
    PngReader& operator=(const PngReader&) = delete;

    png_structp png;
    png_infop info;
};

/// Rows as libpng gives them, with one byte for grey and three for colours.
struct PngRows
{
    int width = 0, height = 0;
    std::size_t row_bytes = 0, channels = 0;
    std::vector<png_byte> data;
};

Result<PngRows> decode(std::span<const std::byte> bytes, const std::string& name, std::uint64_t max_pixels)
{
    PngInput input{.rest = bytes};
    const auto refuse = [&](const std::string& message, ErrorCode code) { return Error{code, name, message, {}}; };
    const PngReader reader(input);
    if (reader.info == nullptr) return refuse("the PNG reader could not start", ErrorCode::limit);
    if (!read_header(reader.png, reader.info, input))
        return refuse(std::string("not a good PNG file: ") + input.message, ErrorCode::syntax);
    const std::uint64_t count = std::uint64_t{input.width} * input.height;
    if (count > max_pixels)
        return refuse("the picture has " + std::to_string(input.width) + " x " + std::to_string(input.height) +
                          " pixels, more than " + std::to_string(max_pixels),
                      ErrorCode::limit);

    PngRows image{static_cast<int>(input.width), static_cast<int>(input.height),
                  png_get_rowbytes(reader.png, reader.info), png_get_channels(reader.png, reader.info)};
    image.data.resize(image.row_bytes * input.height);
    std::vector<png_bytep> rows(input.height);
    for (std::size_t row = 0; row < rows.size(); ++row) rows[row] = image.data.data() + row * image.row_bytes;
    if (!read_rows(reader.png, rows.data()))
        return refuse(std::string("not a good PNG file: ") + input.message, ErrorCode::syntax);
    return image;
}

/// visit(pixel's first byte) row by row.
template <class Visit>
void visit_pixels(const PngRows& image, const Visit& visit)
{
    for (std::size_t row = 0; row < static_cast<std::size_t>(image.height); ++row)
    {
        const png_byte* line = image.data.data() + row * image.row_bytes;
        for (std::size_t column = 0; column < static_cast<std::size_t>(image.width); ++column)
            visit(line + column * image.channels);
    }
}

}  // namespace

Result<GreyImage> parse_png(std::span<const std::byte> bytes, const std::string& name, std::uint64_t max_pixels)
{
    const Result<PngRows> rows = decode(bytes, name, max_pixels);
    if (!rows) return rows.errors();
    GreyImage image{rows->width, rows->height, {}};
    image.pixels.reserve(static_cast<std::size_t>(rows->width) * static_cast<std::size_t>(rows->height));
    visit_pixels(rows.value(), [&](const png_byte* pixel) { image.pixels.push_back(pixel[0]); });
    return image;
}

Result<ColourImage> parse_png_colours(std::span<const std::byte> bytes, const std::string& name,
                                      std::uint64_t max_pixels)
{
    const Result<PngRows> rows = decode(bytes, name, max_pixels);
    if (!rows) return rows.errors();
    ColourImage image{rows->width, rows->height, {}};
    image.pixels.reserve(static_cast<std::size_t>(rows->width) * static_cast<std::size_t>(rows->height));
    const std::size_t green = rows->channels >= 3 ? 1 : 0, blue = 2 * green;
    visit_pixels(rows.value(),
                 [&](const png_byte* pixel) { image.pixels.push_back({pixel[0], pixel[green], pixel[blue]}); });
    return image;
}

Result<PngSize> read_png_size(std::span<const std::byte> bytes, const std::string& name)
{
    PngInput input{.rest = bytes};
    const PngReader reader(input);
    if (reader.info == nullptr) return Error{ErrorCode::limit, name, "the PNG reader could not start", {}};
    if (!read_header(reader.png, reader.info, input))
        return Error{ErrorCode::syntax, name, std::string("not a good PNG file: ") + input.message, {}};
    return PngSize{static_cast<int>(input.width), static_cast<int>(input.height)};
}

}  // namespace rattleback
