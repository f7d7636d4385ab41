// Hashes of states.
#include "solvers/shared/state_mark.h"

#include "base/bits.h"

#include <array>
#include <cstdint>

namespace rattleback
{

namespace
{

/// Four chains side by side: one would wait for its own products.
class StateHash
{
public:
    void add(std::span<const double> list)
    {
        const std::size_t whole = list.size() / kLanes * kLanes;
        for (std::size_t i = 0; i < whole; i += kLanes)
            for (std::size_t k = 0; k < kLanes; ++k) add(k, list[i + k]);
        for (std::size_t i = whole; i < list.size(); ++i) add(i - whole, list[i]);
    }

    double find_mark() const
    {
        std::uint64_t all = 0;
        for (const std::uint64_t lane : lanes_) all = mix(all, lane);
        // Once more: the last product has only moved its low bits upwards.
        return static_cast<double>(mix(all, 0) >> 11);
    }

private:
    static constexpr std::size_t kLanes = 4;

    /// One to one in either argument; product and shift carry every bit to both halves.
    static std::uint64_t mix(std::uint64_t state, std::uint64_t word)
    {
        const std::uint64_t product = (state ^ word) * 0x9E3779B97F4A7C15ULL;
        return product ^ product >> 32;
    }
    void add(std::size_t lane, double value)
    {
        lanes_[lane] = mix(lanes_[lane], bits_as<std::uint64_t>(value + 0.0));  // -0 + 0 = 0
    }

    // Digits of pi: lanes begin differently, so that numbers which change places are noticed.
    std::array<std::uint64_t, kLanes> lanes_ = {0x243F6A8885A308D3ULL, 0x13198A2E03707344ULL, 0xA4093822299F31D0ULL,
                                                0x082EFA98EC4E6C89ULL};
};

}  // namespace

double mark_place(std::span<const double> q)
{
    StateHash hash;
    hash.add(q);
    return hash.find_mark();
}

double mark_state(const ConstWorldView& world, const Vec3& gravity, std::span<const int> switches)
{
    StateHash hash;
    hash.add(world.q);
    hash.add(world.v);
    hash.add(std::array{gravity.x, gravity.y, gravity.z});
    for (const int on : switches) hash.add(std::array{on == 0 ? 0.0 : 1.0});
    return hash.find_mark();
}

}  // namespace rattleback
