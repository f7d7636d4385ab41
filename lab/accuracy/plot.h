// Plots of curves as PNG files, drawn here: no library, no fonts.
#pragma once

#include "lab/render/image.h"

#include <rattleback/error.h>

#include <filesystem>
#include <string>
#include <vector>

namespace rattleback::lab
{

struct Curve
{
    std::string name;
    std::vector<double> x, y;
};

struct Plot
{
    std::string title, x_label, y_label;
    std::vector<Curve> curves;
    bool marks = false;                 ///< a dot at every point
    bool log_x = false, log_y = false;  ///< of logarithmic axes numbers that are not positive are left out
};

Image draw_plot(const Plot& plot, int width = 900, int height = 540);

/// Makes the folder where needed.
Status write_plot(const Plot& plot, const std::filesystem::path& path);

}  // namespace rattleback::lab
