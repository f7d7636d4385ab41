// From pairs of shapes to pairs of their vertices, edges and faces, with motion.
#include <rattleback/simplices.h>

#include "base/index.h"
#include "geometry/tree.h"
#include "geometry/triangle_surface.h"

#include <algorithm>
#include <cmath>

namespace rattleback
{

namespace
{

constexpr double kRoundingSlack = 1e-12;  // of the largest coordinate: a rim is never lost to rounding

/// The box of a simplex.
template <std::size_t N>
Aabb find_box(const std::vector<Vec3>& vertices, const std::array<int, N>& corners)
{
    Aabb box = kEmptyBox;
    for (const int corner : corners) box = merge(box, {vertices[at(corner)], vertices[at(corner)]});
    return box;
}

/// The simplices of a mesh, and trees over each kind.
struct SimplexSet
{
    ShapeSimplices simplices;
    BoxTree vertices, edges, faces;

    void build_trees()
    {
        const auto build = [&](const auto& items, BoxTree& tree)
        {
            std::vector<Aabb> boxes;
            for (const auto& corners : items) boxes.push_back(find_box(simplices.vertices, corners));
            tree.build(boxes);
        };
        std::vector<std::array<int, 1>> points;
        for (std::size_t i = 0; i < simplices.vertices.size(); ++i) points.push_back({static_cast<int>(i)});
        build(points, vertices);
        build(simplices.edges, edges);
        build(simplices.faces, faces);
    }
};

void take_points(const MeshOptions& mesh, ShapeSimplices& out) { out.vertices = mesh.vertices; }

void take_segments(const MeshOptions& mesh, ShapeSimplices& out)
{
    out.vertices = mesh.vertices;
    for (const auto& [a, b] : mesh.edges)
    {
        if (a != b) out.edges.push_back({std::min(a, b), std::max(a, b)});
    }
    std::sort(out.edges.begin(), out.edges.end());
    out.edges.erase(std::unique(out.edges.begin(), out.edges.end()), out.edges.end());
    out.beside.assign(out.edges.size(), {-1, -1});
}

void take_triangles(const MeshOptions& mesh, ShapeSimplices& out)
{
    const MeshSurface welded(mesh, false);
    out.vertices = welded.vertices();
    std::vector<std::array<int, 3>> sides;  // two vertices and the face
    for (int t = 0; t < welded.triangle_count(); ++t)
    {
        const std::array<int, 3>& corner = welded.numbers(t);
        out.faces.push_back(corner);
        for (std::size_t i = 0; i < 3; ++i)
        {
            const int a = corner[i], b = corner[(i + 1) % 3];
            sides.push_back({std::min(a, b), std::max(a, b), t});
        }
    }
    std::sort(sides.begin(), sides.end());
    for (const auto& [a, b, face] : sides)
    {
        if (out.edges.empty() || out.edges.back() != std::array{a, b})
        {
            out.edges.push_back({a, b});
            out.beside.push_back({face, -1});
        }
        else if (out.beside.back()[1] < 0)
        {
            out.beside.back()[1] = face;  // a third face at an edge is not named
        }
    }
}

}  // namespace

/// Where a shape is, and how far its body carries it.
struct SimplexMotion
{
    Pose pose;
    Vec3 center, way;  ///< of the body's centre of mass [m]
    double turn = 0;   ///< a point r from the centre is at most r times this from where it would be without turning
};

struct SimplexFinder::Scratch
{
    explicit Scratch(const Model& its_model) : model(its_model), set_of(at(its_model.shape_count()), -1)
    {
        std::vector<std::array<int, 2>> known;  // asset and kind of each set
        for (int s = 0; s < model.shape_count(); ++s)
        {
            const ShapeType type = model.shapes.type[at(s)];
            const bool solid = type == ShapeType::mesh && model.shapes.mesh_collide[at(s)] == MeshCollide::exact;
            if (type != ShapeType::points && type != ShapeType::segments && type != ShapeType::surface && !solid)
                continue;
            const std::array key{model.shapes.asset[at(s)], static_cast<int>(solid ? ShapeType::surface : type)};
            const auto found = std::find(known.begin(), known.end(), key);
            set_of[at(s)] = static_cast<int>(found - known.begin());
            if (found != known.end()) continue;
            known.push_back(key);
            SimplexSet& set = sets.emplace_back();
            const MeshOptions& mesh = model.meshes[at(key[0])];
            type == ShapeType::points     ? take_points(mesh, set.simplices)
            : type == ShapeType::segments ? take_segments(mesh, set.simplices)
                                          : take_triangles(mesh, set.simplices);
            set.build_trees();
        }
    }

    const SimplexSet* find_set(ShapeId shape) const
    {
        const int set = set_of[at(shape.index)];
        return set < 0 ? nullptr : &sets[at(set)];
    }
    SimplexMotion find_motion(const ConstWorldView& world, ShapeId shape, double motion) const
    {
        const std::size_t body = at(model.shapes.body[at(shape.index)]);
        SimplexMotion found{.pose = world.body_pose[body] * model.shapes.pose[at(shape.index)]};
        found.center = (world.body_pose[body] * model.bodies.inertial_pose[body]).position;
        if (motion == 0) return found;
        found.way = motion * world.body_velocity[body].linear;
        found.turn = std::min(motion * norm(world.body_velocity[body].angular), 2.0);
        return found;
    }

    /// Items of `others`, in whose frame all is done, that simplices of `own` may come near.
    template <std::size_t N>
    void add(SimplexPairKind kind, std::span<const std::array<int, N>> own, const BoxTree& others)
    {
        for (std::size_t i = 0; i < own.size(); ++i)
        {
            double radius = 0;  // from the centre about which it turns
            for (const int corner : own[i]) radius = std::max(radius, norm(placed[at(corner)] - center));
            Aabb box = find_box(placed, own[i]);
            box = inflate(merge(box, {box.lower + way, box.upper + way}), reach + turn * radius);
            others.query(box, [&](int other) { pairs.push_back({kind, static_cast<int>(i), other}); });
        }
    }

    const Model& model;
    std::vector<int> set_of;  ///< [shape], or -1
    std::vector<SimplexSet> sets;
    std::vector<SimplexPair> pairs;
    std::vector<Vec3> placed;                 ///< vertices of the first shape
    std::vector<std::array<int, 1>> corners;  ///< of its vertices: themselves
    // Of the call: how the first shape moves in the frame of the second, as that one is at first.
    Vec3 center, way;
    double turn = 0, reach = 0;
};

SimplexFinder::SimplexFinder(const Model& model) : scratch_(std::make_unique<Scratch>(model)) {}
SimplexFinder::~SimplexFinder() = default;
SimplexFinder::SimplexFinder(SimplexFinder&&) noexcept = default;

const ShapeSimplices* SimplexFinder::find_simplices(ShapeId shape) const
{
    const SimplexSet* set = scratch_->find_set(shape);
    return set == nullptr ? nullptr : &set->simplices;
}

std::span<const SimplexPair> SimplexFinder::find_pairs(const ConstWorldView& world, const PairCandidate& pair,
                                                       double margin, double motion)
{
    Scratch& s = *scratch_;
    RB_CHECK(margin >= 0 && margin < HUGE_VAL && motion >= 0 && motion < HUGE_VAL,
             "SimplexFinder: margin and motion must be finite and not negative");
    RB_CHECK(motion == 0 || world.body_velocity.size() == world.body_pose.size(),
             "SimplexFinder: motion needs the velocities");
    s.pairs.clear();
    const SimplexSet *first = s.find_set(pair.first), *second = s.find_set(pair.second);
    if (first == nullptr || second == nullptr) return s.pairs;
    // p1(t) - p2(t) = p1 - p2 + (v1 - v2) t + two turns, each of which moves a point r from its centre of mass by at
    // most r times the angle, and by no more than 2 r. So a box around the way of p1 + (v1 - v2) t, wider by both
    // turns, meets every p2 that comes within the margin; p2 stays where it is.
    const SimplexMotion moved = s.find_motion(world, pair.first, motion),
                        other = s.find_motion(world, pair.second, motion);
    const Quat back = conjugate(other.pose.rotation);
    const auto take = [&](const Vec3& point) { return rotate(back, point - other.pose.position); };
    s.placed.clear();
    double size = 0, largest = 0;
    for (const Vec3& v : first->simplices.vertices)
    {
        s.placed.push_back(take(moved.pose.position + rotate(moved.pose.rotation, v)));
        size = std::max(size, norm(s.placed.back()));
    }
    s.center = take(moved.center);
    s.way = rotate(back, moved.way - other.way);
    s.turn = moved.turn;
    const Vec3 axis = take(other.center);
    for (const Vec3& v : second->simplices.vertices) largest = std::max(largest, norm(v - axis));
    const double offset = norm(other.pose.position) + norm(moved.pose.position);
    s.reach = margin + other.turn * largest + kRoundingSlack * (size + largest + offset);
    if (!(s.reach < HUGE_VAL) || !(size < HUGE_VAL)) return s.pairs;  // a pose that is not finite meets nothing

    const ShapeSimplices &a = first->simplices, &b = second->simplices;
    s.corners.clear();
    for (std::size_t i = 0; i < a.vertices.size(); ++i) s.corners.push_back({static_cast<int>(i)});
    const std::span<const std::array<int, 1>> vertices = s.corners;
    const std::span<const std::array<int, 2>> edges = a.edges;
    const std::span<const std::array<int, 3>> faces = a.faces;
    // The nearest points of two shapes lie on a vertex and a face, or on two edges; without faces or edges on a vertex
    // and what there is.
    if (!b.faces.empty()) s.add(SimplexPairKind::vertex_face, vertices, second->faces);
    if (!a.faces.empty()) s.add(SimplexPairKind::face_vertex, faces, second->vertices);
    if (!a.edges.empty() && !b.edges.empty()) s.add(SimplexPairKind::edge_edge, edges, second->edges);
    if (a.edges.empty() && b.faces.empty() && !b.edges.empty())
        s.add(SimplexPairKind::vertex_edge, vertices, second->edges);
    if (b.edges.empty() && a.faces.empty() && !a.edges.empty())
        s.add(SimplexPairKind::edge_vertex, edges, second->vertices);
    if (a.edges.empty() && b.edges.empty()) s.add(SimplexPairKind::vertex_vertex, vertices, second->vertices);
    std::sort(s.pairs.begin(), s.pairs.end());
    return s.pairs;
}

}  // namespace rattleback
