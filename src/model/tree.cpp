// Derives the arrays of a Model that follow from its tree.
#include "model/tree.h"

#include "base/index.h"

#include <algorithm>

namespace rattleback
{

namespace
{

// Bodies and joints are the only input. Everything here is a function of parents, kinds and joint types, and is derived
// in one order: coordinates, what moves each body, dofs as a forest, rows of M, levels.

/// Bodies by depth below the world, in increasing order within a level.
void derive_levels(Model& model)
{
    const std::size_t count = model.bodies.parent.size();
    std::vector<int> depth(count, 0);
    for (std::size_t body = 1; body < count; ++body) depth[body] = depth[at(model.bodies.parent[body])] + 1;
    // Counting sort by depth: bodies of one level do not depend on each other.
    const int levels = *std::max_element(depth.begin(), depth.end()) + 1;
    model.level_begin.assign(at(levels) + 1, 0);
    for (const int level : depth) ++model.level_begin[at(level) + 1];
    for (std::size_t level = 0; level < at(levels); ++level) model.level_begin[level + 1] += model.level_begin[level];
    model.level_bodies.resize(count);
    std::vector<int> next(model.level_begin.begin(), model.level_begin.end() - 1);
    for (std::size_t body = 0; body < count; ++body)
        model.level_bodies[at(next[at(depth[body])]++)] = static_cast<int>(body);
}

/// As in MuJoCo, coordinates follow the bodies, not the order in which joints were added.
void derive_coordinates(const Bodies& bodies, Joints& joints)
{
    joints.q_begin.assign(joints.type.size(), 0);
    joints.v_begin.assign(joints.type.size(), 0);
    int q = 0, v = 0;
    for (const int joint : bodies.joints_of_body)
    {
        joints.q_begin[at(joint)] = q;
        joints.v_begin[at(joint)] = v;
        q += q_count(joints.type[at(joint)]);
        v += v_count(joints.type[at(joint)]);
    }
}

/// Where each body's own dofs stand, and what moves it.
void derive_motion(const Joints& joints, Bodies& bodies)
{
    const std::size_t count = bodies.parent.size();
    bodies.v_begin.assign(count, 0);
    bodies.v_count.assign(count, 0);
    bodies.last_dof.assign(count, -1);
    bodies.root.assign(count, 0);
    bodies.weld.assign(count, 0);
    int next = 0;
    for (std::size_t body = 1; body < count; ++body)
    {
        int dofs = 0;
        for (int i = bodies.joint_begin[body]; i < bodies.joint_begin[body + 1]; ++i)
            dofs += v_count(joints.type[at(bodies.joints_of_body[at(i)])]);
        // A body without dofs is moved by those of its parent; the first body with dofs on a path is the root of its
        // tree.
        const std::size_t parent = at(bodies.parent[body]);
        bodies.v_begin[body] = next;
        bodies.v_count[body] = dofs;
        next += dofs;
        bodies.last_dof[body] = dofs > 0 ? next - 1 : bodies.last_dof[parent];
        const bool first = bodies.last_dof[parent] < 0;
        bodies.root[body] = !first ? bodies.root[parent] : dofs > 0 ? static_cast<int>(body) : 0;
        // Bodies that keep their place against each other share a weld: the one at the top.
        const bool welded = dofs == 0 && bodies.kind[body] != BodyKind::kinematic;
        bodies.weld[body] = welded ? bodies.weld[parent] : static_cast<int>(body);
    }
}

void derive_dofs(const Bodies& bodies, const Joints& joints, Dofs& dofs)
{
    dofs.body.clear();
    dofs.joint.clear();
    dofs.parent.clear();
    for (const int joint : bodies.joints_of_body)
    {
        const int body = joints.body[at(joint)];
        for (int k = 0; k < v_count(joints.type[at(joint)]); ++k)
        {
            const int dof = static_cast<int>(dofs.body.size());
            // Dofs of a body form a chain; its first hangs on what moves the parent body.
            const bool first = dof == bodies.v_begin[at(body)];
            dofs.body.push_back(body);
            dofs.joint.push_back(joint);
            dofs.parent.push_back(first ? bodies.last_dof[at(bodies.parent[at(body)])] : dof - 1);
        }
    }
}

/// Row i of M's lower triangle: the row of its parent, then i.
void derive_rows(Dofs& dofs)
{
    const std::size_t count = dofs.parent.size();
    dofs.row_begin.assign(count + 1, 0);
    for (std::size_t i = 0; i < count; ++i)
    {
        const int parent = dofs.parent[i];
        const int above = parent < 0 ? 0 : dofs.row_begin[at(parent) + 1] - dofs.row_begin[at(parent)];
        dofs.row_begin[i + 1] = dofs.row_begin[i] + above + 1;
    }
    dofs.row_column.resize(at(dofs.row_begin.back()));
    for (std::size_t i = 0; i < count; ++i)
    {
        auto out = dofs.row_column.begin() + dofs.row_begin[i];
        // Ancestors in increasing order, the diagonal last.
        if (const int parent = dofs.parent[i]; parent >= 0)
        {
            const auto begin = dofs.row_column.begin();
            out = std::copy(begin + dofs.row_begin[at(parent)], begin + dofs.row_begin[at(parent) + 1], out);
        }
        *out = static_cast<int>(i);
    }
}

}  // namespace

void derive_tree(Model& model)
{
    // Each step uses what the one before has found.
    derive_coordinates(model.bodies, model.joints);
    derive_motion(model.joints, model.bodies);
    derive_dofs(model.bodies, model.joints, model.dofs);
    derive_rows(model.dofs);
    derive_levels(model);
}

void derive_shapes_of_body(Model& model)
{
    Bodies& bodies = model.bodies;
    // Counting sort by body, shapes of one body in the order of their numbers.
    bodies.shape_begin.assign(bodies.parent.size() + 1, 0);
    for (const int body : model.shapes.body) ++bodies.shape_begin[at(body) + 1];
    for (std::size_t body = 0; body < bodies.parent.size(); ++body)
        bodies.shape_begin[body + 1] += bodies.shape_begin[body];
    bodies.shapes_of_body.resize(model.shapes.body.size());
    std::vector<int> next(bodies.shape_begin.begin(), bodies.shape_begin.end() - 1);
    for (std::size_t shape = 0; shape < model.shapes.body.size(); ++shape)
        bodies.shapes_of_body[at(next[at(model.shapes.body[shape])]++)] = static_cast<int>(shape);
}

}  // namespace rattleback
