// Names of all elements: as authored, or "<kind> N" where nothing was said.
#pragma once

#include "build/authored.h"

namespace rattleback
{

/// One list per kind, by index. Unique within a kind unless two authored names are equal.
struct Names
{
    std::vector<std::string> bodies, joints, shapes, sites, materials, meshes, height_fields, equalities, tendons,
        actuators, sensors, keyframes, cameras, lights, textures, visual_materials;
};

/// Of everything authored; the joints do not yet contain the automatic ones.
Names make_names(const Authored& authored);

/// "<body>_free", with underscores appended while a joint of that name exists. For the bodies `free_bodies`, in order.
std::vector<std::string> make_free_joint_names(const Names& names, const std::vector<int>& free_bodies);

/// Indices of `names`, sorted by name.
std::vector<int> sort_by_name(const std::vector<std::string>& names);

}  // namespace rattleback
