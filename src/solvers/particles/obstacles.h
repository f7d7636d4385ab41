// Contacts of particles with shapes that no force moves: fixed ones, kinematic ones.
#pragma once

#include "dynamics/integrate.h"
#include "dynamics/tree.h"
#include "geometry/bounds.h"
#include "geometry/placed_shape.h"
#include "geometry/tree.h"
#include "solvers/particles/particle_set.h"

namespace rattleback::particles
{

/// A particle near a surface that is taken as flat for the length of a step.
struct ShapeContact
{
    int particle = -1;
    int pairing = -1;
    Vec3 normal;    ///< away from the surface
    Vec3 point;     ///< on the surface [m]
    Vec3 velocity;  ///< of the surface there [m/s]
};

/// The shapes that particles may touch, and where kinematic ones go in a step.
class Obstacles
{
public:
    Obstacles(const Model& model, const ParticleSet& set);

    /// Finds where kinematic bodies are at the end of the step, and places all shapes there.
    void place(const StepInput& input, const WorldView& world);
    /// Writes poses and velocities of kinematic bodies.
    void commit(WorldView world) const;

    /// Contacts of the particles of all groups, sorted by particle. `center(group)` gives the centre of its
    /// particles, `position(particle)` where one is, `reach(group)` how far beyond its surface to look [m].
    template <class Center, class Position, class Reach>
    const std::vector<ShapeContact>& find(Center center, Position position, Reach reach)
    {
        contacts_.clear();
        for (int p = 0; p < static_cast<int>(set_.pairings.size()); ++p)
        {
            const Pairing& pairing = set_.pairings[static_cast<std::size_t>(p)];
            const Group& group = set_.groups[static_cast<std::size_t>(pairing.group)];
            const double margin = reach(pairing.group);
            const Placed& placed = placed_[static_cast<std::size_t>(pairing.obstacle)];
            if (is_far(placed, center(pairing.group), group.reach + margin)) continue;
            for (int i = pairing.begin; i < pairing.end; ++i)
            {
                const double radius = set_.spheres[static_cast<std::size_t>(i)].radius;
                add(p, placed, i, position(i), radius, margin);
            }
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
    struct Placed
    {
        PlacedShape shape;
        Aabb bounds;
        const Triangles* triangles = nullptr;
        Vec3 center, velocity, spin;  ///< of its body
    };

    static bool is_far(const Placed& placed, const Vec3& center, double reach);
    void add(int pairing, const Placed& placed, int particle, const Vec3& position, double radius, double margin);
    void add_triangle(int pairing, const Placed& placed, int particle, const Vec3& position, double radius,
                      double margin);
    void push(int pairing, const Placed& placed, int particle, const Vec3& normal, const Vec3& point);
    void sort();

    const Model& model_;
    const ParticleSet& set_;
    std::vector<int> kinematic_;            ///< bodies
    std::vector<KinematicMotion> motions_;  ///< [kinematic_]
    std::vector<Triangles> triangles_;      ///< [shape], empty where not needed
    std::vector<Placed> placed_;            ///< [shape]
    std::vector<ShapeContact> contacts_;
};

}  // namespace rattleback::particles
