// Cutoff and noise of sensor values.
#include "engine/sensors.h"

#include "math/elementary.h"

#include <algorithm>
#include <cmath>

namespace rattleback
{

namespace
{

enum class Values
{
    real,
    positive,  ///< never below zero: only the upper bound of a cutoff
    unit,      ///< a rotation or an axis: has no cutoff
    own,       ///< the cutoff means something else, or nothing
};

Values kind_of(SensorType type)
{
    switch (type)
    {
        case SensorType::touch:
        case SensorType::tactile:
        case SensorType::inside_site:
            return Values::positive;
        case SensorType::frame_rotation:
        case SensorType::ball_rotation:
        case SensorType::frame_x_axis:
        case SensorType::frame_y_axis:
        case SensorType::frame_z_axis:
        case SensorType::distance_normal:
            return Values::unit;
        case SensorType::distance:
        case SensorType::distance_segment:
        case SensorType::contact:
        case SensorType::user:
            return Values::own;
        default:
            return Values::real;
    }
}

/// Vigna's splitmix64: a bijection whose bits look random.
std::uint64_t mix(std::uint64_t x)
{
    x += 0x9E3779B97F4A7C15;
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9;
    x = (x ^ (x >> 27)) * 0x94D049BB133111EB;
    return x ^ (x >> 31);
}

/// In (0, 1), never its ends.
double to_unit(std::uint64_t bits) { return (static_cast<double>(bits >> 11) + 0.5) * 0x1p-53; }

}  // namespace

std::uint64_t mix_seed(std::uint64_t seed, int world, std::int64_t step)
{
    return mix(mix(mix(seed) + static_cast<std::uint64_t>(world)) + static_cast<std::uint64_t>(step));
}

void apply_cutoff(const Sensors& sensors, std::size_t s, std::span<double> values)
{
    const double cutoff = sensors.cutoff[s];
    if (!(cutoff > 0)) return;
    const Values kind = kind_of(sensors.type[s]);
    if (kind != Values::real && kind != Values::positive) return;
    for (double& x : values) x = std::min(kind == Values::real ? std::max(x, -cutoff) : x, cutoff);
}

void add_noise(const Sensors& sensors, std::size_t s, std::uint64_t seed, std::span<double> values)
{
    std::uint64_t counter = mix(seed + s);
    for (double& x : values)
    {
        // Box and Muller: sqrt(-2 ln u) cos(2 pi u') is normal.
        const double radius = std::sqrt(-2 * natural_logarithm(to_unit(mix(counter))));
        double sine = 0, cosine = 0;
        sincos(2 * kPi * to_unit(mix(counter + 1)), sine, cosine);
        x += sensors.noise[s] * radius * cosine;
        counter += 2;
    }
    if (kind_of(sensors.type[s]) != Values::unit) return;
    double squared = 0;
    for (const double x : values) squared += x * x;
    const double scale = squared > 0 ? 1 / std::sqrt(squared) : 1;
    for (double& x : values) x *= scale;
}

}  // namespace rattleback
