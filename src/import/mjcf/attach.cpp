// Attachment as MuJoCo does it: a part of another model, or of this one, is copied with a prefix before its names, and
// assets, lists and keyframes that belong to it come along.
#include "import/mjcf/expand.h"

#include <algorithm>

#include "base/nearest_match.h"
#include "import/mjcf/merge_options.h"

namespace rattleback::mjcf
{

namespace
{

/// The first of that kind and name; `visits` counts down, and at zero the search ends.
const Element* find_named(const Element& parent, const std::string& kind, const std::string& name, double& visits)
{
    for (const Element& child : parent.children)
    {
        if (--visits < 0) return nullptr;
        if (child.rule->kind == kind && child.name() == name) return &child;
        if (const Element* found = find_named(child, kind, name, visits)) return found;
    }
    return nullptr;
}

/// Levels of an element and all below it.
int find_depth(const Element& element)
{
    int deepest = 0;
    for (const Element& child : element.children) deepest = std::max(deepest, find_depth(child));
    return deepest + 1;
}

/// The values of a whole model's keyframe, by element.
std::map<int, KeyValues> split_key(const Key& key, const Spec& model)
{
    std::map<int, KeyValues> values;
    std::map<std::string, std::vector<double>> lists;
    const auto take = [&](const char* list, std::size_t& at, int count)
    {
        // Lists that are too short are reported elsewhere; here they just end.
        if (!lists.contains(list)) lists.emplace(list, key.element.numbers(list));
        const std::vector<double>& all = lists.at(list);
        const std::size_t begin = std::min(at, all.size()),
                          end = std::min(begin + static_cast<std::size_t>(count), all.size());
        at = end;
        return std::vector<double>(all.begin() + static_cast<std::ptrdiff_t>(begin),
                                   all.begin() + static_cast<std::ptrdiff_t>(end));
    };
    std::size_t q = 0, v = 0, ctrl = 0, act = 0, pos = 0, quat = 0;
    visit_tree(model.world,
               [&](const Element& element)
               {
                   KeyValues& own = values[element.id];
                   if (element.rule->kind == "joint")
                   {
                       own.q = take("qpos", q, count_q(element));
                       own.v = take("qvel", v, count_v(element));
                   }
                   else if (element.flag("mocap"))
                   {
                       own.pos = take("mpos", pos, 3);
                       own.quat = take("mquat", quat, 4);
                   }
               });
    for (const Element& actuator : model.actuators)
    {
        values[actuator.id].ctrl = take("ctrl", ctrl, count_ctrl(actuator));
        values[actuator.id].act = take("act", act, count_act(actuator));
    }
    return values;
}

}  // namespace

bool Expander::may_nest(const Element& part, const Element& attach)
{
    // What may be copied is no deeper than a file may be; the text's own depth was checked when it was read.
    if (find_depth(part) <= source_.options->limits.depth) return true;
    full_ = true;
    log_.fail(attach.location, "attachments are nested too deeply",
              "at most " + std::to_string(source_.options->limits.depth) + " elements", ErrorCode::limit);
    return false;
}

const Element* Expander::find_part(const Element& world, const std::string& kind, const std::string& name,
                                   const Element& attach)
{
    // Each attachment looks through the whole tree: many of them in a large one are more than anybody waits for.
    const Element* part = find_named(world, kind, name, visits_left_);
    if (visits_left_ >= 0) return part;
    if (!full_)
        log_.fail(attach.location, "there are too many attachments in too large a model",
                  "at most 1e9 elements are looked at", ErrorCode::limit);
    full_ = true;
    return nullptr;
}

void Expander::attach(const Element& element, std::vector<Element>& children)
{
    const std::string model_name = element.text("model");
    const auto found = models_.find(model_name);
    if (found == models_.end())
    {
        if (log_.excuse(model_name, element.location)) return;  // its file was not read
        log_.lose_part();
        std::vector<std::string_view> names;
        for (const auto& [name, model] : models_)
        {
            if (log_.takes_hint()) names.push_back(name);
        }
        return log_.fail(element.location, "there is no model '" + model_name + "'", log_.name_hint(model_name, names),
                         ErrorCode::unknown_name);
    }
    Spec& model = found->second;
    const std::string kind = element.has("frame") ? "frame" : "body";
    const bool whole = !element.has("body") && !element.has("frame");
    const std::string part_name = element.text(kind);
    const Element* part =
        whole || part_name == "world" ? &model.world : find_part(model.world, kind, part_name, element);
    if (full_) return;
    if (!part && log_.excuse(part_name, element.location)) return;
    if (!part)
        return log_.fail(element.location, "the model '" + model_name + "' has no " + kind + " '" + part_name + "'", "",
                         ErrorCode::unknown_name);
    if (!may_nest(*part, element)) return;

    NameSet names;
    collect_names(*part, names);
    for (const Element& asset : model.assets) collect_names(asset, names);
    const std::string prefix = element.text("prefix");
    const Rename rename = [&](const std::string& name) { return prefix + name; };
    IdMap ids;
    Element subtree = copy(*part, names, rename, false, ids);
    if (full_) return;
    if (part == &model.world)
    {
        Element frame = make_frame({}, element);
        frame.children = std::move(subtree.children);
        children.push_back(std::move(frame));
    }
    else
        children.push_back(std::move(subtree));

    // Assets come once per prefix, however often parts of the model are attached with it.
    if (attached_assets_.emplace(model_name, prefix).second)
    {
        for (const Element& asset : model.assets)
        {
            Element own = copy(asset, names, rename, false, ids);
            if (full_) return;
            spec_.assets.push_back(std::move(own));
        }
    }
    if (merged_.insert(model_name).second) merge_options(model, element, spec_, log_);
    attach_lists(model, names, rename, ids);
    attach_keys(model, rename, ids);
}

void Expander::attach_own(const Element& element, std::vector<Element>& children)
{
    const std::string kind = element.has("frame") ? "frame" : "body";
    const std::string part_name = element.text(kind), prefix = element.text("prefix");
    if (!element.has("body") && !element.has("frame"))
        return log_.fail(element.location, "'attach' without 'model' needs 'body' or 'frame'",
                         "the part of this model that is to be copied");
    // As in MuJoCo, what is copied stands before: of a body around this element, what was read of it so far.
    const Element* part = part_name == "world" ? &spec_.world : find_part(spec_.world, kind, part_name, element);
    if (full_) return;
    if (!part && log_.excuse(part_name, element.location)) return;
    if (!part)
        return log_.fail(element.location, "there is no " + kind + " '" + part_name + "' before this element",
                         "'attach' without 'model' copies a part of this model", ErrorCode::unknown_name);
    if (!may_nest(*part, element)) return;
    NameSet names;
    collect_names(*part, names);
    const Rename rename = [&](const std::string& name) { return prefix + name; };
    IdMap ids;
    Element subtree = copy(*part, names, rename, false, ids);
    if (full_) return;
    if (part == &spec_.world)
    {
        // A copy of the world is a body.
        subtree.rule = find_element("body", "body");
        subtree.attributes = {
            {.rule = subtree.rule->find("name"), .text = rename("world"), .location = element.location}};
    }
    children.push_back(std::move(subtree));
    attach_lists(spec_, names, rename, ids);
}

void Expander::attach_own_parts(Element& parent)
{
    // Children are taken out and come back one by one: what a self-attachment finds is what stands before it.
    std::vector<Element> waiting = std::move(parent.children);
    parent.children.clear();
    parent.children.reserve(waiting.size());  // elements around the present one stay where they are
    for (Element& child : waiting)
    {
        if (full_) return;
        if (child.is("attach") && !child.has("model"))
        {
            attach_own(child, parent.children);
            continue;
        }
        parent.children.push_back(std::move(child));
        if (parent.children.back().rule->context == "body") attach_own_parts(parent.children.back());
    }
}

void Expander::attach_lists(Spec& model, NameSet names, const Rename& rename, IdMap& ids)
{
    const auto sources = model.lists();
    const auto targets = spec_.lists();
    for (std::size_t i = 0; i < sources.size(); ++i)
    {
        std::vector<Element> copies;
        for (const Element& user : *sources[i])
        {
            // Actuators, tendons and the like follow where all that they name was attached.
            if (!refers_only_to(user, names)) continue;
            collect_names(user, names);
            copies.push_back(copy(user, names, rename, false, ids));
        }
        if (full_) return;
        std::move(copies.begin(), copies.end(), std::back_inserter(*targets[i]));
    }
}

void Expander::attach_keys(Spec& model, const Rename& rename, const IdMap& ids)
{
    // Names that were taken before: keys of the model itself all stand there before the first attachment.
    if (key_names_.empty())
    {
        for (const Key& key : spec_.keys) key_names_.insert(key.name);
    }
    for (const Key& key : model.keys)
    {
        if (!may_copy(key.element, 1)) return;
        ++source_.elements;
        ++source_.copies;
        // MuJoCo names a key without a name by the prefix alone.
        std::string name = rename(key.name);
        if (key.name.empty() && key_names_.contains(name)) name.clear();
        key_names_.insert(name);
        Key copy{.element = key.element, .name = std::move(name), .attached = true};
        // A keyframe of the whole model is cut into the values of its elements; those that were attached take theirs
        // along.
        const auto values = key.attached ? key.values : split_key(key, model);
        for (const auto& [id, own] : values)
        {
            if (const auto found = ids.find(id); found != ids.end()) copy.values.emplace(found->second, own);
        }
        spec_.keys.push_back(std::move(copy));
    }
}

}  // namespace rattleback::mjcf
