// What every fuzz target shares: the entry point, and the claims that must hold for any input.
#pragma once

#include <rattleback/error.h>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <span>
#include <string_view>

/// Called by libFuzzer, or by replay.cpp for every file of a folder. Ends the process where a claim does not hold.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace rattleback
{

/// A claim about any input whatsoever.
inline void require(bool holds, const char* claim)
{
    if (holds) return;
    std::fprintf(stderr, "does not hold: %s\n", claim);
    std::abort();
}

/// A refused input comes with at least one error, each of which says what is wrong, and where if `placed`.
template <class T>
void require_explained(const Result<T>& result, bool placed)
{
    require(result.ok() == result.errors().empty(), "a result is a value or errors, never both");
    for (const Error& error : result.errors())
    {
        require(!error.message.empty(), "every error has a message");
        require(!placed || !error.where.empty(), "every error has a place");
    }
}

inline std::span<const std::byte> as_bytes(const std::uint8_t* data, std::size_t size)
{
    return std::as_bytes(std::span(data, size));
}

inline std::string_view as_text(const std::uint8_t* data, std::size_t size)
{
    return {reinterpret_cast<const char*>(data), size};
}

}  // namespace rattleback
