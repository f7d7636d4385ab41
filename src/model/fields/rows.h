// Rows of the tables of fields: a field is named once, with where it is kept, what it must be and how MJCF spells it.
#pragma once

#include <rattleback/model.h>

namespace rattleback
{

/// What the numbers of a field must be; ranges, softness and poses have one meaning each.
enum class Check
{
    usual,  ///< finite
    not_negative,
    positive,
    bound,      ///< positive, infinity allowed
    elsewhere,  ///< a check of its own
};

/// How long an array of the Model is.
enum class Length
{
    count,           ///< one item for each element of its table
    count_plus_one,  ///< where each element's items begin, and the end
    own,             ///< items of other elements, or several for each
};

// `mjcf` in rows: the attributes behind a field, in the notation of import/mjcf/schema_table.h, or by name alone where
// the schema says the rest. Ranges have two, the flag and the bounds, and softness has two, solref and solimp. Empty:
// MJCF has no word for it.

/// Kept in the options of the builder and, under the same name, in an array of the Model.
template <class O, class V, class T, class I>
struct Field
{
    using Table = T;
    const char* name;
    V O::* option;
    std::vector<I> T::* array;
    Check check = Check::usual;
    const char* mjcf = "";
    const char* words = "";  ///< what messages call it, where that is not its name
};
template <class O, class V, class T, class I, class... Rest>
Field(const char*, V O::*, std::vector<I> T::*, Rest...) -> Field<O, V, T, I>;

/// Kept in the options alone: the Model holds what follows from it.
template <class O, class V>
struct Option
{
    using Table = void;
    const char* name;
    V O::* option;
    Check check = Check::usual;
    const char* mjcf = "";
};
template <class O, class V, class... Rest>
Option(const char*, V O::*, Rest...) -> Option<O, V>;

/// Kept in the Model alone: derived, or made of several options.
template <class T, class I>
struct Array
{
    using Table = T;
    const char* name;
    std::vector<I> T::* array;
    Check check = Check::usual;
    Length length = Length::count;
};
template <class T, class I, class... Rest>
Array(const char*, std::vector<I> T::*, Rest...) -> Array<T, I>;

/// visit(row) for the rows whose value is in the options: Field and Option.
template <class Rows, class Visit>
constexpr void visit_options(Visit&& visit)
{
    Rows::visit(
        [&](const auto& row)
        {
            // Whether a row has an option is known when compiling: rows without one cost nothing.
            if constexpr (requires { row.option; }) visit(row);
        });
}

/// visit(row) for the rows whose value is in an array of this table of the Model, in the order of the struct.
template <class Rows, class Table, class Visit>
constexpr void visit_arrays(Visit&& visit)
{
    Rows::visit(
        [&](const auto& row)
        {
            if constexpr (std::is_same_v<typename std::remove_cvref_t<decltype(row)>::Table, Table>) visit(row);
        });
}

/// visit(row) for the rows that both have.
template <class Rows, class Table, class Visit>
constexpr void visit_fields(Visit&& visit)
{
    visit_arrays<Rows, Table>(
        [&](const auto& row)
        {
            if constexpr (requires { row.option; }) visit(row);
        });
}

/// How long the array of a row is: that of a field has an item for each element.
template <class Row>
constexpr Length row_length(const Row& row)
{
    if constexpr (requires { row.length; }) return row.length;
    return Length::count;
}

/// Does every array of a table have a row? A vector takes the same space whatever it holds.
template <class Rows, class Table>
constexpr bool is_complete()
{
    std::size_t count = 0;
    visit_arrays<Rows, Table>([&](const auto&) { ++count; });
    // One std::vector per array and nothing else in the struct: the size counts them.
    return sizeof(Table) == count * sizeof(std::vector<int>);
}

/// What messages call a field: "dry_friction" is "dry friction".
template <class Row>
std::string label_of(const Row& row)
{
    if constexpr (requires { row.words; })
    {
        if (*row.words != 0) return row.words;
    }
    std::string words = row.name;
    // Messages speak words, code speaks identifiers.
    for (char& c : words) c = c == '_' ? ' ' : c;
    return words;
}

/// Do two elements agree in all that the rows name?
template <class Rows, class Options>
bool have_same_options(const Options& a, const Options& b)
{
    bool same = true;
    visit_options<Rows>([&](const auto& row) { same = same && a.*row.option == b.*row.option; });
    return same;
}

/// Room for the fields of `count` elements.
template <class Rows, class Table>
void reserve_fields(std::size_t count, Table& table)
{
    visit_fields<Rows, Table>([&](const auto& row) { (table.*row.array).reserve(count); });
}

/// The fields of one element go to the arrays of a table.
template <class Rows, class Options, class Table>
void append_fields(const Options& options, Table& table)
{
    visit_fields<Rows, Table>(
        [&](const auto& row)
        {
            using Item = typename std::remove_cvref_t<decltype(table.*row.array)>::value_type;
            (table.*row.array).push_back(static_cast<Item>(options.*row.option));
        });
}

/// And back: element `index` of a table.
template <class Rows, class Options, class Table>
void copy_fields(const Table& table, std::size_t index, Options& options)
{
    visit_fields<Rows, Table>(
        [&](const auto& row)
        {
            using Value = std::remove_cvref_t<decltype(options.*row.option)>;
            options.*row.option = static_cast<Value>((table.*row.array)[index]);
        });
}

}  // namespace rattleback
