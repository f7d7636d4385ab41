// Errors as exceptions with the same text, ids as Python's classes, and what the headers say.
#include "bindings.h"

#include <nanobind/stl/string.h>

#include <algorithm>
#include <stdexcept>

namespace rattleback::python
{

namespace
{

struct HeaderText
{
    std::string_view name;
    const char* text;
};
// Written by read_headers.py from include/rattleback, sorted by name.
constexpr HeaderText kHeaderTexts[] = {
#include "header_texts.inc"
};

/// What a failed check throws.
class CheckFailure : public std::runtime_error
{
public:
    using std::runtime_error::runtime_error;
};

void throw_failure(const std::string& message) { throw CheckFailure(message); }

}  // namespace

const char* find_doc(std::string_view name)
{
    const auto* found =
        std::ranges::lower_bound(kHeaderTexts, name, {}, [](const HeaderText& entry) { return entry.name; });
    return found != std::end(kHeaderTexts) && found->name == name ? found->text : nullptr;
}

const char* doc(std::string_view name)
{
    const char* text = find_doc(name);
    if (text == nullptr) throw nb::import_error(("the headers say nothing about " + std::string(name)).c_str());
    return text;
}

nb::object find_class(const char* name) { return nb::module_::import_("rattleback._base").attr(name); }

nb::list to_list(const std::vector<Error>& errors)
{
    const nb::object item = find_class("ErrorItem");
    nb::list items;
    for (const Error& error : errors) items.append(item(to_string(error.code), error.where, error.message, error.hint));
    return items;
}

void raise_errors(const std::vector<Error>& errors)
{
    const nb::object type = find_class("Error");
    PyErr_SetObject(type.ptr(), type(to_list(errors)).ptr());
    throw nb::python_error();
}

void install_check_handler(nb::module_& /*module*/)
{
    set_check_handler(&throw_failure);
    nb::register_exception_translator(
        [](const std::exception_ptr& pointer, void*)
        {
            try
            {
                std::rethrow_exception(pointer);
            }
            catch (const CheckFailure& failure)
            {
                PyErr_SetString(find_class("UsageError").ptr(), failure.what());
            }
        },
        nullptr);
}

nb::object make_id(const char* class_name, int index) { return find_class(class_name)(index); }

}  // namespace rattleback::python
