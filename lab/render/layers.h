// Layers: pictures as arrays of numbers, for programs that learn from what a camera sees.
#pragma once

#include "lab/render/image.h"
#include "lab/render/rasterise.h"

#include <rattleback/error.h>

#include <filesystem>

namespace rattleback::lab
{

/// What is drawn.
enum class Layer
{
    picture,  ///< light and colours, as files for the eye
    colour,   ///< the same as an array: uint8 [height][width][3]
    /// Distance along the camera's axis [m], infinite where nothing is: float32 [height][width]. Of orthographic
    /// cameras to about 1e-4 of the picture's height, because they are drawn from far away.
    depth,
    segmentation,  ///< index of the shape, -1 where none is: int32 [height][width]
};

/// What the ray through the middle of each pixel meets first. See-through shapes count as solid.
struct Surfaces
{
    int width = 0, height = 0;
    std::vector<float> depth;         ///< [height][width]
    std::vector<std::int32_t> shape;  ///< [height][width]; tendons and markers have none
};

/// The scene is taken over. The same bytes for any number of threads.
Surfaces draw_surfaces(DrawnScene scene, Camera camera, ThreadPool& pool);

/// As files of NumPy (.npy, version 1.0); `layer`: depth or segmentation. Written beside `path`, then renamed.
Status write_numpy(const Surfaces& surfaces, Layer layer, const std::filesystem::path& path);
Status write_numpy(const Image& image, const std::filesystem::path& path);

}  // namespace rattleback::lab
