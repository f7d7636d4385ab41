// Writes XML that needs nothing of a parser but the five entities and character references.
#include "import/mjcf_write/xml.h"

#include <algorithm>
#include <cmath>

namespace rattleback
{

namespace
{

bool is_zero(double x) { return x == 0 && !std::signbit(x); }

void append_escaped(std::string_view value, char quote, std::string& text)
{
    for (const char c : value)
    {
        if (c == '&')
            text += "&amp;";
        else if (c == '<')
            text += "&lt;";
        else if (c == '>')
            text += "&gt;";
        else if (c == quote)
            text += quote == '"' ? "&quot;" : "&apos;";
        else if (c == '\n' || c == '\r' || c == '\t')
            text += "&#" + std::to_string(static_cast<int>(c)) + ";";  // unescaped they would become blanks
        else
            text += c;
    }
}

/// Bytes of the UTF-8 character at the front; 0: none.
std::size_t character_size(std::string_view text)
{
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    const unsigned char lead = byte(0);
    const std::size_t size = lead < 0x80                   ? 1
                             : lead >= 0xC2 && lead < 0xE0 ? 2
                             : lead >= 0xE0 && lead < 0xF0 ? 3
                             : lead >= 0xF0 && lead < 0xF5 ? 4
                                                           : 0;
    if (size == 0 || text.size() < size) return 0;
    for (std::size_t i = 1; i < size; ++i)
    {
        if ((byte(i) & 0xC0) != 0x80) return 0;
    }
    // Longer than needed, surrogates, beyond the last plane, and the two that XML leaves out.
    if ((lead == 0xE0 && byte(1) < 0xA0) || (lead == 0xF0 && byte(1) < 0x90)) return 0;
    if ((lead == 0xED && byte(1) >= 0xA0) || (lead == 0xF4 && byte(1) >= 0x90)) return 0;
    if (lead == 0xEF && byte(1) == 0xBF && byte(2) >= 0xBE) return 0;
    return size;
}

}  // namespace

void XmlWriter::open(const char* element)
{
    if (open_tag_) text_ += ">\n";
    text_.append(2 * elements_.size(), ' ');
    text_ += '<';
    text_ += element;
    elements_.push_back(element);
    open_tag_ = true;
}

void XmlWriter::close()
{
    const std::string name = elements_.back();
    elements_.pop_back();
    if (open_tag_)
        text_ += "/>\n";
    else
    {
        text_.append(2 * elements_.size(), ' ');
        text_ += "</" + name + ">\n";
    }
    open_tag_ = false;
}

void XmlWriter::attribute(std::string_view name, std::string_view value)
{
    // JSON is full of double quotes.
    const char quote = value.find('"') != value.npos && value.find('\'') == value.npos ? '\'' : '"';
    text_ += ' ';
    text_ += name;
    text_ += '=';
    text_ += quote;
    append_escaped(value, quote, text_);
    text_ += quote;
}

void XmlWriter::attribute(std::string_view name, std::span<const double> values)
{
    std::string list;
    for (const double value : values) list += (list.empty() ? "" : " ") + to_shortest(value);
    attribute(name, std::string_view(list));
}

void XmlWriter::attribute(std::string_view name, const Vec3& value)
{
    attribute(name, std::array{value.x, value.y, value.z});
}

void XmlWriter::attribute(std::string_view name, const Quat& value)
{
    attribute(name, std::array{value.w, value.x, value.y, value.z});
}

void XmlWriter::position(std::string_view name, const Vec3& value)
{
    if (!is_zero(value.x) || !is_zero(value.y) || !is_zero(value.z)) attribute(name, value);
}

void XmlWriter::rotation(std::string_view name, const Quat& value)
{
    if (value.w != 1 || !is_zero(value.x) || !is_zero(value.y) || !is_zero(value.z)) attribute(name, value);
}

bool fits_xml(std::string_view text)
{
    while (!text.empty())
    {
        const std::size_t size = character_size(text);
        const auto code = static_cast<unsigned char>(text[0]);
        if (size == 0 || (code < 0x20 && code != '\t' && code != '\n' && code != '\r') || code == 0x7F) return false;
        text.remove_prefix(size);
    }
    return true;
}

}  // namespace rattleback
