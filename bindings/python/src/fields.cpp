// Texts of signatures, and the message for keywords that do not exist.
#include "fields.h"

#include <deque>
#include <limits>

namespace rattleback::python
{

std::string literal_type(const char* (*spell)(int), int count)
{
    std::string text = "typing.Literal[";
    for (int i = 0; i < count; ++i) text += (i == 0 ? "" : ", ") + literal(std::string(spell(i)));
    return text + "]";
}

std::string literal(bool value) { return value ? "True" : "False"; }
std::string literal(int value) { return std::to_string(value); }
std::string literal(double value)
{
    if (value == std::numeric_limits<double>::infinity()) return "float('inf')";
    return nb::cast<std::string>(nb::repr(nb::float_(value)));
}
std::string literal(const std::string& value) { return nb::cast<std::string>(nb::repr(nb::str(value.c_str()))); }
std::string literal(const double* values, int count)
{
    std::string text = "(";
    for (int i = 0; i < count; ++i) text += (i == 0 ? "" : ", ") + literal(values[i]);
    return text + ")";
}

void raise_unknown_keyword(const std::string& place, nb::handle key, const std::vector<const char*>& known)
{
    nb::list names;
    for (const char* name : known) names.append(name);
    const nb::object near = nb::module_::import_("difflib").attr("get_close_matches")(key, names, 1);
    std::string text = place + ": unknown argument '" + nb::cast<std::string>(key) + "'";
    if (nb::len(near) > 0)
        text += " (did you mean '" + nb::cast<std::string>(near[0]) + "'?)";
    else
        text += " (it takes " + nb::cast<std::string>(nb::str(", ").attr("join")(names)) + ")";
    throw nb::type_error(text.c_str());
}

const char* keep(std::string text)
{
    static std::deque<std::string> kept;  // a deque does not move what it holds
    return kept.emplace_back(std::move(text)).c_str();
}

}  // namespace rattleback::python
