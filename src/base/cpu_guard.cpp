// Runs before anything else of a program with this library, and says so politely when the processor cannot run it.
#include "base/cpu_check.h"

#include <unistd.h>

#include <cstring>

namespace rattleback
{

// Before all other initialisers: any of them may already use the wide registers. This file is compiled for any CPU.
void refuse_old_processor()
{
#if defined(__x86_64__)
    __builtin_cpu_init();  // the runtime library may not have had its turn yet
#endif
    if (cpu_runs_this_build()) return;
    const char* message =
        "rattleback: this build needs a processor with x86-64-v3 (AVX2, FMA, BMI2; Intel since 2013, AMD since 2015).\n"
        "            Build the preset `portable` instead: cmake --preset portable && cmake --build --preset portable\n";
    const ssize_t written = write(STDERR_FILENO, message, std::strlen(message));
    static_cast<void>(written);
    _exit(2);
}

}  // namespace rattleback
