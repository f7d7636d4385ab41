// A Layout made of the Model with a world's masses; what depends on them is copied into the layout of the step.
#include "solvers/avbd/masses.h"

#include "base/index.h"

#include <algorithm>

namespace rattleback::avbd
{

void MassSwitch::apply(const MassView& view, bool tree_blocks, WorldMasses& masses, Layout& layout)
{
    // worlds of a batch either all have masses of their own or none
    if (view.mass.empty()) return;
    const bool known = masses.layout && std::equal(view.mass.begin(), view.mass.end(), masses.mass.begin());
    if (!known)
    {
        // the Model's arrays that a Layout reads, with the numbers of this world
        if (!variant_) variant_ = *layout.model;
        Model& model = *variant_;
        for (std::size_t b = 0; b < view.mass.size(); ++b)
        {
            model.bodies.mass[b] = view.mass[b];
            model.bodies.inertia[b] = {view.moments[3 * b], view.moments[3 * b + 1], view.moments[3 * b + 2]};
        }
        model.dofs.inertia.assign(view.dof_inertia.begin(), view.dof_inertia.end());
        model.tendons.inverse_weight.assign(view.tendon_weight.begin(), view.tendon_weight.end());
        masses.mass.assign(view.mass.begin(), view.mass.end());
        masses.layout.emplace(model, tree_blocks);
    }
    // who is in which block does not depend on masses: sizes stay, nothing is allocated
    layout.groups = masses.layout->groups;
    layout.links = masses.layout->links;
    layout.loops = masses.layout->loops;
    layout.tendon_rows = masses.layout->tendon_rows;
    layout.dof_inertia = masses.layout->dof_inertia;
}

}  // namespace rattleback::avbd
