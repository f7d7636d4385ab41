// Takes the table of the schema apart, and answers questions about it.
#include "import/mjcf/schema.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <utility>

#include "import/mjcf/schema_table.h"
#include "model/fields/tables.h"

namespace rattleback::mjcf
{

namespace
{

std::vector<std::string> split(std::string_view text, char separator)
{
    std::vector<std::string> parts;
    while (!text.empty())
    {
        const std::size_t end = std::min(text.find(separator), text.size());
        if (end > 0) parts.emplace_back(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return parts;
}

/// Reads an integer at the front of `text` and removes it; `otherwise` where there is none.
int take_number(std::string_view& text, int otherwise)
{
    int value = otherwise;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc()) return otherwise;
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    return value;
}

void take_count(std::string_view& text, AttributeRule& rule)
{
    if (text.starts_with('*'))
    {
        text.remove_prefix(1);
        rule.least = 0;
        rule.most = -1;
        return;
    }
    rule.least = rule.most = take_number(text, 1);
    if (!text.starts_with('-')) return;
    text.remove_prefix(1);
    rule.most = take_number(text, rule.least);
}

Type take_type(std::string_view& text, AttributeRule& rule)
{
    if (text.starts_with("name"))
    {
        text.remove_prefix(4);
        return Type::name;
    }
    const char letter = text.front();
    text.remove_prefix(1);
    switch (letter)
    {
        case 'r':
        case 'i':
            take_count(text, rule);
            return letter == 'r' ? Type::real : Type::integer;
        case 'b':
            return Type::boolean;
        case 'w':
            return Type::word;
        case 'f':
            return Type::file;
        case '@':
        {
            const std::size_t end = std::min(text.find_first_of("!~^="), text.size());
            rule.kind = text.substr(0, end);
            text.remove_prefix(end);
            return Type::reference;
        }
        default:
            return Type::text;
    }
}

AttributeRule parse_attribute(std::string_view text)
{
    AttributeRule rule;
    const std::size_t colon = text.find(':');
    rule.name = text.substr(0, colon);
    text.remove_prefix(colon + 1);
    rule.type = take_type(text, rule);
    while (!text.empty())
    {
        const char mark = text.front();
        text.remove_prefix(1);
        if (mark == '!') rule.required = true;
        if (mark == '~') rule.use = Use::ignored;
        if (mark == '^') rule.use = Use::refused;
        if (mark != '=' && mark != '{') continue;
        const std::size_t end = std::min(text.find_first_of(mark == '=' ? "{!~^" : "}"), text.size());
        const std::string_view value = text.substr(0, end);
        if (mark == '=')
        {
            rule.fallback = value;
            std::replace(rule.fallback.begin(), rule.fallback.end(), ',', ' ');
            text.remove_prefix(end);
        }
        else
        {
            rule.words = split(value, '|');
            text.remove_prefix(std::min(end + 1, text.size()));
        }
    }
    return rule;
}

/// The attributes of all fields of an element that say their type, as text.
template <class Rows>
std::string list_attributes()
{
    std::string text;
    visit_options<Rows>(
        [&](const auto& row)
        {
            if (std::string_view(row.mjcf).find(':') != std::string_view::npos) text += std::string(row.mjcf) + " ";
        });
    return text;
}

void append_attributes(std::string_view text, std::vector<AttributeRule>& attributes)
{
    for (const std::string& item : split(text, ' '))
    {
        if (item.front() != '$')
        {
            attributes.push_back(parse_attribute(item));
            continue;
        }
        if (item == "$BodyRows") append_attributes(list_attributes<BodyRows>(), attributes);
        if (item == "$JointRows") append_attributes(list_attributes<JointRows>(), attributes);
        if (item == "$ShapeRows") append_attributes(list_attributes<ShapeRows>(), attributes);
        if (item == "$TendonRows") append_attributes(list_attributes<TendonRows>(), attributes);
        for (const TableSet& set : table_sets())
        {
            if (item.substr(1) == set.name) append_attributes(set.attributes, attributes);
        }
    }
}

/// The table by context; every element once per context.
struct Schema
{
    std::vector<std::string> contexts;
    std::map<std::string, std::vector<ElementRule>, std::less<>> elements;

    Schema()
    {
        for (const TableRow& row : table_rows())
        {
            ElementRule rule{.name = row.name, .context = row.children, .kind = row.kind, .use = row.use};
            append_attributes(row.attributes, rule.attributes);
            std::vector<std::string> places = split(row.contexts, ' ');
            if (places.empty()) places.emplace_back();
            for (const std::string& place : places)
            {
                if (!elements.contains(place)) contexts.push_back(place);
                elements[place].push_back(rule);
            }
        }
    }
};

const Schema& schema()
{
    static const Schema kSchema;
    return kSchema;
}

const char* to_word(const AttributeRule& rule)
{
    if (rule.use == Use::ignored) return " *";
    if (rule.use == Use::refused) return " †";
    return "";
}

std::string describe(const AttributeRule& rule)
{
    std::string text = "`" + rule.name;
    if (!rule.fallback.empty() && rule.use == Use::read) text += "=" + rule.fallback;
    return text + "`" + to_word(rule);
}

}  // namespace

const AttributeRule* ElementRule::find(std::string_view attribute) const
{
    for (const AttributeRule& rule : attributes)
    {
        if (rule.name == attribute) return &rule;
    }
    return nullptr;
}

const ElementRule* find_element(std::string_view context, std::string_view name)
{
    const auto found = schema().elements.find(context);
    if (found == schema().elements.end()) return nullptr;
    for (const ElementRule& rule : found->second)
    {
        if (rule.name == name) return &rule;
    }
    return nullptr;
}

std::vector<const ElementRule*> list_elements(std::string_view context)
{
    std::vector<const ElementRule*> list;
    const auto found = schema().elements.find(context);
    if (found == schema().elements.end()) return list;
    for (const ElementRule& rule : found->second) list.push_back(&rule);
    return list;
}

const std::vector<std::string>& list_contexts() { return schema().contexts; }

std::string make_support_table()
{
    std::string table = "| in | element | | attributes |\n|---|---|---|---|\n";
    for (const std::string& context : list_contexts())
    {
        if (context == "default") continue;  // the same elements again
        for (const ElementRule* rule : list_elements(context))
        {
            table += "| " + (context.empty() ? "file" : context) + " | `" + rule->name + "` | ";
            table += rule->use == Use::read ? "" : rule->use == Use::ignored ? "ignored" : "refused";
            table += " | ";
            const char* comma = "";
            for (const AttributeRule& attribute : rule->attributes)
            {
                table += std::exchange(comma, ", ") + describe(attribute);
            }
            table += " |\n";
        }
    }
    return table;
}

}  // namespace rattleback::mjcf
