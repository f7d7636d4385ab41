// Tree: owner of the lists that a TreeView shows.
#pragma once

#include "dynamics/tree_view.h"

#include <memory>

namespace rattleback
{

/// The joint as it stands in the Model.
TreeJoint make_tree_joint(const Model& model, int joint);

struct TreeLists;

/// Constants of the dynamics of a Model, which must outlive it. Copies share the lists.
struct Tree : TreeView
{
    explicit Tree(const Model& source);

private:
    std::shared_ptr<const TreeLists> lists_;
};

}  // namespace rattleback
