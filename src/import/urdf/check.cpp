// The table of URDF's elements, and the walk over a file with it.
#include "import/urdf/check.h"

#include <algorithm>
#include <map>

#include "base/nearest_match.h"
#include "import/mjcf/check_attribute.h"

namespace rattleback::urdf
{

namespace
{

/// An element, what it may hold and which attributes it has, as words. Elements in brackets are read over.
struct Rule
{
    const char* name;
    const char* elements;
    const char* attributes;
};

constexpr std::size_t kMostAttributes = 256;  // of one element: each is compared with those before it

constexpr Rule kRules[] = {
    {"robot", "link joint material mujoco transmission [gazebo] [ros2_control] [sensor] [group] [gripper]",
     "name version"},
    {"link", "inertial visual collision [sensor] [contact] [self_collision_checking]", "name type"},
    {"inertial", "origin mass inertia", ""},
    {"origin", "", "xyz rpy"},
    {"mass", "", "value"},
    {"inertia", "", "ixx ixy ixz iyy iyz izz"},
    {"visual", "origin geometry material [meshes]", "name"},
    {"collision", "origin geometry [material] [verbose] [contact_coefficients] [surface]", "name group"},
    {"geometry", "box sphere cylinder capsule mesh", ""},
    {"box", "", "size"},
    {"sphere", "", "radius"},
    {"cylinder", "", "radius length"},
    {"capsule", "", "radius length"},
    {"mesh", "", "filename scale"},
    {"material", "color texture", "name"},
    {"color", "", "rgba"},
    {"texture", "", "filename"},
    {"joint", "origin parent child axis limit dynamics mimic [calibration] [safety_controller]", "name type"},
    {"parent", "", "link"},
    {"child", "", "link"},
    {"axis", "", "xyz"},
    {"limit", "", "lower upper effort velocity"},
    {"dynamics", "", "damping friction"},
    {"mimic", "", "joint multiplier offset"},
};

const Rule* find_rule(std::string_view name)
{
    const auto found =
        std::find_if(std::begin(kRules), std::end(kRules), [&](const Rule& rule) { return name == rule.name; });
    return found != std::end(kRules) ? found : nullptr;
}

std::vector<std::string_view> split_words(std::string_view list)
{
    std::vector<std::string_view> words;
    while (!list.empty())
    {
        const std::size_t end = std::min(list.find(' '), list.size());
        words.push_back(list.substr(0, end));
        list.remove_prefix(std::min(end + 1, list.size()));
    }
    return words;
}

/// Finds what ends the reading of a file before it begins.
struct SizeCheck : pugi::xml_tree_walker
{
    explicit SizeCheck(const ImportLimits& given) : limits(given) {}
    bool for_each(pugi::xml_node& node) override
    {
        if (node.type() != pugi::node_element) return true;
        const bool foreign = std::string_view(node.name()).starts_with("xacro:");
        if (++count <= limits.elements && depth() < limits.depth && !foreign) return true;
        stopped = node;
        xacro = foreign;
        return false;
    }
    const ImportLimits& limits;
    int count = 0;
    pugi::xml_node stopped;
    bool xacro = false;
};

/// Warns of what one element holds, and of its elements in turn: as deep as the table goes.
class WordCheck
{
public:
    void check(const Node& node, const Rule& rule)
    {
        check_attributes(node, rule);
        const std::vector<std::string_view> known = split_words(rule.elements);
        for (const Node& child : node.children())
        {
            const std::string name = child.name();
            if (std::count(known.begin(), known.end(), "[" + name + "]") > 0)
            {
                auto& [count, first] = ignored_[name];
                if (count++ == 0) first = child;
            }
            else if (std::count(known.begin(), known.end(), name) == 0)
                child.warn(
                    "'" + std::string(rule.name) + "' has no element " + mjcf::in_quotes(name) + ": it is ignored",
                    node.log().name_hint(name, known));
            else if (const Rule* next = find_rule(name))
                check(child, *next);
        }
    }
    void report() const
    {
        for (const auto& [name, use] : ignored_)
        {
            const std::string count = use.first > 1 ? ", as are " + std::to_string(use.first - 1) + " more" : "";
            use.second.warn("'" + name + "' is ignored" + count);
        }
    }

private:
    void check_attributes(const Node& node, const Rule& rule)
    {
        const std::vector<std::string_view> known = split_words(rule.attributes);
        std::vector<std::string_view> seen;
        for (const pugi::xml_attribute& attribute : node.xml().attributes())
        {
            const std::string_view name = attribute.name();
            if (seen.size() == kMostAttributes)
                return node.fail("'" + std::string(rule.name) + "' has too many attributes",
                                 "at most " + std::to_string(kMostAttributes), ErrorCode::limit);
            if (std::count(seen.begin(), seen.end(), name) > 0)
                node.fail("attribute " + mjcf::in_quotes(name) + " is given twice", "", ErrorCode::syntax);
            seen.push_back(name);
            if (name.starts_with("xmlns") || std::count(known.begin(), known.end(), name) > 0) continue;
            node.log().warn(
                node.location(attribute.name()),
                "'" + std::string(rule.name) + "' has no attribute " + mjcf::in_quotes(name) + ": it is ignored",
                node.log().name_hint(name, known));
        }
    }

    std::map<std::string, std::pair<int, Node>> ignored_;
};

}  // namespace

bool check_size(const Node& root, const ImportLimits& limits)
{
    SizeCheck check(limits);
    root.xml().traverse(check);
    if (!check.stopped) return true;
    pugi::xml_node found = check.stopped;
    const auto at_place = [&](std::string message, std::string hint, ErrorCode code)
    { root.at(found).fail(std::move(message), std::move(hint), code); };
    if (check.xacro)
        at_place("this is xacro, not URDF: element " + mjcf::in_quotes(found.name()),
                 "expand it first: xacro FILE > robot.urdf", ErrorCode::unsupported);
    else if (check.count > limits.elements)
        at_place("too many elements", "at most " + std::to_string(limits.elements), ErrorCode::limit);
    else
        at_place("elements are nested too deeply", "at most " + std::to_string(limits.depth) + " levels",
                 ErrorCode::limit);
    return false;
}

void check_words(const Node& root)
{
    WordCheck check;
    check.check(root, kRules[0]);
    check.report();
}

}  // namespace rattleback::urdf
