// CallTree: a recorded trace as a reader of the sources sees it, by names and with what is no step of a method folded.
#pragma once

#include "trace/call_recorder.h"
#include "trace/symbols.h"

namespace rattleback::trace
{

/// "Class::function" or "function": without namespaces, template arguments, parameters and return type.
std::string shorten(const std::string& demangled);

/// How a trace is folded:
///  - a lambda has no name and stands in the text of a function: what it calls, that function calls, and the loop or
///    pool that it was handed to lies beside the way, not on it;
///  - constructors, destructors and operators are part of the line that uses them: what they call, their caller calls;
///  - calls of one function from one other are one call, overloads and instances of a template one function.
class CallTree
{
public:
    struct Node
    {
        std::string name;
        bool in_header = false;
        int parent = -1;
        std::vector<int> children;  ///< in the order of their first calls
    };

    /// Below the first call of `root`; empty when there was none.
    CallTree(const std::vector<Call>& calls, const std::map<const void*, Symbol>& symbols, const std::string& root);

    /// Names from the root to the nearest call of `name`, both included; empty when it was never called.
    std::vector<std::string> find_chain(const std::string& name) const;

    /// The chains to some functions as one indented text: every function on a chain with all that it calls. Left out:
    /// functions of headers that call nothing (accessors), unless a chain ends there. `marks`: text behind a name.
    std::string print(const std::map<std::string, std::string>& marks) const;

private:
    int add(int parent, const std::string& name, bool in_header);
    void take(const std::vector<Call>& calls, const std::map<const void*, Symbol>& symbols, int call, int parent);
    int find_nearest(const std::string& name) const;

    std::vector<Node> nodes_;
};

}  // namespace rattleback::trace
