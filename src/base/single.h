// Rounding to single precision, in which other programs keep their numbers.
#pragma once

namespace rattleback
{

/// The nearest 32-bit number. By way of memory: GCC 12 drops (double)(float)x where it makes several at once.
inline double round_to_single(double x)
{
    const volatile float rounded = static_cast<float>(x);
    return static_cast<double>(rounded);
}

}  // namespace rattleback
