// Ideal plasticity: a spring is displaced by its yield at most, and its rest follows.
#include "solvers/avbd/springs.h"

#include "dynamics/joint_frame.h"
#include "math/rotation.h"
#include "solvers/avbd/tendon_place.h"

namespace rattleback::avbd
{

namespace
{

/// A ball: rest <- rest exp(turn excess / angle), of which the shift keeps the rotation vector.
void yield_ball(const Model& model, std::size_t j, const WorldView& world)
{
    const auto q = at(model.joints.q_begin[j]), begin = at(model.joints.plastic_begin[j]);
    const double* rest = &model.spring_q[q];
    const Vec3 old{world.act[begin], world.act[begin + 1], world.act[begin + 2]};
    const Quat from = exponential(-old) * conjugate(Quat{rest[0], rest[1], rest[2], rest[3]});
    const Vec3 turn = logarithm(from * unit_quaternion(&world.q[q]));
    const double angle = norm(turn), excess = find_excess(angle, model.joints.spring_yield[j]);
    if (!(excess > 0)) return;
    const Vec3 next = logarithm(exponential(old) * exponential((excess / angle) * turn));
    for (int c = 0; c < 3; ++c) world.act[begin + at(c)] = next[c];
}

void yield_joint(const Model& model, std::size_t j, const WorldView& world)
{
    if (model.joints.type[j] == JointType::ball) return yield_ball(model, j, world);
    // hinge or slide: springs of free joints do not yield
    const auto q = at(model.joints.q_begin[j]);
    double& shift = world.act[at(model.joints.plastic_begin[j])];
    shift += find_excess(world.q[q] - (model.spring_q[q] + shift), model.joints.spring_yield[j]);
}

/// A slack band [0, L] is a rope's: pulled, only its upper end moves.
void yield_tendon(const Layout& layout, int t, BlockWork& work, const WorldView& world)
{
    const Tendons& tendons = layout.model->tendons;
    // nobody moves it: it has no length here, and no force
    if (layout.tendon_rows[at(t)].owner < 0) return;
    place_tendon(layout, t, work);
    const TendonState& state = work.tendons[at(t)];
    const SpringBand<double> band = find_band(layout, t, state);
    const double excess = find_excess(find_stretch(band, state.length), tendons.spring_yield[at(t)]);
    const bool rope = band.lower == 0 && band.upper > 0;
    const auto begin = at(tendons.plastic_begin[at(t)]);
    if (!(rope && excess > 0)) world.act[begin] += excess;
    world.act[begin + 1] += excess;
}

}  // namespace

bool has_yield(const Model& model)
{
    const auto yields = [](double yield) { return yield > 0; };
    const auto any = [&](const std::vector<double>& list) { return std::any_of(list.begin(), list.end(), yields); };
    return any(model.joints.spring_yield) || any(model.tendons.spring_yield);
}

void load_tendon_yields(const Model& model, std::span<const double> act, BlockWork& work)
{
    for (int t = 0; t < model.tendon_count(); ++t)
    {
        const int begin = model.tendons.plastic_begin[at(t)];
        if (begin >= 0) work.tendons[at(t)].yielded = {act[at(begin)], act[at(begin) + 1]};
    }
}

void yield_springs(const Layout& layout, BlockWork& work, const WorldView& world)
{
    const Model& model = *layout.model;
    for (std::size_t j = 0; j < model.joints.plastic_begin.size(); ++j)
    {
        if (model.joints.plastic_begin[j] >= 0) yield_joint(model, j, world);
    }
    for (int t = 0; t < model.tendon_count(); ++t)
    {
        if (model.tendons.plastic_begin[at(t)] >= 0) yield_tendon(layout, t, work, world);
    }
}

}  // namespace rattleback::avbd
