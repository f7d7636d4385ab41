// Writes XML that needs nothing of a parser but the five entities and character references.
#include "import/mjcf_write/xml.h"

#include <algorithm>
#include <cmath>

namespace rattleback
{

namespace
{

bool is_zero(double x) { return x == 0 && !std::signbit(x); }

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
    text_ += escape_markup(value, quote);
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
        const auto [point, size] = find_character(text);
        const bool control = (point < 0x20 && point != '\t' && point != '\n' && point != '\r') || point == 0x7F;
        if (size == 0 || control || point == 0xFFFE || point == 0xFFFF) return false;
        text.remove_prefix(size);
    }
    return true;
}

}  // namespace rattleback
