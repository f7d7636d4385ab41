// Text of untrusted names and numbers for exports: valid UTF-8, JSON strings, numbers that no locale changes.
#pragma once

#include <string>
#include <string_view>

namespace rattleback
{

/// The code points of a UTF-8 text; each bad byte becomes U+FFFD.
std::u32string decode_utf8(std::string_view text);

/// A JSON string with its quotes; always valid UTF-8.
std::string to_json_string(std::string_view text);

/// Appends the shortest text that reads back as the same number; "nan" and "inf" where it is not finite.
void append_number(std::string& text, double value);

}  // namespace rattleback
