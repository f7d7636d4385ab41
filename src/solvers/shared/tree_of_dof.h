// Which kinematic tree moves a degree of freedom.
#pragma once

#include <rattleback/model.h>

#include <vector>

namespace rattleback
{

/// [dof] Kinematic tree, numbered from zero.
inline std::vector<int> find_tree_of_dof(const Model& model)
{
    std::vector<int> tree_of_root(static_cast<std::size_t>(model.body_count()), -1), tree_of_dof;
    int trees = 0;
    for (int d = 0; d < model.v_count(); ++d)
    {
        // A tree is named by the body at its root.
        int& tree = tree_of_root[model.bodies.root[model.dofs.body[d]]];
        if (tree < 0) tree = trees++;
        tree_of_dof.push_back(tree);
    }
    return tree_of_dof;
}

}  // namespace rattleback
