// Sorts the sections of a file, reads its compiler settings, and loads the models that it attaches.
#include "import/mjcf/spec.h"

#include <algorithm>

#include "import/mjcf/defaults.h"
#include "import/mjcf/expand.h"

namespace rattleback::mjcf
{

namespace
{

void read_compiler(const Element& element, Context& context, Log& log)
{
    const auto set = [&](const char* name, auto& value)
    {
        using T = std::decay_t<decltype(value)>;
        if (!element.has(name)) return;
        if constexpr (std::is_same_v<T, bool>)
            value = element.flag(name);
        else if constexpr (std::is_same_v<T, double>)
            value = element.number(name);
        else
            value = element.text(name);
    };
    set("autolimits", context.autolimits);
    set("balanceinertia", context.balance_inertia);
    set("fitaabb", context.fit_bounds);
    set("strippath", context.strip_path);
    set("alignfree", context.align_free);
    set("discardvisual", context.discard_visual);
    set("boundmass", context.bound_mass);
    set("boundinertia", context.bound_inertia);
    set("settotalmass", context.total_mass);
    set("eulerseq", context.euler_sequence);
    set("inertiafromgeom", context.inertia_from_geom);
    set("assetdir", context.mesh_folder);
    set("assetdir", context.texture_folder);
    set("meshdir", context.mesh_folder);
    set("texturedir", context.texture_folder);
    if (element.has("angle")) context.degrees = element.text("angle") == "degree";
    if (element.has("inertiagrouprange"))
    {
        const std::vector<double> groups = element.numbers("inertiagrouprange");
        context.inertia_group_first = static_cast<int>(groups[0]);
        context.inertia_group_last = static_cast<int>(groups[1]);
    }
    const std::string& sequence = context.euler_sequence;
    if (sequence.size() != 3 || sequence.find_first_not_of("xyzXYZ") != sequence.npos)
    {
        log.fail(element.location, "'eulerseq' is '" + sequence + "'", "three letters of x, y, z, X, Y, Z");
        context.euler_sequence = "xyz";
    }
    if (element.text("coordinate") == "global")
        log.fail(element.location, "global coordinates are no longer part of MJCF", "use local ones",
                 ErrorCode::unsupported);
}

/// Assets without a name are named after their file.
void name_asset(Element& asset)
{
    if (!asset.name().empty() || !asset.has("file")) return;
    const AttributeRule* rule = asset.rule->find("name");
    if (!rule) return;
    const std::string stem = std::filesystem::path(asset.text("file")).stem().generic_string();
    asset.attributes.push_back({.rule = rule, .text = stem, .location = asset.location});
}

void load_model(const Element& asset, Expander& expander, Source& source, Log& log)
{
    if (source.model_depth >= source.options->limits.include_depth)
        return log.fail(asset.location, "attached models are nested too deeply",
                        "at most " + std::to_string(source.options->limits.include_depth), ErrorCode::limit);
    const auto path = find_path(source.folder, asset.text("file"), asset.location, source, log);
    if (!path) return log.lose_part();
    const std::filesystem::path folder = source.folder;
    source.folder = path->parent_path();
    ++source.model_depth;
    if (auto root = read_file(*path, asset.location, source, log))
    {
        const std::string own_name = root->text("model");
        Spec model = make_spec(std::move(*root), source, log);
        const std::string name = asset.find("name") ? asset.text("name") : own_name;
        expander.add_model(name, std::move(model));
    }
    else
        log.lose_part();
    --source.model_depth;
    source.folder = folder;
}

void append(std::vector<Element>& list, Element& section)
{
    std::move(section.children.begin(), section.children.end(), std::back_inserter(list));
}

}  // namespace

int count_q(const Element& joint)
{
    if (joint.is("freejoint")) return 7;
    const std::string type = joint.text("type");
    return type == "free" ? 7 : type == "ball" ? 4 : 1;
}

int count_v(const Element& joint)
{
    if (joint.is("freejoint")) return 6;
    const std::string type = joint.text("type");
    return type == "free" ? 6 : type == "ball" ? 3 : 1;
}

Spec make_spec(Element root, Source& source, Log& log)
{
    Spec spec;
    auto context = std::make_shared<Context>();
    context->folder = source.folder;
    for (const Element& section : root.children)
    {
        if (section.is("compiler")) read_compiler(section, *context, log);
    }
    const Defaults defaults(root, log);
    spec.name = root.text("model");
    spec.world.rule = find_element("mujoco", "worldbody");
    spec.world.location = root.location;
    spec.world.context = context;
    Expander expander(spec, source, log);
    for (Element& section : root.children)
    {
        if (section.is("default")) continue;
        defaults.apply(section, context, log);
        if (section.is("option")) spec.options.push_back(section);
        if (section.is("worldbody")) append(spec.world.children, section);
        if (section.is("contact")) append(spec.contacts, section);
        if (section.is("equality")) append(spec.equalities, section);
        if (section.is("tendon")) append(spec.tendons, section);
        if (section.is("actuator")) append(spec.actuators, section);
        if (section.is("sensor")) append(spec.sensors, section);
        if (section.is("custom")) append(spec.custom, section);
        if (section.is("visual")) append(spec.visual, section);
        if (section.is("keyframe"))
        {
            for (const Element& key : section.children) spec.keys.push_back({.element = key, .name = key.name()});
        }
        if (!section.is("asset")) continue;
        for (Element& asset : section.children)
        {
            if (asset.is("model"))
            {
                load_model(asset, expander, source, log);
                continue;
            }
            name_asset(asset);
            spec.assets.push_back(std::move(asset));
        }
    }
    expander.expand();
    return spec;
}

}  // namespace rattleback::mjcf
