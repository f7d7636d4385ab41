// Sketch: a model seen from the side as a few lines, drawn in Braille dots.
#pragma once

#include <rattleback/state.h>

#include <string>
#include <vector>

namespace rattleback::cli
{

/// A stroke in the picture plane: x to the right, z up [m].
struct Stroke
{
    double x0 = 0, z0 = 0, x1 = 0, z1 = 0;
    double width = 0;  ///< of the limb [m]
};

/// One instant.
struct Sketch
{
    double time = 0;  ///< [s]
    std::vector<Stroke> strokes;
};

/// The model's limbs as they are now, seen along y. Planes are left out.
Sketch make_sketch(const Model& model, const State& state);

/// Several instants side by side on one scale, with their times below; `height` lines of text.
std::string draw_text(const std::vector<Sketch>& sketches, int height);

}  // namespace rattleback::cli
