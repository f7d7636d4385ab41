// Scenes from bytes: every kind of element, sane or absurd, for the fuzzer and for tests over many seeds.
#pragma once

#include <rattleback/builder.h>

#include <cstdint>
#include <span>
#include <vector>

namespace rattleback
{

/// Choices read from bytes; past their end every choice is the first.
class ByteSource
{
public:
    explicit ByteSource(std::span<const std::uint8_t> bytes) : bytes_(bytes) {}

    bool empty() const { return bytes_.empty(); }
    int byte();
    /// 0 .. count - 1, count at most 256.
    int pick(int count) { return byte() % count; }
    bool flag() { return (byte() & 1) != 0; }
    /// True once in `times`.
    bool rarely(int times) { return byte() % times == times - 1; }
    double fraction() { return byte() / 255.0; }

private:
    std::span<const std::uint8_t> bytes_;
};

/// Bytes for a seed, the same on every machine.
std::vector<std::uint8_t> make_random_bytes(std::uint64_t seed, std::size_t count);

struct RandomSceneOptions
{
    /// Numbers that are not, huge or tiny ones, ids that do not exist, and much else that build() must refuse or a
    /// solver survive. Without, bodies have sensible sizes, masses and joints (and may still overlap).
    bool absurd = false;
};

/// A few bodies with all kinds of shapes, joints, tendons, equalities, actuators, sensors and the rest.
ModelBuilder make_random_scene(ByteSource& bytes, const RandomSceneOptions& options = {});

}  // namespace rattleback
