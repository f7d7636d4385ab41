// What elements are called, and what they refer to.
#pragma once

#include <set>

#include "import/mjcf/element.h"

namespace rattleback::mjcf
{

/// Names by kind.
using NameSet = std::set<std::pair<std::string, std::string>>;

/// The kind of what an attribute refers to; empty: it refers to nothing.
std::string find_target(const Element& element, const Attribute& attribute);

/// Adds the names of the element and of all below it.
void collect_names(const Element& element, NameSet& names);

/// Does the element, or one below it, refer to one of the names? Classes and materials do not count.
bool refers_to_any(const Element& element, const NameSet& names);
/// Does it refer to nothing but these and the world?
bool refers_only_to(const Element& element, const NameSet& names);

}  // namespace rattleback::mjcf
