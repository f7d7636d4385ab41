// Places fixed and kinematic shapes, and finds the particles near them.
#include "solvers/particles/obstacles.h"

#include "geometry/distance.h"
#include "geometry/height_field.h"
#include "geometry/triangle_surface.h"

#include <algorithm>

namespace rattleback::particles
{

namespace
{

// Fixed and kinematic shapes are exact, whatever the bodies are made of: a sphere against a plane, a solid or the
// nearest triangle. For the length of a step a contact is a plane that may move.

bool collides_as_triangles(const Shapes& shapes, int s)
{
    const ShapeType type = shapes.type[at(s)];
    return type == ShapeType::surface || type == ShapeType::height_field ||
           (type == ShapeType::mesh && shapes.mesh_collide[at(s)] == MeshCollide::exact);
}

/// The corners of each triangle.
std::vector<std::array<Vec3, 3>> list_triangles(const std::vector<Vec3>& points,
                                                const std::vector<std::array<int, 3>>& triangles)
{
    std::vector<std::array<Vec3, 3>> corners;
    corners.reserve(triangles.size());
    for (const auto& [a, b, c] : triangles) corners.push_back({points[at(a)], points[at(b)], points[at(c)]});
    return corners;
}

}  // namespace

Obstacles::Obstacles(const Model& model, const ParticleSet& set)
    : model_(model), set_(set), triangles_(at(model.shape_count())), placed_(at(model.shape_count())), surfaces_(model)
{
    const RigidGroups& rigid = set.rigid;
    motions_.resize(rigid.kinematic_bodies.size());

    // What does not change: types and sizes, and triangles with a tree over them.
    const Shapes& shapes = model.shapes;
    for (const int s : set.obstacles)
    {
        PlacedObstacle& placed = placed_[at(s)];
        // Meshes that do not collide by triangles have hulls.
        const bool hull = shapes.type[at(s)] == ShapeType::hull || shapes.type[at(s)] == ShapeType::mesh;
        // A shape on a kinematic body, or on what is fixed to one, moves as that body is told to.
        const int root = rigid.root[at(rigid.group_of_body[at(shapes.body[at(s)])])];
        const auto found = std::find(rigid.kinematic_bodies.begin(), rigid.kinematic_bodies.end(), root);
        if (found != rigid.kinematic_bodies.end())
            placed.kinematic = static_cast<int>(found - rigid.kinematic_bodies.begin());
        placed.shape.type = shapes.type[at(s)];
        placed.shape.size = shapes.size[at(s)];
        if (hull) placed.shape.hull = &model.hulls[at(shapes.asset[at(s)])];
        if (!collides_as_triangles(shapes, s)) continue;
        Triangles& triangles = triangles_[at(s)];
        // A mesh or a height field is closed: its inside is solid. A surface has two outsides.
        triangles.solid = shapes.type[at(s)] != ShapeType::surface;
        if (shapes.type[at(s)] == ShapeType::height_field)
        {
            const HeightFieldOptions& field = model.height_fields[at(shapes.asset[at(s)])];
            triangles.corners = list_triangles(find_grid_points(field), cut_grid(field.rows, field.columns));
        }
        else
        {
            const MeshOptions& mesh = model.meshes[at(shapes.asset[at(s)])];
            triangles.corners = list_triangles(mesh.vertices, mesh.triangles);
        }
        // A tree of boxes over the triangles: a particle visits those near it and not all.
        std::vector<Aabb> boxes;
        for (const auto& [a, b, c] : triangles.corners) boxes.push_back(merge(merge({a, a}, {b, b}), {c, c}));
        triangles.tree.build(boxes);
        placed.triangles = &triangles;
    }
}

/// Where a body is: kinematic ones at the end of the step; those of particles at its start, as their free joint says.
Pose Obstacles::find_pose(int body, const WorldView& world) const
{
    const int group = set_.group_of_body[at(body)];
    Pose local;
    // Up the tree until something that moves is met; what lies between is fixed to it.
    for (int b = body; b > 0; b = model_.bodies.parent[at(b)])
    {
        const std::vector<int>& kinematic = set_.rigid.kinematic_bodies;
        for (std::size_t k = 0; k < kinematic.size(); ++k)
        {
            // A kinematic body is where it will be at the end of the step.
            if (kinematic[k] == b) return motions_[k].end * local;
        }
        if (group >= 0 && b == set_.groups[at(group)].body)
        {
            // q is what a user writes; poses of the State follow it.
            const double* q = &world.q[at(set_.groups[at(group)].q_begin)];
            return Pose{{q[0], q[1], q[2]}, normalized(Quat{q[3], q[4], q[5], q[6]})} * local;
        }
        local = model_.bodies.pose[at(b)] * local;
    }
    return local;
}

void Obstacles::place(const StepInput& input, const WorldView& world, double ahead)
{
    const std::vector<int>& kinematic = set_.rigid.kinematic_bodies;
    // Where kinematic bodies are at the end of the step: particles meet them there.
    find_kinematic_motions(model_, kinematic, input, world, motions_);
    // A user's filter of pairs, asked when particles are paired.
    filter_ = input.contact_filter;
    // Belts and other running surfaces add to the velocity at a contact without moving the shape.
    surfaces_.load(input.control.surface_velocity);
    surfaces_.place([&](int body) { return find_pose(body, world); }, ahead);
    const Shapes& shapes = model_.shapes;
    for (const int s : set_.obstacles)
    {
        PlacedObstacle& placed = placed_[at(s)];
        Pose pose = world.body_pose[at(shapes.body[at(s)])];
        if (const int k = placed.kinematic; k >= 0)
        {
            // Fixed bodies on a kinematic one follow it.
            const KinematicMotion& motion = motions_[at(k)];
            pose = motion.end * set_.rigid.in_group[at(shapes.body[at(s)])];
            // Velocities of a kinematic body are those of its centre of mass.
            placed.center = motion.end.position +
                            rotate(motion.end.rotation, model_.bodies.inertial_pose[at(kinematic[at(k)])].position);
            placed.velocity = motion.end_velocity.linear;
            placed.angular_velocity = motion.end_velocity.angular;
        }
        // The shape in the world, and a box around it.
        pose = pose * shapes.pose[at(s)];
        placed.shape.position = pose.position;
        placed.shape.rotation = to_matrix(pose.rotation);
        const int asset = shapes.asset[at(s)];
        const bool field = shapes.type[at(s)] == ShapeType::height_field;
        // Planes have infinite boxes and are tested by height.
        placed.bounds = compute_bounds(shapes.type[at(s)], shapes.size[at(s)],
                                       asset >= 0 && !field ? &model_.meshes[at(asset)] : nullptr,
                                       field ? &model_.height_fields[at(asset)] : nullptr, pose);
    }
}

void Obstacles::commit(WorldView world) const { commit_kinematic_bodies(set_.rigid.kinematic_bodies, motions_, world); }

bool Obstacles::is_far(const PlacedObstacle& obstacle, const Vec3& center, double reach)
{
    if (obstacle.shape.type == ShapeType::plane)
        // Half-space: only the height above the plane counts, with no bound below.
        return dot(obstacle.shape.rotation.column(2), center - obstacle.shape.position) > reach;
    // The particle's box against that of the shape.
    return !overlaps(obstacle.bounds, inflate({center, center}, reach));
}

void Obstacles::push(const Candidate& sphere, const PlacedObstacle& obstacle, const Vec3& normal, const Vec3& point)
{
    // Rigid motion of the obstacle at the contact point: v + omega x r.
    Vec3 velocity = obstacle.velocity + cross(obstacle.angular_velocity, point - obstacle.center);
    if (surfaces_.any())
    {
        const ObstaclePair& pair = set_.obstacle_pairs[at(sphere.pair)];
        velocity += surfaces_.find_drift(ShapeId{pair.shape}, ShapeId{pair.obstacle}, point, normal).linear;
    }
    contacts_.push_back({sphere.particle, sphere.pair, normal, point, velocity});
}

void Obstacles::add(const Candidate& sphere, const PlacedObstacle& obstacle)
{
    const auto& [pair, particle, position, radius, margin] = sphere;
    // A plane has no bounds, and its distance is one product.
    if (obstacle.shape.type == ShapeType::plane)
    {
        const Vec3 normal = obstacle.shape.rotation.column(2);
        const double height = dot(normal, position - obstacle.shape.position);
        if (height - radius < margin) push(sphere, obstacle, normal, position - height * normal);
        return;
    }
    if (!overlaps(obstacle.bounds, inflate({position, position}, radius + margin))) return;
    if (obstacle.triangles != nullptr) return add_triangle(sphere, obstacle);
    // The sphere as a shape of its own: the distance of every pair of types is known to geometry.
    const PlacedShape ball{ShapeType::sphere, position, {{1, 0, 0, 0, 1, 0, 0, 0, 1}}, {radius, 0, 0}, nullptr};
    const ShapeDistance found = find_distance(obstacle.shape, ball, margin);
    // The normal of the distance points from the shape to the ball.
    if (found.distance < margin) push(sphere, obstacle, found.normal, found.on_first);
}

/// The nearest triangle counts. Of a solid, a particle whose centre is behind it by less than its radius is pushed out.
void Obstacles::add_triangle(const Candidate& sphere, const PlacedObstacle& obstacle)
{
    const Mat3& rotation = obstacle.shape.rotation;
    // In the frame of the triangles, so that the tree is built once and never moved.
    const Vec3 local = transpose_times(rotation, sphere.position - obstacle.shape.position);
    const double reach = sphere.radius + sphere.margin;
    double best = reach;
    Vec3 normal, point;
    const auto try_triangle = [&](int item)
    {
        const auto& t = obstacle.triangles->corners[at(item)];
        const Vec3 nearest = find_nearest_on_triangle(t, local), away = local - nearest;
        const double distance = norm(away);
        if (distance >= best) return;
        // On which side of the face the centre lies: the sign of the product with the face's (unscaled) normal.
        const Vec3 face = cross(t[1] - t[0], t[2] - t[0]);
        const double side = dot(face, away);
        best = distance;
        point = nearest;
        // Away from the nearest point; where that is no direction, or would push inwards, along the face's normal.
        if (distance > 1e-12 * sphere.radius && (side >= 0 || !obstacle.triangles->solid))
            normal = (1 / distance) * away;
        else
            normal = (1 / norm(face)) * face;
    };
    obstacle.triangles->tree.query(inflate({local, local}, best), try_triangle);
    // Back from the frame of the triangles.
    if (best < reach) push(sphere, obstacle, rotation * normal, obstacle.shape.position + rotation * point);
}

void Obstacles::sort()
{
    const auto before = [](const ShapeContact& a, const ShapeContact& b)
    { return a.particle != b.particle ? a.particle < b.particle : a.pair < b.pair; };
    // Pairs are sorted by particle already unless one shape's particles meet several obstacles.
    if (!std::is_sorted(contacts_.begin(), contacts_.end(), before))
        std::sort(contacts_.begin(), contacts_.end(), before);
}

}  // namespace rattleback::particles
