// Option structs as keyword arguments: one table of fields serves reading, signatures and docstrings.
#pragma once

#include "convert.h"

#include <vector>

namespace rattleback::python
{

/// One member of an option struct.
template <class Options>
struct Field
{
    const char* name;
    std::string (*type)();                         ///< as written in a signature
    std::string (*literal)(const Options& value);  ///< as written in a signature, for the default
    void (*set)(Options& options, nb::handle given);
};

template <auto Member>
struct MemberOf;
template <class C, class T, T C::* Member>
struct MemberOf<Member>
{
    using Class = C;
    using Type = T;
};

// How Python writes a type, and a value of it.
std::string literal_type(const char* (*spell)(int), int count);
template <class T>
std::string type_text()
{
    if constexpr (std::is_same_v<T, bool>)
        return "bool";
    else if constexpr (std::is_same_v<T, int> || std::is_same_v<T, std::uint32_t>)
        return "int";
    else if constexpr (std::is_same_v<T, double>)
        return "float";
    else if constexpr (std::is_same_v<T, std::string>)
        return "str";
    else if constexpr (std::is_enum_v<T>)
        return literal_type([](int i) { return to_string(static_cast<T>(i)); }, enumerator_count<T>);
    else if constexpr (std::is_same_v<T, Range>)
        return "tuple[float, float] | None";
    else if constexpr (std::is_same_v<T, Softness>)
        return "rattleback._base.Rigid | rattleback._base.Spring | rattleback._base.Impedance";
    else if constexpr (std::is_same_v<T, std::optional<Inertia>>)
        return "rattleback._base.Inertia | None";
    else if constexpr (std::is_same_v<T, std::optional<double>>)
        return "float | None";
    else if constexpr (std::is_same_v<T, SensorTarget>)
        return "rattleback._base.SensorTarget";
    else if constexpr (std::is_same_v<T, Cable>)
        return "rattleback._base.Cable";
    else if constexpr (requires(T id) { id.valid(); })
        return "typing.SupportsIndex | None";
    else if constexpr (std::is_same_v<T, std::vector<std::vector<std::byte>>>)
        return "collections.abc.Sequence[bytes]";
    else if constexpr (requires(T optional) { optional.has_value(); })
        return "numpy.typing.ArrayLike | None";
    else
        return "numpy.typing.ArrayLike";
}
std::string literal(bool value);
std::string literal(int value);
std::string literal(double value);
std::string literal(const std::string& value);
std::string literal(const double* values, int count);
template <class T>
std::string literal_of(const T& value)
{
    if constexpr (std::is_same_v<T, bool> || std::is_same_v<T, int> || std::is_same_v<T, double> ||
                  std::is_same_v<T, std::string>)
        return literal(value);
    else if constexpr (std::is_same_v<T, std::uint32_t>)
        return literal(static_cast<int>(value));
    else if constexpr (std::is_enum_v<T>)
        return literal(std::string(to_string(value)));
    else if constexpr (std::is_same_v<T, Vec3>)
        return literal(&value.x, 3);
    else if constexpr (std::is_same_v<T, Quat>)
        return literal(&value.w, 4);
    else if constexpr (requires { value.valid(); })
        return value.valid() ? literal(value.index) : "None";
    else if constexpr (requires { value.has_value(); } || std::is_same_v<T, Range>)
        return "None";
    else
        return "...";
}

template <auto Member>
Field<typename MemberOf<Member>::Class> field(const char* name)
{
    using Options = typename MemberOf<Member>::Class;
    using Type = typename MemberOf<Member>::Type;
    return {name, &type_text<Type>, [](const Options& options) { return literal_of(options.*Member); },
            [](Options& options, nb::handle given) { assign(given, options.*Member); }};
}

/// "name: str = '', position: Vector = (0.0, 0.0, 0.0)" and so on, after a star.
template <class Options>
std::string keyword_text(const std::vector<Field<Options>>& fields)
{
    const Options defaults{};
    std::string text = "*";
    for (const Field<Options>& one : fields)
        text += std::string(", ") + one.name + ": " + one.type() + " = " + one.literal(defaults);
    return text;
}

/// What the headers say about each field, one line each.
template <class Options>
std::string describe(const char* options_name, const std::vector<Field<Options>>& fields)
{
    std::string text = "\n";
    for (const Field<Options>& one : fields)
    {
        if (const char* words = find_doc(std::string(options_name) + "::" + one.name))
            text += std::string("\n") + one.name + ": " + words;
    }
    return text;
}

[[noreturn]] void raise_unknown_keyword(const std::string& place, nb::handle key,
                                        const std::vector<const char*>& known);

/// Options from keyword arguments; a TypeError for unknown names and values of a wrong kind.
template <class Options>
Options read_fields(const char* place, nb::handle keywords, const std::vector<Field<Options>>& fields)
{
    Options options{};
    for (auto [key, given] : nb::borrow<nb::dict>(keywords))
    {
        const std::string name = nb::cast<std::string>(key);
        const Field<Options>* found = nullptr;
        for (const Field<Options>& one : fields)
        {
            if (name == one.name) found = &one;
        }
        if (found == nullptr)
        {
            std::vector<const char*> known;
            for (const Field<Options>& one : fields) known.push_back(one.name);
            raise_unknown_keyword(place, key, known);
        }
        try
        {
            found->set(options, given);
        }
        catch (const Mismatch& mismatch)
        {
            raise_mismatch(std::string(place) + ": " + name, mismatch, given);
        }
    }
    return options;
}

/// Texts that live as long as the program, as nanobind wants signatures.
const char* keep(std::string text);

}  // namespace rattleback::python
