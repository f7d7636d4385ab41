// Makes up the names that were not given.
#include "build/names.h"

#include <algorithm>
#include <numeric>
#include <unordered_set>

namespace rattleback
{

namespace
{

using NameSet = std::unordered_set<std::string_view>;

std::string make_unique(std::string name, const NameSet& taken)
{
    while (taken.contains(name)) name += '_';
    return name;
}

/// `name_of(item)` is the authored name of an item.
template <class T, class NameOf>
std::vector<std::string> fill(const char* kind, const std::vector<T>& items, NameOf name_of)
{
    // First all names that were given, so that none that is made up meets one.
    NameSet taken;
    for (const T& item : items)
    {
        if (const std::string& name = name_of(item); !name.empty()) taken.insert(name);
    }
    std::vector<std::string> names;
    names.reserve(items.size());
    for (const T& item : items)
    {
        const std::string& name = name_of(item);
        names.push_back(name.empty() ? make_unique(std::string(kind) + ' ' + std::to_string(names.size()), taken)
                                     : name);
    }
    return names;
}

}  // namespace

Names make_names(const Authored& authored)
{
    const auto own = [](const auto& item) -> const std::string& { return item.name; };
    const auto of_options = [](const auto& item) -> const std::string& { return item.options.name; };
    return {.bodies = fill("body", authored.bodies, own),
            .joints = fill("joint", authored.joints, of_options),
            .shapes = fill("shape", authored.shapes, of_options),
            .sites = fill("site", authored.sites, of_options),
            .materials = fill("material", authored.materials, own),
            .meshes = fill("mesh", authored.meshes, own),
            .height_fields = fill("height field", authored.height_fields, own),
            .equalities = fill("equality", authored.equalities, of_options),
            .tendons = fill("tendon", authored.tendons, of_options),
            .actuators = fill("actuator", authored.actuators, of_options),
            .sensors = fill("sensor", authored.sensors, of_options),
            .keyframes = fill("keyframe", authored.keyframes, own),
            .cameras = fill("camera", authored.cameras, own),
            .lights = fill("light", authored.lights, own),
            .textures = fill("texture", authored.textures, own),
            .visual_materials = fill("visual material", authored.visual_materials, own)};
}

std::vector<std::string> make_free_joint_names(const Names& names, const std::vector<int>& free_bodies)
{
    const NameSet taken(names.joints.begin(), names.joints.end());
    std::vector<std::string> free_names;
    free_names.reserve(free_bodies.size());
    for (const int body : free_bodies)
        free_names.push_back(make_unique(names.bodies[static_cast<std::size_t>(body)] + "_free", taken));
    return free_names;
}

std::vector<int> sort_by_name(const std::vector<std::string>& names)
{
    std::vector<int> order(names.size());
    // Equal names, which are refused later, stand by index: no order depends on the sort.
    std::iota(order.begin(), order.end(), 0);
    std::sort(order.begin(), order.end(),
              [&](int a, int b)
              {
                  const int comparison = names[static_cast<std::size_t>(a)].compare(names[static_cast<std::size_t>(b)]);
                  return comparison != 0 ? comparison < 0 : a < b;
              });
    return order;
}

}  // namespace rattleback
