// Samples, and reading between them: held, linear, or Catmull and Rom's cubic.
#include "engine/sensor_history.h"

#include "base/index.h"

#include <algorithm>
#include <cmath>

namespace rattleback
{

SensorHistory::SensorHistory(const Model& model, double dt) : model_(model), dt_(dt)
{
    const Sensors& s = model.sensors;
    std::size_t count = 0;
    for (std::size_t i = 0; i < s.type.size(); ++i)
    {
        // Samples alone change nothing that is told.
        if (s.samples[i] == 0 || (s.delay[i] == 0 && s.interval[i][0] == 0)) continue;
        sensors_.push_back({static_cast<int>(i), count, rattleback::at(s.size[i]), rattleback::at(s.samples[i])});
        count = sensors_.back().at(sensors_.back().samples);
    }
    count_ = static_cast<int>(count);
}

void SensorHistory::start(double time, std::span<double> numbers) const
{
    std::fill(numbers.begin(), numbers.end(), 0.0);
    for (const Part& part : sensors_)
    {
        const auto [period, phase] = model_.sensors.interval[rattleback::at(part.sensor)];
        // Of an interval: the last moment in the past at which it was measured; measured first a period later.
        const double last = period > 0 ? (phase < 0 ? phase : -period) : -dt_;
        const double apart = period > 0 ? period : dt_;
        numbers[part.begin] = time;
        numbers[part.begin + 1] = time + last + period;
        for (std::size_t k = 0; k < part.samples; ++k)
        {
            // measured at the first step at or after its moment
            const double moment = last - apart * static_cast<double>(part.samples - 1 - k);
            numbers[part.at(k)] = time + dt_ * std::ceil(moment / dt_ - 1e-9);
        }
    }
}

void SensorHistory::advance(std::span<double> numbers) const
{
    for (const Part& part : sensors_)
    {
        const double period = model_.sensors.interval[rattleback::at(part.sensor)][0];
        double& due = numbers[part.begin + 1];
        const double time = numbers[part.begin];
        if (period > 0 && time < due) continue;
        // the first whole period that is later
        if (period > 0) due += period * std::floor((time - due) / period + 1);
        const auto first = numbers.begin() + static_cast<std::ptrdiff_t>(part.first_sample());
        std::copy(first + static_cast<std::ptrdiff_t>(1 + part.size),
                  numbers.begin() + static_cast<std::ptrdiff_t>(part.at(part.samples)), first);
        const std::size_t last = part.at(part.samples - 1);
        numbers[last] = time;
        std::copy_n(&numbers[part.begin + 2], part.size, &numbers[last + 1]);
    }
}

void SensorHistory::publish(double time, bool keep, std::span<double> numbers, std::span<double> values) const
{
    for (const Part& part : sensors_)
    {
        const std::size_t s = rattleback::at(part.sensor);
        const std::span<double> out = values.subspan(rattleback::at(model_.sensors.begin[s]), part.size);
        if (keep)
        {
            numbers[part.begin] = time;
            std::copy(out.begin(), out.end(), &numbers[part.begin + 2]);
        }
        const bool late = model_.sensors.delay[s] > 0;
        if (late)
            read(part, time - model_.sensors.delay[s], numbers, out);
        else if (time < numbers[part.begin + 1])
            std::copy_n(&numbers[part.at(part.samples - 1) + 1], part.size, out.begin());
    }
}

void SensorHistory::read(const Part& part, double time, std::span<const double> numbers, std::span<double> out) const
{
    // The last sample that is not later; the first where all are.
    const double slack = 1e-9 * dt_;  // sums of dt are not multiples of it
    std::size_t k = part.samples - 1;
    while (k > 0 && numbers[part.at(k)] > time + slack) --k;
    const Interpolation way = model_.sensors.interpolation[rattleback::at(part.sensor)];
    const std::size_t next = std::min(k + 1, part.samples - 1);
    const double from = numbers[part.at(k)], to = numbers[part.at(next)];
    const bool between = next > k && time > from && way != Interpolation::hold;
    const double u = between ? (time - from) / (to - from) : 0;
    const auto value = [&](std::size_t sample, std::size_t i) { return numbers[part.at(sample) + 1 + i]; };
    const std::size_t before = k > 0 ? k - 1 : 0, after = std::min(next + 1, part.samples - 1);
    for (std::size_t i = 0; i < part.size; ++i)
    {
        const double a = value(k, i), b = value(next, i);
        if (way != Interpolation::cubic)
        {
            out[i] = a + u * (b - a);
            continue;
        }
        // Hermite's cubic with the slopes of the neighbours.
        const double slope_a = 0.5 * (b - value(before, i)), slope_b = 0.5 * (value(after, i) - a);
        const double u2 = u * u, u3 = u2 * u;
        out[i] = (2 * u3 - 3 * u2 + 1) * a + (u3 - 2 * u2 + u) * slope_a + (3 * u2 - 2 * u3) * b + (u3 - u2) * slope_b;
    }
}

}  // namespace rattleback
