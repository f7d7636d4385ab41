// Contacts that fast bodies would first meet on their way through a step.
#pragma once

#include "dynamics/workspace.h"

#include <rattleback/query.h>

namespace rattleback
{

/// Contact::feature of swept contacts: no part of any shape.
inline constexpr std::uint64_t kSweptFeature = ~std::uint64_t{0};

/// Where bodies that come further in a step than they are thick, or whose ends swing four times as far, first meet
/// others, by conservative advancement (collide/time_of_impact.h). Slower bodies overlap with what they pass at the end
/// of some step.
class SweptContacts
{
public:
    explicit SweptContacts(const Model& model);

    /// A glance without roots, before any_fast(): true only where that would find none. False where bodies follow
    /// tracks.
    bool all_slow(const Workspace<double>& w, double dt) const;

    /// Poses and velocities of all bodies where a workspace stands; good until the next call.
    ConstWorldView place(const Workspace<double>& w);

    /// Whether any body that joints move is fast at the world's velocities, which gravity [m/s^2] adds to.
    bool any_fast(const ConstWorldView& world, const Vec3& gravity, double dt);

    /// After any_fast(): contacts without friction at the world's poses, in the order of the `pairs`, for those with a
    /// fast body that meet within `dt`, or touch and would be through by then. `point` belongs to the fast body,
    /// `distance` is the way along the normal that the two may still come closer. Valid until the next call. `pairs`:
    /// those whose bounds come near each other within the step.
    std::span<const Contact> find(const ConstWorldView& world, const Vec3& gravity, double dt,
                                  std::span<const PairCandidate> pairs);

private:
    bool find_meeting(const ConstWorldView& world, const Vec3& gravity, double dt, const PairCandidate& pair,
                      Contact& contact) const;

    const Model& model_;
    std::vector<double> half_thickness_;  ///< [body] of its thinnest shape [m]; infinite without shapes
    std::vector<double> reach_;           ///< [body] no point of its shapes is further from the centre of mass [m]
    std::vector<int> movable_;            ///< bodies that joints move and that have shapes
    std::vector<char> fast_;              ///< [body]
    std::vector<Contact> found_;
    std::vector<Pose> poses_;           ///< [body]
    std::vector<Velocity> velocities_;  ///< [body] of the centres of mass
};

}  // namespace rattleback
