// RB_APART: a function that is not compiled into those that call it, not even into flattened ones.
#pragma once

// For rare branches of formulas: compiled into the common one, what both share is computed early and spilled on every
// way through.
#if defined(__GNUC__) && !defined(__CUDACC__)
#define RB_APART __attribute__((noinline))
#else
#define RB_APART
#endif
