// all_of for a whole range, as std::ranges has it where the standard library has ranges.
#pragma once

#include <algorithm>
#include <iterator>

namespace rattleback
{

template <class Range, class Test>
bool all_of(const Range& range, Test&& test)
{
    return std::all_of(std::begin(range), std::end(range), test);
}

}  // namespace rattleback
