// From a Model to parts, links, loops and blocks.
#include "solvers/avbd/layout.h"

#include "base/index.h"
#include "math/rotation.h"
#include "solvers/avbd/elimination.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace rattleback::avbd
{

namespace
{

bool is_breakable(const Model& model, int joint)
{
    return std::isfinite(model.joints.break_force[at(joint)]) || std::isfinite(model.joints.break_torque[at(joint)]);
}

/// True when a body moves against its parent, or may once a joint breaks.
bool starts_part(const Model& model, int body)
{
    if (body == 0 || model.bodies.kind[at(body)] == BodyKind::kinematic) return true;
    for (int k = model.bodies.joint_begin[at(body)]; k < model.bodies.joint_begin[at(body) + 1]; ++k)
    {
        const int joint = model.bodies.joints_of_body[at(k)];
        if (model.joints.type[at(joint)] != JointType::fixed || is_breakable(model, joint)) return true;
    }
    return false;
}

/// True for a body that floats without springs, dampers, armature or friction on its free joint: it needs no link.
bool is_free(const Model& model, int body)
{
    const int k = model.bodies.joint_begin[at(body)];
    if (k == model.bodies.joint_begin[at(body) + 1]) return false;
    const int joint = model.bodies.joints_of_body[at(k)];
    if (model.joints.type[at(joint)] != JointType::free || model.joints.stiffness[at(joint)] != 0) return false;
    for (int dof = model.joints.v_begin[at(joint)]; dof < model.joints.v_begin[at(joint)] + 6; ++dof)
    {
        const Dofs& dofs = model.dofs;
        if (dofs.damping[at(dof)] != 0 || dofs.armature[at(dof)] != 0 || dofs.dry_friction[at(dof)] != 0) return false;
    }
    return true;
}

/// Inertia of a point mass at `arm`.
Mat3 point_inertia(double mass, const Vec3& arm)
{
    const double squared = dot(arm, arm);
    Mat3 inertia;
    for (int i = 0; i < 3; ++i)
    {
        for (int j = 0; j < 3; ++j) inertia(i, j) = mass * ((i == j ? squared : 0) - arm[i] * arm[j]);
    }
    return inertia;
}

void add(Mat3& sum, const Mat3& term)
{
    for (int i = 0; i < 9; ++i) sum.m[i] += term.m[i];
}

/// Mass, centre and inertia of all bodies of each part.
void add_masses(const Model& model, Layout& layout)
{
    const Bodies& bodies = model.bodies;
    std::vector<double> held(layout.parts.size(), 0);
    const auto center_of = [&](int b)
    {
        return layout.in_part[at(b)].position +
               rotate(layout.in_part[at(b)].rotation, bodies.inertial_pose[at(b)].position);
    };
    for (int b = 0; b < model.body_count(); ++b)
    {
        Part& part = layout.parts[at(layout.part_of_body[at(b)])];
        part.mass += bodies.mass[at(b)];
        part.center += bodies.mass[at(b)] * center_of(b);
        held[at(layout.part_of_body[at(b)])] += bodies.mass[at(b)] * bodies.gravity_compensation[at(b)];
    }
    for (std::size_t p = 0; p < layout.parts.size(); ++p)
    {
        Part& part = layout.parts[p];
        if (part.mass <= 0) continue;
        part.center = (1 / part.mass) * part.center;
        part.lifted = held[p] / part.mass;
    }
    for (int b = 0; b < model.body_count(); ++b)
    {
        Part& part = layout.parts[at(layout.part_of_body[at(b)])];
        if (!part.dynamic) continue;
        const Mat3 axes = to_matrix(layout.in_part[at(b)].rotation * bodies.inertial_pose[at(b)].rotation);
        const Vec3& moments = bodies.inertia[at(b)];
        const Mat3 diagonal{{moments.x, 0, 0, 0, moments.y, 0, 0, 0, moments.z}};
        add(part.inertia, axes * diagonal * transpose(axes));
        add(part.inertia, point_inertia(bodies.mass[at(b)], center_of(b) - part.center));
    }
    // A body that cannot turn about an axis of its own (a rod, a point) still needs a positive block: the least
    // moment is a millionth of the largest, or of the mass at a millimetre.
    for (Part& part : layout.parts)
    {
        const double trace = part.inertia(0, 0) + part.inertia(1, 1) + part.inertia(2, 2);
        for (int i = 0; i < 3 && part.dynamic; ++i) part.inertia(i, i) += 1e-9 * trace + 1e-12 * part.mass;
    }
}

void add_extents(const Model& model, Layout& layout)
{
    const Shapes& shapes = model.shapes;
    std::vector<double> smallest(layout.parts.size(), std::numeric_limits<double>::infinity());
    for (int s = 0; s < model.shape_count(); ++s)
    {
        const double radius = shapes.bounding_radius[at(s)];
        if (!std::isfinite(radius)) continue;
        const int b = shapes.body[at(s)], p = layout.part_of_body[at(b)];
        const Pose pose = layout.in_part[at(b)] * shapes.pose[at(s)];
        smallest[at(p)] = std::min(smallest[at(p)], radius);
        layout.parts[at(p)].reach =
            std::max(layout.parts[at(p)].reach, norm(pose.position - layout.parts[at(p)].center) + radius);
    }
    for (std::size_t p = 0; p < layout.parts.size(); ++p)
    {
        Part& part = layout.parts[p];
        const double trace = part.inertia(0, 0) + part.inertia(1, 1) + part.inertia(2, 2);
        part.extent = std::isfinite(smallest[p]) ? smallest[p] : part.mass > 0 ? std::sqrt(trace / part.mass) : 1;
    }
}

Link make_link(const Model& model, const Layout& layout, int body)
{
    const Bodies& bodies = model.bodies;
    Link link;
    link.body = body;
    link.part = layout.part_of_body[at(body)];
    link.parent = layout.part_of_body[at(bodies.parent[at(body)])];
    link.start = layout.in_part[at(bodies.parent[at(body)])] * bodies.pose[at(body)];
    link.joint_begin = bodies.joint_begin[at(body)];
    link.joint_end = bodies.joint_begin[at(body) + 1];
    link.v_begin = bodies.v_begin[at(body)];
    link.dof_count = bodies.v_count[at(body)];
    link.break_force = link.break_torque = std::numeric_limits<double>::infinity();
    for (const int joint : layout.joints(link))
    {
        link.breakable = link.breakable || is_breakable(model, joint);
        link.break_force = std::min(link.break_force, model.joints.break_force[at(joint)]);
        link.break_torque = std::min(link.break_torque, model.joints.break_torque[at(joint)]);
    }
    return link;
}

/// Reduced mass of two sides; infinite sides stand for what cannot move.
/// The mass that each link carries, from the leaves to the roots, and the total of each tree.
void add_carried_masses(Layout& layout)
{
    std::vector<double> below(layout.parts.size(), 0), total(layout.parts.size(), 0);
    std::vector<int> root(layout.parts.size());
    for (std::size_t p = 0; p < layout.parts.size(); ++p) below[p] = layout.parts[p].dynamic ? layout.parts[p].mass : 0;
    for (std::size_t p = layout.parts.size(); p-- > 0;)
    {
        const int link = layout.parts[p].link;
        if (link >= 0) below[at(layout.links[at(link)].parent)] += below[p];
    }
    for (std::size_t p = 0; p < layout.parts.size(); ++p)
    {
        const int link = layout.parts[p].link;
        root[p] = link >= 0 ? root[at(layout.links[at(link)].parent)] : static_cast<int>(p);
        const bool held = !layout.parts[at(root[p])].dynamic;
        total[p] = held ? std::numeric_limits<double>::infinity() : below[at(root[p])];
    }
    for (Link& link : layout.links)
    {
        const auto p = at(link.part);
        const double rest = total[p] - below[p];
        link.carried = rest > 0 ? reduced_mass(below[p], rest) : below[p];
        link.arm = std::max(layout.parts[p].reach, layout.parts[p].extent);
    }
    for (Loop& loop : layout.loops)
    {
        double mass = std::numeric_limits<double>::infinity(), arm = 0;
        for (const int part : {loop.first, loop.second})
        {
            if (layout.parts[at(part)].dynamic) mass = reduced_mass(mass, below[at(part)]);
            arm = std::max(arm, layout.parts[at(part)].extent);
        }
        loop.carried = std::isfinite(mass) ? mass : 1;
        loop.arm = arm;
    }
}

void add_loops(const Model& model, Layout& layout)
{
    const Equalities& equalities = model.equalities;
    for (int e = 0; e < model.equality_count(); ++e)
    {
        Loop loop;
        loop.equality = e;
        loop.type = equalities.type[at(e)];
        if (equalities.active[at(e)] == 0 || loop.type == EqualityType::tendon) continue;
        const int first = equalities.first[at(e)], second = equalities.second[at(e)];
        if (loop.type == EqualityType::joint)
        {
            const auto link_of = [&](int joint)
            { return layout.parts[at(layout.part_of_body[at(model.joints.body[at(joint)])])].link; };
            const auto dof_of = [&](int joint, int link)
            { return model.joints.v_begin[at(joint)] - layout.links[at(link)].v_begin; };
            loop.first_link = link_of(first);
            loop.first_dof = dof_of(first, loop.first_link);
            loop.first = layout.links[at(loop.first_link)].part;
            loop.second = layout.links[at(loop.first_link)].parent;
            if (second >= 0)
            {
                loop.second_link = link_of(second);
                loop.second_dof = dof_of(second, loop.second_link);
            }
        }
        else
        {
            loop.first = layout.part_of_body[at(first)];
            loop.second = layout.part_of_body[at(second)];
            if (loop.first == loop.second) continue;  // the same rigid part: nothing to hold
            loop.first_frame = layout.in_part[at(first)] * equalities.first_frame[at(e)];
            loop.second_frame = layout.in_part[at(second)] * equalities.second_frame[at(e)];
        }
        layout.loops.push_back(loop);
    }
}

/// Parts of each link and loop, as lists by part.
template <class Each>
void index_by_part(const Layout& layout, std::size_t count, Each each, std::vector<int>& begin, std::vector<int>& list)
{
    std::vector<std::vector<int>> lists(layout.parts.size());
    for (std::size_t i = 0; i < count; ++i)
    {
        each(static_cast<int>(i),
             [&](int part)
             {
                 auto& of_part = lists[at(part)];
                 if (layout.parts[at(part)].dynamic && (of_part.empty() || of_part.back() != static_cast<int>(i)))
                     of_part.push_back(static_cast<int>(i));
             });
    }
    begin.assign(1, 0);
    for (const auto& of_part : lists)
    {
        list.insert(list.end(), of_part.begin(), of_part.end());
        begin.push_back(static_cast<int>(list.size()));
    }
}

/// Calls `visit` with each part that a loop moves.
template <class Visit>
void for_each_dynamic_part(const Layout& layout, const Loop& loop, Visit visit)
{
    const auto look = [&](int part)
    {
        if (layout.parts[at(part)].dynamic) visit(part);
    };
    look(loop.first);
    look(loop.second);
    if (loop.second_link < 0) return;
    look(layout.links[at(loop.second_link)].part);
    look(layout.links[at(loop.second_link)].parent);
}

/// Trees that a loop joins become one block. False: the loop closes a circle instead.
bool join_blocks(const Layout& layout, const Loop& loop, std::vector<int>& block_root)
{
    int root = -1;
    bool joined = false;
    for_each_dynamic_part(layout, loop,
                          [&](int part)
                          {
                              const int other = block_root[at(part)];
                              if (root < 0) root = other;
                              if (other == root) return;
                              const int least = std::min(root, other), most = std::max(root, other);
                              std::replace(block_root.begin(), block_root.end(), most, least);
                              root = least;
                              joined = true;
                          });
    return joined;
}

/// Joins trees by loops; where too many circles would close (a net, chain mail), trees stay blocks of their own.
void join_trees(const Layout& layout, std::vector<int>& block_root)
{
    const std::vector<int> trees = block_root;
    std::vector<const Loop*> circles;
    for (const Loop& loop : layout.loops)
    {
        if (!join_blocks(layout, loop, block_root)) circles.push_back(&loop);
    }
    std::vector<int> rows(layout.parts.size());
    for (const Loop* loop : circles)
    {
        int count = 0, root = 0;
        for_each_dynamic_part(layout, *loop,
                              [&](int part)
                              {
                                  ++count;
                                  root = block_root[at(part)];
                              });
        if (count > 1) rows[at(root)] += loop->rows();
    }
    for (std::size_t p = 0; p < block_root.size(); ++p)
    {
        if (rows[at(block_root[p])] > Block::kMostLoopRows) block_root[p] = trees[p];
    }
}

bool has_armature(const Layout& layout, const Link& link)
{
    const auto first = layout.model->dofs.armature.begin() + link.v_begin;
    return std::any_of(first, first + link.dof_count, [](double armature) { return armature > 0; });
}

void add_blocks(Layout& layout, bool tree_blocks)
{
    std::vector<int> block_root(layout.parts.size());
    for (std::size_t p = 0; p < layout.parts.size(); ++p)
    {
        const int link = layout.parts[p].link;
        const bool joined = tree_blocks && link >= 0 && layout.parts[at(layout.links[at(link)].parent)].dynamic;
        block_root[p] = joined ? block_root[at(layout.links[at(link)].parent)] : static_cast<int>(p);
        if (layout.parts[p].dynamic) layout.order.push_back(static_cast<int>(p));
    }
    if (tree_blocks) join_trees(layout, block_root);
    std::stable_sort(layout.order.begin(), layout.order.end(),
                     [&](int a, int b) { return block_root[at(a)] < block_root[at(b)]; });
    for (std::size_t i = 0; i < layout.order.size(); ++i)
    {
        const int part = layout.order[i];
        if (i == 0 || block_root[at(part)] != block_root[at(layout.order[i - 1])])
            layout.blocks.push_back({static_cast<int>(i), static_cast<int>(i), false});
        Block& block = layout.blocks.back();
        block.end = static_cast<int>(i) + 1;
        const bool linked = layout.links_begin[at(part) + 1] > layout.links_begin[at(part)];
        const bool looped = layout.loops_begin[at(part) + 1] > layout.loops_begin[at(part)];
        block.tree = block.tree || linked || looped;
        const int link = layout.parts[at(part)].link;
        block.armature = block.armature || (link >= 0 && has_armature(layout, layout.links[at(link)]));
        layout.parts[at(part)].block = static_cast<int>(layout.blocks.size()) - 1;
    }
    if (tree_blocks) plant_trees(layout);
    for (Loop& loop : layout.loops)
    {
        int block = -1;
        bool inside = false;
        for_each_dynamic_part(layout, loop,
                              [&](int part)
                              {
                                  inside = inside || block == layout.parts[at(part)].block;
                                  loop.in_block = loop.in_block && (block < 0 || block == layout.parts[at(part)].block);
                                  block = layout.parts[at(part)].block;
                              });
        if (inside && !loop.edge) layout.blocks[at(block)].loop_rows += loop.rows();
    }
    for (const Block& block : layout.blocks)
    {
        double mass = 0;
        for (int i = block.begin; i < block.end; ++i) mass += layout.parts[at(layout.order[at(i)])].mass;
        for (int i = block.begin; i < block.end; ++i) layout.parts[at(layout.order[at(i)])].behind = mass;
    }
}

}  // namespace

Layout::Layout(const Model& source, bool tree_blocks) : model(&source)
{
    for (int b = 0; b < source.body_count(); ++b)
    {
        const int parent = source.bodies.parent[at(b)];
        if (starts_part(source, b))
        {
            const bool given = b == 0 || source.bodies.kind[at(b)] == BodyKind::kinematic;
            part_of_body.push_back(static_cast<int>(parts.size()));
            in_part.push_back({});
            parts.push_back({.body = b, .dynamic = !given});
            if (given && b > 0) kinematic.push_back(part_of_body.back());
            continue;
        }
        part_of_body.push_back(part_of_body[at(parent)]);
        in_part.push_back(in_part[at(parent)] * source.bodies.pose[at(b)]);
    }
    add_masses(source, *this);
    add_extents(source, *this);
    for (std::size_t p = 0; p < parts.size(); ++p)
    {
        if (!parts[p].dynamic || is_free(source, parts[p].body)) continue;
        parts[p].link = static_cast<int>(links.size());
        links.push_back(make_link(source, *this, parts[p].body));
    }
    add_loops(source, *this);
    add_carried_masses(*this);
    index_by_part(
        *this, links.size(),
        [&](int i, const auto& touch)
        {
            touch(links[at(i)].part);
            touch(links[at(i)].parent);
        },
        links_begin, links_of_part);
    index_by_part(
        *this, loops.size(),
        [&](int i, const auto& touch)
        {
            const Loop& loop = loops[at(i)];
            touch(loop.first);
            touch(loop.second);
            if (loop.second_link >= 0)
            {
                touch(links[at(loop.second_link)].part);
                touch(links[at(loop.second_link)].parent);
            }
        },
        loops_begin, loops_of_part);
    add_blocks(*this, tree_blocks);
}

}  // namespace rattleback::avbd
