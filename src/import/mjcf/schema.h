// Schema: which elements and attributes MJCF has, what type they are, and what we do with them. One table for all.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace rattleback::mjcf
{

/// What becomes of an element or attribute.
enum class Use
{
    read,     ///< it shapes the model
    ignored,  ///< its name is checked; it does not change the motion
    refused,  ///< elements: an error; attributes: an error unless the value is the one that means "off"
};

enum class Type
{
    real,
    integer,
    boolean,  ///< true or false
    word,     ///< one of a list
    text,
    file,
    name,  ///< defines a name of its element's kind
    reference,
};

struct AttributeRule
{
    std::string name;
    Type type = Type::text;
    Use use = Use::read;
    int least = 1, most = 1;         ///< count of numbers; most -1: any number
    bool required = false;           ///< not in defaults
    std::string fallback;            ///< the value where nothing is said; empty: none
    std::vector<std::string> words;  ///< Type::word: what is allowed
    std::string kind;                ///< Type::reference: of what ("body", "joint", ...)
};

struct ElementRule
{
    std::string name;
    std::string context;  ///< what its children are looked up in; empty: it has none
    std::string kind;     ///< of its name: "body", "joint", ... (names are unique within a kind)
    Use use = Use::read;
    std::vector<AttributeRule> attributes;

    const AttributeRule* find(std::string_view attribute) const;
};

/// The element of that name inside a context ("mujoco" for sections, "body" for what stands in bodies, ...), or
/// nothing.
const ElementRule* find_element(std::string_view context, std::string_view name);

/// All elements of a context, in the order of the table.
std::vector<const ElementRule*> list_elements(std::string_view context);

/// The contexts in the order of the table.
const std::vector<std::string>& list_contexts();

/// Supported elements and attributes as a Markdown table, for docs/mjcf.md.
std::string make_support_table();

}  // namespace rattleback::mjcf
