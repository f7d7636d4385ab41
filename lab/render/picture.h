// Pictures of moments: light, shadows and the ground, on top of the rasteriser.
#pragma once

#include "lab/render/image.h"
#include "lab/render/rasterise.h"
#include "lab/render/shadow.h"

namespace rattleback::lab
{

struct PictureOptions
{
    Vec3 up{0, 0, 1};    ///< unit axis: the sky is there
    double extent = 1;   ///< half the size of what is shown [m]: the grid, the haze and the shadows are sized by it
    Vec3 focus;          ///< its middle [m]
    int sky_count = 64;  ///< directions of the sky's light; fewer: coarser shade between things; 0: none
};

/// The picture of a scene. The same bytes for any number of threads.
Image draw_picture(const DrawnScene& scene, const Camera& camera, const PictureOptions& options, ThreadPool& pool);

/// Unit; over the left shoulder of the camera.
Vec3 find_sun(const Camera& camera, const Vec3& up);

/// A step of the ground's grid that suits the extent: 1, 2 or 5 times a power of ten [m].
double find_grid_step(double extent);

}  // namespace rattleback::lab
