// What all parts of the assembly share: the order in which they are read, and names.
#include "import/mjcf/assembly.h"

#include <algorithm>

#include "base/nearest_match.h"

namespace rattleback::mjcf
{

namespace
{

/// Geoms that pairs, tendons, sensors and tuples name.
void collect_geoms(const Element& element, std::set<std::string>& names)
{
    for (const Attribute& attribute : element.attributes)
    {
        const std::string& word = attribute.rule->name;
        const bool object = word == "objname" && element.text("objtype") == "geom";
        const bool reference = word == "refname" && element.text("reftype") == "geom";
        if (word == "geom" || word == "geom1" || word == "geom2" || object || reference) names.insert(attribute.text);
    }
    for (const Element& child : element.children) collect_geoms(child, names);
}

}  // namespace

Assembly::Assembly(const Spec& spec, Source& source, Log& log)
    : spec_(spec), source_(source), log_(log), builder_(spec.name), authored_(authored_by(builder_))
{
    // The world is body 0 and has a name before anything is read.
    names_["body"]["world"] = 0;
    world_.emplace_back();
    authored_.mujoco_weights = true;
    authored_.accepts_negative = true;
    body_elements_.push_back(&spec.world);
    if (spec.world.context->discard_visual)
    {
        for (const auto* list :
             {&spec.contacts, &spec.tendons, &spec.equalities, &spec.actuators, &spec.sensors, &spec.custom})
        {
            for (const Element& user : *list) collect_geoms(user, named_geoms_);
        }
    }
    // The inertia and damping of drives belong to what they drive, reflected by the gear.
    for (const Element& actuator : spec.actuators)
    {
        const double gear = actuator.number("gear");
        const auto damping = actuator.numbers("damping");
        const double armature = actuator.number("armature");
        if (armature == 0 && damping == std::vector<double>{0, 0, 0}) continue;
        const bool joint = actuator.has("joint") || actuator.has("jointinparent");
        const std::string target = actuator.text(actuator.has("joint") ? "joint" : joint ? "jointinparent" : "tendon");
        auto& sum = joint ? joint_extra_[target] : tendon_extra_[target];
        sum.armature += gear * gear * armature;
        for (std::size_t i = 0; i < 3; ++i) sum.damping[i] += gear * gear * damping[i];
    }
}

void Assembly::note(const Element& element, const char* word, int index)
{
    const std::string name = element.name();
    blamed_.emplace(std::string(word) + " '" + (name.empty() ? word + (" " + std::to_string(index)) : name) + "'",
                    &element);
    if (name.empty()) return;
    if (!names_[element.rule->kind].emplace(name, index).second)
        log_.fail(element.location, "the name '" + name + "' is used twice",
                  "every " + element.rule->kind + " needs a name of its own, or none", ErrorCode::duplicate_name);
}

std::optional<int> Assembly::find(const Attribute& attribute, const std::string& name, const std::string& kind) const
{
    const auto names = names_.find(kind);
    if (names != names_.end())
    {
        const auto found = names->second.find(name);
        if (found != names->second.end()) return found->second;
    }
    // A name that a broken element would have had is not reported again.
    if (log_.excuse(name, attribute.location)) return std::nullopt;
    std::vector<std::string_view> candidates;
    if (names != names_.end() && log_.takes_hint())
    {
        for (const auto& [known, index] : names->second)
        {
            if (candidates.size() == kMostCandidates) break;
            candidates.push_back(known);
        }
    }
    log_.fail(attribute.location, "there is no " + kind + " '" + name + "'", log_.name_hint(name, candidates),
              ErrorCode::unknown_name);
    return std::nullopt;
}

std::optional<int> Assembly::find(const Element& element, const char* attribute, const std::string& kind) const
{
    const Attribute* written = element.find(attribute);
    if (!written) return std::nullopt;
    return find(*written, written->text, kind);
}

Authored Assembly::read()
{
    // In the order of dependence: assets before the geoms that use them, the tree before what refers to its parts.
    add_options();
    add_assets();
    add_tree();
    settle_appearance();
    settle_bodies();
    add_contacts();
    if (overridden_) override_contacts();
    add_tendons();
    add_equalities();
    add_actuators();
    add_sensors();
    add_keys();
    return std::move(authored_);
}

}  // namespace rattleback::mjcf
