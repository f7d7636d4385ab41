// Parameters of the solver `comfree`.
#pragma once

#include "math/pack.h"
#include "solvers/comfree/dual_cone.h"
#include "solvers/shared/rows.h"

#include <rattleback/solver.h>

namespace rattleback::comfree
{

/// Which of the three laws gives the impulses.
enum class Law : std::uint8_t
{
    stable,    ///< the same impedances at the velocity after contact, by a few corrections
    printed,   ///< the paper's Eqs. 2 to 13
    as_coded,  ///< what the published experiments ran
};

/// How the law `stable` finds its impulses.
enum class Method : std::uint8_t
{
    automatic,  ///< by sweeps where the model is a robot with few objects and has no rows that they lack
    sweeps,     ///< block Gauss-Seidel, a fixed number, in packs of worlds
    direct,     ///< corrections: one linear system each
};

/// k and d, of all rows of a world or of one contact.
template <class T>
struct GainsOf
{
    T stiffness{};  ///< k_user [1/s]
    T damping{};    ///< d_user

    /// Part of an overlap that one step takes back: K dt / (K dt + D).
    T push_share(double dt) const
    {
        const T spring = stiffness * T(dt), sum = spring + damping;
        return select(sum > T(0.0), spring / select(sum > T(0.0), sum, T(1.0)), T(0.0));
    }
};
using Gains = GainsOf<double>;

/// Settings of the solver.
struct Options
{
    Law law = Law::stable;
    Method method = Method::direct;
    double stiffness = 0.2;     ///< k_user [1/s]
    double damping = 0.001;     ///< d_user
    double curve_width = 1e-3;  ///< w of Eq. 13 [m]
    FacetCounts facets;
    bool exact_impedance = false;   ///< printed: Eq. 10 in place of Eqs. 11 to 13
    int sweeps = 10;                ///< stable: number of sweeps, or largest of corrections that find who acts
    double push_speed = 1;          ///< stable: at most so fast are overlaps pushed out [m/s]
    bool anchor = false;            ///< stable: contacts that stick remember where
    bool continuous = true;         ///< stable: fast bodies stop at what they would pass
    bool guard = true;              ///< stable: steps that would make energy are taken in parts
    bool single_precision = false;  ///< stable by sweeps: packs of eight floats
    RowOptions rows;
    Integrator integrator = Integrator::euler;
    bool implicit_damping = true;  ///< of joints, with Euler's method
    bool metric = true;            ///< discrete: constraints act through its matrix, not through M

    Gains gains() const { return {stiffness, damping}; }
};

std::vector<ParameterInfo> make_parameter_table();
Options read_options(const Model& model, const Parameters& parameters);
/// Worlds that are stepped at once.
int find_lanes(const Parameters& parameters);
/// Features that switches leave out.
Result<std::vector<Feature>> find_left_out(const Parameters& parameters);

}  // namespace rattleback::comfree
