// XmlWriter: elements and attributes as indented text; numbers in the shortest form that reads back as the same bits.
#pragma once

#include "base/text.h"

#include <rattleback/error.h>
#include <rattleback/math.h>

#include <array>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace rattleback
{

class XmlWriter
{
public:
    void open(const char* element);
    void close();

    // Attributes of the element opened last, before anything stands in it.
    void attribute(std::string_view name, std::string_view value);
    void attribute(std::string_view name, const char* value) { attribute(name, std::string_view(value)); }
    void attribute(std::string_view name, const std::string& value) { attribute(name, std::string_view(value)); }
    void attribute(std::string_view name, bool value) { attribute(name, std::string_view(value ? "true" : "false")); }
    void attribute(std::string_view name, int value) { attribute(name, std::string_view(std::to_string(value))); }
    void attribute(std::string_view name, double value) { attribute(name, std::string_view(to_shortest(value))); }
    void attribute(std::string_view name, std::span<const double> values);
    void attribute(std::string_view name, const Vec3& value);
    void attribute(std::string_view name, const Quat& value);
    /// Left out where it is zero (the identity), unless a zero has a sign.
    void position(std::string_view name, const Vec3& value);
    void rotation(std::string_view name, const Quat& value);

    const std::string& text() const { return text_; }

private:
    std::string text_;
    std::vector<const char*> elements_;
    bool open_tag_ = false;  // attributes may follow
};

/// Can the text stand in XML? UTF-8 without control characters other than tab, line feed and carriage return.
bool fits_xml(std::string_view text);

}  // namespace rattleback
