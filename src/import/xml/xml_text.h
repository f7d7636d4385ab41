// XML as a tree that knows where in its file everything stands.
#pragma once

#include <pugixml.hpp>

#include <cstddef>
#include <string_view>

#include "import/xml/log.h"

namespace rattleback
{

/// A text and what is in it. The text must outlive this. Entities of a document type are not expanded, so that no text
/// can grow while it is read.
class XmlText
{
public:
    /// False, and the log says why; the part before the mistake is in `document` then.
    bool parse(std::string_view content, const std::string& file, const char* empty_hint, Log& log);

    /// Of a byte; negative: the first.
    SourceLocation locate(std::ptrdiff_t offset) const;
    SourceLocation locate(pugi::xml_node node) const
    {
        return locate(node.offset_debug() - 1);  // the offset is that of the name
    }
    /// Of an attribute's name; where there is none, of the element.
    SourceLocation locate(pugi::xml_node node, std::string_view attribute) const;

    std::shared_ptr<const std::string> name;
    std::string_view text;
    pugi::xml_document document;

private:
    pugi::xml_parse_result load();

    std::vector<std::size_t> starts_{0};         ///< of lines
    std::shared_ptr<const std::string> mended_;  ///< a text that is not quite XML, made so
};

/// Behind the quoted value that follows `from`: a value may hold the name of the next attribute.
std::size_t find_value_end(std::string_view text, std::size_t from);

}  // namespace rattleback
