// World parameters: numbers that worlds of a Batch may have of their own, in place of the Model's.
#pragma once

#include <rattleback/api.h>
#include <rattleback/model.h>

namespace rattleback RATTLEBACK_API
{

/// What a world may have of its own.
enum class WorldParameter
{
    gravity,   ///< 3 numbers, Settings::gravity [m/s^2]
    friction,  ///< [shape_count] sliding friction, in place of that of the shape's material; not of explicit pairs with
               ///< a material of their own
    mass,      ///< [body_count] [kg]; moments of inertia and what follows from M(q0) (inverse weights, with which
               ///< constraints are weighed) go with it. Zero where the Model's is, and only there
    gain,      ///< [actuator_count][6] Actuators::gain, then bias. What depends on velocity (the third of each) is zero
               ///< where the Model's is, and only there
    stiffness,  ///< 1 number, k of the solver `comfree` [1/s], in place of its parameter
    damping,    ///< 1 number, its d
};
inline constexpr int kWorldParameterCount = 6;
const char* to_string(WorldParameter parameter);

/// Numbers that a world has of a parameter.
int count_items(const Model& model, WorldParameter parameter);

/// Masses of one world and what follows from them, found once when they are put into force; empty: the Model's.
struct MassView
{
    std::span<const double> mass;           ///< [body_count], as Bodies::mass
    std::span<const double> moments;        ///< [body_count][3], as Bodies::inertia
    std::span<const double> body_weight;    ///< [body_count][2], as Bodies::inverse_weight
    std::span<const double> dof_inertia;    ///< [v_count], as Dofs::inertia
    std::span<const double> dof_weight;     ///< [v_count], as Dofs::inverse_weight
    std::span<const double> tendon_weight;  ///< [tendon_count], as Tendons::inverse_weight
};

/// The parameters of one world; what is empty is the Model's. Either all worlds of a batch have a parameter or none.
struct ParameterView
{
    std::span<const double> gravity;   ///< [3]
    std::span<const double> friction;  ///< [shape_count]
    MassView mass;
    std::span<const double> gain;                ///< [actuator_count][6]
    std::span<const double> stiffness, damping;  ///< [1]

    Vec3 find_gravity(const Model& model) const
    {
        return gravity.empty() ? model.settings.gravity : Vec3{gravity[0], gravity[1], gravity[2]};
    }
    double find_stiffness(double usual) const { return stiffness.empty() ? usual : stiffness[0]; }
    double find_damping(double usual) const { return damping.empty() ? usual : damping[0]; }
};

}  // namespace rattleback
