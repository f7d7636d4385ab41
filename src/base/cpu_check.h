// Whether this processor can run this build, asked before anything else does.
#pragma once

namespace rattleback
{

/// True when the processor has x86-64-v3: AVX2, FMA, BMI1, BMI2, F16C, LZCNT, MOVBE, and the system saves the wide
/// registers. False on other architectures.
bool cpu_has_x86_64_v3();

/// True when this library has packs of 512 bits and the processor has x86-64-v4: AVX-512 F, BW, CD, DQ and VL. Results
/// are the same without them; the environment variable RATTLEBACK_WIDE=0 leaves them out.
bool has_wide_lanes();

/// False when this library was compiled for x86-64-v3 and the processor lacks it: the program should say so and end.
bool cpu_runs_this_build();

/// Prints that and ends the program. Called before all initialisers of what links the library. The priority stands
/// here, because g++ forgets one that comes after a declaration without it.
[[gnu::constructor(101)]] void refuse_old_processor();

}  // namespace rattleback
