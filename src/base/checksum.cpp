// CRC-32, eight bytes at a time.
#include "base/checksum.h"

#include <array>

namespace rattleback
{

namespace
{

using Table = std::array<std::uint32_t, 256>;

// tables[k][b]: what byte b does to the remainder when k bytes follow it.
constexpr std::array<Table, 8> make_tables()
{
    std::array<Table, 8> tables{};
    for (std::uint32_t b = 0; b < 256; ++b)
    {
        std::uint32_t remainder = b;
        for (int bit = 0; bit < 8; ++bit) remainder = (remainder >> 1) ^ ((remainder & 1) != 0 ? 0xEDB88320U : 0U);
        tables[0][b] = remainder;
    }
    for (std::size_t k = 1; k < 8; ++k)
    {
        for (std::size_t b = 0; b < 256; ++b)
        {
            tables[k][b] = (tables[k - 1][b] >> 8) ^ tables[0][tables[k - 1][b] & 0xFF];
        }
    }
    return tables;
}
constexpr std::array<Table, 8> kTables = make_tables();

}  // namespace

std::uint32_t compute_crc32(std::span<const std::byte> bytes, std::uint32_t before)
{
    const auto at = [&](std::size_t i) { return static_cast<std::uint32_t>(bytes[i]); };
    std::uint32_t crc = ~before;
    std::size_t i = 0;
    for (; i + 8 <= bytes.size(); i += 8)
    {
        const std::uint32_t low = crc ^ (at(i) | at(i + 1) << 8 | at(i + 2) << 16 | at(i + 3) << 24);
        crc = kTables[7][low & 0xFF] ^ kTables[6][low >> 8 & 0xFF] ^ kTables[5][low >> 16 & 0xFF] ^
              kTables[4][low >> 24] ^ kTables[3][at(i + 4)] ^ kTables[2][at(i + 5)] ^ kTables[1][at(i + 6)] ^
              kTables[0][at(i + 7)];
    }
    for (; i < bytes.size(); ++i) crc = (crc >> 8) ^ kTables[0][(crc ^ at(i)) & 0xFF];
    return ~crc;
}

}  // namespace rattleback
