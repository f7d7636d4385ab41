// ParticleSet: the spheres of a model's bodies and what they may touch; made once, shared by all solvers of a run.
#pragma once

#include "geometry/packing/packing.h"
#include "solvers/particles/cloud.h"
#include "solvers/particles/options.h"
#include "solvers/shared/rigid_groups.h"

namespace rattleback::particles
{

inline constexpr int kBlock = 512;  ///< particles that are summed together; a multiple of all lane counts

/// One rigid body: a free root and all that is fixed on it.
struct RigidGroup
{
    int body = -1;                 ///< the root, which has the free joint
    int rigid = -1;                ///< its number in ParticleSet::rigid
    int q_begin = 0, v_begin = 0;  ///< of its free joint
    int begin = 0, end = 0;        ///< its particles
    int padded_end = 0;            ///< with particles of mass zero, to a multiple of kMaxLanes
    double weight_scale = 1;       ///< of gravity: 1 - compensation, the mean over its bodies by mass
    MassProperties points;         ///< of the particles as points, in the root's frame
    MassProperties solid;          ///< of the bodies, in the root's frame
    double reach = 0;              ///< furthest surface from points.center [m]
};

/// Particles of one shape, and a shape that no force moves and that they may touch.
struct ObstaclePair
{
    int group = -1;
    int begin = 0, end = 0;  ///< particles
    int shape = -1;          ///< theirs
    int obstacle = -1;       ///< the other shape
    double friction = 0;
};

/// Where contacts of a group are looked for in a step.
struct SearchRegion
{
    Vec3 center;        ///< of its particles [m]
    double margin = 0;  ///< beyond their surfaces [m]
};

struct ParticleSet
{
    RigidGroups rigid;  ///< all of the model's, with those that do not move
    std::vector<RigidGroup> groups;
    std::vector<int> group_of_body;            ///< [body]; -1: not of particles
    std::vector<Vec3> arms;                    ///< [body] its centre of mass from that of its group, root's axes [m]
    std::vector<PackedSphere> spheres;         ///< [particle] centre relative to RigidGroup::points.center, root's axes
    std::vector<int> shape;                    ///< [particle]; -1: padding, or a body without shapes
    std::vector<ObstaclePair> obstacle_pairs;  ///< sorted by group, begin, obstacle
    std::vector<int> obstacles;                ///< shapes in obstacle_pairs, once
    std::vector<double> friction;              ///< [material][material] sliding; 0 where the surface has none
    std::vector<double> own_friction;          ///< [shape] of a world, in place of its material's; empty: none

    int count() const { return static_cast<int>(spheres.size()); }
};

/// The packing of all dynamic bodies, or every reason why there is none.
Result<ParticleSet> build_particle_set(const Model& model, const ParticleOptions& options);

/// Sliding friction of two shapes.
double find_friction(const Model& model, const ParticleSet& set, int first_shape, int second_shape);

}  // namespace rattleback::particles
