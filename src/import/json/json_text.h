// JsonText: a JSON file as a tree of values that know where they stand, so that mistakes can be placed.
#pragma once

#include <rattleback/import.h>

#include "import/xml/log.h"

namespace rattleback
{

enum class JsonKind
{
    null,
    boolean,
    number,
    string,
    array,
    object,
};

struct JsonValue
{
    JsonKind kind = JsonKind::null;
    bool flag = false;
    double number = 0;             ///< finite
    std::string text;              ///< of a string
    std::string key;               ///< as a member of an object
    std::vector<JsonValue> items;  ///< of an array, or members of an object in the order of the file
    std::size_t offset = 0;        ///< in the file [bytes]; of members that of the key
};

/// What the value is, for messages: "a number", "an object", ...
const char* describe(JsonKind kind);

class JsonText
{
public:
    /// Parses `text`; false: the log says why not. `name` stands for the file in messages.
    bool parse(std::string_view text, const std::string& name, const ImportLimits& limits, Log& log);

    const JsonValue& root() const { return root_; }
    SourceLocation locate(std::size_t offset) const;
    SourceLocation locate(const JsonValue& value) const { return locate(value.offset); }

private:
    std::shared_ptr<const std::string> name_;
    std::vector<std::size_t> starts_;  ///< of lines
    JsonValue root_;
};

}  // namespace rattleback
