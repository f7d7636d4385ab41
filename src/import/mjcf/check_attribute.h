// Tests the text of an attribute against its rule, and words of messages about texts.
#pragma once

#include "import/mjcf/element.h"

namespace rattleback::mjcf
{

/// Is the attribute what its rule allows? Fills in its numbers; if not, the log says why. `longest`: bytes of a text.
bool check_attribute(const ElementRule& element, std::size_t longest, Attribute& attribute, Log& log);

/// A text in a message; a long one is cut.
std::string in_quotes(std::string_view text);

/// A hint with the candidate that comes nearest.
std::string name_hint(std::string_view name, const std::vector<std::string>& candidates);

}  // namespace rattleback::mjcf
