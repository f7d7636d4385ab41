// Counts and indices are int in this library, sizes of containers std::size_t: the one conversion between them.
#pragma once

#include <rattleback/ids.h>

#include <cstddef>
#include <type_traits>

namespace rattleback
{

constexpr std::size_t at(int index) { return static_cast<std::size_t>(index); }

template <class Tag>
constexpr std::size_t at(Id<Tag> id)
{
    return at(id.index);
}

/// For arrays with one item per enumerator.
template <class Enumeration>
    requires std::is_enum_v<Enumeration>
constexpr std::size_t at(Enumeration item)
{
    return static_cast<std::size_t>(item);
}

}  // namespace rattleback
