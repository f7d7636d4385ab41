// RB_FLATTEN: everything that a function calls is compiled into it.
#pragma once

// Formulas over packs are made of many small functions. Left alone, GCC stops inlining them where a unit has grown by
// two fifths, and vectors then travel through memory. On the innermost loops alone: code grows.
#if defined(__GNUC__) && !defined(__CUDACC__)
#define RB_FLATTEN __attribute__((flatten))
#else
#define RB_FLATTEN
#endif
