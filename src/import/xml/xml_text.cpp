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

namespace
{

/// Puts a space between attributes that stand side by side without one, as in a="1"b="2".
std::string part_attributes(std::string_view text)
{
    std::string parted;
    bool in_tag = false;
    for (std::size_t i = 0; i < text.size();)
    {
        std::size_t end = i + 1;
        if (!in_tag && text.substr(i, 4) == "<!--") end = std::min(text.find("-->", i), text.size());
        if (in_tag && (text[i] == '"' || text[i] == '\'')) end = find_value_end(text, i);
        const bool value = in_tag && end > i + 1;
        if (text[i] == '<' && end == i + 1) in_tag = true;
        if (text[i] == '>') in_tag = false;
        parted.append(text.substr(i, end - i));
        if (value && end < text.size() && std::string_view(" \t\r\n/>?").find(text[end]) == std::string_view::npos)
            parted += ' ';
        i = end;
    }
    return parted;
}

/// Where the text ends if nothing but closing tags follows from `from` on; else npos.
std::size_t find_stray_end(std::string_view text, std::size_t from)
{
    const std::size_t begin = text.rfind("</", from);
    if (begin == text.npos) return text.npos;
    for (std::size_t i = begin; i < text.size();)
    {
        i = text.find_first_not_of(" \t\r\n", i);
        if (i == text.npos) break;
        const std::size_t end = text.substr(i, 2) == "</" ? text.find('>', i) : text.npos;
        if (end == text.npos) return text.npos;
        i = end + 1;
    }
    return begin;
}

}  // namespace

pugi::xml_parse_result XmlText::load()
{
    starts_ = {0};
    for (std::size_t i = 0; i < text.size(); ++i)
    {
        if (text[i] == '\n') starts_.push_back(i + 1);
    }
    return document.load_buffer(text.data(), text.size(), pugi::parse_default, pugi::encoding_utf8);
}

bool XmlText::parse(std::string_view content, const std::string& file, const char* empty_hint, Log& log)
{
    name = std::make_shared<const std::string>(file);
    text = content;
    auto result = load();
    if (text.find('\0') != text.npos)
    {
        log.fail(locate(static_cast<std::ptrdiff_t>(text.find('\0'))), "a byte of value zero: this is not a text file");
        return false;
    }
    // Two mistakes that MuJoCo's parser forgives, and files have: attributes without a space between them, and closing
    // tags behind the outermost one.
    if (result.status == pugi::status_bad_attribute)
    {
        log.warn(locate(result.offset), "no space between two attributes");
        mended_ = std::make_shared<const std::string>(part_attributes(text));
        text = *mended_;
        result = load();
    }
    if (result.status == pugi::status_end_element_mismatch)
    {
        const SourceLocation place = locate(result.offset);
        const std::string_view whole = text;
        text = text.substr(0, find_stray_end(text, static_cast<std::size_t>(result.offset)));
        if (text.size() < whole.size() && load())
        {
            log.warn(place, "a closing tag behind the end of the file's element");
            return true;
        }
        text = whole;
        result = load();
    }
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
