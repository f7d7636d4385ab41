// StageTimer: seconds per stage of a step; costs one branch when switched off.
#pragma once

#include <array>
#include <chrono>

namespace rattleback
{

/// Charges the time since the last mark to a stage.
class StageTimer
{
public:
    explicit StageTimer(bool on) : on_(on)
    {
        if (on_) last_ = Clock::now();
    }

    /// The time since the last mark belongs to stage `index`.
    void mark(int index)
    {
        if (!on_) return;
        const Clock::time_point now = Clock::now();
        seconds_[static_cast<std::size_t>(index)] += std::chrono::duration<double>(now - last_).count();
        last_ = now;
    }

    bool on() const { return on_; }
    double seconds(int index) const { return seconds_[static_cast<std::size_t>(index)]; }

private:
    using Clock = std::chrono::steady_clock;
    bool on_;
    Clock::time_point last_;
    std::array<double, 16> seconds_{};
};

}  // namespace rattleback
