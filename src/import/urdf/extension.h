// Extension: what the block `mujoco` of a URDF file says, read with the words of MJCF.
#pragma once

#include "build/authored.h"
#include "import/mjcf/element.h"
#include "import/urdf/node.h"

namespace rattleback::urdf
{

struct Extension
{
    Settings settings;           ///< MJCF's defaults where the block says nothing
    mjcf::Context compiler;      ///< likewise
    bool infer_inertia = false;  ///< `inertiafromgeom` is written
};

/// Reads the block below the robot, if there is one.
Extension read_extension(const Node& robot, const XmlText& file, const ImportOptions& options);

/// Bounds, balance and total of masses, as the compiler settings want them.
void apply_mass_settings(const mjcf::Context& compiler, Authored& authored);

}  // namespace rattleback::urdf
