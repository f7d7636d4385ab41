// Facets of the dual cone, and their impulses.
#include "solvers/comfree/dual_cone.h"

#include "dynamics/workspace.h"

#include <rattleback/math.h>

#include <algorithm>

namespace rattleback::comfree
{

FacetSet::FacetSet(const FacetCounts& counts) : counts_(counts)
{
    // Unit directions spread evenly over the plane of slip, of rolling, and both ways about the normal.
    const auto spread = [&](int row, int count)
    {
        for (int j = 0; j < count; ++j)
        {
            const double angle = 2 * kPi * j / count;
            double sine = 0, cosine = 0;
            sincos(angle, sine, cosine);
            facets_.push_back({row, {cosine, sine}});
        }
    };
    // Rows of a contact: normal 0, slip 1 and 2, spin 3, rolls 4 and 5.
    spread(1, counts.slide);
    for (int j = 0; j < counts.spin; ++j) facets_.push_back({3, {j % 2 == 0 ? 1.0 : -1.0, 0}});
    spread(4, counts.roll);
}

int FacetSet::count(int dimension) const
{
    // Eq. 3 has as many conditions as the dimension asks for.
    const int slide = dimension >= 3 ? counts_.slide : 0, spin = dimension >= 4 ? counts_.spin : 0;
    return slide + spin + (dimension >= 6 ? counts_.roll : 0);
}

template <class T>
std::uint64_t find_facet_impulses(const FacetSet& facets, const FacetContactOf<T>& contact, const T* u, T* impulse)
{
    std::fill(impulse, impulse + contact.dimension, T(0.0));
    // Eq. 8 of one facet, times dt: a spring on the predicted gap and a damper on its rate, pushing only.
    const auto push = [&](const FacetImpedanceOf<T>& z, const T& rate)
    {
        const T spring = -z.per_speed * rate - z.per_depth * contact.gap;
        return select(spring > T(0.0), spring, T(0.0));
    };
    if (contact.dimension == 1)
    {
        // Without friction the dual cone is the half line u_n >= - phi / dt: one facet.
        impulse[0] = push(contact.impedance[0], u[0]);
        return value_of(impulse[0]) > 0 ? 1 : 0;
    }
    // Eqs. 6 and 7: facet j of the dual cone is u_n - mu d_j . u_s >= -phi / dt, and has an impulse of its own.
    std::uint64_t active = 0;
    const int count = facets.count(contact.dimension);
    const std::array<double, 5>& mu = contact.friction;
    for (int j = 0; j < count; ++j)
    {
        const Facet& facet = facets[j];
        const T lambda = push(contact.impedance[j], facet_velocity(facet, mu, u));
        if (!(value_of(lambda) > 0)) continue;
        active |= std::uint64_t{1} << j;
        // Eq. 9: J̃ᵀ lambda, along normal and friction directions.
        const int s = facet.row;
        impulse[0] += lambda;
        impulse[s] -= T(mu[static_cast<std::size_t>(s - 1)] * facet.direction[0]) * lambda;
        if (s != 3) impulse[s + 1] -= T(mu[static_cast<std::size_t>(s)] * facet.direction[1]) * lambda;
    }
    return active;
}

template std::uint64_t find_facet_impulses(const FacetSet&, const FacetContactOf<double>&, const double*, double*);
template std::uint64_t find_facet_impulses(const FacetSet&, const FacetContactOf<DualPack>&, const DualPack*,
                                           DualPack*);

}  // namespace rattleback::comfree
