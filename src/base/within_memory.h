// within_memory: memory that is not there, as an error instead of an exception: for calls that read what others wrote.
#pragma once

#include <rattleback/error.h>

#include <filesystem>
#include <new>
#include <stdexcept>

namespace rattleback
{

/// What `read` returns, or an error at `place` (a text or a path) if memory ended in it. What it began is given back by
/// then.
template <class Place, class Read>
auto within_memory(const Place& place, const Read& read) -> decltype(read())
{
    const auto refuse = [&]
    {
        return Error{ErrorCode::limit, std::filesystem::path(place).string(), "there is not enough memory to read it",
                     "a smaller input, or more memory"};
    };
    try
    {
        return read();
    }
    catch (const std::bad_alloc&)
    {
        return refuse();
    }
    catch (const std::length_error&)  // a container of more than there are addresses
    {
        return refuse();
    }
}

}  // namespace rattleback
