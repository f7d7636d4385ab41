// A model in MJCF at a state, with its dynamics evaluated and its rows built.
#pragma once

#include "dynamics/forces.h"
#include "dynamics/integrate.h"
#include "dynamics/mass_matrix.h"
#include "solvers/shared/rows.h"

#include <rattleback/import.h>
#include <rattleback/state.h>

namespace rattleback
{

/// Everything is evaluated by the constructor and again by evaluate().
class RowScene
{
public:
    explicit RowScene(const std::string& mjcf) : RowScene(parse_mjcf(mjcf, "scene.xml", ".").value().model) {}
    explicit RowScene(Model made) : model(std::move(made)), tree(model), w(tree), state(model), control(model)
    {
        for (const int b : tree.kinematic_bodies)
        {
            const Pose& pose = state.body_pose[static_cast<std::size_t>(b)];
            motions.push_back({pose, pose, {}, {}});
        }
        evaluate();
    }

    void evaluate()
    {
        load_world(w, 0, state.world(), control.world());
        place_kinematic_bodies<double>(w, 0, motions, 0, options.dt);
        StageTimer timer(false);
        compute_position_stage(w, timer);
        compute_velocity_stage(w, options.dt, timer);
        factor_mass_matrix(w);
        build_rows(w, contacts, options, rows);
    }

    /// Moves q along a velocity for a time.
    void displace(std::span<const double> v, double time) { advance_positions<double>(tree, v, time, state.q); }

    Model model;
    Tree tree;
    Workspace<double> w;
    State state;
    Control control;
    std::vector<KinematicMotion> motions;
    Contacts contacts;
    RowOptions options{};
    ConstraintRows rows;
};

}  // namespace rattleback
