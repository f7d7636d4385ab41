// AllocationWatch: the largest piece of memory asked for while it lives.
#pragma once

#include <cstddef>

namespace rattleback
{

class AllocationWatch
{
public:
    AllocationWatch();
    std::size_t largest() const;  ///< [bytes]
};

}  // namespace rattleback
