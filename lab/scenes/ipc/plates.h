// Plates: solids over outlines with holes, and the turned, swept and ribbed parts that mechanisms are made of.
#pragma once

#include "lab/scenes/ipc/solids.h"

namespace rattleback::lab
{

/// The solid over a simple outline (counter-clockwise) less simple holes (counter-clockwise too) that lie inside of it
/// and apart from each other, from z = low to z = high. No triangle is degenerate.
MeshOptions make_plate(const std::vector<Corner>& outline, const std::vector<std::vector<Corner>>& holes, double low,
                       double high);

/// Radius of the corners of a bore with `around` corners whose sides leave `play` to a shaft of this radius [m].
double find_bore(double shaft, double play, int around);
/// A bore about a point.
std::vector<Corner> make_bore(double shaft, double play, int around, const Corner& center = {0, 0});
/// How far the axis of a shaft with so many corners (0: as many as the bore) can be from that of its bore [m].
double find_largest_play(double shaft, double play, int around, int corners = 0);

/// Two half circles about (0, 0) and (length, 0), joined: `half` corners each, ends included.
std::vector<Corner> make_stadium(double length, double radius, int half);
/// A link: that outline with a bore about both centres, or about the first alone.
struct LinkBores
{
    double shaft = 0, play = 0;  ///< [m]
    int around = 24;
    bool second = true;
};
MeshOptions make_eyed_bar(double length, double radius, const LinkBores& bores, double low, double high);

/// Heights and radii of a pin about z: a shaft from `low` to `high`, a collar of height `cap` above it and perhaps
/// below.
struct PinShape
{
    double shaft = 0, collar = 0;  ///< radii [m]
    double low = 0, high = 0, cap = 0;
    int around = 24;
    bool both = false;  ///< a collar at either end
};
MeshOptions make_pin(const PinShape& pin);

/// Corners of an involute gear (pressure angle 20 degrees): addendum `module`, dedendum 1.25 of it, each flank moved
/// back by `backlash` / 2 [m] at the pitch circle; the first tooth at `angle`.
struct GearShape
{
    int teeth = 18;
    double module = 0.01;  ///< pitch diameter over teeth [m]
    double backlash = 0;   ///< [m]
    double angle = 0;      ///< [rad]
    int flank = 5;         ///< corners of a flank
};
std::vector<Corner> make_involute_gear(const GearShape& gear);

/// A wall of constant width along an open curve in the plane, from z = low to z = high.
MeshOptions make_wall(const std::vector<Corner>& middle, double width, double low, double high);

/// A round bar along an open curve, closed at both ends; `place` and `radius` of s from 0 to 1. The curve never runs
/// along y.
MeshOptions make_rod(const std::function<Vec3(double)>& place, const std::function<double(double)>& radius, int along,
                     int around);

/// A solid with eight corners: a rectangle of half widths `low` at z = 0 around `low_center` and one of `high` at
/// `height`.
struct Taper
{
    Corner low, high, low_center{0, 0}, high_center{0, 0};
    double height = 1;  ///< [m]
};
MeshOptions make_taper(const Taper& taper);

/// Each triangle cut in four at the middles of its sides, `times` times: the same solid with more triangles.
MeshOptions make_finer(MeshOptions mesh, int times);

/// A flat sheet of squares in the plane z = 0, two triangles each.
MeshOptions make_sheet(double half_x, double half_y, int squares);

/// The same solid, turned: y becomes z and z becomes -y.
MeshOptions make_upright(MeshOptions mesh);

}  // namespace rattleback::lab
