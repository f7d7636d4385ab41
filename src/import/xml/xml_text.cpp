// Parses XML and finds places in it.
#include "import/xml/xml_text.h"

#include <algorithm>

namespace rattleback
{

std::size_t find_value_end(std::string_view text, std::size_t from)
{
    const std::size_t begin = text.find_first_of("\"'", from);
    if (begin == text.npos) return text.size();
    const std::size_t end = text.find(text[begin], begin + 1);
    return end == text.npos ? text.size() : end + 1;
}

bool XmlText::parse(std::string_view content, const std::string& file, const char* empty_hint, Log& log)
{
    name = std::make_shared<const std::string>(file);
    text = content;
    for (std::size_t i = 0; i < text.size(); ++i)
    {
        if (text[i] == '\n') starts_.push_back(i + 1);
    }
    if (text.find('\0') != text.npos)
    {
        log.fail(locate(static_cast<std::ptrdiff_t>(text.find('\0'))), "a byte of value zero: this is not a text file");
        return false;
    }
    const auto result = document.load_buffer(text.data(), text.size(), pugi::parse_default, pugi::encoding_utf8);
    if (result) return true;
    if (text.find_first_not_of(" \t\r\n") == text.npos)
        log.fail({name, 1, 1}, "the file is empty", empty_hint);
    else
        log.fail(locate(result.offset), std::string("not XML: ") + result.description());
    return false;
}

SourceLocation XmlText::locate(std::ptrdiff_t offset) const
{
    if (offset < 0) return {name, 1, 1};
    const auto position = static_cast<std::size_t>(offset);
    const auto next = std::upper_bound(starts_.begin(), starts_.end(), position);
    const std::size_t start = *(next - 1);
    return {name, static_cast<int>(next - starts_.begin()), static_cast<int>(position - start) + 1};
}

SourceLocation XmlText::locate(pugi::xml_node node, std::string_view attribute) const
{
    // The parser tells the element's place alone, so we look for the names from there.
    std::size_t from = static_cast<std::size_t>(std::max<std::ptrdiff_t>(node.offset_debug(), 0));
    for (const pugi::xml_attribute& written : node.attributes())
    {
        const std::size_t found = std::min(text.find(written.name(), from), text.size());
        if (attribute == written.name()) return locate(static_cast<std::ptrdiff_t>(found));
        from = find_value_end(text, found);
    }
    return locate(node);
}

}  // namespace rattleback
