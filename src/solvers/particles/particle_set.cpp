// Collects the packed groups of a model, and pairs their spheres with the shapes that they may touch.
#include "solvers/particles/particle_set.h"

#include "base/index.h"
#include "collide/filter.h"
#include "geometry/distance.h"
#include "solvers/particles/neighbours.h"
#include "solvers/particles/packed_group.h"
#include "solvers/shared/world_friction.h"

#include <algorithm>

namespace rattleback::particles
{

namespace
{

/// Whether the distance of spheres to a shape is known, as a solid or as triangles.
bool is_touchable(const Shapes& shapes, int s)
{
    const ShapeType type = shapes.type[at(s)];
    // Solids by closed forms or hulls, everything else by its triangles.
    const bool solid = has_distance(ShapeType::sphere, type) &&
                       (type != ShapeType::mesh || shapes.mesh_collide[at(s)] == MeshCollide::hull);
    return solid || type == ShapeType::mesh || type == ShapeType::surface || type == ShapeType::height_field;
}

class SetBuilder
{
public:
    /// `packed`: the spheres of each rigid group's shapes; empty: they are packed.
    SetBuilder(const Model& model, const ParticleOptions& options, std::span<const PackedGroup> packed)
        : model_(model), options_(options), packed_(packed)
    {
    }

    Result<ParticleSet> build()
    {
        // Friction of all pairs of materials.
        for (const MaterialOptions& a : model_.materials)
        {
            for (const MaterialOptions& b : model_.materials)
            {
                // As MuJoCo's contacts of condim 1: no friction whatever the coefficient.
                // Friction of a pair is that of the combined material; a contact of dimension one has none.
                const MaterialOptions surface = combine(a, b);
                set_.friction.push_back(surface.dimension >= 3 ? surface.friction : 0);
            }
        }
        // Rigid groups that can move: their roots have free joints.
        // -1: not of particles, until its group is packed.
        set_.group_of_body.assign(at(model_.body_count()), -1);
        set_.arms.assign(at(model_.body_count()), {});
        // Bodies that are fixed to each other are one group: shape matching sees them as one shape.
        set_.rigid = find_rigid_groups(model_);
        for (int g = 0; g < set_.rigid.count(); ++g)
        {
            if (model_.bodies.v_count[at(set_.rigid.root[at(g)])] > 0) add_group(g);
        }
        if (!errors_.empty()) return errors_;
        pair_with_obstacles();
        if (packed_.empty()) check_overlaps();
        if (!errors_.empty()) return errors_;
        return std::move(set_);
    }

private:
    void add_group(int rigid)
    {
        const PackedGroup* shapes = packed_.empty() ? nullptr : &packed_[at(rigid)];
        // All groups are packed, and all errors reported at once.
        Result<PackedGroup> packed = pack_group(model_, options_, set_.rigid, rigid, shapes);
        errors_.insert(errors_.end(), packed.errors().begin(), packed.errors().end());
        if (!packed.ok()) return;
        const auto bodies = set_.rigid.bodies_of(rigid);
        for (const int b : bodies)
        {
            set_.group_of_body[at(b)] = static_cast<int>(set_.groups.size());
            // Exactly zero for a body alone: its force has no arm, whatever rounding says.
            const Pose inertial = set_.rigid.in_group[at(b)] * model_.bodies.inertial_pose[at(b)];
            if (bodies.size() > 1) set_.arms[at(b)] = inertial.position - packed->group.solid.center;
        }

        RigidGroup& group = packed->group;
        group.begin = set_.count();
        group.end = group.begin + static_cast<int>(packed->spheres.size());
        // Counted in double: the product with the bytes of a particle would overflow int long before memory ends.
        const double total = static_cast<double>(group.begin) + static_cast<double>(packed->spheres.size());
        // Before anything is allocated for a step.
        if (total > options_.max_spheres || total * kBytesPerParticle > find_particle_memory())
        {
            errors_.push_back(
                {.code = ErrorCode::limit,
                 .where = name_body(group),
                 .message =
                     "with it there are " + std::to_string(static_cast<std::int64_t>(total)) + " spheres, which need " +
                     to_gigabytes(total * kBytesPerParticle) +
                     (total > options_.max_spheres ? "; max_spheres allows " + std::to_string(options_.max_spheres)
                                                   : "; that is more than this machine has"),
                 .hint =
                     "use fewer or larger spheres (across, radius; thin bodies take many), another solver, or raise "
                     "max_spheres if time and memory allow"});
            return;
        }
        // Particles of mass zero fill the last lanes of a group, so that no loop has a rest.
        group.padded_end = (group.end + kMaxLanes - 1) / kMaxLanes * kMaxLanes;
        for (PackedSphere sphere : packed->spheres)
        {
            // From the centre of the points, so that the sum of m r is zero: shape matching relies on it.
            sphere.center -= group.points.center;
            group.reach = std::max(group.reach, norm(sphere.center) + sphere.radius);
            set_.spheres.push_back(sphere);
        }
        // Lanes behind the last particle hold mass zero and shape -1.
        set_.spheres.resize(at(group.padded_end));
        set_.shape.insert(set_.shape.end(), packed->shape.begin(), packed->shape.end());
        set_.shape.resize(at(group.padded_end), -1);
        set_.groups.push_back(group);
    }

    std::string name_body(const RigidGroup& group) const { return "body '" + model_.bodies.name[at(group.body)] + "'"; }

    void pair_with_obstacles()
    {
        for (int g = 0; g < static_cast<int>(set_.groups.size()); ++g)
        {
            // Particles of one shape stand together.
            const RigidGroup& group = set_.groups[at(g)];
            for (int begin = group.begin; begin < group.end;)
            {
                int end = begin;
                // A range of particles with one shape has one friction and one list of obstacles.
                while (end < group.end && set_.shape[at(end)] == set_.shape[at(begin)]) ++end;
                if (set_.shape[at(begin)] >= 0) pair_particles({.group = g, .begin = begin, .end = end});
                begin = end;
            }
        }
        // Each obstacle once, in their order.
        std::sort(set_.obstacles.begin(), set_.obstacles.end());
        set_.obstacles.erase(std::unique(set_.obstacles.begin(), set_.obstacles.end()), set_.obstacles.end());
    }

    void pair_particles(ObstaclePair pair)
    {
        // Every shape that does not move with particles is an obstacle, if masks and exclusions let the two touch.
        const Shapes& shapes = model_.shapes;
        pair.shape = set_.shape[at(pair.begin)];
        for (int s = 0; s < model_.shape_count(); ++s)
        {
            // Shapes of other particle bodies are met sphere against sphere.
            if (set_.group_of_body[at(shapes.body[at(s)])] >= 0 ||
                !may_collide(model_, ShapeId{pair.shape}, ShapeId{s}))
                continue;
            if (!is_touchable(shapes, s))
            {
                errors_.push_back({.code = ErrorCode::unsupported,
                                   .where = "shape '" + shapes.name[at(s)] + "'",
                                   .message = std::string("particles cannot touch ") + to_string(shapes.type[at(s)]),
                                   .hint = "use a solid, a surface or a height field"});
                continue;
            }
            pair.obstacle = s;
            // Constant for the run unless a world has its own.
            pair.friction = find_friction(model_, set_, pair.shape, s);
            set_.obstacle_pairs.push_back(pair);
            set_.obstacles.push_back(s);
        }
    }

    void check_overlaps();

    const Model& model_;
    const ParticleOptions& options_;
    std::span<const PackedGroup> packed_;
    ParticleSet set_;
    std::vector<Error> errors_;
};

/// Bodies whose spheres begin inside each other would be shot apart.
void SetBuilder::check_overlaps()
{
    if (set_.groups.size() < 2) return;

    // Particles where the model begins.
    // At the initial state, with the spheres where shape matching would put them.
    const State state(model_);
    std::vector<SearchRegion> regions;
    for (const RigidGroup& group : set_.groups)
    {
        const Pose& pose = state.body_pose[at(group.body)];
        regions.push_back({pose.position + rotate(pose.rotation, group.points.center), 0});
    }
    const auto group_of = [&](int i)
    {
        // Particles are numbered group by group: the group of one is found by bisection.
        const auto after = std::upper_bound(set_.groups.begin(), set_.groups.end(), i,
                                            [](int particle, const RigidGroup& g) { return particle < g.begin; });
        return static_cast<int>(after - set_.groups.begin()) - 1;
    };
    const auto position = [&](int i)
    {
        const int g = group_of(i);
        const Quat& rotation = state.body_pose[at(set_.groups[at(g)].body)].rotation;
        return regions[at(g)].center + rotate(rotation, set_.spheres[at(i)].center);
    };

    // The first pair where one sphere reaches the centre of the other.
    Neighbours neighbours(model_, set_);
    neighbours.find(regions, position);
    for (std::size_t k = 0; k < neighbours.particles().size(); ++k)
    {
        const int i = neighbours.particles()[k];
        for (const int j : neighbours.of(k))
        {
            const double radius = set_.spheres[at(i)].radius, other = set_.spheres[at(j)].radius;
            // How far the two spheres reach into each other.
            const double deep = radius + other - norm(position(i) - position(j));
            // Shallower overlaps are resolved by the iterations; from here on the direction out is ambiguous.
            if (deep < std::min(radius, other)) continue;
            errors_.push_back(
                {.code = ErrorCode::invalid_value,
                 .where = name_body(set_.groups[at(group_of(i))]) + " and " + name_body(set_.groups[at(group_of(j))]),
                 .message = "their spheres begin inside each other, by " + std::to_string(1000 * deep) + " mm",
                 .hint = "move the bodies apart, use smaller spheres, or exclude the pair"});
            return;
        }
    }
}

}  // namespace

double find_friction(const Model& model, const ParticleSet& set, int first_shape, int second_shape)
{
    // An explicit pair of shapes may bring a material of its own.
    // Materials are combined for all pairs at once above, and looked up here as a square table.
    const auto count = static_cast<int>(model.materials.size());
    const int pair = model.pairs.empty() ? -1 : find_explicit_pair(model, first_shape, second_shape);
    const int own = pair >= 0 ? model.pairs[at(pair)].material : -1;
    // A world's own friction is combined by the same rule as the Model's.
    if (own < 0 && !set.own_friction.empty())
    {
        const SlidingFriction sliding = combine_friction(model, set.own_friction, first_shape, second_shape);
        return sliding.dimension >= 3 ? sliding.coefficient : 0;
    }
    const int first = own >= 0 ? own : model.shapes.material[at(first_shape)];
    const int second = own >= 0 ? own : model.shapes.material[at(second_shape)];
    return set.friction[at(first) * at(count) + at(second)];
}

Result<ParticleSet> build_particle_set(const Model& model, const ParticleOptions& options)
{
    return SetBuilder(model, options, {}).build();
}

Result<ParticleSet> weigh_particle_set(const Model& model, const ParticleOptions& options,
                                       std::span<const PackedGroup> packed)
{
    return SetBuilder(model, options, packed).build();
}

}  // namespace rattleback::particles
