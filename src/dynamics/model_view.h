// ModelView: the arrays of a Model that the dynamics loops read, as spans: into the Model itself on the host, into a
// copy of the arrays on a device. Members are named as in the Model.
#pragma once

#include <rattleback/model.h>

namespace rattleback
{

struct BodiesView
{
    std::span<const int> parent, root, last_dof, v_begin;
    std::span<const BodyKind> kind;
    std::span<const Pose> pose, inertial_pose;
    std::span<const double> mass, gravity_compensation;
    std::span<const Vec3> inertia;
    std::span<const std::array<double, 2>> inverse_weight;
};
struct JointsView
{
    std::span<const JointType> type;
    std::span<const int> q_begin, v_begin, gravity_compensation_by_actuator;
    std::span<const double> stiffness;
    std::span<const Range> actuator_force_range;
    std::span<const std::array<double, 2>> stiffness_polynomial;
    std::span<const double> spring_yield;
    std::span<const int> plastic_begin;
};
struct DofsView
{
    std::span<const int> parent, joint, row_begin, row_column;
    std::span<const double> armature, damping, inertia, inverse_weight;
    std::span<const std::array<double, 2>> damping_polynomial;
};
struct SitesView
{
    std::span<const int> body;
    std::span<const Pose> pose;
};
struct TendonsView
{
    std::span<const TendonType> type;
    std::span<const int> item_begin;
    std::span<const TendonItem> items;
    std::span<const double> stiffness, damping, armature;
    std::span<const std::array<double, 2>> spring_length;
    std::span<const Range> actuator_force_range;
    std::span<const double> inverse_weight;
    std::span<const std::array<double, 2>> stiffness_polynomial, damping_polynomial;
    std::span<const double> spring_yield;
    std::span<const int> plastic_begin;
};
struct ActuatorsView
{
    std::span<const TransmissionType> transmission;
    std::span<const int> target, reference, inputs, act_begin, act_size, act_early, sample_count, history_begin;
    std::span<const std::array<double, 6>> gear;
    std::span<const ActuatorLaw> gain_law, bias_law;
    std::span<const std::array<double, 3>> gain, bias;
    std::span<const std::array<double, 10>> gain_parameters, bias_parameters, dynamics_parameters;
    std::span<const ActuatorDynamics> dynamics;
    std::span<const double> time_constant, crank_length, period, delay;
    std::span<const Range> input_range, force_range, act_range, length_range;
    std::span<const Interpolation> interpolation;

    ActuatorsView() = default;
    explicit(false) ActuatorsView(const Actuators& a)
        : transmission(a.transmission),
          target(a.target),
          reference(a.reference),
          inputs(a.inputs),
          act_begin(a.act_begin),
          act_size(a.act_size),
          act_early(a.act_early),
          sample_count(a.sample_count),
          history_begin(a.history_begin),
          gear(a.gear),
          gain_law(a.gain_law),
          bias_law(a.bias_law),
          gain(a.gain),
          bias(a.bias),
          gain_parameters(a.gain_parameters),
          bias_parameters(a.bias_parameters),
          dynamics_parameters(a.dynamics_parameters),
          dynamics(a.dynamics),
          time_constant(a.time_constant),
          crank_length(a.crank_length),
          period(a.period),
          delay(a.delay),
          input_range(a.input_range),
          force_range(a.force_range),
          act_range(a.act_range),
          length_range(a.length_range),
          interpolation(a.interpolation)
    {
    }
};

struct ModelView
{
    BodiesView bodies;
    JointsView joints;
    DofsView dofs;
    SitesView sites;
    TendonsView tendons;
    ActuatorsView actuators;
    std::span<const double> spring_q;
    std::span<const int> level_begin, level_bodies;  ///< bodies at equal depth, see Model
    Vec3 gravity;                                    ///< [m/s^2]
    Medium medium;
    double dt = 0;  ///< of the settings [s]
    int q_count = 0;
    int act_count = 0;

    ModelView() = default;
    explicit(false) ModelView(const Model& model);

    RB_HD int body_count() const { return static_cast<int>(bodies.parent.size()); }
    RB_HD int v_count() const { return static_cast<int>(dofs.parent.size()); }
    RB_HD int tendon_count() const { return static_cast<int>(tendons.type.size()); }
    RB_HD int actuator_count() const { return static_cast<int>(actuators.target.size()); }
};

/// Calls visit(span) for every span of the view, to move the arrays elsewhere.
template <class Visit>
void visit_arrays(ModelView& view, const Visit& visit)
{
    const auto all = [&](auto&... spans) { (visit(spans), ...); };
    BodiesView& b = view.bodies;
    all(b.parent, b.root, b.last_dof, b.v_begin, b.kind, b.pose, b.inertial_pose, b.mass, b.gravity_compensation,
        b.inertia, b.inverse_weight);
    JointsView& j = view.joints;
    all(j.type, j.q_begin, j.v_begin, j.gravity_compensation_by_actuator, j.stiffness, j.actuator_force_range);
    all(j.stiffness_polynomial, j.spring_yield, j.plastic_begin);
    DofsView& d = view.dofs;
    all(d.parent, d.joint, d.row_begin, d.row_column, d.armature, d.damping, d.inertia, d.inverse_weight,
        d.damping_polynomial);
    all(view.sites.body, view.sites.pose);
    TendonsView& t = view.tendons;
    all(t.type, t.item_begin, t.items, t.stiffness, t.damping, t.armature, t.spring_length, t.actuator_force_range,
        t.inverse_weight, t.stiffness_polynomial, t.damping_polynomial, t.spring_yield, t.plastic_begin);
    ActuatorsView& a = view.actuators;
    all(a.transmission, a.target, a.act_begin, a.act_early, a.gear, a.gain, a.bias, a.dynamics, a.time_constant,
        a.input_range, a.force_range, a.act_range);
    all(a.reference, a.inputs, a.act_size, a.sample_count, a.history_begin, a.gain_law, a.bias_law, a.gain_parameters,
        a.bias_parameters, a.dynamics_parameters, a.crank_length, a.period, a.delay, a.length_range, a.interpolation);
    all(view.spring_q, view.level_begin, view.level_bodies);
}

}  // namespace rattleback
