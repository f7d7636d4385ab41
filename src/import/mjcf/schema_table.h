// The rows of the schema, in a small notation that schema.cpp takes apart.
#pragma once

#include <span>

#include "import/mjcf/schema.h"

namespace rattleback::mjcf
{

/// One element. `contexts`: where it may stand, separated by blanks. `children`: the context of what stands in it.
/// `attributes`: separated by blanks, each "name:type" and then
///   a count      "3" exactly three numbers, "1-3" one to three, "*" any
///   "=value"     the value where nothing is said (commas for blanks)
///   "{a|b}"      the words allowed
///   "!" required, "~" ignored, "^" refused unless it says the default
/// Types: r real, i integer, b boolean, w word, s text, f file, name, @kind a reference.
/// "$set" stands for a set of attributes that several elements share, "$JointRows" and the like for those that the rows
/// of model/fields name.
struct TableRow
{
    const char* contexts;
    const char* name;
    const char* children;
    const char* kind;
    Use use;
    const char* attributes;
};

/// A set of attributes with a name.
struct TableSet
{
    const char* name;
    const char* attributes;
};

std::span<const TableRow> table_rows();
std::span<const TableSet> table_sets();

}  // namespace rattleback::mjcf
