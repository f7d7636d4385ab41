// The fields of equalities and tendons.
#pragma once

#include <rattleback/options.h>

#include "model/fields/rows.h"

namespace rattleback
{

/// EqualityOptions and Equalities.
struct EqualityRows
{
    template <class Visit>
    static constexpr void visit(Visit&& row)
    {
        using O = EqualityOptions;
        row(Array{"name", &Equalities::name});
        row(Array{"type", &Equalities::type});
        row(Array{"first", &Equalities::first});
        row(Array{"second", &Equalities::second});
        row(Array{"first_frame", &Equalities::first_frame});
        row(Array{"second_frame", &Equalities::second_frame});
        row(Field{"torque_scale", &O::torque_scale, &Equalities::torque_scale, Check::usual, "torquescale"});
        row(Array{"polynomial", &Equalities::polynomial});
        row(Field{"softness", &O::softness, &Equalities::softness, Check::usual, "solref solimp"});
        row(Field{"active", &O::active, &Equalities::active, Check::usual, "active"});
        row(Field{"break_force", &O::break_force, &Equalities::break_force, Check::bound});
        row(Field{"break_torque", &O::break_torque, &Equalities::break_torque, Check::bound});
        row(Array{"cable", &Equalities::cable, Check::elsewhere});
    }
};
static_assert(is_complete<EqualityRows, Equalities>());

/// TendonOptions and Tendons.
struct TendonRows
{
    template <class Visit>
    static constexpr void visit(Visit&& row)
    {
        using O = TendonOptions;
        row(Array{"name", &Tendons::name});
        row(Array{"type", &Tendons::type});
        row(Array{"item_begin", &Tendons::item_begin, Check::usual, Length::own});
        row(Array{"items", &Tendons::items, Check::elsewhere, Length::own});
        row(Field{"range", &O::range, &Tendons::range, Check::usual, "limited:w=auto{false|true|auto} range:r2=0,0"});
        row(Field{"margin", &O::margin, &Tendons::margin, Check::usual, "margin:r=0"});
        row(Field{"limit_softness", &O::limit_softness, &Tendons::limit_softness, Check::usual,
                  "solreflimit:r1-2=0.02,1 solimplimit:r1-5=0.9,0.95,0.001,0.5,2"});
        row(Field{"stiffness", &O::stiffness, &Tendons::stiffness, Check::usual, "stiffness:r1-3=0,0,0"});
        row(Field{"damping", &O::damping, &Tendons::damping, Check::usual, "damping:r1-3=0,0,0"});
        row(Field{"dry_friction", &O::dry_friction, &Tendons::dry_friction, Check::usual, "frictionloss:r=0"});
        row(Field{"armature", &O::armature, &Tendons::armature, Check::not_negative, "armature:r=0"});
        row(Field{"stiffness_polynomial", &O::stiffness_polynomial, &Tendons::stiffness_polynomial});
        row(Field{"damping_polynomial", &O::damping_polynomial, &Tendons::damping_polynomial});
        row(Field{"dry_friction_softness", &O::dry_friction_softness, &Tendons::dry_friction_softness, Check::usual,
                  "solreffriction:r1-2=0.02,1 solimpfriction:r1-5=0.9,0.95,0.001,0.5,2"});
        row(Field{"spring_length", &O::spring_length, &Tendons::spring_length, Check::usual,
                  "springlength:r1-2=-1,-1"});
        row(Field{"spring_yield", &O::spring_yield, &Tendons::spring_yield, Check::not_negative, "springyield:r=0"});
        row(Array{"plastic_begin", &Tendons::plastic_begin});
        row(Array{"length", &Tendons::length});
        row(Array{"inverse_weight", &Tendons::inverse_weight, Check::not_negative});
        row(Field{"actuator_force_range", &O::actuator_force_range, &Tendons::actuator_force_range, Check::usual,
                  "actuatorfrclimited:w=auto{false|true|auto} actuatorfrcrange:r2=0,0"});
    }
};
static_assert(is_complete<TendonRows, Tendons>());

}  // namespace rattleback
