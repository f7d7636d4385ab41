// Reads which joint holds which link, and finds the root and the order from there.
#include "import/urdf/tree.h"

#include <algorithm>
#include <iterator>
#include <map>

#include "base/index.h"
#include "base/nearest_match.h"

namespace rattleback::urdf
{

namespace
{

using Indices = std::map<std::string, int, std::less<>>;

/// Notes a name; used twice: an error.
bool add_name(const Node& node, const std::string& name, int index, Indices& names)
{
    if (names.emplace(name, index).second) return true;
    node.fail_at("name", "the name '" + name + "' is used twice", "every " + node.name() + " needs a name of its own",
                 ErrorCode::duplicate_name);
    return false;
}

/// The link that `parent` or `child` of a joint names; -1 and an error: none.
int find_link(const Node& joint, const char* end, const Indices& links)
{
    const Node node = joint.child(end);
    if (!node)
    {
        joint.fail("a joint needs the element '" + std::string(end) + "'", "", ErrorCode::syntax);
        return -1;
    }
    const std::optional<std::string> name = node.required("link");
    if (!name) return -1;
    if (const auto found = links.find(*name); found != links.end()) return found->second;
    std::vector<std::string_view> known;
    for (const auto& [link, index] : links)
    {
        if (node.log().takes_hint()) known.push_back(link);
    }
    node.fail_at("link", "there is no link '" + *name + "'", node.log().name_hint(*name, known),
                 ErrorCode::unknown_name);
    return -1;
}

void check_type(const Node& joint, const std::string& type)
{
    constexpr std::string_view kTypes[] = {"fixed", "revolute", "continuous", "prismatic", "floating", "planar"};
    if (std::find(std::begin(kTypes), std::end(kTypes), type) != std::end(kTypes)) return;
    joint.fail_at("type", "there is no joint of type '" + type + "'", make_name_hint(type, kTypes),
                  ErrorCode::unsupported);
}

void read_joint(const Node& node, const Indices& links, Indices& names, Robot& robot)
{
    const std::optional<std::string> name = node.required("name"), type = node.required("type");
    if (type) check_type(node, *type);
    const int index = static_cast<int>(robot.joints.size());
    Joint joint{node, name.value_or(""), type.value_or(""), find_link(node, "parent", links),
                find_link(node, "child", links)};
    if (!name || !type || joint.parent < 0 || joint.child < 0 || !add_name(node, *name, index, names)) return;
    Link& child = robot.links[at(joint.child)];
    if (joint.parent == joint.child)
        return node.fail("joint '" + *name + "' holds link '" + child.name + "' at itself",
                         "parent and child must differ");
    if (child.joint >= 0)
        return node.fail("link '" + child.name + "' is the child of joint '" + *name + "' and of joint '" +
                             robot.joints[at(child.joint)].name + "'",
                         "URDF knows trees only; close a loop in MJCF with 'equality'");
    child.joint = index;
    robot.links[at(joint.parent)].joints.push_back(index);
    robot.joints.push_back(std::move(joint));
}

/// Links below `root`, depth first.
std::vector<int> find_order(const Robot& robot, int root)
{
    std::vector<int> order, open{root};
    while (!open.empty())
    {
        const Link& link = robot.links[at(open.back())];
        order.push_back(open.back());
        open.pop_back();
        for (auto joint = link.joints.rbegin(); joint != link.joints.rend(); ++joint)
            open.push_back(robot.joints[at(*joint)].child);
    }
    return order;
}

/// "a, b, c and a again": the circle that one meets going up from a link that no root holds.
std::string describe_loop(const Robot& robot, int link)
{
    std::vector<char> seen(robot.links.size(), 0);
    const auto parent = [&](int of) { return robot.joints[at(robot.links[at(of)].joint)].parent; };
    while (!seen[at(link)])
    {
        seen[at(link)] = 1;
        link = parent(link);
    }
    std::string names = "'" + robot.links[at(link)].name + "'";
    int count = 0;
    for (int next = parent(link); next != link && ++count < 10; next = parent(next))
        names += " held by '" + robot.links[at(next)].name + "'";
    return names + (count < 10 ? " held by '" + robot.links[at(link)].name + "'" : " and so on");
}

/// One root from which all links are reached; false and errors: not so.
bool find_root(Robot& robot)
{
    std::vector<int> roots;
    for (std::size_t i = 0; i < robot.links.size(); ++i)
    {
        if (robot.links[i].joint < 0) roots.push_back(static_cast<int>(i));
    }
    if (roots.size() > 1)
    {
        const Link &first = robot.links[at(roots[0])], &second = robot.links[at(roots[1])];
        second.node.fail(
            "links '" + first.name + "' and '" + second.name + "' both have no parent" +
                (roots.size() > 2 ? ", and " + std::to_string(roots.size() - 2) + " more" : ""),
            "a robot has one root; join the others to it with joints (of type 'floating' if they are loose)");
        return false;
    }
    if (!roots.empty()) robot.order = find_order(robot, roots[0]);
    if (robot.order.size() == robot.links.size()) return true;
    std::vector<char> reached(robot.links.size(), 0);
    for (const int link : robot.order) reached[at(link)] = 1;
    const auto lost = static_cast<int>(std::find(reached.begin(), reached.end(), 0) - reached.begin());
    robot.links[at(lost)].node.fail("the links form a loop: " + describe_loop(robot, lost),
                                    roots.empty() ? "no link is the root" : "URDF knows trees only");
    return false;
}

}  // namespace

std::optional<Robot> read_tree(const Node& root)
{
    Robot robot{root, {}, {}, {}};
    Indices links, joints;
    bool whole = true;
    for (const Node& node : root.children("link"))
    {
        const std::optional<std::string> name = node.required("name");
        if (name && add_name(node, *name, static_cast<int>(robot.links.size()), links))
            robot.links.push_back({node, *name});
        else
            whole = false;
    }
    std::size_t written = 0;
    for (const Node& node : root.children("joint"))
    {
        ++written;
        read_joint(node, links, joints, robot);
    }
    if (robot.links.empty() && whole) root.fail("the robot has no links", "a URDF file holds one 'link' at least");
    // What hangs on a joint that could not be read would look like a second root.
    whole = whole && !robot.links.empty() && written == robot.joints.size();
    if (!whole || !find_root(robot)) return std::nullopt;
    return robot;
}

}  // namespace rattleback::urdf
