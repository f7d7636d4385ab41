// Force of the medium on one part, in the part's own axes: formulas of MuJoCo's manual, chapter "Fluid forces".
#pragma once

#include "dynamics/jacobian.h"
#include "math/elementary.h"

namespace rattleback
{

/// Force and torque on a part that moves with v and w relative to the fluid, all in its own axes.
template <class T>
struct LocalForce
{
    Vector3<T> torque, force;
};

RB_HD inline double power4(double x) { return x * x * x * x; }

template <class T>
RB_HD Vector3<T> times(const Vec3& a, const Vector3<T>& b)
{
    return {T(a.x) * b.x, T(a.y) * b.y, T(a.z) * b.z};
}

// Two models of [MuJoCo], chapter "Fluid forces": without a say a body is the box that has its inertia, with drag on
// the faces of the box; a shape that is marked stands for an ellipsoid, with added mass, lift, drag and viscosity.

/// Stokes drag of the equivalent sphere and quadratic drag on the sides of the inertia box.
template <class T>
RB_HD LocalForce<T> box_force(const FluidPart& part, const Medium& medium, const Vector3<T>& v, const Vector3<T>& w)
{
    // The sphere of the mean side: Stokes' law for force and torque.
    const Vec3& s = part.size;
    const double diameter = (s.x + s.y + s.z) / 3;
    LocalForce<T> f{T(-kPi * diameter * diameter * diameter * medium.viscosity) * w,
                    T(-3 * kPi * diameter * medium.viscosity) * v};
    // Quadratic drag against each face, and against each pair of faces that a spin drives through the fluid.
    const double half = 0.5 * medium.density, angular = medium.density / 64;
    f.force.x -= T(half * s.y * s.z) * absolute(v.x) * v.x;
    f.force.y -= T(half * s.x * s.z) * absolute(v.y) * v.y;
    f.force.z -= T(half * s.x * s.y) * absolute(v.z) * v.z;
    f.torque.x -= T(angular * s.x * (power4(s.y) + power4(s.z))) * absolute(w.x) * w.x;
    f.torque.y -= T(angular * s.y * (power4(s.x) + power4(s.z))) * absolute(w.y) * w.y;
    f.torque.z -= T(angular * s.z * (power4(s.x) + power4(s.y))) * absolute(w.z) * w.z;
    return f;
}

/// Largest moment of the disc that an ellipsoid sweeps about axis x: 8/15 pi x max(y, z)^4.
RB_HD inline double swept_moment(double x, double y, double z) { return 8.0 / 15 * kPi * x * power4(maximum(y, z)); }

/// Added mass, Magnus and Kutta lift, drag and viscous resistance of an ellipsoid; or the last two alone.
template <class T>
RB_HD LocalForce<T> ellipsoid_force(const FluidPart& part, const Medium& medium, const Vector3<T>& v,
                                    const Vector3<T>& w, bool drag_alone)
{
    using std::sqrt;
    const Vec3& s = part.size;
    const double blunt = part.coefficients[0], slender = part.coefficients[1], angular = part.coefficients[2];
    const double kutta = part.coefficients[3], magnus = part.coefficients[4];
    const double density = medium.density;
    const double longest = maximum(maximum(s.x, s.y), s.z), shortest = minimum(minimum(s.x, s.y), s.z);
    const double middle = s.x + s.y + s.z - longest - shortest;
    const double volume = 4.0 / 3 * kPi * s.x * s.y * s.z, largest_area = kPi * longest * middle;

    // Added mass: the fluid that is pushed along has a momentum in the part's axes, which turn (Kirchhoff's equations).
    const Vector3<T> momentum = times(density * part.added_mass, v);
    const Vector3<T> angular_momentum = times(density * part.added_inertia, w);
    LocalForce<T> f{cross(momentum, v) + cross(angular_momentum, w), cross(momentum, w)};

    // area projected along v, and the surface normal there (times the square root of `below`)
    const Vec3 area{s.y * s.z * s.y * s.z, s.z * s.x * s.z * s.x, s.x * s.y * s.x * s.y};
    const Vector3<T> normal = times(area, v);
    const T below = dot(normal, normal), above = dot(normal, v);
    const T projected = T(kPi) * sqrt(below / maximum(above, tiny<T>(1e-300)));
    // How far the stream meets the surface at a slant: cos of the angle between v and the normal there, over the length
    // of `normal`.
    const T speed = norm(v);
    const T cosine = select(below > T(0.0), above / (speed * below), T(0.0));
    // Kutta lift by the circulation of the slanted stream, Magnus lift by the spin.
    const Vector3<T> circulation = (T(kutta * density) * cosine * projected) * cross(normal, v);
    f.force += T(magnus * density * volume) * cross(w, v) + cross(circulation, v);
    if (drag_alone) f = {};

    // Viscous parts are those of the sphere with the mean diameter.
    const double diameter = 2.0 / 3 * (s.x + s.y + s.z);
    const double largest = 8.0 / 15 * kPi * middle * power4(longest);
    const Vec3 moment{swept_moment(s.x, s.y, s.z), swept_moment(s.y, s.z, s.x), swept_moment(s.z, s.x, s.y)};
    // Drag grows from the slender to the blunt coefficient with the area across the flow, rotation likewise with the
    // swept moment.
    const auto weight = [a = angular, b = slender, largest](double m) { return a * m + b * (largest - m); };
    const Vector3<T> swirl = times({weight(moment.x), weight(moment.y), weight(moment.z)}, w);
    const T drag = T(medium.viscosity * 3 * kPi * diameter) +
                   T(density) * speed * (T(blunt) * projected + T(slender) * (T(largest_area) - projected));
    const T resistance = T(medium.viscosity * kPi * diameter * diameter * diameter) + T(density) * norm(swirl);
    f.force -= drag * v;
    f.torque -= resistance * w;
    return f;
}

/// Where a part is and how it moves relative to the fluid, in its own axes.
template <class T>
struct FluidMotion
{
    Vector3<T> point;  ///< world
    Matrix3<T> axes;
    Vector3<T> velocity, spin;
};

template <class T>
RB_HD FluidMotion<T> find_motion(const WorkspaceView<T>& w, const FluidPart& part)
{
    // Wind is a velocity of the whole medium; it does not spin.
    const Vec3& wind = w.tree->arrays.medium.wind;
    const int b = part.body;
    FluidMotion<T> motion;
    motion.point = w.position[b] + w.matrix[b] * broadcast<T>(part.pose.position);
    motion.axes = w.matrix[b] * broadcast<T>(to_matrix(part.pose.rotation));
    const Vector3<T> air{T(wind.x), T(wind.y), T(wind.z)};
    motion.velocity = transpose_times(motion.axes, body_point_velocity(w, b, motion.point) - air);
    motion.spin = transpose_times(motion.axes, w.velocity[b].angular);
    return motion;
}

template <class T>
RB_HD LocalForce<T> part_force(const FluidPart& part, const Medium& medium, const Vector3<T>& v, const Vector3<T>& spin,
                               bool drag_alone = false)
{
    return part.ellipsoid ? ellipsoid_force(part, medium, v, spin, drag_alone) : box_force(part, medium, v, spin);
}

}  // namespace rattleback
