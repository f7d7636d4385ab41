// Point masses and inertias that no solid has, at links that are fixed to others: counted with the link that carries
// them.
#include <algorithm>

#include "base/index.h"
#include "build/body_mass.h"
#include "geometry/mass.h"
#include "import/urdf/assembly.h"

namespace rattleback::urdf
{

namespace
{

/// Positive moments of which none exceeds the sum of the others?
bool is_solid(const Inertia& inertia)
{
    const Vec3 moments = find_principal_axes(to_matrix(inertia)).moments;
    std::array<double, 3> sorted{moments.x, moments.y, moments.z};
    std::sort(sorted.begin(), sorted.end());
    return sorted[0] > 0 && sorted[0] + sorted[1] >= sorted[2] * (1 - 1e-9);
}

MassProperties to_properties(const Inertia& inertia)
{
    const Mat3 turn = to_matrix(inertia.rotation);
    return {inertia.mass, inertia.position, turn * to_matrix(inertia) * transpose(turn)};
}

Inertia to_written(const MassProperties& mass)
{
    const Mat3& i = mass.inertia;
    return {.mass = mass.mass,
            .position = mass.center,
            .diagonal = {i(0, 0), i(1, 1), i(2, 2)},
            .products = {i(0, 1), i(0, 2), i(1, 2)}};
}

}  // namespace

void Assembly::carry_odd_inertias()
{
    // Links that nothing moves: their inertia has no effect. Parents come before their children.
    std::vector<char> still(robot_.links.size(), 0);
    for (const int link : robot_.order)
    {
        const int joint = robot_.links[at(link)].joint;
        const bool held =
            joint >= 0 && robot_.joints[at(joint)].type == "fixed" && still[at(robot_.joints[at(joint)].parent)];
        still[at(link)] = joint < 0 ? options_.base == RobotBase::fixed || body_of(link) == kWorld : held;
    }
    int count = 0;
    for (auto link = robot_.order.rbegin(); link != robot_.order.rend(); ++link)
    {
        BodyOptions& body = authored_.bodies[at(body_of(*link).index)];
        const int joint = robot_.links[at(*link)].joint;
        const bool carried = joint >= 0 && robot_.joints[at(joint)].type == "fixed";
        if (!body.inertia || is_solid(*body.inertia) || !(carried || still[at(*link)])) continue;
        ++count;
        if (!still[at(*link)])
        {
            std::optional<Inertia>& target = authored_.bodies[at(body.parent.index)].inertia;
            const MassProperties part = transformed(to_properties(*body.inertia), {body.position, body.rotation});
            target = to_written(target ? combined(to_properties(*target), part) : part);
        }
        body.inertia.reset();
    }
    if (count > 0)
        robot_.node.warn("the inertias of " + std::to_string(count) +
                         " fixed links are none of solids: they are counted with the links that carry them");
}

}  // namespace rattleback::urdf
