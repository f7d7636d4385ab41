// Contacts of particles with shapes that no force moves: fixed ones, kinematic ones.
#pragma once

#include "base/index.h"
#include "geometry/bounds.h"
#include "geometry/placed_shape.h"
#include "geometry/tree.h"
#include "solvers/particles/particle_set.h"
#include "solvers/shared/kinematic_bodies.h"
#include "solvers/shared/running_surfaces.h"

#include <algorithm>
#include <span>

namespace rattleback::particles
{

/// A particle near a surface that is taken as flat for the length of a step.
struct ShapeContact
{
    int particle = -1;
    int pair = -1;  ///< in ParticleSet::obstacle_pairs
    Vec3 normal;    ///< away from the surface
    Vec3 point;     ///< on the surface [m]
    Vec3 velocity;  ///< of the surface there [m/s], running surfaces (the particle's own taken off) included
};

/// The shapes that particles may touch, and where kinematic ones go in a step.
class Obstacles
{
public:
    Obstacles(const Model& model, const ParticleSet& set);

    /// Finds where kinematic bodies are at the end of the step, and places all shapes there. `ahead` [s]: see
    /// RunningSurfaces::place.
    void place(const StepInput& input, const WorldView& world, double ahead);
    /// Writes poses and velocities of kinematic bodies.
    void commit(WorldView world) const;
    /// Of all shapes, those of particles included, as place() found them.
    const RunningSurfaces& surfaces() const { return surfaces_; }
    const ContactFilter& filter() const { return filter_; }

    /// Contacts of the particles of all groups within their regions, sorted by particle. `position(particle)` says
    /// where one is.
    template <class Position>
    const std::vector<ShapeContact>& find(std::span<const SearchRegion> regions, Position position)
    {
        contacts_.clear();
        for (int p = 0; p < static_cast<int>(set_.obstacle_pairs.size()); ++p)
        {
            // The group as a ball against the shape first; then sphere by sphere.
            const ObstaclePair& pair = set_.obstacle_pairs[at(p)];
            const SearchRegion& region = regions[at(pair.group)];
            const PlacedObstacle& obstacle = placed_[at(pair.obstacle)];
            if (is_far(obstacle, region.center, set_.groups[at(pair.group)].reach + region.margin)) continue;
            if (filter_ &&
                !filter_(ShapeId{std::min(pair.shape, pair.obstacle)}, ShapeId{std::max(pair.shape, pair.obstacle)}))
                continue;
            for (int i = pair.begin; i < pair.end; ++i)
                // A candidate within the margin becomes a plane for the step; whether it overlaps is asked per
                // iteration.
                add({p, i, position(i), set_.spheres[at(i)].radius, region.margin}, obstacle);
        }
        sort();
        return contacts_;
    }

private:
    /// A mesh, surface or height field as triangles in its own frame.
    struct Triangles
    {
        std::vector<std::array<Vec3, 3>> corners;
        BoxTree tree;
        bool solid = false;  ///< what lies behind a triangle is inside
    };
    struct PlacedObstacle
    {
        PlacedShape shape;
        Aabb bounds;
        const Triangles* triangles = nullptr;
        int kinematic = -1;                       ///< that carries it, in RigidGroups::kinematic_bodies; -1: fixed
        Vec3 center, velocity, angular_velocity;  ///< of its body
    };

    /// A sphere that may touch an obstacle.
    struct Candidate
    {
        int pair, particle;
        Vec3 position;
        double radius, margin;
    };

    Pose find_pose(int body, const WorldView& world) const;
    static bool is_far(const PlacedObstacle& obstacle, const Vec3& center, double reach);
    void add(const Candidate& sphere, const PlacedObstacle& obstacle);
    void add_triangle(const Candidate& sphere, const PlacedObstacle& obstacle);
    void push(const Candidate& sphere, const PlacedObstacle& obstacle, const Vec3& normal, const Vec3& point);
    void sort();

    const Model& model_;
    const ParticleSet& set_;
    std::vector<KinematicMotion> motions_;  ///< of ParticleSet::rigid.kinematic_bodies
    std::vector<Triangles> triangles_;      ///< [shape], empty where not needed
    std::vector<PlacedObstacle> placed_;    ///< [shape]
    RunningSurfaces surfaces_;
    ContactFilter filter_;
    std::vector<ShapeContact> contacts_;
};

}  // namespace rattleback::particles
