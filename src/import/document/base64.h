// Bytes as text in documents: RFC 4648, section 4.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace rattleback
{

std::string write_base64(std::span<const std::byte> bytes);
/// False: the text is not whole base64.
bool read_base64(std::string_view text, std::vector<std::byte>& bytes);

}  // namespace rattleback
