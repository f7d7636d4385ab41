// Fluid forces after MuJoCo's manual, chapter "Fluid forces" (equations named there), in each part's own axes.
#include "dynamics/fluid.h"

#include "dynamics/jacobian.h"

#include <algorithm>

namespace rattleback
{

namespace
{

constexpr double kTiny = 1e-15;  // MuJoCo's smallest value for divisors

double power4(double x) { return x * x * x * x; }

/// The dimensionless integral of a potential flow along x around the ellipsoid (x, y, z), by the 15-point Kronrod rule
/// on [0, 1] with lambda = t^3 / (1 - t)^2. Eight decimals of the rule's constants, as MuJoCo has them: with all
/// decimals the added mass of a playing card would differ by 1e-6 (and the exact integral by 7e-3).
double added_mass_integral(double x, double y, double z)
{
    constexpr double kNode[8] = {0.00427231, 0.02544604, 0.06756779, 0.12923441,
                                 0.20695638, 0.29707742, 0.39610752, 0.5};
    constexpr double kWeight[8] = {0.01146766, 0.03154605, 0.05239501, 0.07032663,
                                   0.08450236, 0.09517529, 0.10221647, 0.10474107};
    const double scale = std::pow(x * x * x * y * z, 0.4);
    const auto integrand = [&](double t)
    {
        const double lambda = scale * t * t * t / ((1 - t) * (1 - t));
        const double slope = scale * t * t * (3 - t) / ((1 - t) * (1 - t) * (1 - t));
        const double a = 1 + lambda / (x * x), b = 1 + lambda / (y * y), c = 1 + lambda / (z * z);
        return slope / (a * std::sqrt(a * b * c));
    };
    double sum = 0;
    for (int i = 0; i < 8; ++i)
    {
        sum += kWeight[i] * integrand(kNode[i]);
        if (i < 7) sum += kWeight[i] * integrand(1 - kNode[i]);
    }
    return sum / (x * x);
}

/// Added mass and inertia of an ellipsoid per density of the fluid.
void find_added_mass(FluidPart& part)
{
    const double x = part.size.x, y = part.size.y, z = part.size.z;
    const double volume = 4.0 / 3 * kPi * x * y * z;
    const double kx = added_mass_integral(x, y, z), ky = added_mass_integral(y, z, x),
                 kz = added_mass_integral(z, x, y);
    const auto factor = [](double a, double b, double ka, double kb)
    {
        const double difference = a * a - b * b;
        const double below = std::abs(2 * difference + (a * a + b * b) * (ka - kb));
        return difference * difference * std::abs(kb - ka) / std::max(kTiny, below);
    };
    part.added_mass = {volume * kx / std::max(kTiny, 2 - kx), volume * ky / std::max(kTiny, 2 - ky),
                       volume * kz / std::max(kTiny, 2 - kz)};
    part.added_inertia = {volume * factor(y, z, ky, kz) / 5, volume * factor(z, x, kz, kx) / 5,
                          volume * factor(x, y, kx, ky) / 5};
}

/// Semi-axes of the ellipsoid that stands for a shape; of a mesh, half the sides of its box.
Vec3 semi_axes(const Model& model, int shape)
{
    const Vec3& size = model.shapes.size[shape];
    switch (model.shapes.type[shape])
    {
        case ShapeType::sphere:
            return {size.x, size.x, size.x};
        case ShapeType::capsule:
            return {size.x, size.x, size.x + size.y};
        case ShapeType::cylinder:
            return {size.x, size.x, size.y};
        case ShapeType::box:
        case ShapeType::ellipsoid:
            return size;
        default:
            break;
    }
    Vec3 lower{1e300, 1e300, 1e300}, upper{-1e300, -1e300, -1e300};
    for (const Vec3& v : model.meshes[model.shapes.asset[shape]].vertices)
    {
        lower = {std::min(lower.x, v.x), std::min(lower.y, v.y), std::min(lower.z, v.z)};
        upper = {std::max(upper.x, v.x), std::max(upper.y, v.y), std::max(upper.z, v.z)};
    }
    return 0.5 * (upper - lower);
}

FluidPart make_box(const Model& model, int b)
{
    FluidPart part{.body = b, .pose = model.bodies.inertial_pose[b]};
    const Vec3& i = model.bodies.inertia[b];
    const double mass = model.bodies.mass[b];
    const auto side = [&](double sum) { return std::sqrt(std::max(kTiny, sum) / mass * 6); };
    part.size = {side(i.y + i.z - i.x), side(i.x + i.z - i.y), side(i.x + i.y - i.z)};
    return part;
}

/// Force and torque on a part that moves with v and w relative to the fluid, all in its own axes.
template <class T>
struct LocalForce
{
    Vector3<T> torque, force;
};

template <class T>
Vector3<T> times(const Vec3& a, const Vector3<T>& b)
{
    return {a.x * b.x, a.y * b.y, a.z * b.z};
}

/// Stokes drag of the equivalent sphere and quadratic drag on the sides of the inertia box.
template <class T>
LocalForce<T> box_force(const FluidPart& part, const Medium& medium, const Vector3<T>& v, const Vector3<T>& w)
{
    const Vec3& s = part.size;
    const double diameter = (s.x + s.y + s.z) / 3;
    LocalForce<T> f{T(-kPi * diameter * diameter * diameter * medium.viscosity) * w,
                    T(-3 * kPi * diameter * medium.viscosity) * v};
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
double swept_moment(double x, double y, double z) { return 8.0 / 15 * kPi * x * power4(std::max(y, z)); }

/// Added mass, Magnus and Kutta lift, drag and viscous resistance of an ellipsoid.
template <class T>
LocalForce<T> ellipsoid_force(const FluidPart& part, const Medium& medium, const Vector3<T>& v, const Vector3<T>& w)
{
    using std::sqrt;
    const Vec3& s = part.size;
    const auto [blunt, slender, angular, kutta, magnus] = part.coefficients;
    const double density = medium.density;
    const double longest = std::max({s.x, s.y, s.z}), shortest = std::min({s.x, s.y, s.z});
    const double middle = s.x + s.y + s.z - longest - shortest;
    const double volume = 4.0 / 3 * kPi * s.x * s.y * s.z, largest_area = kPi * longest * middle;

    const Vector3<T> momentum = times(density * part.added_mass, v);
    const Vector3<T> angular_momentum = times(density * part.added_inertia, w);
    LocalForce<T> f{cross(momentum, v) + cross(angular_momentum, w), cross(momentum, w)};

    // area projected along v, and the surface normal there (times the square root of `below`)
    const Vec3 area{s.y * s.z * s.y * s.z, s.z * s.x * s.z * s.x, s.x * s.y * s.x * s.y};
    const Vector3<T> normal = times(area, v);
    const T below = dot(normal, normal), above = dot(normal, v);
    const T projected = T(kPi) * sqrt(below / maximum(above, T(1e-300)));
    const T speed = norm(v);
    const T cosine = select(below > T(0.0), above / (speed * below), T(0.0));
    const Vector3<T> circulation = (T(kutta * density) * cosine * projected) * cross(normal, v);
    f.force += T(magnus * density * volume) * cross(w, v) + cross(circulation, v);

    const double diameter = 2.0 / 3 * (s.x + s.y + s.z);
    const double largest = 8.0 / 15 * kPi * middle * power4(longest);
    const Vec3 moment{swept_moment(s.x, s.y, s.z), swept_moment(s.y, s.z, s.x), swept_moment(s.z, s.x, s.y)};
    const auto weight = [&](double m) { return angular * m + slender * (largest - m); };
    const Vector3<T> swirl = times({weight(moment.x), weight(moment.y), weight(moment.z)}, w);
    const T drag = T(medium.viscosity * 3 * kPi * diameter) +
                   T(density) * speed * (T(blunt) * projected + T(slender) * (T(largest_area) - projected));
    const T resistance = T(medium.viscosity * kPi * diameter * diameter * diameter) + T(density) * norm(swirl);
    f.force -= drag * v;
    f.torque -= resistance * w;
    return f;
}

}  // namespace

std::vector<FluidPart> make_fluid_parts(const Model& model)
{
    std::vector<FluidPart> parts;
    const Medium& medium = model.settings.medium;
    if (medium.density == 0 && medium.viscosity == 0) return parts;
    for (int b = 1; b < model.body_count(); ++b)
    {
        if (model.bodies.last_dof[b] < 0 || model.bodies.mass[b] < kTiny) continue;
        bool by_shape = false;
        for (int k = model.bodies.shape_begin[b]; k < model.bodies.shape_begin[b + 1]; ++k)
        {
            const int s = model.bodies.shapes_of_body[k];
            if (!model.shapes.fluid[s]) continue;
            by_shape = true;
            FluidPart part{.body = b, .ellipsoid = true, .pose = model.shapes.pose[s]};
            part.size = semi_axes(model, s);
            part.coefficients = model.shapes.fluid_coefficients[s];
            find_added_mass(part);
            parts.push_back(part);
        }
        if (!by_shape) parts.push_back(make_box(model, b));
    }
    return parts;
}

template <class T>
void add_fluid_forces(Workspace<T>& w)
{
    const Model& model = *w.tree->model;
    const Medium& medium = model.settings.medium;
    const Vector3<T> wind{T(medium.wind.x), T(medium.wind.y), T(medium.wind.z)};
    for (const FluidPart& part : w.tree->fluid_parts)
    {
        const int b = part.body;
        const Vector3<T> point = w.position[b] + w.matrix[b] * part.pose.position;
        const Matrix3<T> axes = w.matrix[b] * to_matrix(part.pose.rotation);
        const Vector3<T> v = transpose_times(axes, body_point_velocity(w, b, point) - wind);
        const Vector3<T> spin = transpose_times(axes, w.velocity[b].angular);
        const LocalForce<T> local =
            part.ellipsoid ? ellipsoid_force(part, medium, v, spin) : box_force(part, medium, v, spin);
        const Vector3<T> force = axes * local.force, torque = axes * local.torque;
        for (int d = model.bodies.last_dof[b]; d >= 0; d = model.dofs.parent[d])
        {
            const Motion<T>& dof = w.dof[d];
            w.passive[d] += dot(force, point_velocity(w, dof, b, point)) + dot(torque, dof.angular);
        }
    }
}

template void add_fluid_forces(Workspace<double>&);
template void add_fluid_forces(Workspace<Pack4>&);

}  // namespace rattleback
