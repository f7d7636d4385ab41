// Profiles of round shapes: what is turned about z to make their surface.
#pragma once

#include "math/elementary.h"

#include <vector>

namespace rattleback
{

/// A point of a profile in the half-plane (distance from z, z) [m], with its unit normal there.
struct ProfilePoint
{
    double radius = 0, z = 0;
    double normal_radius = 0, normal_z = 0;
    bool joined = true;  ///< a band of triangles leads here from the point before; else it is at the same place
};

/// From the lower pole to the upper one.
using Profile = std::vector<ProfilePoint>;

/// Appends a quarter circle about (0, z), from the lower pole (or equator) upwards, in `steps` equal chords.
inline void add_arc(Profile& profile, double radius, double z, bool lower, int steps)
{
    for (int i = 0; i <= steps; ++i)
    {
        double c = 0, s = 0;
        sincos(0.5 * kPi * (static_cast<double>(i) / steps - (lower ? 1 : 0)), s, c);
        if (i == (lower ? 0 : steps)) c = 0;  // a pole
        profile.push_back({radius * c, z + radius * s, c, s, true});
    }
}

/// Of a capsule with `around` corners to the circle, a multiple of 4; of a sphere, where the half length is 0.
inline Profile make_capsule_profile(double radius, double half_length, int around)
{
    Profile profile;
    add_arc(profile, radius, -half_length, true, around / 4);
    const std::size_t upper = profile.size();
    add_arc(profile, radius, half_length, false, around / 4);
    profile[upper].joined = half_length > 0;  // a sphere has no band between its halves
    return profile;
}

inline Profile make_cylinder_profile(double radius, double half_length)
{
    return {{0, -half_length, 0, -1, true},    {radius, -half_length, 0, -1, true}, {radius, -half_length, 1, 0, false},
            {radius, half_length, 1, 0, true}, {radius, half_length, 0, 1, false},  {0, half_length, 0, 1, true}};
}

}  // namespace rattleback
