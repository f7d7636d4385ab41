// Packs the bodies of a model, weighs the spheres, and pairs them with the shapes that they may touch.
#include "solvers/particles/particle_set.h"

#include "base/index.h"
#include "collide/filter.h"
#include "geometry/distance.h"
#include "solvers/particles/neighbours.h"

#include <unistd.h>

#include <algorithm>
#include <cmath>

namespace rattleback::particles
{

namespace
{

// Scratch, memory and packing of one particle, in double.
constexpr double kBytesPerParticle = 220;

/// Memory that particles may take [byte]: most of what this machine has.
double find_memory()
{
    return 0.9 * static_cast<double>(sysconf(_SC_PHYS_PAGES)) * static_cast<double>(sysconf(_SC_PAGESIZE));
}

std::string gigabytes(double bytes) { return std::to_string(static_cast<std::int64_t>(bytes * 1e-9) + 1) + " GB"; }

Error make_error(ErrorCode code, const std::string& where, std::string message, std::string hint)
{
    return {.code = code, .where = where, .message = std::move(message), .hint = std::move(hint)};
}

std::string body_name(const Model& model, int body) { return "body '" + model.bodies.name[at(body)] + "'"; }

/// Pose of a body in the frame of the root that it is fixed on.
Pose pose_in_root(const Model& model, int body, int root)
{
    Pose pose;
    for (int b = body; b != root; b = model.bodies.parent[at(b)]) pose = model.bodies.pose[at(b)] * pose;
    return pose;
}

/// The spheres of a root's bodies, with the shape of each.
struct Bunch
{
    std::vector<PackedSphere> spheres;
    std::vector<int> shape;
};

class SetBuilder
{
public:
    SetBuilder(const Model& model, const Options& options) : model_(model), options_(options) {}

    Result<ParticleSet> build()
    {
        set_.group_of_body.assign(at(model_.body_count()), -1);
        for (const MaterialOptions& a : model_.materials)
        {
            for (const MaterialOptions& b : model_.materials)
            {
                const MaterialOptions surface = combine(a, b);
                set_.friction.push_back(surface.dimension >= 3 ? surface.friction : 0);
            }
        }
        for (int b = 1; b < model_.body_count(); ++b)
        {
            if (model_.bodies.v_count[at(b)] > 0) add_group(b);
        }
        if (!errors_.empty()) return errors_;
        pair_with_obstacles();
        check_overlaps();
        if (!errors_.empty()) return errors_;
        return std::move(set_);
    }

private:
    void add_group(int root)
    {
        const Bodies& bodies = model_.bodies;
        const int joint = bodies.joints_of_body[at(bodies.joint_begin[at(root)])];
        Group group{.body = root, .q_begin = model_.joints.q_begin[at(joint)], .v_begin = bodies.v_begin[at(root)]};
        double lifted = 0;
        Bunch bunch;
        const std::size_t errors_before = errors_.size();
        for (int b = root; b < model_.body_count(); ++b)
        {
            if (b != root && (bodies.v_count[at(b)] > 0 || bodies.weld[at(b)] != root)) continue;
            set_.group_of_body[at(b)] = static_cast<int>(set_.groups.size());
            add_solid(group, b, root);
            lifted += bodies.mass[at(b)] * bodies.gravity_compensation[at(b)];
            add_shapes(b, root, bunch);
        }
        if (errors_.size() > errors_before) return;
        group.weight_scale = 1 - lifted / group.solid.mass;
        if (bunch.spheres.empty()) add_axes(group, bunch);
        weigh(group, bunch);
        if (errors_.size() > errors_before) return;
        store(group, bunch);
    }

    void add_solid(Group& group, int body, int root) const
    {
        const Bodies& bodies = model_.bodies;
        const Vec3& moments = bodies.inertia[at(body)];
        MassProperties part{bodies.mass[at(body)], {}, {}};
        for (int k = 0; k < 3; ++k) part.inertia(k, k) = moments[k];
        part = transformed(part, pose_in_root(model_, body, root) * bodies.inertial_pose[at(body)]);
        group.solid = body == root ? part : combined(group.solid, part);
    }

    void add_shapes(int body, int root, Bunch& bunch)
    {
        const Bodies& bodies = model_.bodies;
        const Shapes& shapes = model_.shapes;
        for (int k = bodies.shape_begin[at(body)]; k < bodies.shape_begin[at(body) + 1]; ++k)
        {
            const int s = bodies.shapes_of_body[at(k)];
            if (shapes.category[at(s)] == 0 && shapes.mask[at(s)] == 0 && bodies.shape_begin[at(body) + 1] > k + 1)
                continue;  // for show, and not the only one
            add_shape(s, pose_in_root(model_, body, root) * shapes.pose[at(s)], bunch);
        }
    }

    void add_shape(int s, const Pose& pose, Bunch& bunch)
    {
        const Shapes& shapes = model_.shapes;
        const int asset = shapes.asset[at(s)];
        PackedShape shape{.type = shapes.type[at(s)], .size = shapes.size[at(s)]};
        if (asset >= 0 && shape.type != ShapeType::height_field)
        {
            shape.mesh = &model_.meshes[at(asset)];
            shape.hull = &model_.hulls[at(asset)];
        }
        const bool by_radius = options_.radius > 0 && shape.type != ShapeType::box;
        const double fitting = find_memory() / kBytesPerParticle;
        const bool scarce = fitting < options_.max_spheres;
        const std::int64_t most = scarce ? static_cast<std::int64_t>(fitting) : options_.max_spheres;
        Result<std::vector<PackedSphere>> packed =
            pack_shape(shape, {.across = options_.across, .radius = by_radius ? options_.radius : 0.0, .most = most});
        if (!packed.ok())
        {
            for (Error error : packed.errors())
            {
                error.where = "shape '" + shapes.name[at(s)] + "'";
                if (error.code == ErrorCode::limit && scarce)
                    error.message += ", which is what fits into " + gigabytes(find_memory()) + " of memory";
                errors_.push_back(std::move(error));
            }
            return;
        }
        // of several shapes each gets its share of the mass by volume and density
        double volume = 0;
        for (const PackedSphere& sphere : packed.value()) volume += sphere.radius * sphere.radius * sphere.radius;
        const double mass = shapes.mass[at(s)] >= 0 ? shapes.mass[at(s)] : shapes.density[at(s)] * volume * 8;
        for (PackedSphere sphere : packed.value())
        {
            sphere.center = pose.position + rotate(pose.rotation, sphere.center);
            sphere.mass = mass > 0 ? mass * sphere.radius * sphere.radius * sphere.radius / volume : 1e-12;
            bunch.spheres.push_back(sphere);
            bunch.shape.push_back(s);
        }
    }

    /// A body without shapes: six points on its principal axes that have its inertia and touch nothing.
    static void add_axes(const Group& group, Bunch& bunch)
    {
        const PrincipalAxes axes = find_principal_axes(group.solid.inertia);
        const double half_trace = 0.5 * (axes.moments.x + axes.moments.y + axes.moments.z);
        for (int k = 0; k < 3; ++k)
        {
            const double spread = std::sqrt(std::max(0.0, 3 * (half_trace - axes.moments[k]) / group.solid.mass));
            for (const double sign : {-1.0, 1.0})
            {
                Vec3 arm;
                arm[k] = sign * spread;
                bunch.spheres.push_back({group.solid.center + rotate(axes.rotation, arm), 0, group.solid.mass / 6});
                bunch.shape.push_back(-1);
            }
        }
    }

    void weigh(Group& group, Bunch& bunch)
    {
        double sum = 0;
        for (const PackedSphere& s : bunch.spheres) sum += s.mass;
        for (PackedSphere& s : bunch.spheres) s.mass *= group.solid.mass / sum;
        if (options_.exact_weights && !options_.refined)
        {
            const Status weighed = weigh_exactly(group.solid, bunch.spheres);
            if (!weighed.ok())
            {
                Error error = weighed.errors().front();
                error.where = body_name(model_, group.body);
                errors_.push_back(std::move(error));
                return;
            }
        }
        group.points = point_mass_properties(bunch.spheres);
        const PrincipalAxes axes = find_principal_axes(group.points.inertia);
        if (!options_.refined && axes.moments.z <= 1e-9 * axes.moments.x + 1e-300)
        {
            errors_.push_back(make_error(ErrorCode::invalid_value, body_name(model_, group.body),
                                         "its " + std::to_string(bunch.spheres.size()) +
                                             " sphere(s) lie on a line, so that they have no inertia about it",
                                         "use more spheres (across, radius), or refined = true, which takes the body's "
                                         "own inertia"));
        }
    }

    void store(Group& group, const Bunch& bunch)
    {
        group.begin = set_.count();
        group.end = group.begin + static_cast<int>(bunch.spheres.size());
        const double total = static_cast<double>(group.begin) + static_cast<double>(bunch.spheres.size());
        if (total > options_.max_spheres || total * kBytesPerParticle > find_memory())
        {
            errors_.push_back(
                make_error(ErrorCode::limit, body_name(model_, group.body),
                           "with it there are " + std::to_string(static_cast<std::int64_t>(total)) +
                               " spheres, which need " + gigabytes(total * kBytesPerParticle),
                           "use fewer or larger spheres (across, radius), or raise max_spheres if memory allows"));
            return;
        }
        group.padded_end = (group.end + kLaneMultiple - 1) / kLaneMultiple * kLaneMultiple;
        for (PackedSphere sphere : bunch.spheres)
        {
            sphere.center -= group.points.center;
            group.reach = std::max(group.reach, norm(sphere.center) + sphere.radius);
            set_.spheres.push_back(sphere);
        }
        set_.spheres.resize(at(group.padded_end));
        set_.shape.insert(set_.shape.end(), bunch.shape.begin(), bunch.shape.end());
        set_.shape.resize(at(group.padded_end), -1);
        set_.groups.push_back(group);
    }

    void pair_with_obstacles()
    {
        for (int g = 0; g < static_cast<int>(set_.groups.size()); ++g)
        {
            const Group& group = set_.groups[at(g)];
            for (int begin = group.begin; begin < group.end;)
            {
                int end = begin;
                while (end < group.end && set_.shape[at(end)] == set_.shape[at(begin)]) ++end;
                if (set_.shape[at(begin)] >= 0) pair_stretch({.group = g, .begin = begin, .end = end});
                begin = end;
            }
        }
        std::sort(set_.obstacles.begin(), set_.obstacles.end());
        set_.obstacles.erase(std::unique(set_.obstacles.begin(), set_.obstacles.end()), set_.obstacles.end());
    }

    void pair_stretch(Pairing pairing)
    {
        const Shapes& shapes = model_.shapes;
        pairing.shape = set_.shape[at(pairing.begin)];
        for (int s = 0; s < model_.shape_count(); ++s)
        {
            if (set_.group_of_body[at(shapes.body[at(s)])] >= 0 ||
                !may_collide(model_, ShapeId{pairing.shape}, ShapeId{s}))
                continue;
            const ShapeType type = shapes.type[at(s)];
            const bool known = has_distance(ShapeType::sphere, type) &&
                               (type != ShapeType::mesh || shapes.mesh_collide[at(s)] == MeshCollide::hull);
            const bool triangles =
                type == ShapeType::mesh || type == ShapeType::surface || type == ShapeType::height_field;
            if (!known && !triangles)
            {
                errors_.push_back(make_error(ErrorCode::unsupported, "shape '" + shapes.name[at(s)] + "'",
                                             std::string("particles cannot touch ") + to_string(type),
                                             "use a solid, a surface or a height field"));
                continue;
            }
            pairing.obstacle = s;
            pairing.friction = find_friction(model_, set_, pairing.shape, s);
            set_.pairings.push_back(pairing);
            set_.obstacles.push_back(s);
        }
    }

    /// Bodies whose spheres begin inside each other would be shot apart.
    void check_overlaps();

    const Model& model_;
    const Options& options_;
    ParticleSet set_;
    std::vector<Error> errors_;
};

void SetBuilder::check_overlaps()
{
    if (set_.groups.size() < 2) return;
    const State state(model_);
    const auto center = [&](int g)
    {
        const Group& group = set_.groups[at(g)];
        const Pose& pose = state.body_pose[at(group.body)];
        return pose.position + rotate(pose.rotation, group.points.center);
    };
    const auto group_of = [&](int i)
    {
        const auto after = std::upper_bound(set_.groups.begin(), set_.groups.end(), i,
                                            [](int particle, const Group& g) { return particle < g.begin; });
        return static_cast<int>(after - set_.groups.begin()) - 1;
    };
    const auto position = [&](int i)
    {
        const int g = group_of(i);
        return center(g) + rotate(state.body_pose[at(set_.groups[at(g)].body)].rotation, set_.spheres[at(i)].center);
    };
    Neighbours neighbours(model_, set_);
    neighbours.find(center, position, [](int) { return 0.0; });
    for (std::size_t k = 0; k < neighbours.particles().size(); ++k)
    {
        const int i = neighbours.particles()[k];
        for (const int j : neighbours.of(k))
        {
            const double radius = set_.spheres[at(i)].radius, other = set_.spheres[at(j)].radius;
            const double deep = radius + other - norm(position(i) - position(j));
            if (deep < std::min(radius, other)) continue;
            errors_.push_back(
                make_error(ErrorCode::invalid_value,
                           body_name(model_, set_.groups[at(group_of(i))].body) + " and " +
                               body_name(model_, set_.groups[at(group_of(j))].body),
                           "their spheres begin inside each other, by " + std::to_string(1000 * deep) + " mm",
                           "move the bodies apart, use smaller spheres, or exclude the pair"));
            return;
        }
    }
}

}  // namespace

double find_friction(const Model& model, const ParticleSet& set, int first_shape, int second_shape)
{
    const auto count = static_cast<int>(model.materials.size());
    const int pair = model.pairs.empty() ? -1 : find_explicit_pair(model, first_shape, second_shape);
    const int own = pair >= 0 ? model.pairs[at(pair)].material : -1;
    const int first = own >= 0 ? own : model.shapes.material[at(first_shape)];
    const int second = own >= 0 ? own : model.shapes.material[at(second_shape)];
    return set.friction[at(first) * at(count) + at(second)];
}

Result<ParticleSet> build_particle_set(const Model& model, const Options& options)
{
    return SetBuilder(model, options).build();
}

}  // namespace rattleback::particles
