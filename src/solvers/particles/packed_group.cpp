// Packs the shapes of a rigid group with spheres, and weighs them.
#include "solvers/particles/packed_group.h"

#include "base/index.h"
#include "math/random.h"

#include <unistd.h>

#include <algorithm>
#include <cmath>

namespace rattleback::particles
{

namespace
{

// Bodies that are fixed to each other are one set of spheres with one inertia. For `pbd` and `pbdr` the points are the
// body, and their inertia is what they happen to have unless weights are made exact.

/// Mass, centre and inertia of one body in the frame of the root.
MassProperties find_mass_in_root(const Model& model, const Pose& pose_in_root, int body)
{
    const Bodies& bodies = model.bodies;
    MassProperties mass{bodies.mass[at(body)], {}, {}};
    // Principal moments, in axes of their own.
    for (int k = 0; k < 3; ++k) mass.inertia(k, k) = bodies.inertia[at(body)][k];
    // Principal moments about the inertial frame, carried into the frame of the root.
    return transformed(mass, pose_in_root * bodies.inertial_pose[at(body)]);
}

class GroupPacker
{
public:
    GroupPacker(const Model& model, const ParticleOptions& options, const RigidGroups& rigid)
        : model_(model), options_(options), rigid_(rigid)
    {
    }

    /// The spheres of all shapes of a group.
    PackedGroup pack_shapes(int index)
    {
        for (const Filling filling : {Filling::plain, Filling::grids, Filling::fine})
        {
            filling_ = filling;
            packed_ = {};
            errors_.clear();
            for (const int b : rigid_.bodies_of(index)) add_shapes(b);
            // `refined` moves the solid; for the others the points are all there is, and must not lie on a line.
            if (options_.method == Method::refined || packed_.spheres.empty() || has_inertia()) break;
        }
        return std::move(packed_);
    }

    Result<PackedGroup> pack(int index, const PackedGroup* shapes)
    {
        if (shapes != nullptr)
            // Spheres of the same shapes with other masses: only the weights are made anew.
            packed_ = *shapes;
        else
            packed_ = pack_shapes(index);
        const int root = rigid_.root[at(index)];
        const Bodies& bodies = model_.bodies;
        // A root that moves has one joint, and it is free: the solvers support no other (kSupports).
        const int joint = bodies.joints_of_body[at(bodies.joint_begin[at(root)])];
        RigidGroup& group = packed_.group;
        group.body = root;
        group.rigid = index;
        group.q_begin = model_.joints.q_begin[at(joint)];
        group.v_begin = bodies.v_begin[at(root)];

        // The root and what is fixed on it, directly or through others.
        double compensated = 0;
        for (const int b : rigid_.bodies_of(index))
        {
            const MassProperties mass = find_mass_in_root(model_, rigid_.in_group[at(b)], b);
            group.solid = b == root ? mass : combined(group.solid, mass);
            // A body that floats by half weighs half.
            compensated += bodies.mass[at(b)] * bodies.gravity_compensation[at(b)];
        }
        if (!errors_.empty()) return errors_;
        // Bodies of a group may float by different parts; the group's weight is their mean by mass.
        group.weight_scale = 1 - compensated / group.solid.mass;
        // A body that collides with nothing still needs points to be integrated.
        if (packed_.spheres.empty()) add_axes();
        weigh();
        if (!errors_.empty()) return errors_;
        return std::move(packed_);
    }

private:
    /// What is tried in turn until the points of a body have an inertia: shapes as they are; balls and rods as grids;
    /// at least kFewest spheres across.
    enum class Filling
    {
        plain,
        grids,
        fine,
    };
    static constexpr int kFewest = 2;  ///< across

    void add_shapes(int body)
    {
        const Bodies& bodies = model_.bodies;
        const Shapes& shapes = model_.shapes;
        for (int k = bodies.shape_begin[at(body)]; k < bodies.shape_begin[at(body) + 1]; ++k)
        {
            // A shape that collides with nothing is for show, unless it is the only one.
            const int s = bodies.shapes_of_body[at(k)];
            if (shapes.category[at(s)] == 0 && shapes.mask[at(s)] == 0 && bodies.shape_begin[at(body) + 1] > k + 1)
                // Category and mask zero: seen, never touched.
                continue;
            add_shape(s, rigid_.in_group[at(body)] * shapes.pose[at(s)]);
        }
    }

    void add_shape(int s, const Pose& pose)
    {
        const Result<std::vector<PackedSphere>> packed = pack_one(s);
        if (!packed.ok()) return;

        // Of several shapes each gets its share of the mass by volume and density, a sphere its share of that by r^3.
        double volume = 0;
        for (const PackedSphere& sphere : packed.value()) volume += sphere.radius * sphere.radius * sphere.radius;
        const Shapes& shapes = model_.shapes;
        // 8 r^3 is the cube around a sphere: what a sphere stands for on a grid of its own diameter.
        const double mass = shapes.mass[at(s)] >= 0 ? shapes.mass[at(s)] : shapes.density[at(s)] * volume * 8;
        Random random(static_cast<std::uint64_t>(options_.jitter_seed));
        for (PackedSphere sphere : packed.value())
        {
            if (options_.jitter > 0) sphere.center += random.in_box(options_.jitter * sphere.radius);
            // From the shape's frame to that of the group.
            sphere.center = pose.position + rotate(pose.rotation, sphere.center);
            sphere.mass = mass > 0 ? mass * sphere.radius * sphere.radius * sphere.radius / volume : 1e-12;
            packed_.spheres.push_back(sphere);
            packed_.shape.push_back(s);
        }
    }

    /// The spheres of a shape in its own frame; errors are noted with its name.
    Result<std::vector<PackedSphere>> pack_one(int s)
    {
        const Shapes& shapes = model_.shapes;
        const int asset = shapes.asset[at(s)];
        PackedShape shape{.type = shapes.type[at(s)], .size = shapes.size[at(s)]};
        if (asset >= 0 && shape.type != ShapeType::height_field)
        {
            // Height fields have no inside to pack.
            shape.mesh = &model_.meshes[at(asset)];
            shape.hull = &model_.hulls[at(asset)];
        }
        // Asked for more spheres than memory holds, the packing ends before it begins.
        // Boxes are always packed by `across`; a radius is for shapes that have no sides to count along.
        const bool fine = filling_ == Filling::fine;
        const bool by_radius = options_.radius > 0 && shape.type != ShapeType::box && !fine;
        const double fitting = find_particle_memory() / kBytesPerParticle;
        const bool scarce = fitting < options_.max_spheres;
        const std::int64_t most = scarce ? static_cast<std::int64_t>(fitting) : options_.max_spheres;
        // A radius, or `across` spheres along the thinnest side.
        Result<std::vector<PackedSphere>> packed = pack_shape(shape, {.across = fine ? kFewest : options_.across,
                                                                      .radius = by_radius ? options_.radius : 0.0,
                                                                      .most = most,
                                                                      .grids = filling_ != Filling::plain,
                                                                      .graded = options_.graded});
        if (packed.ok() && options_.method == Method::refined)
        {
            // Points of no size and no mass: where a face ends, which no sphere inside it reaches.
            for (const Vec3& point : find_support_points(shape)) packed.value().push_back({point, 0, 0});
        }
        for (Error error : packed.errors())
        {
            error.where = "shape '" + shapes.name[at(s)] + "'";
            if (error.code == ErrorCode::limit && scarce)
                error.message += ", which is what fits into " + to_gigabytes(find_particle_memory()) + " of memory";
            else if (error.code == ErrorCode::limit)
                error.hint += "; or raise max_spheres, if there is time: a step takes microseconds for each sphere";
            errors_.push_back(std::move(error));
        }
        return packed;
    }

    /// Whether the spheres as points can tell how the body turns about any axis.
    bool has_inertia() const
    {
        const PrincipalAxes axes = find_principal_axes(point_mass_properties(packed_.spheres).inertia);
        return axes.moments.z > 1e-9 * axes.moments.x + 1e-300;
    }

    /// A body without shapes: six points on its principal axes that have its inertia and touch nothing.
    void add_axes()
    {
        // Two points of M / 6 at +-d on axis k add M d^2 / 3 to the sum of m x_k^2, which is tr(I) / 2 - I_k.
        const MassProperties& solid = packed_.group.solid;
        const PrincipalAxes axes = find_principal_axes(solid.inertia);
        const double half_trace = 0.5 * (axes.moments.x + axes.moments.y + axes.moments.z);
        for (int k = 0; k < 3; ++k)
        {
            // d^2 = 3 (tr(I) / 2 - I_k) / M.
            const double spread = std::sqrt(std::max(0.0, 3 * (half_trace - axes.moments[k]) / solid.mass));
            for (const double sign : {-1.0, 1.0})
            {
                Vec3 arm;
                arm[k] = sign * spread;
                packed_.spheres.push_back({solid.center + rotate(axes.rotation, arm), 0, solid.mass / 6});
                // No shape: these points touch nothing.
                packed_.shape.push_back(-1);
            }
        }
    }

    void weigh()
    {
        // All together weigh what the bodies weigh.
        RigidGroup& group = packed_.group;
        const std::string where = "body '" + model_.bodies.name[at(group.body)] + "'";
        // Shares become masses that add up to the solid's.
        double sum = 0;
        for (const PackedSphere& s : packed_.spheres) sum += s.mass;
        for (PackedSphere& s : packed_.spheres) s.mass *= group.solid.mass / sum;

        // `refined` moves the solid; for the others the points are all there is.
        const bool points_only = options_.method != Method::refined;
        if ((options_.exact_weights || options_.graded) && points_only)
        {
            const Status weighed = weigh_exactly(group.solid, packed_.spheres);
            if (!weighed.ok())
            {
                Error error = weighed.errors().front();
                error.where = where;
                errors_.push_back(std::move(error));
                return;
            }
        }
        // Inertia of points, without that of the spheres themselves: it is what shape matching conserves.
        group.points = point_mass_properties(packed_.spheres);
        // Points on a line: shape matching cannot tell how they turn about it.
        if (!points_only || has_inertia()) return;
        errors_.push_back(
            {.code = ErrorCode::invalid_value,
             .where = where,
             .message = "its " + std::to_string(packed_.spheres.size()) +
                        " sphere(s) lie on a line, so that they have no inertia about it",
             .hint = "use more spheres (across, radius), or solver 'refined', which takes the body's own inertia"});
    }

    const Model& model_;
    const ParticleOptions& options_;
    const RigidGroups& rigid_;
    PackedGroup packed_;
    Filling filling_ = Filling::plain;
    std::vector<Error> errors_;
};

}  // namespace

Result<PackedGroup> pack_group(const Model& model, const ParticleOptions& options, const RigidGroups& rigid, int index,
                               const PackedGroup* shapes)
{
    return GroupPacker(model, options, rigid).pack(index, shapes);
}

std::vector<PackedGroup> pack_all_shapes(const Model& model, const ParticleOptions& options, const RigidGroups& rigid)
{
    std::vector<PackedGroup> groups(at(rigid.count()));
    for (int g = 0; g < rigid.count(); ++g)
    {
        if (model.bodies.v_count[at(rigid.root[at(g)])] > 0)
            groups[at(g)] = GroupPacker(model, options, rigid).pack_shapes(g);
    }
    return groups;
}

double find_particle_memory()
{
    // A part is left to the system and to the rest of the program.
    return 0.9 * static_cast<double>(sysconf(_SC_PHYS_PAGES)) * static_cast<double>(sysconf(_SC_PAGESIZE));
}

std::string to_gigabytes(double bytes) { return std::to_string(static_cast<std::int64_t>(bytes * 1e-9) + 1) + " GB"; }

}  // namespace rattleback::particles
