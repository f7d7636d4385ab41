// Names and references of elements, by the rules of their attributes.
#include "import/mjcf/references.h"

namespace rattleback::mjcf
{

namespace
{

std::string object_kind(const std::string& type) { return type == "xbody" ? "body" : type; }

/// Calls visit(kind, name) for what an element of a list refers to.
template <class Visit>
void visit_references(const Element& element, const Visit& visit)
{
    for (const Attribute& attribute : element.attributes)
    {
        const std::string kind = find_target(element, attribute);
        if (!kind.empty() && kind != "class" && kind != "material") visit(kind, attribute.text);
    }
    for (const Element& child : element.children) visit_references(child, visit);
}

}  // namespace

std::string find_target(const Element& element, const Attribute& attribute)
{
    // Most attributes say by their rule what they name; those of sensors by a second attribute.
    if (attribute.rule->type == Type::reference) return attribute.rule->kind;
    if (attribute.rule->name == "objname") return object_kind(element.text("objtype"));
    if (attribute.rule->name == "refname") return object_kind(element.text("reftype"));
    return {};
}

void collect_names(const Element& element, NameSet& names)
{
    if (const std::string name = element.name(); !name.empty()) names.emplace(element.rule->kind, name);
    for (const Element& child : element.children) collect_names(child, names);
}

bool refers_to_any(const Element& element, const NameSet& names)
{
    bool found = false;
    visit_references(element, [&](const std::string& kind, const std::string& name)
                     { found = found || names.contains({kind, name}); });
    return found;
}

bool refers_only_to(const Element& element, const NameSet& names)
{
    bool good = true;
    visit_references(element, [&](const std::string& kind, const std::string& name)
                     { good = good && (names.contains({kind, name}) || (kind == "body" && name == "world")); });
    return good;
}

}  // namespace rattleback::mjcf
