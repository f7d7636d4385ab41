// Replication and attachment as MuJoCo does them: the tree is copied with new names, and what refers to it follows.
#include "import/mjcf/expand.h"

#include <algorithm>

#include "base/nearest_match.h"

namespace rattleback::mjcf
{

namespace
{

std::string object_kind(const std::string& type) { return type == "xbody" ? "body" : type; }

/// The kind of what an attribute refers to; empty: it refers to nothing.
std::string find_target(const Element& element, const Attribute& attribute)
{
    // Most attributes say by their rule what they name; those of sensors by a second attribute.
    if (attribute.rule->type == Type::reference) return attribute.rule->kind;
    if (attribute.rule->name == "objname") return object_kind(element.text("objtype"));
    if (attribute.rule->name == "refname") return object_kind(element.text("reftype"));
    return {};
}

void collect_names(const Element& element, NameSet& names)
{
    if (const std::string name = element.name(); !name.empty()) names.emplace(element.rule->kind, name);
    for (const Element& child : element.children) collect_names(child, names);
}

/// The element and all below it.
double count_elements(const Element& element)
{
    double count = 1;
    for (const Element& child : element.children) count += count_elements(child);
    return count;
}

/// Calls visit(kind, name) for what an element of a list refers to.
template <class Visit>
void visit_references(const Element& element, const Visit& visit)
{
    for (const Attribute& attribute : element.attributes)
    {
        const std::string kind = find_target(element, attribute);
        if (!kind.empty() && kind != "class" && kind != "material") visit(kind, attribute.text);
    }
    for (const Element& child : element.children) visit_references(child, visit);
}

bool refers_to_any(const Element& element, const NameSet& names)
{
    bool found = false;
    visit_references(element, [&](const std::string& kind, const std::string& name)
                     { found = found || names.contains({kind, name}); });
    return found;
}

bool refers_only_to(const Element& element, const NameSet& names)
{
    bool good = true;
    visit_references(element, [&](const std::string& kind, const std::string& name)
                     { good = good && (names.contains({kind, name}) || (kind == "body" && name == "world")); });
    return good;
}

Attribute make_numbers(const ElementRule& rule, const char* name, std::vector<double> numbers)
{
    return {.rule = rule.find(name), .numbers = std::move(numbers)};
}

Element make_frame(const Pose& pose, const Element& like)
{
    Element frame;
    frame.rule = find_element("body", "frame");
    frame.location = like.location;
    frame.context = like.context;
    const auto& [p, q] = pose;
    frame.attributes = {make_numbers(*frame.rule, "pos", {p.x, p.y, p.z}),
                        make_numbers(*frame.rule, "quat", {q.w, q.x, q.y, q.z})};
    return frame;
}

const Element* find_named(const Element& parent, const std::string& kind, const std::string& name)
{
    for (const Element& child : parent.children)
    {
        if (child.rule->kind == kind && child.name() == name) return &child;
        if (const Element* found = find_named(child, kind, name)) return found;
    }
    return nullptr;
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

/// Levels of an element and all below it.
static int find_depth(const Element& element)
{
    int deepest = 0;
    for (const Element& child : element.children) deepest = std::max(deepest, find_depth(child));
    return deepest + 1;
}

bool Expander::may_nest(const Element& part, const Element& attach)
{
    // What may be copied is no deeper than a file may be; the text's own depth was checked when it was read.
    if (find_depth(part) <= source_.options->limits.depth) return true;
    full_ = true;
    log_.fail(attach.location, "attachments are nested too deeply",
              "at most " + std::to_string(source_.options->limits.depth) + " elements", ErrorCode::limit);
    return false;
}

bool Expander::may_copy(const Element& element, double count)
{
    // Nested replicas grow by powers: the limit counts copies before they are made, not afterwards.
    if (full_) return false;
    if (source_.elements + count <= source_.options->limits.elements) return true;
    full_ = true;
    log_.fail(element.location, "too many elements after replication",
              "at most " + std::to_string(source_.options->limits.elements), ErrorCode::limit);
    return false;
}

Element Expander::copy(const Element& element, const NameSet& names, const Rename& rename, bool keep_ids, IdMap& ids)
{
    Element result;
    if (!may_copy(element, 1)) return result;
    ++source_.elements;
    result = {.rule = element.rule,
              .location = element.location,
              .context = element.context,
              .defaults = element.defaults,
              .broken = element.broken};
    result.id = keep_ids ? element.id : source_.next_id++;
    ids[element.id] = result.id;
    // Own names change, and references to what is copied along; references to the rest of the file stay.
    result.attributes = element.attributes;
    for (std::size_t i = 0; i < result.attributes.size(); ++i)
    {
        Attribute& attribute = result.attributes[i];
        const std::string target = find_target(element, attribute);
        const bool follows = !target.empty() && names.contains({target, attribute.text});
        const bool prefix = element.is("attach") && attribute.rule->name == "prefix";
        if ((attribute.rule->type == Type::name && !attribute.text.empty()) || follows || prefix)
            attribute.text = rename(attribute.text);
    }
    std::size_t bytes = 0;
    for (const Attribute& own : result.attributes)
        bytes += sizeof own + own.text.size() + sizeof(double) * own.numbers.size();
    if (bytes > source_.copy_bytes_left)
    {
        full_ = true;
        log_.fail(element.location, "copies of elements take too much memory",
                  "at most " + std::to_string(source_.options->limits.bytes) + " bytes", ErrorCode::limit);
        return result;
    }
    source_.copy_bytes_left -= bytes;
    for (const Element& child : element.children)
    {
        Element inner = copy(child, names, rename, keep_ids, ids);
        if (full_) break;
        result.children.push_back(std::move(inner));
    }
    return result;
}

void Expander::expand(Element& parent)
{
    std::vector<Element> children;
    for (Element& child : parent.children)
    {
        if (full_) break;
        if (child.is("attach"))
        {
            attach(child, children);
            continue;
        }
        // Inner ones first, so that replicas of replicas are there to be copied.
        if (child.rule->context == "body") expand(child);
        if (child.is("replicate"))
            replicate(child, children);
        else
            children.push_back(std::move(child));
    }
    parent.children = std::move(children);
}

void Expander::replicate(const Element& element, std::vector<Element>& children)
{
    const int count = element.integer("count");
    if (count < 0) return log_.fail(element.location, "'count' of 'replicate' is negative");
    for (const Element& child : element.children)
    {
        if (child.rule->kind == "joint" || child.is("inertial"))
            return log_.fail(child.location, "'" + child.rule->name + "' cannot be replicated", "put it in a body");
    }
    if (!may_copy(element, static_cast<double>(count) * count_elements(element))) return;
    NameSet names;
    for (const Element& child : element.children) collect_names(child, names);

    // What refers to the tree leaves the lists and comes back once per replica.
    std::vector<std::vector<Element>> users;
    for (std::vector<Element>* list : spec_.lists())
    {
        const auto kept = std::stable_partition(list->begin(), list->end(),
                                                [&](const Element& user) { return !refers_to_any(user, names); });
        users.emplace_back(std::make_move_iterator(kept), std::make_move_iterator(list->end()));
        list->erase(kept, list->end());
        for (const Element& user : users.back()) collect_names(user, names);
    }

    const std::vector<double> offset = element.numbers("offset");
    const Pose stride{{offset[0], offset[1], offset[2]}, read_euler(element.numbers("euler"), *element.context)};
    const std::size_t digits = std::to_string(count).size();
    Pose pose;
    for (int i = 0; i < count && !full_; ++i)
    {
        std::string number = std::to_string(i);
        // As many digits as the count has, as MuJoCo numbers replicas.
        number.insert(0, digits - std::min(digits, number.size()), '0');
        const std::string suffix = element.text("sep") + number;
        const Rename rename = [&](const std::string& name) { return name + suffix; };
        ++source_.elements;  // a frame is an element too, even an empty one
        IdMap ids;
        Element frame = make_frame(pose, element);
        for (const Element& child : element.children)
        {
            Element replica = copy(child, names, rename, i == 0, ids);
            if (!full_) frame.children.push_back(std::move(replica));
        }
        children.push_back(std::move(frame));
        std::size_t list = 0;
        for (const std::vector<Element>& group : users)
        {
            std::vector<Element>& target = *spec_.lists()[list++];
            for (const Element& user : group)
            {
                Element replica = copy(user, names, rename, i == 0, ids);
                if (!full_) target.push_back(std::move(replica));
            }
        }
        pose = pose * stride;
    }
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
        for (const auto& [name, model] : models_) names.push_back(name);
        return log_.fail(element.location, "there is no model '" + model_name + "'", make_name_hint(model_name, names),
                         ErrorCode::unknown_name);
    }
    Spec& model = found->second;
    const std::string kind = element.has("frame") ? "frame" : "body";
    const bool whole = !element.has("body") && !element.has("frame");
    const std::string part_name = element.text(kind);
    const Element* part = whole || part_name == "world" ? &model.world : find_named(model.world, kind, part_name);
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
    const Element* part = part_name == "world" ? &spec_.world : find_named(spec_.world, kind, part_name);
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
    for (const Key& key : model.keys)
    {
        if (!may_copy(key.element, 1)) return;
        ++source_.elements;
        // MuJoCo names a key without a name by the prefix alone.
        std::string name = rename(key.name);
        const auto taken = [&](const Key& other) { return other.name == name; };
        if (key.name.empty() && std::any_of(spec_.keys.begin(), spec_.keys.end(), taken)) name.clear();
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
