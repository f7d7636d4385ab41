// The table of fields that a Model shares with MuJoCo's mjModel: their names there, and our numbers in MuJoCo's order.
#pragma once

#include <rattleback/model.h>

#include <span>
#include <vector>

namespace rattleback
{

/// What has a row of a field.
enum class FieldKind
{
    q,
    body,
    joint,
    dof,
    tendon,
    actuator,
    site,
    geom,
    equality,
};

struct FieldRow
{
    const char* field;
    FieldKind kind;
    std::vector<double> (*ours)(const Model& model);
    int compared = 0;                    ///< first columns that count; 0: all
    const char* switch_field = nullptr;  ///< rows where this field of MuJoCo is zero do not count
    bool indices = false;                ///< numbers of other elements: only comparable when the order is the same
    bool law = false;                    ///< of actuators: has a meaning of its own for muscles, motors and the like
};

/// Of bodies, joints, sites, tendons and actuators.
std::span<const FieldRow> list_fields();
/// Of shapes with their surfaces, and of equality constraints.
std::span<const FieldRow> list_surface_fields();

/// Three numbers for each vector.
std::vector<double> to_numbers(const std::vector<Vec3>& values);
/// Six numbers a body: the inertia matrix in the body's axes, which does not depend on the order of principal axes.
std::vector<double> get_inertias(const std::vector<double>& moments, const std::vector<Quat>& rotations);
/// Rotation matrices, so that the sign of a quaternion does not count.
std::vector<double> get_axes(const std::vector<Quat>& rotations);
std::vector<Quat> get_rotations(const std::vector<Pose>& poses);
std::vector<Quat> to_rotations(const std::vector<double>& numbers);

}  // namespace rattleback
