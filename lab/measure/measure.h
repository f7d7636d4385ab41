// Measuring honestly: CPU time, medians of alternating runs, a calibration kernel, instruction counts.
#pragma once

#include <rattleback/error.h>

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace rattleback::lab
{

/// CPU time of this thread, and of the whole process [s].
double thread_seconds();
double process_seconds();
/// CPU time of programs that were run and have ended [s].
double children_seconds();
/// Time on the wall [s], from an arbitrary start.
double wall_seconds();

/// The most memory that this process has held since reset_peak_memory(), resident [MB]; 0 where that is not told.
double find_peak_memory();
void reset_peak_memory();

/// A sentence when other work keeps this machine busy, so that times on the wall mean little; otherwise "".
std::string describe_load();

/// The middle of the values (mean of the two middle ones); NaN when there are none.
double median(std::vector<double> values);

/// Runs the candidates in turn, `rounds` times, so that a slow moment of the machine meets all of them; the median of
/// what each one returned.
std::vector<double> median_of_alternating(std::span<const std::function<double()>> candidates, int rounds);

/// CPU nanoseconds per turn of a fixed loop of dependent multiplications and additions: a ruler for comparing figures
/// of different machines.
double measure_calibration();

/// Single precision multiply-adds of one core in vectors of eight, counted as two operations each [GFLOP/s]; 0 where
/// the processor has none.
double measure_multiply_adds();
/// Copying memory far larger than the caches, bytes read and written [GB/s].
double measure_copying();

/// Slope of log(y) over log(x) by least squares: the exponent of a power law.
double find_exponent(std::span<const double> x, std::span<const double> y);

/// This program's own file, for running it again.
std::string own_program();

/// Runs a program to its end, its output thrown away; its exit code, or why it could not start.
Result<int> run_program(const std::vector<std::string>& arguments);

/// Instructions that a program executes in user mode from start to end, by callgrind or, without it, `perf stat`.
Result<double> count_instructions(const std::vector<std::string>& arguments);

}  // namespace rattleback::lab
