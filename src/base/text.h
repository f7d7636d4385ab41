// Text of untrusted names and numbers for files: valid UTF-8, quotes and escapes of JSON, XML, HTML and CSV, base64.
#pragma once

#include "base/decimal.h"

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace rattleback
{

/// A code point and how many bytes of UTF-8 it takes; 0: there is none.
struct Character
{
    char32_t point = 0;
    std::size_t size = 0;
};

/// The character at the front of a text; size 0 where the text is empty or its first bytes are no valid UTF-8.
Character find_character(std::string_view text);

/// The code points of a UTF-8 text; each bad byte becomes U+FFFD.
std::u32string decode_utf8(std::string_view text);

/// A JSON string with its quotes; always valid UTF-8.
std::string to_json_string(std::string_view text);

/// Text that can stand in XML and HTML, between tags or as an attribute's value in `quote`s. Tabs and line ends become
/// character references, so that they stay; other control characters, which XML does not have, become spaces.
std::string escape_markup(std::string_view text, char quote = '"');

/// A field of a line of comma-separated values: in quotes where it would break the line.
std::string to_csv_field(std::string_view text);

/// Appends to_shortest().
void append_number(std::string& text, double value);

/// RFC 4648, section 4: padded.
std::string to_base64(std::span<const std::byte> bytes);
/// Reads what to_base64() writes; the letters of section 5 ("-" and "_") and a missing padding are let pass. False: the
/// text is not whole base64.
bool read_base64(std::string_view text, std::vector<std::byte>& bytes);

}  // namespace rattleback
