// Who acts in a correction of the law `stable`: rows that push, discs that hold or slide, and the radii of these.
#include "solvers/comfree/implicit_law.h"

#include <algorithm>
#include <cmath>

namespace rattleback::comfree
{

namespace
{

constexpr double kSettled = 1e-3;     ///< relative change of radii and directions that is worth no correction
constexpr double kNearRadius = 1e-4;  ///< distance of a radius from mu f_n, of its island's largest, that is near
constexpr int kRadiusSteps = 6;       ///< solves for the radii of a correction
constexpr int kFruitless = 2;         ///< corrections without radii that fit, after which an island is left alone

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
/// by island; the factor stays. Islands that do not come near in a few solves keep the radii of the last f_n, as do
/// those with a radius below zero, which is none: there friction loads its own normal by more than it takes to slide.
/// With radii of the last f_n these grow until the disc holds, and with zero in its place nothing would settle.
void ImplicitLaw::follow_normals(const StageView& stage)
{
    list_sliding(stage.rows);
    if (!find_moving_radii()) return;
    for (int pass = 0; pass < kRadiusSteps; ++pass)
    {
        step_radii(stage, pass);
        if (!find_moving_radii()) break;
    }
    for (std::size_t i = 0; i < sliding_.size(); ++i) radius_islands_[at(sliding_island_[i])].fits &= radius_[i] >= 0;
    for (RadiusIsland& island : radius_islands_)
    {
        island.fits &= !island.moves;
        island.fruitless += island.fits ? 0 : 1;
    }
    bool changed = false;
    for (std::size_t i = 0; i < sliding_.size(); ++i)
    {
        double& radius = discs_[at(sliding_[i])].radius;
        if (!radius_islands_[at(sliding_island_[i])].fits || radius == radius_[i]) continue;
        radius = radius_[i];
        changed = true;
    }
    if (changed) solve_correction(stage);
}

/// Discs that slide and follow a normal, with what their radii miss.
void ImplicitLaw::list_sliding(const ConstraintRows& rows)
{
    sliding_.clear();
    sliding_island_.clear();
    radius_.clear();
    missing_.clear();
    for (RadiusIsland& island : radius_islands_)
        island = {.moves = island.fruitless < kFruitless, .fruitless = island.fruitless};
    for (std::size_t d = 0; d < discs_.size(); ++d)
    {
        const Disc& disc = discs_[d];
        if (!disc.slides || disc.normal < 0) continue;
        sliding_.push_back(static_cast<int>(d));
        sliding_island_.push_back(system_.island_of_row(rows, disc.row));
        radius_.push_back(disc.radius);
        missing_.push_back(find_missing(disc));
    }
}

/// Which islands have radii that are not near yet and came nearer by the last step. False: none.
bool ImplicitLaw::find_moving_radii()
{
    for (RadiusIsland& island : radius_islands_)
    {
        island.last = island.square;
        island.square = island.most = island.worst = 0;
    }
    for (std::size_t i = 0; i < missing_.size(); ++i)
    {
        RadiusIsland& island = radius_islands_[at(sliding_island_[i])];
        island.square += missing_[i] * missing_[i];
        island.worst = std::max(island.worst, std::abs(missing_[i]));
        island.most = std::max(island.most, std::abs(radius_[i] + missing_[i]));
    }
    bool any = false;
    for (RadiusIsland& island : radius_islands_)
    {
        if (!island.moves) continue;
        const bool near = island.worst <= kNearRadius * island.most;
        island.fits = near || island.last == 0 || island.square < island.last;
        island.moves = !near && island.fits;
        any |= island.moves;
    }
    return any;
}

/// One conjugate residual: the radii go along what they miss, made conjugate to the ways before.
void ImplicitLaw::step_radii(const StageView& stage, int pass)
{
    const std::size_t count = sliding_.size();
    const auto island = [&](std::size_t i) { return at(sliding_island_[i]); };
    const auto project = [&](const std::vector<double>& x, const RadiusStep& step)
    {
        // [island] x · taken / taken · taken
        system_.start_list(work_, 0.0);
        for (std::size_t i = 0; i < count; ++i) work_[island(i)] += x[i] * step.taken[i];
        for (std::size_t k = 0; k < work_.size(); ++k) work_[k] = step.square[k] > 0 ? work_[k] / step.square[k] : 0;
    };
    if (radius_steps_.size() <= at(pass)) radius_steps_.emplace_back();
    RadiusStep& step = radius_steps_[at(pass)];
    find_taken(stage.rows, step);
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
    system_.start_list(step.square, 0.0);
    for (std::size_t i = 0; i < count; ++i) step.square[island(i)] += step.taken[i] * step.taken[i];
    project(missing_, step);
    for (std::size_t i = 0; i < count; ++i)
    {
        radius_[i] += work_[island(i)] * step.way[i];
        missing_[i] -= work_[island(i)] * step.taken[i];
    }
}

/// What the radii miss less when each goes by what it misses: one solve with the factor as it is, of these rows alone.
void ImplicitLaw::find_taken(const ConstraintRows& rows, RadiusStep& step)
{
    step.way = missing_;
    step.taken = missing_;
    radius_change_.assign(change_.size(), 0);
    for (std::size_t i = 0; i < sliding_.size(); ++i)
    {
        if (!radius_islands_[at(sliding_island_[i])].moves) step.way[i] = step.taken[i] = 0;
        if (step.way[i] == 0) continue;
        const Disc& disc = discs_[at(sliding_[i])];
        for (int k = 0; k < disc.count; ++k)
            add_row(rows, disc.row + k, step.way[i] * disc.direction[at(k)], radius_change_);
    }
    system_.solve(radius_change_);
    for (std::size_t i = 0; i < sliding_.size(); ++i)
    {
        const Disc& disc = discs_[at(sliding_[i])];
        if (step.way[i] == 0 || acts_[disc.normal] == 0) continue;
        const double u = multiply_row(rows, disc.normal, radius_change_);
        step.taken[i] += disc.bound * impedance_[disc.normal] * u;
    }
}

}  // namespace rattleback::comfree
