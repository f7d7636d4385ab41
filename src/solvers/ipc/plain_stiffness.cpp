// Bounds of the stiffness of [IPC].
#include "solvers/ipc/plain_stiffness.h"

#include "math/elementary.h"
#include "solvers/ipc/layout.h"

#include <algorithm>

namespace rattleback::ipc
{

PlainStiffness find_plain_stiffness(const Layout& layout, double separation, double diagonal)
{
    // [IPC], supplement: at a gap of 1e-8 of the scene the barrier is to be stiffer than 1e11 mean masses; a hundred
    // times that at most; doubled below 1e-9 of the scene. D and w are squared distances.
    constexpr double kScale = 1e11, kRange = 100, kGap = 1e-8, kSmall = 1e-9;
    double mass = 0;
    int count = 0;
    for (const Group& group : layout.groups)
    {
        mass += group.dynamic ? group.mass : 0;
        count += group.dynamic ? 1 : 0;
    }
    mass /= std::max(1, count);
    const double width = layout.reach * (2 * separation + layout.reach);
    const double gap = kGap * diagonal;
    const double d = std::min(gap * (gap + 2 * separation), 0.5 * width);
    const double part = (width - d) / d;
    const double curvature = -2 * natural_logarithm(d / width) + 4 * part + part * part;
    const double least = kScale * mass * width * width / (4 * d * curvature);
    return {least, kRange * least, kSmall * diagonal};
}

}  // namespace rattleback::ipc
