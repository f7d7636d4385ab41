// The calibration kernel of multiply-adds.
#include "lab/measure/measure.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace rattleback::lab
{

#if defined(__x86_64__)

namespace
{

constexpr int kChains = 12;  ///< independent sums, enough to hide the latency of two units

/// GFLOP/s of one stretch; the sum goes to `result` so that nothing is left out.
__attribute__((target("avx2,fma"))) double time_multiply_adds(int turns, float& result)
{
    __m256 sums[kChains];
    for (int c = 0; c < kChains; ++c) sums[c] = _mm256_set1_ps(0.1F * static_cast<float>(c));
    const __m256 factor = _mm256_set1_ps(0.999F), summand = _mm256_set1_ps(1e-3F);
    const double begin = thread_seconds();
    for (int i = 0; i < turns; ++i)
    {
#pragma GCC unroll 12
        for (int c = 0; c < kChains; ++c) sums[c] = _mm256_fmadd_ps(sums[c], factor, summand);
    }
    const double seconds = thread_seconds() - begin;
    __m256 total = sums[0];
    for (int c = 1; c < kChains; ++c) total = _mm256_add_ps(total, sums[c]);
    result = _mm256_cvtss_f32(total);
    return 2e-9 * 8 * kChains * turns / seconds;
}

}  // namespace

double measure_multiply_adds()
{
    if (__builtin_cpu_supports("avx2") == 0 || __builtin_cpu_supports("fma") == 0) return 0;
    std::vector<double> seen;
    for (int round = 0; round < 5; ++round)
    {
        float sum = 0;
        seen.push_back(time_multiply_adds(5'000'000, sum));
        volatile float kept = sum;
        (void)kept;
    }
    return median(seen);
}

#else

double measure_multiply_adds() { return 0; }

#endif

}  // namespace rattleback::lab
