// Adds up the masses of a body's shapes, keeping the authored axes where they are principal already.
#include "build/body_mass.h"

#include <algorithm>
#include <map>
#include <tuple>

#include "math/rotation.h"

namespace rattleback
{

namespace
{

template <class... F>
struct Overloaded : F...
{
    using F::operator()...;
};
template <class... F>
Overloaded(F...) -> Overloaded<F...>;  // clang 14 does not find it by itself

bool is_diagonal(const Mat3& m) { return m(0, 1) == 0 && m(0, 2) == 0 && m(1, 2) == 0; }

MassProperties scaled(const MassProperties& part, double factor)
{
    MassProperties result = part;
    result.mass *= factor;
    for (double& moment : result.inertia.m) moment *= factor;
    return result;
}

// Principal axes turn the body's frame; where shapes or the author gave a diagonal tensor already it is kept as it is,
// so that a model comes back from its own numbers bit for bit.

/// Masses of shapes; a mesh that many shapes share is integrated once.
class ShapeMasses
{
public:
    explicit ShapeMasses(const Authored& authored) : authored_(authored) {}

    /// In the shape's own frame.
    Result<MassProperties> compute(const AuthoredShape& shape)
    {
        const ShapeRow row = to_row(shape.shape);
        const ShapeOptions& options = shape.options;
        // Primitives by formula, for a density or scaled to a mass.
        if (!uses_mesh(row.type))
        {
            return options.mass >= 0 ? compute_mass_scaled(row.type, row.size, nullptr, row.mesh_mass, options.mass)
                                     : compute_mass(row.type, row.size, nullptr, row.mesh_mass, options.density);
        }
        const Result<MassProperties>& unit = of_mesh(row);
        if (!unit) return unit;
        const double mass = unit.value().mass;
        // A mesh is integrated at density one; mass or density is a factor.
        return scaled(unit.value(), options.mass >= 0 ? options.mass / mass : options.density);
    }

private:
    const Result<MassProperties>& of_mesh(const ShapeRow& row)
    {
        const Key key{row.type, row.asset, row.mesh_mass};
        auto found = unit_.find(key);
        if (found == unit_.end())
        {
            const MeshOptions& mesh = authored_.meshes[at(row.asset)];
            found = unit_.emplace(key, compute_mass(row.type, row.size, &mesh, row.mesh_mass, 1)).first;
        }
        return found->second;
    }

    using Key = std::tuple<ShapeType, int, MeshMass>;
    const Authored& authored_;
    std::map<Key, Result<MassProperties>> unit_;  // at density 1
};

bool contributes(const AuthoredShape& shape)
{
    // Planes and height fields have no volume; a mass below zero means that the density counts.
    const auto type = static_cast<ShapeType>(shape.shape.index());
    if (type == ShapeType::plane || type == ShapeType::height_field) return false;
    return shape.options.mass > 0 || (shape.options.mass < 0 && shape.options.density > 0);
}

/// Can a body of this kind be moved by forces? (Fixed bodies can when an ancestor can.)
std::vector<char> find_moving(const Authored& authored, const std::vector<char>& has_joints)
{
    std::vector<char> moving(authored.bodies.size(), 0);
    for (std::size_t body = 1; body < moving.size(); ++body)
    {
        const BodyOptions& options = authored.bodies[body];
        const int parent = options.parent.index;
        const bool parent_moves = parent >= 0 && at(parent) < body && moving[at(parent)];
        // A dynamic body under the world floats, with or without a joint that says so.
        const bool floats = options.kind == BodyKind::dynamic && options.parent == kWorld;
        moving[body] = parent_moves || floats || has_joints[body];
    }
    return moving;
}

BodyMass from_inertia(const Inertia& inertia)
{
    BodyMass result;
    // Principal moments as they are; with products the axes are turned first.
    const Quat rotation = make_unit(inertia.rotation);
    const Mat3 matrix = to_matrix(inertia);
    result.mass = inertia.mass;
    result.inertia = inertia.diagonal;
    result.inertial_pose = {inertia.position, rotation};
    if (!is_diagonal(matrix))
    {
        const PrincipalAxes axes = find_principal_axes(matrix);
        result.inertia = axes.moments;
        result.inertial_pose.rotation = normalized(rotation * axes.rotation);
    }
    // For bodies that others are attached to: mass, centre and tensor in the body frame.
    result.properties = transformed({inertia.mass, {}, matrix}, {inertia.position, rotation});
    return result;
}

/// Of one part in the frame `pose`: its axes are kept where they are principal.
BodyMass from_part(const MassProperties& part, const Pose& pose)
{
    BodyMass result;
    result.mass = part.mass;
    result.inertial_pose = pose * Pose{part.center, {}};
    result.inertia = {part.inertia(0, 0), part.inertia(1, 1), part.inertia(2, 2)};
    if (!is_diagonal(part.inertia))
    {
        const PrincipalAxes axes = find_principal_axes(part.inertia);
        result.inertia = axes.moments;
        result.inertial_pose.rotation = normalized(pose.rotation * axes.rotation);
    }
    result.properties = transformed(part, pose);
    return result;
}

}  // namespace

ShapeRow to_row(const Shape& shape)
{
    ShapeRow row;
    row.type = static_cast<ShapeType>(shape.index());
    std::visit(Overloaded{[](const Plane&) {}, [&](const Sphere& s) { row.size = {s.radius, 0, 0}; },
                          [&](const Capsule& s) { row.size = {s.radius, s.half_length, 0}; },
                          [&](const Box& s) { row.size = s.half_extents; }, [&](const Cylinder& s)
                          { row.size = {s.radius, s.half_length, 0}; }, [&](const Ellipsoid& s) { row.size = s.radii; },
                          [&](const Mesh& s)
                          {
                              row.asset = s.mesh.index;
                              row.mesh_collide = s.collide;
                              row.mesh_mass = s.mass;
                          },
                          [&](const HeightField& s) { row.asset = s.field.index; },
                          [&](const auto& s) { row.asset = s.mesh.index; }},
               shape);
    return row;
}

Shape from_row(const ShapeRow& row)
{
    const Vec3& s = row.size;
    const MeshId mesh{row.asset};
    const std::array<Shape, kShapeTypeCount> shapes{Plane{},
                                                    Sphere{s.x},
                                                    Capsule{s.x, s.y},
                                                    Box{s},
                                                    Cylinder{s.x, s.y},
                                                    Ellipsoid{s},
                                                    Hull{mesh},
                                                    Mesh{mesh, row.mesh_collide, row.mesh_mass},
                                                    HeightField{HeightFieldId{row.asset}},
                                                    Points{mesh},
                                                    Segments{mesh},
                                                    Surface{mesh}};
    return shapes[static_cast<std::size_t>(row.type)];
}

bool uses_mesh(ShapeType type)
{
    return type == ShapeType::hull || type == ShapeType::mesh || type == ShapeType::points ||
           type == ShapeType::segments || type == ShapeType::surface;
}

Pose make_pose(const Vec3& position, const Quat& rotation) { return {position, make_unit(rotation)}; }

Mat3 to_matrix(const Inertia& inertia)
{
    const Vec3& d = inertia.diagonal;
    const Vec3& p = inertia.products;  // xy, xz, yz
    return {{d.x, p.x, p.y, p.x, d.y, p.z, p.y, p.z, d.z}};
}

std::vector<BodyMass> find_body_masses(const Authored& authored, const Names& names,
                                       const std::vector<char>& shape_good, const std::vector<char>& body_good,
                                       Checker& checker)
{
    const std::size_t body_count = authored.bodies.size();
    std::vector<BodyMass> masses(body_count);
    // Mass matters only for what moves: others may have shapes without volume.
    std::vector<char> has_joints(body_count, 0);
    for (const AuthoredJoint& joint : authored.joints)
    {
        if (in_range(joint.body.index, authored.bodies)) has_joints[at(joint.body.index)] = 1;
    }
    const std::vector<char> moving = find_moving(authored, has_joints);

    std::vector<int> parts(body_count, 0);  // contributing shapes
    ShapeMasses shape_masses(authored);
    for (std::size_t i = 0; i < authored.shapes.size(); ++i)
    {
        const AuthoredShape& shape = authored.shapes[i];
        const ShapeOptions& options = shape.options;
        // An authored inertia takes the place of what shapes would give; the world needs none.
        if (!shape_good[i] || shape.body == kWorld || authored.bodies[at(shape.body.index)].inertia) continue;
        if (!contributes(shape)) continue;
        const Result<MassProperties> part = shape_masses.compute(shape);
        const std::size_t body = at(shape.body.index);
        if (!part)
        {
            checker.enter("shape", names.shapes[i]);
            if (moving[body]) checker.append(part.errors());
            continue;
        }
        if (!(part.value().mass > 0)) continue;
        const Pose pose = make_pose(options.position, options.rotation);
        // The first part keeps its own axes; from the second on the tensors add up in the body frame.
        if (parts[body]++ == 0)
            masses[body] = from_part(part.value(), pose);
        else
            masses[body].properties = combined(masses[body].properties, transformed(part.value(), pose));
    }

    for (std::size_t body = 1; body < body_count; ++body)
    {
        const BodyOptions& options = authored.bodies[body];
        if (options.inertia && body_good[body]) masses[body] = from_inertia(*options.inertia);
        if (!is_finite(masses[body].properties))
        {
            checker.enter("body", names.bodies[body]);
            checker.fail("its mass or inertia is too large to be a number");
            continue;
        }
        if (!options.inertia && parts[body] > 1)
        {
            // Several parts: the sum has axes of its own.
            const MassProperties whole = masses[body].properties;
            const PrincipalAxes axes = find_principal_axes(whole.inertia);
            masses[body] = {whole.mass, axes.moments, {whole.center, normalized(axes.rotation)}, whole};
        }
    }
    return masses;
}

void check_moving_masses(const Authored& authored, const Names& names, const Layout& layout,
                         const std::vector<BodyMass>& masses, Checker& checker)
{
    // What a body carries rigidly: itself and all that is attached to it without coordinates.
    std::vector<MassProperties> carried(masses.size());
    // Children come after their parents: backwards, what is attached rigidly is complete when its carrier's turn comes.
    for (std::size_t body = masses.size() - 1; body > 0; --body)
    {
        const BodyOptions& options = authored.bodies[body];
        if (masses[body].mass > 0)
            carried[body] =
                carried[body].mass > 0 ? combined(carried[body], masses[body].properties) : masses[body].properties;
        int dofs = 0, rotations = 0;
        bool armature = true;
        for (const int joint : layout.joints(static_cast<int>(body)))
        {
            const JointOptions& own = joint_options(authored, joint);
            dofs += v_count(own.type);
            rotations += own.type != JointType::slide && own.type != JointType::fixed;
            armature = armature && own.armature > 0;
        }
        const std::size_t parent = at(options.parent.index);
        // Without coordinates it hands its mass on to the parent.
        if (dofs == 0)
        {
            if (options.kind == BodyKind::kinematic || parent == 0 || !(carried[body].mass > 0)) continue;
            const MassProperties part = transformed(carried[body], make_pose(options.position, options.rotation));
            carried[parent] = carried[parent].mass > 0 ? combined(carried[parent], part) : part;
            continue;
        }
        // Armature alone keeps the diagonal of M positive.
        if (armature) continue;
        checker.enter("body", names.bodies[body]);
        const char* hint = "give it a shape with density, or an inertia";
        if (!checker.require(carried[body].mass > 0, "moves but has no mass", hint) || rotations == 0) continue;
        if (!checker.require(is_finite(carried[body]), "what it carries is too heavy to be a number")) continue;
        // What turns needs inertia about every axis; of a ball or free joint M would be singular otherwise.
        const Vec3 moments = find_principal_axes(carried[body].inertia).moments;
        const double largest = std::max({moments.x, moments.y, moments.z});
        const double smallest = std::min({moments.x, moments.y, moments.z});
        checker.require(smallest > 1e-13 * largest, "turns but has no inertia about some axis", hint);
    }
}

}  // namespace rattleback
