// Who acts in a correction of the law `stable`: rows that push, discs that hold or slide.
#include "solvers/comfree/implicit_law.h"

#include <cmath>

namespace rattleback::comfree
{

namespace
{

constexpr double kSettled = 1e-3;  ///< relative change of radii and directions that is worth no correction

}  // namespace

/// Who acts at the present velocities; false where that is as in the last correction.
bool ImplicitLaw::choose_states(const ConstraintRows& rows, int sweep)
{
    bool changed = sweep == 0;
    // Ties act always, on both sides.
    for (int row = 0; row < rows.ends.equality; ++row)
    {
        changed |= impedance_[row] != spring_impedance_[row];
        acts_[row] = 1;
        impedance_[row] = spring_impedance_[row];
        target_[row] = spring_target_[row];
    }
    // Limits and normals push or do not.
    for (int row = rows.ends.tendon_friction; row < rows.ends.tendon_limit; ++row) changed |= choose_row(row);
    for (const RowCone& cone : rows.cones) changed |= choose_row(cone.row);
    // The radii follow the normal impulses, which the first correction finds; the second one guesses who will hold.
    for (Disc& disc : discs_)
    {
        const double radius = disc.find_radius(impulse_);
        changed |= std::abs(radius - disc.radius) > kSettled * (radius + disc.radius);
        disc.radius = radius;
        changed |= choose_disc(disc, sweep < kGuesses);
    }
    return changed;
}

/// Those who act go on so, with the impedances that they have now.
void ImplicitLaw::keep_states(const ConstraintRows& rows)
{
    for (int row = 0; row < rows.count(); ++row)
    {
        const bool stops = stop_[row] > 0 && target_[row] == 0;
        impedance_[row] = stops ? stop_[row] : spring_impedance_[row];
    }
}

/// A row that pushes, as its spring or as what ends the approach.
bool ImplicitLaw::choose_row(int row)
{
    // The lesser of two falling answers: - Z (u + c), and - Z_stop u of an overlap that ends its approach.
    const double u = velocity_[row], z = spring_impedance_[row], c = spring_target_[row], stop = stop_[row];
    const bool stops = stop > 0 && stop * u >= z * (u + c);
    const double impedance = stops ? stop : z, target = stops ? 0 : c;
    const bool acts = u + target < 0 && (stop == 0 || u < 0);
    const bool changed = acts != (acts_[row] != 0) || (acts && impedance != impedance_[row]);
    acts_[row] = acts ? 1 : 0;
    impedance_[row] = impedance;
    target_[row] = target;
    return changed;
}

void ImplicitLaw::hold(Disc& disc, bool acts)
{
    disc.slides = false;
    for (int k = 0; k < disc.count; ++k) acts_[disc.row + k] = acts ? 1 : 0;
}

/// A disc holds where its springs are inside of it. As a guess: where the impulse that ends the slip, by the row's
/// weight alone, is.
bool ImplicitLaw::choose_disc(Disc& disc, bool guess)
{
    const bool held = acts_[disc.row] != 0, slid = disc.slides;
    const bool harder = held && impedance_[disc.row] != spring_impedance_[disc.row];
    const std::array<double, 2> before = disc.direction;
    double square = 0, speed = 0;
    std::array<double, 2> f{};
    for (int k = 0; k < disc.count; ++k)
    {
        const int row = disc.row + k;
        impedance_[row] = spring_impedance_[row];
        target_[row] = spring_target_[row];
        f[at(k)] = -impedance_[row] * (velocity_[row] + target_[row]);
        square += f[at(k)] * f[at(k)];
        speed += (velocity_[row] + target_[row]) * (velocity_[row] + target_[row]);
    }
    // As a guess the impulse is slip / w, by the weight of the row instead of the hard spring.
    const double z = impedance_[disc.row] * weight_[disc.row], force = std::sqrt(square) / (guess ? z : 1);
    hold(disc, disc.radius > 0 && force <= disc.radius);
    if (!(disc.radius > 0) || force <= disc.radius) return harder || slid || held != (acts_[disc.row] != 0);
    // It slides: the impulse opposes the slip and turns with it, nowhere stiffer than one that holds.
    disc.slides = true;
    for (int k = 0; k < disc.count; ++k) disc.direction[at(k)] = f[at(k)] / std::sqrt(square);
    disc.across = disc.count == 1 ? 0 : disc.radius / std::sqrt(speed);
    bool turned = false;
    for (int k = 0; k < disc.count; ++k) turned |= std::abs(disc.direction[at(k)] - before[at(k)]) > kSettled;
    return !slid || turned;
}

}  // namespace rattleback::comfree
