// Clocks, medians and the calibration kernel.
#include "lab/measure/measure.h"

#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <fstream>
#include <limits>
#include <thread>

namespace rattleback::lab
{

namespace
{

double read_clock(clockid_t clock)
{
    timespec now{};
    clock_gettime(clock, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

}  // namespace

double thread_seconds() { return read_clock(CLOCK_THREAD_CPUTIME_ID); }
double process_seconds() { return read_clock(CLOCK_PROCESS_CPUTIME_ID); }
double wall_seconds() { return read_clock(CLOCK_MONOTONIC); }

double children_seconds()
{
    rusage usage{};
    getrusage(RUSAGE_CHILDREN, &usage);
    const auto seconds = [](const timeval& t)
    { return static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_usec); };
    return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

double find_peak_memory()
{
    // Linux: "VmHWM:  12345 kB".
    std::ifstream file("/proc/self/status");
    for (std::string word; file >> word;)
    {
        double kilobytes = 0;
        if (word == "VmHWM:" && file >> kilobytes) return kilobytes / 1024;
    }
    return 0;
}

void reset_peak_memory() { std::ofstream("/proc/self/clear_refs") << "5"; }

std::string describe_load()
{
    double load = 0;
    if (getloadavg(&load, 1) != 1) return "";
    const unsigned cores = std::thread::hardware_concurrency();
    if (load < 0.3 * cores) return "";
    return fmt::format("load average {:.1f} on {} cores before the run: figures of wall time are disturbed", load,
                       cores);
}

double median(std::vector<double> values)
{
    if (values.empty()) return std::numeric_limits<double>::quiet_NaN();
    std::sort(values.begin(), values.end());
    const std::size_t half = values.size() / 2;
    return values.size() % 2 == 1 ? values[half] : 0.5 * (values[half - 1] + values[half]);
}

std::vector<double> median_of_alternating(std::span<const std::function<double()>> candidates, int rounds)
{
    std::vector<std::vector<double>> seen(candidates.size());
    for (int round = 0; round < rounds; ++round)
    {
        for (std::size_t i = 0; i < candidates.size(); ++i) seen[i].push_back(candidates[i]());
    }
    std::vector<double> medians;
    for (std::vector<double>& values : seen) medians.push_back(median(std::move(values)));
    return medians;
}

double measure_calibration()
{
    constexpr int kTurns = 2'000'000;
    std::vector<double> seen;
    for (int round = 0; round < 5; ++round)
    {
        // The logistic map: every turn waits for the one before, so the figure is latency, not vector width.
        volatile double start = 0.37;
        double x = start;
        const double begin = thread_seconds();
        for (int i = 0; i < kTurns; ++i) x = 3.9 * x * (1 - x);
        const double end = thread_seconds();
        start = x;
        seen.push_back(1e9 * (end - begin) / kTurns);
    }
    return median(seen);
}

double find_exponent(std::span<const double> x, std::span<const double> y)
{
    double sx = 0, sy = 0, sxx = 0, sxy = 0;
    const auto n = static_cast<double>(x.size());
    for (std::size_t i = 0; i < x.size(); ++i)
    {
        const double u = std::log(x[i]), v = std::log(y[i]);
        sx += u;
        sy += v;
        sxx += u * u;
        sxy += u * v;
    }
    return (n * sxy - sx * sy) / (n * sxx - sx * sx);
}

double measure_copying()
{
    constexpr std::size_t kBytes = std::size_t{1} << 28;
    std::vector<char> from(kBytes, 1), to(kBytes, 2);  // both are written, so that every page is there
    std::vector<double> seen;
    for (int round = 0; round < 5; ++round)
    {
        const double begin = thread_seconds();
        std::memcpy(to.data(), from.data(), kBytes);
        seen.push_back(2e-9 * static_cast<double>(kBytes) / (thread_seconds() - begin));
        std::swap(from, to);
    }
    return median(seen);
}

}  // namespace rattleback::lab
