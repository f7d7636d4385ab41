// Mass, centre and inertia of the primitives; choice by kind of shape; moving and joining mass properties.
#include "geometry/mass.h"

#include <optional>
#include <string>

#include "geometry/mesh_mass.h"
#include "math/matrix3.h"

namespace rattleback
{
namespace
{

// At unit density first: a mass or a density is a factor. Moments are about the centre of mass; parts are joined by the
// parallel axis theorem.

MassProperties make_centered(double mass, const Vec3& diagonal)
{
    return {.mass = mass, .center = {}, .inertia = {{diagonal.x, 0, 0, 0, diagonal.y, 0, 0, 0, diagonal.z}}};
}

/// Box and ellipsoid: the mean of x² over the solid is `share` times the half size squared.
MassProperties make_from_squares(double mass, double share, const Vec3& size)
{
    // I_x = m (mean y^2 + mean z^2), and so on round.
    const Vec3 mean{share * size.x * size.x, share * size.y * size.y, share * size.z * size.z};
    return make_centered(mass, {mass * (mean.y + mean.z), mass * (mean.x + mean.z), mass * (mean.x + mean.y)});
}

MassProperties make_cylinder(double radius, double half_length)
{
    // m = pi r^2 2 h at unit density.
    const double mass = 2 * kPi * radius * radius * half_length;
    // A disc's r^2 / 4 and a rod's h^2 / 3.
    const double across = mass * (radius * radius / 4 + half_length * half_length / 3);
    return make_centered(mass, {across, across, mass * radius * radius / 2});
}

/// A cylinder and two hemispheres, whose centroids lie 3/8 of a radius beyond its ends.
MassProperties make_capsule(double radius, double half_length)
{
    const MassProperties rod = make_cylinder(radius, half_length);
    // Both hemispheres together are a ball; the shift to the ends adds the square of the distance and a mixed term.
    // A hemisphere's centroid is 3 r / 8 from its flat side; twice h times that is the mixed term.
    const double caps = 4 * kPi / 3 * radius * radius * radius;
    const double along = 2 * caps * radius * radius / 5;
    const double shift = caps * half_length * (half_length + 3 * radius / 4);
    const double across = rod.inertia(0, 0) + along + shift;
    return make_centered(rod.mass + caps, {across, across, rod.inertia(2, 2) + along});
}

bool has_mesh(ShapeType type)
{
    return type == ShapeType::hull || type == ShapeType::mesh || type == ShapeType::points ||
           type == ShapeType::segments || type == ShapeType::surface;
}

/// How many members of `size` a primitive uses.
int find_size_count(ShapeType type)
{
    switch (type)
    {
        case ShapeType::sphere:
            return 1;
        case ShapeType::capsule:
        case ShapeType::cylinder:
            return 2;
        case ShapeType::box:
        case ShapeType::ellipsoid:
            return 3;
        default:
            return 0;
    }
}

std::optional<Error> find_size_error(ShapeType type, const Vec3& size)
{
    // A length that is no number, or not positive, is named with the shape.
    for (int i = 0; i < find_size_count(type); ++i)
    {
        if (!std::isfinite(size[i]))
        {
            return Error{.code = ErrorCode::invalid_value,
                         .message = std::string("a size of the ") + to_string(type) + " is not finite"};
        }
        if (size[i] > 0) continue;
        // A capsule without a side is a ball, and has a volume.
        if (type == ShapeType::capsule && i == 1 && size[i] == 0) continue;  // a ball
        return Error{.code = ErrorCode::invalid_value,
                     .message = std::string("a ") + to_string(type) + " with a size of " + std::to_string(size[i]) +
                                " m is a solid without volume",
                     .hint = "give positive sizes, or use the `surface` shape for a thin object"};
    }
    return std::nullopt;
}

MassProperties compute_primitive(ShapeType type, const Vec3& size)
{
    switch (type)
    {
        case ShapeType::sphere:
        {
            // A ball is an ellipsoid with equal radii: the mean of x^2 is r^2 / 5.
            const double r = size.x;
            return make_from_squares(4 * kPi / 3 * r * r * r, 0.2, {r, r, r});
        }
        case ShapeType::capsule:
            return make_capsule(size.x, size.y);
        case ShapeType::box:
            // The mean of x^2 over a box is a third of the half side squared.
            return make_from_squares(8 * size.x * size.y * size.z, 1.0 / 3, size);
        case ShapeType::cylinder:
            return make_cylinder(size.x, size.y);
        case ShapeType::ellipsoid:
            return make_from_squares(4 * kPi / 3 * size.x * size.y * size.z, 0.2, size);
        default:
            return {};
    }
}

Error make_out_of_range(const char* what)
{
    return {.code = ErrorCode::invalid_value,
            .message = std::string(what) + " is too large or too small for a number",
            .hint = "lengths are in metres"};
}

Result<MassProperties> compute_unit_mass(ShapeType type, const Vec3& size, const MeshOptions* mesh, MeshMass rule)
{
    // At unit density: the mass is the volume (area, length, count).
    if (has_mesh(type))
    {
        // Meshes have rules of their own: solid, shell, hull.
        if (mesh != nullptr) return compute_mesh_mass(type, *mesh, rule);
        return Error{.code = ErrorCode::invalid_value,
                     .message = std::string("the ") + to_string(type) + " has no mesh"};
    }
    if (auto error = find_size_error(type, size)) return *error;
    return compute_primitive(type, size);
}

MassProperties scaled(MassProperties p, double factor)
{
    // Inertia is linear in the mass, the centre does not move.
    p.mass *= factor;
    for (double& entry : p.inertia.m) entry *= factor;
    return p;
}

std::optional<Error> find_amount_error(const char* what, double amount)
{
    if (std::isfinite(amount) && amount >= 0) return std::nullopt;
    return Error{.code = ErrorCode::invalid_value,
                 .message = std::string("the ") + what + " is " + std::to_string(amount),
                 .hint = std::string("a ") + what + " is a number, zero or more"};
}

}  // namespace

bool is_finite(const MassProperties& p)
{
    // Finite as a whole: overflow in any number shows in the sum.
    double sum = p.mass + p.center.x + p.center.y + p.center.z;
    // A sum of finite numbers can overflow as well, which is as bad.
    for (const double entry : p.inertia.m) sum += entry;
    return std::isfinite(sum);
}

Result<MassProperties> compute_mass(ShapeType type, const Vec3& size, const MeshOptions* mesh, MeshMass rule,
                                    double density)
{
    if (auto error = find_amount_error("density", density)) return *error;
    if (type == ShapeType::plane || type == ShapeType::height_field) return MassProperties{};

    const Result<MassProperties> unit = compute_unit_mass(type, size, mesh, rule);
    if (!unit) return unit.errors();
    // Density is a factor of everything.
    const MassProperties result = scaled(unit.value(), density);
    // A positive volume may be too small for a number: the mass must be one.
    if (!is_finite(unit.value()) || !(unit.value().mass > 0) || !is_finite(result))
        return make_out_of_range("the mass");
    return result;
}

Result<MassProperties> compute_mass_scaled(ShapeType type, const Vec3& size, const MeshOptions* mesh, MeshMass rule,
                                           double mass)
{
    if (auto error = find_amount_error("mass", mass)) return *error;
    // By unit density and a factor: the centre and the axes do not depend on the mass.
    const Result<MassProperties> unit = compute_mass(type, size, mesh, rule, 1);
    if (!unit) return unit.errors();
    if (type == ShapeType::plane || type == ShapeType::height_field) return MassProperties{};

    MassProperties result = scaled(unit.value(), mass / unit.value().mass);
    result.mass = mass;
    if (!is_finite(result)) return make_out_of_range("the inertia");
    return result;
}

MassProperties transformed(const MassProperties& part, const Pose& pose)
{
    // The centre moves with the pose; moments about it only turn.
    MassProperties result{.mass = part.mass, .center = pose.position + to_matrix(pose.rotation) * part.center};
    // R I Rᵀ about the centre, which moves with the pose.
    const Mat3 turned = turn_tensor(pose.rotation, part.inertia);
    for (int i = 0; i < 3; ++i)
    {
        // Rounding may break the symmetry; the mean restores it.
        for (int j = 0; j < 3; ++j) result.inertia(i, j) = 0.5 * (turned(i, j) + turned(j, i));
    }
    return result;
}

MassProperties combined(const MassProperties& a, const MassProperties& b)
{
    const double mass = a.mass + b.mass;
    // Two parts without mass have no centre: that of the first stays.
    const double share = mass > 0 ? b.mass / mass : 0;
    // Parallel axis theorem for two parts about their common centre: reduced mass times the offset squared.
    const Vec3 offset = b.center - a.center;
    const double reduced = a.mass * share;  // parallel axes: both parts at once, about their common centre

    MassProperties result{.mass = mass, .center = a.center + share * offset};
    for (int i = 0; i < 3; ++i)
    {
        for (int j = 0; j < 3; ++j)
        {
            // Reduced mass times (d^2 1 - d dᵀ), the inertia of two points about their common centre.
            const double moved = (i == j ? dot(offset, offset) : 0) - offset[i] * offset[j];
            result.inertia(i, j) = a.inertia(i, j) + b.inertia(i, j) + reduced * moved;
        }
    }
    return result;
}

}  // namespace rattleback
