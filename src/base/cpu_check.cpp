// Asks the processor for its instruction sets.
#include "base/cpu_check.h"

#include <cstdlib>
#include <string_view>

namespace rattleback
{

bool cpu_has_x86_64_v3()
{
#if defined(__x86_64__) && defined(__clang__)
    // Clang 14 does not know the name of the level; every processor with these has the rest of it.
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("bmi2");
#elif defined(__x86_64__)
    return __builtin_cpu_supports("x86-64-v3") != 0;
#else
    return false;
#endif
}

bool has_wide_lanes()
{
#if defined(RATTLEBACK_WIDE)
    static const bool found = []
    {
        const char* wanted = std::getenv("RATTLEBACK_WIDE");
        return __builtin_cpu_supports("x86-64-v4") != 0 && !(wanted && std::string_view(wanted) == "0");
    }();
    return found;
#else
    return false;
#endif
}

bool cpu_runs_this_build()
{
#if defined(__AVX2__)  // not __FMA__: see docs/decisions/002
    return cpu_has_x86_64_v3();
#else
    return true;
#endif
}

}  // namespace rattleback
