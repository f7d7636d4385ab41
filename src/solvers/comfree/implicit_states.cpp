// Who acts in a correction of the law `stable`: rows that push, discs that hold or slide, and the radii of these.
#include "solvers/comfree/implicit_law.h"

#include <algorithm>
#include <cmath>

namespace rattleback::comfree
{

namespace
{

constexpr double kSettled = 1e-3;     ///< relative change of radii and directions that is worth no correction
constexpr double kNearRadius = 1e-4;  ///< relative distance of a radius from mu f_n that is worth no solve
constexpr int kRadiusSteps = 16;      ///< solves for the radii of a correction

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

/// What the radius of a disc lacks of mu f_n after the correction.
double ImplicitLaw::find_missing(const Disc& disc) const
{
    const double u = next_velocity_[disc.normal] + target_[disc.normal];
    const double normal = acts_[disc.normal] != 0 ? -impedance_[disc.normal] * u : 0;
    return disc.bound * normal - disc.radius;
}

/// Radii of discs that slide become mu f_n of this very correction. A radius that only followed the last one's f_n
/// would not settle where friction unloads its own normal (a stone wedged between two others): the pair goes to and
/// fro. For given states f_n is linear in the radii, so that they are found by generalised conjugate residuals, island
/// by island; the factor stays. A radius below zero is none: there friction loads its own normal by more than it takes
/// to slide. With radii of the last f_n these grow until the disc holds, and with zero in its place nothing would
/// settle.
void ImplicitLaw::follow_normals(const StageView& stage)
{
    sliding_.clear();
    for (std::size_t d = 0; d < discs_.size(); ++d)
        if (discs_[d].slides && discs_[d].normal >= 0) sliding_.push_back(static_cast<int>(d));
    radius_.clear();
    missing_.clear();
    for (const int d : sliding_)
    {
        radius_.push_back(discs_[at(d)].radius);
        missing_.push_back(find_missing(discs_[at(d)]));
    }
    if (are_radii_near()) return;
    last_radius_ = radius_;
    for (int pass = 0; pass < kRadiusSteps && !are_radii_near(); ++pass) step_radii(stage, pass);
    // Islands with one below zero keep the radii of the last correction's normals.
    const auto island = [&](std::size_t i) { return island_of_sliding(stage.rows, i); };
    work_.assign(at(system_.island_count()), 0);
    for (std::size_t i = 0; i < sliding_.size(); ++i) work_[island(i)] = std::min(work_[island(i)], radius_[i]);
    for (std::size_t i = 0; i < sliding_.size(); ++i)
        discs_[at(sliding_[i])].radius = work_[island(i)] < 0 ? last_radius_[i] : radius_[i];
    solve_correction(stage);
}

std::size_t ImplicitLaw::island_of_sliding(const ConstraintRows& rows, std::size_t i) const
{
    return at(system_.island_of_row(rows, discs_[at(sliding_[i])].row));
}

bool ImplicitLaw::are_radii_near() const
{
    for (std::size_t i = 0; i < missing_.size(); ++i)
        if (std::abs(missing_[i]) > kNearRadius * std::abs(radius_[i])) return false;
    return true;
}

/// One conjugate residual: the radii go along what they miss, made conjugate to the ways before.
void ImplicitLaw::step_radii(const StageView& stage, int pass)
{
    const std::size_t count = sliding_.size();
    const auto island = [&](std::size_t i) { return island_of_sliding(stage.rows, i); };
    const auto project = [&](const std::vector<double>& x, const RadiusStep& step)
    {
        // [island] x · taken / taken · taken
        work_.assign(at(system_.island_count()), 0);
        for (std::size_t i = 0; i < count; ++i) work_[island(i)] += x[i] * step.taken[i];
        for (std::size_t k = 0; k < work_.size(); ++k) work_[k] = step.square[k] > 0 ? work_[k] / step.square[k] : 0;
    };
    if (radius_steps_.size() <= at(pass)) radius_steps_.emplace_back();
    RadiusStep& step = radius_steps_[at(pass)];
    // What all radii miss less when each goes by what it misses: one solve with the factor as it is.
    step.way = missing_;
    step.taken.resize(count);
    for (std::size_t i = 0; i < count; ++i) discs_[at(sliding_[i])].radius = radius_[i] + step.way[i];
    solve_correction(stage);
    for (std::size_t i = 0; i < count; ++i) step.taken[i] = missing_[i] - find_missing(discs_[at(sliding_[i])]);
    for (int j = 0; j < pass; ++j)
    {
        const RadiusStep& before = radius_steps_[at(j)];
        project(step.taken, before);
        for (std::size_t i = 0; i < count; ++i)
        {
            step.way[i] -= work_[island(i)] * before.way[i];
            step.taken[i] -= work_[island(i)] * before.taken[i];
        }
    }
    step.square.assign(at(system_.island_count()), 0);
    for (std::size_t i = 0; i < count; ++i) step.square[island(i)] += step.taken[i] * step.taken[i];
    project(missing_, step);
    for (std::size_t i = 0; i < count; ++i)
    {
        radius_[i] += work_[island(i)] * step.way[i];
        missing_[i] -= work_[island(i)] * step.taken[i];
    }
}

}  // namespace rattleback::comfree
