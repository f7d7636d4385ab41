// Robot: the links and joints of a URDF file as a tree.
#pragma once

#include "import/urdf/node.h"

namespace rattleback::urdf
{

struct Link
{
    Node node;
    std::string name;
    int joint = -1;                ///< that holds it; -1: the root
    std::vector<int> joints = {};  ///< that it holds, in the order of the file
};

struct Joint
{
    Node node;
    std::string name, type;
    int parent = -1, child = -1;  ///< links
};

struct Robot
{
    Node node;
    std::vector<Link> links;
    std::vector<Joint> joints;
    std::vector<int> order;  ///< of links, depth first from the root
};

/// The tree, or nothing and the log says what is wrong: names used twice, links that do not exist, that have two
/// parents or none, or that hold each other in a circle.
std::optional<Robot> read_tree(const Node& root);

}  // namespace rattleback::urdf
