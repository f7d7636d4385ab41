// PNG files as arrays: pictures come from the command line's rasteriser as files.
#include "arrays.h"

#include <png.h>

namespace rattleback::python
{

namespace
{

/// (height, width, 3) of a PNG file.
nb::object decode_png(const nb::bytes& bytes)
{
    png_image image{};
    image.version = PNG_IMAGE_VERSION;
    if (png_image_begin_read_from_memory(&image, bytes.c_str(), bytes.size()) == 0)
        throw nb::value_error((std::string("decode_png: ") + image.message).c_str());
    image.format = PNG_FORMAT_RGB;
    if (image.width > 16384 || image.height > 16384)
    {
        png_image_free(&image);
        throw nb::value_error("decode_png: the picture is larger than 16384 pixels");
    }
    std::vector<unsigned char> pixels(PNG_IMAGE_SIZE(image));
    if (png_image_finish_read(&image, nullptr, pixels.data(), 0, nullptr) == 0)
        throw nb::value_error((std::string("decode_png: ") + image.message).c_str());
    const std::int64_t shape[3] = {image.height, image.width, 3};
    return make_bytes_array(std::move(pixels), shape);
}

}  // namespace

void bind_picture(nb::module_& module)
{
    module.def("decode_png", &decode_png, nb::arg("bytes"),
               nb::sig("def decode_png(bytes: bytes) -> numpy.typing.NDArray[numpy.uint8]"),
               "Red, green and blue of a PNG file, (height, width, 3).");
}

}  // namespace rattleback::python
