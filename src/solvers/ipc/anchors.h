// Friction that remembers how far it has slipped since it began to stick.
#pragma once

#include <rattleback/math.h>

#include <array>
#include <cstdint>

namespace rattleback::ipc
{

/// By how much friction that remembers may stretch before it reaches Coulomb's bound, over static_speed * h. What is
/// laid down where friction just holds it gets the speed of that stretch and keeps it, for nothing brakes it there:
/// with a quarter it stays below static_speed, also where it leans onto its contacts meanwhile.
inline constexpr double kAnchorPart = 0.25;

/// Smooth friction of [IPC] is a function of the slip within one step: whatever bears a load slips by a part of
/// `static_speed` for ever. With parameter `anchor` slips of a contact add up from step to step, to at most
/// kAnchorPart * static_speed * h: below Coulomb's bound it is a spring that comes to rest, beyond it the same law.
struct Anchor
{
    std::array<std::int64_t, 2>
        key{};                    ///< of shapes, and vertex and flat side (or simplices): Potential::find_anchor_key
    Vec3 slip;                    ///< of the first against the second, in the axes of the first [m]
    int first = -1, second = -1;  ///< groups
};

}  // namespace rattleback::ipc
