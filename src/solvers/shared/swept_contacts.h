// Contacts that fast bodies would first meet on their way through a step.
#pragma once

#include "solvers/shared/integrators.h"
#include "solvers/shared/stage_contacts.h"

#include "collide/time_of_impact.h"
#include "math/masks.h"

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

    /// Lanes in which a body that joints move is fast, at the velocities of a workspace. A glance at every body.
    template <class T>
    MaskOf<T> find_fast_lanes(const Workspace<T>& w, double dt) const;

    /// The stage of the first lane once more: w stands at the begin of the step, and the drift of `stepper` is held
    /// (half of it might lead through a wall already), where fast bodies meet something within the step; what they meet
    /// is returned, and stays until the next call. Otherwise w stands where it did, at its stage. `start_q`:
    /// coordinates at the begin.
    template <class T>
    std::span<const Contact> look_ahead(double dt, std::span<const T> start_q, Stepper<T>& stepper,
                                        StageContacts& contacts, ColliderMemory& memory, Workspace<T>& w,
                                        StageTimer& timer);

    /// Contacts and what look_ahead() found, in the order of contacts.
    void merge(const Contacts& contacts, Contacts& all) const;

    /// Whether any body that joints move is fast at the world's velocities, which gravity [m/s^2] adds to.
    bool any_fast(const ConstWorldView& world, const Vec3& gravity, double dt);
    /// After any_fast(): whether this one is.
    bool is_fast(int body) const { return fast_[static_cast<std::size_t>(body)] != 0; }

    /// After any_fast(): contacts without friction at the world's poses, in the order of the `pairs`, for those with a
    /// fast body that meet within `dt`, or touch and would be through by then. `point` belongs to the fast body,
    /// `distance` is the way along the normal that the two may still come closer. Valid until the next call. `pairs`:
    /// those whose bounds come near each other within the step.
    std::span<const Contact> find(const ConstWorldView& world, const Vec3& gravity, double dt,
                                  std::span<const PairCandidate> pairs);

    /// After any_fast(): when the first of the pairs with a fast body meets within `dt`, or begins to do what cannot be
    /// looked at [s]; 0: one touches and would come closer by more than its `way`, [body] [m]. `dt` where none does.
    double find_first_meeting(const ConstWorldView& world, const Vec3& gravity, double dt,
                              std::span<const PairCandidate> pairs, std::span<const double> way) const;
    /// After any_fast(): the least time in which a point of a fast body may come as far as its `way`, [body] [m]; at
    /// most `dt` [s].
    double find_shortest_hop(const ConstWorldView& world, const Vec3& gravity, double dt,
                             std::span<const double> way) const;

private:
    template <class T>
    ConstWorldView place(const Workspace<T>& w);
    MovingShape find_moving(const ConstWorldView& world, const Vec3& gravity, double dt, ShapeId shape) const;
    double find_thin(const PairCandidate& pair) const;
    bool find_meeting(const ConstWorldView& world, const Vec3& gravity, double dt, const PairCandidate& pair,
                      Contact& contact) const;

    const Model& model_;
    std::vector<double> half_thickness_;  ///< [body] of its thinnest shape [m]; infinite without shapes
    std::vector<double> reach_;           ///< [body] no point of its shapes is further from the centre of mass [m]
    std::vector<char> fast_;              ///< [body]
    std::vector<Contact> found_;
    std::vector<Pose> poses_;           ///< [body]
    std::vector<Velocity> velocities_;  ///< [body] of the centres of mass
};

}  // namespace rattleback
