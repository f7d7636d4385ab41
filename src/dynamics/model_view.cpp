// Views of a Model's arrays.
#include "dynamics/model_view.h"

namespace rattleback
{

ModelView::ModelView(const Model& m)
    // the order of members is that of the struct: aggregates have no names here
    : bodies{m.bodies.parent,        m.bodies.root,          m.bodies.last_dof,
             m.bodies.v_begin,       m.bodies.kind,          m.bodies.pose,
             m.bodies.inertial_pose, m.bodies.mass,          m.bodies.gravity_compensation,
             m.bodies.inertia,       m.bodies.inverse_weight},
      joints{m.joints.type,
             m.joints.q_begin,
             m.joints.v_begin,
             m.joints.gravity_compensation_by_actuator,
             m.joints.stiffness,
             m.joints.actuator_force_range,
             m.joints.stiffness_polynomial,
             m.joints.spring_yield,
             m.joints.plastic_begin},
      dofs{m.dofs.parent,  m.dofs.joint,   m.dofs.row_begin,      m.dofs.row_column,        m.dofs.armature,
           m.dofs.damping, m.dofs.inertia, m.dofs.inverse_weight, m.dofs.damping_polynomial},
      sites{m.sites.body, m.sites.pose},
      tendons{m.tendons.type,
              m.tendons.item_begin,
              m.tendons.items,
              m.tendons.stiffness,
              m.tendons.damping,
              m.tendons.armature,
              m.tendons.spring_length,
              m.tendons.actuator_force_range,
              m.tendons.inverse_weight,
              m.tendons.stiffness_polynomial,
              m.tendons.damping_polynomial,
              m.tendons.spring_yield,
              m.tendons.plastic_begin},
      actuators(m.actuators),
      spring_q(m.spring_q),
      level_begin(m.level_begin),
      level_bodies(m.level_bodies),
      gravity(m.settings.gravity),
      medium(m.settings.medium),
      dt(m.settings.dt),
      q_count(m.q_count()),
      act_count(m.act_count)
{
}

}  // namespace rattleback
