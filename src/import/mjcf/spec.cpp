// Sorts the sections of a file, reads its compiler settings, and loads the models that it attaches.
#include "import/mjcf/spec.h"

#include <algorithm>

#include "import/mjcf/defaults.h"
#include "import/mjcf/expand.h"

namespace rattleback::mjcf
{

namespace
{

/// How the lengths that muscles can reach are found.
void read_length_ranges(const Element& element, Context& context)
{
    LengthRangeOptions& options = context.length_ranges;
    context.keep_length_ranges = element.flag("useexisting");
    options.use_limits = element.flag("uselimit");
    options.acceleration = element.number("accel");
    options.max_force = element.number("maxforce");
    options.time_constant = element.number("timeconst");
    options.dt = element.number("timestep");
    options.duration = element.text("mode") == "none" ? 0 : element.number("inttotal");
    options.interval = element.number("interval");
    options.tolerance = element.number("tolrange");
}

void read_compiler(const Element& element, Context& context, Log& log)
{
    for (const Element& child : element.children)
    {
        if (child.is("lengthrange")) read_length_ranges(child, context);
    }
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
    set("fusestatic", context.fuse_static);
    set("boundmass", context.bound_mass);
    set("boundinertia", context.bound_inertia);
    set("settotalmass", context.total_mass);
    set("eulerseq", context.euler_sequence);
    set("inertiafromgeom", context.inertia_from_geom);
    set("conflict", context.conflict);
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
    // A model that attaches itself, perhaps by others, would never end.
    std::error_code code;
    const auto full = std::filesystem::weakly_canonical(*path, code);
    if (std::find(source.open_models.begin(), source.open_models.end(), full) != source.open_models.end())
    {
        log.lose_part();
        return log.fail(asset.location, "the model '" + asset.text("file") + "' attaches itself", "",
                        ErrorCode::invalid_value);
    }
    const std::filesystem::path folder = source.folder;
    source.folder = path->parent_path();
    source.open_models.push_back(full);
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
    source.open_models.pop_back();
    source.folder = folder;
}

/// Skins are drawn and nothing else.
void warn_of_skins(const Element& section, Log& log)
{
    const auto skin = std::find_if(section.children.begin(), section.children.end(),
                                   [](const Element& child) { return child.is("skin"); });
    if (skin == section.children.end()) return;
    log.warn(skin->location, "skins are not drawn", "they do not change the motion", ErrorCode::unsupported);
}

/// A number of keyframes, not larger than anybody needs.
int find_count(const Attribute& attribute, Log& log)
{
    constexpr int kMost = 100'000;
    const auto numbers = parse_numbers(attribute.text);
    if (numbers && numbers->size() == 1 && numbers->front() <= kMost) return static_cast<int>(numbers->front());
    log.fail(attribute.location, "'" + attribute.rule->name + "' is '" + attribute.text + "'",
             "a number of at most " + std::to_string(kMost));
    return 0;
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
        if (section.is("body") || section.is("frame"))
        {
            // A fragment that other files include; alone it says nothing, to MuJoCo as to us.
            log.warn(section.location, "'" + section.rule->name + "' stands outside of 'worldbody': it is passed over");
            continue;
        }
        defaults.apply(section, context, log);
        if (section.is("option")) spec.options.push_back(section);
        if (section.is("worldbody")) append(spec.world.children, section);
        if (section.is("contact")) append(spec.contacts, section);
        if (section.is("equality")) append(spec.equalities, section);
        if (section.is("tendon")) append(spec.tendons, section);
        if (section.is("actuator")) append(spec.actuators, section);
        if (section.is("sensor")) append(spec.sensors, section);
        if (section.is("custom")) append(spec.custom, section);
        if (section.is("deformable")) warn_of_skins(section, log);
        if (section.is("size") && section.has("nkey"))
            spec.least_keys = std::max(spec.least_keys, find_count(*section.find("nkey"), log));
        if (section.is("visual")) append(spec.visual, section);
        if (section.is("keyframe"))
        {
            for (const Element& key : section.children) spec.keys.push_back({.element = key, .name = key.name()});
        }
        if (!section.is("asset")) continue;
        warn_of_skins(section, log);
        for (Element& asset : section.children)
        {
            if (asset.is("model"))
            {
                load_model(asset, expander, source, log);
                continue;
            }
            if (asset.is("skin")) continue;
            name_asset(asset);
            spec.assets.push_back(std::move(asset));
        }
    }
    expander.expand();
    return spec;
}

}  // namespace rattleback::mjcf
