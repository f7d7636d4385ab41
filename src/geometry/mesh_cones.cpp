// MeshSurface: the cones of normals along its tree.
#include "base/index.h"
#include "geometry/triangle_surface.h"

#include <algorithm>

namespace rattleback
{
namespace
{

constexpr double kWiden = 1e-6;  // [rad] of every cone: far above rounding

/// The sum of directions, made unit; z where they cancel.
Vec3 find_mean(const Vec3& sum) { return norm(sum) > 1e-9 ? make_unit(sum) : Vec3{0, 0, 1}; }

}  // namespace

/// A triangle can be touched along its normal, along those between its own and its neighbours', and where its corners
/// can be touched; a node wherever its children can.
void MeshSurface::build_cones()
{
    cones_.assign(at(tree_.node_count()), {});
    if (!has_inside_)
    {
        // Sheets have two sides: every direction.
        for (ConeFour& four : cones_)
        {
            for (int lane = 0; lane < 4; ++lane) four.set(lane, {});
        }
        return;
    }
    std::vector<Vec3> sums(vertices_.size());
    for (int t = 0; t < triangle_count(); ++t)
    {
        for (const int v : triangles_[at(t)].vertex) sums[at(v)] += normal(t);
    }
    corner_cones_.clear();
    corner_cones_.reserve(vertices_.size());
    std::vector<Vec3> ways;
    for (std::size_t v = 0; v < vertices_.size(); ++v)
    {
        ways.clear();
        for (int i = neighbour_begin_[v]; i < neighbour_begin_[v + 1]; ++i)
            ways.push_back(make_unit(vertices_[at(neighbours_[at(i)])] - vertices_[v]));
        corner_cones_.emplace_back(ways, find_mean(sums[v]));
    }
    const ConeAngle leaning{std::sqrt(1 - kLeaningSine * kLeaningSine), kLeaningSine};
    const auto find_triangle_cone = [&](int t) -> NormalCone
    {
        const Row& row = triangles_[at(t)];
        std::array<NormalCone, 7> parts;
        parts[0] = {.axis = normal(t), .angle = leaning};
        for (std::size_t i = 0; i < 3; ++i)
        {
            // A border can be touched from all around.
            if (row.neighbour[i] < 0) return {.axis = normal(t)};
            parts[1 + i] = {.axis = normal(row.neighbour[i]), .angle = leaning};
            parts[4 + i] = corner_cones_[at(row.vertex[i])].front;
        }
        return merge_cones(normal(t), parts);
    };
    // Children stand behind their parents: backwards every node is known when its parent asks.
    for (int node = tree_.node_count() - 1; node >= 0; --node)
    {
        for (int lane = 0; lane < tree_.child_count(node); ++lane)
        {
            const int child = tree_.child(node, lane);
            NormalCone cone;
            if (child < 0)
            {
                cone = find_triangle_cone(~child);
                cone.angle = add_angles(cone.angle, {1 - 0.5 * kWiden * kWiden, kWiden});
            }
            else
            {
                std::array<NormalCone, 4> below;
                Vec3 sum;
                const auto count = at(tree_.child_count(child));
                for (std::size_t i = 0; i < count; ++i)
                {
                    below[i] = cones_[at(child)].get(static_cast<int>(i));
                    sum += below[i].axis;
                }
                cone = merge_cones(find_mean(sum), std::span(below).first(count));
            }
            cones_[at(node)].set(lane, cone);
        }
    }
}

unsigned MeshSurface::find_facing(int node, const Vec3& point) const
{
    const ConeFour& cones = cones_[at(node)];
    const auto [middle, half] = tree_.boxes(node);
    const Vector3<Pack4> axis{load_pack(cones.axis[0].data()), load_pack(cones.axis[1].data()),
                              load_pack(cones.axis[2].data())};
    const Vector3<Pack4> way = spread(point) - middle;
    const SeenCones seen(load_pack(cones.cosine.data()), load_pack(cones.sine.data()), axis, way,
                         Pack4(1 + 1e-9) * sqrt(dot(half, half)));
    return ~static_cast<unsigned>(to_bits(seen.misses_in_front()));
}

unsigned MeshSurface::find_opposite(int node, const NormalCone& cone) const
{
    const ConeFour& cones = cones_[at(node)];
    const Vector3<Pack4> axis{load_pack(cones.axis[0].data()), load_pack(cones.axis[1].data()),
                              load_pack(cones.axis[2].data())};
    const Pack4 cosine(cone.angle.cosine), sine(cone.angle.sine);
    const Pack4 their_cosine = load_pack(cones.cosine.data()), their_sine = load_pack(cones.sine.data());
    // The angle between one axis and the other turned round is no more than both cones'.
    const Mask4 is_wide = their_sine * cosine + their_cosine * sine <= Pack4(0);
    const Mask4 faces = dot(axis, -spread(cone.axis)) >= their_cosine * cosine - their_sine * sine - Pack4(1e-9);
    return static_cast<unsigned>(to_bits(either(is_wide, faces)));
}

bool MeshSurface::may_be_held(const Vec3& point, double reach, const CornerCones& cones) const
{
    const auto looks_towards = [&](const NormalCone& cone)
    {
        if (cone.is_empty) return false;
        bool found = false;
        tree_.query_ball(
            point, reach * reach * (1 + 1e-9), [&](int node) { return found ? 0U : find_opposite(node, cone); },
            [&](int) { found = true; });
        return found;
    };
    return looks_towards(cones.front) || looks_towards(cones.back);
}

unsigned MeshSurface::find_facing(int node, const NormalCone& cone, const Vec3& middle, const Vec3& half) const
{
    const unsigned facing = find_opposite(node, cone);
    if (facing == 0) return 0;
    const ConeFour& cones = cones_[at(node)];
    const Vector3<Pack4> axis{load_pack(cones.axis[0].data()), load_pack(cones.axis[1].data()),
                              load_pack(cones.axis[2].data())};
    const Pack4 cosine(cone.angle.cosine), sine(cone.angle.sine);
    const Pack4 their_cosine = load_pack(cones.cosine.data()), their_sine = load_pack(cones.sine.data());
    const Vector3<Pack4> our_axis = spread(cone.axis);
    // Corners of ours on their faces, or of theirs on ours: in front, or deep behind.
    const auto [their_middle, their_half] = tree_.boxes(node);
    const Vector3<Pack4> way = spread(middle) - their_middle, both_half = spread(half) + their_half;
    const Pack4 radius = Pack4(1 + 1e-9) * sqrt(dot(both_half, both_half));
    const SeenCones theirs(their_cosine, their_sine, axis, way, radius), ours(cosine, sine, our_axis, -way, radius);
    const Mask4 misses = both(both(theirs.misses_in_front(), theirs.misses_behind()),
                              both(ours.misses_in_front(), ours.misses_behind()));
    return facing & ~static_cast<unsigned>(to_bits(misses));
}

}  // namespace rattleback
