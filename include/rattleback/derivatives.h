// Derivatives of one step with respect to state, inputs, and the stiffness and damping of contacts.
#pragma once

#include <rattleback/api.h>
#include <rattleback/dynamics.h>
#include <rattleback/report.h>

#include <string>

namespace rattleback RATTLEBACK_API
{

struct DerivativeOptions
{
    /// Analytic derivatives: also how contact points, their frames and all constraint Jacobians move with q (by central
    /// differences of the geometry alone). False: they stand, and gaps follow them.
    bool moving_contacts = false;
    bool differences = false;  ///< central differences of whole steps, also where the solver knows better
    double interval = 1e-6;    ///< of central differences [m, rad, m/s, ...]
};

/// The step as a map x -> x', linear around the present state. x = (q, v, act), 2 v_count + act_count numbers;
/// directions of q are those of v (of balls and free joints: turns about body axes), before and after the step.
struct StepDerivatives
{
    DenseMatrix by_state;      ///< [x'][x]
    DenseMatrix by_control;    ///< [x'][actuator_count] by Control::input
    DenseMatrix by_stiffness;  ///< [x'][1] by k of the solver `comfree`, of all contacts; no column for other solvers
    DenseMatrix by_damping;    ///< the same by its d
    /// True: exact at the present active set (which contacts push, stick and slide); at a kink that of one side. False:
    /// differences of whole steps, `reason` says why. They are central, and average both sides of a kink inside of the
    /// interval; where the step jumps on one side (a contact or a limit comes or goes there) they are of the other.
    bool analytic = false;
    std::string reason;  ///< why they are differences, and which columns are not central; empty: analytic
    int one_sided = 0;   ///< columns of all four matrices that are differences of one side
    int jumping = 0;     ///< columns across a jump on both sides: no derivatives, as large as 1 / interval allows
    StepReport report;   ///< of the step itself
};

}  // namespace rattleback
