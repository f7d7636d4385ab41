// Random: reproducible random numbers for scenes, benchmarks and tests, the same on every machine.
#pragma once

#include <rattleback/math.h>

#include <cstdint>

namespace rattleback
{

/// SplitMix64 (Steele, Lea, Flood 2014): number n is a function of seed and n alone.
class Random
{
public:
    explicit Random(std::uint64_t seed) : state_(seed) {}

    /// 64 independent bits.
    std::uint64_t bits()
    {
        // Weyl sequence with the golden ratio, then two rounds of xor-shift and multiply.
        state_ += 0x9e3779b97f4a7c15ULL;
        std::uint64_t z = state_;
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
        return z ^ (z >> 31);
    }
    /// Uniform in [low, high).
    double uniform(double low, double high)
    {
        // The upper 53 bits are a fraction in [0, 1) with all of its digits random.
        return low + (high - low) * (static_cast<double>(bits() >> 11) * 0x1p-53);
    }
    /// In [low, high], both included.
    int integer(int low, int high)
    {
        // The bias of the remainder is below 2^-32: it does not matter to scenes.
        return low + static_cast<int>(bits() % static_cast<std::uint64_t>(high - low + 1));
    }
    bool chance(double probability) { return uniform(0, 1) < probability; }
    /// Each coordinate in [-half_size, half_size).
    Vec3 in_box(double half_size)
    {
        // Drawn one after the other: the order of arguments is not fixed by the language.
        const double x = uniform(-half_size, half_size), y = uniform(-half_size, half_size);
        return {x, y, uniform(-half_size, half_size)};
    }
    /// Unit, uniform on the sphere: a point of the ball, pushed onto its surface.
    Vec3 direction()
    {
        for (;;)
        {
            // Points outside the ball would favour the corners; those near the centre would lose digits.
            const Vec3 a = in_box(1);
            const double square = dot(a, a);
            if (square > 0.01 && square < 1) return (1 / std::sqrt(square)) * a;
        }
    }
    /// Unit, uniform over all rotations: the same in four dimensions, drawn in the order x, y, z, w.
    Quat rotation()
    {
        for (;;)
        {
            const Vec3 a = in_box(1);
            const Quat q{uniform(-1, 1), a.x, a.y, a.z};
            const double size = norm(q);
            // Too short a vector would lose digits in the division.
            if (size > 0.1 && size < 1) return normalized(q);
        }
    }

private:
    std::uint64_t state_;
};

}  // namespace rattleback
