// Monotonic time in seconds, for reports; never an input of a simulation.
#pragma once

#include <chrono>

namespace rattleback
{

/// Seconds since some fixed moment; never runs backwards.
inline double read_clock()
{
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/// Seconds since it was made or restarted.
class Timer
{
public:
    double seconds() const { return read_clock() - start_; }
    /// The seconds so far; counting begins again.
    double restart()
    {
        const double now = read_clock();
        const double elapsed = now - start_;
        start_ = now;
        return elapsed;
    }

private:
    double start_ = read_clock();
};

}  // namespace rattleback
