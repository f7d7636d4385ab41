// Solids: closed triangle meshes that the scenes for `ipc` are made of, by formula.
#pragma once

#include <rattleback/shapes.h>

#include <functional>

namespace rattleback::lab
{

using Corner = std::array<double, 2>;

/// The solid over a simple polygon (counter-clockwise) from z = low to z = high.
MeshOptions make_prism(const std::vector<Corner>& polygon, double low, double high);

/// A regular polygon with its first corner at `angle`.
std::vector<Corner> make_circle(double radius, int around, double angle = 0);

/// A ring: the solid between two radii, `around` corners each, from low to high.
MeshOptions make_ring(double inner, double outer, int around, double low, double high);

/// A tube of circular section around a closed curve: centre(s) with s from 0 to 1, `along` times `around` vertices. The
/// curve lies in the plane z = 0.
MeshOptions make_loop(const std::function<Vec3(double)>& center, double radius, int along, int around);

/// A chain link: two half circles of radius `bend` joined by straights of length `straight` along x, of round wire.
MeshOptions make_link(double bend, double straight, double wire, int along, int around);

/// The solid of revolution about z of a profile of (radius, height) from its lowest point to its highest; the ends have
/// radius zero.
MeshOptions make_lathe(const std::vector<Corner>& profile, int around);

/// A shaft about z whose radius is a function of angle (0 to 1 once around) and height.
struct ShaftGrid
{
    double low = 0, high = 1;  ///< [m]
    int around = 24, along = 24;
};
MeshOptions make_shaft(const std::function<double(double, double)>& radius, const ShaftGrid& grid);
/// A sleeve with that inner surface and a round outside.
MeshOptions make_sleeve(const std::function<double(double, double)>& radius, double outer, const ShaftGrid& grid);

/// A tetrahedron with its tip at the origin pointing down and a base of half width `half` at height `height`; four
/// corners at the base: a pyramid.
MeshOptions make_spike(double half, double height);
/// A roof upside down: its edge along y at z = 0, half width `half` and height `height`, length `length`.
MeshOptions make_wedge(double half, double height, double length);

/// Points on a sphere, evenly spread along a spiral.
MeshOptions make_point_cloud(double radius, int count);

}  // namespace rattleback::lab
