// Default classes: what an element gets where it says nothing itself.
#pragma once

#include <map>

#include "import/mjcf/element.h"

namespace rattleback::mjcf
{

/// The classes of one file.
class Defaults
{
public:
    /// Reads the `default` sections of a root element.
    Defaults(const Element& root, Log& log);

    /// Fills the attributes of all elements of a section, following childclass, and notes the context in each.
    void apply(Element& section, const std::shared_ptr<const Context>& context, Log& log) const;

private:
    struct Class
    {
        std::string parent;
        SourceLocation location;
        std::vector<std::shared_ptr<const Element>> elements;  ///< its own, in the order written
        std::size_t inherited = 0;                             ///< of the parent's those that it takes, from the first
    };

    void read_class(const Element& element, const std::string& name, const std::string& parent, Log& log);
    void apply_to(Element& element, const std::string& active, Log& log) const;
    /// The defaults for a tag, the nearest class first, in each class the last first.
    std::vector<std::shared_ptr<const Element>> find(const std::string& tag, const std::string& name) const;

    std::map<std::string, Class, std::less<>> classes_;
};

/// Does the element drive something (general, motor, position, ...)?
bool is_actuator(const Element& element);

}  // namespace rattleback::mjcf
