// Names, folding and printing of traces.
#include "trace/call_tree.h"

#include <algorithm>
#include <cctype>
#include <set>

namespace rattleback::trace
{

namespace
{

constexpr std::string_view kLambda = "::{lambda";

std::size_t at(int index) { return static_cast<std::size_t>(index); }

void replace_all(std::string& text, std::string_view from, std::string_view to)
{
    for (std::size_t p = text.find(from); p != std::string::npos; p = text.find(from, p + to.size()))
        text.replace(p, from.size(), to);
}

/// Without everything between brackets: template arguments and parameters.
std::string strip_brackets(std::string text)
{
    replace_all(text, "(anonymous namespace)::", "");
    replace_all(text, "operator()", "operator_call");
    replace_all(text, "operator ", "operator_");
    for (const char* name :
         {"operator<<", "operator<=", "operator<", "operator->", "operator>>", "operator>=", "operator>"})
        replace_all(text, name, "operator_compare");
    std::string out;
    int depth = 0;
    for (const char c : text)
    {
        if (c == '<' || c == '(') ++depth;
        if (depth == 0) out += c;
        if (c == '>' || c == ')') --depth;
    }
    for (const char* word : {" const", "[clone .cold]"}) replace_all(out, word, "");
    return out;
}

/// "ns::inner::Class::function" as "Class::function".
std::string strip_namespaces(const std::string& qualified)
{
    std::size_t begin = 0;
    for (std::size_t p = qualified.find("::"); p != std::string::npos; p = qualified.find("::", begin))
    {
        if (std::isupper(static_cast<unsigned char>(qualified[begin])) != 0) break;
        begin = p + 2;
    }
    return qualified.substr(begin);
}

/// "Class::Class", "Class::~Class", "Class::operator+": part of the line that uses them.
bool is_part_of_a_line(const std::string& name)
{
    if (name.find("operator") != std::string::npos || name.find('~') != std::string::npos) return true;
    const std::size_t last = name.rfind("::");
    if (last == std::string::npos) return false;
    const std::string owner = name.substr(0, last), function = name.substr(last + 2);
    return owner == function || owner.ends_with("::" + function);
}

}  // namespace

std::string shorten(const std::string& demangled)
{
    std::string text = strip_brackets(demangled);
    // A return type stands before a template's name.
    text = text.substr(text.rfind(' ') + 1);
    const std::size_t lambda = text.find(kLambda);
    const std::string rest = lambda == std::string::npos ? "" : text.substr(lambda);
    return strip_namespaces(text.substr(0, lambda)) + rest;
}

CallTree::CallTree(const std::vector<Call>& calls, const std::map<const void*, Symbol>& symbols,
                   const std::string& root)
{
    for (std::size_t c = 1; c < calls.size() && nodes_.empty(); ++c)
    {
        const auto found = symbols.find(calls[c].function);
        if (found == symbols.end() || shorten(found->second.name) != root) continue;
        nodes_.push_back({.name = root});
        for (const int child : calls[c].children) take(calls, symbols, child, 0);
    }
}

int CallTree::add(int parent, const std::string& name, bool in_header)
{
    for (const int child : nodes_[at(parent)].children)
    {
        if (nodes_[at(child)].name == name) return child;
    }
    const int added = static_cast<int>(nodes_.size());
    nodes_[at(parent)].children.push_back(added);
    nodes_.push_back({.name = name, .in_header = in_header, .parent = parent, .children = {}});
    return added;
}

void CallTree::take(const std::vector<Call>& calls, const std::map<const void*, Symbol>& symbols, int call, int parent)
{
    const auto found = symbols.find(calls[at(call)].function);
    const std::string name = found == symbols.end() ? "operator" : shorten(found->second.name);
    int node = parent;
    if (const std::size_t lambda = name.find(kLambda); lambda != std::string::npos)
    {
        // Back to the function in whose text the lambda stands.
        const std::string owner = name.substr(0, lambda);
        while (node >= 0 && nodes_[at(node)].name != owner) node = nodes_[at(node)].parent;
        if (node < 0) node = parent;
    }
    else if (!is_part_of_a_line(name))
    {
        node = add(parent, name, found->second.in_header);
    }
    for (const int child : calls[at(call)].children) take(calls, symbols, child, node);
}

int CallTree::find_nearest(const std::string& name) const
{
    int nearest = -1, least = 0;
    for (std::size_t n = 0; n < nodes_.size(); ++n)
    {
        if (nodes_[n].name != name) continue;
        int depth = 0;
        for (int p = nodes_[n].parent; p >= 0; p = nodes_[at(p)].parent) ++depth;
        if (nearest >= 0 && depth >= least) continue;
        nearest = static_cast<int>(n);
        least = depth;
    }
    return nearest;
}

std::vector<std::string> CallTree::find_chain(const std::string& name) const
{
    std::vector<std::string> chain;
    for (int n = find_nearest(name); n >= 0; n = nodes_[at(n)].parent) chain.push_back(nodes_[at(n)].name);
    std::reverse(chain.begin(), chain.end());
    return chain;
}

std::string CallTree::print(const std::map<std::string, std::string>& marks) const
{
    std::set<int> open;  // on a chain, its end left out
    std::map<int, std::string> mark_of;
    for (const auto& [name, mark] : marks)
    {
        const int end = find_nearest(name);
        if (end < 0) continue;
        mark_of[end] = mark;
        for (int n = nodes_[at(end)].parent; n >= 0; n = nodes_[at(n)].parent) open.insert(n);
    }
    std::string text;
    const auto print_node = [&](const auto& self, int n, int depth) -> void
    {
        const Node& node = nodes_[at(n)];
        const bool is_accessor = node.in_header && node.children.empty() && !mark_of.contains(n);
        if (is_accessor) return;
        text += std::string(at(2 * depth), ' ') + node.name + (mark_of.contains(n) ? "  # " + mark_of[n] : "") + '\n';
        if (!open.contains(n)) return;
        for (const int child : node.children) self(self, child, depth + 1);
    };
    if (!nodes_.empty()) print_node(print_node, 0, 0);
    return text;
}

}  // namespace rattleback::trace
