// The fields of bodies and joints.
#pragma once

#include <rattleback/options.h>

#include "model/fields/rows.h"

namespace rattleback
{

/// BodyOptions and Bodies.
struct BodyRows
{
    template <class Visit>
    static constexpr void visit(Visit&& row)
    {
        row(Array{"name", &Bodies::name});
        row(Array{"parent", &Bodies::parent});
        row(Field{"kind", &BodyOptions::kind, &Bodies::kind});
        row(Array{"pose", &Bodies::pose});
        row(Array{"mass", &Bodies::mass, Check::not_negative});
        row(Array{"inertia", &Bodies::inertia, Check::not_negative});
        row(Array{"inertial_pose", &Bodies::inertial_pose});
        row(Field{"gravity_compensation", &BodyOptions::gravity_compensation, &Bodies::gravity_compensation,
                  Check::usual, "gravcomp:r=0"});
        row(Field{"sleep", &BodyOptions::sleep, &Bodies::sleep});
        row(Array{"joint_begin", &Bodies::joint_begin, Check::usual, Length::count_plus_one});
        row(Array{"joints_of_body", &Bodies::joints_of_body, Check::usual, Length::own});
        row(Array{"v_begin", &Bodies::v_begin});
        row(Array{"v_count", &Bodies::v_count});
        row(Array{"last_dof", &Bodies::last_dof});
        row(Array{"root", &Bodies::root});
        row(Array{"weld", &Bodies::weld});
        row(Array{"shape_begin", &Bodies::shape_begin, Check::usual, Length::count_plus_one});
        row(Array{"shapes_of_body", &Bodies::shapes_of_body, Check::usual, Length::own});
        row(Array{"kinematic_index", &Bodies::kinematic_index});
        row(Array{"track", &Bodies::track});
        row(Array{"subtree_mass", &Bodies::subtree_mass, Check::not_negative});
        row(Array{"inverse_weight", &Bodies::inverse_weight});
        row(Option{"position", &BodyOptions::position, Check::elsewhere});
        row(Option{"rotation", &BodyOptions::rotation, Check::elsewhere});
        row(Option{"inertia", &BodyOptions::inertia, Check::elsewhere});
        row(Option{"linear_velocity", &BodyOptions::linear_velocity, Check::elsewhere});
        row(Option{"angular_velocity", &BodyOptions::angular_velocity, Check::elsewhere});
    }
};
static_assert(is_complete<BodyRows, Bodies>());

/// JointOptions; Joints, one element for each joint, and Dofs, one for each degree of freedom.
struct JointRows
{
    template <class Visit>
    static constexpr void visit(Visit&& row)
    {
        using O = JointOptions;
        row(Array{"name", &Joints::name});
        row(Field{"type", &O::type, &Joints::type});
        row(Array{"body", &Joints::body});
        row(Array{"q_begin", &Joints::q_begin});
        row(Array{"v_begin", &Joints::v_begin});
        row(Field{"position", &O::position, &Joints::position, Check::usual, "pos:r3=0,0,0"});
        row(Field{"axis", &O::axis, &Joints::axis, Check::usual, "axis:r3=0,0,1"});
        row(Field{"range", &O::range, &Joints::range, Check::usual, "limited:w=auto{false|true|auto} range:r2=0,0"});
        row(Field{"margin", &O::margin, &Joints::margin, Check::usual, "margin:r=0"});
        row(Field{"limit_softness", &O::limit_softness, &Joints::limit_softness, Check::usual,
                  "solreflimit:r1-2=0.02,1 solimplimit:r1-5=0.9,0.95,0.001,0.5,2"});
        row(Field{"stiffness", &O::stiffness, &Joints::stiffness, Check::usual, "stiffness:r1-3=0,0,0"});
        row(Field{"stiffness_polynomial", &O::stiffness_polynomial, &Joints::stiffness_polynomial});
        row(Field{"spring_yield", &O::spring_yield, &Joints::spring_yield, Check::not_negative, "springyield:r=0"});
        row(Array{"plastic_begin", &Joints::plastic_begin});
        row(Field{"actuator_force_range", &O::actuator_force_range, &Joints::actuator_force_range, Check::usual,
                  "actuatorfrclimited:w=auto{false|true|auto} actuatorfrcrange:r2=0,0"});
        row(Field{"gravity_compensation_by_actuator", &O::gravity_compensation_by_actuator,
                  &Joints::gravity_compensation_by_actuator, Check::usual, "actuatorgravcomp:b=false"});
        row(Field{"break_force", &O::break_force, &Joints::break_force, Check::bound});
        row(Field{"break_torque", &O::break_torque, &Joints::break_torque, Check::bound});

        row(Array{"body", &Dofs::body});
        row(Array{"joint", &Dofs::joint});
        row(Array{"parent", &Dofs::parent});
        row(Field{"armature", &O::armature, &Dofs::armature, Check::usual, "armature:r=0"});
        row(Field{"damping", &O::damping, &Dofs::damping, Check::usual, "damping:r1-3=0,0,0"});
        row(Field{"damping_polynomial", &O::damping_polynomial, &Dofs::damping_polynomial});
        row(Field{"dry_friction", &O::dry_friction, &Dofs::dry_friction, Check::usual, "frictionloss:r=0"});
        row(Field{"dry_friction_softness", &O::dry_friction_softness, &Dofs::dry_friction_softness, Check::usual,
                  "solreffriction:r1-2=0.02,1 solimpfriction:r1-5=0.9,0.95,0.001,0.5,2"});
        row(Array{"inertia", &Dofs::inertia, Check::not_negative});
        row(Array{"inverse_weight", &Dofs::inverse_weight, Check::not_negative});
        row(Array{"row_begin", &Dofs::row_begin, Check::usual, Length::count_plus_one});
        row(Array{"row_column", &Dofs::row_column, Check::usual, Length::own});

        // These become coordinates: Model::q0, spring_q, initial_q and initial_v.
        row(Option{"reference", &O::reference, Check::usual, "ref:r=0"});
        row(Option{"spring_reference", &O::spring_reference, Check::usual, "springref:r=0"});
        row(Option{"initial_position", &O::initial_position});
        row(Option{"initial_velocity", &O::initial_velocity});
    }
};
static_assert(is_complete<JointRows, Joints>() && is_complete<JointRows, Dofs>());

}  // namespace rattleback
