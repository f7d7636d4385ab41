// Rolling without loss: contact points of lone round bodies where they will be at the end of the step.
#pragma once

#include "solvers/convex/stick.h"

namespace rattleback::convex
{

/// Free bodies that touch a fixed surface, or each other, in one point, which wanders over them as they roll. A
/// contact's rows end the velocity of the material points that touch at the mid-pose; what is at rest at the end of the
/// step are those that touch then. The difference b = J(q_m) v' - J(q') v' becomes the rows' wanted velocity (README,
/// "Rolling"). Contacts of other kinds are left alone.
class Rolling
{
public:
    explicit Rolling(const Tree& tree);

    /// Whether any contact of the model may roll.
    bool serves_model() const { return serves_; }

    /// The contacts with those that rolled in the last step and have parted by less than rounding and the correction of
    /// positions leave between bodies that roll: they keep their rows.
    const Contacts& keep_touching(const Workspace<double>& w, const Contacts& contacts, const Contacts& last,
                                  std::span<const Anchor> anchors);

    /// Which of the contacts roll: those that were held in the last step too. Corrects the rows of kept ones.
    void choose(const Contacts& contacts, std::span<const Anchor> anchors, ConstraintRows& rows);
    void clear() { points_.clear(); }
    bool any() const { return !points_.empty(); }
    /// In the anchors that the step leaves behind.
    void mark(const Contacts& contacts, const ConstraintRows& rows, std::vector<Anchor>& anchors) const;

    /// Whether a body that rolls would turn too far in the step for its points to be followed.
    bool turns_far(const Contacts& contacts, const ConstraintRows& rows, std::span<const double> v, double dt) const;

    /// Wanted velocities for the joint velocities `v` that the step would end with. The largest change of any [m/s].
    double aim(const Workspace<double>& w, const Contacts& contacts, std::span<const double> v, double dt,
               ConstraintRows& rows);

private:
    struct Point
    {
        int cone = 0;    ///< of the rows
        Vec3 slip = {};  ///< - b: what the material points of the mid-pose still move by at the end [m/s]
    };
    /// A body at the end of the step.
    struct Moved
    {
        Pose pose;
        Vec3 angular;  ///< world axes [rad/s]
    };
    Moved move_body(const Workspace<double>& w, int body, std::span<const double> v, double dt) const;
    bool is_free_or_fixed(int body) const;
    void count_touching(const Contacts& contacts);
    bool may_roll(const Contact& contact) const;

    const Model& model_;
    std::vector<int> first_dof_;  ///< [body] of free bodies that carry nothing; -1 otherwise
    bool serves_ = false;
    std::vector<int> touching_;  ///< [body] contacts that act; bodies without joints: 0
    std::vector<Point> points_;
    Contacts kept_;
};

}  // namespace rattleback::convex
