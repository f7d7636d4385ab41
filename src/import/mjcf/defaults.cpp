// Applies default classes. A list of numbers that is shorter than the inherited one replaces only its front.
#include "import/mjcf/defaults.h"

#include <algorithm>
#include <array>

#include "base/nearest_match.h"

namespace rattleback::mjcf
{

namespace
{

constexpr const char* kMain = "main";
constexpr std::array<std::string_view, 5> kTurns{"quat", "axisangle", "xyaxes", "zaxis", "euler"};

bool is_turn(std::string_view name) { return std::find(kTurns.begin(), kTurns.end(), name) != kTurns.end(); }

/// What all actuators share; the rest (kp, gainprm, ...) is inherited only between equal tags, see actuators.cpp.
bool is_mechanical(const AttributeRule& rule)
{
    static const ElementRule& kMotor = *find_element("actuator", "motor");
    return kMotor.find(rule.name) || rule.name == "actlimited" || rule.name == "actrange";
}

void inherit(Element& element, const Attribute& attribute)
{
    // Classes hold attributes of other elements too (actuators share one set): those that this one has not are passed
    // over.
    const AttributeRule* rule = element.rule->find(attribute.rule->name);
    if (!rule) return;
    for (Attribute& own : element.attributes)
    {
        if (own.rule->name != rule->name) continue;
        if (own.numbers.size() < attribute.numbers.size() && rule->most != rule->least && rule->most >= 0)
            own.numbers.insert(own.numbers.end(),
                               attribute.numbers.begin() + static_cast<std::ptrdiff_t>(own.numbers.size()),
                               attribute.numbers.end());
        return;
    }
    Attribute copy = attribute;
    copy.rule = rule;
    copy.inherited = true;
    element.attributes.push_back(std::move(copy));
}

/// In the tag `tendon` of a default are the values for fixed and spatial tendons, and so on.
std::string default_tag(const Element& element)
{
    if (element.rule->kind == "tendon" || element.rule->kind == "equality") return element.rule->kind;
    return element.rule->name;
}

}  // namespace

bool is_actuator(const Element& element) { return element.rule->kind == "actuator"; }

Defaults::Defaults(const Element& root, Log& log)
{
    classes_[kMain] = {};
    for (const Element& section : root.children)
    {
        if (!section.is("default")) continue;
        const std::string name = section.name();
        if (!name.empty() && name != kMain)
            log.fail(section.location, "the outermost default class is named '" + name + "'", "it is 'main'");
        read_class(section, kMain, "", log);
    }
}

void Defaults::read_class(const Element& element, const std::string& name, const std::string& parent, Log& log)
{
    Class& own = classes_[name];
    own.parent = parent;
    own.location = element.location;
    for (const Element& child : element.children)
    {
        if (child.is("default")) continue;
        Element kept = child;
        kept.default_class = name;
        own.elements.push_back(std::make_shared<const Element>(std::move(kept)));
    }
    // Inner classes take what has been said so far: a later section, of another file perhaps, does not reach them.
    for (const Element& child : element.children)
    {
        if (!child.is("default")) continue;
        const std::string inner = child.name();
        if (inner.empty()) continue;  // reported by the reader
        if (classes_.contains(inner))
            log.fail(child.location, "the default class '" + inner + "' is defined twice", "",
                     ErrorCode::duplicate_name);
        else
        {
            classes_[inner].inherited = own.elements.size();
            read_class(child, inner, name, log);
        }
    }
}

std::vector<std::shared_ptr<const Element>> Defaults::find(const std::string& tag, const std::string& name) const
{
    std::vector<std::shared_ptr<const Element>> found;
    const bool actuator = find_element("actuator", tag) != nullptr;
    // From the class to its ancestors, in each the last written first: whoever is met first wins.
    auto it = classes_.find(name);
    std::size_t count = it == classes_.end() ? 0 : it->second.elements.size();
    for (; it != classes_.end(); it = classes_.find(it->second.parent))
    {
        const Class& current = it->second;
        while (count-- > 0)
        {
            const auto& element = current.elements[count];
            if (element->rule->name == tag || (actuator && is_actuator(*element))) found.push_back(element);
        }
        if (current.parent.empty()) break;
        count = current.inherited;
    }
    return found;
}

void Defaults::apply_to(Element& element, const std::string& active, Log& log) const
{
    // The element's own class, or the childclass of the nearest body around it.
    std::string name = active;
    if (const Attribute* own = element.find("class"))
    {
        name = own->text;
        if (!classes_.contains(name))
        {
            std::vector<std::string_view> names;
            for (const auto& [known, ignored] : classes_)
            {
                if (log.takes_hint()) names.push_back(known);
            }
            if (!log.excuse(name, own->location))
                log.fail(own->location, "there is no default class '" + name + "'", log.name_hint(name, names),
                         ErrorCode::unknown_name);
            element.broken = true;  // what the class would have said is missing
            return;
        }
    }
    else if (name != kMain && !classes_.contains(name))
        element.broken = true;
    const bool turned = std::any_of(element.attributes.begin(), element.attributes.end(),
                                    [](const Attribute& a) { return is_turn(a.rule->name); });
    bool inherited_turn = turned;  // one way to turn replaces another
    const auto found = find(default_tag(element), name);
    for (const auto& source : found)
    {
        bool turns = false;
        for (const Attribute& attribute : source->attributes)
        {
            const bool turn = is_turn(attribute.rule->name);
            if (turn && inherited_turn) continue;
            turns = turns || turn;
            if (!is_actuator(element) || is_mechanical(*attribute.rule)) inherit(element, attribute);
        }
        inherited_turn = inherited_turn || turns;
    }
    if (is_actuator(element)) element.defaults = found;
}

void Defaults::apply(Element& section, const std::shared_ptr<const Context>& context, Log& log) const
{
    const auto walk = [&](const auto& self, Element& element, const std::string& active) -> void
    {
        element.context = context;
        std::string inner = active;
        if (const Attribute* child_class = element.find("childclass"))
        {
            inner = child_class->text;
            if (!classes_.contains(inner) && !log.excuse(inner, child_class->location))
                log.fail(child_class->location, "there is no default class '" + inner + "'", "",
                         ErrorCode::unknown_name);
        }
        // Free joints and items of tendons take no defaults; a wrapped site is not a site of the tree.
        const bool plain = element.is("freejoint") || element.rule->kind.empty();
        if (!plain) apply_to(element, active, log);
        for (Element& child : element.children) self(self, child, inner);
    };
    walk(walk, section, kMain);
}

}  // namespace rattleback::mjcf
