// Runs all checks, so that every mistake is reported at once.
#include "build/check.h"

#include <algorithm>

namespace rattleback
{

namespace
{

void check_counts(const Authored& authored, Checker& checker)
{
    const auto limit = [&](const char* kind, std::size_t count)
    {
        if (count <= kMaxElements) return;
        checker.fail(std::to_string(count) + " " + kind, "at most " + std::to_string(kMaxElements), ErrorCode::limit);
    };
    checker.enter("model");
    limit("bodies", authored.bodies.size());
    limit("joints", authored.joints.size());
    limit("shapes", authored.shapes.size());
    limit("sites", authored.sites.size());
    limit("equalities", authored.equalities.size());
    limit("tendons", authored.tendons.size());
    limit("actuators", authored.actuators.size());
    limit("sensors", authored.sensors.size());
    limit("cameras", authored.cameras.size());
    limit("lights", authored.lights.size());
    limit("textures", authored.textures.size());
    limit("visual materials", authored.visual_materials.size());
}

/// Each name that occurs more than once, with the first two indices.
void check_unique(const char* kind, const std::vector<std::string>& names, Checker& checker)
{
    const std::vector<int> order = sort_by_name(names);
    for (std::size_t i = 0; i + 1 < order.size(); ++i)
    {
        const std::string& name = names[at(order[i])];
        // Three of one name are reported once, by the first two.
        if (name != names[at(order[i + 1])] || (i > 0 && name == names[at(order[i - 1])])) continue;
        checker.enter(kind, name);
        checker.fail(
            "the name is used twice, by numbers " + std::to_string(order[i]) + " and " + std::to_string(order[i + 1]),
            "names are unique within a kind; leave them empty to have them made up", ErrorCode::duplicate_name);
    }
}

}  // namespace

void check_names(const Names& names, Checker& checker)
{
    check_unique("body", names.bodies, checker);
    check_unique("joint", names.joints, checker);
    check_unique("shape", names.shapes, checker);
    check_unique("site", names.sites, checker);
    check_unique("material", names.materials, checker);
    check_unique("mesh", names.meshes, checker);
    check_unique("height field", names.height_fields, checker);
    check_unique("equality", names.equalities, checker);
    check_unique("tendon", names.tendons, checker);
    check_unique("actuator", names.actuators, checker);
    check_unique("sensor", names.sensors, checker);
    check_unique("keyframe", names.keyframes, checker);
    check_unique("camera", names.cameras, checker);
    check_unique("light", names.lights, checker);
    check_unique("texture", names.textures, checker);
    check_unique("visual material", names.visual_materials, checker);
}

std::vector<Error> check(const Authored& authored, const Names& names, const Layout& layout,
                         std::vector<BodyMass>& masses, std::vector<Polyhedron>& hulls)
{
    Checker checker;
    // Beyond these counts indices and memory are at stake: nothing else is looked at.
    check_counts(authored, checker);
    if (checker.count() > 0) return checker.take();

    // Every part is checked even where another is wrong, so that one run names all mistakes; `good` marks what later
    // checks may rely on.
    check_settings(authored.settings, checker);
    check_names(names, checker);
    std::vector<char> body_good(authored.bodies.size(), 1);
    const bool tree_good = check_tree(authored, names, layout, body_good, checker);
    std::vector<char> shape_good(authored.shapes.size(), 1);
    check_shapes(authored, names, shape_good, checker);

    const auto is_good = [](char good) { return good != 0; };
    // Masses of moving bodies make sense only where tree, shapes and inertias do.
    const std::size_t before = checker.count();
    masses = find_body_masses(authored, names, shape_good, body_good, checker);
    if (tree_good && checker.count() == before && std::all_of(shape_good.begin(), shape_good.end(), is_good) &&
        std::all_of(body_good.begin(), body_good.end(), is_good))
        check_moving_masses(authored, names, layout, masses, checker);

    hulls = find_mesh_hulls(authored, names, shape_good, checker);

    check_pairs(authored, names, checker);
    check_sites(authored, names, checker);
    check_equalities(authored, names, checker);
    check_tendons(authored, names, checker);
    check_actuators(authored, names, checker);
    check_sensors(authored, names, checker);
    check_keyframes(authored, names, layout, checker);
    check_tracks(authored, names, checker);
    check_appearance(authored, names, checker);
    // What calls of the builder found wrong at once, such as bad rods.
    checker.append(authored.mistakes);
    return checker.take();
}

}  // namespace rattleback
