// Names of this program's functions by address, also of those that no other file sees.
#pragma once

#include <map>
#include <string>

namespace rattleback::trace
{

struct Symbol
{
    std::string name;        ///< demangled, with parameters
    bool in_header = false;  ///< inline or template: its definition may stand in several objects
};

/// The symbol table of the running program, by address.
std::map<const void*, Symbol> read_symbols();

}  // namespace rattleback::trace
