// Any bytes as a PNG file: a picture within the limit, or what is wrong.
#include "fuzz/fuzz.h"
#include "import/images/png.h"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    using namespace rattleback;
    constexpr std::uint64_t kMost = 1 << 16;
    const Result<GreyImage> image = parse_png(as_bytes(data, size), "hills.png", kMost);
    require_explained(image, true);
    if (!image) return 0;
    const GreyImage& found = image.value();
    require(found.width > 0 && found.height > 0, "a picture has pixels");
    require(found.pixels.size() == static_cast<std::size_t>(found.width) * static_cast<std::size_t>(found.height),
            "as many as it says");
    require(found.pixels.size() <= kMost, "no more than allowed");
    return 0;
}
