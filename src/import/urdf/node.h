// Node: one element of a URDF file; reads typed attributes and says where a mistake stands.
#pragma once

#include <rattleback/math.h>

#include <optional>

#include "import/xml/xml_text.h"

namespace rattleback::urdf
{

class Node
{
public:
    Node() = default;
    Node(pugi::xml_node xml, const XmlText& file, Log& log) : xml_(xml), file_(&file), log_(&log) {}

    explicit operator bool() const { return static_cast<bool>(xml_); }
    bool is(std::string_view name) const { return name == xml_.name(); }
    std::string name() const { return xml_.name(); }
    pugi::xml_node xml() const { return xml_; }

    /// Another element of the same file.
    Node at(pugi::xml_node other) const { return {other, *file_, *log_}; }
    /// The first child of that name; may be none, which reads as one without attributes.
    Node child(const char* name) const { return {xml_.child(name), *file_, *log_}; }
    /// All children that are elements; of that name if one is given.
    std::vector<Node> children(std::string_view name = {}) const;
    /// The text between the tags.
    std::string content() const { return xml_.child_value(); }

    bool has(const char* attribute) const { return static_cast<bool>(xml_.attribute(attribute)); }
    std::string text(const char* attribute) const { return xml_.attribute(attribute).value(); }
    /// Missing or empty: an error, and nothing.
    std::optional<std::string> required(const char* attribute) const;
    /// So many finite numbers; missing: the default; otherwise an error and the default.
    std::vector<double> numbers(const char* attribute, const std::vector<double>& missing) const;
    double number(const char* attribute, double missing) const { return numbers(attribute, {missing})[0]; }
    Vec3 vector(const char* attribute, const Vec3& missing) const;
    /// As number(); zero or less (`zero`: less than zero) is an error too.
    double positive(const char* attribute, double missing, bool zero = false) const;

    SourceLocation location() const { return file_->locate(xml_); }
    SourceLocation location(const char* attribute) const { return file_->locate(xml_, attribute); }
    /// At the element.
    void fail(std::string message, std::string hint = {}, ErrorCode code = ErrorCode::invalid_value) const;
    /// At an attribute of it.
    void fail_at(const char* attribute, std::string message, std::string hint = {},
                 ErrorCode code = ErrorCode::invalid_value) const;
    void warn(std::string message, std::string hint = {}) const;
    Log& log() const { return *log_; }

private:
    pugi::xml_node xml_;
    const XmlText* file_ = nullptr;
    Log* log_ = nullptr;
};

/// The frame that `origin` below this element gives: xyz [m] and rpy [rad], turns about the fixed x, y and z axes.
Pose read_origin(const Node& parent);

}  // namespace rattleback::urdf
