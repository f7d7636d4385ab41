// SensorHistory: samples of sensors that are read late, or measured less often than the world steps.
#pragma once

#include <rattleback/model.h>

namespace rattleback
{

/// Where the samples of a model's sensors stand in a list of numbers of each world. A measurement becomes a sample when
/// the world goes on: what is read late is at least one step old, as in MuJoCo.
class SensorHistory
{
public:
    SensorHistory(const Model& model, double dt);

    int number_count() const { return count_; }  ///< per world
    bool empty() const { return sensors_.empty(); }

    /// Before the first step: zeros, one step or interval apart, up to `time` [s].
    void start(double time, std::span<double> numbers) const;
    /// The world goes on: what was measured last becomes a sample, the oldest goes.
    void advance(std::span<double> numbers) const;
    /// Takes what all sensors measure at `time`, and puts in its place what they tell. `keep`: the measurement becomes
    /// a sample when the world goes on; without it the numbers stay as they are.
    void publish(double time, bool keep, std::span<double> numbers, std::span<double> values) const;

private:
    /// Numbers of one sensor: time and values of the last measurement, when the next is due, then samples with the time
    /// first, the oldest first.
    struct Part
    {
        int sensor = 0;
        std::size_t begin = 0, size = 0, samples = 0;

        std::size_t first_sample() const { return begin + 2 + size; }
        std::size_t at(std::size_t sample) const { return first_sample() + sample * (1 + size); }
    };
    void read(const Part& part, double time, std::span<const double> numbers, std::span<double> out) const;

    const Model& model_;
    double dt_;
    std::vector<Part> sensors_;
    int count_ = 0;
};

}  // namespace rattleback
