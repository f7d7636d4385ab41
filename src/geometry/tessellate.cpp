// Closed meshes: profiles turned about z. Around a circle stands the polygon whose sides touch it.
#include "geometry/tessellate.h"

#include "geometry/profile.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace rattleback
{

namespace
{

/// Corners of circumscribed meshes stand off by so much of the shape's size, more than they are rounded by.
constexpr double kOutward = 8 * std::numeric_limits<double>::epsilon();

// A surface of revolution by rings of a profile. Inscribed: corners on the surface. Circumscribed: rings and profile
// widened so that every face touches the surface or stays outside, rounding included; the error is that of the widest
// gap.

double cosine(double angle)
{
    double s = 0, c = 0;
    // Elementary functions of ours: the same bits on every machine.
    sincos(angle, s, c);
    return c;
}

/// The profile with its ends as single vertices, turned about z with `around` corners to the circle.
MeshOptions close(const Profile& profile, int around)
{
    MeshOptions mesh;
    int row = 0, last_row = 0;  // their first vertices
    bool pole = false, last_pole = false;
    for (const ProfilePoint& point : profile)
    {
        if (!point.joined) continue;  // at the place of the one before, where only the normal differs
        last_row = row;
        last_pole = pole;
        row = static_cast<int>(mesh.vertices.size());
        // A point on the axis is one vertex and not a ring: the mesh closes.
        pole = point.radius == 0;
        for (int j = 0; j < (pole ? 1 : around); ++j)
        {
            double s = 0, c = 0;
            sincos(2 * kPi * j / around, s, c);
            mesh.vertices.push_back({point.radius * c, point.radius * s, point.z});
        }
        if (row == 0) continue;
        // the band between two rows: quads cut the same way, triangles at a pole
        for (int j = 0; j < around; ++j)
        {
            // The last corner of a ring is joined with its first.
            const int next = (j + 1) % around;
            const int a = last_row + (last_pole ? 0 : j), b = last_row + next;
            const int c = row + (pole ? 0 : next), d = row + j;
            if (!last_pole) mesh.triangles.push_back({a, b, c});
            if (!pole) mesh.triangles.push_back({a, c, d});
        }
    }
    return mesh;
}

MeshOptions close_box(const Vec3& half)
{
    MeshOptions mesh;
    // corner k has the signs of its bits: x, y, z
    for (int k = 0; k < 8; ++k)
    {
        const auto sign = [&](int axis) { return (k >> axis & 1) != 0 ? 1.0 : -1.0; };
        mesh.vertices.push_back({sign(0) * half.x, sign(1) * half.y, sign(2) * half.z});
    }
    for (int axis = 0; axis < 3; ++axis)
    {
        // Two triangles for each of six sides, seen from outside.
        const int u = 1 << (axis + 1) % 3, v = 1 << (axis + 2) % 3;
        for (const int side : {0, 1 << axis})
        {
            // The two sides of an axis are seen from opposite ends: the order of corners is mirrored.
            const int a = side, b = side + (side != 0 ? u : v), c = side + u + v, d = side + (side != 0 ? v : u);
            mesh.triangles.push_back({a, b, c});
            mesh.triangles.push_back({a, c, d});
        }
    }
    return mesh;
}

/// Radius of the profile's circles: chords of 2 pi / around touch the circle of radius r when their ends are at
/// r / cos(pi / around).
double find_profile_radius(double radius, double half_length, int around, Fit fit)
{
    if (fit == Fit::inscribed) return radius;
    // Rounding of a corner is below kOutward of the size: corners on the surface may not end inside it.
    return (radius + kOutward * (radius + half_length)) / cosine(kPi / around);
}

/// Factor for distances from z, so that the sides of the polygon about z touch the circle.
double find_widening(int around, Fit fit) { return fit == Fit::inscribed ? 1 : (1 + kOutward) / cosine(kPi / around); }

MeshOptions close_round(Profile profile, int around, Fit fit)
{
    // The profile is kept, its distances from the axis grow: sides of the ring touch the circle.
    for (ProfilePoint& point : profile) point.radius *= find_widening(around, fit);
    return close(profile, around);
}

/// Error of a unit sphere. Faces of inscribed meshes are nearest to the centre in the plane half way between two
/// corners of the circle, where the profile is narrowed by cos(pi / around); the furthest corners of circumscribed ones
/// are on the equator.
double find_sphere_error(int around, Fit fit)
{
    if (fit == Fit::circumscribed) return find_profile_radius(1, 0, around, fit) * find_widening(around, fit) - 1;
    const Profile profile = make_capsule_profile(1, 0, around);
    const double narrow = cosine(kPi / around);
    double nearest = 1;
    for (std::size_t i = 1; i < profile.size(); ++i)
    {
        if (!profile[i].joined) continue;
        // distance of the origin from the chord between two points of the profile
        const double x = narrow * profile[i].radius, y = profile[i].z;
        // |p x d| / |d|, with p on the chord.
        const double dx = x - narrow * profile[i - 1].radius, dy = y - profile[i - 1].z;
        nearest = std::min(nearest, std::abs(x * dy - y * dx) / std::sqrt(dx * dx + dy * dy));
    }
    return 1 - nearest;
}

}  // namespace

MeshOptions tessellate(ShapeType type, const Vec3& size, int around, Fit fit)
{
    // Poles and equator must be corners of the profile.
    RB_CHECK(around >= 4 && around % 4 == 0, "a circle needs a multiple of four corners");
    switch (type)
    {
        case ShapeType::sphere:
            return close_round(make_capsule_profile(find_profile_radius(size.x, 0, around, fit), 0, around), around,
                               fit);
        case ShapeType::capsule:
            return close_round(make_capsule_profile(find_profile_radius(size.x, size.y, around, fit), size.y, around),
                               around, fit);
        case ShapeType::cylinder:
            // Flat caps need no widening of the profile: only rings are polygons.
            return close_round(make_cylinder_profile(size.x, size.y), around, fit);
        case ShapeType::ellipsoid:
        {
            // the image of a unit sphere: what contains one contains the other
            MeshOptions mesh = tessellate(ShapeType::sphere, {1, 1, 1}, around, fit);
            for (Vec3& v : mesh.vertices) v = {size.x * v.x, size.y * v.y, size.z * v.z};
            return mesh;
        }
        case ShapeType::box:
            return close_box(size);
        default:
            RB_CHECK(false, "only spheres, capsules, boxes, cylinders and ellipsoids are tessellated");
    }
    return {};
}

double find_tessellation_error(ShapeType type, const Vec3& size, int around, Fit fit)
{
    // Largest distance between the surfaces, in closed form.
    switch (type)
    {
        case ShapeType::sphere:
            return size.x * find_sphere_error(around, fit);
        case ShapeType::capsule:
            // Its side is nearer than the bands beside it; the furthest corners stand off by a part of its length too.
            if (fit == Fit::inscribed) return size.x * find_sphere_error(around, fit);
            return find_profile_radius(size.x, size.y, around, fit) * find_widening(around, fit) - size.x;
        case ShapeType::cylinder:
            return size.x * (fit == Fit::inscribed ? 1 - cosine(kPi / around) : find_widening(around, fit) - 1);
        case ShapeType::ellipsoid:
            // Stretching a unit sphere stretches its error at most by the largest radius.
            return std::max({size.x, size.y, size.z}) * find_sphere_error(around, fit);
        default:
            return 0;
    }
}

}  // namespace rattleback
