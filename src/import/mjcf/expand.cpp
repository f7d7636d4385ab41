// Replication as MuJoCo does it: the tree is copied with new names, and what refers to it follows.
#include "import/mjcf/expand.h"

#include <algorithm>

namespace rattleback::mjcf
{

namespace
{

/// The element and all below it.
double count_elements(const Element& element)
{
    double count = 1;
    for (const Element& child : element.children) count += count_elements(child);
    return count;
}

Attribute make_numbers(const ElementRule& rule, const char* name, std::vector<double> numbers)
{
    return {.rule = rule.find(name), .numbers = std::move(numbers)};
}

}  // namespace

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

bool Expander::may_copy(const Element& element, double count)
{
    // Nested replicas grow by powers: the limit counts copies before they are made, not afterwards.
    if (full_) return false;
    const ImportLimits& limits = source_.options->limits;
    if (source_.elements + count <= limits.elements && source_.copies + count <= limits.copies) return true;
    full_ = true;
    log_.fail(element.location, "too many elements after replication",
              "at most " + std::to_string(limits.elements) + ", of which " + std::to_string(limits.copies) + " copies",
              ErrorCode::limit);
    return false;
}

Element Expander::copy(const Element& element, const NameSet& names, const Rename& rename, bool keep_ids, IdMap& ids)
{
    Element result;
    if (!may_copy(element, 1)) return result;
    ++source_.elements;
    ++source_.copies;
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
        ++source_.copies;
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

}  // namespace rattleback::mjcf
