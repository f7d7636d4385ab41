// Three bytes are four letters of six bits each.
#include "import/document/base64.h"

#include <cstdint>

namespace rattleback
{

namespace
{

constexpr std::string_view kLetters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

}  // namespace

std::string write_base64(std::span<const std::byte> bytes)
{
    std::string text;
    text.reserve((bytes.size() + 2) / 3 * 4);
    for (std::size_t i = 0; i < bytes.size(); i += 3)
    {
        const std::size_t count = bytes.size() - i < 3 ? bytes.size() - i : 3;
        std::uint32_t bits = 0;
        for (std::size_t k = 0; k < 3; ++k)
            bits = bits << 8 | (k < count ? std::to_integer<std::uint32_t>(bytes[i + k]) : 0);
        // A rest of one or two bytes needs two or three letters; "=" fills up.
        for (std::size_t k = 0; k < 4; ++k) text += k <= count ? kLetters[bits >> (18 - 6 * k) & 63] : '=';
    }
    return text;
}

bool read_base64(std::string_view text, std::vector<std::byte>& bytes)
{
    bytes.clear();
    if (text.size() % 4 != 0) return false;
    bytes.reserve(text.size() / 4 * 3);
    for (std::size_t i = 0; i < text.size(); i += 4)
    {
        const bool last = i + 4 == text.size();
        const std::size_t count = !last || text[i + 3] != '=' ? 4 : text[i + 2] != '=' ? 3 : 2;
        std::uint32_t bits = 0;
        for (std::size_t k = 0; k < 4; ++k)
        {
            const std::size_t letter = k < count ? kLetters.find(text[i + k]) : 0;
            if (letter == kLetters.npos) return false;
            bits = bits << 6 | static_cast<std::uint32_t>(letter);
        }
        for (std::size_t k = 0; k + 1 < count; ++k) bytes.push_back(static_cast<std::byte>(bits >> (16 - 8 * k) & 255));
    }
    return true;
}

}  // namespace rattleback
