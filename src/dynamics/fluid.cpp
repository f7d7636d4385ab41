// Parts of bodies on which the medium acts, after MuJoCo's manual, chapter "Fluid forces".
#include "dynamics/fluid.h"

#include "math/elementary.h"

#include <algorithm>

namespace rattleback
{

namespace
{

// Constants of the two models of [MuJoCo], chapter "Fluid forces": sides of the inertia box of a body, or semi-axes and
// added mass of the ellipsoids that stand for its shapes.

constexpr double kTiny = 1e-15;  // MuJoCo's smallest value for divisors

/// The dimensionless integral of a potential flow along x around the ellipsoid (x, y, z), by the 15-point Kronrod rule
/// on [0, 1] with lambda = t^3 / (1 - t)^2. Eight decimals of the rule's constants, as MuJoCo has them: with all
/// decimals the added mass of a playing card would differ by 1e-6 (and the exact integral by 7e-3).
double added_mass_integral(double x, double y, double z)
{
    constexpr double kNode[8] = {0.00427231, 0.02544604, 0.06756779, 0.12923441,
                                 0.20695638, 0.29707742, 0.39610752, 0.5};
    constexpr double kWeight[8] = {0.01146766, 0.03154605, 0.05239501, 0.07032663,
                                   0.08450236, 0.09517529, 0.10221647, 0.10474107};
    // The substitution makes the integrand smooth at both ends; scale sets where its bulk lies.
    const double scale = power(x * x * x * y * z, 0.4);
    const auto integrand = [&](double t)
    {
        const double lambda = scale * t * t * t / ((1 - t) * (1 - t));
        // d lambda / dt of the substitution.
        const double slope = scale * t * t * (3 - t) / ((1 - t) * (1 - t) * (1 - t));
        const double a = 1 + lambda / (x * x), b = 1 + lambda / (y * y), c = 1 + lambda / (z * z);
        return slope / (a * std::sqrt(a * b * c));
    };
    double sum = 0;
    for (int i = 0; i < 8; ++i)
    {
        sum += kWeight[i] * integrand(kNode[i]);
        // The rule is symmetric about 1/2: nodes in pairs but for the middle one.
        if (i < 7) sum += kWeight[i] * integrand(1 - kNode[i]);
    }
    return sum / (x * x);
}

/// Added mass and inertia of an ellipsoid per density of the fluid.
void find_added_mass(FluidPart& part)
{
    const double x = part.size.x, y = part.size.y, z = part.size.z;
    // Potential flow around an ellipsoid: K / (2 - K) of the displaced mass for a translation, and the difference of
    // two axes for a rotation.
    const double volume = 4.0 / 3 * kPi * x * y * z;
    // The three integrals are cyclic: each axis in turn is the direction of flow.
    const double kx = added_mass_integral(x, y, z), ky = added_mass_integral(y, z, x),
                 kz = added_mass_integral(z, x, y);
    const auto factor = [](double a, double b, double ka, double kb)
    {
        // Axes of equal length: turning about the third moves no fluid, and both factors vanish.
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
    // Half the sides of the bounding box in the mesh's own frame.
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
    // The box is centred on the inertial frame.
    FluidPart part{.body = b, .pose = model.bodies.inertial_pose[b]};
    // The box of uniform density with the body's mass and moments: its sides follow from I_x = m (b^2 + c^2) / 12.
    const Vec3& i = model.bodies.inertia[b];
    const double mass = model.bodies.mass[b];
    const auto side = [&](double sum) { return std::sqrt(std::max(kTiny, sum) / mass * 6); };
    part.size = {side(i.y + i.z - i.x), side(i.x + i.z - i.y), side(i.x + i.y - i.z)};
    return part;
}

}  // namespace

std::vector<FluidPart> make_fluid_parts(const Model& model)
{
    // Once for a model: sizes and coefficients do not change.
    std::vector<FluidPart> parts;
    const Medium& medium = model.settings.medium;
    if (medium.density == 0 && medium.viscosity == 0) return parts;
    for (int b = 1; b < model.body_count(); ++b)
    {
        // MuJoCo leaves bodies without mass out.
        if (model.bodies.last_dof[b] < 0 || model.bodies.mass[b] < kTiny) continue;
        bool by_shape = false;
        for (int k = model.bodies.shape_begin[b]; k < model.bodies.shape_begin[b + 1]; ++k)
        {
            const int s = model.bodies.shapes_of_body[k];
            // A body with at least one such shape is acted on through its shapes alone.
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

template void add_fluid_forces(WorkspaceView<double>&);
template void add_fluid_forces(WorkspaceView<Pack4>&);

}  // namespace rattleback
