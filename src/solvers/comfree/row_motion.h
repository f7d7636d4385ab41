// How the rows of a step move with q and v: contact points, frames, Jacobians and gaps, by central differences of the
// geometry.
#pragma once

#include "solvers/comfree/parameters.h"
#include "solvers/shared/stage_contacts.h"

namespace rattleback::comfree
{

/// Rates of the numbers of all rows while one coordinate (or velocity) changes and the velocities (coordinates) stand.
struct RowMotion
{
    std::vector<double> value;     ///< of J, in the pattern of the rows
    std::vector<double> position;  ///< [row]
    std::vector<double> velocity;  ///< [row] at constant v
    std::vector<double> product;   ///< [row]
};

/// What stands while the rows are looked at from nearby.
struct RowMotionBase
{
    const StepInput& input;
    const ConstWorldView& world;
    const Contacts& contacts;
    const ConstraintRows& rows;
    const RunningSurfaces& surfaces;
    double interval = 1e-6;
};

class RowMotionFinder
{
public:
    RowMotionFinder(const Tree& tree, const Options& options);

    /// Of coordinate (`of_velocity`: velocity) number `dof`. False where rows come and go on both sides: take them as
    /// standing.
    bool find(const RowMotionBase& base, int dof, bool of_velocity, RowMotion& motion);

private:
    bool build(const RowMotionBase& base, int dof, bool of_velocity, double change, ConstraintRows& rows);

    const Tree& tree_;
    const Options& options_;
    Workspace<double> workspace_;
    Stepper<double> stepper_;
    StageContacts stage_contacts_;
    ColliderMemory memory_;
    Contacts contacts_;
    ConstraintRows after_, before_;
    std::vector<double> displacement_;
};

}  // namespace rattleback::comfree
