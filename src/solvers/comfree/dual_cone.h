// The dual cone of Coulomb friction, cut into facets: one impulse per facet, in closed form ([ComFree] Eqs. 6 to 8).
#pragma once

#include <array>
#include <cstdint>
#include <vector>

namespace rattleback::comfree
{

/// How many facets approximate each part of the dual cone.
struct FacetCounts
{
    int slide = 4;  ///< n_t
    int spin = 2;   ///< n_tor
    int roll = 4;   ///< n_rol
};

/// One facet J_n - mu J_s d: a direction in one of the three subspaces of friction.
struct Facet
{
    int row = 1;                         ///< first row of its subspace among a contact's six: 1 slide, 3 spin, 4 roll
    std::array<double, 2> direction{1};  ///< unit vector d in that subspace; spin has the first number alone
};

/// Facets of contacts of all dimensions: those of slide come first, then spin, then roll.
class FacetSet
{
public:
    explicit FacetSet(const FacetCounts& counts);
    /// How many of the facets a contact of dimension 3, 4 or 6 has; one row of dimension 1 has none.
    int count(int dimension) const;
    const Facet& operator[](int index) const { return facets_[static_cast<std::size_t>(index)]; }

private:
    FacetCounts counts_;
    std::vector<Facet> facets_;
};

/// Impulse of a facet: (- per_speed u - per_depth phi)_+, which is Eq. 8 times dt.
template <class T>
struct FacetImpedanceOf
{
    T per_speed{};  ///< (K dt + D) dt [kg]
    T per_depth{};  ///< K dt [kg/s]
};
using FacetImpedance = FacetImpedanceOf<double>;

/// One contact as its law sees it.
template <class T>
struct FacetContactOf
{
    int dimension = 3;
    std::array<double, 5> friction{};                ///< slide, slide, spin, roll, roll
    T gap{};                                         ///< phi [m]
    const FacetImpedanceOf<T>* impedance = nullptr;  ///< [facet]; one of dimension 1
};
using FacetContact = FacetContactOf<double>;

/// Impulses along the contact's axes (normal, tangents, spin, rolls) for the predicted velocity `u` along them
/// ([ComFree] Eqs. 7 to 9). They lie in the friction cone of Eq. 3 whatever u is. Returns which facets act, as bits.
/// T = double, or DualPack with one value in all lanes: derivatives at the facets that act.
template <class T>
std::uint64_t find_facet_impulses(const FacetSet& facets, const FacetContactOf<T>& contact, const T* u, T* impulse);

/// J_n v - mu d . J_s v, the rate of a facet's gap.
template <class T>
T facet_velocity(const Facet& facet, const std::array<double, 5>& friction, const T* u)
{
    const int s = facet.row;
    if (s == 3) return u[0] - T(friction[2] * facet.direction[0]) * u[3];
    return u[0] - T(friction[s - 1] * facet.direction[0]) * u[s] - T(friction[s] * facet.direction[1]) * u[s + 1];
}

}  // namespace rattleback::comfree
