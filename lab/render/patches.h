// A shape as a few patches of colour in the plane of the picture.
#pragma once

#include "lab/render/shading.h"

namespace rattleback::lab
{

struct Point2
{
    double x = 0, y = 0;
};

inline double find_distance(const Point2& a, const Point2& b)
{
    const double x = a.x - b.x, y = a.y - b.y;
    return std::sqrt(x * x + y * y);
}

/// A filled outline. One stop: one colour; several: a gradient from `from`, along the line to `to` or in circles.
struct Patch
{
    std::vector<Point2> outline;
    std::vector<Light> stops;
    bool circles = false;
    Point2 from, to;  ///< for circles: the middle, and a point where the last colour is reached
    double opacity = 1;
    bool joined = false;  ///< part of a surface of many: drawn a little larger, so that no seam shows
};

/// Corners of the smallest convex outline around points, in order; collinear ones are left out.
std::vector<Point2> find_convex_outline(std::vector<Point2> points);

/// The part of a polygon above the planes that face the camera, and in front of it.
std::vector<Vec3> clip_to_room(std::vector<Vec3> polygon, const DrawnScene& scene, const Camera& camera);

/// What the camera sees of an instance, from back to front. `solid`: the shape is convex.
std::vector<Patch> make_patches(const DrawnScene& scene, const Instance& instance, bool solid, const Camera& camera,
                                const Shader& shader, const Vec3& up);

}  // namespace rattleback::lab
