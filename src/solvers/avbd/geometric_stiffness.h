// The positive part of the second derivative of an anchor's work by rotation (Andrews, Teichmann, Kry 2017).
#pragma once

#include "solvers/avbd/matrix6.h"

namespace rattleback::avbd
{

/// Second derivative by rotation of f . (R r), f the gradient by the anchor's position: sym(f rᵀ) - (f . r) I, less its
/// negative part. Its eigenvalues are -f.r along f x r and (-f.r +- |f||r|) / 2 along f/|f| -+ r/|r|.
inline void add_geometric_stiffness(const Vec3& f, const Vec3& r, Matrix6& block)
{
    // three eigenvalues in closed form, of which the positive ones are stamped
    const double nf = norm(f), nr = norm(r), along = dot(f, r);
    if (nf * nr == 0) return;
    const auto stamp = [&](double value, const Vec3& direction)
    {
        const double squared = dot(direction, direction);
        if (value <= 0 || squared < 1e-24) return;
        for (std::size_t i = 0; i < 3; ++i)
        {
            for (std::size_t j = 0; j < 3; ++j)
                block(i + 3, j + 3) +=
                    value / squared * direction[static_cast<int>(i)] * direction[static_cast<int>(j)];
        }
    };
    // f and r span a plane: one eigenvector across it, two inside
    const Vec3 across = cross(f, r);
    if (dot(across, across) > 1e-16 * nf * nf * nr * nr)
    {
        stamp(0.5 * (nf * nr - along), (1 / nf) * f - (1 / nr) * r);
        stamp(-along, across);
        return;
    }
    if (along >= 0) return;
    const double value = -along;  // f and r opposite: all directions across them
    const Vec3 u = (1 / nr) * r;
    for (std::size_t i = 0; i < 3; ++i)
    {
        for (std::size_t j = 0; j < 3; ++j)
            block(i + 3, j + 3) += value * ((i == j ? 1 : 0) - u[static_cast<int>(i)] * u[static_cast<int>(j)]);
    }
}

}  // namespace rattleback::avbd
